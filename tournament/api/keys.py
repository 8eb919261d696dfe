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

from tournament.api.errors import PreconditionMissing
from tournament.core.errors import BadInput, KeyReused
from tournament.core.services import requests

IDEMPOTENCY_KEY_RE = re.compile(r'"?([A-Za-z0-9._:~-]{1,64})"?', re.ASCII)
ETAG_RE = re.compile(r'"v([0-9]{1,9})"', re.ASCII)
REPLAY_HEADER = "Idempotent-Replay"

KEY_MISSING = _("Send an Idempotency-Key with every change: a new one for each act, the same when you send it again.")
KEY_NOT_READABLE = _("An Idempotency-Key has 1 to 64 letters, digits or . _ : ~ - characters; a UUID is one.")
KEY_REUSED = _("This Idempotency-Key was used for another request. Every act has its own.")
MATCH_MISSING = _("Send If-Match with the ETag that you have seen, so that nobody's change is overwritten.")
MATCH_NOT_READABLE = _('If-Match is the ETag of what you have seen, such as "v3".')


@dataclass(frozen=True)
class ChangeAuthor:
    """In whose name a change is made: what the service takes as `by`, and the scope in which its keys are its own."""

    by: Any
    scope: str


@dataclass(frozen=True)
class RequestData:
    """What a change was sent with. `revision` is None where the thing has no version."""

    author: ChangeAuthor
    key: str
    revision: int | None
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def by(self) -> Any:
        return self.author.by

    @property
    def seen(self) -> dict[str, Any]:
        """By whom, with which key, and from which version: what a service takes beside what it is to do."""
        version = {} if self.revision is None else {"revision": self.revision}
        return {"by": self.by, "request_key": self.key, **version}

    @property
    def sent(self) -> dict[str, Any]:
        """The body, by whom and from which version, for a service that keeps no key."""
        return {**self.data, **{name: part for name, part in self.seen.items() if name != "request_key"}}


def read_idempotency_key(request: Request) -> str:
    """The key of the header; BadInput where it is missing or not readable."""
    header = request.headers.get("Idempotency-Key", "").strip()
    if not header:
        raise BadInput("idempotency_key_missing", KEY_MISSING)
    found = IDEMPOTENCY_KEY_RE.fullmatch(header)
    if not found:
        raise BadInput("idempotency_key_not_readable", KEY_NOT_READABLE)
    return found[1]


def revision_of(request: Request) -> int:
    """The revision of If-Match; `"v0"` for what is not begun."""
    header = request.headers.get("If-Match", "").strip()
    if not header:
        raise PreconditionMissing("if_match_missing", MATCH_MISSING)
    found = ETAG_RE.fullmatch(header)
    if not found:
        raise BadInput("if_match_not_readable", MATCH_NOT_READABLE)
    return int(found[1])


def format_etag(revision: int) -> str:
    return f'"v{revision}"'


def run_idempotent(request: Request, given: RequestData, act: Callable[[], Response]) -> Response:
    """Run a change once for its key: key row, change, audit entry and answer in one transaction (D2).

    The answer is kept as it was first sent and sent again as it was. A refusal rolls everything back, the key too.
    """

    def do() -> dict[str, Any]:
        answer = act()
        text = JSONRenderer().render(answer.data).decode()
        head = {"tag": answer.headers.get("ETag", ""), "location": answer.headers.get("Location", "")}
        return {"status": answer.status_code, "body": text, **head}

    payload = [given.revision, request.data]
    try:
        kept, replayed = requests.run_once(
            given.author.scope, given.key, f"{request.method} {request.path}", payload, do
        )
    except KeyReused:
        raise KeyReused("key_reused", KEY_REUSED) from None
    headers = {"ETag": kept["tag"], "Location": kept["location"], REPLAY_HEADER: "true" if replayed else ""}
    return Response(
        json.loads(kept["body"]), status=kept["status"], headers={name: text for name, text in headers.items() if text}
    )
