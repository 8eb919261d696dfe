"""The journal of signals read as stretches (R52, R56).

The feed lists one entry a family (WRAIN, WTCSGNL ...). A new code ends the one before at its own time of
issue, CANCEL ends it at its time of update, and an entry that is no longer there has not ended: its end is
unknown until a person states it. What a person enters wins, but over a stop signal that the feed lists now: only
who withdraws or corrects that very line says that it is none. Where times contradict one another, the reading that
keeps a stop signal longer is taken: no signal is lost, and nothing is taken for clear. So the feed ends none before
the last look that still listed it, whatever time it gives.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from scoring.weather import STOP_FAMILIES, Signal, is_stop_signal

ACTION_CANCEL = "CANCEL"
ACTION_VANISHED = "VANISHED"
ACTION_ISSUE = "ISSUE"
_CLOCK_TOLERANCE = timedelta(minutes=10)

# Good looks from the first to the last of a row, each not far from the next.
ObservedRanges = Sequence[tuple[datetime, datetime]]


@dataclass(frozen=True, slots=True)
class Observation:
    """One line of the journal. All times carry an offset.

    From the feed: `issued` and `updated` as they stood there (None: missing or unreadable); `action` is
    VANISHED where the entry was no longer there; `expires`: what is of no stop family ends then. By hand: one signal
    as a whole, `issued` and, once known, `ended`; `about` is the number of the line that it corrects or, with
    `withdraws`, that never was so.
    """

    number: int
    family: str
    code: str
    action: str
    issued: datetime | None
    updated: datetime | None
    ended: datetime | None
    seen: datetime
    by_hand: bool = False
    about: int | None = None
    withdraws: bool = False
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class SignalSpan:
    """A signal from its issue to its end, and the numbers of the lines that say so.

    `vanished`: since when the feed lists it no more, though nothing says that it ended. `stated`: when a line
    last said that it is, or was, in force.
    """

    signal: Signal
    family: str
    by_hand: bool
    begun_by: int
    ended_by: int | None
    vanished: datetime | None
    stated: datetime


def read_signal_spans(
    journal: Iterable[Observation], looks: Iterable[tuple[datetime, datetime]] = ()
) -> tuple[SignalSpan, ...]:
    """All signals of a journal, in order of issue, then family, then the line that began them.

    The journal may come in any order; its numbers say which line is newer. `looks`: rows of good looks that gave
    the same, first and last of each. Left out: the feed's own times alone say when a signal ended."""
    lines = sorted(journal, key=lambda line: line.number)
    rows = sorted(looks)
    counting = _lines_that_count(lines)
    withdrawn = {line.about for line, _root in counting if line.withdraws}
    feed: list[_SignalRun] = []
    for family in sorted({line.family for line in lines}):
        feed += _feed_runs(
            [line for line in lines if line.family == family and not line.by_hand and line.number not in withdrawn],
            rows,
        )
    stated = [_stated_run(line, root) for line, root in counting if not line.withdraws]
    newest = max((last for _first, last in rows), default=None)
    listed = [replace(run) for run in feed if _listing_outlasts_statement(run, stated, newest)]
    runs = sorted(
        _keep_listed_runs(listed, _join_feed_and_stated(feed, stated)),
        key=lambda run: (run.begun, run.family, run.begun_by),
    )
    return tuple(run.stretch() for run in runs)


def superseded_lines(journal: Iterable[Observation]) -> frozenset[int]:
    """The numbers of the lines that a later one corrects or withdraws, which is not itself corrected or withdrawn."""
    gone: set[int] = set()
    for line in sorted(journal, key=lambda one: one.number, reverse=True):
        if line.by_hand and line.number not in gone and line.about is not None and line.about < line.number:
            gone.add(line.about)
    return frozenset(gone)


def signals_in_force(known_stretches: Iterable[SignalSpan], now: datetime) -> tuple[SignalSpan, ...]:
    """The signals in force at `now`, stop signals or not, in the order given."""
    return tuple(
        one
        for one in known_stretches
        if one.signal.issued <= now and (one.signal.cancelled is None or one.signal.cancelled > now)
    )


