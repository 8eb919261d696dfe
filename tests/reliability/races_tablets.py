"""Q6 and Q7 at the hall's tables: sixteen copies of one whole sheet, and sixteen writers, half of them at the desk.

Each round of copies locks a sheet, so that each has a table of its own.
"""

import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.db import connection

from tests.reliability.clients_tablet import LETTERS, MADE_AT, RACKS, STROKES
from tests.reliability.figures import Figure
from tests.reliability.races import COPIES, revision_of
from tests.reliability.races_http import PATIENCE, UNSAFE
from tests.reliability.server import Server
from tests.reliability.world import TabletWorld
from tournament.api.services import make_token
from tournament.audit.models import AuditEntry
from tournament.devices.models.device import QuarantinedSubmission
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.tables.models import Table


@dataclass(frozen=True)
class Told:
    """What one request was answered; `key` and `receipt` are a tablet's."""

    status: int
    replayed: bool
    key: str
    receipt: str


@dataclass(frozen=True)
class Request:
    """One request at one address, by whoever the headers say."""

    method: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]


def parsed(content: bytes) -> dict[str, Any]:
    """An answer's JSON; nothing where a careless server broke with a page of its own."""
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


class Hall:
    """Tables with their tablets, and a clerk at the desk, on one server."""

    def __init__(self, server: Server, world: TabletWorld, token: str) -> None:
        self.port, self.world, self.token = server.port, world, token

    def at_once(self, requests: Sequence[Request]) -> list[Told]:
        """All of them together, each on its own connection, sent when all are connected."""
        barrier = threading.Barrier(len(requests), timeout=PATIENCE)
        with ThreadPoolExecutor(len(requests)) as pool:
            return list(pool.map(lambda request: self.send(request, barrier), requests))

    def send(self, request: Request, barrier: threading.Barrier) -> Told:
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            wire.connect()
            barrier.wait()
            wire.request(request.method, request.path, json.dumps(request.body), request.headers)
            answer = wire.getresponse()
            said = parsed(answer.read())
            replayed = answer.getheader("Idempotent-Replay") == "true"
            return Told(answer.status, replayed, said.get("key", ""), said.get("receipt", ""))
        finally:
            wire.close()

    def by_tablet(self, place: tuple[Table, str], act: str, body: dict[str, Any], key: str, seen: int) -> Request:
        """An act of a table's tablet."""
        table, token = place
        own = {"X-Client-Schema": "1", "Cookie": f"tablet={token}"}
        said = {"referee": self.world.referee.pk, "made_at": MADE_AT, "confirmations": {}, **body}
        return Request("POST", f"/api/v1/tablet/tables/{table.number}/{act}/", said, own | written(key, seen))

    def by_clerk(self, table: Table, typed: dict[str, Any], key: str, seen: int) -> Request:
        """The same sheet saved at the desk."""
        event, session = self.world.event.slug, table.session.number
        path = f"/api/v1/events/{event}/sessions/{session}/scoresheets/{table.number}/"
        own = {"Authorization": f"Bearer {self.token}"}
        return Request("PUT", path, {"form": "rack", "typed": typed}, own | written(key, seen))


def written(key: str, seen: int) -> dict[str, str]:
    return {"Content-Type": "application/json", "Idempotency-Key": key, "If-Match": f'"v{seen}"'}


def racks_of(value: int) -> dict[str, Any]:
    """A sheet in which B has so much left; each number makes another."""
    typed = deepcopy(RACKS)
    typed["games"][0]["seats"]["B"]["face_value"] = str(value)
    return typed


Places = Sequence[tuple[Table, str]]


def same_package(hall: Hall, places: Places, rounds: int) -> int:
    """Rounds in which the copies of one package had not exactly one effect, or one of them another answer."""
    bad = 0
    signatures = [
        {"letter": letter, "strokes": drawn, "made_at": MADE_AT} for letter, drawn in zip(LETTERS, STROKES, strict=True)
    ]
    for place in places[:rounds]:
        key, table = uuid.uuid4().hex, place[0]
        body = {"typed": racks_of(14), "signatures": signatures}
        told = hall.at_once([hall.by_tablet(place, "package", body, key, 0)] * COPIES)
        effects = AuditEntry.objects.filter(request_key=key)
        sheet = Scoresheet.objects.get(table=table)
        bad += not (
            {(one.status, one.key, one.receipt) for one in told} == {(200, key, told[0].receipt)}
            and told[0].receipt != ""
            and sum(one.replayed for one in told) == COPIES - 1
            and (effects.count(), effects.filter(action="lock_scoresheet").count()) == (7, 1)
            and (sheet.state, sheet.revision) == ("signed", 3)
            and Signature.objects.filter(scoresheet=sheet).count() == len(LETTERS)
            and not QuarantinedSubmission.objects.filter(key=key).exists()
        )
    return bad


def same_sheet(hall: Hall, places: Places, rounds: int) -> int:
    """Rounds in which not exactly one of tablet and desk won, or the others got no 412, or other figures stand."""
    bad, place = 0, places[0]
    for _turn in range(rounds):
        seen = revision_of(place[0])
        sheets = [racks_of(4 + number) for number in range(COPIES)]
        requests = [
            hall.by_tablet(place, "save", {"typed": typed}, uuid.uuid4().hex, seen)
            if number % 2
            else hall.by_clerk(place[0], typed, str(uuid.uuid4()), seen)
            for number, typed in enumerate(sheets)
        ]
        told = hall.at_once(requests)
        won = [number for number, one in enumerate(told) if one.status == 200]
        stands = Scoresheet.objects.get(table=place[0])
        bad += not (
            len(won) == 1
            and sum(one.status == 412 for one in told) == COPIES - 1
            and stands.revision == seen + 1
            and stands.typed["games"] == sheets[won[0]]["games"]
        )
    return bad


Race = Callable[[Hall, Places, int], int]
RACES: tuple[tuple[str, str, Race], ...] = (
    ("Q6", "a tablet's whole sheet sixteen times: one effect, fifteen replays of its receipt", same_package),
    ("Q7", "eight items of a tablet and eight of the desk, one revision: one 200, fifteen 412", same_sheet),
)


def tables_for(rounds: int, control_rounds: int) -> int:
    """How many tables both races lock or write at."""
    return rounds + control_rounds + 2


def figures(world: TabletWorld, rounds: int, control_rounds: int) -> list[Figure]:
    """Both on the database at hand, each beside its control on tables of its own: a server without key and swap."""
    token = make_token(world.clerk, name="race")[1]
    places = [place for own in world.places for place in own]
    made = []
    for id, title, race in RACES:
        started = time.monotonic()
        used = rounds if race is same_package else 1
        bad = run(Server("tournament.wsgi"), race, world, token, places, rounds)
        control = run(Server(UNSAFE), race, world, token, places[used:], control_rounds)
        places = places[used + control_rounds :]
        made.append(Figure(id, title, connection.vendor, rounds, bad, rounds, control_n=control_rounds))
        made[-1].control_failures, made[-1].seconds = control, round(time.monotonic() - started, 1)
    return made


def run(server: Server, race: Race, world: TabletWorld, token: str, places: Places, rounds: int) -> int:
    """The race on a server of its own."""
    server.start()
    try:
        return race(Hall(server, world, token), places, rounds)
    finally:
        server.kill()
