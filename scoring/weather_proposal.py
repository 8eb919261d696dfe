"""What the rule says of a day, and from what it is known (R50-R53)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from scoring.signals import ACTION_CANCEL, SignalSpan
from scoring.weather import (
    DEADLINE_MINUTES,
    STOP_FAMILIES,
    SignalReasonCode,
    WeatherOutcomeCode,
    WeatherVerdict,
    judge_weather,
)

OBSERVATION_STALE_AFTER = timedelta(minutes=5)

KnowledgeState = Literal["known", "stale", "unknown"]

_SETTLED: frozenset[SignalReasonCode] = frozenset({"began_after", "ended_at_or_after"})


@dataclass(frozen=True, slots=True)
class WeatherProposal:
    """What the rule says of a day by what is known. `known_until`: the last good look, a person's or the feed's.

    `outcome` is what would be decided: before the deadline, if nothing changes. None: a person has to look first, or
    to say of what is `unseen` which signal it was: of rain or wind, only its end was seen, at the deadline or later.
    """

    verdict: WeatherVerdict
    known: KnowledgeState
    known_until: datetime | None
    outcome: WeatherOutcomeCode | None
    unseen: tuple[SignalSpan, ...] = ()


def propose_weather_decision(
    first_check_in: datetime,
    known_stretches: Iterable[SignalSpan],
    known_until: datetime | None,
    now: datetime,
    deadline_minutes: int = DEADLINE_MINUTES,
) -> WeatherProposal:
    """The proposal for the day of a first check-in, as it stands at `now`.

    A stop signal that began, or ended, from the deadline on settles the day whatever else is unknown. Otherwise
    what is proposed from the deadline on needs a look since the deadline, and a clear sky before it a fresh one.
    A signal of which only the end was seen may have been a stop signal: it does not let the day be played.
    A look that is said to be still to come was by a clock that was wrong: it is none."""
    given = tuple(known_stretches)
    if known_until is not None and known_until - now > OBSERVATION_STALE_AFTER:
        known_until = None
    verdict = judge_weather(first_check_in, [one.signal for one in given], now, deadline_minutes)
    known = _knowledge_state(known_until, now)
    unseen = tuple(one for one in given if _is_end_unobserved(one, verdict, first_check_in))
    outcome = _outcome_if_known(verdict, given, known, known_until)
    if outcome == "go" and unseen:
        outcome = None
    return WeatherProposal(verdict, known, known_until, outcome, unseen)


def _knowledge_state(known_until: datetime | None, now: datetime) -> KnowledgeState:
    if known_until is None:
        return "unknown"
    return "stale" if now - known_until > OBSERVATION_STALE_AFTER else "known"


def _outcome_if_known(
    verdict: WeatherVerdict, given: Sequence[SignalSpan], known: KnowledgeState, known_until: datetime | None
) -> WeatherOutcomeCode | None:
    pending = verdict.decision == "pending"
    outcome: WeatherOutcomeCode = "cancel" if "cancel" in (verdict.decision, verdict.otherwise) else "go"
    if any(one.why in _SETTLED for one in verdict.because):
        return outcome
    if pending:
        return outcome if outcome == "cancel" or known == "known" else None
    if known_until is not None and known_until >= verdict.deadline:
        return outcome
    stated = [given[one.place].stated for one in verdict.because if one.why == "in_force"]
    return "cancel" if any(when >= verdict.deadline for when in stated) else None


def _is_end_unobserved(one: SignalSpan, verdict: WeatherVerdict, first_check_in: datetime) -> bool:
    """Whether only its end was seen, and it might have been a stop signal that counts."""
    signal = one.signal
    if signal.code != ACTION_CANCEL or one.family not in STOP_FAMILIES or signal.issued >= first_check_in:
        return False
    return signal.cancelled is None or signal.cancelled >= verdict.deadline
