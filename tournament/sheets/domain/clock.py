"""A session's clock, and a table's, as `scoring.clock` reads the transitions that the rows keep."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from scoring.clock import ClockMark, ClockReading, read_clock
from tournament.core.enums import ClockKind
from tournament.core.models.stage import Session
from tournament.sheets.models.clock import ClockEvent
from tournament.tables.models import Table


def clock_marks(events: Iterable[ClockEvent], table: Table | None = None) -> list[ClockMark]:
    """What holds for every table; with a table also its own pauses and overtime."""
    own = (None, table.pk) if table else (None,)
    return [ClockMark(event.kind, event.at, event.minutes or 0) for event in events if event.table_id in own]


def read_session_clock(
    session: Session, events: Iterable[ClockEvent], now: datetime, table: Table | None = None
) -> ClockReading:
    """The clock at `now`: playing time is what the plan gives between the session's start and end (R2)."""
    return read_clock(session.ends_at - session.play_at, clock_marks(events, table), now)


# --- A table that ends later than its session (R47) ------------------------------------------
@dataclass(frozen=True)
class TablePause:
    """Who left a table for a while, with whom; `until` is None while it lasts."""

    since: datetime
    until: datetime | None
    letter: str
    escort: str


@dataclass(frozen=True)
class TableOwnTime:
    """A table's own time at `now`, how much `later` it ends than the session, and what for."""

    table: Table
    now: datetime
    reading: ClockReading
    later: timedelta
    pauses: Sequence[TablePause]
    overtimes: Sequence[ClockEvent]

    @property
    def pause(self) -> TablePause | None:
        """The pause that lasts now; None while there is none."""
        return self.pauses[-1] if self.pauses and self.pauses[-1].until is None else None


def tables_with_own_time(session: Session, events: Sequence[ClockEvent], now: datetime) -> list[TableOwnTime]:
    """The tables that pause or end later, by number, while the session is played; `events` are the session's and its
    tables', in order."""
    whole = read_session_clock(session, events, now)
    if whole.started_at is None or whole.closed_at is not None:
        return []
    started = whole.started_at
    own = [event for event in events if event.table_id is not None and event.at >= started]
    tables = {event.table_id: event.table for event in own}
    found = [table_own_time(table, session, events, now, whole) for table in tables.values() if table is not None]
    return sorted((one for one in found if one.later or one.pause), key=lambda one: one.table.number)


def table_own_time(
    table: Table, session: Session, events: Sequence[ClockEvent], now: datetime, whole: ClockReading
) -> TableOwnTime:
    """One table's, beside the session's reading."""
    reading = read_session_clock(session, events, now, table)
    own = [event for event in events if event.table_id == table.pk and event.at >= (whole.started_at or event.at)]
    overtimes = [event for event in own if event.kind == ClockKind.OVERTIME]
    if reading.ends_at and whole.ends_at:
        later = reading.ends_at - whole.ends_at
    else:
        later = reading.left - whole.left
    return TableOwnTime(table, now, reading, later, table_pauses(own), overtimes)


def table_pauses(events: Iterable[ClockEvent]) -> list[TablePause]:
    """A table's pauses from its own transitions in order."""
    found: list[TablePause] = []
    for event in events:
        lasts = bool(found) and found[-1].until is None
        if event.kind == ClockKind.PAUSE and not lasts:
            found.append(TablePause(event.at, None, event.letter, event.escort))
        elif event.kind == ClockKind.UNPAUSE and lasts:
            begun = found.pop()
            found.append(TablePause(begun.since, event.at, begun.letter, begun.escort))
    return found
