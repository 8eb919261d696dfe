"""A room rearranged through the API, and its papers."""

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.seated import enter, seats
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.tables.models import SheetPrint

SEATING = "sessions/1/seating/"


@pytest.fixture
def room(first_session: Session, organiser: User) -> Caller:
    """Eight at two tables, drawn: revision 1; the organiser's program."""
    enter(first_session, 8)
    program = Caller(organiser)
    program.change(f"{SEATING}draw/", {"seed": 7}, seen=0)
    return program


def test_an_entrant_is_moved_and_the_move_undone(room: Caller, first_session: Session) -> None:
    before = seats(first_session)
    moved = room.change(f"{SEATING}move/", {"entrant": before["1A"], "table": 2, "letter": "B"}, seen=1)
    assert moved.status_code == 200, moved.content
    assert (seats(first_session)["2B"], seats(first_session)["1A"]) == (before["1A"], before["2B"])
    undone = room.change(f"{SEATING}undo/", seen=2)
    assert (undone["ETag"], seats(first_session)) == ('"v3"', before)
    assert code(room.change(f"{SEATING}undo/", seen=2)) == (412, "seating_changed")


def test_late_entrants_get_a_seat_or_a_table_and_nobody_else_moves(room: Caller, first_session: Session) -> None:
    before = seats(first_session)
    enter(first_session, 1, first=9)
    assert code(room.change(f"{SEATING}late/", {"entrant": 9}, seen=1)) == (409, "no_free_seat")
    opened = room.change(f"{SEATING}open/", {"entrants": [9, before["1A"], before["2A"]]}, seen=1)
    assert opened.status_code == 200, opened.content
    assert [len(table["seats"]) for table in opened.json()["tables"]] == [3, 3, 3]
    enter(first_session, 1, first=10)
    late = room.change(f"{SEATING}late/", {"entrant": 10}, seen=2)
    assert late.status_code == 200, late.content
    assert sorted(seats(first_session).values()) == list(range(1, 11))


def test_a_seat_is_freed_and_a_table_dissolved(room: Caller, first_session: Session) -> None:
    at = seats(first_session)
    assert code(room.change(f"{SEATING}free/", {"entrant": at["1A"]}, seen=1)) == (409, "still_taking_part")
    Entrant.objects.filter(number__in=[at[place] for place in ("1A", "1B", "1C", "1D")]).update(status="withdrawn")
    freed = room.change(f"{SEATING}free/", {"entrant": at["1A"]}, seen=1)
    assert (freed.status_code, "1A" in seats(first_session)) == (200, False)
    dissolved = room.change(f"{SEATING}dissolve/", {"table": 1}, seen=2)
    assert [table["number"] for table in dissolved.json()["tables"]] == [2]
    assert code(room.change(f"{SEATING}dissolve/", {"table": 1}, seen=3)) == (400, "no_such_table")


def test_a_table_has_a_referee_of_this_event_or_none(room: Caller, referee: User, clerk: User) -> None:
    given = room.change(f"{SEATING}referee/", {"table": 1, "referee": referee.username}, seen=1)
    assert given.json()["tables"][0]["referee"] == referee.username
    taken = room.change(f"{SEATING}referee/", {"table": 1, "referee": None}, seen=2)
    assert taken.json()["tables"][0]["referee"] is None
    other = room.change(f"{SEATING}referee/", {"table": 1, "referee": clerk.username}, seen=3)
    assert code(other) == (400, "not_a_referee")


def test_papers_are_recorded_once_and_a_reprint_replaces(room: Caller, clerk: User) -> None:
    program = Caller(clerk)
    prints = "sessions/1/prints/"
    assert code(program.change(prints)) == (409, "nothing_to_print")
    room.change(f"{SEATING}confirm/", seen=1)
    first = program.change(prints, key="p")
    assert (first.status_code, [paper["number"] for paper in first.json()["papers"]]) == (201, [1, 1])
    assert program.change(prints, key="p").content == first.content
    assert code(program.change(prints)) == (409, "paper_stands")
    again = program.change(prints, {"tables": [2], "again": True}).json()
    assert [(paper["table"], paper["number"]) for paper in again["papers"]] == [(2, 2)]
    told = program.get(prints).json()["papers"]
    assert [(paper["table"], paper["number"], paper["newest"]) for paper in told] == [
        (1, 1, True),
        (2, 1, False),
        (2, 2, True),
    ]
    assert (SheetPrint.objects.count(), AuditEntry.objects.filter(action="print_scoresheets").count()) == (3, 2)
