"""An event made from nothing in Chromium: an empty installation, one command, then pages, also without script."""

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_fits
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.devices.models.pin import RefereePin
from tournament.setup.queries import sessions_of_first_stage

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FACTS = {
    "賽事中文名稱": "魔力橋公開賽",
    "賽事英文名稱": "Rummikub Open",
    "中文地點": "荃灣南豐紗廠",
    "英文地點": "The Mills, Tsuen Wan",
    "網址名稱": "open-2027",
}


def first_account() -> str:
    """Make the installation's first account; the password that the command prints."""
    said = StringIO()
    call_command("create_organiser", "chan", name="陳主任", stdout=said)
    return re.findall(r"\w{4}(?:-\w{4}){3}", said.getvalue())[0]


def page_of(browser: Browser, live_server: Any, password: str, **options: Any) -> Page:
    """A browser of the first account, signed in through the door."""
    page = browser.new_context(locale="zh-HK", **options).new_page()
    page.goto(f"{live_server.url}/sign-in/")
    page.get_by_label("用戶名稱").fill("chan")
    page.get_by_label("密碼").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/")
    return page


def make_event(page: Page) -> None:
    """From the empty desk to an event of eight sessions; what is missing is told first, and nothing typed is lost."""
    page.get_by_role("link", name="開設賽事").first.click()
    for label, text in FACTS.items():
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_label("每場枱數").fill("10")
    page.get_by_label("晉級人數 (R37)").fill("40")
    page.get_by_role("button", name="開設賽事").click()
    expect(page.get_by_text("賽事尚未開設")).to_be_visible()
    assert page.get_by_label("賽事中文名稱").input_value() == "魔力橋公開賽"
    for label, day in (("第 1 天", "2027-03-27"), ("第 2 天", "2027-04-05"), ("公佈日期 (R9)", "2027-04-10")):
        page.get_by_label(label, exact=True).fill(day)
    page.get_by_label("個人資料保留至").fill("2027-07-31")
    page.get_by_label("個人資料保留至").press("Enter")
    page.wait_for_url("**/desk/open-2027/setup/")


def test_an_event_is_made_from_nothing(browser: Browser, live_server: Any) -> None:
    page = page_of(browser, live_server, first_account(), viewport={"width": 1280, "height": 800})
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    expect(page.get_by_text("尚未有賽事")).to_be_visible()
    make_event(page)
    event = Event.objects.get()
    assert [session.code for session in sessions_of_first_stage(event)][::4] == ["0327-1", "0405-1"]
    assert (event.quota, event.name_zh) == (320, "魔力橋公開賽")

    page.get_by_role("link", name="更改賽規").click()
    page.get_by_label("時間到").select_option("raw")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="預覽賽規頁").click()
    expect(opened.value.get_by_text("預覽：這些賽規尚未儲存。")).to_be_visible()
    opened.value.close()
    page.get_by_role("button", name="儲存賽規").click()
    page.wait_for_url("**/setup/")
    assert event.stages.get().ruleset == {"base": "hk-2026", "time_up_scoring": "raw"}

    page.get_by_role("link", name="更改場次").click()
    page.locator("#day_day").fill("2027-04-06")
    page.locator("#day_sessions").fill("2")
    page.get_by_role("button", name="加入這天的場次").click()
    expect(page.get_by_role("rowheader", name="4 月 6 日第二場")).to_be_visible()
    assert len(sessions_of_first_stage(event)) == 10

    page.goto(f"{live_server.url}/desk/open-2027/")
    page.get_by_role("link", name="帳戶").click()
    page.get_by_label("用戶名稱").fill("wong")
    page.get_by_label("顯示名稱").fill("黃評審")
    page.get_by_label("評審員").check()
    page.get_by_role("button", name="加入帳戶").click()
    initial = page.locator(".password").inner_text()
    page.get_by_role("link", name="wong").click()
    expect(page.get_by_text(initial)).to_have_count(0)
    page.get_by_label("新 PIN").fill("5093")
    page.get_by_label("再輸入一次").fill("5093")
    page.get_by_role("button", name="設定 PIN").click()
    expect(page.get_by_text("已設定 wong 的 PIN。")).to_be_visible()
    assert RefereePin.objects.get().user.username == "wong"

    assert page.request.get(f"{live_server.url}/p/open-2027/").status == 404
    page.goto(f"{live_server.url}/desk/open-2027/setup/")
    with page.expect_navigation():
        page.get_by_role("button", name="公開賽事").click()
    page.goto(f"{live_server.url}/p/open-2027/")
    expect(page.get_by_text("魔力橋公開賽").first).to_be_visible()
    actors = AuditEntry.objects.filter(event=event).values_list("action", "actor__username")
    assert sorted(set(actors)) == [
        ("announce_event", "chan"),
        ("change_rules", "chan"),
        ("change_sessions", "chan"),
        ("create_event", "chan"),
        ("grant_role", "chan"),
        ("set_pin", "chan"),
    ]
    assert faults == []


def test_the_pages_need_no_script_and_fit_every_screen(browser: Browser, live_server: Any) -> None:
    page = page_of(browser, live_server, first_account(), java_script_enabled=False)
    make_event(page)
    pages = ("setup/", "setup/event/", "setup/sessions/", "setup/rules/", "setup/copy/", "accounts/")
    for name in pages:
        page.goto(f"{live_server.url}/desk/open-2027/{name}")
        assert_fits(page)


def test_a_session_is_moved_by_the_keyboard_alone(browser: Browser, live_server: Any) -> None:
    page = page_of(browser, live_server, first_account())
    make_event(page)
    page.goto(f"{live_server.url}/desk/open-2027/setup/sessions/")
    first = sessions_of_first_stage(Event.objects.get())[0]
    page.locator(f"#id_s{first.pk}-tables").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("8")
    page.keyboard.press("Tab")
    page.keyboard.type("32")
    page.keyboard.press("Enter")
    page.wait_for_load_state()
    expect(page.get_by_text("已儲存場次。")).to_be_visible()
    moved = sessions_of_first_stage(Event.objects.get())[0]
    assert (moved.table_count, moved.capacity) == (8, 32)
