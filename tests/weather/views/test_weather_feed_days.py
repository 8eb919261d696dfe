"""Whole days of the feed as a made-up Observatory serves them, read by a press and shown by the page."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from scripts.observatory import read_feed_day
from tests.conftest import FIXTURES
from tests.observatory import Observatory
from tests.squeezed import squeezed
from tests.weather.skies import Desk, moment, verdict, when
from tournament.core.models.event import Event
from tournament.events.exports import words_of_signal
from tournament.weather.models import WeatherSignal

DAYS = sorted((FIXTURES / "weather").glob("*.json"))
BEFORE = {
    "go": "If nothing changes: going ahead at 10:00",
    "cancel": "If nothing changes: called off at 10:00",
    None: "Not known: somebody must look before 10:00",
}
FROM_THE_DEADLINE = {
    "go": "The rule says: going ahead",
    "cancel": "The rule says: called off",
    None: "Not known: somebody must look",
}
AFTER = {
    "go": "By what is known the rule said: going ahead.",
    "cancel": "By what is known the rule said: called off.",
}


@pytest.fixture
def observatory(settings: Any) -> Iterator[Observatory]:
    """The one that the settings name."""
    with Observatory() as made:
        settings.OBSERVATORY_URL = made.url
        yield made


def marks(html: str) -> list[str]:
    """The signals that the card says are in force."""
    card = squeezed(html).partition('class="card decision"')[2].partition("<h2>")[0]
    found = re.findall(r'<span class="sig[^"]*">(?:<svg.*?</svg>)?(.*?) in force</span>', card)
    return sorted(found)


def shown(html: str) -> tuple[str, bool]:
    """The headline, and whether a person is asked to look."""
    return verdict(html), "A person must look at the Observatory" in html


def expected(html: str, at: datetime, one: dict[str, Any]) -> tuple[str, bool]:
    """What the file says, in the page's words."""
    outcome, asks = one["outcome"], one["known"] != "known"
    if one["decision"] == "pending":
        return BEFORE[outcome], asks
    if at < moment("12:00"):
        return FROM_THE_DEADLINE[outcome], asks
    assert outcome is None or AFTER[outcome] in html
    return "Nothing was decided", asks


@pytest.mark.parametrize("path", DAYS, ids=[path.stem for path in DAYS])
def test_a_day_of_the_feed_is_shown_as_its_file_expects(
    path: Any, observatory: Observatory, event: Event, organiser: User
) -> None:
    day, desk = read_feed_day(path), Desk(organiser)
    awaited = {datetime.fromisoformat(one["at"]): one for one in day.expect}
    wrong = []
    for at in sorted({said.at for said in day.looks} | set(awaited)):
        said = day.at(at)
        observatory.now, observatory.payload, observatory.mode = at, said.payload or {}, said.broken or "payload"
        with when(at):
            assert desk.post("look_at_sky", do="feed").status_code == 302
            if at in awaited:
                html, one = desk.page(), awaited[at]
                told = (*shown(html), marks(html))
                due = (*expected(html, at, one), sorted(str(words_of_signal(code).name) for code in one["in_force"]))
                if told != due:
                    wrong.append((f"{at:%H:%M}", told, due))
    assert wrong == []


# Slow, a refusal, half a document, another type, fifty megabytes; the adapter's own tests have every other way.
@pytest.mark.parametrize("mode", ["trickle", "500", "half", "wrong_type", "large"])
def test_an_observatory_that_misbehaves_is_told_of_and_never_taken_for_clear(
    mode: str, observatory: Observatory, event: Event, organiser: User
) -> None:
    desk = Desk(organiser)
    observatory.now, observatory.mode = moment("10:01"), mode
    with when("10:01"):
        answer = desk.client.post(
            "/desk/hk-2026/weather/2026-03-28/look/", {"do": "feed"}, headers={"Accept-Language": "en"}, follow=True
        )
        html = squeezed(answer.content.decode())
    assert "The Observatory could not be read: " in html
    assert shown(html) == ("Not known: somebody must look", True)
    assert WeatherSignal.objects.count() == 0


def test_when_nobody_looked_since_the_deadline_stands_beside_the_decision(
    observatory: Observatory, event: Event, organiser: User
) -> None:
    desk = Desk(organiser)
    for clock in ("10:02", "11:58"):
        observatory.now = moment(clock)
        with when(clock):
            desk.post("look_at_sky", do="feed")
    with when("11:58"):
        html = desk.page()
    assert "Nobody looked from 10:02 to 11:58: a signal may have come and gone." in html


def test_of_a_signal_of_which_only_the_end_was_seen_the_page_asks_which_it_was(
    observatory: Observatory, event: Event, organiser: User
) -> None:
    desk, ended = Desk(organiser), moment("10:05").isoformat()
    observatory.now = moment("10:30")
    observatory.payload = {"WRAIN": {"code": "CANCEL", "actionCode": "CANCEL", "updateTime": ended}}
    with when("10:30"):
        desk.post("look_at_sky", do="feed")
        html = desk.page()
    assert shown(html) == ("Not known: somebody must look", False)
    assert "A signal ended at 10:05 that nobody had seen in force (line 1)" in html
    assert '/desk/hk-2026/weather/2026-03-28/signals/?about=1">Enter it…' in html
    with when("10:31"):
        desk.enter("WRAINA", "09:00", "10:05", about="1")
        assert shown(desk.page()) == ("The rule says: going ahead", False)
