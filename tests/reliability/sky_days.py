"""Generated days under the sky: what was true, what the feed listed and who looked, and what people entered.

Minutes count from midnight in the hall; the first check-in is at 12:00, the line at 10:00. Nothing here reads a
journal: `sky_oracle` judges a day from what is kept of it, `sky` from the journal alone.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import zip_longest
from random import Random

from scoring.signals import ACTION_CANCEL, ACTION_ISSUE, ACTION_VANISHED, Observation

MIDNIGHT = datetime.fromisoformat("2026-03-28T00:00:00+08:00")
CHECK_IN, LINE = 720, 600
EARLIEST, LATEST = -720, 780
RAIN, WIND = "WRAIN", "WTCSGNL"
CODES = {RAIN: ("WRAINA", "WRAINR", "WRAINB"), WIND: ("TC1", "TC3", "TC8NE", "TC8SE", "TC8NW", "TC8SW", "TC9", "TC10")}
LINGERS = (3, 90)


def moment(minute: int) -> datetime:
    """A minute of that day."""
    return MIDNIGHT + timedelta(minutes=minute)


@dataclass(frozen=True)
class State:
    """A signal as it really was; `ended` None: still in force when the day is over."""

    family: str
    code: str
    begun: int
    ended: int | None


@dataclass(frozen=True)
class Entry:
    """What the feed lists of a family: of which true state, and whether that has ended."""

    state: State
    code: str
    action: str
    issued: int
    updated: int


@dataclass(frozen=True)
class Hand:
    """A line by hand: what was stated, of which true state if that was so, and the number of the line it is about."""

    number: int
    seen: int
    code: str
    family: str
    begun: int
    ended: int | None
    state: State | None
    about: int | None = None
    withdraws: bool = False


@dataclass(frozen=True)
class Line:
    """A line of the journal: what the feed lists from then on, nothing for an entry that vanished; or a hand's."""

    number: int
    seen: int
    family: str
    entry: Entry | None = None
    hand: Hand | None = None


@dataclass
class Day:
    """`listings`: for each family when the feed's listing changed, and to what; `outages`: when no look was good."""

    states: list[State]
    listings: dict[str, list[tuple[int, Entry | None]]]
    first_look: int
    outages: list[tuple[int, int]]
    journal: list[Observation] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    rows: list[tuple[datetime, datetime]] = field(default_factory=list)

    def is_good(self, minute: int) -> bool:
        """Whether there was a good look in this minute."""
        return minute >= self.first_look and not any(since <= minute < until for since, until in self.outages)

    def next_good(self, minute: int) -> int:
        """The first good look from a minute on."""
        minute = max(minute, self.first_look)
        for since, until in self.outages:
            minute = until if since <= minute < until else minute
        return minute

    def listed(self, family: str, minute: int) -> Entry | None:
        """What stood in the feed."""
        changes = self.listings[family]
        place = bisect_right(changes, minute, key=lambda change: change[0])
        return changes[place - 1][1] if place else None


def make_day(dice: Random) -> Day:
    """One day, its journal and all."""
    states = [state for family in CODES for state in true_states(dice, family)]
    listings = {family: listing_of(dice, [one for one in states if one.family == family]) for family in CODES}
    day = Day(states, listings, dice.choice([240, 240, EARLIEST, dice.randint(EARLIEST, LINE)]), outages(dice))
    observed = feed_lines(day)
    write(day, observed, dice)
    day.rows = rows_of(day, {at for at, _line in observed})
    return day


def near(dice: Random, low: int) -> int:
    """Some minute after another; often about the line and the first check-in, where a minute decides."""
    if dice.random() < 0.35:
        at = dice.choice([LINE, LINE, CHECK_IN]) + dice.randint(-3, 3)
        if at > low:
            return at
    return low + dice.choice([dice.randint(1, 20), dice.randint(20, 200), dice.randint(100, 700)])


def true_states(dice: Random, family: str) -> list[State]:
    """What one family did from the day before on: raised, lowered, gone, raised anew."""
    states: list[State] = []
    at = near(dice, EARLIEST + dice.randint(0, 900))
    code = ""
    while at < LATEST and len(states) < 7:
        choices = [one for one in CODES[family] if one != code]
        stops = choices[-2:] if family == RAIN else choices[2:]
        code = dice.choice(stops if dice.random() < 0.6 else choices)
        until = near(dice, at)
        states.append(State(family, code, at, until if until < LATEST else None))
        at = until
        if dice.random() < 0.4:
            code, at = "", near(dice, until)
    return states


def listing_of(dice: Random, states: list[State]) -> list[tuple[int, Entry | None]]:
    """How the feed tells it: up to three minutes late, said anew in between, sometimes gone for a while."""
    changes: list[tuple[int, Entry | None]] = []
    for state, then in zip_longest(states, states[1:]):
        first = Entry(state, state.code, ACTION_ISSUE, state.begun, state.begun)
        changes.append((state.begun + late(dice), first))
        end = LATEST if state.ended is None else state.ended
        changes += said_anew(dice, state, end)
        if state.ended is not None and (then is None or then.begun > state.ended):
            changes += cancelled(dice, state, LATEST if then is None else then.begun)
    return in_turn(changes)


def late(dice: Random) -> int:
    return dice.choice([0, 0, 0, 1, 1, 2, 3])


def said_anew(dice: Random, state: State, end: int) -> list[tuple[int, Entry | None]]:
    if end - state.begun < 12 or dice.random() < 0.6:
        return []
    at = dice.randint(state.begun + 4, end - 4)
    if dice.random() < 0.5:
        again = Entry(state, state.code, dice.choice(["EXTEND", "update", "REISSUE"]), state.begun, at)
        return [(at, again)]
    back = dice.randint(at, end - 4)
    return [(at, None), (back, Entry(state, state.code, ACTION_ISSUE, state.begun, state.begun))]


