"""Reads of the sky and of what was decided: days of play, looks at the feed, the journal of signals, decisions."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from tournament.enums import EntrantStatus, SessionState, WeatherSource
from tournament.models import (
    Entrant,
    Event,
    Notice,
    Session,
    SessionMove,
    WeatherDecision,
    WeatherReading,
    WeatherSignal,
)


def sessions_by_day(event: Event) -> dict[date, list[Session]]:
    """The event's sessions by the day in the hall that their check-in is on now, in order of time; one query.

    A void session is no session of its day any more, nor is its replay before it has times of its own.
    """
    found: dict[date, list[Session]] = defaultdict(list)
    moved = Exists(SessionMove.objects.filter(session=OuterRef("pk")))
    untimed = Q(state=SessionState.POSTPONED, replays__isnull=False) & ~moved
    rows = Session.objects.filter(stage__event=event).exclude(state=SessionState.VOID).exclude(untimed)
    for row in rows.select_related("stage__event").order_by("check_in_at", "number"):
        found[timezone.localdate(row.check_in_at)].append(row)
    return dict(found)


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


def decisions_of(event: Event) -> list[WeatherDecision]:
    """Every decision, newest first."""
    return list(event.weather_decisions.select_related("by").order_by("-number"))


def entrants_in(sessions: Iterable[Session]) -> int:
    """How many are to play in these sessions."""
    return Entrant.objects.filter(session__in=[one.pk for one in sessions], status=EntrantStatus.OK).count()


def notices_of_day(event: Event, day: date) -> list[Notice]:
    """What was published about a day, newest first."""
    rows = event.notices.filter(day=day, published_at__isnull=False).select_related("published_by")
    return list(rows.order_by("-number"))
