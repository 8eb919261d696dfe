"""A tablet on bad Wi-Fi in Chromium: offline, reloaded, killed with items waiting; everything recorded once."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import CHROMIUM, kill_browser_of
from tests.conftest import event_data
from tests.tournament.api.tablet_caller import PIN, give_tables
from tests.tournament.js.pressing import Panel
from tests.tournament.tables import settle
from tournament.enums import Role, SessionState
from tournament.models import AuditEntry, Scoresheet, Session
from tournament.services import devices, setup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GAME = [(23, 4), (30, 5), (11, 2)]

# A browser beside a busy machine; nothing here takes as long when it is quiet.
LONG = 30_000


@pytest.fixture
def address(live_server: Any) -> str:
    """What the desk's QR code says: the page, and a code for tables 1 and 2 of a session that is being played."""
    event = setup.create_event(event_data())
    organiser = setup.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    referee: User = setup.create_account(event, "referee", "unused-password", "referee", [Role.REFEREE])
    session = event.stages.get().sessions.get(number=1)
    settle(session, organiser, [4, 4])
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    give_tables(session, referee, (1, 2))
    code = devices.make_pairing(session, referee, (1, 2), by=organiser)[1]
    return f"{live_server.url}/tablet/hk-2026/#{code}"


def opened(context: BrowserContext, address: str) -> Page:
    """The tablet, its code shown and its PIN typed."""
    page = context.new_page()
    page.goto(address)
    for digit in PIN:
        page.locator(".pin-keys").get_by_role("button", name=digit, exact=True).click()
    page.locator(".pin-keys .primary").click()
    page.wait_for_selector('[data-table="1"] .how')
    return page


def network(page: Page) -> Any:
    """What the bar says of network and outbox."""
    return page.locator("[data-net]")


def saves() -> list[tuple[str, int]]:
    """Table and revision of every save that the log has."""
    entries = AuditEntry.objects.filter(action="save_scoresheet").order_by("seq")
    assert entries.count() == len(set(entries.values_list("request_key", flat=True)))
    return sorted(Scoresheet.objects.values_list("table__number", "revision"))


def test_games_entered_offline_outlive_a_reload_and_are_recorded_once(
    address: str, browser: Browser, live_server: Any
) -> None:
    context = browser.new_context(viewport={"width": 1024, "height": 768}, locale="zh-HK", has_touch=True)
    page = opened(context, address)
    assert page.url == f"{live_server.url}/tablet/hk-2026/"
    expect(network(page)).to_contain_text("全部已記錄", timeout=LONG)
    page.evaluate("navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 500)))")

    context.set_offline(True)
    # The browser is late in telling a page that is loaded anew that it is offline.
    context.route("**/api/v1/tablet/**", lambda route: route.abort())
    Panel(page, 1).game("rummikub", "B", GAME)
    Panel(page, 2).game("rummikub", "A", GAME)
    Panel(page, 1).game("rummikub", "C", GAME)
    expect(network(page)).to_contain_text("離線·3 項待送", timeout=LONG)
    assert saves() == []
    page.reload()
    expect(network(page)).to_contain_text("項待送", timeout=LONG)

    context.unroute("**/api/v1/tablet/**")
    context.set_offline(False)
    expect(network(page)).to_contain_text("全部已記錄", timeout=LONG)
    assert saves() == [(1, 2), (2, 1)]


def test_a_browser_that_is_killed_with_items_waiting_sends_them_when_it_is_opened_again(
    address: str, chromium: Browser, live_server: Any, tmp_path: Path
) -> None:
    settings = {**CHROMIUM, "viewport": {"width": 1024, "height": 768}, "locale": "zh-HK", "has_touch": True}
    kind = chromium.browser_type
    # Chromium writes its cookies to disk every half a minute, or when it is closed: so it is closed once when paired.
    paired = kind.launch_persistent_context(tmp_path / "tablet", **settings)
    opened(paired, address)
    paired.close()
    context = kind.launch_persistent_context(tmp_path / "tablet", **settings)
    page = context.new_page()
    page.goto(f"{live_server.url}/tablet/hk-2026/")
    page.wait_for_selector('[data-table="1"] .how')
    context.set_offline(True)
    Panel(page, 1).game("rummikub", "B", GAME)
    Panel(page, 2).game("rummikub", "A", GAME)
    expect(network(page)).to_contain_text("2 項待送", timeout=LONG)
    kill_browser_of(tmp_path / "tablet")
    assert saves() == []

    again = kind.launch_persistent_context(tmp_path / "tablet", **settings)
    page = again.new_page()
    page.goto(f"{live_server.url}/tablet/hk-2026/")
    expect(network(page)).to_contain_text("全部已記錄", timeout=LONG)
    assert saves() == [(1, 1), (2, 1)]
    again.close()
