"""The day's decision by the Observatory's signals (R50-R53)."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.weather import Signal, judge_weather

CASES = json.loads((Path(__file__).parent / "cases" / "weather.json").read_text(encoding="utf-8"))
CHECK_IN = datetime.fromisoformat("2026-03-28T12:00:00+08:00")


def time(text):
    return None if text is None else datetime.fromisoformat(text)


def signals_of(case):
    return [Signal(code, time(issued), time(cancelled)) for code, issued, cancelled in case["signals"]]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_decision_is_that_of_the_case(case):
    verdict = judge_weather(time(case["first_check_in"]), signals_of(case), time(case["now"]))
    assert (verdict.decision, verdict.otherwise) == (case["decision"], case["otherwise"])
    assert verdict.deadline.isoformat() == "2026-03-28T10:00:00+08:00"
    if "why" in case:
        assert [[one.signal.code, one.why] for one in verdict.because] == case["why"]


def test_the_evidence_says_which_signal_given_it_speaks_of():
    late, early = Signal("TC3", CHECK_IN), Signal("TC1", CHECK_IN - timedelta(hours=5))
    verdict = judge_weather(CHECK_IN, [late, early])
    assert [(one.signal, one.place) for one in verdict.because] == [(early, 1), (late, 0)]


def test_another_deadline_is_a_figure():
    signal = Signal("WRAINB", CHECK_IN - timedelta(hours=6), CHECK_IN - timedelta(minutes=150))
    assert judge_weather(CHECK_IN, [signal], deadline_minutes=120).decision == "go"
    assert judge_weather(CHECK_IN, [signal], deadline_minutes=180).decision == "cancel"


@pytest.mark.parametrize(
    ("first_check_in", "signals", "now", "where"),
    [
        (CHECK_IN, [Signal("TC3", CHECK_IN, CHECK_IN - timedelta(minutes=1))], None, "signals[0].cancelled"),
        (CHECK_IN.replace(tzinfo=None), [], None, "first_check_in"),
        (CHECK_IN, [], CHECK_IN.replace(tzinfo=None), "now"),
        (CHECK_IN, [Signal("TC3", CHECK_IN), Signal("TC3", datetime(2026, 3, 28))], None, "signals[1].issued"),
    ],
)
def test_times_that_cannot_be_are_refused(first_check_in, signals, now, where):
    with pytest.raises(Refusal) as refused:
        judge_weather(first_check_in, signals, now)
    assert refused.value.where == where


minutes = st.integers(-900, 400)
stops = st.sampled_from(["WRAINB", "TC8NE", "TC9", "TC10", "TC3", "WRAINR", "?"])
spans = st.tuples(stops, minutes, st.one_of(st.none(), st.integers(0, 500)))


@given(st.lists(spans, max_size=6), st.integers(0, 600))
def test_from_the_first_check_in_on_nothing_changes_the_decision(given_spans, later):
    signals = [
        Signal(code, CHECK_IN + timedelta(minutes=start), None if length is None else end_of(start, length))
        for code, start, length in given_spans
    ]
    at_check_in = judge_weather(CHECK_IN, signals)
    assert judge_weather(CHECK_IN, signals, CHECK_IN + timedelta(minutes=later)).decision == at_check_in.decision


def end_of(start, length):
    return CHECK_IN + timedelta(minutes=start + length)
