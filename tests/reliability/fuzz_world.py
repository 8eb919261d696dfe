"""Events in which every operation of the API has something to do, and a request of each that works."""

import itertools
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.reliability.world import FIXTURES, PASSWORD
from tests.seated import enter
from tests.sheets.sheets import mirrored_tables
from tests.small_event import small_fixtures
from tests.stages.podiums import LEADERS, LEVEL_FAMILIES, level_final, make_families_level
from tournament.accounts.queries.proposals import open_proposals
from tournament.accounts.services.accounts import create_account
from tournament.accounts.services.proposals import refuse_proposal
from tournament.core.enums import DecisionOf, Role, StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.demo.stages import seed_event
from tournament.entrants.models.people import Entrant, Person
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services.release_places import record_place_answer
from tournament.publication.services.release import release_results, withdraw_release
from tournament.ranking.models.tie_break import TieBreak
from tournament.registration.services.changes import join_family
from tournament.releases.models import Release
from tournament.seating.services import seating
from tournament.setup.services import setup
from tournament.stages.services.decisions import decide_tie
from tournament.tables.models import Draw, Seat

KEYS = itertools.count(1)
ROLES = {
    "organiser": Role.ORGANISER,
    "clerk": Role.CLERK,
    "referee": Role.REFEREE,
    "chief_judge": Role.CHIEF_JUDGE,
    "auditor": Role.AUDITOR,
}
# Who is something else at each event, and least where there is most to do.
MIXED = {"hk-2026": Role.AUDITOR, "playing": Role.REFEREE, "tied": Role.ORGANISER, "level": Role.CHIEF_JUDGE}
TABLES = 3


@dataclass(frozen=True)
class FuzzWorld:
    """`released` is played to its end, `playing` has a drawn session and one to draw, `tied` a tie across the line,
    `level` a final whose podium and award are contested."""

    released: Event
    playing: Event
    tied: Event
    level: Event
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
    """Four events with the same accounts."""
    with tempfile.TemporaryDirectory() as folder:
        released = seed_event("released", 2, small_fixtures(Path(folder)))
    data = json.loads((FIXTURES / "event.json").read_text(encoding="utf-8"))
    playing, tied, level = (setup.create_event(data | {"slug": slug}) for slug in ("playing", "tied", "level"))
    for event in (released, playing, tied, level):
        for name, role in ROLES.items():
            create_account(event, f"fuzz_{name}", PASSWORD, name, [role])
        create_account(event, "fuzz_mixed", PASSWORD, "mixed", [MIXED[event.slug]])
        create_account(event, "fuzz_typist", PASSWORD, "typist", [Role.CLERK])
        create_account(event, "fuzz_checker", PASSWORD, "checker", [Role.CLERK])
    organiser = User.objects.get(username="fuzz_organiser")
    first, second = Session.objects.filter(stage__event=playing, number__lte=2).order_by("number")
    Session.objects.filter(pk=first.pk).update(table_count=TABLES, capacity=4 * TABLES)
    first.refresh_from_db()
    enter(first, 4 * TABLES)
    enter(second, 8, first=1001)
    seating.draw_session(first, seed=1, by=organiser)
    seating.confirm_session_draw(first, revision=1, by=organiser)
    Person.objects.filter(entrant__event=playing).update(consent_guardian=True, guardian="CHAN")
    mirrored_tables(Session.objects.get(stage__event=tied, number=1), organiser)
    level_final(Session.objects.get(stage__event=level, number=1), organiser)
    make_families_level(level)
    accounts = {name: f"fuzz_{name}" for name in (*ROLES, "mixed")}
    typist, checker = (User.objects.get(username=f"fuzz_{name}") for name in ("typist", "checker"))
    return FuzzWorld(released, playing, tied, level, accounts, typist, checker)


def change(path: dict[str, Any], body: Any = None, revision: int | None = None) -> Request:
    """A change with a new key."""
    headers = {"Idempotency-Key": f"fuzz-{next(KEYS)}"}
    if revision is not None:
        headers["If-Match"] = f'"v{revision}"'
    return Request(path, headers, {} if body is None else body)


def key() -> str:
    return f"world-{next(KEYS)}"


def account(name: str) -> User:
    """One of the accounts that all three events have."""
    return User.objects.get(username=f"fuzz_{name}")


# --- Entrants -------------------------------------------------------------------------------------------
def entry(world: FuzzWorld, body: Any) -> Request:
    """A change of somebody who takes part in the session that is not drawn."""
    seen = Entrant.objects.get(event=world.playing, number=1008)
    return change({"event": world.playing.slug, "number": 1008}, body, seen.revision)


def absence(world: FuzzWorld) -> Request:
    return entry(world, {"status": "withdrawn", "reason": "is ill"})


def readmission(world: FuzzWorld) -> Request:
    Entrant.objects.filter(event=world.playing, number=1008).update(status="withdrawn")
    return entry(world, {"reason": "is well"})


