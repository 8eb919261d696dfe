"""The winners in Chromium: all of them on one screen of the hall's wall, and nothing wider than a phone."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser

from tests.browser import assert_no_wider
from tests.conftest import event_data
from tests.core.finals import final_played
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.entrants.models.people import Person
from tournament.publication.services.release import release_results
from tournament.setup.services import setup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROJECTORS = ((1280, 800), (1920, 1080))
# What of the wall lies outside the window, by its text.
OUTSIDE = """[...document.querySelectorAll("body *")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
}).map((each) => each.textContent.trim())"""


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("鄭𠮷雄", "CHENG Kat Hung"),
        ("歐陽" * 15, "MUTHUVELAYUTHAM-SUBRAMANIAM " * 3),
        ("", "FERNANDES DE OLIVEIRA " * 4),
    ],
    ids=["usual", "longest", "English alone"],
)
def test_podium_and_award_fit_the_wall_and_a_phone_whatever_the_names(
    browser: Browser, live_server: Any, zh: str, en: str
) -> None:
    event = setup.create_event(event_data())
    organiser: User = accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    final = final_played(event.stages.get().sessions.get(number=1), organiser)
    Person.objects.update(name_zh=zh, name_en=en.strip(), consent_name=True)
    Event.objects.update(results_at=timezone.now())
    final.event.refresh_from_db()
    release_results(final, by=organiser)
    complaints: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    for width, height in PROJECTORS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{live_server.url}/p/hk-2026/wall/")
        assert (page.locator(".name").count(), page.evaluate(OUTSIDE)) == (5, [])
    page.set_viewport_size({"width": 320, "height": 640})
    for address in ("/p/hk-2026/", "/p/hk-2026/en/"):
        page.goto(f"{live_server.url}{address}")
        assert_no_wider(page, 320)
    assert complaints == []
