"""The sessions that the hall's clock speaks of."""

from datetime import datetime, time, timedelta

from django.utils import timezone

from tournament.core.enums import OFF
from tournament.core.models.event import Event
from tournament.core.models.stage import Session


def sessions_from_day_on(event: Event, now: datetime) -> list[Session]:
    """Every session of the day of `now` that has hours, in order of play, and the first of a later day."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(now), time()))
    rows = Session.objects.filter(stage__event=event, play_at__gte=midnight).exclude(state__in=OFF)
    found = list(rows.select_related("stage__event").order_by("play_at", "number"))
    ahead = [row for row in found if row.play_at >= midnight + timedelta(days=1)]
    return found[: len(found) - len(ahead)] + ahead[:1]
