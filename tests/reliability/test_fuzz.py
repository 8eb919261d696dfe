"""What Q10 stands on: a document that promises less makes the tool speak up, and its requests get through."""

from typing import Any

import pytest
from django.db import transaction

from tests.reliability import fuzz
from tests.reliability.fuzz_requests import request_that_works
from tests.reliability.fuzz_tablet import TABLET_ACTS
from tests.reliability.fuzz_world import FuzzWorld, make_fuzz_world
from tournament.api import schema

# Whoever may most first.
ACCOUNTS = ("organiser", "chief_judge", "clerk")


@pytest.fixture
def world(db: None, settings: Any) -> FuzzWorld:
    """Four events, reached from outside."""
    settings.SITE_URL, settings.MAIL_BOUNCES_SECRET = fuzz.BASE, fuzz.PROVIDERS_SECRET
    return make_fuzz_world()


def test_the_tool_speaks_up_where_the_document_is_wrong(world: FuzzWorld) -> None:
    found = fuzz.fuzz(world, each=1, seed_of_run=1, roles=("organiser",), document_tried=fuzz.false_document())
    assert any("/api/v1/events/" in failure for failure in found.failures)


@pytest.mark.long
def test_somebody_gets_through_at_every_operation_with_the_request_that_the_tool_is_given(world: FuzzWorld) -> None:
    tokens = {role: fuzz.header_of(world, role) for role in (*ACCOUNTS, "tablet", fuzz.PROVIDER)}
    refused = {}
    for operation in fuzz.operations(schema.openapi_document("en")):
        name = operation.definition.raw["operationId"]
        said = []
        programs = ("tablet",) if name in TABLET_ACTS else (fuzz.PROVIDER,) if name == "report_bounces" else ()
        for role in programs or ACCOUNTS:
            said.append(answer_to(world, operation, role, tokens[role]))
            if not said[-1]:
                break
        else:
            refused[name] = said
    assert refused == {}


def answer_to(world: FuzzWorld, operation: Any, role: str, token: dict[str, str]) -> str:
    """ "" where the request went through as this role, or what was said; then all is as it was."""
    with transaction.atomic():
        works = request_that_works(world, operation.definition.raw["operationId"], role)
        address = fuzz.BASE + operation.path.format(**works.path)
        headers = {**works.headers, **token}
        sent = fuzz.requests.Request(operation.method.upper(), address, headers, json=works.body)
        answer = fuzz.through_django(sent.prepare())
        if answer.status_code == 503:  # a busy database asks to be asked again
            answer = fuzz.through_django(sent.prepare())
        transaction.set_rollback(True)
    return "" if answer.status_code < 300 else answer.content.decode()
