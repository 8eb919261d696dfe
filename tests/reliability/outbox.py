"""Q9: a tablet's page in Chromium goes offline, is loaded anew, killed, updated and handed over, with items waiting.

Every act is counted when the page says that it is saved on the tablet; at the end the server must have each once, in
the name of who made it. The control is the same page whose items never reach its disk.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from playwright.sync_api import BrowserContext, BrowserType, Error, Page, sync_playwright

from tests.browser import CHROMIUM, kill_browser_of
from tests.conftest import event_data
from tests.reliability.app_copy import AppCopy
from tests.reliability.figures import Figure
from tests.reliability.proxy import Proxy, Weather
from tests.sheets.tables import settle
from tests.tablets.js.pressing import Panel
from tests.tablets.tablet_caller import PIN, give_tables
from tournament.accounts.services import accounts
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role, SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.services import devices, pins
from tournament.setup.services import setup
from tournament.sheets.models.conduct import JudgeCall
from tournament.sheets.models.scoresheet import Scoresheet

TABLES = (1, 2)
KINDS = ("offline", "reload", "killed", "updated", "handed over")
FIRST = [(23, 4), (30, 5), (11, 2)]
# Between two tries it may wait 36 seconds; an update is taken with the second reload at the latest when all is quick.
LONG, RELOADS = 60_000, 12
TITLE = (
    "tablet's page offline, reloaded, killed, updated, handed over with items waiting: items lost, doubled or altered"
)
# The page's own writes of items are swallowed; the page does not notice.
NOT_TO_DISK = """(() => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (row) {
    return this.name === "items" ? undefined : put.call(this, row);
  };
})()"""
SAYS = "(text) => document.querySelector('[data-net]').textContent.includes(text)"
RECORDED = "everything recorded"


@dataclass
class Outcome:
    """What the page said is saved, against what the server has."""

    cycles: dict[str, int] = field(default_factory=dict)
    saved: int = 0
    recorded: int = 0
    lost: int = 0
    doubled: int = 0
    altered: int = 0
    updates: int = 0
    not_settled: int = 0
    stuck: str = ""

    @property
    def failures(self) -> int:
        """Everything that must be 0."""
        return self.lost + self.doubled + self.altered + self.not_settled


@dataclass
class Truth:
    """What was done, by table: calls with who made them, saves, and the first game as it was mended last."""

    calls: dict[int, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    saves: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    game: dict[int, tuple[str, str]] = field(default_factory=dict)

    @property
    def saved(self) -> int:
        return sum(len(made) for made in self.calls.values()) + sum(self.saves.values())


class Hand:
    """The tablet's browser, with a profile on the disk, and who holds it."""

    def __init__(self, kind: BrowserType, profile: Path, proxy: Proxy, careless: bool = False) -> None:
        self.kind, self.profile, self.proxy, self.careless = kind, profile, proxy, careless
        self.truth, self.referee, self.waiting = Truth(), "referee", 0
        self.context: BrowserContext
        self.page: Page

    def open(self, ending: str = "") -> None:
        """The browser is started, the page opened."""
        settings = {**CHROMIUM, "viewport": {"width": 1024, "height": 768}, "has_touch": True}
        self.context = self.kind.launch_persistent_context(self.profile, **settings)
        self.context.set_default_timeout(LONG)
        self.context.add_cookies([{"name": "django_language", "value": "en", "url": self.proxy.url}])
        if self.careless:
            self.context.add_init_script(NOT_TO_DISK)
        self.page = self.context.new_page()
        self.page.goto(f"{self.proxy.url}/tablet/hk-2026/{ending}")

    def pair(self, code: str, to_be_killed: bool = True) -> None:
        """Paired and opened, the page kept for when there is no network."""
        self.open(f"#{code}")
        self.type_pin()
        self.page.wait_for_selector('[data-table="1"] .how')
        self.page.evaluate("navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 500)))")
        if to_be_killed:
            # Chromium writes cookies to its disk when it is closed, or half a minute later.
            self.context.close()
            self.open()
        self.is_recorded()

    def type_pin(self) -> None:
        keys = self.page.locator(".pin-keys")
        for digit in PIN:
            keys.get_by_role("button", name=digit, exact=True).click()
        keys.locator(".primary").click()

    # --- What the network does --------------------------------------------------------------------------
    def lose(self, weather: Weather = Weather.OUT) -> None:
        """Nothing arrives; the browser is told that it is offline where all is gone."""
        self.proxy.weather = weather
        if weather is Weather.OUT:
            self.context.set_offline(True)

    def regain(self) -> None:
        """All arrives; the browser is told."""
        self.proxy.weather = Weather.CLEAR
        with suppress(Error):
            self.context.set_offline(False)
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def says(self, text: str, patience: int = LONG) -> None:
        self.page.wait_for_function(SAYS, arg=text, timeout=patience)

    def bar(self) -> str:
        """What it says, if the page is there."""
        with suppress(Error):
            return self.page.locator("[data-net]").inner_text(timeout=5000)
        return "no page"

    def is_recorded(self, patience: int = LONG) -> None:
        self.says(RECORDED, patience)
        self.waiting = 0

    # --- What a referee does ----------------------------------------------------------------------------
    def noted(self) -> None:
        """The page says that one more waits: from now on it counts."""
        self.waiting += 1
        self.says(f"{self.waiting} to send")

    def call(self, table: int, reason: str) -> None:
        """The chief judge is called."""
        Panel(self.page, table).press("call")
        dialog = self.page.locator("dialog.panel-dialog")
        dialog.locator("input.input").fill(reason)
        dialog.locator(".row.keep button").click()
        self.noted()
        self.truth.calls[table].append((reason, self.referee))

    def mend(self, table: int, value: int) -> None:
        """The first game is entered, or mended: whoever of A and B had a rack goes out."""
        panel = Panel(self.page, table)
        out, _value = self.truth.game.get(table, ("B", ""))
        other = "A" if out == "B" else "B"
        if table in self.truth.game:
            panel.press("game", place=0)
            panel.press("end", how="rummikub", letter=out)
            panel.rack(value, 4)
            panel.press("record")
        else:
            panel.game("rummikub", out, [(value, 4), *FIRST[1:]])
        self.noted()
        self.truth.saves[table] += 1
        self.truth.game[table] = (other, str(value))

    def hand_over(self) -> None:
        """To the other referee, who opens it with a PIN."""
        self.referee = "other" if self.referee == "referee" else "referee"
        self.page.locator("[data-menu]").click()
        self.page.get_by_role("button", name="Hand over to another referee").click()
        self.page.locator(".people").get_by_role("button", name=self.referee, exact=True).click()
        self.type_pin()
        self.page.wait_for_selector('[data-table="1"] .how')


