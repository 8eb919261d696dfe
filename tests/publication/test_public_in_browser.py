"""The public ranking in Chromium: found by number, nothing wider than a phone, whole without script."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_no_wider
from tests.conftest import event_data
from tests.sheets.sheets import mirrored_tables
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.publication.services.release import release_results
from tournament.setup.services import setup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def released(browser: Browser) -> None:
    """A release of eight entrants, four of whom advance."""
    event = setup.create_event(event_data())
    organiser: User = accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    session = event.stages.get().sessions.get(number=1)
    mirrored_tables(session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now())
    session.stage.event.refresh_from_db()
    release_results(session.stage, by=organiser)


def open_page(browser: Browser, url: str, *, width: int = 390, **options: Any) -> tuple[Page, list[str]]:
    """A page of its own, and what its console complains of: a breach of the content policy would stand there."""
    page = browser.new_context(viewport={"width": width, "height": 844}, **options).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(url)
    return page, complaints


def test_a_number_is_found_however_it_is_typed_and_stays_in_the_address(browser: Browser, live_server: Any) -> None:
    page, complaints = open_page(browser, f"{live_server.url}/p/hk-2026/")
    page.get_by_label("參賽者編號").fill("６")
    page.keyboard.press("Enter")
    expect(page.locator("tr.me")).to_have_count(1)
    expect(page.locator("tr.me")).to_contain_text("（我）")
    expect(page.get_by_role("link", name="我 3=")).to_have_attribute("href", "#n0006")
    expect(page.get_by_role("status")).to_have_text("第 3= 名，晉級線以上。")
    expect(page).to_have_url(f"{live_server.url}/p/hk-2026/#n0006")
    page.reload()
    expect(page.locator("tr.me")).to_contain_text("0006")
    assert complaints == []


def test_a_number_that_is_not_there_is_told(browser: Browser, live_server: Any) -> None:
    page, _complaints = open_page(browser, f"{live_server.url}/p/hk-2026/en/")
    page.get_by_label("Entrant's number").fill("99")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("There is no number 0099 in this ranking.")
    expect(page.locator("tr.me")).to_have_count(0)


def test_without_script_an_address_with_a_number_marks_its_row(browser: Browser, live_server: Any) -> None:
    page, _complaints = open_page(browser, f"{live_server.url}/p/hk-2026/#n0003", java_script_enabled=False)
    blue = "rgb(226, 235, 248)"
    expect(page.locator("#n0003 td").first).to_have_css("background-color", blue)
    expect(page.locator("form[role=search]")).to_be_hidden()
    expect(page.get_by_role("link", name="線 4")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 1024, 1280])
def test_nothing_is_wider_than_the_window(browser: Browser, live_server: Any, width: int) -> None:
    for path in ("/p/", "/p/hk-2026/", "/p/hk-2026/en/", "/p/hk-2026/1/", "/p/nothing"):
        page, _complaints = open_page(browser, f"{live_server.url}{path}", width=width)
        assert_no_wider(page, width)
        page.context.close()


def test_the_switch_leads_to_the_same_page_in_the_other_language(browser: Browser, live_server: Any) -> None:
    page, _complaints = open_page(browser, f"{live_server.url}/p/hk-2026/1/")
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(f"{live_server.url}/p/hk-2026/1/en/")
    page.get_by_role("link", name="中文").click()
    expect(page).to_have_url(f"{live_server.url}/p/hk-2026/1/")