def moving(world: FuzzWorld) -> Request:
    return entry(world, {"session": 3, "reason": "school trip"})


def joining(world: FuzzWorld) -> Request:
    """A child, and one who could be its parent."""
    Person.objects.filter(entrant__event=world.playing, entrant__number=1008).update(birth_date=date(2014, 1, 1))
    Person.objects.filter(entrant__event=world.playing, entrant__number=1007).update(birth_date=date(1980, 5, 1))
    return entry(world, {"role": "child", "other": 1007})


def parting(world: FuzzWorld) -> Request:
    """The same two, joined before."""
    joining(world)
    child, parent = (Entrant.objects.get(event=world.playing, number=number) for number in (1008, 1007))
    join_family(child, parent, revision=child.revision, about=child, by=account("organiser"))
    return entry(world, {})


# --- Seats ----------------------------------------------------------------------------------------------
def room(world: FuzzWorld, body: Any) -> Request:
    """An act in the second session, drawn for eight at two tables."""
    drawn(world)
    draw = Draw.objects.get(session__stage__event=world.playing, session__number=2)
    return change({"event": world.playing.slug, "session": 2}, body, draw.revision)


def drawn(world: FuzzWorld) -> Session:
    """The second session with its draw."""
    session = Session.objects.get(stage__event=world.playing, number=2)
    if not Draw.objects.filter(session=session).exists():
        seating.draw_session(session, seed=5, by=account("organiser"))
    return session


def at(session: Session, table: int, letter: str) -> int:
    """Number of the entrant who sits there."""
    return Seat.objects.get(session=session, table__number=table, letter=letter).entrant.number


def move_seat(world: FuzzWorld) -> Request:
    """In exchange with who sits there."""
    return room(world, {"entrant": at(drawn(world), 1, "A"), "table": 2, "letter": "B"})


def late(world: FuzzWorld) -> Request:
    """A ninth; somebody's seat has been freed."""
    session = drawn(world)
    gone = at(session, 1, "A")
    Entrant.objects.filter(event=world.playing, number=gone).update(status="withdrawn")
    enter(session, 1, first=1009)
    return room(world, {"entrant": 1009})


def new_table(world: FuzzWorld) -> Request:
    """A ninth, and one of each table."""
    session = drawn(world)
    enter(session, 1, first=1009)
    return room(world, {"entrants": [1009, at(session, 1, "A"), at(session, 2, "A")]})


def emptied(world: FuzzWorld) -> Session:
    """Nobody of the first table takes part any more."""
    session = drawn(world)
    Entrant.objects.filter(seats__session=session, seats__table__number=1).update(status="withdrawn")
    return session


def dissolving(world: FuzzWorld) -> Request:
    """The table that is empty."""
    emptied(world)
    return room(world, {"table": 1})


def freeing(world: FuzzWorld) -> Request:
    """A seat of the table that is empty."""
    return room(world, {"entrant": at(emptied(world), 1, "A")})


def undoing(world: FuzzWorld) -> Request:
    session = drawn(world)
    first, second = at(session, 1, "A"), at(session, 2, "A")
    seating.exchange_two_seats(session, revision=1, first=first, second=second, by=account("organiser"))
    return room(world, {})


def drawing(world: FuzzWorld) -> Request:
    return change({"event": world.playing.slug, "session": 2}, {"seed": 5}, 0)


def printing(world: FuzzWorld) -> Request:
    return change({"event": world.playing.slug, "session": 1}, {"again": True})


# --- After the play -------------------------------------------------------------------------------------
def answering(world: FuzzWorld) -> Request:
    """The first who holds a place."""
    live = live_places(Stage.objects.get(event=world.released, kind=StageKind.PRELIMINARY))
    number = live.entrants[live.places.holders[0].id].number
    return change({"event": world.released.slug, "number": number}, {"answer": "accepted", "seen": 0})


def deciding(world: FuzzWorld) -> Request:
    """The tie of the mirrored tables."""
    standing = TieBreak.objects.filter(stage__event=world.tied).order_by("-at", "-id").first()
    reason = f"game {next(KEYS)} of the play-off"
    forget_proposals(world.tied)
    body = {"tied": [2, 6], "places": 1, "method": "pick", "admitted": [6], "reason": reason}
    return change({"event": world.tied.slug}, body | {"replaces": standing.pk if standing else None})


def of_the_final(world: FuzzWorld) -> Request:
    """A final whose podium and award are contested."""
    return Request({"event": world.level.slug})


def setting_up_the_final(world: FuzzWorld) -> Request:
    """Of two rounds whose date is to be announced."""
    event = Event.objects.get(pk=world.playing.pk)
    return change({"event": event.slug}, {"ruleset": "hk-2026", "rounds": 2, "sessions": []}, event.revision)


