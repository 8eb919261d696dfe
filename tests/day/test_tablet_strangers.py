"""What stands between a tablet and its server may answer as it likes: its own page and its token stay what they are.
And the token is there again where the browser died before it had written its cookie."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, expect

from tests.browser import kill_browser_of
from tests.day.tablet_page import LONG, TabletPage
from tests.day.test_tablet_faults import Hall
from tests.reliability.outbox import Hand
from tests.reliability.proxy import Fault
from tests.reliability.tablets import wait_for
from tournament.devices.models.device import Device
from tournament.sheets.models.conduct import JudgeCall

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = '[data-table="1"]'


@pytest.fixture
def two_sessions(live_server: Any, chromium: Browser, tmp_path: Path, settings: Any) -> Iterator[Hall]:
    """Two sessions that are played, nobody paired yet."""
    settings.ALLOWED_HOSTS = ["*"]
    made = Hall(live_server.thread.port, chromium, tmp_path)
    yield made
    made.close()


def killed(hand: Hand) -> None:
    """One second later, and opened again."""
    hand.page.wait_for_timeout(1000)
    kill_browser_of(hand.profile)
    with suppress(Error):
        hand.context.close()
    hand.open()


@pytest.mark.fault("X31")
def test_a_tablet_that_is_killed_a_second_after_pairing_or_going_on_is_who_it_was(two_sessions: Hall) -> None:
    hand = two_sessions.tablet(session=1)
    killed(hand)
    hand.is_recorded()
    hand.call(1, "after the first kill")
    hand.is_recorded()
    hand.page.locator("[data-menu]").click()
    hand.page.get_by_role("button", name="On to").click()
    assert wait_for(lambda: Device.objects.count() == 2, 30)
    killed(hand)
    hand.is_recorded()
    hand.call(1, "after the second kill")
    hand.is_recorded()
    calls = JudgeCall.objects.order_by("pk").values_list("reason", "table__session__number")
    assert list(calls) == [("after the first kill", 1), ("after the second kill", 2)]
    assert Device.objects.count() == 2


@pytest.mark.fault("X32")
def test_neither_a_gateway_nor_a_portal_is_shown_or_kept_in_place_of_the_tablet(two_sessions: Hall) -> None:
    hand = two_sessions.tablet(session=1)
    for fault in (Fault.BAD_GATEWAY, Fault.PORTAL, Fault.DROP_REQUEST):
        hand.proxy.draw = lambda path, fault=fault: (fault, 0.1)  # type: ignore[method-assign]
        hand.page.reload()
        hand.page.wait_for_selector(TABLE)
    del hand.proxy.draw
    hand.page.reload()
    hand.is_recorded()


@pytest.mark.fault("X39")
def test_a_stranger_who_answers_401_does_not_end_the_tablet(tablet: TabletPage) -> None:
    stranger = {"code": "login", "detail": "Sign in to this Wi-Fi."}
    tablet.answer_with(lambda route: route.fulfill(status=401, json=stranger))
    tablet.page.evaluate("dispatchEvent(new Event('online'))")
    expect(tablet.network).to_contain_text("離線", timeout=LONG)
    assert stranger["detail"] not in tablet.page.locator("body").inner_text()
    tablet.regain()
    expect(tablet.network).to_contain_text("全部已記錄", timeout=LONG)
