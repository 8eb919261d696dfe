"""The day's decision watched in Chromium: what changes comes by itself, what is being typed stays, the time runs."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.browser import window_of
from tests.day.weather_pages import day_of, event_with, observe
from tournament.weather.adapters import FeedEntry

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_watched_page_shows_a_new_signal_keeps_what_is_typed_and_counts_down(
    browser: Browser, live_server: Any
) -> None:
    now = timezone.now()
    event = event_with("watched-2026", now + timedelta(minutes=140))
    observe(event, now - timedelta(seconds=20))
    page = window_of(browser, live_server.url, User.objects.get(username="organiser"))
    page.goto(f"{live_server.url}/desk/{event.slug}/weather/{day_of(event)}/")
    before = page.locator("[role=timer]").inner_text()
    page.locator(".override summary").click()
    page.locator("#decide-reason").fill("水浸")
    black = FeedEntry("WRAIN", "WRAINB", "ISSUE", now - timedelta(minutes=1), now - timedelta(minutes=1))
    observe(event, timezone.now(), black)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".decision .sig.black")).to_contain_text("黑色暴雨警告 生效中")
    expect(page.locator(".decision h2")).to_contain_text("停賽")
    expect(page.locator("#decide-reason")).to_have_value("水浸")
    expect(page.locator("#decide-reason")).to_be_focused()
    expect(page.locator("[role=timer]")).not_to_have_text(before)
    assert before.startswith("00:")
