"""Seats through the API: drawn, swapped and confirmed."""

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.core.finals import add_final, freeze, preliminary_played
from tests.seated import enter, seats
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session

SEATING = "sessions/1/seating/"


@pytest.fixture
def entered(first_session: Session) -> Session:
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


# --- The final ------------------------------------------------------------------------------------------
@pytest.fixture
def rounds(first_session: Session, organiser: User) -> tuple[int, int]:
    """Two rounds of twelve at three tables, by their numbers in the event; the list is fixed."""
    preliminary = preliminary_played(first_session, organiser)
    freeze(add_final(preliminary.event, rounds=2), organiser)
    return 13, 14


def test_a_final_is_drawn_round_after_round_and_says_who_meets_again(rounds: tuple[int, int], organiser: User) -> None:
    program = Caller(organiser)
    one, two = (f"sessions/{number}/seating/" for number in rounds)
    assert code(program.change(f"{two}draw/", {"seed": 7}, seen=0)) == (409, "earlier_round_open")
    first = program.change(f"{one}draw/", {"seed": 7}, seen=0)
    assert (first.json()["session"], first.json()["could_not"]) == (13, [])
    program.change(f"{one}confirm/", seen=1)
    second = program.change(f"{two}draw/", {"seed": 7}, seen=0).json()
    assert [(one["kind"], one["table"], one["rounds"]) for one in second["could_not"]] == [
        ("meeting", 1, [1]),
        ("meeting", 2, [1]),
        ("meeting", 3, [1]),
    ]
    table_of = {seat["entrant"]: table["number"] for table in second["tables"] for seat in table["seats"]}
    letter_of = {seat["entrant"]: seat["letter"] for table in first.json()["tables"] for seat in table["seats"]}
    [mover, place] = next(
        (seat["entrant"], (table["number"], letter_of[seat["entrant"]]))
        for table in second["tables"]
        for seat in table["seats"]
        if letter_of[seat["entrant"]] != seat["letter"]
    )
    assert table_of[mover] == place[0]
    moved = program.change(f"{two}move/", {"entrant": mover, "table": place[0], "letter": place[1]}, seen=1).json()
    letters = [(one["ids"], one["letter"]) for one in moved["could_not"] if one["kind"] == "letter"]
    assert ([mover], place[1]) in letters


def test_the_finalists_are_the_entrants_of_a_finals_session(rounds: tuple[int, int], organiser: User) -> None:
    found = Caller(organiser).get(f"entrants/?session={rounds[1]}").json()
    assert [entrant["number"] for entrant in found["entrants"]] == list(range(1, 13))
