"""Whether a day is played, judged once for all its sessions (R50-R52).

A day is off if at the deadline (two hours before the first check-in) a stop signal is in force, if one
ended at the deadline or later, or if any begins between the deadline and the first check-in. From the
first check-in on nothing changes the decision. The machine proposes with its evidence, a person decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from scoring.problems import Refusal

DEADLINE_MINUTES = 120
STOP_CODES = ("WRAINB",)
STOP_BEGINNINGS = ("TC8", "TC9", "TC10")
# The feed's keys under which a signal that stops play may stand.
STOP_FAMILIES = ("WRAIN", "WTCSGNL")

WeatherDecisionCode = Literal["go", "cancel", "pending"]
WeatherOutcomeCode = Literal["go", "cancel"]
SignalReasonCode = Literal[
    "not_known_yet", "not_stop", "after_check_in", "began_after", "in_force", "ended_before", "ended_at_or_after"
]

_STOPS_PLAY: frozenset[SignalReasonCode] = frozenset({"began_after", "in_force", "ended_at_or_after"})


@dataclass(frozen=True, slots=True)
class Signal:
    """One signal of the Observatory by its code, from `issued` to `cancelled` (None: no end is known)."""

    code: str
    issued: datetime
    cancelled: datetime | None = None


@dataclass(frozen=True, slots=True)
class SignalEvidence:
    """How one signal weighed; `place` is its 0-based place among those given."""

    signal: Signal
    why: SignalReasonCode
    place: int


@dataclass(frozen=True, slots=True)
class WeatherVerdict:
    """The proposal. `otherwise` is what comes if nothing changes, given only while `pending`."""

    decision: WeatherDecisionCode
    deadline: datetime
    otherwise: WeatherOutcomeCode | None
    because: tuple[SignalEvidence, ...]


def is_stop_signal(code: str) -> bool:
    """Whether a signal stops play: black rain, and every code of typhoon 8, 9 or 10. Others never do."""
    return code in STOP_CODES or code.startswith(STOP_BEGINNINGS)


def judge_weather(
    first_check_in: datetime,
    signals: Iterable[Signal],
    now: datetime | None = None,
    deadline_minutes: int = DEADLINE_MINUTES,
) -> WeatherVerdict:
    """Judge the day of a first check-in by the signals known at `now` (left out: the first check-in).

    All times carry an offset; the deadline comes back in that of the first check-in. Evidence is in
    order of issue, then code. Refused: a time without an offset, a signal cancelled before its issue."""
    given = tuple(signals)
    known_at = first_check_in if now is None else now
    _check_times(first_check_in, known_at, given)
    deadline = first_check_in - timedelta(minutes=deadline_minutes)
    evidence = [
        SignalEvidence(signal, _weigh_signal(signal, deadline, first_check_in, known_at), place)
        for place, signal in enumerate(given)
    ]
    because = tuple(sorted(evidence, key=lambda one: (one.signal.issued, one.signal.code, one.place)))
    outcome: WeatherOutcomeCode = "cancel" if any(one.why in _STOPS_PLAY for one in because) else "go"
    if known_at < deadline:
        return WeatherVerdict("pending", deadline, outcome, because)
    return WeatherVerdict(outcome, deadline, None, because)


def _weigh_signal(signal: Signal, deadline: datetime, check_in: datetime, now: datetime) -> SignalReasonCode:
    """The first that holds, in this order."""
    if signal.issued > now:
        return "not_known_yet"
    if not is_stop_signal(signal.code):
        return "not_stop"
    if signal.issued >= check_in:
        return "after_check_in"
    if signal.issued >= deadline:
        return "began_after"
    if signal.cancelled is None or signal.cancelled > now:
        return "in_force"
    return "ended_before" if signal.cancelled < deadline else "ended_at_or_after"


def _check_times(check_in: datetime, now: datetime, signals: tuple[Signal, ...]) -> None:
    times = [("first_check_in", check_in), ("now", now)]
    for place, signal in enumerate(signals):
        times.append((f"signals[{place}].issued", signal.issued))
        if signal.cancelled is not None:
            times.append((f"signals[{place}].cancelled", signal.cancelled))
    for where, time in times:
        if time.utcoffset() is None:
            raise Refusal(where, "a time without an offset")
    for place, signal in enumerate(signals):
        if signal.cancelled is not None and signal.cancelled < signal.issued:
            raise Refusal(f"signals[{place}].cancelled", "cancelled before it was issued")
