"""What the bar said: a tablet and its server through restores, turn-overs, kills, take-overs, reloads, new pairings and
network faults in random order.

The page is the real one (shell, outbox, store, sync, pairing, bar) in Chromium, in a time of its own (bar_said.js); the
server is the real one, in this process. Whenever the bar says that everything is recorded, the server must have it, as
it stood when the bar heard it last; nothing leaves the tablet before a backup has its closed session; and once the
network is well, everything that was made is recorded or with the desk. The control is a tablet that believes what it
was once told and drops a session's items when it goes on.
"""

import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from django.db import connection
from playwright.sync_api import Browser, Page

from tests.reliability.bar_said_world import TABLES, Server, make_page
from tests.reliability.figures import Figure
from tests.sheets.drawing import racks, strokes
from tests.snapshots import put_back
from tournament.core.enums import SessionState
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.services import devices
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.tablets.services import sheets

TITLE = "histories in which the bar said more than the server knew, or something made was neither recorded nor held"
ALL_RECORDED = ("everything recorded", "Everything on this tablet is recorded.")
# What may happen, and how often beside the others.
EVENTS = {
    "make": 9,
    "wait": 4,
    "offline": 2,
    "online": 3,
    "storm": 2,
    "reload": 2,
    "kill": 2,
    "backup": 3,
    "restore": 2,
    "turn_over": 2,
    "take_over": 1,
    "cut_off": 1,
    "pair_again": 2,
    "close": 1,
    "reopen": 1,
    "sign": 1,
    "hand_over": 1,
    "desk_saves": 1,
    "full_disk": 1,
}
LENGTH = 14
HEALED_WITHIN = 10


@dataclass
class Outcome:
    """What was found over all histories."""

    histories: int = 0
    failed: int = 0
    events: Counter[str] = field(default_factory=Counter)
    made: int = 0
    recorded: int = 0
    with_desk: int = 0
    looked: int = 0
    said_all: int = 0
    problems: list[str] = field(default_factory=list)


