"""The page on which a sheet is typed, open in Chromium before a clerk."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page

from tests.browser import window_of
from tests.conftest import event_data
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.setup.services import setup


def make_clerk() -> User:
    """A clerk at the event, whose first session is drawn."""
    event = setup.create_event(event_data())
    user = accounts.create_account(event, "clerk", "unused-password", "clerk", [Role.CLERK])
    settle(Session.objects.select_related("stage__event").get(number=1), user)
    return user


@contextmanager
def typing_page(
    browser: Browser, live_server: Any, clerk: User, query: str = "", event: str = "hk-2026"
) -> Iterator[Page]:
    """Table 1's, the clerk signed in; a fault of a script on it fails the test."""
    opened = window_of(browser, live_server.url, clerk)
    faults: list[str] = []
    opened.on("pageerror", lambda fault: faults.append(str(fault)))
    opened.goto(f"{live_server.url}/desk/{event}/scoresheets/1/1/{query}")
    yield opened
    opened.context.close()
    assert faults == []


def type_on(page: Page, *texts: str) -> None:
    """Each text into the cell that is entered, then on to the next cell."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Enter")
