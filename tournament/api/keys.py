"""What every change carries: a key that makes it harmless when sent twice, and the version its author has seen."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import NoCondition
from tournament.errors import BadInput, KeyReused
from tournament.services import requests

KEY = re.compile(r'"?([A-Za-z0-9._:~-]{1,64})"?', re.ASCII)
TAG = re.compile(r'"v([0-9]{1,9})"', re.ASCII)
REPLAY = "Idempotent-Replay"

KEY_MISSING = _("Send an Idempotency-Key with every change: a new one for each act, the same when you send it again.")
KEY_NOT_READABLE = _("An Idempotency-Key has 1 to 64 letters, digits or . _ : ~ - characters; a UUID is one.")
KEY_REUSED = _("This Idempotency-Key was used for another request. Every act has its own.")
MATCH_MISSING = _("Send If-Match with the ETag that you have seen, so that nobody's change is overwritten.")
MATCH_NOT_READABLE = _('If-Match is the ETag of what you have seen, such as "v3".')


@dataclass(frozen=True)
class Answer:
    """What a view answers: the thing, its version where it has one, and where a new one stands; `status` 202 where it
    waits for a second person."""

    thing: Any
    revision: int | None = None
    location: str = ""
    status: int | None = None


@dataclass(frozen=True)
class Author:
    """In whose name a change is made: what the service takes as `by`, and the scope in which its keys are its own."""

    by: Any
    scope: str


@dataclass(frozen=True)
class Given:
    """What a change was sent with. `revision` is None where the thing has no version."""

    author: Author
    key: str
    revision: int | None
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def by(self) -> Any:
        """Who makes the change."""
        return self.author.by


def key_of(request: Request) -> str:
    """The Idempotency-Key."""
    header = request.headers.get("Idempotency-Key", "").strip()
    if not header:
        raise BadInput("idempotency_key_missing", KEY_MISSING)
    found = KEY.fullmatch(header)
    if not found:
        raise BadInput("idempotency_key_not_readable", KEY_NOT_READABLE)
    return found[1]


def revision_of(request: Request) -> int:
    """The revision of If-Match; `"v0"` for what is not begun."""
    header = request.headers.get("If-Match", "").strip()
    if not header:
        raise NoCondition("if_match_missing", MATCH_MISSING)
    found = TAG.fullmatch(header)
    if not found:
        raise BadInput("if_match_not_readable", MATCH_NOT_READABLE)
    return int(found[1])


def tag(revision: int | None) -> str:
    """A revision as an ETag; nothing where there is none."""
    return "" if revision is None else f'"v{revision}"'


def once(request: Request, given: Given, status: int, act: Callable[[], tuple[Answer, Any]]) -> Response:
    """Run a change once for its key: key row, change, audit entry and answer in one transaction (reliability 4.2).

    The answer is kept as it was first sent and sent again as it was. A refusal rolls everything back, the key too.
    """

    def do() -> dict[str, Any]:
        answer, data = act()
        text = JSONRenderer().render(data).decode()
        return {
            "status": answer.status or status,
            "body": text,
            "tag": tag(answer.revision),
            "location": answer.location,
        }

    payload = [given.revision, request.data]
    try:
        kept, replayed = requests.once(given.author.scope, given.key, f"{request.method} {request.path}", payload, do)
    except KeyReused:
        raise KeyReused("key_reused", KEY_REUSED) from None
    headers = {"ETag": kept["tag"], "Location": kept["location"], REPLAY: "true" if replayed else ""}
    return Response(
        json.loads(kept["body"]), status=kept["status"], headers={name: text for name, text in headers.items() if text}
    )
