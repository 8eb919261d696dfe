"""A day's line and first check-in are those of the plan as announced that morning."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import add_entrants, draw
from tests.weather.skies import DAY, entry, moment, observed, when
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.sheets.services import clock
from tournament.weather.domain.weather import LiveDay, live_day
from tournament.weather.models import WeatherDecision
from tournament.weather.services import postponing
from tournament.weather.services.decisions import decide_weather_day, seen_digest
from tournament.weather.services.postponing_replay import replay_session
from tournament.weather.services.postponing_times import set_times, times_on_day


def live(event: Event, at: str, day: date = DAY) -> LiveDay:
    found = live_day(event, day, moment(at, day))
    assert found is not None
    return found


def session(number: int) -> Session:
    return Session.objects.get(number=number, stage__kind="preliminary")


def press(row: Session, kind: str, at: str, by: User) -> None:
    with when(at):
        clock.move_session(row, kind, reason="T8", by=by, request_key=f"{kind} {at}")


@pytest.fixture
def broken_off(first_session: Session, organiser: User) -> Session:
    """Signal 8 at 12:50: what has not begun is held back, the first is stopped, void and to be played anew."""
    entrants = add_entrants(first_session, range(1, 9))
    draw(first_session, [entrants[:4], entrants[4:]], organiser)
    press(first_session, "start", "12:45", organiser)
    postponing.hold_sessions([session(n) for n in (2, 3, 4)], reason="T8", by=organiser, now=moment("12:55"))
    press(first_session, "suspend", "12:56", organiser)
    replay_session(first_session, reason="T8", by=organiser, now=moment("13:01"))
    return first_session


def test_a_first_session_that_is_played_anew_does_not_reopen_its_day(
    event: Event, broken_off: Session, organiser: User
) -> None:
    observed(event, "13:02", entry("TC8NE", "12:50"))
    day = live(event, "13:02")
    assert [one.number for one in day.sessions] == [2, 3, 4]
    assert (day.first_check_in, day.deadline, day.phase) == (moment("12:00"), moment("10:00"), "playing")
    assert day.proposal is not None and day.proposal.verdict.decision == "go"
    with pytest.raises(Refused) as refused:
        decide_weather_day(
            event, DAY, outcome="cancel", reason="T8", seen=seen_digest(day), by=organiser, request_key="late",
            now=moment("13:02"),
        )  # fmt: skip
    assert (refused.value.code, WeatherDecision.objects.count()) == ("day_begun", 0)


def test_what_is_postponed_after_the_line_moves_neither_and_what_was_before_it_does(
    event: Event, organiser: User
) -> None:
    postponing.postpone_sessions([session(1)], reason="no light", by=organiser, now=moment("09:59"))
    assert (live(event, "10:30").first_check_in, live(event, "10:30").phase) == (moment("13:45"), "before")
    postponing.postpone_sessions([session(2)], reason="no light", by=organiser, now=moment("11:45"))
    assert live(event, "12:00").first_check_in == moment("13:45")


def test_the_line_is_frozen_with_the_first_decision(event: Event, organiser: User) -> None:
    observed(event, "09:30")
    seen = seen_digest(live(event, "09:31"))
    given = {"outcome": "go", "reason": "asked by telephone", "seen": seen, "request_key": "early"}
    decide_weather_day(event, DAY, by=organiser, now=moment("09:31"), **given)
    postponing.postpone_sessions([session(1)], reason="no light", by=organiser, now=moment("09:40"))
    assert (live(event, "10:30").first_check_in, live(event, "10:30").phase) == (moment("12:00"), "deciding")


def test_a_session_that_moved_to_another_day_counts_there_and_not_where_it_was(event: Event, organiser: User) -> None:
    later = DAY + timedelta(days=3)
    first = session(1)
    postponing.postpone_sessions([first], reason="no light", by=organiser, now=moment("08:00"))
    set_times(event, [times_on_day(session(1), later)], reason="hall", by=organiser, now=moment("08:30"))
    assert live(event, "09:00").first_check_in == moment("13:45")
    assert live(event, "09:00", later).first_check_in == moment("12:00", later)
    second = session(2)
    postponing.postpone_sessions([second], reason="no light", by=organiser, now=moment("12:30"))
    set_times(event, [times_on_day(session(2), later)], reason="hall", by=organiser, now=moment("12:40"))
    assert [one.number for one in live(event, "12:50").sessions] == [3, 4]
    assert live(event, "12:50").first_check_in == moment("13:45")
    assert live(event, "12:50", later).first_check_in == moment("12:00", later)


def test_a_day_called_off_that_has_sessions_again_has_their_line(event: Event, organiser: User) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    given = {"reason": "", "seen": seen_digest(live(event, "10:03")), "request_key": "stop"}
    decide_weather_day(event, DAY, outcome="cancel", by=organiser, now=moment("10:03"), **given)
    assert live(event, "10:30").first_check_in == moment("12:00")
    postponing.bring_back_sessions([session(4)], reason="the hall is free", by=organiser, now=moment("10:40"))
    assert (live(event, "10:45").decision, live(event, "10:45").first_check_in) == (None, moment("17:15"))


def test_a_plan_that_has_moved_asks_two_queries_more(event: Event, organiser: User, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    with django_assert_num_queries(6):
        live(event, "09:00")
    for number in (1, 2):
        postponing.postpone_sessions([session(number)], reason="no light", by=organiser, now=moment("08:00"))
        with django_assert_num_queries(8):
            live(event, "09:00")
