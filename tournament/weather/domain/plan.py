"""When a day's first check-in is: as the plan was announced that morning, whatever becomes of its sessions later.

The line is two hours before it (R50). What a decision was about stays with the decision. Before there is
one, a session that left the plan after the day's line, or was broken off and is played anew, moves neither.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated

from django.utils import timezone
from django_stubs_ext import Annotations

from scoring.weather import DEADLINE_MINUTES
from tournament.core.enums import OFF, ClockKind, SessionState, WeatherOutcome
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.sheets.queries.session_life import STAGES_BEFORE_BEGIN, SessionLife
from tournament.weather.models import WeatherDecision
from tournament.weather.queries import weather as queries
from tournament.weather.queries.weather import SessionMoved

DEADLINE_LEAD_TIME = timedelta(minutes=DEADLINE_MINUTES)
KINDS_LEAVING_PLAN = (ClockKind.POSTPONE, ClockKind.REPLAY)


@dataclass(slots=True)
class PlannedSpan:
    """A session in the plan with one check-in, from and until a moment; None: always was, still is."""

    check_in: datetime
    since: datetime | None = None
    until: datetime | None = None

    @property
    def was_announced(self) -> bool:
        """Whether people were told to come: it was there when its line came, and before its check-in."""
        stayed = self.until is None or self.until >= self.check_in - DEADLINE_LEAD_TIME
        return stayed and (self.since is None or self.since < self.check_in)


def first_check_in_of_day(
    event: Event,
    day: date,
    rows: Sequence[Annotated[Session, Annotations[SessionMoved]]],
    lives: Mapping[int, SessionLife],
    decisions: Sequence[WeatherDecision],
) -> datetime | None:
    """Of a day of `queries.all_sessions`; None where it has no sessions any more. `decisions`: the day's, newest first.

    A day that was called off and has sessions again is another day: its line is that of these sessions."""
    found = queries.sessions_by_day(rows).get(day, [])
    if not found:
        return None
    newest = decisions[0] if decisions else None
    again = any(life.stage in STAGES_BEFORE_BEGIN for life in lives.values())
    if newest and newest.outcome == WeatherOutcome.CANCEL and again:
        return earliest_check_in(found)
    if newest and newest.evidence.get("first_check_in"):
        return datetime.fromisoformat(newest.evidence["first_check_in"])
    if any(row.was_moved or row.state in OFF for row in rows):
        times = [one.check_in for one in announced_check_ins(event, rows) if timezone.localdate(one.check_in) == day]
        if times:
            return min(times)
    return earliest_check_in(found)


def earliest_check_in(sessions: Iterable[Session]) -> datetime | None:
    """Of those that are to be played; where all are postponed, of the day as it was planned."""
    given = list(sessions)
    times = [one.check_in_at for one in given if one.state != SessionState.POSTPONED]
    return min(times or [one.check_in_at for one in given], default=None)


def announced_check_ins(
    event: Event, rows: Sequence[Annotated[Session, Annotations[SessionMoved]]]
) -> Iterator[PlannedSpan]:
    """Every check-in that people were told to come to."""
    steps = queries.plan_steps(event)
    for row in rows:
        spans = planned_spans_of(row, [step[1:] for step in steps if step[0] == row.pk])
        yield from (one for one in spans if one.was_announced)


def planned_spans_of(
    row: Annotated[Session, Annotations[SessionMoved]], steps: Sequence[tuple[datetime, str, str]]
) -> list[PlannedSpan]:
    """When it was in the plan, with which check-in."""
    first = next(
        (datetime.fromisoformat(text) for _at, kind, text in steps if kind == queries.PLANNED_BEFORE), row.check_in_at
    )
    spans = [] if queries.waits_for_times(row) else [PlannedSpan(first)]
    now = first
    for at, kind, text in steps:
        if kind in KINDS_LEAVING_PLAN and spans and spans[-1].until is None:
            spans[-1].until = at
        elif kind == ClockKind.NEW_TIMES:
            now = datetime.fromisoformat(text)
            spans.append(PlannedSpan(now, since=at))
        elif kind in (ClockKind.BRING_BACK, ClockKind.UNDECIDE) and spans and spans[-1].until is not None:
            spans.append(PlannedSpan(now, since=at))
    # Whoever took it out without an act of the clock took it out of what was announced.
    return [one for one in spans if one.until is not None or row.state not in OFF]