# --- The cycles -----------------------------------------------------------------------------------------
def go_offline(hand: Hand, act: Callable[[], None], app: AppCopy) -> None:
    hand.lose()
    act()
    hand.regain()


def load_anew(hand: Hand, act: Callable[[], None], app: AppCopy) -> None:
    """Without network: the page comes from the tablet."""
    hand.lose()
    act()
    hand.page.reload()
    hand.page.wait_for_selector("[data-net]:not([hidden])")
    hand.regain()


def be_killed(hand: Hand, act: Callable[[], None], app: AppCopy) -> None:
    """SIGKILL; the browser is opened again without network."""
    hand.lose()
    act()
    kill_browser_of(hand.profile)
    with suppress(Error):
        hand.context.close()
    hand.open()
    hand.page.wait_for_selector("[data-net]:not([hidden])")
    hand.regain()


def be_updated(hand: Hand, act: Callable[[], None], app: AppCopy) -> None:
    """Another version is on the server when the network is back; every second one takes no older page's items."""
    hand.lose()
    act()
    app.update(new_schema=app.updates % 2 == 1)
    hand.regain()
    for _reload in range(RELOADS):
        hand.page.reload()
        with suppress(Error):
            hand.is_recorded(5000)
            return


def be_handed_over(hand: Hand, act: Callable[[], None], app: AppCopy) -> None:
    """What one referee made waits while the other opens the tablet, and makes more."""
    hand.lose(Weather.TABLES_OUT)
    act()
    hand.hand_over()
    act()
    hand.regain()


CYCLES = dict(zip(KINDS, (go_offline, load_anew, be_killed, be_updated, be_handed_over), strict=True))


