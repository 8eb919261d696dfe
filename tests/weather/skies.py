"""A desk under a sky: signals entered through the page at a moment of 28 March 2026, and what the page then says."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any

import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.squeezed import squeezed
from tournament.core.enums import FeedState
from tournament.core.models.event import Event
from tournament.events.exports import family_key_of_signal
from tournament.weather.adapters import FeedEntry, FeedListing
from tournament.weather.models import WeatherReading
from tournament.weather.services import weather

DAY = date(2026, 3, 28)
ENGLISH = {"Accept-Language": "en"}


def moment(clock: str, day: date = DAY) -> datetime:
    return timezone.make_aware(datetime.combine(day, datetime.strptime(clock, "%H:%M").time()))


@contextmanager
def when(clock: str | datetime) -> Iterator[datetime]:
    """The server's clock stands still at that hour."""
    now = moment(clock) if isinstance(clock, str) else clock
    with time_machine.travel(now, tick=False):
        yield now


def address(name: str, day: date | str = DAY, slug: str = "hk-2026") -> str:
    """An address of the day."""
    return reverse(name, args=[slug, day])


def key_of(facts: Any) -> str:
    """A key as a page makes it, the same for the same facts."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


def signal(code: str, issued: datetime, ended: datetime | None = None, **more: str) -> dict[str, str]:
    """The form for a signal as a browser sends it."""
    given = {"code": code, "note": "", "request_key": key_of([code, issued, ended, *more.items()])}
    for name, at in (("issued", issued), ("ended", ended)):
        local = timezone.localtime(at) if at else None
        given |= {f"{name}_on": f"{local:%Y-%m-%d}" if local else "", name: f"{local:%H:%M}" if local else ""}
    return given | more


class Desk:
    """A person at the page."""

    def __init__(self, user: User, slug: str = "hk-2026") -> None:
        self.client, self.slug = Client(), slug
        self.client.force_login(user)

    def post(self, name: str, day: date | str = DAY, **typed: Any) -> Any:
        """A form of the day, in English."""
        return self.client.post(address(name, day, self.slug), typed, headers=ENGLISH)

    def enter(self, code: str, issued: str | datetime, ended: str | datetime | None = None, **more: str) -> Any:
        times = [moment(one) if isinstance(one, str) else one for one in (issued, ended)]
        return self.post("enter_signal", **signal(code, times[0], times[1], **more))

    def look(self, **typed: Any) -> Any:
        """I looked: the journal is right."""
        given = {"do": "hand", "seen": self.hidden("[0-9]{1,9}"), "request_key": "look"}
        return self.post("look_at_sky", **(given | typed))

    def page(self, language: str = "en", day: date | str = DAY) -> str:
        answer = self.client.get(address("weather_day", day, self.slug), headers={"Accept-Language": language})
        assert answer.status_code == 200
        return squeezed(answer.content.decode())

    def hidden(self, pattern: str, day: date | str = DAY) -> str:
        """A hidden value of the page."""
        found = re.search(f'name="seen" value="({pattern})"', self.page(day=day))
        assert found, pattern
        return found[1]

    def seen(self, day: date | str = DAY) -> str:
        """The digest of what the page shows."""
        return self.hidden("[0-9a-f]{64}", day)

    def decide(self, outcome: str, reason: str = "", seen: str = "", key: str = "decide", day: date | str = DAY) -> Any:
        given = {"outcome": outcome, "reason": reason, "seen": seen or self.seen(day)}
        return self.post("decide_weather", day, **given, request_key=key)


def verdict(html: str) -> str:
    """The headline of the decision card."""
    card = squeezed(html).partition('class="card decision"')[2]
    found = re.search(r"<h2>(.*?)</h2>", card)
    assert found, "no verdict"
    return found[1]


def why(html: str) -> list[str]:
    """The list under it, without marks."""
    part = html.partition('<ul class="why small">')[2].partition("</ul>")[0]
    items = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", one)).strip() for one in part.split("</li>")]
    return [one for one in items if one]


def said(html: str) -> str:
    """A page's words in one line."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def observed(
    event: Event, at: str, *entries: FeedEntry, state: FeedState = FeedState.OK, why: str = ""
) -> WeatherReading:
    """The feed was read at that hour and gave this."""
    digest = f"{len(entries)}" if state == FeedState.OK else ""
    return weather.store_weather_listing(event, FeedListing(state, why, digest, entries), moment(at))


def entry(code: str, issued: str, action: str = "ISSUE", updated: str = "", family: str = "") -> FeedEntry:
    """What the feed lists of one family."""
    return FeedEntry(family or family_key_of_signal(code), code, action, moment(issued), moment(updated or issued))
