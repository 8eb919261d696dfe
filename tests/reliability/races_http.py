"""Q6 and Q7 once more, as programs meet them: sixteen requests at once to the API of a real gunicorn.

The connections are opened beforehand and let go together. What each was answered is held against the database.
"""

import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from django.db import connection

from tests.reliability.figures import Figure
from tests.reliability.races import COPIES, FORM, points_of_a, revision_of
from tests.reliability.server import Server
from tests.reliability.world import World, typed
from tournament.api.services import make_token
from tournament.audit.models import AuditEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

PATIENCE = 60
UNSAFE = "tests.reliability.naive_api_wsgi"


@dataclass(frozen=True)
class Told:
    """What one request was answered."""

    status: int
    replayed: bool
    body: bytes


@dataclass(frozen=True)
class Saving:
    """One program's request to save a sheet."""

    token: str
    key: str
    revision: int
    sheet: Mapping[str, Any]


class Api:
    """The address of one table's sheet on one server."""

    def __init__(self, server: Server, table: Table) -> None:
        self.port = server.port
        session = table.session
        self.path = f"/api/v1/events/{session.stage.event.slug}/sessions/{session.number}/scoresheets/{table.number}/"

    def save(self, saving: Saving, barrier: threading.Barrier) -> Told:
        """One PUT, sent when all are connected."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            wire.connect()
            barrier.wait()
            headers = {
                "Authorization": f"Bearer {saving.token}",
                "Content-Type": "application/json",
                "Idempotency-Key": saving.key,
                "If-Match": f'"v{saving.revision}"',
            }
            wire.request("PUT", self.path, json.dumps({"form": FORM, "typed": saving.sheet}), headers)
            answer = wire.getresponse()
            replayed = answer.getheader("Idempotent-Replay") == "true"
            return Told(answer.status, replayed, answer.read())
        finally:
            wire.close()

    def at_once(self, savings: Sequence[Saving]) -> list[Told]:
        """All of them together, each on its own connection."""
        barrier = threading.Barrier(len(savings), timeout=PATIENCE)
        with ThreadPoolExecutor(len(savings)) as pool:
            return list(pool.map(lambda saving: self.save(saving, barrier), savings))


def same_request(api: Api, table: Table, tokens: Sequence[str], rounds: int) -> int:
    """Rounds in which the copies of one request had not exactly one effect, or one of them another answer."""
    bad = 0
    for turn in range(rounds):
        seen, key = revision_of(table), str(uuid.uuid4())
        told = api.at_once([Saving(tokens[0], key, seen, typed(turn + 10))] * COPIES)
        effects = AuditEntry.objects.filter(request_key=key).count()
        bad += not (
            {(one.status, one.body) for one in told} == {(200, told[0].body)}
            and sum(one.replayed for one in told) == COPIES - 1
            and effects == 1
            and revision_of(table) == seen + 1
        )
    return bad


def same_revision(api: Api, table: Table, tokens: Sequence[str], rounds: int) -> int:
    """Rounds in which not exactly one program won, or not all others got 412, or the winner's figures do not stand."""
    bad = 0
    for turn in range(rounds):
        seen = revision_of(table)
        savings = [
            Saving(tokens[place % len(tokens)], str(uuid.uuid4()), seen, typed(1000 * (turn + 1) + place))
            for place in range(COPIES)
        ]
        told = api.at_once(savings)
        won = [place for place, one in enumerate(told) if one.status == 200]
        stands = Scoresheet.objects.get(table=table)
        bad += not (
            len(won) == 1
            and sum(one.status == 412 for one in told) == COPIES - 1
            and stands.revision == seen + 1
            and points_of_a(stands.typed) == points_of_a(savings[won[0]].sheet)
        )
    return bad


Race = Callable[[Api, Table, Sequence[str], int], int]
RACES: tuple[tuple[str, str, Race], ...] = (
    ("Q6", "the same request sixteen times over HTTP: one effect, fifteen replays of its answer", same_request),
    ("Q7", "sixteen programs over HTTP, one revision: one 200, fifteen 412", same_revision),
)


def figures(world: World, rounds: int, control_rounds: int) -> list[Figure]:
    """Both on the database at hand, each beside its control on a table of its own: a server without key and swap."""
    tokens = [make_token(clerk, name="race")[1] for clerk in world.clerks]
    made = []
    for place, (id, title, race) in enumerate(RACES):
        started = time.monotonic()
        table, other = world.tables[2 * place : 2 * place + 2]
        bad = run(Server("tournament.wsgi"), race, table, tokens, rounds)
        control = run(Server(UNSAFE), race, other, tokens, control_rounds)
        made.append(Figure(id, title, connection.vendor, rounds, bad, rounds, control_n=control_rounds))
        made[-1].control_failures, made[-1].seconds = control, round(time.monotonic() - started, 1)
    return made


def run(server: Server, race: Race, table: Table, tokens: Sequence[str], rounds: int) -> int:
    """The race on a server of its own."""
    server.start()
    try:
        return race(Api(server, table), table, tokens, rounds)
    finally:
        server.kill()
