"""When nobody looked: what may have come and gone unseen."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.feed_observation import ObservedPeriod, observation_gaps

MIDNIGHT = datetime.fromisoformat("2026-03-28T00:00:00+08:00")
SINCE, UNTIL = MIDNIGHT + timedelta(hours=10), MIDNIGHT + timedelta(hours=12)


def look(text):
    """A period written short: `09:00-10:02`, or `11:30 hand` for one by hand."""
    first, _dash, last = text.removesuffix(" hand").partition("-")
    moments = [datetime.fromisoformat(f"2026-03-28T{clock}:00+08:00") for clock in (first, last or first)]
    return ObservedPeriod(*moments, by_hand=text.endswith("hand"))


@pytest.mark.parametrize(
    ("looks", "gaps"),
    [
        ([], ["10:00-12:00"]),
        (["04:00-12:30"], []),
        (["04:00-10:02", "11:58-12:30"], ["10:02-11:58"]),
        (["04:00-09:00", "10:04-12:00"], []),
        (["04:00-09:00", "10:06-12:00"], ["10:00-10:06"]),
        (["04:00-10:02", "10:07-11:54"], ["11:54-12:00"]),
        (["04:00-10:02", "10:08-10:30", "11:00-12:00"], ["10:02-10:08", "10:30-11:00"]),
        (["04:00-10:02", "11:40 hand", "11:44-12:00"], []),
        (["04:00-10:02", "11:00 hand", "11:44-12:00"], ["11:00-11:44"]),
        (["12:01 hand"], ["10:00-12:00"]),
    ],
)
def test_a_gap_is_told_unless_a_person_has_looked_after_it(looks, gaps):
    found = observation_gaps([look(one) for one in looks], SINCE, UNTIL)
    assert [f"{first:%H:%M}-{last:%H:%M}" for first, last in found] == gaps


minutes = st.integers(0, 780).map(lambda at: MIDNIGHT + timedelta(minutes=at))
any_looks = st.lists(
    st.builds(lambda a, b, hand: ObservedPeriod(min(a, b), max(a, b), hand), minutes, minutes, st.booleans())
)


@given(any_looks, st.randoms(use_true_random=False), minutes)
def test_gaps_are_apart_and_in_order_and_a_look_more_never_widens_them(looks, chance, at):
    found = observation_gaps(looks, SINCE, UNTIL)
    assert observation_gaps(chance.sample(looks, len(looks)), SINCE, UNTIL) == found
    edges = [moment for gap in found for moment in gap]
    assert edges == sorted(edges)
    more = observation_gaps([*looks, ObservedPeriod(at, at)], SINCE, UNTIL)
    assert all(any(first <= a and b <= last for first, last in found) for a, b in more)
