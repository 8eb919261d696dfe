"""Q10: requests that the OpenAPI document allows and requests that it does not, as each role, at every operation.

What answers with a 5xx, with a status, media type or shape that is not documented, or takes what the document forbids,
is a failure; so is an operation that no request of any role got through.
"""

import copy
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import requests
import schemathesis
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client, override_settings
from django.urls import Resolver404, resolve
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.core.test_permissions_matrix import MATRIX
from tests.reliability.figures import Figure
from tests.reliability.fuzz_requests import request_that_works
from tests.reliability.fuzz_tablet import pair_first
from tests.reliability.fuzz_world import MIXED, FuzzWorld, Request
from tournament.api.schema import openapi_document
from tournament.api.services import make_token
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import Role
from tournament.mail.api.mailings_bounces import BounceReportsViewSet
from tournament.tablets.api.tablet import TABLET_COOKIE_NAME

TABLET, OF_TABLETS = "tablet", "/api/v1/tablet/"
PROVIDER, PROVIDERS_SECRET = "mail provider", "fuzzed-provider-secret-0123456789"
MIXED_ROLE = "mixed"
ROLES = ("anonymous", "referee", "clerk", "chief_judge", "organiser", "auditor", MIXED_ROLE, TABLET, PROVIDER)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# What the document forbids may also be refused for another reason first.
REFUSED = [400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 423, 426, 428, 429]
TITLE = (
    "requests as six roles, as who is another at each event, and as a tablet, answered with a 5xx, otherwise than the "
    "OpenAPI says or beyond the role, operations untried"
)
BASE = "http://localhost"
# What somebody is answered who has no right there, or asks for what is not.
NO_RIGHT = (403, 404, 405)
# How much of a request is taken from what is there; the rest is the tool's.
KNOWN = ("nothing", "address", "all", "all")
STEERED = ("path_parameters", "headers", "query", "body", "media_type")
SENT = ("method", "url", "headers", "params", "json", "data", "cookies")


@dataclass
class Fuzzed:
    """Requests, failures in words, and how often each operation answered with what."""

    sent: int = 0
    failures: list[str] = field(default_factory=list)
    answers: dict[str, Counter[int]] = field(default_factory=dict)

    @property
    def untried(self) -> list[str]:
        """Operations that nobody got through."""
        return sorted(name for name, found in self.answers.items() if not any(status < 300 for status in found))

    def facts(self) -> dict[str, Any]:
        through = {
            name: f"{sum(n for status, n in found.items() if status < 300)} of {found.total()}"
            for name, found in sorted(self.answers.items())
        }
        return {"operations": len(self.answers), "untried": self.untried, "got_through": through}


def false_document() -> dict[str, Any]:
    """The control: a document of the events alone, that says something else of one figure than the API does."""
    described = copy.deepcopy(openapi_document("en"))
    described["paths"] = {path: methods for path, methods in described["paths"].items() if path.endswith("/events/")}
    described["components"]["schemas"]["EventAnswer"]["properties"]["quota"] = {"type": "string"}
    return described


def operations(document_tried: dict[str, Any]) -> list[Any]:
    """Every operation of an account, a tablet or the mail provider. Who asks is the role's token, not for the tool to
    leave out."""
    described = copy.deepcopy(document_tried)
    del described["components"]["securitySchemes"]
    for path, methods in described["paths"].items():
        ours = ({EventViewSet.security: []}, {BounceReportsViewSet.security: []})
        others = [method for method, one in methods.items() if not any(one_of in one["security"] for one_of in ours)]
        for method in [] if path.startswith(OF_TABLETS) else others:
            del methods[method]
        for operation in methods.values():
            del operation["security"]
    made = schemathesis.openapi.from_dict(described)
    made.config.checks.negative_data_rejection.expected_statuses = [str(status) for status in REFUSED]
    return [found.ok() for found in made.get_all_operations()]


def header_of(world: FuzzWorld, role: str) -> dict[str, str]:
    """The role's token, the tablet's cookie, the provider's secret; none for nobody."""
    if role == "anonymous":
        return {}
    if role == TABLET:
        return {"Cookie": f"{TABLET_COOKIE_NAME}={pair_first(world)}"}
    if role == PROVIDER:
        return {"Authorization": f"Bearer {PROVIDERS_SECRET}"}
    user = User.objects.get(username=world.accounts[role])
    return {"Authorization": f"Bearer {make_token(user, name='fuzz')[1]}"}


def fuzz(
    world: FuzzWorld,
    each: int,
    seed_of_run: int,
    roles: tuple[str, ...] = ROLES,
    document_tried: dict[str, Any] | None = None,
) -> Fuzzed:
    """`each` requests an operation and role, some more than once where an operation has not so many different ones.

    An operation's requests are made once, as long as sending them takes, and sent as each role. Every role begins from
    the world as it was made, with what the operation needs prepared once.
    """
    found = Fuzzed()
    tokens = {role: header_of(world, role) for role in roles}
    for operation in operations(document_tried or openapi_document("en")):
        name = operation.definition.raw["operationId"]
        found.answers.setdefault(name, Counter())
        made = cases_of(operation, each, seed_of_run)
        for role, token in tokens.items():
            with transaction.atomic():
                held = MIXED if role == MIXED_ROLE else None
                attempt(made, token, request_that_works(world, name, role), found, held)
                transaction.set_rollback(True)
    return found


def cases_of(operation: Any, each: int, seed_of_run: int) -> list[tuple[Any, str]]:
    """So many requests of the tool, allowed and forbidden, each with how much of it is taken from what is there.

    The tool ends early where it knows no further ones (an operation without a body); it is asked again with another
    seed.
    """
    made: list[tuple[Any, str]] = []
    while len(made) < each:
        more = drawn_cases(operation, each - len(made), seed_of_run)
        assert more, f"no request of {operation.label}"
        made, seed_of_run = [*made, *more], seed_of_run + 1
    return with_one_that_works(made)


