"""A referee's tablet in Chromium, from the desk's code to the receipt: three games, four fingers, one scoresheet."""

import pytest
from playwright.sync_api import Page, expect

from tests.day.tablet_page import TabletPage
from tournament.core.enums import SheetState
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def recorded(page: Page, revision: int) -> None:
    """The server has the sheet at this revision."""
    for _ in range(100):
        if Scoresheet.objects.filter(table__number=1, revision__gte=revision).exists():
            return
        page.wait_for_timeout(50)
    raise AssertionError(list(Scoresheet.objects.values_list("revision", "state")))


def test_a_sheet_of_three_games_is_entered_signed_by_four_and_has_its_receipt(tablet: TabletPage) -> None:
    page, panel = tablet.page, tablet.panel(1)
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    assert panel.presses == 11
    panel.game("pool", "", [(8, 3), (8, 1), (20, 2), (19, 4)])
    panel.game("rummikub", "D", [(14, 3), (21, 5), (9, 2)])
    recorded(page, 3)
    scrolls = (
        "() => [document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth]"
    )
    assert page.evaluate(scrolls) == [False, False]
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    expect(page.locator("[data-menu]")).to_be_hidden()
    expect(tablet.network).to_be_disabled()
    for letter in "ABCD":
        panel.sign(letter)
    expect(panel.element.locator(".code")).to_be_visible()
    sheet = Scoresheet.objects.get(table=Table.objects.get(number=1))
    assert (sheet.state, sheet.signatures.count()) == (SheetState.SIGNED, 4)
    code = receipt_code(sheet)
    expect(panel.element.locator(".code")).to_have_text(f"{code[:4]}-{code[4:]}")
    page.reload()
    ink = panel.element.locator(".sign.ok svg.ink path")
    expect(ink).to_have_count(4)
    assert min(ink.evaluate_all("(paths) => paths.map((one) => one.getAttribute('d').length)")) > 100
