"""When a day's first check-in is: as the plan was announced that morning, whatever becomes of its sessions later.

The line is two hours before it (rules.md, Weather). What a decision was about stays with the decision. Before there is
one, a session that left the plan after the day's line, or was broken off and is played anew, moves neither.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from scoring.weather import DEADLINE_MINUTES
from tournament.enums import ClockKind, SessionState, WeatherOutcome
from tournament.models import Event, Session, WeatherDecision
from tournament.queries import weather as queries
from tournament.queries.session_life import NOT_BEGUN, Life

DEADLINE = timedelta(minutes=DEADLINE_MINUTES)
LEFT = (SessionState.POSTPONED, SessionState.VOID)
LEAVES = (ClockKind.POSTPONE, ClockKind.REPLAY)


@dataclass(slots=True)
class Planned:
    """A session in the plan with one check-in, from and until a moment; None: always was, still is."""

    check_in: datetime
    since: datetime | None = None
    until: datetime | None = None

    @property
    def was_announced(self) -> bool:
        """Whether people were told to come: it was there when its line came, and before its check-in."""
        stayed = self.until is None or self.until >= self.check_in - DEADLINE
        return stayed and (self.since is None or self.since < self.check_in)


def first_check_in(
    event: Event, day: date, rows: Sequence[Session], lives: Mapping[int, Life], decisions: Sequence[WeatherDecision]
) -> datetime | None:
    """Of a day of `queries.all_sessions`; None where it has no sessions any more. `decisions`: the day's, newest first.

    A day that was called off and has sessions again is another day: its line is that of these sessions."""
    found = queries.sessions_by_day(rows).get(day, [])
    if not found:
        return None
    newest = decisions[0] if decisions else None
    again = any(life.stage in NOT_BEGUN for life in lives.values())
    if newest and newest.outcome == WeatherOutcome.CANCEL and again:
        return first_of(found)
    if newest and newest.evidence.get("first_check_in"):
        return datetime.fromisoformat(newest.evidence["first_check_in"])
    if any(row.was_moved or row.state in LEFT for row in rows):
        times = [one.check_in for one in announced(event, rows) if timezone.localdate(one.check_in) == day]
        if times:
            return min(times)
    return first_of(found)


def first_of(sessions: Iterable[Session]) -> datetime | None:
    """Of those that are to be played; where all are postponed, of the day as it was planned."""
    given = list(sessions)
    times = [one.check_in_at for one in given if one.state != SessionState.POSTPONED]
    return min(times or [one.check_in_at for one in given], default=None)


def announced(event: Event, rows: Sequence[Session]) -> Iterator[Planned]:
    """Every check-in that people were told to come to."""
    steps = queries.plan_steps(event)
    for row in rows:
        spans = spans_of(row, [step[1:] for step in steps if step[0] == row.pk])
        yield from (one for one in spans if one.was_announced)


def spans_of(row: Session, steps: Sequence[tuple[datetime, str, str]]) -> list[Planned]:
    """When it was in the plan, with which check-in."""
    first = next((datetime.fromisoformat(text) for _at, kind, text in steps if kind == queries.BEFORE), row.check_in_at)
    spans = [] if queries.waits_for_times(row) else [Planned(first)]
    now = first
    for at, kind, text in steps:
        if kind in LEAVES and spans and spans[-1].until is None:
            spans[-1].until = at
        elif kind == ClockKind.NEW_TIMES:
            now = datetime.fromisoformat(text)
            spans.append(Planned(now, since=at))
        elif kind in (ClockKind.BRING_BACK, ClockKind.UNDECIDE) and spans and spans[-1].until is not None:
            spans.append(Planned(now, since=at))
    # Whoever took it out without an act of the clock took it out of what was announced.
    return [one for one in spans if one.until is not None or row.state not in LEFT]
