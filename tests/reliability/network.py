"""Q8: twenty-five tablets, two tables each, on Wi-Fi that loses, cuts, repeats and reorders: what their referees tapped
is what the server has, once, in order, and within a minute after the network is back.

First a storm; then no network at all, while the last games are played and signed; then all is well again.
"""

import math
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, NamedTuple

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from tests.conftest import event_data
from tests.reliability.figures import Figure
from tests.reliability.proxy import Proxy, Weather
from tests.reliability.server import Server
from tests.reliability.tablets import Care, Item, Lane, Tablet, wait_for
from tests.sheets.drawing import racks, strokes
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role, SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import devices
from tournament.setup.services import setup
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.domain.scoresheets import clean_typed
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.sheets.queries.scoresheets import sheet_serial
from tournament.sheets.services import drawings
from tournament.tables.models import Table

PIN = "7305"
MOST_TABLETS, TABLES_EACH, TABLETS_A_REFEREE = 25, 2, 5
# Three games, a call and the signed package wait at each table when the network comes back.
DURING_OUTAGE = 5
CONVERGED_WITHIN = 60
STORM_LASTS, CONTROL_LASTS = 600, 60
WAITING_AT_MOST = 150
LETTERS = "ABCD"
TITLE = "tablets on bad Wi-Fi: acts lost, doubled or out of order, sheets not as tapped, tablets not in within 60 s"
ACTIONS = {
    "save": ["save_scoresheet"],
    "call": ["call_judge"],
    "incident": ["record_incident"],
    "package": ["save_scoresheet", "ready_scoresheet", *["sign_scoresheet"] * 4, "lock_scoresheet"],
}


class Tap(NamedTuple):
    """What a referee does at a table."""

    act: str
    body: dict[str, Any]


@dataclass(frozen=True)
class Hall:
    """The event, its tables by number, and for each tablet its referee, its tables and the desk's code."""

    event: Event
    tables: dict[int, Table]
    codes: list[tuple[int, list[int], str]]


@dataclass
class Outcome:
    """What was tapped against what the server has."""

    tablets: int
    acts: int = 0
    lost: int = 0
    doubled: int = 0
    out_of_order: int = 0
    sheets_differing: int = 0
    not_settled: int = 0
    late: int = 0
    sendings: int = 0
    seconds_to_converge: dict[str, float] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)

    @property
    def failures(self) -> int:
        """Everything that must be 0."""
        wrong = self.lost + self.doubled + self.out_of_order + self.sheets_differing
        return wrong + self.not_settled + self.late


