"""The Observatory's feed on the mornings of an event: one look a minute over all processes, kept for every event."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from tournament.adapters import observatory
from tournament.bridge.weather import DEADLINE, READ_FROM
from tournament.models import WeatherReading
from tournament.queries.weather_feed import events_to_watch
from tournament.services import weather


def look_due(now: datetime | None = None) -> list[WeatherReading]:
    """Look if an event has sessions today and nobody has looked in this minute; what was kept, one an event.

    Called again and again by a worker. From six hours before the deadline until the last session's end. With no
    address set nothing is read and nothing kept: a person looks.
    """
    at = now or timezone.now()
    if not settings.OBSERVATORY_URL:
        return []
    events = events_to_watch(at, DEADLINE + READ_FROM)
    if not events or not weather.claim_minute(at):
        return []
    listing = observatory.read(settings.OBSERVATORY_URL, at)
    return [weather.keep(event, listing, at) for event in events]
