"""One sheet typed in Chromium by the keyboard alone: the order of the paper, live faults, ways out."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.sheets.typing_page import make_clerk, typing_page
from tournament.core.enums import SheetState
from tournament.sheets.models.scoresheet import Scoresheet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROWS = (
    ("r", "0 -14 3 0 -21 5 0 -9 2 1 44 0"),
    ("p", "0 11.5 3 1 11.5 1 0 -12 2 0 -11 4"),
    ("t", "0 32/3 2 0 -32 9 1 32/3 1 1 32/3 1"),
)
TOTALS = "0 49/6 8 1 -41.5 15 1 -31/3 5 2 131/3 5"


@pytest.fixture
def clerk(db: None) -> User:
    """At the event, whose first session is drawn."""
    return make_clerk()


@pytest.fixture
def page(clerk: User, browser: Browser, live_server: Any) -> Iterator[Page]:
    """The typing page of table 1, the clerk signed in."""
    with typing_page(browser, live_server, clerk, "?print=1") as opened:
        yield opened


def type_sheet(page: Page, rows: Any = ROWS) -> int:
    """Type the whole sheet from where the page has put the cursor; how many keys but for the figures."""
    page.keyboard.press("Space")
    keys = 1  # the head of the paper, whose serial was scanned
    for ending, cells in rows:
        page.keyboard.press(ending)
        page.keyboard.press("Enter")
        keys += 2
        for cell in cells.split():
            page.keyboard.type(cell)
            page.keyboard.press("Enter")
            keys += 1
    for cell in TOTALS.split():
        page.keyboard.type(cell)
        page.keyboard.press("Enter")
        keys += 1
    return keys


def test_an_ordinary_sheet_takes_at_most_sixty_keys_beside_its_figures(page: Page) -> None:
    keys = type_sheet(page)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/scoresheets/1/?after=1")
    assert keys + 1 <= 60
    assert Scoresheet.objects.get().state == SheetState.READY


def test_a_fault_shows_while_one_types_and_its_button_mends_it(page: Page) -> None:
    type_sheet(page, (ROWS[0], ("p", ROWS[1][1].replace("-12", "-21")), ROWS[2]))
    expect(page.locator("#submit-word")).to_have_text("交核對（尚有 1 錯）")
    expect(page.locator("[data-submit]")).to_be_disabled()
    page.keyboard.press("F8")
    expect(page.locator("[id='games-1-C-points']")).to_be_focused()
    page.get_by_role("button", name="改為 −12").click()
    expect(page.locator("[data-submit]")).to_be_enabled()
    assert page.locator("[id='games-1-C-points']").input_value() == "-12"


def test_arrows_stay_in_the_column_and_escape_restores_the_cell(page: Page) -> None:
    page.locator("[id='games-0-B-points']").fill("-21")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[id='games-1-B-points']")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.type("99")
    page.keyboard.press("Escape")
    expect(page.locator("[id='games-0-B-points']")).to_have_value("-21")


def test_the_page_needs_no_script_to_keep_a_draft_and_show_its_faults(page: Page) -> None:
    cookies = page.context.cookies()
    with_none = page.context.browser.new_context(java_script_enabled=False, locale="zh-HK")
    with_none.add_cookies(cookies)
    plain = with_none.new_page()
    plain.goto(page.url)
    plain.fill("[id='games-0-A-points']", "-14")
    with plain.expect_navigation():
        plain.get_by_role("button", name="交核對").click()
    expect(plain.locator("[id='games-0-A-points']")).to_have_value("-14")
    expect(plain.get_by_text("尚欠")).to_be_visible()
    assert Scoresheet.objects.get().state == SheetState.DRAFT
