"""Reads for the looks at the feed: what it listed last, and whose sessions it has to be read for."""

from datetime import datetime, timedelta

from django.utils import timezone

from tournament.core.enums import ENDED, FeedState, WeatherSource
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.weather.models import WeatherReading, WeatherSignal


def newest_feed_lines(event: Event) -> dict[str, WeatherSignal]:
    """Of each family the feed's newest line."""
    rows = event.weather_signals.filter(source=WeatherSource.FEED).order_by("number")
    return {row.family: row for row in rows}


def good_readings(event: Event) -> list[WeatherReading]:
    """Every row of good looks at the feed, and every look of a person, by when they ended."""
    rows = event.weather_readings.filter(state=FeedState.OK).select_related("by")
    return list(rows.order_by("last_at", "id"))


def events_to_watch(now: datetime, before: timedelta) -> list[Event]:
    """Those with sessions today that are not over, from so long before the first check-in until the last one's end."""
    day = timezone.localdate(now)
    near = (now - timedelta(days=2), now + timedelta(days=2))
    sessions = Session.objects.filter(check_in_at__range=near).exclude(state__in=ENDED)
    todays: dict[int, list[Session]] = {}
    for one in sessions.select_related("stage__event").order_by("check_in_at"):
        if timezone.localdate(one.check_in_at) == day:
            todays.setdefault(one.stage.event_id, []).append(one)
    return [
        found[0].stage.event
        for _event, found in sorted(todays.items())
        if found[0].check_in_at - before <= now <= max(one.ends_at for one in found)
    ]
