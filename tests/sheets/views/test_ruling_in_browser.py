"""A ruling is asked for while the sheet is typed, chosen by one press and handed on with who ruled, in Chromium."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_fits
from tests.sheets.test_ruling import TWIST_GAMES, TWIST_TOTALS, WHO_AND_WHY, RuledTable
from tests.sheets.typing_page import type_on, typing_page
from tournament.sheets.models.scoresheet import Game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def at(db: None) -> RuledTable:
    return RuledTable()


@pytest.fixture
def page(at: RuledTable, browser: Browser, live_server: Any) -> Iterator[Page]:
    with typing_page(browser, live_server, at.clerk, event="league") as opened:
        yield opened


def test_the_choice_shows_where_the_rules_leave_the_ending_open_and_goes_with_the_sheet(page: Page) -> None:
    type_on(page, "0328-1-01", "")
    expect(page.locator("#games-0-ended_by")).to_be_focused()
    expect(page.locator("[id^=ruled-]:visible")).to_have_count(0)
    for ending, *seats in TWIST_GAMES:
        type_on(page, ending[0], *(text for seat in seats for text in seat.split(" ")))
    type_on(page, *(text for seat in TWIST_TOTALS for text in seat.split(" ")))
    expect(page.locator("#say-2")).to_contain_text("由總評判裁決")
    expect(page.locator("[id^=ruled-]:visible")).to_have_count(1)
    assert_fits(page)
    page.locator("[data-offer]").click()
    expect(page.locator("#games-1-ruling")).to_have_value("fewest_tiles")
    page.locator("#looks input.input").fill(WHO_AND_WHY)
    expect(page.locator("#submit-word")).to_have_text("交核對")
    assert_fits(page)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/scoresheets/1/?after=1")
    assert list(Game.objects.order_by("number").values_list("ruling", flat=True)) == ["", "fewest_tiles", ""]
