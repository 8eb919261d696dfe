"""Sessions held back and postponed by the weather, and brought back: everything they have stays with them.

Numbers, names, tables, seats and papers stay; ages stay judged on the original date (R1). Each act takes all sessions
or none of them. Those that are already where it leads are left as they are: sent twice, an act is done once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import ClockKind, SessionState, StageKind
from tournament.errors import BadInput, Refused
from tournament.models import ClockEvent, Session, SessionMove
from tournament.queries.session_life import BEFORE_PLAY, Life, lives_of
from tournament.services import audit, clock, mailings_ending
from tournament.services.clock import digest_of
from tournament.services.setup_plan import TIMELESS, order_faults, plan_of

NOT_BEFORE_PLAY = _(
    "Session %(session)s is %(state)s: only a session whose play has not begun is held back or postponed. "
    "Nothing was done."
)
SHEETS_CAME = _(
    "Session %(session)s has begun: %(sheets)s of its %(tables)s scoresheets have come in. It is not held back or "
    "postponed; if it was broken off, let its finished games stand or have it played anew. Nothing was done."
)
NOT_HELD = _("Session %(session)s is %(state)s and not held back. Nothing was done.")
NOT_POSTPONED = _("Session %(session)s is %(state)s and not postponed. Nothing was done.")
TOO_EARLY = _(
    "Session %(session)s does not fit between preliminary and final at the times that it has. Set new times instead."
)
NO_TIMES = _("Session %(session)s is played anew and has no times yet. Set them instead.")


# The word that the audit log has for each.
ACTIONS = {
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
class Step:
    """One act: the states it is from, where it leads, and the states that it leaves as they are."""

    kind: ClockKind
    states: tuple[SessionState, ...]
    leads_to: SessionState
    done: tuple[SessionState, ...]
    refusal: tuple[str, str]
    from_held: bool = False
    before_play: bool = False


HOLD = Step(
    ClockKind.HOLD,
    BEFORE_PLAY,
    SessionState.SUSPENDED,
    (),
    ("play_has_begun", NOT_BEFORE_PLAY),
    before_play=True,
)
UNHOLD = Step(
    ClockKind.UNHOLD,
    (),
    SessionState.PLANNED,
    BEFORE_PLAY,
    ("not_held_back", NOT_HELD),
    from_held=True,
)
POSTPONE = Step(
    ClockKind.POSTPONE,
    BEFORE_PLAY,
    SessionState.POSTPONED,
    (SessionState.POSTPONED,),
    ("play_has_begun", NOT_BEFORE_PLAY),
    from_held=True,
    before_play=True,
)
BRING_BACK = Step(
    ClockKind.BRING_BACK,
    (SessionState.POSTPONED,),
    SessionState.PLANNED,
    BEFORE_PLAY,
    ("not_postponed", NOT_POSTPONED),
)


def hold(
    sessions: Iterable[Session], *, reason: str, by: AbstractBaseUser, now: datetime | None = None
) -> list[Session]:
    """Hold back sessions that have not begun: suspended until `unhold`. Those that were changed.

    Refused: `reason_missing`, `play_has_begun`.
    """
    return take(HOLD, sessions, wanted(reason), by, now)


def unhold(
    sessions: Iterable[Session], *, reason: str = "", by: AbstractBaseUser, now: datetime | None = None
) -> list[Session]:
    """Sessions that were held back go on as planned. Refused: `not_held_back`."""
    return take(UNHOLD, sessions, clock.clean(reason), by, now)


def postpone(
    sessions: Iterable[Session], *, reason: str, by: AbstractBaseUser, now: datetime | None = None
) -> list[Session]:
    """Put off sessions that have not begun, held back or not, until they get new times. Those that were changed.

    Refused: `reason_missing`, `play_has_begun`.
    """
    return take(POSTPONE, sessions, wanted(reason), by, now)


def bring_back(
    sessions: Iterable[Session], *, reason: str = "", by: AbstractBaseUser, now: datetime | None = None
) -> list[Session]:
    """Postponed sessions are held after all, at the times that they have. Refused: `not_postponed`, `no_times` for a
    replay that was never given any, `final_too_early` where the other stage has moved in between."""
    return take(BRING_BACK, sessions, clock.clean(reason), by, now)


def wanted(reason: str) -> str:
    """The reason, trimmed; refused where there is none."""
    why = clock.clean(reason)
    if not why:
        raise BadInput("reason_missing", clock.REASON)
    return why


@transaction.atomic
def take(
    step: Step, sessions: Iterable[Session], reason: str, by: AbstractBaseUser, now: datetime | None
) -> list[Session]:
    """1. the rows are locked in their order and looked at; 2. each state is swapped from the one that was seen; 3. a
    row of the clock and 4. an audit entry each, of the same moment: the log's head is locked last; 5. mailings that
    this makes untrue end."""
    rows = locked(sessions)
    lives = lives_of(rows)
    due = [row for row in rows if not is_done(step, row, lives[row.pk])]
    for row in due:
        refuse(step, row, lives[row.pk])
    for row in due:
        swap(row, step.leads_to)
    moment = now or timezone.now()
    record(due, step.kind, reason, by, moment)
    if due:
        mailings_ending.end_outdated(due[0].stage.event, by=by, now=moment)
    return due


def locked(sessions: Iterable[Session]) -> list[Session]:
    """As they stand now, their rows held, by key."""
    keys = sorted({session.pk for session in sessions})
    list(Session.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    return list(Session.objects.filter(pk__in=keys).select_related("stage__event").order_by("pk"))


def is_held(session: Session, life: Life) -> bool:
    """Whether it was held back before its start, not suspended while it was played."""
    return session.state == SessionState.SUSPENDED and life.last == ClockKind.HOLD


def is_done(step: Step, session: Session, life: Life) -> bool:
    """Whether the session is where the step leads."""
    return session.state in step.done or (step is HOLD and is_held(session, life))


def refuse(step: Step, session: Session, life: Life) -> None:
    """What stands in the way of this step. Sheets that came in are play, whatever the clock says."""
    if step.before_play and life.sheets:
        facts = {"session": session.code, "sheets": life.sheets, "tables": life.tables}
        raise Refused("play_has_begun", SHEETS_CAME, session, **facts)
    if session.state not in step.states and not (step.from_held and is_held(session, life)):
        code, sentence = step.refusal
        raise Refused(code, sentence, session, session=session.code, state=session.get_state_display())
    if step is BRING_BACK and session.replays_id and not SessionMove.objects.filter(session=session).exists():
        raise Refused("no_times", NO_TIMES, session, session=session.code)
    if step is BRING_BACK and list(order_faults(plan_of(session), StageKind(session.stage.kind), beside(session))):
        raise Refused("final_too_early", TOO_EARLY, session, session=session.code)


def beside(session: Session) -> list[Session]:
    """The sessions of the event's other stage whose times count."""
    others = Session.objects.filter(stage__event=session.stage.event_id).exclude(stage=session.stage_id)
    return list(others.exclude(state__in=TIMELESS))


def swap(session: Session, state: SessionState, **values: object) -> None:
    """Its state, and other values with it, from the state that was seen; refused `session_moved` where it is gone."""
    if not Session.objects.filter(pk=session.pk, state=session.state).update(state=state, **values):
        now_is = Session.objects.get(pk=session.pk)
        raise Refused("session_moved", clock.NOT_NOW, now_is, state=now_is.get_state_display())
    session.state = state


def record(
    sessions: Sequence[Session],
    kind: ClockKind,
    reason: str,
    by: AbstractBaseUser,
    now: datetime,
) -> None:
    """A row of the clock for each session, then an audit entry for each, of the same moment."""
    rows = [ClockEvent.objects.create(session=row, kind=kind, reason=reason, by=by, at=now) for row in sessions]
    for row in rows:
        audit.record(
            row.session.stage.event,
            by,
            ACTIONS[kind],
            clock.thing_of(row),
            digest=("", digest_of(row)),
            reason=reason,
            at=now,
        )
