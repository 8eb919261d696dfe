"""A tablet says what is so: its own disk is full, its clock is wrong, no worker keeps its page; and its English."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.day.tablet_page import GAME, LONG, WINDOW, Hall, TabletPage, saves
from tournament.devices.services.acting import ActingAccount
from tournament.tables.models import Table
from tournament.tablets.services import conduct

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FULL = """
() => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };
  window.room = () => { IDBObjectStore.prototype.put = put; };
}
"""
# As a browser answers whose person has clicked the warning of a certificate away.
NO_WORKER = """
navigator.serviceWorker.register = () => Promise.reject(new DOMException("SSL certificate error", "SecurityError"));
"""

# Every text that is seen, and on how many lines it stands.
LINES = """
(element) => {
  const range = document.createRange();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    const tops = new Set([...range.getClientRects()].map((at) => Math.round(at.top)));
    if (texts.currentNode.textContent.trim()) found.push([texts.currentNode.textContent.trim(), tops.size]);
  }
  return found;
}
"""


@pytest.mark.fault("X35")
def test_what_the_tablet_could_not_keep_is_called_so_in_the_note_and_in_the_bar_until_it_is_recorded(
    tablet: TabletPage,
) -> None:
    panel = tablet.panel(1)
    panel.press("end", how="rummikub", letter="B")
    for value, tiles in GAME:
        panel.rack(value, tiles)
    tablet.page.evaluate(FULL)
    panel.press("record")
    expect(tablet.screen).to_contain_text("此平板未能儲存", timeout=LONG)
    expect(tablet.network).to_contain_text("未能儲存")
    expect(tablet.network).not_to_contain_text("已記錄")
    assert saves() == []
    tablet.page.evaluate("window.room()")
    panel.press("record")
    tablet.is_recorded([(1, 1)])
    expect(tablet.screen).not_to_contain_text("此平板未能儲存")


@pytest.mark.fault("X36")
def test_the_time_beside_a_signature_is_the_server_s_whatever_the_tablet_s_clock_says(
    hall: Hall, browser: Browser
) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install(time=timezone.now() - timedelta(hours=5))
    tablet = TabletPage(context).open(hall.address())
    panel = tablet.panel(1)
    for more, out in enumerate("BAC"):
        panel.game("rummikub", out, [(value + more, tiles) for value, tiles in GAME])
    panel.press("agree")
    hand_out = panel.element.get_by_role("button", name="交給參賽者簽署")
    expect(hand_out).to_have_attribute("aria-disabled", "false", timeout=LONG)
    hand_out.click()
    before = timezone.localtime()
    panel.sign("A")
    said = panel.element.locator(".badge.done").first
    expect(said).to_be_visible(timeout=LONG)
    times = {f"{at:%H:%M}" for at in (before, timezone.localtime())}
    assert any(time in said.inner_text() for time in times), said.inner_text()


@pytest.mark.fault("X38")
def test_a_page_that_no_worker_keeps_does_not_say_that_it_opens_without_network(hall: Hall, browser: Browser) -> None:
    context = browser.new_context(**WINDOW)
    context.add_init_script(NO_WORKER)
    tablet = TabletPage(context)
    tablet.page.goto(hall.address())
    # While the PIN is asked, in red.
    red = tablet.page.locator(".note.stop")
    expect(red).to_contain_text("離線時不能重新開啟本頁", timeout=LONG)
    tablet.type_pin()
    tablet.page.wait_for_selector('[data-table="1"] .how')
    tablet.page.locator("[data-menu]").click()
    expect(tablet.page.locator("#dialog")).to_contain_text("離線時不能重新開啟本頁")


@pytest.mark.fault("X37")
def test_on_a_phone_in_english_a_warning_is_counted_in_words_and_no_word_is_broken(
    hall: Hall, browser: Browser
) -> None:
    table = Table.objects.get(session=hall.session(1), number=1)
    conduct.warn_entrant(table, letter="B", game=1, reason="talking", acting=ActingAccount(hall.organiser, "warned"))
    phone = {**WINDOW, "viewport": {"width": 390, "height": 844}, "locale": "en-GB"}
    tablet = TabletPage(browser.new_context(**phone)).open(hall.address())
    panel = tablet.panel(1)
    panel.press("notes")
    dialog = tablet.page.locator("dialog[open]")
    dialog.get_by_role("button", name="Verbal warning", exact=True).click()
    expect(dialog).to_contain_text("warned once")
    tablet.page.keyboard.press("Escape")
    panel.press("end", how="rummikub", letter="B")
    lines = panel.element.evaluate(LINES)
    assert "Opened" in {text for text, _count in lines}
    assert [text for text, count in lines if count > len(text.split())] == []