# --- The hall -------------------------------------------------------------------------------------------
def make_hall(tablets: int) -> Hall:
    """A session in play, and a code for every tablet."""
    event = setup.create_event(event_data())
    organiser = accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    session = Session.objects.get(stage__event=event, number=1)
    tables = {table.number: table for table in settle(session, organiser, [4] * (tablets * TABLES_EACH))}
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    session.refresh_from_db()
    hashed, codes = make_password(PIN), []
    for number in range(tablets):
        mine = [number * TABLES_EACH + place for place in range(1, TABLES_EACH + 1)]
        referee = referee_of(event, number // TABLETS_A_REFEREE, hashed)
        Table.objects.filter(session=session, number__in=mine).update(referee=referee)
        codes.append((referee.pk, mine, devices.make_pairing(session, referee, mine, by=organiser)[1]))
    return Hall(event, tables, codes)


def referee_of(event: Event, number: int, hashed: str) -> User:
    """One of the referees, with the PIN of all of them: hashing it once is enough."""
    referee = accounts.create_account(event, f"referee{number}", "unused-password", f"referee {number}", [Role.REFEREE])
    RefereePin.objects.get_or_create(event=event, user=referee, defaults={"hash": hashed, "set_at": timezone.now()})
    return referee


def taps_at(table: int, count: int, random: Random) -> list[Tap]:
    """So many acts at a table, the last of them the signed package; each sheet is another."""
    taps = [tap(table, place, random) for place in range(count - 1)]
    signatures = [
        {"letter": letter, "strokes": strokes(table + 50 * place), "made_at": "2026-03-28T03:00:00Z"}
        for place, letter in enumerate(LETTERS)
    ]
    # The players sign what was saved last.
    saved = [one.body["typed"] for one in taps if one.act == "save"]
    typed = saved[-1] if saved else sheet_with(random.randrange(10, 30))
    return [*taps, Tap("package", {"typed": typed, "confirmations": {}, "signatures": signatures})]


def tap(table: int, place: int, random: Random) -> Tap:
    """Mostly a game that is recorded or mended."""
    act = random.choices(["save", "call", "incident"], [70, 15, 15])[0]
    said = f"{table}/{place}"
    if act == "call":
        return Tap(act, {"reason": said})
    if act == "incident":
        return Tap(act, {"kind": "new_deal", "game": 1 + place % 3, "note": said})
    return Tap(act, {"typed": sheet_with(place + 1), "confirmations": {}})


def sheet_with(value: int) -> dict[str, Any]:
    """Three games; B's rack in the first is worth so much."""
    typed = deepcopy(racks())
    typed["games"][0]["seats"]["B"]["face_value"] = str(value)
    return typed


# --- The day --------------------------------------------------------------------------------------------
def run(acts: int, seed: int, care: Sequence[Care] = (Care.CAREFUL,)) -> Outcome:
    """`acts` taps at the tables; tablet by tablet one care after the other."""
    tablets = min(MOST_TABLETS, max(len(care), acts // 40))
    each = max(DURING_OUTAGE + 1, -(-acts // (tablets * TABLES_EACH)))
    hall, random = make_hall(tablets), Random(seed)
    taps = {number: taps_at(number, each, random) for number in hall.tables}
    server = Server("tournament.wsgi")
    server.start()
    proxies = [Proxy(server.port, seed + number) for number in range(tablets)]
    people = [
        Tablet(proxy.port, tables, referee, care[place % len(care)], seed + place)
        for place, (proxy, (referee, tables, _code)) in enumerate(zip(proxies, hall.codes, strict=True))
    ]
    try:
        careful = set(care) == {Care.CAREFUL}
        repaired = play(hall, people, proxies, taps, random, STORM_LASTS if careful else CONTROL_LASTS)
    finally:
        for tablet in people:
            tablet.stop()
        for proxy in proxies:
            proxy.close()
        server.kill()
    outcome = compare(hall, people, taps)
    outcome.sendings = sum(item.tries for tablet in people for lane in tablet.lanes for item in lane.items)
    outcome.faults = dict(sorted(sum((proxy.met for proxy in proxies), Counter()).items()))
    outcome.late, outcome.seconds_to_converge = converged(people, repaired)
    return outcome


def play(
    hall: Hall,
    people: Sequence[Tablet],
    proxies: Sequence[Proxy],
    taps: dict[int, list[Tap]],
    random: Random,
    patience: float,
) -> float:
    """Storm, nothing, repair; when it was repaired. Paired and opened in the storm too."""
    change(proxies, Weather.STORM)
    for tablet, (_referee, _tables, code) in zip(people, hall.codes, strict=True):
        tablet.begin(hall.event.slug, code, PIN)
    lanes = [lane for tablet in people for lane in tablet.lanes]
    most = len(next(iter(taps.values())))
    for place in range(most - DURING_OUTAGE):
        random.shuffle(lanes)
        tap_all(lanes, taps, place)
        wait_for(lambda: sum(tablet.waiting for tablet in people) < WAITING_AT_MOST, patience / 20)
    wait_for(lambda: all(tablet.done for tablet in people), patience / 20)
    change(proxies, Weather.OUT)
    for place in range(most - DURING_OUTAGE, most):
        tap_all(lanes, taps, place)
        time.sleep(1)
    change(proxies, Weather.CLEAR)
    repaired = time.monotonic()
    wait_for(lambda: all(tablet.done for tablet in people), patience)
    return repaired


def change(proxies: Sequence[Proxy], weather: Weather) -> None:
    for proxy in proxies:
        proxy.weather = weather


def tap_all(lanes: Sequence[Lane], taps: dict[int, list[Tap]], place: int) -> None:
    """The next act at each table."""
    for lane in lanes:
        lane.add(*taps[lane.table][place])


# --- Against the truth ----------------------------------------------------------------------------------
def compare(hall: Hall, people: Sequence[Tablet], taps: dict[int, list[Tap]]) -> Outcome:
    """Sheets, signatures and audit entries, table by table."""
    connection.close()
    outcome = Outcome(len(people), sum(len(made) for made in taps.values()))
    entries = entries_by_table(hall)
    for tablet in people:
        outcome.not_settled += tablet.waiting
        for lane in tablet.lanes:
            told, truth = entries[lane.table], expected(lane.items)
            missing, more = counts(truth) - counts(told), counts(told) - counts(truth)
            outcome.lost, outcome.doubled = outcome.lost + missing.total(), outcome.doubled + more.total()
            outcome.out_of_order += not missing and not more and told != truth
            outcome.sheets_differing += as_kept(hall.tables[lane.table]) != as_tapped(taps[lane.table], lane.items)
    return outcome


def expected(items: Sequence[Item]) -> list[tuple[str, str]]:
    """Key and action of every entry that these acts make, in order."""
    return [(item.key, action) for item in items for action in ACTIONS[item.act]]


def counts(entries: Sequence[tuple[str, str]]) -> Counter[str]:
    """How many of each action, whatever their keys."""
    return Counter(action for _key, action in entries)


def entries_by_table(hall: Hall) -> dict[int, list[tuple[str, str]]]:
    """Key and action of what the log has of each table, in its order."""
    numbers = {sheet_serial(table): number for number, table in hall.tables.items()}
    wanted = {action for actions in ACTIONS.values() for action in actions}
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for entry in AuditEntry.objects.filter(event=hall.event, action__in=wanted).order_by("seq"):
        found[numbers[entry.subject.split(" ")[1]]].append((entry.request_key, entry.action))
    return found


def as_kept(table: Table) -> Any:
    """The sheet, its revision, its signatures as they were drawn, its receipt, what was called and noted."""
    sheet = Scoresheet.objects.filter(table=table).first()
    if sheet is None:
        return None
    signatures = Signature.objects.filter(scoresheet=sheet, superseded_at=None).select_related("drawing", "entrant")
    drawn = {signature.letter: plain(drawings.read_strokes_of_signature(signature)) for signature in signatures}
    calls = list(table.judge_calls.order_by("pk").values_list("reason", flat=True))
    notes = list(table.incidents.order_by("pk").values_list("note", flat=True))
    return [sheet.state, sheet.typed, sheet.revision, drawn, receipt_code(sheet), calls, notes]


def as_tapped(taps: Sequence[Tap], items: Sequence[Item]) -> Any:
    """The same as the referee has it; the receipt is what the tablet shows."""
    package = taps[-1].body
    drawn = {one["letter"]: plain(one["strokes"]) for one in package["signatures"]}
    saves = sum(one.act == "save" for one in taps)
    calls = [one.body["reason"] for one in taps if one.act == "call"]
    notes = [one.body["note"] for one in taps if one.act == "incident"]
    return ["signed", clean_typed(package["typed"]), saves + 3, drawn, items[-1].receipt, calls, notes]


def plain(drawn: Sequence[Any]) -> list[list[list[int]]]:
    """Strokes as lists, whoever made them."""
    return [[list(point) for point in stroke] for stroke in drawn]


def converged(people: Sequence[Tablet], repaired: float) -> tuple[int, dict[str, float]]:
    """Tablets that took longer than a minute, and how long they took."""
    took = sorted(max(0.0, tablet.recorded_at - repaired) for tablet in people)
    late = sum(seconds > CONVERGED_WITHIN for seconds in took)
    told = {"median": statistics.median(took), "95 %": took[math.ceil(0.95 * len(took)) - 1], "longest": took[-1]}
    return late, {name: round(seconds, 1) for name, seconds in told.items()}


# --- The figure -----------------------------------------------------------------------------------------
def figure(acts: int, seed: int, careless: bool) -> Figure:
    """Q8; or its control, where every second tablet tries again with a new key and the others believe any 200. It
    shows something only where acts were both doubled and lost."""
    outcome = run(acts, seed, (Care.NEW_KEYS, Care.TRUSTING) if careless else (Care.CAREFUL,))
    failures = outcome.failures
    if careless and not (outcome.lost and outcome.doubled):
        failures = 0
    made = Figure("Q8", TITLE, connection.vendor, outcome.acts, failures, acts, seed)
    made.facts = asdict(outcome)
    return made
