"""A tablet on bad Wi-Fi in Chromium: offline, reloaded, killed with items waiting; everything recorded once."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import CHROMIUM, kill_browser_of
from tests.day.tablet_page import GAME, LONG, WINDOW, Hall, TabletPage, saves

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_games_entered_offline_outlive_a_reload_and_are_recorded_once(hall: Hall, tablet: TabletPage) -> None:
    page, context = tablet.page, tablet.context
    assert page.url == f"{hall.url}/tablet/hk-2026/"
    expect(tablet.network).to_contain_text("全部已記錄", timeout=LONG)
    page.evaluate("navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 500)))")

    context.set_offline(True)
    # The browser is late in telling a page that is loaded anew that it is offline.
    tablet.lose()
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.panel(2).game("rummikub", "A", GAME)
    tablet.panel(1).game("rummikub", "C", GAME)
    expect(tablet.network).to_contain_text("離線·3 項待送", timeout=LONG)
    assert saves() == []
    page.reload()
    expect(tablet.network).to_contain_text("項待送", timeout=LONG)

    context.set_offline(False)
    tablet.regain()
    tablet.is_recorded([(1, 2), (2, 1)])


def test_a_browser_that_is_killed_with_items_waiting_sends_them_when_it_is_opened_again(
    hall: Hall, chromium: Browser, tmp_path: Path
) -> None:
    kind, settings = chromium.browser_type, CHROMIUM | WINDOW
    # Chromium writes its cookies to disk every half a minute, or when it is closed: so it is closed once when paired.
    paired = kind.launch_persistent_context(tmp_path / "tablet", **settings)
    TabletPage(paired).open(hall.address())
    paired.close()
    context = kind.launch_persistent_context(tmp_path / "tablet", **settings)
    tablet = TabletPage(context)
    tablet.page.goto(f"{hall.url}/tablet/hk-2026/")
    context.set_offline(True)
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.panel(2).game("rummikub", "A", GAME)
    expect(tablet.network).to_contain_text("2 項待送", timeout=LONG)
    kill_browser_of(tmp_path / "tablet")
    assert saves() == []

    again = kind.launch_persistent_context(tmp_path / "tablet", **settings)
    tablet = TabletPage(again)
    tablet.page.goto(f"{hall.url}/tablet/hk-2026/")
    tablet.is_recorded([(1, 1), (2, 1)])
    again.close()
