"""A referee's tablet in Chromium, from the desk's code to the receipt: three games, four fingers, one scoresheet."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.conftest import event_data
from tests.tournament.api.tablet_caller import PIN, give_tables
from tests.tournament.js.pressing import Panel
from tests.tournament.tables import settle
from tournament.bridge.tablet import receipt_of
from tournament.enums import Role, SessionState, SheetState
from tournament.models import Scoresheet, Session, Table
from tournament.services import devices, setup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def referee(db: None) -> User:
    """The referee of tables 1 and 2, whose session is being played."""
    event = setup.create_event(event_data())
    organiser = setup.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    found = setup.create_account(event, "referee", "unused-password", "referee", [Role.REFEREE])
    session = event.stages.get().sessions.get(number=1)
    settle(session, organiser, [4, 4])
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    give_tables(session, found, (1, 2))
    return found


@pytest.fixture
def page(referee: User, chromium: Browser, live_server: Any) -> Page:
    """A tablet that was shown the code and opened with the PIN."""
    session = Session.objects.get(number=1)
    _row, code = devices.make_pairing(session, referee, (1, 2), by=User.objects.get(username="organiser"))
    page = chromium.new_context(viewport={"width": 1024, "height": 768}, locale="zh-HK", has_touch=True).new_page()
    page.goto(f"{live_server.url}/tablet/{session.stage.event.slug}/#{code}")
    for digit in PIN:
        page.locator(".pin-keys").get_by_role("button", name=digit, exact=True).click()
    page.locator(".pin-keys .primary").click()
    page.wait_for_selector('[data-table="1"] .how')
    return page


def recorded(page: Page, revision: int) -> None:
    """The server has the sheet at this revision."""
    for _ in range(100):
        if Scoresheet.objects.filter(table__number=1, revision__gte=revision).exists():
            return
        page.wait_for_timeout(50)
    raise AssertionError(list(Scoresheet.objects.values_list("revision", "state")))


def test_a_sheet_of_three_games_is_entered_signed_by_four_and_has_its_receipt(page: Page) -> None:
    panel = Panel(page, 1)
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
    for letter in "ABCD":
        panel.sign(letter)
    expect(panel.element.locator(".code")).to_be_visible()
    sheet = Scoresheet.objects.get(table=Table.objects.get(number=1))
    assert (sheet.state, sheet.signatures.count()) == (SheetState.SIGNED, 4)
    code = receipt_of(sheet)
    expect(panel.element.locator(".code")).to_have_text(f"{code[:4]}-{code[4:]}")
