"""When play ends: the start, what stopped it, what was added (R2, R47)."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.clock import (
    CLOCK_CLOSE,
    CLOCK_OVERTIME,
    CLOCK_PAUSE,
    CLOCK_REOPEN,
    CLOCK_RESUME,
    CLOCK_REVERT_START,
    CLOCK_START,
    CLOCK_SUSPEND,
    CLOCK_UNPAUSE,
    KINDS_WITHOUT_CLOCK_EFFECT,
    ClockMark,
    read_clock,
)

HOUR = timedelta(hours=1)


def at(minute: float) -> datetime:
    """Minutes after two in the afternoon."""
    return datetime(2026, 4, 6, 14) + timedelta(minutes=minute)


def marks(*given: tuple[str, float]) -> list[ClockMark]:
    return [ClockMark(kind, at(minute)) for kind, minute in given]


def test_before_the_start_the_whole_hour_is_left_and_no_end_is_known() -> None:
    reading = read_clock(HOUR, [], at(0))
    assert (reading.left, reading.ends_at, reading.running) == (HOUR, None, False)


def test_a_start_makes_the_end() -> None:
    reading = read_clock(HOUR, marks((CLOCK_START, 3)), at(10))
    assert (reading.left, reading.ends_at, reading.running) == (timedelta(minutes=53), at(63), True)


def test_time_up_leaves_nothing_and_never_less() -> None:
    reading = read_clock(HOUR, marks((CLOCK_START, 0)), at(75))
    assert (reading.left, reading.ends_at, reading.running) == (timedelta(0), at(60), False)


def test_a_pause_moves_the_end_by_its_length_and_hides_it_while_it_lasts() -> None:
    events = marks((CLOCK_START, 0), (CLOCK_PAUSE, 20), (CLOCK_UNPAUSE, 25))
    assert read_clock(HOUR, events, at(22)).ends_at is None
    assert read_clock(HOUR, events, at(22)).left == timedelta(minutes=40)
    assert read_clock(HOUR, events, at(22)).stopped_since == at(20)
    assert read_clock(HOUR, events, at(30)).ends_at == at(65)


def test_a_pause_inside_a_suspension_counts_once() -> None:
    events = marks((CLOCK_START, 0), (CLOCK_SUSPEND, 10), (CLOCK_PAUSE, 12), (CLOCK_UNPAUSE, 15), (CLOCK_RESUME, 20))
    assert read_clock(HOUR, events, at(30)).ends_at == at(70)


def test_a_pause_that_outlasts_a_suspension_stands_since_the_suspension() -> None:
    events = marks((CLOCK_START, 0), (CLOCK_SUSPEND, 10), (CLOCK_PAUSE, 12), (CLOCK_RESUME, 20))
    reading = read_clock(HOUR, events, at(25))
    assert (reading.stopped_since, reading.left) == (at(10), timedelta(minutes=50))


def test_a_close_stops_the_clock_for_good() -> None:
    events = marks((CLOCK_START, 0), (CLOCK_CLOSE, 50))
    reading = read_clock(HOUR, events, at(90))
    assert (reading.closed_at, reading.left, reading.running) == (at(50), timedelta(minutes=10), False)


def test_what_is_opened_again_is_not_played_on() -> None:
    events = marks((CLOCK_START, 0), (CLOCK_CLOSE, 50), (CLOCK_REOPEN, 60), (CLOCK_CLOSE, 80))
    for minute in (55, 65, 90):
        assert read_clock(HOUR, events, at(minute)) == read_clock(
            HOUR, marks((CLOCK_START, 0), (CLOCK_CLOSE, 50)), at(minute)
        )


def test_a_start_taken_back_has_never_been() -> None:
    events = marks((CLOCK_START, 0), (CLOCK_SUSPEND, 1), (CLOCK_REVERT_START, 4))
    assert read_clock(HOUR, events, at(5)) == read_clock(HOUR, [], at(5))
    again = [*events, *marks((CLOCK_START, 10))]
    assert read_clock(HOUR, again, at(20)) == read_clock(HOUR, marks((CLOCK_START, 10)), at(20))


def test_of_several_starts_that_were_taken_back_only_what_follows_the_last_counts() -> None:
    kinds = (CLOCK_START, CLOCK_REVERT_START, CLOCK_START, CLOCK_REVERT_START, CLOCK_START)
    assert read_clock(HOUR, marks(*zip(kinds, range(5), strict=True)), at(9)).started_at == at(4)


def test_overtime_that_is_given_before_the_start_is_left_beside_the_hour() -> None:
    reading = read_clock(HOUR, [ClockMark(CLOCK_OVERTIME, at(0), 5)], at(1))
    assert (reading.started_at, reading.left) == (None, timedelta(minutes=65))


def test_overtime_is_added() -> None:
    events = [*marks((CLOCK_START, 0)), ClockMark(CLOCK_OVERTIME, at(55), minutes=3)]
    assert read_clock(HOUR, events, at(58)).ends_at == at(63)


def test_a_second_stop_and_an_end_of_none_say_nothing_new() -> None:
    plain = marks((CLOCK_START, 0), (CLOCK_PAUSE, 5), (CLOCK_UNPAUSE, 9))
    noisy = [*plain, *marks((CLOCK_PAUSE, 6), (CLOCK_UNPAUSE, 30), (CLOCK_START, 40))]
    assert read_clock(HOUR, noisy, at(50)) == read_clock(HOUR, plain, at(50))


def test_what_the_weather_does_to_a_session_takes_no_playing_time() -> None:
    played = marks((CLOCK_START, 0), (CLOCK_SUSPEND, 20), (CLOCK_RESUME, 30))
    around = [ClockMark(kind, at(-5)) for kind in KINDS_WITHOUT_CLOCK_EFFECT] + [
        ClockMark(kind, at(25)) for kind in KINDS_WITHOUT_CLOCK_EFFECT
    ]
    assert read_clock(HOUR, [*played, *around], at(40)) == read_clock(HOUR, played, at(40))
    assert read_clock(HOUR, around, at(40)) == read_clock(HOUR, [], at(40))


def test_an_unknown_kind_and_a_negative_overtime_are_refused() -> None:
    for wrong in (ClockMark("lunch", at(0)), ClockMark(CLOCK_OVERTIME, at(0), minutes=-1)):
        with pytest.raises(ValueError):
            read_clock(HOUR, [wrong], at(1))


STREAM = st.lists(
    st.builds(
        ClockMark,
        st.sampled_from([CLOCK_PAUSE, CLOCK_UNPAUSE, CLOCK_SUSPEND, CLOCK_RESUME]),
        st.integers(1, 90).map(at),
    )
)


@given(STREAM, st.integers(0, 120), st.integers(0, 30), st.randoms(use_true_random=False))
def test_marks_in_any_order_make_one_clock_that_only_runs_down(events, minute, later, order) -> None:  # type: ignore[no-untyped-def]
    whole = [ClockMark(CLOCK_START, at(0)), *events]
    mixed = list(whole)
    order.shuffle(mixed)
    reading = read_clock(HOUR, whole, at(minute))
    assert read_clock(HOUR, mixed, at(minute)) == reading
    after = read_clock(HOUR, whole, at(minute + later))
    assert timedelta(0) <= reading.left - after.left <= timedelta(minutes=later)
    if reading.running and reading.ends_at is not None:
        assert reading.ends_at - at(minute) == reading.left
