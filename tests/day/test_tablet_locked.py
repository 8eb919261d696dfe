"""A tablet that locked itself, in Chromium: in the players' hands, without network. What was made while it was locked
is held for a person, what was made before and after is recorded."""

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.day.tablet_page import GAME, LONG, WINDOW, Hall, TabletPage
from tests.day.test_tablet_hands import hand_out
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.sheets.models.scoresheet import Scoresheet

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IDLE = timedelta(minutes=3)


@pytest.fixture
def left(hall: Hall, browser: Browser) -> TabletPage:
    """A tablet whose time a test moves on."""
    context: BrowserContext = browser.new_context(**WINDOW)
    context.clock.install()
    return TabletPage(context).open(hall.address())


def leave(tablet: TabletPage) -> None:
    """Nobody touches it for more than three minutes."""
    tablet.context.clock.fast_forward("03:06")


def sign_all(tablet: TabletPage) -> None:
    """All four, who have the tablet in hand."""
    for letter in "ABCD":
        tablet.panel(1).sign(letter)


def settled(tablet: TabletPage, held: list[tuple[str, str]], sheets: list[tuple[int, int, str]]) -> None:
    """What the server holds, and its sheets: table, revision, state."""

    wanted = (held, sheets)
    found = None
    for _ in range(LONG // 50):
        items = list(QuarantinedSubmission.objects.order_by("pk").values_list("act", "because"))
        rows = Scoresheet.objects.order_by("table__number").values_list("table__number", "revision", "state")
        found = (items, list(rows))
        if found == wanted:
            break
        tablet.page.wait_for_timeout(50)
    assert found == wanted


def test_what_is_signed_on_a_tablet_that_was_left_alone_waits_for_the_chief_judge(left: TabletPage) -> None:
    hand_out(left)
    before = Device.objects.get()
    leave(left)
    expect(left.screen).to_contain_text("此平板已有三分鐘無人使用", timeout=LONG)
    left.waits_until(lambda: Device.objects.get().locked_at is not None, "the server was not told of the lock")
    device = Device.objects.get()
    assert (device.opened_by, device.handed_out) == (None, before.handed_out)
    sign_all(left)
    settled(left, [("package", "locked")], [(1, 3, "draft")])


def test_a_lock_without_network_is_told_before_what_was_signed_after_it(left: TabletPage) -> None:
    hand_out(left)
    left.lose()
    leave(left)
    sign_all(left)
    left.regain()
    settled(left, [("package", "locked")], [(1, 3, "draft")])
    device = Device.objects.get()
    assert device.locked_at is not None and device.locked_at - device.paired_at < IDLE + timedelta(minutes=1)


def test_what_was_signed_before_the_lock_is_recorded_whenever_the_network_comes(left: TabletPage) -> None:
    hand_out(left)
    left.lose()
    sign_all(left)
    expect(left.network).to_contain_text("1 項待送", timeout=LONG)
    leave(left)
    left.regain()
    settled(left, [], [(1, 6, "signed")])


@pytest.mark.parametrize("again", ["reloaded", "open"])
def test_without_network_only_what_was_made_between_the_lock_and_the_pin_is_held(left: TabletPage, again: str) -> None:
    hand_out(left)
    left.lose()
    leave(left)
    sign_all(left)
    left.press("交回評審員")
    left.type_pin()
    left.panel(2).game("rummikub", "B", GAME)
    if again == "reloaded":
        left.page.reload()
    left.regain()
    if again == "reloaded":  # the page knows the PIN no more
        expect(left.screen).to_contain_text("取回平板", timeout=LONG)
        left.type_pin()
    settled(left, [("package", "locked")], [(1, 3, "draft"), (2, 1, "draft")])


def test_a_table_without_network_that_was_left_several_times_loses_nothing_to_the_desk(left: TabletPage) -> None:
    left.lose()
    for letter in "BAC":
        leave(left)
        left.type_pin()
        left.panel(1).game("rummikub", letter, GAME)
    left.regain()
    settled(left, [], [(1, 3, "draft")])
