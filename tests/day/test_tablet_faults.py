"""Two tables on bad Wi-Fi: offline in the middle, reloaded, killed with items waiting, a second tablet at the same
tables, a stale one from the last session. Whatever was tapped is recorded once, or waits once for a person."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Error

from tests.browser import kill_browser_of
from tests.conftest import event_data
from tests.reliability.outbox import Hand
from tests.reliability.proxy import Proxy
from tests.reliability.tablets import wait_for
from tests.sheets.tables import settle
from tests.tablets.js.pressing import Panel
from tests.tablets.tablet_caller import give_tables
from tournament.accounts.services import accounts
from tournament.audit.models import AuditEntry
from tournament.core import storage
from tournament.core.enums import Role, SessionState
from tournament.core.models.stage import Session
from tournament.devices.models.device import QuarantinedSubmission
from tournament.devices.services import devices
from tournament.setup.services import setup
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.models.conduct import JudgeCall
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import sheet_serial

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES = (1, 2)
PATIENCE = 30
# Who went out, and the racks of the others: three games at each table.
GAMES = {
    1: [("B", [(23, 4), (30, 5), (11, 2)]), ("A", [(24, 4), (31, 5), (12, 2)]), ("C", [(25, 4), (32, 5), (13, 2)])],
    2: [("D", [(26, 4), (33, 5), (14, 2)]), ("B", [(27, 4), (34, 5), (15, 2)]), ("A", [(28, 4), (35, 5), (16, 2)])],
}
LOCKED = ["save_scoresheet", "ready_scoresheet", *["sign_scoresheet"] * 4, "lock_scoresheet"]
ENTERED = ("save_scoresheet", "ready_scoresheet", "sign_scoresheet", "lock_scoresheet", "call_judge")


class Hall:
    """The server, the desk that shows codes, and the tablets that were given out."""

    def __init__(self, port: int, chromium: Browser, folder: Path) -> None:
        self.port, self.kind, self.folder = port, chromium.browser_type, folder
        self.event = setup.create_event(event_data())
        self.organiser = accounts.create_account(self.event, "organiser", "unused", "organiser", [Role.ORGANISER])
        self.referee: User = accounts.create_account(self.event, "referee", "unused", "referee", [Role.REFEREE])
        self.hands: list[Hand] = []
        for number in (1, 2):
            session = self.session(number)
            settle(session, self.organiser, [4, 4], first=100 * number + 1)
            Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
            give_tables(session, self.referee, TABLES)

    def session(self, number: int) -> Session:
        """One of the two that are played."""
        return Session.objects.get(stage__event=self.event, number=number)

    def tablet(self, session: int, to_be_killed: bool = False) -> Hand:
        """Paired to both tables and open."""
        _row, code = devices.make_pairing(self.session(session), self.referee, TABLES, by=self.organiser)
        folder = self.folder / f"tablet{len(self.hands)}"
        hand = Hand(self.kind, folder, Proxy(self.port))
        self.hands.append(hand)
        hand.pair(code, to_be_killed)
        return hand

    def close(self) -> None:
        """Every browser and every network."""
        for hand in self.hands:
            with suppress(Error):
                hand.context.close()
            hand.proxy.close()

    def log(self, session: int, table: int) -> list[str]:
        """What the log has of a table's sheet and its calls, in order."""
        found = self.session(session).tables.get(number=table)
        entries = AuditEntry.objects.filter(event=self.event, action__in=ENTERED).order_by("seq")
        return [entry.action for entry in entries if sheet_serial(found) in entry.subject]

    def saved(self, session: int) -> int:
        """How often sheets of a session were saved."""
        return sum(Scoresheet.objects.filter(table__session__number=session).values_list("revision", flat=True))


@pytest.fixture
def hall(live_server: Any, chromium: Browser, tmp_path: Path, settings: Any) -> Iterator[Hall]:
    """Two sessions that are played, nobody paired yet."""
    settings.ALLOWED_HOSTS = ["*"]
    made = Hall(live_server.thread.port, chromium, tmp_path)
    yield made
    made.close()


def enter(hand: Hand, table: int, game: int) -> None:
    """A game of the day, 1 to 3."""
    out, racks = GAMES[table][game - 1]
    Panel(hand.page, table).game("rummikub", out, racks)