def make_code() -> tuple[Event, str]:
    """Two tables in play, two referees with a PIN, and the desk's code for one of them."""
    event = setup.create_event(event_data())
    organiser = accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    referee, other = (referee_of(event, name) for name in ("referee", "other"))
    session = Session.objects.get(stage__event=event, number=1)
    settle(session, organiser, [4, 4])
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    session.refresh_from_db()
    give_tables(session, referee, TABLES)
    pins.set_pin(event, other, pin=PIN, by=other)
    return event, devices.make_pairing(session, referee, TABLES, by=organiser)[1]


def referee_of(event: Event, name: str) -> User:
    return accounts.create_account(event, name, "unused-password", name, [Role.REFEREE])


def run(cycles: int, seed: int, folder: Path, careless: bool) -> Outcome:
    """`cycles` of the five kinds by turns, two or four acts each. The careless page is only reloaded and killed: what
    is lost stays lost, so that only calls are made on it."""
    event, code = make_code()
    connection.close()
    app = AppCopy(folder / "app")
    app.server.start()
    proxy, outcome, random = Proxy(app.server.port, seed), Outcome(), Random(seed)
    kinds = ("reload", "killed") if careless else KINDS
    try:
        with sync_playwright() as playwright:
            hand = Hand(playwright.chromium, folder / "profile", proxy, careless)
            hand.pair(code)
            for cycle in range(cycles):
                kind = kinds[cycle % len(kinds)]
                try:
                    play(hand, app, kind, cycle, random, careless)
                except Error as problem:
                    outcome.stuck = f"{kind}, cycle {cycle}: {hand.bar()}; {problem}"
                    break
                outcome.cycles[kind] = outcome.cycles.get(kind, 0) + 1
            with suppress(Error):
                hand.context.close()
    finally:
        proxy.close()
        app.server.kill()
    outcome.updates, outcome.not_settled = app.updates, hand.waiting
    compare(event, hand.truth, outcome)
    return outcome


def play(hand: Hand, app: AppCopy, kind: str, cycle: int, random: Random, careless: bool) -> None:
    """One cycle, from everything recorded to everything recorded."""
    made = 0

    def act() -> None:
        nonlocal made
        made += 1
        first, second = random.sample(TABLES, 2)
        hand.call(first, f"{kind} {cycle} {made}")
        if careless:
            hand.call(second, f"{kind} {cycle} {made} too")
        else:
            hand.mend(second, random.randrange(20, 50))

    CYCLES[kind](hand, act, app)
    hand.is_recorded()


def compare(event: Event, truth: Truth, outcome: Outcome) -> None:
    """Calls with their words and who made them, sheets with how often they were saved, the log's entries and keys."""
    connection.close()
    outcome.saved = truth.saved
    for table in TABLES:
        rows = JudgeCall.objects.filter(table__number=table, table__session__stage__event=event).order_by("pk")
        calls = list(rows.values_list("reason", "raised_by__username"))
        sheet = Scoresheet.objects.filter(table__number=table, table__session__stage__event=event).first()
        difference = (sheet.revision if sheet else 0) - truth.saves[table]
        outcome.lost += len(set(truth.calls[table]) - set(calls)) + max(0, -difference)
        outcome.doubled += len(calls) - len(set(calls)) + max(0, difference)
        outcome.altered += calls != [call for call in truth.calls[table] if call in set(calls)]
        outcome.altered += sheet is not None and value_of(sheet, truth.game[table][0]) != truth.game[table][1]
    entries = AuditEntry.objects.filter(event=event, action__in=("save_scoresheet", "call_judge"))
    keys = list(entries.values_list("request_key", flat=True))
    outcome.recorded = len(set(keys))
    outcome.doubled += len(keys) - len(set(keys))


def value_of(sheet: Scoresheet, letter: str) -> Any:
    """A rack of the first game."""
    return sheet.typed["games"][0]["seats"][letter]["face_value"]


# --- The figure -----------------------------------------------------------------------------------------
def figure(cycles: int, seed: int, folder: Path, careless: bool) -> Figure:
    started = time.monotonic()
    outcome = run(cycles, seed, folder, careless)
    made = Figure("Q9", TITLE, connection.vendor, sum(outcome.cycles.values()), outcome.failures, cycles, seed)
    made.facts, made.seconds = asdict(outcome), time.monotonic() - started
    return made
