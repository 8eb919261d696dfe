"""Events in which every operation of the API has something to do, and a request of each that works."""

import itertools
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from tests.reliability.world import FIXTURES, PASSWORD
from tests.seated import enter
from tests.small_event import small_fixtures
from tests.tournament.sheets import mirrored_tables
from tests.tournament.tables import paper
from tournament.demo.stages import seed_event
from tournament.enums import Role, SheetState
from tournament.models import Draw, Entrant, Event, Release, Scoresheet, Session, Table, TieDecision
from tournament.services import scoresheets, seating, setup, signing
from tournament.services.release import withdraw

KEYS = itertools.count(1)
ROLES = {
    "organiser": Role.ORGANISER,
    "clerk": Role.CLERK,
    "referee": Role.REFEREE,
    "chief_judge": Role.CHIEF_JUDGE,
    "auditor": Role.AUDITOR,
}
TABLES = 40
# Three games without anything to mend or to look at, but for the empty row of totals.
GAME = ("rummikub", "1 30 0", "0 -9 2", "0 -10 2", "0 -11 2")
GAMES = (
    ("rummikub", "1 30 0", "0 -9 2", "0 -10 2", "0 -11 2"),
    ("rummikub", "1 33 0", "0 -10 2", "0 -11 2", "0 -12 2"),
    ("rummikub", "1 36 0", "0 -11 2", "0 -12 2", "0 -13 2"),
)
TOTALS = ("3 99 0", "0 -30 6", "0 -33 6", "0 -36 6")
SIGNED = {"signatures": {"A": "", "B": "", "C": "", "D": ""}}
SHEETS = (
    "get_scoresheet",
    "save_scoresheet",
    "submit_scoresheet",
    "ready_scoresheet",
    "reopen_scoresheet",
    "certify_scoresheet",
    "reject_scoresheet",
    "stamp_scoresheet",
)


@dataclass(frozen=True)
class FuzzWorld:
    """`released` is played to its end, `playing` has a drawn session and one to draw, `tied` a tie across the line."""

    released: Event
    playing: Event
    tied: Event
    accounts: dict[str, str]
    typist: User
    checker: User


@dataclass(frozen=True)
class Request:
    """What makes an operation work: its path's parameters, the headers of a change, a body."""

    path: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None


def make_fuzz_world() -> FuzzWorld:
    """Three events with the same accounts."""
    with tempfile.TemporaryDirectory() as folder:
        released = seed_event("released", 2, small_fixtures(Path(folder)))
    data = json.loads((FIXTURES / "event.json").read_text(encoding="utf-8"))
    playing, tied = (setup.create_event(data | {"slug": slug}) for slug in ("playing", "tied"))
    for event in (released, playing, tied):
        for name, role in ROLES.items():
            setup.create_account(event, f"fuzz_{name}", PASSWORD, name, [role])
        setup.create_account(event, "fuzz_typist", PASSWORD, "typist", [Role.CLERK])
        setup.create_account(event, "fuzz_checker", PASSWORD, "checker", [Role.CLERK])
    organiser = User.objects.get(username="fuzz_organiser")
    first, second = Session.objects.filter(stage__event=playing, number__lte=2).order_by("number")
    Session.objects.filter(pk=first.pk).update(table_count=TABLES, capacity=4 * TABLES)
    first.refresh_from_db()
    enter(first, 4 * TABLES)
    enter(second, 8, first=1001)
    seating.draw_session(first, seed=1, by=organiser)
    seating.confirm(first, revision=1, by=organiser)
    mirrored_tables(Session.objects.get(stage__event=tied, number=1), organiser)
    accounts = {name: f"fuzz_{name}" for name in ROLES}
    typist, checker = (User.objects.get(username=f"fuzz_{name}") for name in ("typist", "checker"))
    return FuzzWorld(released, playing, tied, accounts, typist, checker)


def request_that_works(world: FuzzWorld, name: str, role: str) -> Request | None:
    """For this operation, as things stand now; None where an event and a number of it are enough."""
    if name in SHEETS:
        return sheet_request(world, name, role)
    if name in PREPARED:
        return PREPARED[name](world)
    path = {"event": world.playing.slug, "session": 1, "number": 1}
    if name == "get_release":
        return Request(path | {"event": world.released.slug})
    return Request(path)


def change(path: dict[str, Any], body: Any = None, revision: int | None = None) -> Request:
    """A change with a new key."""
    headers = {"Idempotency-Key": f"fuzz-{next(KEYS)}"}
    if revision is not None:
        headers["If-Match"] = f'"v{revision}"'
    return Request(path, headers, {} if body is None else body)


def sheet_request(world: FuzzWorld, name: str, role: str) -> Request:
    """A sheet in the state that this act begins from, brought there by the services."""
    sheet = {"form": "paper", "typed": paper(GAMES, TOTALS)}
    bodies = {
        "save_scoresheet": sheet,
        "submit_scoresheet": sheet,
        "certify_scoresheet": SIGNED,
        "reject_scoresheet": {"reason": "game 2"},
    }
    typist = world.typist
    if name == "reopen_scoresheet" and role in world.accounts:
        typist = User.objects.get(username=world.accounts[role])
    table, revision = table_for(world, name, typist)
    path = {"event": world.playing.slug, "session": 1, "table": table.number}
    return Request(path) if name == "get_scoresheet" else change(path, bodies.get(name), revision)


