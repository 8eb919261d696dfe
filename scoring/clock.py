"""When play ends: a start, what stopped it, what was added (R2, R31, R47). Transitions in, moments out.

A session's marks hold for all of its tables; a table's own pauses and overtime are handed in beside them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

CLOCK_START, CLOCK_SUSPEND, CLOCK_RESUME, CLOCK_CLOSE = "start", "suspend", "resume", "close"
CLOCK_PAUSE, CLOCK_UNPAUSE, CLOCK_OVERTIME = "pause", "unpause", "overtime"
CLOCK_REVERT_START, CLOCK_REOPEN = "take_back", "reopen"
# What befalls a session as a whole before its start or after it was broken off: no playing time passes by them.
KINDS_WITHOUT_CLOCK_EFFECT = ("hold", "unhold", "postpone", "new_times", "bring_back", "stand", "replay", "undecide")
RESUMING_KIND = {CLOCK_SUSPEND: CLOCK_RESUME, CLOCK_PAUSE: CLOCK_UNPAUSE}
CLOCK_MARK_KINDS = (
    CLOCK_START,
    *RESUMING_KIND,
    *RESUMING_KIND.values(),
    CLOCK_OVERTIME,
    CLOCK_CLOSE,
    CLOCK_REOPEN,
    CLOCK_REVERT_START,
    *KINDS_WITHOUT_CLOCK_EFFECT,
)


@dataclass(frozen=True, slots=True)
class ClockMark:
    """One transition: what happened, when; `minutes` of overtime."""

    kind: str
    at: datetime
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The clock at a moment. `ends_at` is None before the start and while stopped: the end is not known then.

    `left` is the playing time left, never below nothing; `stopped_since` the moment from which it stands still.
    """

    started_at: datetime | None
    closed_at: datetime | None
    stopped_since: datetime | None
    overtime: timedelta
    left: timedelta
    ends_at: datetime | None

    @property
    def running(self) -> bool:
        """Started, not stopped, not closed, and time is left."""
        known = self.started_at is not None and self.closed_at is None and self.stopped_since is None
        return known and self.left > timedelta(0)


def read_clock(planned: timedelta, marks: Iterable[ClockMark], now: datetime) -> ClockReading:
    """The clock of a session or a table at `now`, from its marks in any order; later ones than `now` are not yet.

    `planned` is the playing time without any stop (R2: an hour). Stops that overlap count once. Time stands still from
    the first close on: what is opened again is open for its sheets, not for play. A start taken back has never been,
    nor has anything before it. A mark of an unknown kind, a negative overtime: ValueError.
    """
    known = _marks_since_reverted_start(mark for mark in marks if mark.at <= now)
    if any(mark.minutes < 0 for mark in known):
        raise ValueError("overtime is not negative")
    started_at = next((mark.at for mark in known if mark.kind == CLOCK_START), None)
    closed_at = next((mark.at for mark in known if mark.kind == CLOCK_CLOSE), None)
    overtime = sum((timedelta(minutes=mark.minutes) for mark in known if mark.kind == CLOCK_OVERTIME), timedelta(0))
    if started_at is None:
        return ClockReading(None, closed_at, None, overtime, planned + overtime, None)
    until = closed_at or now
    stops = _stopped_spans(known)
    still = _stopped_time(stops, started_at, until)
    stopped_since = _stopped_since(stops, until)
    left = max(planned + overtime - (until - started_at - still), timedelta(0))
    ends_at = None if stopped_since is not None else started_at + still + planned + overtime
    return ClockReading(started_at, closed_at, stopped_since, overtime, left, ends_at)


def _marks_since_reverted_start(marks: Iterable[ClockMark]) -> list[ClockMark]:
    """In order; without what a start that was taken back has left."""
    known = sorted(marks, key=lambda mark: (mark.at, CLOCK_MARK_KINDS.index(mark.kind)))
    last = max((place for place, mark in enumerate(known, start=1) if mark.kind == CLOCK_REVERT_START), default=0)
    return known[last:]


StoppedSpan = tuple[datetime, datetime | None]


def _stopped_spans(known: Sequence[ClockMark]) -> list[StoppedSpan]:
    """Every stretch in which time stands still, by its beginning; None while it lasts. A second stop of a kind that
    has begun, or an end of none, says nothing new."""
    found: list[StoppedSpan] = []
    for kind, end in RESUMING_KIND.items():
        since: datetime | None = None
        for mark in known:
            if mark.kind == kind and since is None:
                since = mark.at
            elif mark.kind == end and since is not None:
                found.append((since, mark.at))
                since = None
        if since is not None:
            found.append((since, None))
    return sorted(found, key=lambda stop: stop[0])


def _stopped_time(stops: Iterable[StoppedSpan], since: datetime, until: datetime) -> timedelta:
    """How long time stood still between two moments; what overlaps counts once."""
    total, covered = timedelta(0), since
    for begins, ends in stops:
        start, end = max(begins, covered), min(ends or until, until)
        if end > start:
            total += end - start
            covered = end
    return total


def _stopped_since(stops: Iterable[StoppedSpan], now: datetime) -> datetime | None:
    """From when it stands still at `now`: the beginning of the stretches that reach it without a gap."""
    since: datetime | None = None
    reached: datetime | None = None
    for begins, ends in stops:
        if reached is None or begins > reached:
            since = begins
        reached = max(reached or begins, ends or now)
    open_now = any(ends is None for _begins, ends in stops)
    return since if open_now else None
