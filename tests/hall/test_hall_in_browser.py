"""The hall's clock in browsers: whose own clock is wrong, whose network is gone, on a projector and in the hand."""

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import assert_no_wider
from tests.conftest import account, event_data
from tests.hall.hall_day import note_clock, set_hours
from tests.sheets.tables import settle
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.setup.services import setup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HALF_A_SECOND, MINUTE = 500, 60_000
TIME_NOW = "() => module('js/hall/page.js').then((page) => page.time.now())"
PATIENT = 60_000
# What the page shows of a session of which everybody has to be seated in so many milliseconds.
AT_THE_DOOR = """(left) => module('js/hall/phases.js').then(({ shownAt }) => {
  const now = 1e12, seating = now + left;
  const hours = { check_in: now - 1, seating, play: seating + 9e5, planned_end: seating + 5e6 };
  const session = { ...hours, tables: [], left: null };
  return shownAt({ sessions: [session] }, now).sentence;
})"""
MARKS = "(asked) => module('js/hall/phases.js').then(({ marksPassed }) => marksPassed(...asked))"


@pytest.fixture
def organiser(browser: Browser) -> User:
    return account(setup.create_event(event_data()), Role.ORGANISER)


@pytest.fixture
def playing(organiser: User) -> Session:
    """The first session has been played for twenty minutes, its twelfth table may play three minutes longer."""
    session = Session.objects.select_related("stage__event").get(stage__event__slug="hk-2026", number=1)
    tables = settle(session, organiser, [4] * 14)
    begun = timezone.now() - timedelta(minutes=20)
    set_hours(session, begun)
    note_clock(session, organiser, "start", begun)
    note_clock(session, organiser, "overtime", begun, tables[11], 3)
    return session


def opened(context: BrowserContext, url: str) -> tuple[Page, list[str]]:
    """A window of the hall once it has heard the server again, and what goes wrong in it."""
    page, complaints = context.new_page(), list[str]()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{url}/hall/hk-2026/")
    expect(page.locator("[data-network]")).to_contain_text("時鐘已對準", timeout=PATIENT)
    page.wait_for_event("requestfinished", lambda request: request.url.endswith("/now.json"), timeout=PATIENT)
    return page, complaints


def time_error(page: Page, ahead: int = 0) -> float:
    """By how much the page is beside the server, in milliseconds; 0 within the time that the question took."""
    before = time.time() * 1000 + ahead
    shown = page.evaluate(TIME_NOW)
    after = time.time() * 1000 + ahead
    return max(before - shown, shown - after, 0.0)


def test_browsers_whose_clocks_are_wrong_by_hours_count_with_the_server(
    browser: Browser, live_server: Any, playing: Session
) -> None:
    for hours in (0, 3, -3):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.clock.install(time=timezone.now() + timedelta(hours=hours))
        page, complaints = opened(context, live_server.url)
        assert (time_error(page) < HALF_A_SECOND, complaints) == (True, []), hours
        expect(page.locator("[data-say]")).to_contain_text("比賽進行中")
        context.close()


def test_a_page_without_network_for_ten_minutes_counts_on_and_says_so(
    browser: Browser, live_server: Any, playing: Session
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.clock.install()
    page, complaints = opened(context, live_server.url)
    context.set_offline(True)
    page.clock.fast_forward(10 * MINUTE)
    expect(page.locator("[data-network]")).to_contain_text("網絡中斷·時鐘照走", timeout=PATIENT)
    assert time_error(page, ahead=10 * MINUTE) < HALF_A_SECOND
    expect(page.locator("[data-digits]")).to_have_text(re.compile(r"^2[89]\d\d$"))
    context.set_offline(False)
    expect(page.locator("[data-network]")).to_contain_text("時鐘已對準", timeout=PATIENT)
    assert complaints == []


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (390, 844), (320, 640)])
@pytest.mark.parametrize("path", ["", "en/"])
def test_it_fits_a_projector_and_a_phone(
    browser: Browser, live_server: Any, playing: Session, width: int, height: int, path: str
) -> None:
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.goto(f"{live_server.url}/hall/hk-2026/{path}")
    expect(page.locator("[data-digits] .tile")).to_have_count(4)
    assert_no_wider(page, width)
    if width >= 900:
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    else:
        seen = {lang: page.locator(f"[data-say] [lang={lang}]").is_visible() for lang in ("en", "zh-Hant-HK")}
        assert seen == {"en": path == "en/", "zh-Hant-HK": path == ""}


def test_at_the_door_the_last_calls_come_ten_and_five_minutes_before_the_seating_time(
    browser: Browser, live_server: Any, playing: Session
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page, complaints = opened(context, live_server.url)
    left = [10 * MINUTE + 1, 10 * MINUTE, 5 * MINUTE + 1, 5 * MINUTE, 1, 0]
    said = ["check_in", "call_ten", "call_ten", "call_five", "call_five", "seating"]
    assert [page.evaluate(AT_THE_DOOR, ms) for ms in left] == said
    passed = [
        (["check_in", 10 * MINUTE + 200, 10 * MINUTE], ["call"]),
        (["check_in", 5 * MINUTE + 200, 5 * MINUTE], ["call"]),
        (["check_in", MINUTE + 200, MINUTE], []),
        (["check_in", 20 * MINUTE, 10 * MINUTE], []),
        (["play", 10 * MINUTE + 200, 10 * MINUTE], ["ten"]),
        (["play", 200, 0], ["end"]),
        (["seating", 10 * MINUTE + 200, 10 * MINUTE], []),
    ]
    assert [page.evaluate(MARKS, asked) for asked, _sounds in passed] == [sounds for _asked, sounds in passed]
    assert complaints == []
