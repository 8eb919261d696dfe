"""The sessions that the hall's clock speaks of."""

from datetime import datetime, time, timedelta

from django.utils import timezone

from tournament.core.enums import OFF
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.hall.models import Announcement, TableCall


def sessions_from_day_on(event: Event, now: datetime) -> list[Session]:
    """Every session of the day of `now` that has hours, in order of play, and the first of a later day."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(now), time()))
    rows = Session.objects.filter(stage__event=event, play_at__gte=midnight).exclude(state__in=OFF)
    found = list(rows.select_related("stage__event").order_by("play_at", "number"))
    ahead = [row for row in found if row.play_at >= midnight + timedelta(days=1)]
    return found[: len(found) - len(ahead)] + ahead[:1]


def sessions_of_day(event: Event, now: datetime) -> list[Session]:
    """Those of the day of `now` alone."""
    today = timezone.localdate(now)
    return [row for row in sessions_from_day_on(event, now) if timezone.localdate(row.play_at) == today]


def announcements_in_force(event: Event, now: datetime) -> list[Announcement]:
    """Those that nobody has ended and whose moment has not come, in order."""
    return list(Announcement.objects.filter(event=event, ended_at=None, until__gt=now).select_related("by"))


def open_table_calls(event: Event) -> list[TableCall]:
    """Tables that are called and whose call nobody has ended, the latest last."""
    rows = TableCall.objects.filter(table__session__stage__event=event, ended_at=None)
    return list(rows.select_related("table__session__stage__event", "by"))