@dataclass(slots=True)
class _SignalRun:
    """A stretch while it is read. `marks`: when it was issued and issued again, each with its line; `lines`: all of
    the feed's that are about it, `unlisting` those of them that list it no more; `root`: of a person's, the line that
    all corrections go back to; `listed`: the feed has it now; `shown`: when the feed was last seen to list it;
    `expires`: when it ends by itself, with its line."""

    family: str
    code: str
    begun: datetime
    begun_by: int
    stated: datetime
    ended: datetime | None = None
    ended_by: int | None = None
    by_hand: bool = False
    vanished: datetime | None = None
    marks: list[tuple[datetime, int]] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    unlisting: set[int] = field(default_factory=set)
    root: int = 0
    listed: bool = False
    shown: datetime | None = None
    expires: tuple[datetime, int] | None = None

    def end(self, at: datetime, line: int) -> None:
        self.ended, self.ended_by, self.vanished = max(self.begun, at), line, None

    def end_by_feed(self, at: datetime, line: int) -> None:
        """A stop signal was still in force when the feed was last seen to list it."""
        self.end(max(at, self.shown or at) if is_stop_signal(self.code) else at, line)

    def vanish(self, line: Observation) -> None:
        self.vanished = line.seen
        self.lines.add(line.number)
        self.unlisting.add(line.number)

    def holds(self, at: datetime) -> bool:
        return self.begun <= at and (self.ended is None or at < self.ended)

    def after(self, at: datetime) -> _SignalRun | None:
        """What the feed issued of it later than a moment; None: nothing."""
        marks = [mark for mark in self.marks if mark[0] > at and (self.ended is None or mark[0] < self.ended)]
        if not marks:
            return None
        return replace(self, begun=marks[0][0], begun_by=marks[0][1], marks=marks)

    def stretch(self) -> SignalSpan:
        signal = Signal(self.code, self.begun, self.ended)
        return SignalSpan(signal, self.family, self.by_hand, self.begun_by, self.ended_by, self.vanished, self.stated)


def _lines_that_count(lines: Sequence[Observation]) -> list[tuple[Observation, int]]:
    """The lines by hand that count, oldest first, each with the line that it goes back to: of those about the same
    the newest, and none that a later one corrects or withdraws."""
    by_number = {line.number: line for line in lines}
    gone = superseded_lines(lines)
    newest: dict[int, Observation] = {}
    for line in reversed(lines):
        if not line.by_hand or line.number in gone:
            continue
        about = by_number.get(line.about) if line.about is not None and line.about < line.number else None
        if not line.withdraws or (about is not None and not about.by_hand):
            newest.setdefault(_root_number(line, by_number), line)
    return sorted(((line, root) for root, line in newest.items()), key=lambda one: one[0].number)


def _root_number(line: Observation, by_number: dict[int, Observation]) -> int:
    while line.about is not None and line.about < line.number and line.about in by_number:
        line = by_number[line.about]
    return line.number


def _feed_runs(lines: Iterable[Observation], looks: ObservedRanges) -> list[_SignalRun]:
    """One family by the feed alone. They never overlap; only the last may have no end."""
    runs: list[_SignalRun] = []
    for line in lines:
        last = runs[-1] if runs else None
        if last is not None and last.ended is None and last.vanished is None:
            last.shown = _last_observation(looks, last.stated, line.seen) or last.shown
        if last is not None and last.ended is None and last.expires and last.expires[0] <= line.seen:
            last.end(*last.expires)
        if line.action.upper() == ACTION_VANISHED:
            if last is not None and last.ended is None:
                last.vanish(line)
        elif ACTION_CANCEL in (line.code.upper(), line.action.upper()):
            _cancel_run(runs, line)
        elif last is not None and _continues_run(last, line):
            _extend_run(last, line)
        else:
            _begin_run(runs, line)
    if runs and runs[-1].ended is None and runs[-1].expires:
        runs[-1].end(*runs[-1].expires)
    if runs:
        runs[-1].listed = runs[-1].ended is None and runs[-1].vanished is None
    return runs


def _last_observation(looks: ObservedRanges, since: datetime, before: datetime) -> datetime | None:
    """The last look from one moment on, before another; a look that saw a change is the first of its row."""
    place = bisect_left(looks, (before, before))
    if not place:
        return None
    first, last = looks[place - 1]
    look = last if last < before else first
    return look if look >= since else None


