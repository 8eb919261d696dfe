"""A day under the sky, as its sessions and decisions make it: phases, what holds, what a digest is of."""

from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.weather.skies import DAY, entry, moment, observed
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.weather.adapters import FeedEntry
from tournament.weather.domain.weather import (
    LiveDay,
    day_to_show,
    days_of_play_or_decision,
    decision_evidence,
    evidence_circumstances,
    live_day,
    proposed_outcome,
)
from tournament.weather.models import WeatherDecision
from tournament.weather.services.decisions import seen_digest


def live_at(event: Event, clock: str | datetime, day: date = DAY) -> LiveDay:
    found = live_day(event, day, moment(clock) if isinstance(clock, str) else clock)
    assert found is not None
    return found


def decided(event: Event, outcome: str, by: User, proposed: str = "") -> WeatherDecision:
    """A row of a decision, nothing moved."""
    facts = {"number": event.weather_decisions.count() + 1, "day": DAY, "outcome": outcome, "proposed": proposed}
    return WeatherDecision.objects.create(event=event, evidence={}, reason="a test", by=by, at=moment("10:05"), **facts)


def test_a_day_s_phases_begin_at_their_moments(event: Event) -> None:
    moments = ("03:59", "04:00", "09:59", "10:00", "11:59", "12:00", "18:59", "19:00")
    assert [(clock, live_at(event, clock).phase) for clock in moments] == [
        ("03:59", "far"),
        ("04:00", "before"),
        ("09:59", "before"),
        ("10:00", "deciding"),
        ("11:59", "deciding"),
        ("12:00", "playing"),
        ("18:59", "playing"),
        ("19:00", "over"),
    ]


def test_a_session_that_lasts_keeps_the_day_from_being_over(event: Event) -> None:
    Session.objects.filter(number=4).update(state="playing")
    assert live_at(event, "19:30").phase == "playing"


def test_the_first_check_in_is_that_of_the_sessions_to_be_played(event: Event) -> None:
    Session.objects.filter(number=1).update(state="postponed")
    assert live_at(event, "09:00").first_check_in == moment("13:45")
    Session.objects.filter(original_date=DAY).update(state="postponed")
    assert live_at(event, "09:00").first_check_in == moment("12:00")


def test_a_void_session_is_none_of_its_day(event: Event) -> None:
    Session.objects.filter(number=1).update(state="void")
    assert [one.number for one in live_at(event, "09:00").sessions] == [2, 3, 4]


def test_a_day_called_off_whose_sessions_were_brought_back_waits_for_another_decision(
    event: Event, organiser: User
) -> None:
    Session.objects.filter(original_date=DAY).update(state="postponed")
    row = decided(event, "cancel", organiser)
    assert live_at(event, "10:30").decision == row
    Session.objects.filter(number=4).update(state="planned")
    assert live_at(event, "10:30").decision is None


def test_a_day_whose_sessions_have_all_moved_keeps_its_decision_and_one_never_decided_is_none(
    event: Event, organiser: User
) -> None:
    row = decided(event, "cancel", organiser)
    later = Session.objects.filter(original_date=DAY).order_by("number")
    for one in later:
        Session.objects.filter(pk=one.pk).update(check_in_at=one.check_in_at + timedelta(days=21))
    live = live_at(event, "13:00")
    assert (live.phase, live.decision, live.sessions) == ("none", row, [])
    assert days_of_play_or_decision(event) == [DAY, date(2026, 4, 6), date(2026, 4, 7), date(2026, 4, 18)]
    assert live_day(event, date(2026, 3, 29), moment("09:00")) is None


def test_the_day_to_show_is_today_s_or_the_next_or_the_last(event: Event) -> None:
    days = days_of_play_or_decision(event)
    asked = [date(2026, 1, 1), DAY, date(2026, 3, 29), date(2027, 1, 1)]
    assert [day_to_show(days, one) for one in asked] == [DAY, DAY, date(2026, 4, 6), date(2026, 4, 7)]
    assert day_to_show([], DAY) is None


def test_before_the_deadline_nothing_is_proposed_and_from_it_on_what_the_rule_says(event: Event) -> None:
    observed(event, "09:59", entry("WRAINB", "08:00"))
    assert (proposed_outcome(live_at(event, "09:59")), live_at(event, "09:59").proposal.outcome) == ("", "cancel")
    observed(event, "10:00", entry("WRAINB", "08:00"))
    assert proposed_outcome(live_at(event, "10:00")) == "cancel"


def test_the_digest_of_what_is_seen_stays_while_looks_grow_and_changes_with_the_sky(
    event: Event, organiser: User
) -> None:
    observed(event, "10:01")
    first = live_at(event, "10:01")
    observed(event, "10:02")
    same = live_at(event, "10:02")
    assert (seen_digest(first) == seen_digest(same), evidence_circumstances(first) == evidence_circumstances(same)) == (
        True,
        False,
    )
    observed(event, "10:03", entry("WRAINA", "10:03"))
    amber = live_at(event, "10:03")
    assert decision_evidence(amber)["signals"][0]["why"] == "not_stop"
    decided(event, "go", organiser)
    digests = {seen_digest(one) for one in (first, amber, live_at(event, "10:03"))}
    assert len(digests) == 3


def test_a_warning_that_does_not_stop_play_leaves_with_its_hour_or_with_the_feed(event: Event) -> None:
    thunder = FeedEntry("WTS", "WTS", "ISSUE", moment("09:00"), moment("09:00"), moment("10:30"))
    observed(event, "10:00", thunder, entry("WL", "09:00", family="WL"), entry("WRAINB", "09:30"))
    assert [one.signal.code for one in live_at(event, "10:29").in_force] == ["WL", "WTS", "WRAINB"]
    assert [one.signal.code for one in live_at(event, "10:30").others] == ["WL"]
    observed(event, "10:31")
    now = live_at(event, "10:32")
    assert [one.signal.code for one in now.in_force] == ["WRAINB"]
    assert [one.signal.code for one in now.vanished] == ["WRAINB"]


def test_a_stop_signal_of_another_day_is_no_evidence_of_this_one(event: Event) -> None:
    observed(event, "13:00", entry("WRAINB", "12:59"))
    observed(event, "15:00", entry("WRAINB", "12:59", "CANCEL", "14:50"))
    easter = datetime.fromisoformat("2026-04-06T10:30:00+08:00")
    assert list(live_at(event, easter, date(2026, 4, 6)).because) == []


@pytest.mark.parametrize("signals", [1, 3])
def test_a_day_asks_as_much_with_one_line_as_with_three(event: Event, signals: int) -> None:
    for place in range(signals):
        observed(event, f"09:0{place}", entry(("WRAINA", "WRAINR", "WRAINB")[place], f"08:0{place}"))
    with CaptureQueriesContext(connection) as asked:
        live_at(event, "09:10")
    assert len(asked) == 6
