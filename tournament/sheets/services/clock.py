"""A session started, suspended, resumed, closed with one press each; a table's pauses and overtime (R47).

Every act is a transition with its moment by the server's clock: the session's state is swapped from the one its author
saw, the row is added, and the audit entry with it. Tablets and walls count from the rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.acts import ACTS
from tournament.core.acts.act import Act
from tournament.core.enums import ClockKind, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount, source_of
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.queries import clock as queries
from tournament.sheets.queries import scoresheets as sheets
from tournament.sheets.queries.session_life import session_life_of
from tournament.tables.models import Table
from tournament.tables.queries import seating

OVERTIME_MAX_MINUTES = 60

CLOCK_STATE_CHANGED = _(
    "This session is no longer in the state that your page shows: it is %(state)s. Nothing was done."
)
START_NEEDS_SEATS = _("The seats of this session are not confirmed. Confirm the draw before play starts.")
START_NOT_REVERTIBLE = _("Results of this session have come in, so its start is not taken back. Suspend it instead.")
SESSION_FULLY_PLAYED = _(
    "All scoresheets of this session are stamped or void: it has been played, so its clock is not started, suspended "
    "or resumed."
)
SESSION_ON_HOLD = _(
    "This session was held back before its start: it has no play to resume. Let it go on as planned instead."
)
TABLETS_STILL_WAITING = _(
    "This session still waits: %(tablets)s tablets said that they hold items, %(silent)s were not heard for a minute "
    "and may hold some, %(held)s items wait for a person, %(tables)s tables have no signed scoresheet. Say why, to "
    "close it all the same."
)
CLOCK_REASON_MISSING = _("Say why in a few words.")
NOT_PLAYING = _("The session is not being played, so its tables have no pause and no overtime.")
TABLE_ALREADY_PAUSED = _("Play at this table is paused already.")
NOT_PAUSED = _("Play at this table is not paused.")
PAUSE_ESCORT_MISSING = _("Say which seat leaves the table and who goes along.")
OVERTIME_MINUTES_INVALID = _("Overtime is 1 to 60 minutes.")


@dataclass(frozen=True)
class ClockTransition:
    """One press: the act that it is, by its name in the table of acts."""

    kind: ClockKind
    action: str
    wants_reason: bool = False

    @property
    def act(self) -> Act:
        """From which states it leads, and to which."""
        return ACTS[self.action]


# Of a session that is being played or is to be: once its results stand there is no play to press for.
PLAY_CLOCK_KINDS = (ClockKind.START, ClockKind.SUSPEND, ClockKind.RESUME)

CLOCK_TRANSITIONS: Mapping[str, ClockTransition] = {
    move.kind.value: move
    for move in (
        ClockTransition(ClockKind.START, "start_session"),
        ClockTransition(ClockKind.SUSPEND, "suspend_session"),
        ClockTransition(ClockKind.RESUME, "resume_session"),
        ClockTransition(ClockKind.CLOSE, "close_session"),
        ClockTransition(ClockKind.REOPEN, "reopen_session", wants_reason=True),
        ClockTransition(ClockKind.TAKE_BACK, "take_back_start"),
    )
}


def moves_from(state: str, *, over: bool = False) -> list[ClockTransition]:
    """What may be pressed in this state, in the order of the day; `over`: all its scoresheets are stamped or void."""
    return [
        move
        for move in CLOCK_TRANSITIONS.values()
        if move.act.allows(state) and not (over and move.kind in PLAY_CLOCK_KINDS)
    ]


def move_session(session: Session, kind: str, *, by: User, request_key: str, reason: str = "") -> Session:
    """One press of the desk, harmless when sent twice.

    1. the draw is confirmed before a start, nothing came in before it is taken back, nothing is behind a close unless
    there is a reason; 2. the state is swapped from one that the move is from; 3. the row; 4. the audit entry, of the
    same moment. Raises BadInput, Refused `session_moved`, `session_behind` (409).
    """
    move = CLOCK_TRANSITIONS.get(kind)
    if move is None:
        raise BadInput("no_such_move", CLOCK_REASON_MISSING)
    why = clean_clock_text(reason)
    if move.wants_reason and not why:
        raise BadInput("reason_missing", CLOCK_REASON_MISSING)

    def do() -> int:
        may_move(session, move, why)
        if not Session.objects.filter(pk=session.pk, state__in=move.act.leads_from).update(state=move.act.leads_to):
            now_is = Session.objects.get(pk=session.pk)
            raise Refused("session_moved", CLOCK_STATE_CHANGED, about=now_is, state=now_is.get_state_display())
        now = timezone.now()
        row = ClockEvent.objects.create(session=session, kind=move.kind, reason=why, by=by, at=now)
        digest = ("", clock_event_digest(row))
        services.append_audit_entry(
            session.stage.event, by, move.action, f"session {session.code}", digest=digest, reason=why, at=now
        )
        return int(session.pk)

    ActingAccount(by, request_key).once("move_session", [session.pk, kind, why], do)
    session.refresh_from_db(fields=["state"])
    return session


def may_move(session: Session, move: ClockTransition, reason: str) -> None:
    """What stands in the way beside the state."""
    if move.kind == ClockKind.START and not seating.is_draw_confirmed(session):
        raise Refused("draw_not_confirmed", START_NEEDS_SEATS, about=session)
    if move.kind in PLAY_CLOCK_KINDS and session_life_of(session).is_over:
        raise Refused("session_stamped", SESSION_FULLY_PLAYED, about=session)
    # As its row is now: it may have been held back since its author has seen it.
    if move.kind == ClockKind.RESUME and session_life_of(Session.objects.get(pk=session.pk)).is_held_back:
        raise Refused("session_held_back", SESSION_ON_HOLD, about=session)
    if move.kind == ClockKind.TAKE_BACK and session_life_of(session).sheets:
        raise Refused("session_begun", START_NOT_REVERTIBLE, about=session)
    if move.kind == ClockKind.CLOSE and not reason:
        behind = queries.session_backlog(session)
        if behind:
            counts = {"tablets": len(behind.devices), "held": len(behind.held), "tables": len(behind.tables)}
            counts["silent"] = len(behind.silent)
            raise Refused("session_behind", TABLETS_STILL_WAITING, about=behind, **counts)


def clean_clock_text(text: str, most: int = 500) -> str:
    """A reason, trimmed; BadInput for what no database keeps."""
    trimmed = text.strip()
    if len(trimmed) > most or not bridge.is_storable(trimmed):
        raise BadInput("reason_missing", CLOCK_REASON_MISSING)
    return trimmed


def clock_event_subject_ref(row: ClockEvent) -> str:
    """How the audit log names what it happened to."""
    return f"table {sheets.sheet_serial(row.table)}" if row.table else f"session {row.session.code}"


def clock_event_digest(row: ClockEvent) -> str:
    """Of what a row says beside who, where and when: the log holds it to that (D3)."""
    return canonical.digest_of([row.kind, row.letter, row.escort, row.minutes, row.reason, *source_of(row)])


# --- A table --------------------------------------------------------------------------------------------
def pause_table(table: Table, *, letter: str, escort: str, acting: ActingAccount) -> None:
    """Play at the table stops while somebody is away, with an escort; its end moves by as long (R47)."""
    with_whom = clean_clock_text(escort, 100)
    if letter not in ("A", "B", "C", "D") or not with_whom:
        raise BadInput("escort_missing", PAUSE_ESCORT_MISSING)

    def check(events: list[ClockEvent]) -> None:
        if queries.open_pause(events):
            raise Refused("already_paused", TABLE_ALREADY_PAUSED, about=table)

    record_table_clock_act(
        table, "pause_table", ClockEvent(kind=ClockKind.PAUSE, letter=letter, escort=with_whom), letter, acting, check
    )


def unpause_table(table: Table, *, acting: ActingAccount) -> None:
    """Play at the table goes on."""

    def check(events: list[ClockEvent]) -> None:
        if not queries.open_pause(events):
            raise Refused("not_paused", NOT_PAUSED, about=table)

    record_table_clock_act(table, "unpause_table", ClockEvent(kind=ClockKind.UNPAUSE), "", acting, check)


def give_overtime(table: Table, *, minutes: int, reason: str, acting: ActingAccount) -> None:
    """Minutes that the table plays longer, with the reason."""
    why = overtime_reason(minutes, reason)
    row = ClockEvent(kind=ClockKind.OVERTIME, minutes=minutes, reason=why)
    record_table_clock_act(table, "give_overtime", row, f"{minutes}: {why}"[:500], acting, lambda events: None)


def extend_session(session: Session, *, minutes: int, reason: str, acting: ActingAccount) -> None:
    """Minutes that every table of the session plays longer, with the reason. The session's row is held, so that it is
    not closed meanwhile. Raises BadInput, Refused `session_not_playing`."""
    why = overtime_reason(minutes, reason)

    def do() -> int:
        held = session_being_played(session.pk)
        row = ClockEvent.objects.create(
            session=held, kind=ClockKind.OVERTIME, minutes=minutes, reason=why, by=acting.by, at=timezone.now()
        )
        services.append_audit_entry(
            held.stage.event,
            acting.by,
            "extend_session",
            clock_event_subject_ref(row),
            digest=("", clock_event_digest(row)),
            reason=f"{minutes}: {why}"[:500],
            request_key=acting.request_key,
            at=row.at,
        )
        return int(row.pk)

    acting.once("extend_session", [session.pk, minutes, why], do)


def overtime_reason(minutes: int, reason: str) -> str:
    """The reason, trimmed; BadInput where it is missing, or for minutes that nobody is given."""
    why = clean_clock_text(reason)
    if not why:
        raise BadInput("reason_missing", CLOCK_REASON_MISSING)
    if not 1 <= minutes <= OVERTIME_MAX_MINUTES:
        raise BadInput("overtime_minutes", OVERTIME_MINUTES_INVALID)
    return why


def session_being_played(key: int) -> Session:
    """The session's row, held until the transaction's end; Refused `session_not_playing`."""
    session = Session.objects.select_for_update(no_key=True).get(pk=key)
    if session.state not in (SessionState.PLAYING, SessionState.SUSPENDED) or session_life_of(session).is_held_back:
        raise Refused("session_not_playing", NOT_PLAYING, about=session)
    return session


def record_table_clock_act(
    table: Table,
    action: str,
    row: ClockEvent,
    said: str,
    acting: ActingAccount,
    check: Callable[[list[ClockEvent]], None],
) -> None:
    """1. the session is being played, its row held so that of two acts the second sees the first; 2. what the act
    itself asks; 3. the row; 4. the audit entry, of the same moment."""

    def do() -> int:
        session = session_being_played(table.session_id)
        check([event for event in queries.clock_events_of_session(session) if event.table_id == table.pk])
        row.session, row.table, row.by, row.at = session, table, acting.by, timezone.now()
        row.device, row.claimed_at = acting.device, acting.claimed_at
        row.save(force_insert=True)
        services.append_audit_entry(
            session.stage.event,
            acting.by,
            action,
            clock_event_subject_ref(row),
            digest=("", clock_event_digest(row)),
            reason=said,
            request_key=acting.request_key,
            at=row.at,
        )
        return int(row.pk)

    acting.once(action, [table.pk, row.kind, row.letter, row.escort, row.minutes, row.reason], do)
