"""What random histories see of the sky: changes in the feed, signals and looks by hand; and a morning decided twice."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from random import Random

from django.contrib.auth.models import User

from tournament.core.enums import FeedState, WeatherOutcome
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.tables.models import Table
from tournament.weather.adapters import FeedEntry, FeedListing
from tournament.weather.domain.weather import live_day
from tournament.weather.models import WeatherSignal
from tournament.weather.services import weather
from tournament.weather.services.decisions import decide_weather_day, seen_digest
from tournament.weather.services.weather import SIGNAL_FAMILIES

ACTS = ("observe", "observe", "enter_signal", "withdraw_signal", "look_up")
MORNING = datetime.fromisoformat("2026-03-28T07:00:00+08:00")
DAY = date(2026, 3, 28)


class WeatherActs:
    """The acts, for a history that has its accounts, its session and its dice; its sky has a clock of its own."""

    people: dict[str, User]
    random: Random
    session: Session
    key: Callable[[], str]
    minutes = 0

    def sky(self) -> datetime:
        """A minute later than the last time."""
        self.minutes += 1
        return MORNING + timedelta(minutes=self.minutes)

    def observe(self, table: Table) -> None:
        now = self.sky()
        listed = [family for family in SIGNAL_FAMILIES if self.random.random() < 0.7]
        entries = [
            FeedEntry(family, self.random.choice(SIGNAL_FAMILIES[family]), "ISSUE", now, now) for family in listed
        ]
        state = self.random.choice([FeedState.OK, FeedState.OK, FeedState.BROKEN])
        weather.store_weather_listing(self.session.stage.event, FeedListing(state, "", "", tuple(entries)), now)

    def enter_signal(self, table: Table) -> None:
        now = self.sky()
        weather.enter_weather_signal(
            self.session.stage.event,
            code=self.random.choice(["WRAINB", "TC8NE", "TC3"]),
            issued_at=now - timedelta(minutes=30),
            ended_at=self.random.choice([None, now]),
            note=self.random.choice(["", "by the radio"]),
            by=self.people["organiser"],
            request_key=self.key(),
            now=now,
        )

    def withdraw_signal(self, table: Table) -> None:
        for line in WeatherSignal.objects.order_by("-number")[:1]:
            weather.enter_weather_signal(
                line.event,
                about=line.number,
                withdraws=True,
                note="never so",
                by=self.people["organiser2"],
                request_key=self.key(),
                now=self.sky(),
            )

    def look_up(self, table: Table) -> None:
        now, event = self.sky(), self.session.stage.event
        seen = event.weather_signals.count()
        weather.record_manual_observation(
            event, at=now, seen=seen, by=self.people["organiser"], request_key=self.key(), now=now
        )


def one_morning(event: Event, by: User, other: User) -> None:
    """Black rain in the feed, its end and a typhoon by hand, a line withdrawn, two looks, two decisions."""
    black = FeedEntry("WRAIN", "WRAINB", "ISSUE", MORNING, MORNING)
    weather.store_weather_listing(event, FeedListing(FeedState.OK, "", "", (black,)), MORNING)
    stated = {"issued_at": MORNING, "by": by, "now": MORNING + timedelta(minutes=70)}
    ended = MORNING + timedelta(minutes=60)
    weather.enter_weather_signal(
        event, code="WRAINB", ended_at=ended, about=1, note="on the radio", request_key="1", **stated
    )
    weather.enter_weather_signal(event, code="TC8NE", request_key="2", **stated)
    weather.enter_weather_signal(
        event, about=3, withdraws=True, note="typed twice", by=other, request_key="3", now=MORNING + timedelta(hours=2)
    )
    for minutes in (130, 140):
        now = MORNING + timedelta(minutes=minutes)
        weather.record_manual_observation(event, at=now, seen=4, by=by, request_key=f"look {minutes}", now=now)
    for outcome, minutes in ((WeatherOutcome.CANCEL, 150), (WeatherOutcome.GO, 160)):
        now = MORNING + timedelta(minutes=minutes)
        live = live_day(event, DAY, now)
        assert live is not None
        decide_weather_day(
            event, DAY, outcome=outcome, reason="flood", seen=seen_digest(live), by=by, request_key=outcome, now=now
        )
