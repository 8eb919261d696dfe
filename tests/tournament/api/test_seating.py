"""Seats through the API."""

import pytest
from django.contrib.auth.models import User

from tests.seated import enter, seats
from tests.tournament.api.caller import Caller, code
from tournament.models import AuditEntry, Session

SEATING = "sessions/1/seating/"


@pytest.fixture
def entered(first_session: Session) -> Session:
    """Eight to be seated."""
    enter(first_session, 8)
    return first_session


def test_seats_are_drawn_swapped_and_confirmed(entered: Session, organiser: User) -> None:
    program = Caller(organiser)
    before = program.get(SEATING)
    assert (before["ETag"], before.json()["tables"], before.json()["seed"]) == ('"v0"', [], None)
    drawn = program.change(f"{SEATING}draw/", {"seed": 7}, seen=0)
    assert (drawn.status_code, drawn["ETag"], drawn.json()["seed"]) == (200, '"v1"', 7)
    [first, second] = [table["seats"][0]["entrant"] for table in drawn.json()["tables"]]
    swapped = program.change(f"{SEATING}swap/", {"first": first, "second": second}, seen=1)
    assert [table["seats"][0]["entrant"] for table in swapped.json()["tables"]] == [second, first]
    confirmed = program.change(f"{SEATING}confirm/", seen=2)
    assert confirmed.json()["confirmed_at"] is not None
    assert program.get(SEATING).json() == confirmed.json()
    acts = ["draw_seats", "swap_seats", "confirm_seats"]
    assert list(AuditEntry.objects.filter(action__in=acts).values_list("action", flat=True)) == acts


def test_the_same_seed_gives_the_draw_of_the_page(entered: Session, organiser: User) -> None:
    drawn = Caller(organiser).change(f"{SEATING}draw/", {"seed": 7}, seen=0).json()
    told = {
        f"{table['number']}{seat['letter']}": seat["entrant"] for table in drawn["tables"] for seat in table["seats"]
    }
    assert told == seats(entered)


def test_who_comes_second_sees_the_seats_as_they_stand(entered: Session, organiser: User) -> None:
    program = Caller(organiser)
    stands = program.change(f"{SEATING}draw/", {}, seen=0)
    response = program.change(f"{SEATING}draw/", {}, seen=0)
    assert code(response) == (412, "seating_changed")
    assert response.json()["current"] == stands.json()
    assert response.json()["differences"] == [{"where": "revision", "mine": 0, "theirs": 1}]


def test_what_the_state_does_not_allow_is_409(entered: Session, organiser: User) -> None:
    program = Caller(organiser)
    assert code(program.change(f"{SEATING}confirm/", seen=0)) == (409, "not_drawn")
    program.change(f"{SEATING}draw/", {}, seen=0)
    program.change(f"{SEATING}confirm/", seen=1)
    assert code(program.change(f"{SEATING}draw/", {}, seen=1)) == (409, "seats_confirmed")


def test_a_swap_of_one_with_oneself_or_a_stranger_is_400(entered: Session, organiser: User) -> None:
    program = Caller(organiser)
    program.change(f"{SEATING}draw/", {}, seen=0)
    assert code(program.change(f"{SEATING}swap/", {"first": 1, "second": 1}, seen=1)) == (400, "swap_with_oneself")
    assert code(program.change(f"{SEATING}swap/", {"first": 1, "second": 99}, seen=1)) == (400, "not_seated")


def test_a_session_that_is_not_there_is_404(entered: Session, organiser: User) -> None:
    program = Caller(organiser)
    assert (
        program.get("sessions/13/seating/").status_code,
        program.change("sessions/13/seating/draw/", seen=0).status_code,
    ) == (404, 404)
