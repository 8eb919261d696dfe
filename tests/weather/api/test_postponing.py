"""Stopped sessions through the API: held back, postponed, given new times, left to stand or played anew."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.caller import Caller, code
from tests.core.finals import invented
from tests.sheets.sheets import add_entrants, draw, lock_sheets
from tests.sheets.tables import settle
from tests.weather.skies import when
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.sheets.services import clock

WHY = {"reason": "TC8NE"}
STOPPED = "stopped-sessions/"
TIMES = f"{STOPPED}times/"


@pytest.fixture
def program(event: Event, organiser: User) -> Caller:
    return Caller(organiser)


@pytest.fixture
def broken(first_session: Session, organiser: User) -> Session:
    """The first session, broken off while it was played."""
    settle(first_session, organiser, [4, 3])
    for kind in ("start", "suspend"):
        clock.move_session(first_session, kind, by=organiser, request_key=kind)
    return first_session


def on(day: str, session: int = 2) -> dict[str, Any]:
    hours = {"check_in_at": "13:45", "seating_at": "14:15", "play_at": "14:30", "ends_at": "16:15"}
    return {"session": session, **{name: f"{day}T{hour}:00+08:00" for name, hour in hours.items()}}


def acts(program: Caller, *words: str, session: int = 2) -> list[Any]:
    """The state after each act, or the code of its refusal."""
    answers = [program.change(f"sessions/{session}/{word}/", WHY) for word in words]
    return [one.json()["state"] if one.status_code < 300 else one.json()["code"] for one in answers]


def test_a_session_is_held_back_postponed_and_brought_back(program: Caller) -> None:
    words = ("hold", "hold", "unhold", "postpone", "postpone", "hold", "bring-back", "let-stand")
    assert acts(program, *words) == [
        "suspended",
        "suspended",
        "planned",
        "postponed",
        "postponed",
        "play_has_begun",
        "planned",
        "not_interrupted",
    ]
    assert code(program.change("sessions/2/postpone/")) == (400, "fields_not_valid")
    assert program.change("sessions/99/postpone/", WHY).status_code == 404


def test_new_times_are_given_together_or_not_at_all(program: Caller) -> None:
    with when("09:00"):
        acts(program, "postpone")
        acts(program, "postpone", session=3)
        late = program.change(TIMES, WHY | {"sessions": [on("2026-03-29"), on("2026-03-27", 3)]})
        twice = program.change(TIMES, WHY | {"sessions": [on("2026-03-29"), on("2026-03-30")]})
        unknown = program.change(TIMES, WHY | {"sessions": [on("2026-03-29", 99)]})
        planned = program.change(TIMES, WHY | {"sessions": [on("2026-03-29")]})
        again = program.change(TIMES, WHY | {"sessions": [on("2026-03-29")]})
        [day] = program.get(STOPPED).json()["days"]
    fault = {"where": "sessions[1].check_in_at", "code": "time_refused", "sentence": "This moment is over."}
    assert (code(late), late.json()["faults"]) == ((400, "times_refused"), [fault])
    assert [one["code"] for one in twice.json()["faults"]] == ["twice"]
    assert (unknown.status_code, again.json()) == (404, {"sessions": []})
    [session] = planned.json()["sessions"]
    assert (session["number"], session["state"], session["date"]) == (2, "planned", "2026-03-28")
    assert {name: session[name] for name in on("2026-03-29") if name != "session"} == {
        name: moment for name, moment in on("2026-03-29").items() if name != "session"
    }
    assert (day["day"], [one["session"]["number"] for one in day["sessions"]]) == ("2026-03-28", [2, 3])
    assert [event["kind"] for event in day["sessions"][0]["events"]] == ["postpone", "new_times"]
    assert day["sessions"][0]["moves"][0]["after"]["check_in_at"] == "2026-03-29T13:45:00+08:00"


def test_a_session_that_was_broken_off_stands_or_is_played_anew(program: Caller, broken: Session) -> None:
    assert acts(program, "let-stand", "undecide", session=1) == ["checking", "suspended"]
    made = program.change("sessions/1/replay/", WHY)
    assert (made.status_code, made.json()["replays"], made.json()["state"]) == (201, 1, "postponed")
    [day] = program.get(STOPPED).json()["days"]
    told = [(one["session"]["number"], one["replayed_by"], one["seats"]) for one in day["sessions"]]
    assert told == [(1, made.json()["number"], 7), (made.json()["number"], None, 7)]
    assert acts(program, "undecide", session=1) == ["suspended"]


def test_with_signed_sheets_a_replay_waits_for_a_second_person(
    first_session: Session, organiser: User, chief_judge: User
) -> None:
    entrants = add_entrants(first_session, range(1, 9))
    tables = draw(first_session, [entrants[:4], entrants[4:]], organiser)
    clock.move_session(first_session, "start", by=organiser, request_key="s")
    lock_sheets(tables[:1], invented(tables[:1], seed=5), organiser)
    clock.move_session(first_session, "suspend", by=organiser, request_key="p")
    program, judge = Caller(organiser), Caller(chief_judge)
    waits = program.change("sessions/1/replay/", WHY)
    assert (waits.status_code, waits.json()["number"], waits.json()["state"]) == (202, 1, "suspended")
    [[told]] = [day["sessions"] for day in program.get(STOPPED).json()["days"]]
    assert (told["locked"], told["waiting"]["act"], told["waiting"]["by"]) == (1, "replay_session", "organiser")
    address = f"proposals/{told['waiting']['id']}/session/"
    shown = judge.get(address).json()
    assert {name: shown[name] for name in ("session", "counts_again", "sheets", "games", "outdated")} == {
        "session": 1,
        "counts_again": False,
        "sheets": 1,
        "games": 3,
        "outdated": False,
    }
    assert code(program.change(address, {})) == (403, "proposer_cannot_approve")
    assert judge.change(address, {}).json()["outcome"] == "approved"
    assert judge.get(address).json()["sheets"] is None
    assert program.change("sessions/1/undecide/", WHY).status_code == 202


def test_the_list_asks_as_many_queries_for_four_as_for_three(program: Caller, broken: Session) -> None:
    program.change("sessions/1/replay/", WHY)
    counts = []
    for number in (2, 3):
        acts(program, "postpone", session=number)
        with CaptureQueriesContext(connection) as asked:
            program.get(STOPPED)
        counts.append(len(asked))
    assert counts == [counts[0]] * 2


def test_a_chief_judge_holds_back_and_does_not_postpone(event: Event, chief_judge: User, referee: User) -> None:
    program = Caller(chief_judge)
    asked = [program.change(f"sessions/2/{word}/", WHY).status_code for word in ("hold", "unhold", "postpone")]
    assert asked == [200, 200, 403]
    assert (Caller(referee).get(STOPPED).status_code, program.change(TIMES).status_code) == (200, 403)
