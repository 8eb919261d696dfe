"""At a table of letters the tablet says that the paper is typed at the desk; calls and the lock work as ever."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.day.tablet_page import WINDOW, TabletPage
from tests.sheets.test_word_table import WordTable
from tests.tablets.tablet_caller import give_tables
from tournament.devices.services import devices
from tournament.sheets.services import clock

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_tablet_says_that_the_sheet_is_typed_at_the_desk_and_shows_the_lock(
    live_server: Any, browser: Browser
) -> None:
    at = WordTable()
    clock.move_session(at.session, "start", by=at.organiser, request_key="start")
    give_tables(at.session, at.people["referee"], (1,))
    code = devices.make_pairing(at.session, at.people["referee"], (1,), by=at.organiser)[1]
    tablet = TabletPage(browser.new_context(**WINDOW))
    faults: list[str] = []
    tablet.page.on("pageerror", lambda fault: faults.append(str(fault)))
    tablet.page.goto(f"{live_server.url}/tablet/{at.event.slug}/#{code}")
    tablet.type_pin()
    panel = tablet.page.locator('[data-table="1"]')
    expect(panel).to_contain_text("此計分紙由服務枱按紙本輸入")
    expect(panel.locator(".how")).to_have_count(0)
    at.certify()
    tablet.page.reload()
    expect(panel).to_contain_text("大會已收妥並鎖定此計分紙")
    assert faults == []