def drawn_cases(operation: Any, most: int, seed_of_run: int) -> list[tuple[Any, str]]:
    """At most so many, none twice."""
    made: list[tuple[Any, str]] = []
    cases = st.one_of(
        operation.as_strategy(generation_mode=GenerationMode.POSITIVE),
        operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
    )

    @seed(seed_of_run)
    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, known=st.sampled_from(KNOWN))
    def one(case: Any, known: str) -> None:
        # What it was made as holds, whatever of it is steered for a role.
        case.freeze_metadata()
        made.append((case, known))

    one()
    return made[:most]


def with_one_that_works(made: list[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """In a small sample chance may leave out the request that takes all from what is there; one allowed is made it."""
    allowed = [place for place, (case, _known) in enumerate(made) if not wrong_places(case)]
    if allowed and not any(made[place][1] == "all" for place in allowed):
        made[allowed[0]] = (made[allowed[0]][0], "all")
    return made


def attempt(
    made: list[tuple[Any, str]],
    token: dict[str, str],
    works: Request,
    found: Fuzzed,
    held: Mapping[str, Role] | None = None,
) -> None:
    """One operation as one role, each request on the same world: what it has changed is taken back. `held` are the
    roles by event of who is something else at each."""
    for case, known in made:
        own = {part: getattr(case, part) for part in STEERED}
        steer(case, known, works)
        with transaction.atomic():
            send(case, token, found, held)
            transaction.set_rollback(True)
        for part, value in own.items():
            setattr(case, part, value)


def wrong_places(case: Any) -> set[Any]:
    """Where the tool has put something that the document forbids."""
    return {place for place, info in case.meta.components.items() if info.mode == GenerationMode.NEGATIVE}


def steer(case: Any, known: str, request: Request) -> None:
    """Put in what is there in this event, where the tool did not mean to send something wrong: else all is 404."""
    wrong = wrong_places(case)
    if known == "nothing":
        return
    if ParameterLocation.PATH not in wrong:
        there = {name: value for name, value in request.path.items() if f"{{{name}}}" in case.path}
        case.path_parameters = {**(case.path_parameters or {}), **there}
    if ParameterLocation.HEADER not in wrong and request.headers:
        case.headers = {**(case.headers or {}), **request.headers}
    if known == "all" and not wrong:
        case.query = {}
        if request.body is not None:
            case.body, case.media_type = request.body, "application/json"


def send(case: Any, token: dict[str, str], found: Fuzzed, held: Mapping[str, Role] | None = None) -> None:
    """One request through Django's whole stack, judged by the tool's own checks."""
    sent = case.as_transport_kwargs(base_url=BASE)
    sent["headers"] = {**dict(sent.get("headers") or {}), **token}
    prepared = requests.Request(**{name: value for name, value in sent.items() if name in SENT}).prepare()
    answer = through_django(prepared)
    found.sent += 1
    name = case.operation.definition.raw["operationId"]
    found.answers[name][answer.status_code] += 1
    lets_in = name == "pair_tablet"  # whoever has the desk's code
    if not token and answer.status_code not in (401, 404) and not lets_in:
        found.failures.append(f"nobody {case.method} {prepared.path_url}: {answer.status_code}")
    if held is not None and is_beyond(held, case.method, prepared.path_url, answer.status_code):
        found.failures.append(f"{held} {case.method} {prepared.path_url}: {answer.status_code}")
    headers = {name: [value] for name, value in answer.headers.items()}
    response = Response(answer.status_code, headers, answer.content, prepared, 0.0, True)
    checks = [*CHECKS, negative_data_rejection] if wrong_places(case) else CHECKS
    try:
        case.validate_response(response, checks=checks)
    except FailureGroup as group:
        found.failures += [
            f"{case.method} {prepared.path_url}: {one.title} {one.message}"[:400] for one in group.exceptions
        ]


def is_beyond(held: Mapping[str, Role], method: str, path: str, status: int) -> bool:
    """Whether the answer is one that the role at the event of this very address has no right to."""
    try:
        match = resolve(path.partition("?")[0])
    except Resolver404:
        return False
    row = MATRIX.get(str(match.url_name), {})
    if "event" not in match.kwargs or "all" in row:
        return False
    role = held.get(match.kwargs["event"])
    return role not in row.get(method, "").split() and status not in NO_RIGHT


def through_django(prepared: requests.PreparedRequest) -> Any:
    """The request as Django's test client sends it; an exception in a view is the 500 that it would be."""
    headers = dict(prepared.headers)
    content_type = headers.pop("Content-Type", "")
    headers.pop("Content-Length", None)
    body = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body or b""
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    return client.generic(prepared.method, prepared.path_url, body, content_type=content_type, headers=headers)


def figure(world: FuzzWorld, each: int, seed_of_run: int, database: str) -> Figure:
    """Q10 with its control. Mails carry links, so that the server knows its own address."""
    with override_settings(SITE_URL=BASE, MAIL_BOUNCES_SECRET=PROVIDERS_SECRET):
        found = fuzz(world, each, seed_of_run)
    control = fuzz(world, 5, seed_of_run, ("organiser",), false_document())
    made = Figure(
        "Q10",
        TITLE,
        database,
        found.sent,
        len(found.failures) + len(found.untried),
        each * len(ROLES) * len(found.answers),
        seed_of_run,
    )
    made.control_n, made.control_failures = control.sent, len(control.failures)
    made.facts = {**found.facts(), "roles": list(ROLES), "each": each, "said": found.failures[:10]}
    return made
