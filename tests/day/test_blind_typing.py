"""A session typed blind by two, in Chromium: a pile of papers typed by keyboard alone, once and again, a third look."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_fits, window_of
from tests.conftest import event_data
from tests.core.views.test_typing_in_browser import ROWS, TOTALS
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.core.enums import Role, SheetState
from tournament.core.models.stage import Session
from tournament.setup.services import setup
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Scoresheet

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES = 5
# The same figures, written in other ways: they agree.
SPELT = (
    (ROWS[0][0], ROWS[0][1]),
    ("p", "0 23/2 3 1 11.50 1 0 -12 2 0 -11 4"),
    ("t", "0 10.67 2 0 -32 9 1 10.67 1 1 10.67 1"),
)
# A and B of game 1 taken for one another: as possible in itself, and another sheet.
SWAPPED = (("r", "0 -21 5 0 -14 3 0 -9 2 1 44 0"), ROWS[1], ROWS[2])
SWAPPED_TOTALS = "0 7/6 10 1 -34.5 13 1 -31/3 5 2 131/3 5"


@pytest.fixture
def people(db: None) -> dict[str, User]:
    """A session of five tables and its accounts."""
    event = setup.create_event(event_data())
    roles = {"organiser": Role.ORGANISER, "first": Role.CLERK, "second": Role.CLERK, "judge": Role.CHIEF_JUDGE}
    found = {
        name: accounts.create_account(event, name, "unused-password", name, [role]) for name, role in roles.items()
    }
    settle(Session.objects.select_related("stage__event").get(number=1), found["organiser"], [4] * TABLES)
    return found


def window(browser: Browser, live_server: Any, user: User, faults: list[str]) -> Page:
    """An account's own window; what its scripts complain of is kept."""
    page = window_of(browser, live_server.url, user)
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    return page


def type_pile(page: Page, papers: Sequence[tuple[Any, str]]) -> None:
    """Serial, Enter, the figures, Ctrl and Enter, the next serial: the mouse is never touched."""
    for number, (rows, totals) in enumerate(papers, start=1):
        expect(page.locator("#find-sheet")).to_be_focused()
        page.keyboard.type(f"0328-1-{number:02d}")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/scoresheets/1/{number}/**")
        assert page.locator("[id='games-0-A-points']").input_value() == ""
        expect(page.locator("#heading-same")).to_be_focused()
        page.keyboard.press("Space")
        for ending, cells in rows:
            page.keyboard.press(ending)
            page.keyboard.press("Enter")
            type_cells(page, cells)
        type_cells(page, totals)
        hand_on(page, number)


def type_cells(page: Page, cells: str) -> None:
    """Figure by figure in the order of the paper."""
    for cell in cells.split():
        page.keyboard.type(cell)
        page.keyboard.press("Enter")


def hand_on(page: Page, number: int) -> None:
    """Ctrl and Enter; what is unusual is gone to by F8 and ticked."""
    for _look in range(4):
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
        if page.url.endswith(f"?after={number}"):
            return
        page.keyboard.press("F8")
        page.keyboard.press("Space")
    raise AssertionError(page.url)


def test_a_session_typed_blind_by_two(browser: Browser, live_server: Any, people: dict[str, User]) -> None:
    desk, faults = f"{live_server.url}/desk/hk-2026", []
    organiser = window(browser, live_server, people["organiser"], faults)
    organiser.goto(f"{desk}/scoresheets/")
    organiser.get_by_label("全部").check()
    organiser.get_by_role("button", name="設定").press("Enter")
    expect(organiser.get_by_text("第二次輸入：100% 的計分紙。")).to_be_visible()

    first = window(browser, live_server, people["first"], faults)
    first.goto(f"{desk}/scoresheets/1/")
    type_pile(first, [(ROWS, TOTALS)] * TABLES)
    assert set(Scoresheet.objects.values_list("state", flat=True)) == {SheetState.READY}

    second = window(browser, live_server, people["second"], faults)
    second.goto(f"{desk}/scoresheets/1/")
    type_pile(second, [(ROWS, TOTALS), (SPELT, TOTALS), (SWAPPED, SWAPPED_TOTALS), (ROWS, TOTALS), (ROWS, TOTALS)])
    assert DoubleEntry.objects.filter(done=True, typed_by=people["second"]).count() == TABLES

    # Four agree and are compared with the paper; the third is decided cell by cell.
    judge = window(browser, live_server, people["judge"], faults)
    judge.goto(f"{desk}/scoresheets/1/2/check/")
    expect(judge.get_by_role("button", name="與紙相符：核實並鎖定")).to_be_visible()
    judge.goto(f"{desk}/scoresheets/1/3/check/")
    expect(judge.locator("table.choose tbody tr")).to_have_count(8)
    assert_fits(judge)
    for _cell in range(8):
        judge.keyboard.press("ArrowRight")
        judge.keyboard.press("Tab")
        judge.keyboard.press("Tab")
    expect(judge.get_by_role("button", name="紙上如此")).to_be_focused()
    with judge.expect_navigation():
        judge.keyboard.press("Enter")
    assert Scoresheet.objects.get(table__number=3).typed["games"][0]["seats"]["A"]["points"] == "-21"
    # Who decided what stands does not certify it; somebody who set no value of it does.
    expect(judge.locator("input[name=signed-A]")).to_have_count(0)
    organiser.goto(f"{desk}/scoresheets/1/3/check/")
    for letter in "ABCD":
        organiser.locator(f"input[name=signed-{letter}]").check()
    organiser.get_by_role("button", name="與紙相符：核實並鎖定").press("Enter")
    organiser.wait_for_url("**/scoresheets/1/4/check/")
    assert Scoresheet.objects.get(table__number=3).state == SheetState.CERTIFIED
    assert faults == []
