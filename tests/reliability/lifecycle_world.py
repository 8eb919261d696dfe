"""Where a sheet lives: an event of its own with two tables and their tablets, and the server that is asked.

A server is a gunicorn of its own, which may end and begin again between two requests; or, for the small sample,
Django's test client in this process.
"""

import http.client
import json
import socket
import struct
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from django.contrib.auth.models import User
from django.test import Client

from tests.conftest import PASSWORD, event_data
from tests.reliability.lifecycle_model import LETTERS, ROLES
from tests.reliability.server import Server
from tests.reliability.world import pair_tablet
from tests.sheets.drawing import racks, strokes
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.api.services import make_token
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.services.files import write_public_files
from tournament.setup.services import setup
from tournament.tables.models import Table

PATIENCE = 30
MADE_AT = "2026-03-28T03:00:00Z"
RESET = struct.pack("ii", 1, 0)


class Reply(NamedTuple):
    """What was answered; header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Asked(Protocol):
    """Whoever answers. `real`: over the network, and what is published is written."""

    real: bool

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """One request, sent until it is answered."""

    def lose(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> None:
        """One request whose reply nobody reads to its end."""

    def restart(self) -> None:
        """Ends the server and starts it again."""


class OverHttp:
    """A gunicorn of our own."""

    real = True

    def __init__(self) -> None:
        self.server = Server("tournament.wsgi", workers=1)
        self.server.start()

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Again with the same key while nobody answers, or the database is busy."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                reply = self.once(method, path, body, headers)
                if reply.status != 503 or time.monotonic() > until:
                    return reply
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
            time.sleep(0.05)

    def once(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """One request on a connection of its own."""
        wire = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            wire.request(method, path, body or None, dict(headers))
            answer = wire.getresponse()
            said = {name.lower(): text for name, text in answer.getheaders()}
            return Reply(answer.status, said, answer.read())
        finally:
            wire.close()

    def lose(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> None:
        """The connection is reset when the first byte of the reply is there: it was committed, and nobody knows."""
        sent = {"Host": "127.0.0.1", "Content-Length": str(len(body)), **headers}
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {text}\r\n" for name, text in sent.items())
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as wire:
            wire.sendall(head.encode() + b"\r\n" + body)
            wire.recv(1)
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def restart(self) -> None:
        """Killed, as a machine ends that nobody has warned."""
        self.server.kill()
        self.server.start()


class InProcess:
    """Django's test client: for the small sample alone."""

    real = False

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Through the whole of Django."""
        answer = Client(SERVER_NAME="127.0.0.1").generic(
            method, path, body, content_type="application/json", headers=dict(headers)
        )
        content = b"".join(answer) if answer.streaming else answer.content
        return Reply(answer.status_code, {name.lower(): text for name, text in answer.items()}, content)

    def lose(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Done, and not looked at."""
        self.ask(method, path, body, headers)

    def restart(self) -> None:
        """There is nothing to end."""


def small_event(slug: str) -> dict[str, Any]:
    """One session, its results free since long."""
    data = event_data()
    data |= {"slug": slug, "results_at": "2026-01-01T00:00:00+08:00"}
    [stage] = data["stages"][:1]
    return {**data, "stages": [{**stage, "sessions": stage["sessions"][:1]}]}


@dataclass
class House:
    """Whoever works in all the worlds of one process: accounts and their tokens, and the server asked."""

    name: str
    asked: Asked
    tokens: dict[str, str] = field(default_factory=dict)
    people: dict[str, User] = field(default_factory=dict)
    worlds: int = 0

    def accounts_at(self, event: Event) -> None:
        """Everybody has their role at it; a token is made with the first."""
        for who in ROLES:
            self.account(event, who, Role.CLERK if who == "second_clerk" else Role(who))

    def account(self, event: Event, who: str, role: Role) -> None:
        user = accounts.create_account(event, f"{who}-{self.name}", PASSWORD, who, [role])
        if who not in self.people:
            self.people[who], self.tokens[who] = user, make_token(user, name="life")[1]

    def stranger(self) -> None:
        """An account with a role at another event alone; the public's folder is made once for all of them."""
        elsewhere = setup.create_event(small_event(f"elsewhere-{self.name}"))
        self.account(elsewhere, "stranger", Role.ORGANISER)
        write_public_files(elsewhere)

    def new_world(self) -> "World":
        """An event with two tables of four; the second's sheet is signed and stamped."""
        if not self.people:
            self.stranger()
        self.worlds += 1
        event = setup.create_event(small_event(f"life-{self.name}-{self.worlds}"))
        self.accounts_at(event)
        session = Session.objects.get(stage__event=event)
        tables = settle(session, self.people["organiser"], sizes=(4, 4))
        world = World(self, event, session, tables[0])
        for number, who in ((1, "tablet"), (2, "other table's tablet")):
            world.cookies[who] = pair_tablet(session, self.people["referee"], (number,), self.people["organiser"])
        world.settle_second_table()
        return world


@dataclass
class World:
    """One event, whose first table's sheet lives."""

    house: House
    event: Event
    session: Session
    table: Table
    cookies: dict[str, str] = field(default_factory=dict)

    def request(self, who: str, path: str, body: Any, key: str, seen: int | None) -> tuple[str, bytes, dict[str, str]]:
        """Address, body and headers as this person sends them."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key, "Accept-Language": "en"}
        headers |= {} if seen is None else {"If-Match": f'"v{seen}"'}
        if who in self.cookies:
            headers |= {"Cookie": f"tablet={self.cookies[who]}", "X-Client-Schema": "1"}
        elif who in self.house.tokens:
            headers |= {"Authorization": f"Bearer {self.house.tokens[who]}"}
        return path, json.dumps(body).encode(), headers

    def settle_second_table(self) -> None:
        """Delivered by its tablet, stamped by the organiser."""
        body = {**self.item(), "typed": racks(), "confirmations": {}, "signatures": [drawn(one) for one in LETTERS]}
        steps = (
            ("other table's tablet", "/api/v1/tablet/tables/2/package/", body, 0),
            ("organiser", f"{self.desk[:-2]}2/stamp/", {}, 3),
        )
        for who, path, sent, seen in steps:
            reply = self.house.asked.ask(
                "POST", *self.request(who, path, sent, f"second-table-{self.event.pk}-{who[:5]}", seen)
            )
            assert reply.status == 200, reply.body

    def item(self) -> dict[str, Any]:
        """What every item of a tablet carries."""
        return {"referee": self.house.people["referee"].pk, "made_at": MADE_AT}

    @property
    def desk(self) -> str:
        """The first table's sheet at the desk."""
        return f"/api/v1/events/{self.event.slug}/sessions/1/scoresheets/1/"


def drawn(letter: str) -> dict[str, Any]:
    """A signature in a package."""
    return {"letter": letter, "strokes": strokes(LETTERS.index(letter)), "made_at": MADE_AT}
