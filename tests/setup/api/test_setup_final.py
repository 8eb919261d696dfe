"""The final is set up by the API as by its pages."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.sheets.tables import settle
from tournament.core.models.event import Event
from tournament.setup.queries import sessions_of_later_stage
from tournament.setup.services.later_stage import StagePlan, plan_of_stage

UNDATED = {"ruleset": "hk-2026", "rounds": 3, "sessions": []}


def hours(start: str, end: str, **more: Any) -> dict[str, Any]:
    """A round from its check-in to its end on the day of the final."""
    day = "2026-04-18T"
    moments = {"check_in_at": start, "seating_at": start, "play_at": start, "ends_at": end}
    return {**{name: f"{day}{hour}:00+08:00" for name, hour in moments.items()}, "table_count": 30, **more}


TWO = {"ruleset": "hk-2026", "rounds": 2, "sessions": [hours("10:00", "11:00"), hours("11:00", "12:00", capacity=118)]}


def test_a_final_is_set_up_with_its_date_open_and_dated_later(event: Event, organiser: User, referee: User) -> None:
    program = Caller(organiser)
    nothing = program.get("final/")
    assert (nothing.json()["rounds"], nothing["ETag"]) == (0, '"v1"')
    assert program.change("final/", UNDATED, method="PUT", seen=1).json()["sessions"] == []
    assert plan_of_stage(event) == StagePlan("hk-2026", 3)
    dated = program.change("final/", TWO, method="PUT", seen=2)
    assert [(one["number"], one["code"], one["capacity"]) for one in dated.json()["sessions"]] == [
        (13, "0418-1", 120),
        (14, "0418-2", 118),
    ]
    assert Caller(referee).get("final/").json() == dated.json()


def test_sent_again_it_is_done_once(event: Event, organiser: User) -> None:
    program = Caller(organiser)
    answers = [program.change("final/", TWO, method="PUT", seen=1, key="once") for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    event.refresh_from_db()
    assert event.revision == 2


def test_a_stale_author_is_told_what_stands(event: Event, organiser: User) -> None:
    program = Caller(organiser)
    program.change("final/", UNDATED, method="PUT", seen=1)
    stale = program.change("final/", TWO, method="PUT", seen=1)
    assert (code(stale), stale.json()["current"]["rounds"]) == ((412, "set_up_changed"), 3)


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        (UNDATED | {"rounds": 7}, "fields_not_valid"),
        (UNDATED | {"ruleset": {"base": "hk-2026", "games": "x"}}, "ruleset_refused"),
        (UNDATED | {"ruleset": [1]}, "ruleset_refused"),
        (TWO | {"rounds": 3}, "rounds_refused"),
        (TWO | {"sessions": [hours("10:00", "11:00"), hours("10:30", "12:00")]}, "sessions_refused"),
        (TWO | {"sessions": [hours("10:00", "11:00", ends_at="0001-01-01T00:00:00Z")] * 2}, "fields_not_valid"),
        (TWO | {"sessions": [hours("10:00", "11:00", ends_at=5)] * 2}, "fields_not_valid"),
    ],
)
def test_what_cannot_be_is_refused(event: Event, organiser: User, body: dict[str, Any], refused: str) -> None:
    answer = Caller(organiser).change("final/", body, method="PUT", seen=1)
    assert (code(answer), plan_of_stage(event)) == ((400, refused), None)


def test_once_begun_its_rounds_are_locked(event: Event, organiser: User) -> None:
    program = Caller(organiser)
    program.change("final/", TWO, method="PUT", seen=1)
    settle(sessions_of_later_stage(event)[0], organiser)
    assert code(program.change("final/", UNDATED, method="PUT", seen=2)) == (423, "final_begun")


def test_only_an_organiser_sets_it_up(event: Event, clerk: User) -> None:
    assert Caller(clerk).change("final/", UNDATED, method="PUT", seen=1).status_code == 403