def forget_proposals(event: Event) -> None:
    """Close what waits, so that the next one may be proposed."""
    for one in open_proposals(event):
        refuse_proposal(event, one.pk, reason="the next one", by=account("organiser"))


def announcing(event: Event, tied: list[Any], places: int) -> Request:
    """A draw from a figure that comes out in a year."""
    forget_proposals(event)
    known = (timezone.now() + timedelta(days=365)).isoformat()
    body = {"tied": tied, "places": places, "public_value": f"index {next(KEYS)}", "known_from": known}
    return change({"event": event.slug}, body | {"reason": "once more"})


def agreeing(world: FuzzWorld) -> Request:
    """What the chief judge proposed about the podium."""
    forget_proposals(world.level)
    stage = Stage.objects.select_related("event").get(event=world.level, kind=StageKind.FINAL)
    facts = {"tied": LEADERS, "places": 3, "order": LEADERS, "reason": f"lots {next(KEYS)}", "witnesses": "two parents"}
    made = TieBreak.objects.filter(stage=stage, of=DecisionOf.PODIUM).order_by("-at", "-id").first()
    facts |= {"method": "hand_lots", "replaces": made.pk if made else None}
    waiting = decide_tie(stage, of=DecisionOf.PODIUM, by=account("chief_judge"), **facts)
    return change({"event": world.level.slug, "decision": waiting.pk}, {})


def calling_by_lots(world: FuzzWorld) -> Request:
    calling(world)
    return announcing(world.tied, [3, 7], 1)


def parting_equals(world: FuzzWorld, of: str, tied: list[str], places: int) -> Request:
    forget_proposals(world.level)
    made = TieBreak.objects.filter(stage__event=world.level, of=of).order_by("-at", "-id").first()
    body = {"tied": tied, "places": places, "method": "pick", "order": tied[:1], "reason": f"run {next(KEYS)}"}
    return change({"event": world.level.slug}, body | {"replaces": made.pk if made else None})


def calling(world: FuzzWorld) -> Request:
    """A reserve place that two share; four advance and one has declined."""
    Stage.objects.filter(event=world.tied, kind=StageKind.PRELIMINARY).update(advance=4)
    Event.objects.filter(pk=world.tied.pk).update(results_at=timezone.now())
    stage = Stage.objects.select_related("event").get(event=world.tied, kind=StageKind.PRELIMINARY)
    release_results(stage, by=account("organiser"))
    record_place_answer(stage, number=5, answer="declined", reason="is away", by=account("organiser"))
    body = {"tied": [3, 7], "places": 1, "method": "pick", "order": [7], "reason": "the longer run"}
    return change({"event": world.tied.slug}, body)


def releasing(world: FuzzWorld) -> Request:
    """The next, after the last has been withdrawn."""
    newest = (
        Release.objects.filter(stage__event=world.released).select_related("stage__event").order_by("-number").first()
    )
    withdraw_release(newest, reason="once more", by=User.objects.get(username="fuzz_organiser"))
    return change({"event": world.released.slug}, {"number": newest.number + 1})


def withdrawing(world: FuzzWorld) -> Request:
    return change({"event": world.released.slug, "number": 1}, {"reason": "a sheet was missing"})


PREPARED: dict[str, Callable[[FuzzWorld], Request]] = {
    "record_absence": absence,
    "readmit": readmission,
    "change_entrant": lambda world: entry(world, {"school": "Another"}),
    "move_entrant": moving,
    "join_family": joining,
    "part_family": parting,
    "draw_seats": drawing,
    "swap_seats": lambda world: room(world, {"first": 1001, "second": 1002}),
    "confirm_seats": lambda world: room(world, None),
    "move_seat": move_seat,
    "seat_late_entrant": late,
    "open_table": new_table,
    "dissolve_table": dissolving,
    "free_seat": freeing,
    "undo_move": undoing,
    "assign_referee": lambda world: room(world, {"table": 1, "referee": "fuzz_referee"}),
    "print_scoresheets": printing,
    "decide_tie": deciding,
    "decide_reserve_tie": calling,
    "set_up_final": setting_up_the_final,
    "get_final_standings": of_the_final,
    "get_podium": of_the_final,
    "get_award": of_the_final,
    "decide_podium": lambda world: parting_equals(world, DecisionOf.PODIUM, LEADERS, 3),
    "announce_line_lots": lambda world: announcing(world.tied, [2, 6], 1),
    "announce_reserve_lots": calling_by_lots,
    "announce_podium_lots": lambda world: announcing(world.level, LEADERS, 3),
    "announce_award_lots": lambda world: announcing(world.level, list(LEVEL_FAMILIES), 1),
    "agree_decision": agreeing,
    "decide_award": lambda world: parting_equals(world, DecisionOf.AWARD, list(LEVEL_FAMILIES), 1),
    "release": releasing,
    "withdraw_release": withdrawing,
    "record_answer": answering,
}