def cancelled(dice: Random, state: State, until: int) -> list[tuple[int, Entry | None]]:
    """CANCEL for a while; one in eight gives the time of the issue, or one before, for that of the end."""
    assert state.ended is not None
    at = state.ended + late(dice)
    if at >= until:
        return []
    updated = dice.choice([state.begun, state.ended - 5]) if dice.random() < 0.12 else state.ended
    code = ACTION_CANCEL if dice.random() < 0.7 else state.code
    gone = min(at + dice.randint(*LINGERS), until)
    return [(at, Entry(state, code, ACTION_CANCEL, state.begun, updated)), (gone, None)]


def in_turn(changes: list[tuple[int, Entry | None]]) -> list[tuple[int, Entry | None]]:
    """No change is seen before the one that came before it."""
    made: list[tuple[int, Entry | None]] = []
    for at, entry in changes:
        made.append((max(at, made[-1][0]) if made else at, entry))
    return made


def outages(dice: Random) -> list[tuple[int, int]]:
    """When the feed did not answer, in order."""
    found = []
    for _ in range(dice.choice([0, 0, 1, 1, 2])):
        since = near(dice, dice.randint(200, 640)) if dice.random() < 0.5 else dice.randint(200, 720)
        found.append((since, since + dice.choice([dice.randint(1, 10), dice.randint(5, 200)])))
    return sorted(found)


def feed_lines(day: Day) -> list[tuple[int, tuple[str, Entry | None, Entry | None]]]:
    """Each change as a good look sees it: when, and family, what was listed before, and what is now."""
    found = []
    for family, changes in day.listings.items():
        known: Entry | None = None
        for at in sorted({day.next_good(change) for change, _entry in changes} | {day.first_look}):
            if not day.is_good(at):
                continue
            now = day.listed(family, at)
            if now != known and at <= LATEST:
                found.append((at, (family, known, now)))
            known = now
    return sorted(found, key=lambda one: (one[0], one[1][0]))


def rows_of(day: Day, changed: set[int]) -> list[tuple[datetime, datetime]]:
    """Good looks that gave the same, a look every minute."""
    breaks = sorted({day.first_look, *changed, *(end for _since, end in day.outages)})
    found = []
    for since, until in zip(breaks, [*breaks[1:], LATEST], strict=True):
        stop = min([until, *(out for out, end in day.outages if end > since and out < until)])
        if stop > since and day.is_good(since):
            found.append((moment(since), moment(stop - 1)))
    return found


# --- People ---------------------------------------------------------------------------------------------
def write(day: Day, observed: list[tuple[int, tuple[str, Entry | None, Entry | None]]], dice: Random) -> None:
    """Number all lines in order of time; what people enter may be right, late, wrong, a correction or a withdrawal."""
    acts = sorted(dice.randint(0, LATEST) for _ in range(dice.choice([0, 0, 1, 2, 2, 3, 4])))
    wrong = dice.random() < 0.5
    for at, feed in sorted([*observed, *((at, None) for at in acts)], key=lambda one: (one[0], one[1] is None)):
        number = len(day.lines) + 1
        if feed is None:
            hand = enter(day, at, number, dice, wrong=wrong)
            if hand is not None:
                day.lines.append(Line(number, at, hand.family, hand=hand))
                day.journal.append(line_of(hand))
            continue
        family, before, now = feed
        day.lines.append(Line(number, at, family, now))
        day.journal.append(observation(number, family, now or before, ACTION_VANISHED if now is None else "", at))


def observation(number: int, family: str, entry: Entry | None, action: str, at: int) -> Observation:
    assert entry is not None
    times = (moment(entry.issued), moment(entry.updated), None, moment(at))
    return Observation(number, family, entry.code, action or entry.action, *times)


def line_of(hand: Hand) -> Observation:
    """A line by hand as the journal has it."""
    ended = None if hand.ended is None else moment(hand.ended)
    times = (moment(hand.begun), None, ended, moment(hand.seen))
    how = {"by_hand": True, "about": hand.about, "withdraws": hand.withdraws}
    return Observation(hand.number, hand.family, hand.code, "", *times, **how)


def enter(day: Day, at: int, number: int, dice: Random, *, wrong: bool) -> Hand | None:
    """What a person writes at a moment; None: there is nothing to write about."""
    gone = {line.hand.about for line in day.lines if line.hand}
    writable = [line for line in day.lines if line.number not in gone and not (line.hand and line.hand.withdraws)]
    if wrong and writable and dice.random() < 0.3:
        about = dice.choice(writable).number
        said = day.journal[about - 1]
        return Hand(number, at, said.code, said.family, at, None, None, about, withdraws=True)
    known = [state for state in day.states if state.begun <= at]
    if not known:
        return None
    state = dice.choice(known[-3:])
    if not wrong or dice.random() < 0.4:
        ended = state.ended if state.ended is not None and state.ended <= at and dice.random() < 0.7 else None
        same = [line.number for line in writable if is_about(line, state)]
        about = same[-1] if same and dice.random() < 0.5 else None
        return Hand(number, at, state.code, state.family, state.begun, ended, state, about)
    code = dice.choice(CODES[state.family])
    begun = min(at, state.begun + dice.randint(-90, 90))
    until = dice.choice([None, dice.randint(begun, at)])
    about = dice.choice(writable).number if writable and dice.random() < 0.4 else None
    return Hand(number, at, code, state.family, begun, until, None, about)


def is_about(line: Line, state: State) -> bool:
    """Whether a line says that this signal is in force."""
    if line.hand:
        return line.hand.state == state
    return line.entry is not None and line.entry.action != ACTION_CANCEL and line.entry.state == state
