"""What a tablet's page says, and what one can do, where the server does not take something or somebody."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.day.tablet_page import GAME, LONG, WINDOW, Hall, TabletPage
from tests.tablets.tablet_caller import give_tables
from tournament.core.enums import Role
from tournament.devices.models.device import Device, PinTry, QuarantinedSubmission
from tournament.devices.services import devices, pin
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.tablets.services import sheets

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What this browser keeps of the state that the server told it.
KEPT_STATE = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("tablet hk-2026");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const asked = opening.result.transaction("facts").objectStore("facts").get("state");
        asked.onsuccess = () => resolve(JSON.stringify(asked.result.value));
    };
})"""
TOUCHED = "() => addEventListener('pointerdown', () => { window.touchedAt ??= performance.now(); }, true)"
ASKED_AFTER = """() => performance.getEntriesByType("resource")
    .filter((one) => one.name.endsWith("/state/") && one.startTime >= window.touchedAt)
    .map((one) => one.startTime - window.touchedAt)[0]"""


def save_elsewhere(hall: Hall, table: int) -> Scoresheet:
    """Somebody else saves the table's sheet: the pool was empty in its first game."""
    typed = empty_typed_sheet(3)
    typed["games"][0]["ended_by"] = "pool"
    row = Table.objects.get(session=hall.session(1), number=table)
    key = f"elsewhere-{table}"
    return sheets.save_tablet_sheet(row, revision=0, typed=typed, confirmations={}, by=hall.organiser, request_key=key)


def ending(table: int) -> Any:
    """How the first game ended by what the server has."""
    return Scoresheet.objects.get(table__number=table).typed["games"][0]["ended_by"]


def test_on_a_phone_too_what_needs_somebody_stands_above_the_tables(hall: Hall, browser: Browser) -> None:
    window = {**WINDOW, "viewport": {"width": 390, "height": 844}}
    tablet = TabletPage(browser.new_context(**window)).open(hall.address())
    tablet.lose()
    tablet.panel(2).game("rummikub", "B", GAME)
    save_elsewhere(hall, 2)
    tablet.panel(1).press("end", how="rummikub", letter="B")  # typing goes on at the other table
    tablet.page.evaluate("scrollTo(0, 0)")
    tablet.regain()
    told = tablet.page.locator("[data-notices] .note.stop")
    expect(told).to_contain_text("要處理：1", timeout=LONG)
    expect(told).to_contain_text("枱 2")
    expect(told).to_be_in_viewport(ratio=1)
    box, table = told.bounding_box(), tablet.panel(1).element.bounding_box()
    assert box is not None and table is not None and box["y"] + box["height"] <= table["y"]
    told.get_by_role("button").click()
    expect(tablet.page.locator("#dialog .items li").first).to_contain_text("另有人改了這張計分紙")


def test_what_the_server_refuses_stays_for_a_person_who_compares_and_chooses(hall: Hall, tablet: TabletPage) -> None:
    tablet.lose()
    for table in (1, 2):
        tablet.panel(table).game("rummikub", "B", GAME)
        save_elsewhere(hall, table)
    tablet.regain()
    expect(tablet.network).to_have_text("要處理：2伺服器沒有接收", timeout=LONG)
    first, second = (tablet.panel(table).element for table in (1, 2))
    expect(first.locator(".note.stop")).to_contain_text("所填的沒有丟失")
    expect(first.locator('[data-act="game"] small').first).to_have_text("未接收")
    tablet.waits_until(lambda: Device.objects.get().waiting == 2, "the desk is not told of what was refused")
    assert '<span class="badge wait">2</span>' in hall.board("tablets/list/")
    assert "2 項未送出" in hall.board("scoresheets/1/clock/")

    dialog = tablet.page.locator("#dialog")
    tablet.panel(1).press("settle")
    mine = dialog.locator("li[data-item]", has_text="枱 1")
    expect(mine.locator(".differs")).to_contain_text("第 1 局 如何完結：此平板 魔力橋，伺服器 抽牌區空。")
    mine.get_by_role("button", name="用我的覆蓋伺服器的").click()
    expect(dialog.locator("li[data-item]", has_text="枱 1").locator(".badge")).to_have_text("已記錄", timeout=LONG)
    theirs = dialog.locator("li[data-item]", has_text="枱 2")
    theirs.get_by_role("button", name="擱置我的").click()
    theirs.get_by_role("button", name="確定擱置").click()
    dialog.get_by_role("button", name="關閉").click()
    expect(tablet.network).to_contain_text("全部已記錄", timeout=LONG)
    assert [ending(1), ending(2)] == ["rummikub", "pool"]
    tablet.panel(2).press("game", place=0)
    expect(second.locator('.how [aria-pressed="true"]')).to_contain_text("牌抽完")
    tablet.waits_until(lambda: Device.objects.get().waiting == 0, "the desk is not told that nothing waits any more")


