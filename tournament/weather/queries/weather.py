"""Reads of the sky and of what was decided: days of play, looks at the feed, the journal of signals, decisions."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, TypedDict

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django_stubs_ext import Annotations

from tournament.core.enums import ClockKind, EntrantStatus, SessionState, WeatherSource
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.events.models import SessionMove
from tournament.messages.models import Notice
from tournament.sheets.models.clock import ClockEvent
from tournament.weather.models import WeatherDecision, WeatherReading, WeatherSignal

PLAN_ACTS = (ClockKind.POSTPONE, ClockKind.BRING_BACK, ClockKind.REPLAY, ClockKind.UNDECIDE)
PLANNED_BEFORE = "before"


class SessionMoved(TypedDict):
    """Whether a session was given other times."""

    was_moved: bool


def all_sessions(event: Event) -> list[Annotated[Session, Annotations[SessionMoved]]]:
    """Every session of the event in order of time, void ones too; each says whether it `was_moved`."""
    moved = Exists(SessionMove.objects.filter(session=OuterRef("pk")))
    rows = Session.objects.filter(stage__event=event).annotate(was_moved=moved)
    return list(rows.select_related("stage__event").order_by("check_in_at", "number"))


def sessions_by_day(
    rows: Iterable[Annotated[Session, Annotations[SessionMoved]]],
) -> dict[date, list[Annotated[Session, Annotations[SessionMoved]]]]:
    """An event's sessions by the day in the hall that their check-in is on now, in order of time.

    A void session is no session of its day any more, nor is its replay before it has times of its own.
    """
    found: dict[date, list[Annotated[Session, Annotations[SessionMoved]]]] = defaultdict(list)
    for row in rows:
        if row.state != SessionState.VOID and not waits_for_times(row):
            found[timezone.localdate(row.check_in_at)].append(row)
    return dict(found)


def waits_for_times(row: Annotated[Session, Annotations[SessionMoved]]) -> bool:
    """Whether it is a replay that never had times of its own; of `all_sessions`."""
    return bool(row.state == SessionState.POSTPONED and row.replays_id and not row.was_moved)


def plan_steps(event: Event) -> list[tuple[int, datetime, str, str]]:
    """What took sessions out of the plan and put them into it, in order of time: session, when, which kind of act, and
    the check-in that a move gave it; the first move's says what was before."""
    acts = ClockEvent.objects.filter(session__stage__event=event, kind__in=PLAN_ACTS)
    steps = [(row.session_id, row.at, row.kind, "") for row in acts]
    for row in SessionMove.objects.filter(session__stage__event=event):
        steps.append((row.session_id, row.at, PLANNED_BEFORE, row.before["check_in_at"]))
        steps.append((row.session_id, row.at, ClockKind.NEW_TIMES, row.after["check_in_at"]))
    return sorted(steps, key=lambda step: step[1])


def journal_of(event: Event) -> list[WeatherSignal]:
    """Every line of the journal, oldest first, with who wrote it and the line that it is about."""
    return list(event.weather_signals.select_related("by", "about").order_by("number"))


def find_signal(event: Event, number: int) -> WeatherSignal | None:
    """A line of the journal by its number."""
    return event.weather_signals.select_related("by", "about").filter(number=number).first()


def last_reading(event: Event, now: datetime) -> WeatherReading | None:
    """The newest look at the feed, good or not. One that is still to come was by a clock that was wrong: it is none."""
    rows = event.weather_readings.filter(source=WeatherSource.FEED, last_at__lte=now).select_related("by")
    return rows.order_by("-last_at", "-id").first()


def weather_decisions_newest_first(event: Event) -> list[WeatherDecision]:
    return list(event.weather_decisions.select_related("by").order_by("-number"))


def count_entrants_in(sessions: Iterable[Session]) -> int:
    """How many are to play in these sessions."""
    return Entrant.objects.filter(session__in=[one.pk for one in sessions], status=EntrantStatus.OK).count()


def notices_of_day(event: Event, day: date) -> list[Notice]:
    """What was published about a day, newest first."""
    rows = event.notices.filter(day=day, published_at__isnull=False).select_related("published_by")
    return list(rows.order_by("-number"))
