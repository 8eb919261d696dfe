"""The first session of the event as a hall lives through it: its seats, its clock at moments that a test names."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from tests.recorded import recorded
from tournament.core.models.stage import Session
from tournament.sheets.models.clock import ClockEvent
from tournament.tables.models import Table

CHECK_IN, SEATING, PLAYED = timedelta(minutes=45), timedelta(minutes=15), timedelta(minutes=60)
STATES = {"start": "playing", "suspend": "suspended", "resume": "playing", "close": "closed"}


def set_hours(session: Session, play_at: datetime) -> None:
    """Check-in, seating, play and end around the moment at which play is planned to begin."""
    hours = {"check_in_at": play_at - CHECK_IN, "seating_at": play_at - SEATING}
    with recorded(session.stage.event):
        Session.objects.filter(pk=session.pk).update(**hours, play_at=play_at, ends_at=play_at + PLAYED)
    session.refresh_from_db()


def note_clock(
    session: Session, by: User, kind: str, at: datetime, table: Table | None = None, minutes: int | None = None
) -> None:
    """A transition at its moment; an overtime has a reason, a pause an escort, which no hall is told."""
    private: dict[str, dict[str, Any]] = {
        "overtime": {"minutes": minutes, "reason": "the lift stuck"},
        "pause": {"letter": "B", "escort": "Ms Ho"},
    }
    with recorded(session.stage.event):
        row = {"session": session, "table": table, "kind": kind, "by": by, "at": at}
        ClockEvent.objects.create(**row, **private.get(kind, {}))
        if table is None and kind in STATES:
            Session.objects.filter(pk=session.pk).update(state=STATES[kind])
    session.refresh_from_db()
