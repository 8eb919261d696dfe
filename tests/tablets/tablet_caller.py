"""A referee's tablet that calls the API: its cookie, its keys, the form of its items."""

import itertools
import json
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from tests.api.caller import held_against_the_document
from tournament.api import services
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.services import devices, pins
from tournament.tables.models import Table

TABLET = "/api/v1/tablet/"
KEYS = itertools.count(1)
PIN = "7305"
MADE_AT = "2026-03-28T03:00:00Z"


def new_key() -> str:
    """A key that no other request has."""
    return f"tablet-key-0000000000-{next(KEYS)}"


class Tablet:
    """One browser at the hall's tables; every answer but a 304 is held against the OpenAPI document."""

    def __init__(self) -> None:
        self.client = Client()
        self.headers = {"Accept-Language": "en", "X-Client-Schema": "1"}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """Any request; a header that is "" is left out."""
        sent = {**self.headers, **{name.replace("_", "-"): text for name, text in headers.items()}}
        content = b"" if body is None else json.dumps(body).encode()
        kept = {name: text for name, text in sent.items() if text}
        answer = self.client.generic(method, TABLET + path, content, content_type="application/json", headers=kept)
        if answer.status_code != 304:
            held_against_the_document(method, TABLET + path, answer)
        return answer

    def get(self, **headers: str) -> HttpResponse:
        return self.ask("GET", "state/", **headers)

    def post(self, path: str, body: Any = None, *, key: str = "", seen: int | None = None, **headers: str) -> Any:
        """A change, with a key of its own and the revision that was seen."""
        match = {} if seen is None else {"If-Match": f'"v{seen}"'}
        said = {"Idempotency-Key": key or new_key(), **match, **headers}
        return self.ask("POST", path, {} if body is None else body, **said)

    def pair(self, code: str, event: str = "hk-2026", key: str = "") -> Any:
        return self.post("pair/", {"event": event, "code": code}, key=key)

    def open(self, referee: User, pin: str = PIN) -> Any:
        return self.post("pin/", {"referee": referee.pk, "pin": pin})

    @property
    def device(self) -> Device:
        return Device.objects.get(digest=services.api_token_digest(self.client.cookies["tablet"].value))


def give_tables(session: Session, referee: User, numbers: tuple[int, ...]) -> None:
    """These tables are the referee's, who has a PIN."""
    Table.objects.filter(session=session, number__in=numbers).update(referee=referee)
    if not referee.referee_pins.filter(event=session.stage.event).exists():
        pins.set_pin(session.stage.event, referee, pin=PIN, by=referee)


def paired(session: Session, referee: User, by: User, numbers: tuple[int, ...] = (1, 2), opened: bool = True) -> Tablet:
    """A tablet at these tables, open in the referee's name."""
    give_tables(session, referee, numbers)
    _row, code = devices.make_pairing(session, referee, numbers, by=by)
    tablet = Tablet()
    answer = tablet.pair(code, session.stage.event.slug)
    assert answer.status_code == 201, answer.content
    if opened:
        assert tablet.open(referee).status_code == 200
    return tablet
