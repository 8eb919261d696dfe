"""Two people at one sheet, in Chromium: one wins, the other sees both values and chooses, first and second typing."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser import window_of
from tests.conftest import account
from tests.sheets.correcting import handed_on
from tests.sheets.tables import paper, settle
from tournament.core.enums import Role
from tournament.core.models.stage import Session, Stage
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CELL = "games-0-A-tiles"


def opened(browser: Browser, live_server: Any, user: User, place: str) -> Page:
    """The sheet of the first table in an account's own window."""
    page = window_of(browser, live_server.url, user)
    page.goto(f"{live_server.url}/desk/hk-2026/scoresheets/1/1/{place}")
    return page


def save(page: Page, text: str) -> None:
    """One cell typed, and the button that keeps the draft."""
    page.locator(f"[id='{CELL}']").fill(text)
    with page.expect_navigation():
        page.locator("button.btn[name=do][value=save]").click()


def choose(page: Page, text: str, other: User) -> None:
    """Both values stand there with the other's name; one is chosen and saved."""
    expect(page.locator("table.choose thead")).to_contain_text(other.username)
    expect(page.locator("table.choose tbody tr")).to_have_count(1)
    assert [one.inner_text() for one in page.locator("table.choose tbody label").all()] == ["5", "4"]
    page.locator(f"input[name='{CELL}'][value='{text}']").check()
    with page.expect_navigation():
        page.locator("button.btn[name=do][value=save]").click()


def test_of_two_at_one_sheet_one_wins_and_the_other_chooses(
    browser: Browser, live_server: Any, first_session: Session, organiser: User, clerk: User, second_clerk: User
) -> None:
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    one, other = (opened(browser, live_server, user, "") for user in (clerk, second_clerk))
    save(one, "4")
    save(other, "5")
    choose(other, "5", clerk)
    sheet = Scoresheet.objects.get()
    assert (sheet.typed["games"][0]["seats"]["A"]["tiles"], sheet.typed_by) == ("5", second_clerk)
    Stage.objects.update(second_typing_percent=100)
    handed_on(table, paper(), clerk, sheet.revision)
    for page in (one, other):
        page.context.close()
    # Whoever has typed a value of the sheet types no second time.
    third_clerk = account(first_session.stage.event, Role.CLERK, "third_clerk")
    one, other = (opened(browser, live_server, user, "again/") for user in (third_clerk, organiser))
    save(one, "4")
    save(other, "5")
    choose(other, "4", third_clerk)
    second = DoubleEntry.objects.get()
    assert (second.typed["games"][0]["seats"]["A"]["tiles"], second.typed_by) == ("4", organiser)