def _feed_expiry(line: Observation) -> tuple[datetime, int] | None:
    """Never of rain or wind: silence is no end of what may stop play."""
    known = line.expires is not None and line.family not in STOP_FAMILIES
    return (line.expires, line.number) if known and line.expires else None


def _issue_time(line: Observation) -> datetime:
    """When it was issued: where that is missing or far ahead, when the line was seen, since a listed one is issued."""
    said = line.issued or min(line.updated or line.seen, line.seen)
    return said if said - line.seen <= _CLOCK_TOLERANCE else line.seen


def _continues_run(run: _SignalRun, line: Observation) -> bool:
    """Whether a line is of the signal that is in force, and not of another one of the same code."""
    again = line.action.upper() == ACTION_ISSUE or run.vanished is not None
    later = again and _issue_time(line) > run.marks[-1][0]
    sooner = _issue_time(line) <= line.seen < run.begun  # issued by a clock that is ahead, and in force already
    return run.ended is None and run.code == line.code and not later and not sooner


def _extend_run(run: _SignalRun, line: Observation) -> None:
    run.vanished, run.stated, run.expires = None, line.seen, _feed_expiry(line)
    run.lines.add(line.number)
    if _issue_time(line) > run.marks[-1][0]:
        run.marks.append((_issue_time(line), line.number))


def _begin_run(runs: list[_SignalRun], line: Observation) -> None:
    """A new code ends what was there. Against the order of times, a stop signal gives way to nothing but another."""
    begun = _issue_time(line)
    if not is_stop_signal(line.code):
        for run in runs:
            if is_stop_signal(run.code):
                if run.ended is None:
                    run.end_by_feed(begun if begun >= run.begun else line.seen, line.number)
                begun = max(begun, run.ended or begun)
    for run in runs:
        if run.ended is None or run.ended > begun:
            run.end(begun, line.number)
    run = _SignalRun(line.family, line.code, begun, line.number, line.seen, expires=_feed_expiry(line))
    run.marks, run.lines = [(begun, line.number)], {line.number}
    runs.append(run)


def _cancel_run(runs: list[_SignalRun], line: Observation) -> None:
    """CANCEL ends what is in force, or says anew when it ended. With nothing there, what ended was never seen."""
    last = runs[-1] if runs else None
    at = line.updated or line.seen
    whole = line.code.upper() == ACTION_CANCEL
    if last is not None and last.ended is None and not whole and line.code != last.code:
        last.vanish(line)
        if is_stop_signal(last.code):
            return
    elif last is not None and (last.ended is None or last.ended >= (line.issued or last.ended)):
        last.end_by_feed(at if at >= max(run.begun for run in runs) else line.seen, line.number)
        last.lines.add(line.number)
        return
    _begin_run(runs, replace(line, code=ACTION_CANCEL if whole else line.code, issued=min(_issue_time(line), at)))
    runs[-1].end(at, line.number)


def _stated_run(line: Observation, root: int) -> _SignalRun:
    begun = line.issued or line.seen
    ended = line.ended if line.ended is not None and line.ended >= begun else None
    by = None if ended is None else line.number
    return _SignalRun(line.family, line.code, begun, line.number, line.seen, ended, by, by_hand=True, root=root)


def _join_feed_and_stated(feed: list[_SignalRun], stated: list[_SignalRun]) -> list[_SignalRun]:
    """What persons stated and what is left of the feed beside it; the newest statement first."""
    kept: list[_SignalRun] = []
    for hand in reversed(stated):
        alike = [other for other in kept if (other.family, other.code) == (hand.family, hand.code)]
        if any(other.holds(hand.begun) or other.begun == hand.begun for other in alike):
            continue
        feed = _feed_runs_not_claimed(hand, feed, stated, alike)
        for other in alike:
            if hand.holds(other.begun):
                hand.end(other.begun, other.begun_by)
        kept.append(hand)
    for hand in kept:
        feed = _end_where_stated_began(hand, feed)
    return kept + feed


