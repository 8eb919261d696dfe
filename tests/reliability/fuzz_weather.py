"""A request that works for each operation about the weather: its sessions, notices and mailings."""

from collections.abc import Callable
from datetime import date, timedelta

from django.utils import timezone

from tests.reliability.fuzz_world import FuzzWorld, Request, account, change, key
from tournament.bridge.weather import live_day
from tournament.models import Event, Session
from tournament.services import weather
from tournament.services.setup_plan import TIMES
from tournament.services.weather_decisions import seen_digest

AHEAD = timedelta(days=30)


def ahead(world: FuzzWorld) -> Session:
    """The third session, to be played in a month: nobody has a seat in it yet."""
    session = Session.objects.select_related("stage__event").get(stage__event=world.playing, number=3)
    if session.check_in_at < timezone.now():
        later = timezone.now() - session.check_in_at + AHEAD
        hours = {name: getattr(session, name) + later for name in TIMES}
        Session.objects.filter(pk=session.pk).update(**hours)
        Event.objects.filter(pk=world.playing.pk).update(results_at=hours["ends_at"] + 12 * AHEAD)
        session.refresh_from_db()
    return session


# --- The sky --------------------------------------------------------------------------------------------
def day_of(session: Session) -> date:
    """When it is played."""
    return timezone.localdate(session.check_in_at)


def sky(world: FuzzWorld) -> Request:
    """Of the day that is ahead."""
    return Request({"event": world.playing.slug, "day": day_of(ahead(world)).isoformat()})


def entering(world: FuzzWorld) -> Request:
    """Black rain of two days ago."""
    now = timezone.now()
    issued, ended = (now - timedelta(days=2, hours=hours) for hours in (5, 3))
    body = {"code": "WRAINB", "issued_at": issued.isoformat(), "ended_at": ended.isoformat(), "note": "radio"}
    weather.enter_signal(world.playing, code="TC8NE", issued_at=issued, by=account("organiser"), request_key=key())
    return change({"event": world.playing.slug}, body)


def looking(world: FuzzWorld) -> Request:
    """A quarter of an hour ago."""
    at = timezone.now() - timedelta(minutes=15)
    return change({"event": world.playing.slug}, {"at": at.isoformat(), "seen": world.playing.weather_signals.count()})


def deciding(world: FuzzWorld) -> Request:
    """A day called off long before it."""
    path = sky(world).path
    live = live_day(world.playing, date.fromisoformat(path["day"]), timezone.now())
    assert live is not None
    return change(path, {"outcome": "cancel", "reason": "the hall is flooded", "seen": seen_digest(live)})


WEATHER_REQUESTS: dict[str, Callable[[FuzzWorld], Request]] = {
    "list_weather_days": sky,
    "get_weather_day": sky,
    "enter_signal": entering,
    "look_at_sky": looking,
    "decide_weather": deciding,
}