def table_for(world: FuzzWorld, name: str, typist: User) -> tuple[Table, int]:
    """A table and the revision of its sheet."""
    tables = Table.objects.filter(session__stage__event=world.playing, session__number=1).select_related(
        "session__stage__event", "session__draw"
    )
    open_tables = tables.filter(scoresheets=None).order_by("-number")
    drafts = tables.filter(scoresheets__state=SheetState.DRAFT).order_by("number")
    if name == "stamp_scoresheet":
        table = tables.filter(scoresheets__state=SheetState.CERTIFIED).first() or tables.get(number=1)
        if revision_of(table) == 0:
            submit(table, world.typist, 0)
            signing.certify(table, revision=2, signatures=SIGNED["signatures"], by=world.checker, request_key=key())
    elif name in ("certify_scoresheet", "reject_scoresheet", "reopen_scoresheet"):
        table = tables.filter(scoresheets__state=SheetState.READY, scoresheets__typed_by=typist).first()
        if table is None:
            table = drafts.first() or open_tables.first() or tables.get(number=1)
            submit(table, typist, revision_of(table))
    elif name == "ready_scoresheet":
        table = drafts.first() or open_tables.first() or tables.get(number=1)
        if revision_of(table) == 0 or table.scoresheets.filter(state=SheetState.DRAFT).exists():
            draft = {"form": "paper", "typed": paper(GAMES, TOTALS), "by": world.typist, "request_key": key()}
            scoresheets.save(table, revision=revision_of(table), **draft)
    else:
        table = drafts.first() or open_tables.first() or tables.get(number=1)
    return table, revision_of(table)


def submit(table: Table, by: User, revision: int) -> None:
    """Hand on a sheet without fault; one that is past it stays."""
    if Scoresheet.objects.filter(table=table).exclude(state=SheetState.DRAFT).exists():
        return
    typed = {"form": "paper", "typed": paper(GAMES, TOTALS), "confirmations": {}, "by": by, "request_key": key()}
    scoresheets.submit(table, revision=revision, **typed)


def key() -> str:
    """A new request's key."""
    return f"world-{next(KEYS)}"


def revision_of(table: Table) -> int:
    """What a writer must have seen."""
    return Scoresheet.objects.filter(table=table).order_by("-version").values_list("revision", flat=True).first() or 0


def absence(world: FuzzWorld) -> Request:
    """Somebody who takes part in the session that is not drawn."""
    seen = Entrant.objects.get(event=world.playing, number=1008)
    path = {"event": world.playing.slug, "number": 1008}
    return change(path, {"status": "withdrawn", "reason": "is ill", "seen": seen.status})


def readmission(world: FuzzWorld) -> Request:
    """The same again."""
    seen = Entrant.objects.get(event=world.playing, number=1008)
    return change({"event": world.playing.slug, "number": 1008}, {"reason": "is well", "seen": seen.status})


def undrawn(world: FuzzWorld) -> tuple[dict[str, Any], int]:
    """The second session and the revision of its draw; a draw that is confirmed is taken back."""
    draw = Draw.objects.filter(session__stage__event=world.playing, session__number=2).first()
    return {"event": world.playing.slug, "session": 2}, draw.revision if draw else 0


def drawing(world: FuzzWorld) -> Request:
    """Drawn anew while nothing is confirmed."""
    Draw.objects.filter(session__stage__event=world.playing, session__number=2).update(
        confirmed_at=None, confirmed_by=None
    )
    path, revision = undrawn(world)
    return change(path, {"seed": 5}, revision)


def swapping(world: FuzzWorld) -> Request:
    """Two who sit there."""
    path, revision = drawn_for(world)
    return change(path, {"first": 1001, "second": 1002}, revision)


def confirming(world: FuzzWorld) -> Request:
    """As drawn."""
    path, revision = drawn_for(world)
    return change(path, None, revision)


def drawn_for(world: FuzzWorld) -> tuple[dict[str, Any], int]:
    """The second session with a draw of who takes part now."""
    _path, revision = undrawn(world)
    if revision == 0:
        session = Session.objects.get(stage__event=world.playing, number=2)
        seating.draw_session(session, seed=5, by=User.objects.get(username="fuzz_organiser"))
    return undrawn(world)


def deciding(world: FuzzWorld) -> Request:
    """The tie of the mirrored tables."""
    standing = TieDecision.objects.filter(stage__event=world.tied).order_by("-at", "-id").first()
    reason = f"game {next(KEYS)} of the play-off"
    body = {"tied": [2, 6], "places": 1, "method": "pick", "admitted": [6], "reason": reason}
    return change({"event": world.tied.slug}, body | {"replaces": standing.pk if standing else None})


def releasing(world: FuzzWorld) -> Request:
    """The next, after the last has been withdrawn."""
    newest = (
        Release.objects.filter(stage__event=world.released).select_related("stage__event").order_by("-number").first()
    )
    withdraw(newest, reason="once more", by=User.objects.get(username="fuzz_organiser"))
    return change({"event": world.released.slug}, {"number": newest.number + 1})


def withdrawing(world: FuzzWorld) -> Request:
    """The first."""
    return change({"event": world.released.slug, "number": 1}, {"reason": "a sheet was missing"})


PREPARED = {
    "record_absence": absence,
    "readmit": readmission,
    "draw_seats": drawing,
    "swap_seats": swapping,
    "confirm_seats": confirming,
    "decide_tie": deciding,
    "release": releasing,
    "withdraw_release": withdrawing,
}
