"""A session's clock, and a table's, as `scoring.clock` reads the transitions that the rows keep."""

from collections.abc import Iterable
from datetime import datetime

from scoring.clock import Mark, Reading, read_clock
from tournament.models import ClockEvent, Session, Table


def marks(events: Iterable[ClockEvent], table: Table | None = None) -> list[Mark]:
    """What holds for every table; with a table also its own pauses and overtime."""
    own = (None, table.pk) if table else (None,)
    return [Mark(event.kind, event.at, event.minutes or 0) for event in events if event.table_id in own]


def read(session: Session, events: Iterable[ClockEvent], now: datetime, table: Table | None = None) -> Reading:
    """The clock at `now`: playing time is what the plan gives between the session's start and end (R2)."""
    return read_clock(session.ends_at - session.play_at, marks(events, table), now)