def sign(hand: Hand, table: int) -> str:
    """All four sign; the receipt code that they may write down. Then the referee has the tablet again."""
    panel = Panel(hand.page, table)
    panel.press("agree")
    panel.element.get_by_role("button", name="Hand to the players to sign").click()
    for letter in "ABCD":
        panel.sign(letter)
    code = panel.element.locator(".code").inner_text()
    panel.element.get_by_role("button", name="Back to the referee (PIN)").click()
    hand.type_pin()
    hand.page.wait_for_selector(f'[data-table="{table}"].seatplan')
    return code.replace("-", "")


def hand_to_desk(hand: Hand) -> None:
    """The tablet's time is over; what it still has goes to the desk in one press."""
    before = QuarantinedSubmission.objects.count()
    hand.regain()
    hand.page.get_by_role("button", name="Hand them to the desk").click()
    assert wait_for(lambda: QuarantinedSubmission.objects.count() > before, PATIENCE)


def racks_of(table: int) -> list[list[tuple[str, str]]]:
    """Value and tiles of each seat as they were tapped, game by game."""
    games = []
    for out, racks in GAMES[table]:
        others = iter(racks)
        games.append([("", "0") if seat == out else tuple(map(str, next(others))) for seat in "ABCD"])
    return games


def kept(sheet: Scoresheet) -> list[list[tuple[str, str]]]:
    """The same as the server has it."""
    return [
        [(game["seats"][seat]["face_value"], game["seats"][seat]["tiles"]) for seat in "ABCD"]
        for game in sheet.typed["games"]
    ]


@pytest.mark.fault("C1")
@pytest.mark.fault("C6")
def test_all_that_was_tapped_at_two_tables_on_bad_wifi_is_recorded_once_or_waits_once_for_a_person(hall: Hall) -> None:
    stale = hall.tablet(session=1)
    stale.lose()
    enter(stale, 1, game=1)
    stale.noted()
    Session.objects.filter(pk=hall.session(1).pk).update(state=SessionState.CLOSED)

    first = hall.tablet(session=2, to_be_killed=True)
    for table in TABLES:
        enter(first, table, game=1)
    assert wait_for(lambda: hall.saved(2) == 2, PATIENCE)
    first.lose()
    enter(first, 1, game=2)
    first.noted()
    first.page.reload()
    first.says("1 to send")
    enter(first, 2, game=2)
    first.noted()
    first.call(2, "a tile fell")
    kill_browser_of(first.profile)
    with suppress(Error):
        first.context.close()
    assert hall.saved(2) == 2
    first.open()
    first.says("3 to send")
    first.regain()
    first.is_recorded()

    first.lose()
    first.call(1, "made when a second tablet had the table")
    second = hall.tablet(session=2)
    for table in TABLES:
        enter(second, table, game=3)
    receipts = [sign(second, table) for table in TABLES]
    for hand in (first, stale):
        hand_to_desk(hand)

    sheets = [Scoresheet.objects.get(table__session=hall.session(2), table__number=table) for table in TABLES]
    assert [sheet.state for sheet in sheets] == ["signed", "signed"]
    assert [kept(sheet) for sheet in sheets] == [racks_of(table) for table in TABLES]
    assert [receipt_code(sheet) for sheet in sheets] == receipts
    saves = ["save_scoresheet"] * 3
    assert hall.log(2, 1) == [*saves, *LOCKED]
    assert sorted(hall.log(2, 2)) == sorted(["call_judge", *saves, *LOCKED])
    assert hall.log(1, 1) == []
    assert list(JudgeCall.objects.values_list("table__number", "reason")) == [(2, "a tile fell")]
    held = QuarantinedSubmission.objects.order_by("pk").values_list(
        "table__session__number", "table__number", "act", "because"
    )
    assert list(held) == [(2, 1, "call", "late"), (1, 1, "save", "late")]


@pytest.mark.fault("P4")
def test_a_tablet_whose_save_met_a_full_disk_of_the_server_sends_it_by_itself_once_there_is_room(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = hall.tablet(session=2)
    with monkeypatch.context() as full:
        full.setattr(storage, "is_storage_full", lambda: True)
        full.setattr(storage.StorageFull, "wait", 1)
        enter(hand, 1, game=1)
        hand.says("1 to send")
        hand.page.wait_for_timeout(1500)
        hand.says("1 to send")
        assert hall.saved(2) == 0
    hand.is_recorded()
    sheet = Scoresheet.objects.get(table__session=hall.session(2), table__number=1)
    assert (kept(sheet)[0], hall.log(2, 1)) == (racks_of(1)[0], ["save_scoresheet"])
