"""Days under a sky in each of their states, by the clock on the wall, for whoever looks at every page."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from tests.conftest import event_data
from tests.weather.skies import Desk
from tournament.accounts.services import accounts
from tournament.core.enums import FeedState, SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.setup.services import setup
from tournament.weather.adapters import FeedEntry, FeedListing
from tournament.weather.services import weather

# Who, an address's name, the address.
Page = tuple[str, str, str]


def event_with(slug: str, first_check_in: datetime) -> Event:
    """An event of one day of four sessions, the first of which has its check-in then."""
    data = event_data() | {"slug": slug}
    preliminary = next(stage for stage in data["stages"] if stage["kind"] == "preliminary")
    sessions = preliminary["sessions"][:4]
    by = first_check_in - datetime.fromisoformat(sessions[0]["check_in_at"])
    preliminary["sessions"] = [moved(one, by) for one in sessions]
    data["stages"] = [preliminary]
    event = setup.create_event(data)
    for one in DEMO_ACCOUNTS:
        accounts.create_account(event, one.username, one.password, one.name, [one.role])
    return event


def without_sessions() -> Event:
    """An event whose sessions nobody has set up."""
    event = event_with("bare-2026", timezone.now())
    Session.objects.filter(stage__event=event).delete()
    return event


def moved(session: dict[str, Any], by: timedelta) -> dict[str, Any]:
    """A session as later as that."""
    return {
        name: (datetime.fromisoformat(value) + by).isoformat() if name.endswith("_at") else value
        for name, value in session.items()
    }


def observe(event: Event, at: datetime, *entries: FeedEntry, state: FeedState = FeedState.OK, why: str = "") -> None:
    weather.store_weather_listing(event, FeedListing(state, why, "" if why else f"{len(entries)}", entries), at)


def of_the_sky() -> Iterator[Page]:
    """The day's page in its states, and the form that corrects a line."""
    now = timezone.now()
    makers = {"pending": pending, "unknown": unknown, "decided": decided, "playing": playing}
    for word, make in makers.items():
        event, day = make(f"{word}-2026", now)
        for who in ("organiser", "referee") if word == "pending" else ("organiser",):
            yield who, "weather_day", reverse("weather_day", args=[event.slug, day])
        if word == "pending":
            address = reverse("enter_signal", args=[event.slug, day])
            yield from (("organiser", "enter_signal", one) for one in (address, f"{address}?about=1"))
    yield "organiser", "weather", reverse("weather", args=[without_sessions().slug])


def day_of(event: Event) -> str:
    """Its day in an address."""
    first = Session.objects.filter(stage__event=event).order_by("check_in_at")[0]
    return timezone.localdate(first.check_in_at).isoformat()


def pending(slug: str, now: datetime) -> tuple[Event, str]:
    """Twenty minutes before the deadline: T1, and black rain that the feed lists no more."""
    event = event_with(slug, now + timedelta(minutes=140))
    calm = FeedEntry("WTCSGNL", "TC1", "ISSUE", now - timedelta(hours=5), now - timedelta(hours=5))
    black = FeedEntry("WRAIN", "WRAINB", "ISSUE", now - timedelta(minutes=75), now - timedelta(minutes=75))
    observe(event, now - timedelta(minutes=74), calm, black)
    observe(event, now - timedelta(seconds=20), calm)
    return event, day_of(event)


def unknown(slug: str, now: datetime) -> tuple[Event, str]:
    """After the deadline, the feed broken since before it."""
    event = event_with(slug, now + timedelta(minutes=110))
    observe(event, now - timedelta(minutes=40))
    observe(event, now - timedelta(seconds=20), state=FeedState.BROKEN, why="status_500")
    return event, day_of(event)


def decided(slug: str, now: datetime) -> tuple[Event, str]:
    """Confirmed as planned; then T8 was issued, so that the rule says otherwise."""
    event = event_with(slug, now + timedelta(minutes=60))
    observe(event, now - timedelta(minutes=3))
    desk, day = Desk(User.objects.get(username="organiser"), event.slug), day_of(event)
    assert desk.decide("go", day=day).status_code == 302
    observe(event, now, FeedEntry("WTCSGNL", "TC8NE", "ISSUE", now - timedelta(minutes=1), now - timedelta(minutes=1)))
    return event, day


def playing(slug: str, now: datetime) -> tuple[Event, str]:
    """T8 while the first session is played; one is held back already, one is postponed."""
    event = event_with(slug, now - timedelta(minutes=60))
    observe(event, now, FeedEntry("WTCSGNL", "TC8NE", "ISSUE", now - timedelta(minutes=5), now - timedelta(minutes=5)))
    states = (SessionState.PLAYING, SessionState.SUSPENDED, SessionState.PLANNED, SessionState.POSTPONED)
    for number, state in enumerate(states, start=1):
        Session.objects.filter(stage__event=event, number=number).update(state=state)
    return event, day_of(event)
