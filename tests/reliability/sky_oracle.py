"""What the rules (R50-R56) allows of a generated day, from what was true, listed and stated: no journal is merged here.

Each of `MUST_NOT` and `MUST` is a sentence of the rules; where none binds, the day is open and any proposal is allowed.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

from scoring.signals import ACTION_CANCEL
from tests.reliability.sky_days import CHECK_IN, LINE, Day, Entry, Hand, Line, State, is_about


def is_stop(code: str) -> bool:
    """WRAINB, and every code beginning TC8, TC9 or TC10."""
    return code == "WRAINB" or code[:3] in ("TC8", "TC9") or code[:4] == "TC10"


def weighs(state: State) -> bool:
    """Whether a signal calls the day off: a stop signal in force at the line, ended there or later, or begun before
    the first check-in."""
    return is_stop(state.code) and state.begun < CHECK_IN and (state.ended is None or state.ended >= LINE)


def lists_stop(entry: Entry | None) -> bool:
    """Whether the feed says that a stop signal is in force."""
    return entry is not None and entry.action != ACTION_CANCEL and is_stop(entry.code)


class Known:
    """A day as somebody at `now` may know it. `misled`: the families of which somebody stated what was not so."""

    def __init__(self, day: Day, now: int) -> None:
        self.day, self.now = day, now
        self.lines = [line for line in day.lines if line.seen <= now]
        hands = [line.hand for line in self.lines if line.hand]
        gone = {hand.about for hand in hands}
        self.standing = [hand for hand in hands if hand.number not in gone]
        self.misled = {family for hand in hands if hand.state is None for family in self.touched(hand)}

    def touched(self, hand: Hand) -> Iterator[str]:
        """The families that a line by hand is about."""
        yield hand.family
        if hand.about is not None:
            yield self.day.lines[hand.about - 1].family

    @cached_property
    def last_look(self) -> int | None:
        """Minute of the newest good look; None where there is none."""
        return next((at for at in range(self.now, self.day.first_look - 1, -1) if self.day.is_good(at)), None)

    def looks(self, since: int, until: int) -> Iterator[int]:
        """Every good look from one minute to before another, none after now."""
        return (at for at in range(since, min(until, self.now + 1)) if self.day.is_good(at))

    def seen(self, state: State) -> bool:
        """Whether any line says by its code of this signal that it is, or was."""
        return any(is_about(line, state) or _ends(line, state) for line in self.lines)


def _ends(line: Line, state: State) -> bool:
    return line.entry is not None and line.entry.state == state and line.entry.code == state.code


# --- The day must not be played -------------------------------------------------------------------------
def listed_now(known: Known) -> bool:
    """The newest good look listed a stop signal, nobody has withdrawn the line that says so, and nobody has corrected
    it since that look."""
    look = known.last_look
    for family in known.day.listings:
        entry = None if look is None else known.day.listed(family, look)
        if entry is None or not lists_stop(entry) or entry.issued >= CHECK_IN:
            continue
        spoke = [line for line in known.lines if line.family == family and line.hand is None][-1]
        after = [hand for hand in known.standing if hand.number > spoke.number and _is_of(known, hand, entry)]
        if not any(hand.about == spoke.number if hand.withdraws else hand.seen >= look for hand in after):
            return True
    return False


def _is_of(known: Known, hand: Hand, entry: Entry) -> bool:
    """Whether a hand's line, or one that it goes back to, is about what the feed said of this very signal."""
    about = hand.about
    while about is not None:
        line = known.day.lines[about - 1]
        if line.entry is not None and line.entry.state == entry.state:
            return True
        about = line.hand.about if line.hand else None
    return False


def listed_after_the_line(known: Known) -> bool:
    """A look from the line on, before the first check-in, listed a stop signal of which nobody stated the end, and
    nobody a wrong thing of its family: in force at the line, or begun after it, whatever the feed says later."""
    entries = (
        known.day.listed(family, at)
        for family in known.day.listings
        if family not in known.misled
        for at in known.looks(LINE, CHECK_IN)
    )
    return any(
        entry is not None and lists_stop(entry) and entry.issued < CHECK_IN and not _end_stated(known, entry.state)
        for entry in entries
    )


def _end_stated(known: Known, state: State) -> bool:
    """Whether a person's word says when it ended: of itself, or as the beginning of what followed."""
    return any(
        (hand.state == state and hand.ended is not None) or (hand.family == state.family and hand.begun == state.ended)
        for hand in known.standing
    )


def was_so(known: Known) -> bool:
    """A stop signal that calls the day off was seen or stated, and nobody stated a wrong thing of its family. What
    the feed says wrongly of its end no person has to know better."""
    return any(
        weighs(state) and state.family not in known.misled and known.seen(state) and not _false_end(known, state)
        for state in known.day.states
        if state.begun <= known.now
    )


def _false_end(known: Known, state: State) -> bool:
    return any(
        line.entry is not None and line.entry.state == state and _is_false(line.entry, state) for line in known.lines
    )


def _is_false(entry: Entry, state: State) -> bool:
    return entry.action == ACTION_CANCEL and entry.updated != state.ended


# --- The day must be played -----------------------------------------------------------------------------
def was_clear(known: Known) -> bool:
    """Nobody stated a wrong thing, the feed has been read since the line, and of every stop signal its end was seen
    or stated, before the line; no look since then listed one."""
    look = known.last_look
    needed = LINE if known.now >= LINE else known.now - 5
    if known.misled or look is None or look < needed:
        return False
    states = [state for state in known.day.states if state.begun <= known.now]
    if any(weighs(state) for state in states) or listed_after_the_line(known) or listed_now(known):
        return False
    stops = [state for state in states if is_stop(state.code) and state.begun < CHECK_IN]
    return all(
        _end_known(known, state) and not _false_end(known, state) for state in stops if known.seen(state)
    ) and all(known.seen(state) for state in known.day.states if state.begun <= known.now)


def _end_known(known: Known, state: State) -> bool:
    if state.ended is None or state.ended > known.now:
        return False
    stated = [hand.ended for hand in known.standing if hand.state == state]
    if stated:
        return all(ended is not None for ended in stated)
    then = [other for other in known.day.states if other.family == state.family and other.begun == state.ended]
    if then:
        return any(is_about(line, then[0]) for line in known.lines)
    return any(
        line.entry is not None and line.entry.state == state and line.entry.action == ACTION_CANCEL
        for line in known.lines
    )


MUST_NOT: dict[str, Callable[[Known], bool]] = {
    "listed now": listed_now,
    "listed after the line": listed_after_the_line,
    "was so": was_so,
}
MUST: dict[str, Callable[[Known], bool]] = {"was clear": was_clear}