class History:
    def __init__(self, server: Server, page: Page, seed: int, outcome: Outcome) -> None:
        self.server, self.page, self.outcome = server, page, outcome
        self.random, self.seed = Random(seed), seed
        self.made: list[str] = []
        self.forgiven: set[str] = set()
        self.trace: list[str] = []
        self.problem = ""
        put_back(server.first)
        server.restores = 0
        self.backups = [server.back_up()]
        self.hand("begin", seed)

    def hand(self, act: str, *given: Any) -> Any:
        """Something that is done to the page."""
        return self.page.evaluate("([act, given]) => window.tablet[act](...given)", [act, list(given)])

    def begin(self) -> None:
        self.hand("open", self.server.code(1))
        self.hand("typePin", "referee")

    def run(self) -> None:
        """Paired, then event after event, then all is well again."""
        self.begin()
        names, weights = list(EVENTS), list(EVENTS.values())
        for event in ["make", *self.random.choices(names, weights, k=LENGTH)]:
            self.trace.append(event)
            self.outcome.events[event] += 1
            getattr(self, f"do_{event}")()
            self.check()
            if self.problem:
                return
        self.heal()

    # --- What happens -----------------------------------------------------------------------------------
    def do_make(self) -> None:
        """One to three acts at the tables."""
        self.hand("typePin", "referee")
        for _time in range(self.random.randint(1, 3)):
            table, act = self.random.choice(TABLES), self.random.choice(("save", "save", "call", "incident"))
            self.make(table, act, *self.act_of(act))
        self.hand("advance", 300)

    def make(self, table: int, act: str, body: dict[str, Any], match: bool, signing: bool = False) -> None:
        """It counts once the page has it on its disk."""
        key = self.hand("make", table, act, body, match, signing)
        if key:
            self.made.append(key)
            self.outcome.made += 1

    def act_of(self, act: str) -> tuple[dict[str, Any], bool]:
        """A body, and whether it goes with the revision that was seen."""
        said = f"{self.seed} {len(self.made)}"
        if act == "call":
            return {"reason": said}, False
        if act == "incident":
            return {"kind": "new_deal", "game": 1, "note": said}, False
        typed = racks()
        typed["games"][0]["seats"]["B"]["face_value"] = str(self.random.randrange(10, 39))
        return {"typed": typed, "confirmations": {}}, True

    def do_sign(self) -> None:
        """All four at one table."""
        self.hand("typePin", "referee")
        body, _match = self.act_of("save")
        drawn = [
            {"letter": letter, "strokes": strokes(place), "made_at": f"2026-03-28T03:00:{10 * place:02}Z"}
            for place, letter in enumerate("ABCD")
        ]
        table = self.random.choice(TABLES)
        if self.random.random() < 0.5:  # the players have it, and may keep it
            self.hand("handOut", table)
        self.make(table, "package", {**body, "signatures": drawn}, True, signing=True)
        self.hand("advance", 300)
        if self.random.random() < 0.5:
            self.take_back()

    def take_back(self) -> None:
        """The referee has the tablet again, also where its time ended in the players' hands."""
        for table in TABLES:
            self.hand("takeBack", table)
        self.hand("press", "Take the tablet back")
        self.hand("typePin", "referee")

    def do_wait(self) -> None:
        """Some seconds, or as long as a cookie needs to reach the disk."""
        self.hand("advance", self.random.choice((3000, 12000, 35000)))

    def do_offline(self) -> None:
        self.hand("network", False)

    def do_online(self) -> None:
        self.hand("network", True)

    def do_storm(self) -> None:
        """Half of what is asked meets a fault."""
        self.hand("network", True, 0.5)

    def do_reload(self) -> None:
        self.hand("open")

    def do_kill(self) -> None:
        """The browser is killed and opened again."""
        self.hand("kill")

    def do_full_disk(self) -> None:
        """Something is pressed that the disk refuses: it is nowhere, and the bar does not say that it is saved."""
        self.hand("fill", True)
        before = len(self.made)
        self.do_make()
        self.hand("fill", False)
        if len(self.made) != before:
            self.problem = "a full disk has kept something"

    def do_backup(self) -> None:
        self.backups.append(self.server.back_up())

    def do_restore(self) -> None:
        """One of the backups comes back; what only a later one has goes with that, where the tablet had let it go."""
        backup = self.random.choice(self.backups)
        self.server.restore(backup)

    def do_turn_over(self) -> None:
        """On to the next session, by the menu."""
        self.hand("typePin", "referee")
        if not self.hand("press", "On to"):
            self.hand("press", "Menu")
            self.hand("press", "On to")
            self.hand("press", "Close")
        self.hand("typePin", "referee")

    def do_take_over(self) -> None:
        """Another tablet gets both tables, and may enter something."""
        self.another_tablet(self.random.choice((1, 2)))

    def another_tablet(self, session: int) -> None:
        """Paired by a code of its own."""
        code = self.code_of(session)
        if code:
            devices.pair_tablet(self.server.event, code, f"another tablet's key {self.server.key()}")

    def code_of(self, session: int) -> str:
        """A code, where the session takes one."""
        open_now = self.server.session(session).state not in (SessionState.CLOSED, SessionState.VOID)
        return self.server.code(session) if open_now else ""

    def do_cut_off(self) -> None:
        for device in Device.objects.filter(revoked_at=None, followed_by=None):
            devices.revoke_tablet(device, reason="lost", by=self.server.organiser)

    def do_pair_again(self) -> None:
        """The desk shows this tablet a code, of either session."""
        code = self.code_of(self.random.choice((1, 2)))
        if code:
            self.hand("open", code)
            self.hand("advance", 1000)
            self.hand("typePin", "referee")

    def do_close(self) -> None:
        """The desk closes a session, whatever is behind."""
        session = self.server.session(self.random.choice((1, 2)))
        if session.state == SessionState.PLAYING:
            clock.move_session(
                session, "close", by=self.server.organiser, request_key=self.server.key(), reason="the hall closes"
            )

    def do_reopen(self) -> None:
        session = self.server.session(self.random.choice((1, 2)))
        if session.state == SessionState.CLOSED:
            clock.move_session(
                session, "reopen", by=self.server.organiser, request_key=self.server.key(), reason="a sheet came late"
            )

    def do_hand_over(self) -> None:
        """What a tablet holds whose time is over."""
        self.hand("press", "Hand them to the desk")

    def do_desk_saves(self) -> None:
        """Somebody else enters something at a table whose sheet is open."""
        table = Table.objects.get(session=self.server.session(1), number=self.random.choice(TABLES))
        if not table.scoresheets.exists():
            given = {"typed": empty_typed_sheet(3), "confirmations": {}, "by": self.server.organiser}
            sheets.save_tablet_sheet(table, revision=0, request_key=self.server.key(), **given)

    # --- What the bar says ------------------------------------------------------------------------------
    def check(self) -> None:
        """The bar against the server, and the disk against the backups."""
        found = self.hand("probe")
        self.outcome.looked += 1
        done, held = self.server.has()
        kept = {one["key"] for one in found["kept"]}
        safe = set().union(*(backup.safe for backup in self.backups))
        if forgotten := [key for key in self.made if key not in kept and key not in safe]:
            self.problem = f"forgotten before it was safe: {forgotten}"
        self.forgiven |= {key for key in self.made if key not in kept}
        says_all = any(words in found["bar"] + found["text"] for words in ALL_RECORDED)
        self.outcome.said_all += says_all
        if says_all and found["heard"] == self.server.restores:
            missing = [key for key in self.made if key in kept and key not in done]
            if missing := [key for key in missing if not self.is_settled(key)]:
                where = ["held" if key in held else "nowhere" for key in missing]
                self.problem = f"the bar said {found['bar']!r}, {where}"

    def is_settled(self, key: str) -> bool:
        """Whether a person at the desk has put it aside."""
        return QuarantinedSubmission.objects.filter(key=key).exclude(outcome="").exists()

    def heal(self) -> None:
        """The network is well, the desk gives a code where it is asked for one, the referee presses what is offered."""
        self.hand("network", True)
        for round_ in range(HEALED_WITHIN):
            self.hand("advance", 25000)
            self.hand("typePin", "referee")
            self.take_back()
            self.hand("press", "Hand them to the desk")
            if round_ and not self.hand("isOpen"):
                number = 1 if self.server.session(1).state == SessionState.PLAYING else 2
                if self.server.session(number).state != SessionState.PLAYING:
                    Session.objects.filter(pk=self.server.session(number).pk).update(state=SessionState.PLAYING)
                self.hand("open", self.server.code(number))
                self.hand("advance", 3000)
                self.hand("typePin", "referee")
            if not self.left():
                break
        self.check()
        if not self.problem and (left := self.left()):
            self.problem = f"neither recorded nor with the desk: {left}, {self.hand('probe')}"
        done, held = self.server.has()
        self.outcome.recorded += len(set(self.made) & done)
        self.outcome.with_desk += len(set(self.made) & held - done)

    def left(self) -> list[str]:
        """What was made and is nowhere at the server, unless the page asks a person about it in red."""
        done, held = self.server.has()
        found = self.hand("probe")
        refused = {one["key"] for one in found["kept"] if one["state"] == "refused"}
        if refused and "Needs attention" not in found["bar"]:
            refused = set()
        follows = {one["key"] for one in found["kept"] if one["state"] == "waiting"} if refused else set()
        return [key for key in self.made if key not in done | held | refused | follows | self.forgiven]


def run(browser: Browser, histories: int, seed: int, careless: bool = False) -> Outcome:
    """So many histories, one after the other at one server."""
    server, outcome = Server(), Outcome()
    page = make_page(browser, server, careless)
    for number in range(histories):
        history = History(server, page, seed * 100_000 + number, outcome)
        history.run()
        outcome.histories += 1
        if history.problem:
            outcome.failed += 1
            outcome.problems.append(f"{history.seed}: {' > '.join(history.trace)}: {history.problem}")
    page.close()
    outcome.problems = outcome.problems[:5]
    return outcome


def figure(browser: Browser, histories: int, seed: int, careless: bool) -> Figure:
    """The bar's word, or its control."""
    started = time.monotonic()
    outcome = run(browser, histories, seed, careless)
    made = Figure("bar", TITLE, connection.vendor, outcome.histories, outcome.failed, histories, seed)
    made.facts = asdict(outcome) | {"events": dict(outcome.events)}
    made.seconds = round(time.monotonic() - started, 1)
    return made
