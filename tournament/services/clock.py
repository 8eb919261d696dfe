"""A session started, suspended, resumed, closed with one press each; a table's pauses and overtime (守則 6).

Every act is a transition with its moment by the server's clock: the session's state is swapped from the one its author
saw, the row is added, and the audit entry with it. Tablets and walls count from the rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.bridge import scoresheets as bridge
from tournament.enums import ClockKind, SessionState
from tournament.errors import BadInput, Refused
from tournament.models import ClockEvent, Session, Table
from tournament.queries import clock as queries
from tournament.queries import scoresheets as sheets
from tournament.queries.session_life import BEFORE_PLAY, life_of
from tournament.services import audit
from tournament.services.acting import Acting, source_of

IN_HAND = (SessionState.PLAYING, SessionState.ENTERING, SessionState.CHECKING)
MOST_OVERTIME = 60

NOT_NOW = _("This session is no longer in the state that your page shows: it is %(state)s. Nothing was done.")
NOT_DRAWN = _("The seats of this session are not confirmed. Confirm the draw before play starts.")
BEGUN = _("Results of this session have come in, so its start is not taken back. Suspend it instead.")
OVER = _(
    "All scoresheets of this session are stamped or void: it has been played, so its clock is not started, suspended "
    "or resumed."
)
HELD_BACK = _("This session was held back before its start: it has no play to resume. Let it go on as planned instead.")
BEHIND = _(
    "This session still waits: %(tablets)s tablets said that they hold items, %(silent)s were not heard for a minute "
    "and may hold some, %(held)s items wait for a person, %(tables)s tables have no signed scoresheet. Say why, to "
    "close it all the same."
)
REASON = _("Say why in a few words.")
NOT_PLAYING = _("The session is not being played, so its tables have no pause and no overtime.")
PAUSED = _("Play at this table is paused already.")
NOT_PAUSED = _("Play at this table is not paused.")
ESCORT = _("Say which seat leaves the table and who goes along.")
MINUTES = _("Overtime is 1 to 60 minutes.")


@dataclass(frozen=True)
class Move:
    """One press: from which states, to which, and the word the audit has."""

    kind: ClockKind
    states: tuple[SessionState, ...]
    leads_to: SessionState
    action: str
    wants_reason: bool = False


# Of a session that is being played or is to be: once its results stand there is no play to press for.
FOR_PLAY = (ClockKind.START, ClockKind.SUSPEND, ClockKind.RESUME)

MOVES: Mapping[str, Move] = {
    move.kind.value: move
    for move in (
        Move(ClockKind.START, BEFORE_PLAY, SessionState.PLAYING, "start_session"),
        Move(ClockKind.SUSPEND, (SessionState.PLAYING,), SessionState.SUSPENDED, "suspend_session"),
        Move(ClockKind.RESUME, (SessionState.SUSPENDED,), SessionState.PLAYING, "resume_session"),
        Move(ClockKind.CLOSE, IN_HAND, SessionState.CLOSED, "close_session"),
        Move(ClockKind.REOPEN, (SessionState.CLOSED,), SessionState.CHECKING, "reopen_session", True),
        Move(ClockKind.TAKE_BACK, (SessionState.PLAYING,), SessionState.PLANNED, "take_back_start"),
    )
}


def moves_from(state: str, *, over: bool = False) -> list[Move]:
    """What may be pressed in this state, in the order of the day; `over`: all its scoresheets are stamped or void."""
    return [move for move in MOVES.values() if state in move.states and not (over and move.kind in FOR_PLAY)]


def move_session(session: Session, kind: str, *, by: AbstractBaseUser, request_key: str, reason: str = "") -> Session:
    """One press of the desk, harmless when sent twice.

    1. the draw is confirmed before a start, nothing came in before it is taken back, nothing is behind a close unless
    there is a reason; 2. the state is swapped from one that the move is from; 3. the row; 4. the audit entry, of the
    same moment. Raises BadInput, Refused `session_moved`, `session_behind` (409).
    """
    move = MOVES.get(kind)
    if move is None:
        raise BadInput("no_such_move", REASON)
    why = clean(reason)
    if move.wants_reason and not why:
        raise BadInput("reason_missing", REASON)

    def do() -> int:
        may_move(session, move, why)
        if not Session.objects.filter(pk=session.pk, state__in=move.states).update(state=move.leads_to):
            now_is = Session.objects.get(pk=session.pk)
            raise Refused("session_moved", NOT_NOW, about=now_is, state=now_is.get_state_display())
        now = timezone.now()
        row = ClockEvent.objects.create(session=session, kind=move.kind, reason=why, by=by, at=now)
        digest = ("", digest_of(row))
        audit.record(session.stage.event, by, move.action, f"session {session.code}", digest=digest, reason=why, at=now)
        return int(session.pk)

    Acting(by, request_key).once("move_session", [session.pk, kind, why], do)
    session.refresh_from_db(fields=["state"])
    return session


def may_move(session: Session, move: Move, reason: str) -> None:
    """What stands in the way beside the state."""
    if move.kind == ClockKind.START and not sheets.is_drawn(session):
        raise Refused("draw_not_confirmed", NOT_DRAWN, about=session)
    if move.kind in FOR_PLAY and life_of(session).is_over:
        raise Refused("session_stamped", OVER, about=session)
    if move.kind == ClockKind.RESUME and queries.is_held_back(session):
        raise Refused("session_held_back", HELD_BACK, about=session)
    if move.kind == ClockKind.TAKE_BACK and life_of(session).sheets:
        raise Refused("session_begun", BEGUN, about=session)
    if move.kind == ClockKind.CLOSE and not reason:
        behind = queries.behind(session)
        if behind:
            counts = {"tablets": len(behind.devices), "held": len(behind.held), "tables": len(behind.tables)}
            counts["silent"] = len(behind.silent)
            raise Refused("session_behind", BEHIND, about=behind, **counts)


def clean(text: str, most: int = 500) -> str:
    """A reason, trimmed; BadInput for what no database keeps."""
    trimmed = text.strip()
    if len(trimmed) > most or not bridge.is_storable(trimmed):
        raise BadInput("reason_missing", REASON)
    return trimmed


def thing_of(row: ClockEvent) -> str:
    """How the audit log names what it happened to."""
    return f"table {sheets.serial(row.table)}" if row.table else f"session {row.session.code}"


def digest_of(row: ClockEvent) -> str:
    """Of what a row says beside who, where and when: the log holds it to that (reliability 4.3)."""
    return audit.digest_of([row.kind, row.letter, row.escort, row.minutes, row.reason, *source_of(row)])


# --- A table --------------------------------------------------------------------------------------------
def pause(table: Table, *, letter: str, escort: str, acting: Acting) -> None:
    """Play at the table stops while somebody is away, with an escort; its end moves by as long (守則 6)."""
    with_whom = clean(escort, 100)
    if letter not in ("A", "B", "C", "D") or not with_whom:
        raise BadInput("escort_missing", ESCORT)

    def check(events: list[ClockEvent]) -> None:
        if queries.open_pause(events):
            raise Refused("already_paused", PAUSED, about=table)

    stepped(
        table, "pause_table", ClockEvent(kind=ClockKind.PAUSE, letter=letter, escort=with_whom), letter, acting, check
    )


def unpause(table: Table, *, acting: Acting) -> None:
    """Play at the table goes on."""

    def check(events: list[ClockEvent]) -> None:
        if not queries.open_pause(events):
            raise Refused("not_paused", NOT_PAUSED, about=table)

    stepped(table, "unpause_table", ClockEvent(kind=ClockKind.UNPAUSE), "", acting, check)


def give_overtime(table: Table, *, minutes: int, reason: str, acting: Acting) -> None:
    """Minutes that the table plays longer, with the reason."""
    why = clean(reason)
    if not why:
        raise BadInput("reason_missing", REASON)
    if not 1 <= minutes <= MOST_OVERTIME:
        raise BadInput("overtime_minutes", MINUTES)
    row = ClockEvent(kind=ClockKind.OVERTIME, minutes=minutes, reason=why)
    stepped(table, "give_overtime", row, f"{minutes}: {why}"[:500], acting, lambda events: None)


def stepped(
    table: Table,
    action: str,
    row: ClockEvent,
    said: str,
    acting: Acting,
    check: Callable[[list[ClockEvent]], None],
) -> None:
    """1. the session is being played, its row held so that of two acts the second sees the first; 2. what the act
    itself asks; 3. the row; 4. the audit entry, of the same moment."""

    def do() -> int:
        session = Session.objects.select_for_update(no_key=True).get(pk=table.session_id)
        if session.state not in (SessionState.PLAYING, SessionState.SUSPENDED) or queries.is_held_back(session):
            raise Refused("session_not_playing", NOT_PLAYING, about=session)
        check([event for event in queries.events_of(session) if event.table_id == table.pk])
        row.session, row.table, row.by, row.at = session, table, acting.by, timezone.now()
        row.device, row.claimed_at = acting.device, acting.claimed_at
        row.save(force_insert=True)
        audit.record(
            session.stage.event,
            acting.by,
            action,
            thing_of(row),
            digest=("", digest_of(row)),
            reason=said,
            request_key=acting.request_key,
            at=row.at,
        )
        return int(row.pk)

    acting.once(action, [table.pk, row.kind, row.letter, row.escort, row.minutes, row.reason], do)
