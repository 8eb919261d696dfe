"""Who is in time, which two facts disagree, and how many had come by each minute."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.arrivals import (
    ONE_MINUTE,
    arrival_conflict,
    arrivals_by_minute,
    forfeits_from,
    is_in_time,
    moment_of_arrival,
)
from scoring.eligibility import is_age_to_be_looked_at, needs_guardian_consent

SEATING = datetime(2026, 3, 28, 4, 30, tzinfo=UTC)
DAY = date(2026, 3, 28)
MOMENTS = st.datetimes(min_value=datetime(2026, 3, 28, 3), max_value=datetime(2026, 3, 28, 6)).map(
    lambda at: at.replace(tzinfo=UTC)
)


@pytest.mark.parametrize(
    ("seconds", "in_time"),
    [(-3600, True), (-1, True), (0, True), (1, True), (59.999, True), (60, False), (61, False), (3600, False)],
)
def test_an_arrival_within_the_minute_of_the_seating_time_is_in_time(seconds: float, in_time: bool) -> None:
    assert is_in_time(SEATING + timedelta(seconds=seconds), SEATING) is in_time


@given(MOMENTS, MOMENTS)
def test_who_is_in_time_never_forfeits_and_who_is_not_always_may(arrived: datetime, seating: datetime) -> None:
    assert is_in_time(arrived, seating) is (arrived < forfeits_from(seating))
    assert is_in_time(seating, seating)


@given(MOMENTS, st.none() | MOMENTS)
def test_nobody_came_after_the_server_heard_of_it(received: datetime, claimed: datetime | None) -> None:
    at = moment_of_arrival(received, claimed)
    assert at <= received
    assert at in (received, claimed)


BEFORE, AFTER = SEATING - ONE_MINUTE, SEATING + ONE_MINUTE


@pytest.mark.parametrize(
    ("status", "since", "received", "here", "conflict"),
    [
        ("ok", None, SEATING, True, None),
        ("ok", None, SEATING, False, "elsewhere"),
        ("forfeited", BEFORE, SEATING, True, "forfeited"),
        ("forfeited", AFTER, SEATING, True, None),
        ("forfeited", SEATING, SEATING, True, None),
        ("withdrawn", BEFORE, SEATING, True, "withdrawn"),
        ("disqualified", None, SEATING, True, "disqualified"),
        ("withdrawn", AFTER, SEATING, False, "elsewhere"),
    ],
)
def test_an_arrival_that_was_received_after_another_fact_stands_against_it(
    status: str, since: datetime | None, received: datetime, here: bool, conflict: str | None
) -> None:
    found = arrival_conflict(status=status, status_since=since, received=received, is_expected_here=here)
    assert found == conflict


def test_the_curve_counts_to_the_end_of_each_minute() -> None:
    came = [SEATING - timedelta(minutes=9), SEATING, SEATING + timedelta(seconds=59), SEATING + timedelta(minutes=2)]
    last = SEATING + timedelta(minutes=2)
    assert arrivals_by_minute(came, SEATING, last) == (3, 3, 4)
    assert arrivals_by_minute(came, last, SEATING) == ()


@given(st.lists(MOMENTS, max_size=40), MOMENTS, st.integers(0, 90))
def test_the_curve_never_falls_and_ends_with_all_who_came_by_then(
    came: list[datetime], first: datetime, minutes: int
) -> None:
    last = first + minutes * ONE_MINUTE
    curve = arrivals_by_minute(came, first, last)
    assert len(curve) == minutes + 1
    assert list(curve) == sorted(curve)
    assert curve[-1] == sum(one < last + ONE_MINUTE for one in came)


@pytest.mark.parametrize(
    ("birth", "looked_at", "guardian"),
    [
        (date(2019, 3, 27), True, True),
        (date(2018, 3, 29), True, True),
        (date(2018, 3, 28), False, True),
        (date(2008, 3, 29), False, True),
        (date(2008, 3, 28), False, False),
        (date(1980, 2, 29), False, False),
    ],
)
def test_the_youngest_show_their_age_and_minors_have_a_guardian(birth: date, looked_at: bool, guardian: bool) -> None:
    assert (is_age_to_be_looked_at(birth, DAY), needs_guardian_consent(birth, DAY)) == (looked_at, guardian)
