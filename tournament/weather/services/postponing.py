"""Sessions held back and postponed by the weather, and brought back: everything they have stays with them.

Numbers, names, tables, seats and papers stay; ages stay judged on the original date (R1). Each act takes all sessions
or none of them. Those that are already where it leads are left as they are: sent twice, an act is done once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.acts import ACTS
from tournament.core.acts.act import Act
from tournament.core.acts.sessions import BEFORE_PLAY
from tournament.core.enums import OFF, ClockKind, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.events.models import SessionMove
from tournament.messages.services import mailings_ending
from tournament.setup.services.plan import order_faults, planned_session_of
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.queries.session_life import SessionLife, session_lives_of
from tournament.sheets.services import clock
from tournament.sheets.services.clock import clock_event_digest

NOT_BEFORE_PLAY = _(
    "Session %(session)s is %(state)s: only a session whose play has not begun is held back or postponed. "
    "Nothing was done."
)
SESSION_HAS_SHEETS = _(
    "Session %(session)s has begun: %(sheets)s of its %(tables)s scoresheets have come in. It is not held back or "
    "postponed; if it was broken off, let its finished games stand or have it played anew. Nothing was done."
)
SESSION_NOT_ON_HOLD = _("Session %(session)s is %(state)s and not held back. Nothing was done.")
SESSION_NOT_POSTPONED = _("Session %(session)s is %(state)s and not postponed. Nothing was done.")
SESSION_BEFORE_PRELIMINARY_END = _(
    "Session %(session)s does not fit between preliminary and final at the times that it has. Set new times instead."
)
REPLAY_HAS_NO_TIMES = _("Session %(session)s is played anew and has no times yet. Set them instead.")


# The word that the audit log has for each.
SESSION_CLOCK_ACTS = {
    ClockKind.HOLD: "hold_session",
    ClockKind.UNHOLD: "unhold_session",
    ClockKind.POSTPONE: "postpone_session",
    ClockKind.BRING_BACK: "bring_back_session",
    ClockKind.NEW_TIMES: "set_session_times",
    ClockKind.STAND: "let_session_stand",
    ClockKind.REPLAY: "replay_session",
    ClockKind.UNDECIDE: "undecide_session",
}


@dataclass(frozen=True, slots=True)
class SessionStep:
    """One act: its word for the clock, the states that it leaves as they are, and what refuses it elsewhere."""

    kind: ClockKind
    done: tuple[SessionState, ...]
    refusal: tuple[str, str]
    before_play: bool = False

    @property
    def act(self) -> Act:
        """From which states it leads, and to which; from suspended only what was held back before its start."""
        return ACTS[SESSION_CLOCK_ACTS[self.kind]]


HOLD_STEP = SessionStep(ClockKind.HOLD, (), ("play_has_begun", NOT_BEFORE_PLAY), before_play=True)
UNHOLD_STEP = SessionStep(ClockKind.UNHOLD, BEFORE_PLAY, ("not_held_back", SESSION_NOT_ON_HOLD))
POSTPONE_STEP = SessionStep(
    ClockKind.POSTPONE, (SessionState.POSTPONED,), ("play_has_begun", NOT_BEFORE_PLAY), before_play=True
)
BRING_BACK_STEP = SessionStep(ClockKind.BRING_BACK, BEFORE_PLAY, ("not_postponed", SESSION_NOT_POSTPONED))


def hold_sessions(sessions: Iterable[Session], *, reason: str, by: User, now: datetime | None = None) -> list[Session]:
    """Hold back sessions that have not begun: suspended until `unhold_sessions`. Those that were changed.

    Refused: `reason_missing`, `play_has_begun`.
    """
    return take_session_step(HOLD_STEP, sessions, require_session_reason(reason), by, now)


def unhold_sessions(
    sessions: Iterable[Session], *, reason: str = "", by: User, now: datetime | None = None
) -> list[Session]:
    """Sessions that were held back go on as planned. Refused: `not_held_back`."""
    return take_session_step(UNHOLD_STEP, sessions, clock.clean_clock_text(reason), by, now)


def postpone_sessions(
    sessions: Iterable[Session], *, reason: str, by: User, now: datetime | None = None
) -> list[Session]:
    """Put off sessions that have not begun, held back or not, until they get new times. Those that were changed.

    Refused: `reason_missing`, `play_has_begun`.
    """
    return take_session_step(POSTPONE_STEP, sessions, require_session_reason(reason), by, now)


def bring_back_sessions(
    sessions: Iterable[Session], *, reason: str = "", by: User, now: datetime | None = None
) -> list[Session]:
    """Postponed sessions are held after all, at the times that they have. Refused: `not_postponed`, `no_times` for a
    replay that was never given any, `final_too_early` where the other stage has moved in between."""
    return take_session_step(BRING_BACK_STEP, sessions, clock.clean_clock_text(reason), by, now)


def require_session_reason(reason: str) -> str:
    """The reason, trimmed; refused where there is none."""
    why = clock.clean_clock_text(reason)
    if not why:
        raise BadInput("reason_missing", clock.CLOCK_REASON_MISSING)
    return why


@transaction.atomic
def take_session_step(
    step: SessionStep, sessions: Iterable[Session], reason: str, by: User, now: datetime | None
) -> list[Session]:
    """1. the rows are locked in their order and looked at; 2. each state is swapped from the one that was seen; 3. a
    row of the clock and 4. an audit entry each, of the same moment: the log's head is locked last; 5. mailings that
    this makes untrue end."""
    rows = lock_sessions(sessions)
    lives = session_lives_of(rows)
    due = [row for row in rows if not is_done(step, row, lives[row.pk])]
    for row in due:
        refuse_session_step(step, row, lives[row.pk])
    for row in due:
        update_session_if_unchanged(row, step.act.leads_to)
    moment = now or timezone.now()
    record_session_acts(due, step.kind, reason, by, moment)
    if due:
        mailings_ending.end_outdated(due[0].stage.event, by=by, now=moment)
    return due


def lock_sessions(sessions: Iterable[Session]) -> list[Session]:
    """As they stand now, their rows held, by key."""
    keys = sorted({session.pk for session in sessions})
    list(Session.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    return list(Session.objects.filter(pk__in=keys).select_related("stage__event").order_by("pk"))


def is_done(step: SessionStep, session: Session, life: SessionLife) -> bool:
    """Whether the session is where the step leads."""
    return session.state in step.done or (step is HOLD_STEP and life.is_held_back)


def refuse_session_step(step: SessionStep, session: Session, life: SessionLife) -> None:
    """What stands in the way of this step. Sheets that came in are play, whatever the clock says."""
    if step.before_play and life.sheets:
        facts = {"session": session.code, "sheets": life.sheets, "tables": life.tables}
        raise Refused("play_has_begun", SESSION_HAS_SHEETS, session, **facts)
    stopped = session.state == SessionState.SUSPENDED and not life.is_held_back
    if not step.act.allows(session.state) or stopped:
        code, sentence = step.refusal
        raise Refused(code, sentence, session, session=session.code, state=session.get_state_display())
    if step is BRING_BACK_STEP and session.replays_id and not SessionMove.objects.filter(session=session).exists():
        raise Refused("no_times", REPLAY_HAS_NO_TIMES, session, session=session.code)
    if step is BRING_BACK_STEP and list(order_faults(planned_session_of(session), *sessions_of_other_stage(session))):
        raise Refused("final_too_early", SESSION_BEFORE_PRELIMINARY_END, session, session=session.code)


def sessions_of_other_stage(session: Session) -> tuple[list[Session], list[Session]]:
    """The sessions whose times count of the stages before its own, and of those after it."""
    others = Session.objects.filter(stage__event=session.stage.event_id).exclude(state__in=OFF)
    order = session.stage.order
    return list(others.filter(stage__order__lt=order)), list(others.filter(stage__order__gt=order))


def update_session_if_unchanged(session: Session, state: SessionState, **values: object) -> None:
    """Its state, and other values with it, from the state that was seen; refused `session_moved` where it is gone."""
    if not Session.objects.filter(pk=session.pk, state=session.state).update(state=state, **values):
        now_is = Session.objects.get(pk=session.pk)
        raise Refused("session_moved", clock.CLOCK_STATE_CHANGED, now_is, state=now_is.get_state_display())
    session.state = state


def record_session_acts(
    sessions: Sequence[Session],
    kind: ClockKind,
    reason: str,
    by: User,
    now: datetime,
) -> None:
    """A row of the clock for each session, then an audit entry for each, of the same moment."""
    rows = [ClockEvent.objects.create(session=row, kind=kind, reason=reason, by=by, at=now) for row in sessions]
    for row in rows:
        services.append_audit_entry(
            row.session.stage.event,
            by,
            SESSION_CLOCK_ACTS[kind],
            clock.clock_event_subject_ref(row),
            digest=("", clock_event_digest(row)),
            reason=reason,
            at=now,
        )
