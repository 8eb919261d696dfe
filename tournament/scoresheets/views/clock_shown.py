"""A session's clock as pages show it: phase, remaining time, and the buttons its state allows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from scoring.clock import ClockReading
from tournament.core.enums import ClockKind
from tournament.core.models.stage import Session
from tournament.core.permissions import is_act_allowed
from tournament.sheets.domain import clock as bridge
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.queries import clock as queries
from tournament.sheets.queries.session_life import SessionLife
from tournament.sheets.services import clock as services
from tournament.tables.models import Table

CLOCK_BUTTON_WORDS: Mapping[ClockKind, Promise] = {
    ClockKind.START: pgettext_lazy("clock button", "Start"),
    ClockKind.SUSPEND: pgettext_lazy("clock button", "Suspend"),
    ClockKind.RESUME: pgettext_lazy("clock button", "Resume"),
    ClockKind.CLOSE: pgettext_lazy("clock button", "Close"),
    ClockKind.REOPEN: pgettext_lazy("clock button", "Open again"),
    ClockKind.TAKE_BACK: pgettext_lazy("clock button", "Take the start back"),
    ClockKind.UNHOLD: pgettext_lazy("clock button", "Go on as planned"),
}
PRIMARY_CLOCK_KINDS = (ClockKind.START, ClockKind.RESUME)


@dataclass(frozen=True)
class ClockButton:
    kind: str
    word: Promise
    leading: bool


@dataclass(frozen=True)
class SessionClock:
    """A session's clock as a page shows it."""

    session: Session
    now: datetime
    reading: ClockReading
    events: Sequence[ClockEvent]
    buttons: Sequence[ClockButton]
    asks_reason: bool
    tables: Sequence[bridge.TableOwnTime]
    is_over: bool

    @property
    def last(self) -> ClockEvent | None:
        """The last press, by whom and when."""
        own = [event for event in self.events if event.table_id is None]
        return own[-1] if own else None


def session_clock_of(
    session: Session, events: Sequence[ClockEvent], roles: frozenset[str], life: SessionLife
) -> SessionClock:
    """The clock now, and what this account may press."""
    now = timezone.now()
    own = [event for event in events if event.table_id is None]
    held = life.is_held_back
    presses = life.confirmed and not held and is_act_allowed(roles, "move_session")
    moves = services.moves_from(session.state, over=life.is_over) if presses else []
    buttons = [
        ClockButton(move.kind.value, CLOCK_BUTTON_WORDS[move.kind], move.kind in PRIMARY_CLOCK_KINDS) for move in moves
    ]
    if held and is_act_allowed(roles, "move_session"):
        buttons = [ClockButton(ClockKind.UNHOLD.value, CLOCK_BUTTON_WORDS[ClockKind.UNHOLD], True)]
    asks = any(move.kind not in (ClockKind.START, ClockKind.RESUME) for move in moves)
    tables = bridge.tables_with_own_time(session, events, now)
    return SessionClock(
        session, now, bridge.read_session_clock(session, own, now), events, buttons, asks, tables, life.is_over
    )


def time_of(table: Table) -> bridge.TableOwnTime | None:
    """A table's pause that lasts, or how much later it ends than its session; None for a table like all others."""
    found = bridge.tables_with_own_time(table.session, queries.clock_events_of_session(table.session), timezone.now())
    return next((one for one in found if one.table.pk == table.pk), None)
