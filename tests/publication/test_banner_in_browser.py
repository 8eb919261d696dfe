"""The banner on a phone: up in both languages, down again, and nothing broken by whatever stands in its place."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_no_wider
from tests.conftest import event_data
from tests.mail.noticed import told
from tournament.accounts.services import accounts
from tournament.core.enums import BannerTone, Role
from tournament.core.models.event import Event
from tournament.mail.services import notices
from tournament.messages.models import Notice
from tournament.publication.services.files import write_public_files
from tournament.setup.services import setup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BANNER = "**/banner.json"


@pytest.fixture
def organiser(browser: Browser) -> User:
    """The event's organiser; its public files are written."""
    event = setup.create_event(event_data())
    write_public_files(event)
    return accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])


@pytest.fixture
def notice(organiser: User) -> Notice:
    return told(Event.objects.get(), organiser)


def phone(browser: Browser, width: int = 390) -> tuple[Page, list[str]]:
    """A window, and what goes wrong in it."""
    page = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    return page, complaints


def test_it_says_in_both_languages_what_to_do_and_leads_to_its_notice(
    browser: Browser, live_server: Any, notice: Notice
) -> None:
    page, complaints = phone(browser, 320)
    page.goto(f"{live_server.url}/p/hk-2026/")
    banner = page.locator("#banner")
    expect(banner).to_have_class("banner wait")
    expect(banner.locator("b")).to_have_text("3 月 28 日（星期六）比賽待定·黑雨生效中")
    expect(banner).to_contain_text("請先留在家中，等候下一則通告。")
    expect(banner.locator("[lang=en]")).to_contain_text("pending, black rain in force. We decide at 10:00")
    assert_no_wider(page, 320)
    banner.get_by_role("link", name="通告 1").click()
    expect(page).to_have_url(f"{live_server.url}/p/hk-2026/notices/1/")
    expect(page.get_by_role("heading", level=1)).to_have_text(notice.title_zh)
    expect(page.locator("#banner")).to_be_empty()
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(notice.title_en)
    assert complaints == []


def test_it_goes_when_it_is_taken_down_and_an_open_page_follows(
    browser: Browser, live_server: Any, notice: Notice, organiser: User
) -> None:
    page, complaints = phone(browser)
    page.clock.install()
    page.goto(f"{live_server.url}/p/hk-2026/en/")
    expect(page.locator("#banner").get_by_role("link", name="Notice 1")).to_be_visible()
    notices.take_down_banner(notice, by=organiser)
    page.clock.fast_forward(90_000)
    expect(page.locator("#banner")).to_be_empty()
    told(notice.event, organiser, title_zh="3 月 28 日停賽", tone=BannerTone.STOP)
    page.clock.fast_forward(90_000)
    expect(page.locator("#banner")).to_have_class("banner stop")
    assert complaints == []


BROKEN = (
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"banner": 7}',
    '{"banner": []}',
    json.dumps({"banner": {"number": 1, "tone": "loud", "title_zh": "x"}}),
)


def test_whatever_stands_in_its_place_shows_nothing_and_breaks_nothing(
    browser: Browser, live_server: Any, organiser: User
) -> None:
    page, complaints = phone(browser)
    answers = [{"body": body, "content_type": "application/json"} for body in BROKEN]
    evil = {
        "number": 1,
        "tone": "stop",
        "title_zh": "<img src=x onerror=alert(1)>",
        "title_en": "",
        "lead_zh": "",
        "lead_en": "",
        "url": "javascript:alert(1)",
        "url_en": "https://evil.example/p/a/notices/1/",
    }
    answers.append({"body": json.dumps({"banner": evil}), "content_type": "application/json"})
    for answer in answers:
        page.route(BANNER, lambda route, _request, answer=answer: route.fulfill(**answer))
        with page.expect_response(BANNER):
            page.goto(f"{live_server.url}/p/hk-2026/")
        expect(page.locator("#banner")).to_be_empty()
        page.unroute(BANNER)
    assert complaints == []


def test_what_it_says_is_text_and_never_markup(browser: Browser, live_server: Any, organiser: User) -> None:
    told(Event.objects.get(), organiser, title_zh="<b>停賽</b><script>alert(1)</script>")
    page, complaints = phone(browser)
    page.goto(f"{live_server.url}/p/hk-2026/")
    expect(page.locator("#banner").locator("b")).to_have_text("<b>停賽</b><script>alert(1)</script>")
    assert complaints == []


def test_without_network_the_page_stands_and_the_banner_that_was_up_stays(
    browser: Browser, live_server: Any, notice: Notice
) -> None:
    page, _complaints = phone(browser)
    page.clock.install()
    page.goto(f"{live_server.url}/p/hk-2026/")
    expect(page.locator("#banner")).to_have_class("banner wait")
    page.route(BANNER, lambda route: route.abort())
    page.clock.fast_forward(90_000)
    expect(page.locator("#banner").locator("b")).to_have_text(notice.title_zh)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("#banner")).to_be_empty()


def test_without_script_a_plain_link_leads_to_the_notices(browser: Browser, live_server: Any, notice: Notice) -> None:
    page = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{live_server.url}/p/hk-2026/")
    page.get_by_role("link", name="通告", exact=True).click()
    page.get_by_role("link", name=notice.title_zh).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(notice.title_zh)
