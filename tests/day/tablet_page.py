"""A hall with two tables and a referee, and a tablet's page in Chromium, as the tests of tablets take them in hand."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.conftest import event_data
from tests.sheets.tables import settle
from tests.tablets.js.pressing import Panel
from tests.tablets.tablet_caller import PIN, give_tables
from tournament.accounts.services import accounts
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.devices.services import devices
from tournament.setup.services import setup
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import clock

WINDOW: dict[str, Any] = {"viewport": {"width": 1024, "height": 768}, "locale": "zh-HK", "has_touch": True}
GAME = [(23, 4), (30, 5), (11, 2)]

# What waits is there within a minute of the network (C4), also beside a busy machine.
LONG = 60_000


class Hall:
    """An event whose first session is being played at two tables of one referee."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.event = setup.create_event(event_data())
        self.organiser = self.account("organiser", Role.ORGANISER)
        self.referee = self.account("referee", Role.REFEREE)
        self.seat(1, (1, 2))

    def account(self, name: str, *roles: Role) -> User:
        return accounts.create_account(self.event, name, "unused-password", name, list(roles))

    def session(self, number: int) -> Session:
        """A session by its number."""
        return Session.objects.get(stage__event=self.event, number=number)

    def seat(self, number: int, tables: tuple[int, ...]) -> None:
        """Entrants at these tables, which are the referee's; play has begun."""
        session = self.session(number)
        settle(session, self.organiser, [4] * len(tables), first=100 * number + 1)
        clock.move_session(session, "start", by=self.organiser, request_key=f"start-{number}")
        give_tables(session, self.referee, tables)

    def address(self, tables: tuple[int, ...] = (1, 2), session: int = 1) -> str:
        """What the desk's QR code says: the page, and a code for these tables."""
        code = devices.make_pairing(self.session(session), self.referee, tables, by=self.organiser)[1]
        return f"{self.url}/tablet/{self.event.slug}/#{code}"

    def board(self, path: str) -> str:
        """A page of the desk as the organiser reads it."""
        client = Client()
        client.force_login(self.organiser)
        return client.get(f"/desk/{self.event.slug}/{path}").content.decode()


class TabletPage:
    """One tablet's page and what is pressed on it."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        context.set_default_timeout(LONG)
        self.page: Page = context.new_page()

    def open(self, address: str, table: int = 1) -> "TabletPage":
        """Show the code, type the PIN."""
        self.page.goto(address)
        self.type_pin()
        self.page.wait_for_selector(f'[data-table="{table}"] .how')
        return self

    def type_pin(self, pin: str = PIN) -> None:
        """The digits, then the key that opens."""
        for digit in pin:
            self.page.locator(".pin-keys").get_by_role("button", name=digit, exact=True).click()
        self.page.locator(".pin-keys .primary").click()

    def panel(self, table: int) -> Panel:
        return Panel(self.page, table)

    def menu(self, word: str) -> None:
        """One press in the menu."""
        self.page.locator("[data-menu]").click()
        self.page.locator("#dialog").get_by_role("button", name=word).click()

    def press(self, word: str) -> None:
        """A button by its word, wherever it stands."""
        self.page.get_by_role("button", name=word).click()

    def waits_until(self, holds: Callable[[], bool], otherwise: str) -> None:
        """The page goes on until this holds; a failure with this sentence where it never does."""
        for _ in range(LONG // 50):
            if holds():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(otherwise)

    @property
    def network(self) -> Locator:
        """What the bar says of network and outbox."""
        return self.page.locator("[data-net]")

    def is_recorded(self, sheets: list[tuple[int, int]]) -> None:
        """The server has these sheets, each save once, and the tablet knows that nothing waits any more."""
        found = Scoresheet.objects.values_list("table__number", "revision")
        self.waits_until(lambda: sorted(found.all()) == sheets, f"the server has not the sheets {sheets}")
        expect(self.network).to_contain_text("全部已記錄", timeout=LONG)
        assert saves() == sheets

    @property
    def screen(self) -> Locator:
        return self.page.locator("body")

    def answer_with(self, answer: Any, path: str = "**") -> None:
        """From now on `answer(route)` stands between the page and the API's addresses under `path`."""
        self.context.route(f"**/api/v1/tablet/{path}", answer)

    def lose(self, path: str = "**") -> None:
        """Nothing of the API is reached under `path`."""
        self.answer_with(lambda route: route.abort(), path)

    def regain(self, path: str = "**") -> None:
        """It is again, and the tablet notices."""
        self.context.unroute(f"**/api/v1/tablet/{path}")
        self.page.evaluate("window.dispatchEvent(new Event('online'))")


def saves() -> list[tuple[str, int]]:
    """Table and revision of every sheet; each of its saves stands once in the log."""
    entries = AuditEntry.objects.filter(action="save_scoresheet").order_by("seq")
    assert entries.count() == len(set(entries.values_list("request_key", flat=True)))
    return sorted(Scoresheet.objects.values_list("table__number", "revision"))