def _feed_runs_not_claimed(
    hand: _SignalRun, feed: list[_SignalRun], stated: Iterable[_SignalRun], alike: Iterable[_SignalRun]
) -> list[_SignalRun]:
    """The feed's runs that are another signal than the one a person stated; an end not stated comes from the rest."""
    parted = _next_code_began(hand, [*feed, *stated], alike)
    same = sorted((run for run in feed if _is_same_signal(hand, run, parted)), key=lambda run: run.begun)
    if hand.ended is None and same:
        first = same[0]
        hand.vanished, hand.stated = first.vanished, max(hand.stated, first.stated)
        if first.ended is not None and first.ended >= hand.begun:
            hand.ended, hand.ended_by = first.ended, first.ended_by
    if hand.ended_by != hand.begun_by:
        _end_at_next_signal(hand, [*feed, *stated])
    left: list[_SignalRun] = []
    for run in feed:
        if not any(run is one for one in same):
            left.append(run)
        elif hand.ended is not None:
            rest = run if run.begun >= hand.ended and run is not same[0] else run.after(hand.ended)
            left += [] if rest is None else [rest]
    return left


def _next_code_began(hand: _SignalRun, others: Iterable[_SignalRun], alike: Iterable[_SignalRun]) -> datetime | None:
    """When the next signal of its family began: one of another code, or of the same code where both were stated."""
    codes = [run for run in others if run.family == hand.family and run.code not in (hand.code, ACTION_CANCEL)]
    return min((run.begun for run in (*codes, *alike) if run.begun > hand.begun), default=None)


def _listing_outlasts_statement(run: _SignalRun, stated: Iterable[_SignalRun], look: datetime | None) -> bool:
    """Whether the feed's listing of a stop signal counts against all that was stated. Not where a statement is about a
    line that lists this very signal, and is newer than the feed's last line of it and than our last look."""
    listing = run.lines - run.unlisting
    said = [hand for hand in stated if hand.root in listing and hand.begun_by > max(run.lines)]
    about_it = any(look is None or hand.stated >= look for hand in said)
    return run.listed and is_stop_signal(run.code) and not about_it


def _keep_listed_runs(listed: Iterable[_SignalRun], joined: list[_SignalRun]) -> list[_SignalRun]:
    """All of them, where a stop signal that the feed has now is in force: one that was ended by what was stated of
    others goes on, or goes on from the last end that was stated of it."""
    for run in listed:
        same = [one for one in joined if (one.family, one.code) == (run.family, run.code)]
        seen = max(run.stated, run.begun)
        if any(one.ended is None and one.begun <= seen for one in same):
            continue
        feed = [one for one in same if not one.by_hand and one.begun_by == run.begun_by and one.begun <= seen]
        if feed:
            feed[0].ended, feed[0].ended_by = None, None
        else:
            ends = [one.ended for one in same if one.ended is not None and one.ended <= run.stated]
            joined.append(replace(run, begun=max([run.begun, *ends])))
    return joined


def _is_same_signal(hand: _SignalRun, run: _SignalRun, parted: datetime | None) -> bool:
    if hand.root in run.lines:
        return True
    if run.family != hand.family or run.code not in (hand.code, ACTION_CANCEL):
        return False
    if hand.ended is None and parted is not None and run.begun >= parted:
        return False
    if run.code == ACTION_CANCEL:
        return (run.ended or run.begun) >= hand.begun and (hand.ended is None or hand.ended >= run.begun)
    return (run.ended is None or run.ended > hand.begun) and (hand.ended is None or hand.ended > run.begun)


def _end_at_next_signal(hand: _SignalRun, others: Iterable[_SignalRun]) -> None:
    """A signal whose end was not stated ends when the next of its family begins, if that was not known before; where
    the feed has an end of it, a next one that a person stated may still be earlier."""
    after = [
        run
        for run in others
        if run.family == hand.family
        and run.code not in (hand.code, ACTION_CANCEL)
        and run.begun > hand.begun
        and (run.by_hand or (hand.ended is None and run.begun_by > hand.begun_by))
        and hand.holds(run.begun)
    ]
    if after:
        first = min(after, key=lambda run: (run.begun, run.begun_by))
        hand.end(first.begun, first.begun_by)


def _end_where_stated_began(hand: _SignalRun, feed: list[_SignalRun]) -> list[_SignalRun]:
    """The feed's runs, those of the hand's family ended where the stated signal began."""
    left: list[_SignalRun] = []
    for run in feed:
        left.append(run)
        if run.family == hand.family and run.holds(hand.begun):
            rest = run.after(hand.begun)
            run.end(hand.begun, hand.begun_by)
            left += [] if rest is None else [rest]
    return left