def test_after_wrong_pins_it_says_until_when_and_that_another_referee_may_open_it(
    hall: Hall, tablet: TabletPage
) -> None:
    other = hall.account("other", Role.REFEREE)
    give_tables(hall.session(1), other, ())
    until = timezone.now() + timedelta(seconds=pin.PIN_DELAYS_SECONDS[-1])
    PinTry.objects.update_or_create(device=Device.objects.get(), referee=hall.referee, defaults={"locked_until": until})
    tablet.menu("交給另一位評審員")
    tablet.press("referee")
    tablet.type_pin()
    said = tablet.page.locator(".pin .fault")
    expect(said).to_contain_text("PIN 多次不符", timeout=LONG)
    hours = [f"{timezone.localtime(until + timedelta(minutes=more)):%H:%M}" for more in (-1, 0, 1)]
    assert any(hour in said.inner_text() for hour in hours)
    expect(said).to_contain_text("由另一位評審員開啟")
    tablet.press("我是另一位")
    tablet.press("other")
    tablet.type_pin()
    expect(tablet.panel(1).element.locator(".how")).to_be_visible(timeout=LONG)


def test_the_wait_after_wrong_pins_counts_down_and_the_pad_opens_by_itself(hall: Hall, tablet: TabletPage) -> None:
    until = timezone.now() + timedelta(seconds=20)
    waiting = {"device": Device.objects.get(), "referee": hall.referee}
    PinTry.objects.update_or_create(**waiting, defaults={"locked_until": until})
    tablet.menu("交給另一位評審員")
    digit = tablet.page.locator(".pin-keys button").first
    left = tablet.page.locator(".pin [role=timer]")
    tablet.type_pin()
    expect(left).to_have_text(re.compile(r"0:1\d"), timeout=LONG)
    expect(digit).to_be_disabled()
    expect(left).to_have_text(re.compile(r"0:0\d"), timeout=LONG)
    # Nobody presses anything.
    expect(left).to_have_count(0, timeout=LONG)
    expect(digit).to_be_enabled()
    expect(tablet.page.locator(".pin .fault")).to_have_text("")
    tablet.type_pin()
    expect(tablet.panel(1).element.locator(".how")).to_be_visible(timeout=LONG)


def test_a_session_that_the_desk_closed_takes_no_more_and_says_how_to_hand_over(hall: Hall, tablet: TabletPage) -> None:
    tablet.lose("tables/**")
    tablet.panel(1).game("rummikub", "B", GAME)
    clock.move_session(hall.session(1), "close", by=hall.organiser, request_key="close", reason="電掣故障")
    tablet.regain("tables/**")
    expect(tablet.screen).to_contain_text("本場已完結", timeout=LONG)
    expect(tablet.screen).to_contain_text("有 1 項未記錄。請交予大會")
    assert Scoresheet.objects.count() == 0
    tablet.press("交予大會")
    expect(tablet.screen).to_contain_text("已交予大會：1 項", timeout=LONG)
    expect(tablet.screen).to_contain_text("本場不能再在此記錄")
    assert list(QuarantinedSubmission.objects.values_list("act", "table__number", "because")) == [("save", 1, "late")]


def test_a_tablet_that_was_cut_off_says_so_at_a_touch_and_keeps_nobody_s_name(hall: Hall, tablet: TabletPage) -> None:
    page = tablet.page
    expect(tablet.network).to_contain_text("全部已記錄", timeout=LONG)
    page.evaluate(TOUCHED)
    devices.revoke_tablet(Device.objects.get(), reason="遺失", by=hall.organiser)
    page.locator("[data-where]").click()
    expect(tablet.screen).to_contain_text("大會已停用這部平板", timeout=LONG)
    # Asked within a second of the touch, whatever the machine does besides.
    assert 0 <= page.evaluate(ASKED_AFTER) <= 1000
    names = ("陳大文", "CHAN", "referee")
    assert [name for name in names if name in page.locator("body").inner_text()] == []
    assert [name for name in names[:2] if name in page.evaluate(KEPT_STATE)] == []
