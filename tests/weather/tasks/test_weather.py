"""One look a minute over all processes, on the days of an event, for every event that is on."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection

from tests.conftest import event_data
from tests.observatory import Observatory
from tournament.audit.models import AuditEntry
from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.setup.services import setup
from tournament.weather.models import WeatherReading, WeatherSignal
from tournament.weather.tasks import poll_weather_if_due

MORNING = datetime.fromisoformat("2026-03-28T09:40:00+08:00")


@pytest.fixture
def observatory(settings: Any) -> Iterator[Observatory]:
    """With black rain in force."""
    with Observatory() as made:
        settings.OBSERVATORY_URL = made.url
        made.now, made.payload = MORNING, {"WRAIN": {"code": "WRAINB", "actionCode": "ISSUE"}}
        yield made


@pytest.mark.parametrize(
    ("day", "clock", "looks"),
    [
        ("2026-03-28", "03:59", 0),
        ("2026-03-28", "04:00", 1),
        ("2026-03-28", "19:00", 1),
        ("2026-03-28", "19:01", 0),
        ("2026-03-27", "12:00", 0),
        ("2026-03-29", "12:00", 0),
        ("2026-04-06", "08:00", 1),
    ],
)
def test_the_feed_is_read_from_six_hours_before_the_deadline_until_the_last_session_ends(
    day: str, clock: str, looks: int, observatory: Observatory, event: Event
) -> None:
    observatory.now = datetime.fromisoformat(f"{day}T{clock}:00+08:00")
    assert (len(poll_weather_if_due(observatory.now)), observatory.asked) == (looks, looks)


def test_a_second_worker_in_the_same_minute_does_not_look_again(observatory: Observatory, event: Event) -> None:
    for second in (0, 20, 40, 60, 80):
        poll_weather_if_due(MORNING + timedelta(seconds=second))
    reading = WeatherReading.objects.get()
    assert (observatory.asked, reading.looks) == (2, 2)
    poll_weather_if_due(MORNING + timedelta(days=9, hours=1))
    assert RequestKey.objects.filter(scope="weather").count() == 1


def test_one_look_serves_every_event_of_the_day(observatory: Observatory, event: Event) -> None:
    other = setup.create_event({**event_data(), "slug": "another"})
    poll_weather_if_due(MORNING)
    assert (observatory.asked, {row.event for row in WeatherReading.objects.all()}) == (1, {event, other})


def test_a_day_of_which_every_session_is_over_is_not_watched(observatory: Observatory, event: Event) -> None:
    Session.objects.filter(check_in_at__date=MORNING.date()).update(state=SessionState.CLOSED)
    assert (poll_weather_if_due(MORNING), observatory.asked) == ([], 0)


def test_without_an_address_nobody_looks_and_nothing_is_kept(settings: Any, event: Event) -> None:
    settings.OBSERVATORY_URL = ""
    assert (poll_weather_if_due(MORNING), WeatherReading.objects.count()) == ([], 0)


def test_a_feed_that_is_down_is_kept_as_such(observatory: Observatory, event: Event) -> None:
    observatory.mode = "500"
    [reading] = poll_weather_if_due(MORNING)
    assert (reading.state, reading.why, WeatherSignal.objects.count()) == ("broken", "status_500", 0)


@pytest.mark.django_db(transaction=True)
def test_of_many_processes_at_once_one_looks(observatory: Observatory, event: Event) -> None:
    ready, kept = Barrier(6), []

    def work() -> None:
        try:
            ready.wait(10)
            kept.extend(poll_weather_if_due(MORNING))
        finally:
            connection.close()

    threads = [Thread(target=work) for _worker in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (observatory.asked, len(kept), WeatherReading.objects.get().looks) == (1, 1, 1)
    assert (WeatherSignal.objects.count(), AuditEntry.objects.filter(action="observe_signal").count()) == (1, 1)
