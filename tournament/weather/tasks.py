"""The Observatory's feed on the mornings of an event: one look a minute over all processes, kept for every event."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from tournament.weather import adapters
from tournament.weather.domain.plan import DEADLINE_LEAD_TIME
from tournament.weather.domain.weather import FEED_WATCH_BEFORE
from tournament.weather.models import WeatherReading
from tournament.weather.queries.feed import events_to_watch
from tournament.weather.services import weather


def poll_weather_if_due(now: datetime | None = None) -> list[WeatherReading]:
    """Look if an event has sessions today and nobody has looked in this minute; what was kept, one an event.

    Called again and again by a worker. From six hours before the deadline until the last session's end. With no
    address set nothing is read and nothing kept: a person looks.
    """
    at = now or timezone.now()
    if not settings.OBSERVATORY_URL:
        return []
    events = events_to_watch(at, DEADLINE_LEAD_TIME + FEED_WATCH_BEFORE)
    if not events or not weather.claim_poll_minute(at):
        return []
    listing = adapters.read_observatory_feed(settings.OBSERVATORY_URL, at)
    return [weather.store_weather_listing(event, listing, at) for event in events]
