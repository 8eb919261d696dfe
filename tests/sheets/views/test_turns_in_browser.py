"""A sheet of turns is typed without leaving the keyboard, in Chromium; what each turn counts follows."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_fits
from tests.sheets.test_word_table import WordTable
from tests.sheets.typing_page import type_on, typing_page
from tests.sheets.words import JOKERS, TOTALS, TURNS, turn_cells
from tournament.core.enums import SheetState
from tournament.sheets.models.scoresheet import Scoresheet, Turn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def at(db: None) -> WordTable:
    return WordTable()


@pytest.fixture
def page(at: WordTable, browser: Browser, live_server: Any) -> Iterator[Page]:
    with typing_page(browser, live_server, at.clerk, event="league") as opened:
        yield opened


def test_a_whole_sheet_is_typed_by_keys_and_handed_on(at: WordTable, page: Page) -> None:
    type_on(page, "0328-1-01", "")
    for line in range(5):
        for letter in "ABCD":
            cells = turn_cells(TURNS[letter][line])
            type_on(page, cells["own"], cells["rearranged"])
    page.locator("#games-0-C-emptied_4").press(" ")
    expect(page.locator("#turn-5-C")).to_have_text("8")
    page.keyboard.press("F8")  # past the lines that nobody played
    expect(page.locator("#games-0-ended_by")).to_be_focused()
    type_on(page, "r", *JOKERS, *TOTALS[:3], "-9")
    expect(page.locator("#say-totals")).to_contain_text("各回合相加是 −10")
    page.locator("[data-offer]").click()
    expect(page.locator("#submit-word")).to_have_text("交核對")
    assert_fits(page)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/scoresheets/1/?after=1")
    assert Scoresheet.objects.get(table=at.table).state == SheetState.READY
    assert Turn.objects.count() == 15


def test_the_arrows_stay_in_the_column_and_among_the_same_words(page: Page) -> None:
    page.locator("#games-0-B-rearranged_2").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#games-0-B-rearranged_3")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#games-0-B-rearranged_1")).to_be_focused()
    page.locator("#games-0-A-own_0").fill("planet")
    page.get_by_role("button", name="加多幾回合").click()
    expect(page.locator("tr[data-row^=turn]")).to_have_count(16)
    expect(page.locator("#games-0-A-own_0")).to_have_value("planet")


def test_the_card_beside_the_sheet_says_how_the_turn_that_is_typed_counts(page: Page) -> None:
    card = page.locator(".reading:visible")
    expect(card).to_have_count(1)
    page.locator("#games-0-C-rearranged_4").fill("chip lap ear")
    expect(card.locator("header")).to_contain_text("第 5 回合·C")
    expect(card.locator("p")).to_contain_text(["最長，計", "不計", "不計", "4"])
    card.get_by_role("checkbox").check()
    expect(page.locator("#games-0-C-emptied_4")).to_be_checked()
    expect(card.locator(".sum")).to_have_text("4 × 2 = 8")
    page.locator("#games-0-A-own_0").focus()
    expect(card).to_contain_text("第 1 回合·A")
    expect(card).to_contain_text("抽牌")
    assert_fits(page)
