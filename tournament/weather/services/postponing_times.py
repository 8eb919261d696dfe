"""New times for sessions that were postponed: of all of them or some, together or not at all.

A session keeps its number, its name, its seats and its papers; ages stay judged on its original date (R1).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.enums import OFF, ClockKind, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.models import SessionMove
from tournament.messages.services import mailings_ending
from tournament.setup.services.changes import save_setup_revision
from tournament.setup.services.later_stage import later_stages_digest
from tournament.setup.services.plan import (
    PLANNED_TIME_FIELDS,
    PlanFault,
    PlanFaultFacts,
    PlannedSession,
    clock_text,
    order_faults,
    own_faults,
    planned_session_of,
    round_faults,
)
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.queries.session_life import session_life_of
from tournament.weather.services import postponing

MOMENT_IN_THE_PAST = _("This moment is over.")
AFTER_RESULTS = _("Results are published on %(at)s. Change that moment in the set-up first, or play before it.")
ONLY_POSTPONED_GETS_TIMES = _(
    "Session %(session)s is %(state)s: only a postponed session gets new times. Nothing was done."
)
HAS_SHEETS = _(
    "Session %(session)s has scoresheets already, so it has been played and gets no other times. Hold it after all, at "
    "the times that it has. Nothing was done."
)


@dataclass(frozen=True, slots=True)
class NewTimes:
    """A session, by its key, and when it is to be."""

    session: int
    check_in_at: datetime
    seating_at: datetime
    play_at: datetime
    ends_at: datetime

    @property
    def moments(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in PLANNED_TIME_FIELDS}


def times_on_day(session: Session, day: date) -> NewTimes:
    """The session on another day at the same hours."""
    moved = day - timezone.localtime(session.check_in_at).date()
    return NewTimes(session.pk, **{name: shift_days(getattr(session, name), moved) for name in PLANNED_TIME_FIELDS})


def shift_days(moment: datetime, by: timedelta) -> datetime:
    """So many days later by the hall's clock."""
    local = timezone.localtime(moment).replace(tzinfo=None) + by
    return timezone.make_aware(local)


@transaction.atomic
def set_times(
    event: Event, wanted: Sequence[NewTimes], *, reason: str, by: User, now: datetime | None = None
) -> list[Session]:
    """Postponed sessions are planned again, at these times. Those that were changed; a session that has these very
    times and is planned again is left: sent twice, it is done once.

    Refused: BadInput `reason_missing`, `times_refused` with every Fault in `about` (a fault's row is the place in
    `wanted`); `not_postponed`.

    1. The event and the rows are locked; 2. what is done already is left; 3. each is postponed, then all faults at
    once; 4. times and state are swapped, a SessionMove each; 5. a row of the clock each; 6. an audit entry each, and
    for a final one more, since its plan is another now; 7. mailings with the old times end.
    """
    why, moment = postponing.require_session_reason(reason), now or timezone.now()
    current = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    rows = {row.pk: row for row in postponing.lock_sessions(Session.objects.filter(stage__event=current))}
    asked = [(place, each) for place, each in enumerate(wanted) if each.session in rows]
    due = [(place, each) for place, each in asked if not has_these_times(rows[each.session], each)]
    for _place, each in due:
        require_postponed(rows[each.session])
    faults = new_times_faults(due, rows, current, moment)
    if faults:
        raise BadInput("times_refused", faults[0].sentence, about=tuple(faults), **faults[0].facts)
    before = later_stages_digest(current)
    moves = [write_session_times(rows[each.session], each, why, by, moment) for _place, each in due]
    record_session_times(moves, why, by, moment)
    changed = [row.session for row in moves]
    if any(not session.stage.is_first for session in changed):
        save_setup_revision(current, by, "set_up_final", before, why, later_stages_digest)
    mailings_ending.end_outdated(current, by=by, now=moment)
    return changed


def has_these_times(session: Session, wanted: NewTimes) -> bool:
    """Whether it has these times already and waits for none."""
    now = {name: getattr(session, name) for name in PLANNED_TIME_FIELDS}
    return session.state == SessionState.PLANNED and now == wanted.moments


def require_postponed(session: Session) -> None:
    """Only what was postponed gets other times here."""
    if session.state != SessionState.POSTPONED:
        facts = {"session": session.code, "state": session.get_state_display()}
        raise Refused("not_postponed", ONLY_POSTPONED_GETS_TIMES, session, **facts)
    if session_life_of(session).sheets:
        raise Refused("play_has_begun", HAS_SHEETS, session, session=session.code)


# --- What stands against it -----------------------------------------------------------------------------
PlannedByNumber = Mapping[int, PlannedSession]


def new_times_faults(
    due: Sequence[tuple[int, NewTimes]], rows: Mapping[int, Session], event: Event, now: datetime
) -> list[PlanFault]:
    """Everything at once, in the order of what was asked."""
    planned = {each.session: replace(planned_session_of(rows[each.session]), **each.moments) for _place, each in due}
    counting = [row for row in rows.values() if row.pk in planned or row.state not in OFF]
    faults = [
        PlanFault(place, *said)
        for place, each in due
        for said in faults_of_one(rows[each.session], planned, counting, event.results_at, now)
    ]
    places = {each.session: place for place, each in due}
    for stage in {row.stage_id: None for row in counting if row.stage.has_rounds_for_all}:
        rounds = [planned.get(row.pk, planned_session_of(row)) for row in counting if row.stage_id == stage]
        for fault in round_faults(rounds):
            late = rounds[fault.row or 0].session
            faults.append(replace(fault, row=places.get(late or 0, min(places.values(), default=0))))
    return sorted(faults, key=lambda fault: fault.row or 0)


def faults_of_one(
    session: Session, planned: PlannedByNumber, counting: Sequence[Session], results_at: datetime, now: datetime
) -> Iterator[PlanFaultFacts]:
    """One session: its own hours, in time to come, before the results, and the final after the preliminary."""
    wanted = planned[session.pk]
    yield from own_faults(wanted)
    if wanted.check_in_at <= now:
        yield "check_in_at", MOMENT_IN_THE_PAST, {}
    if session.stage.is_first and wanted.ends_at > results_at:
        yield "ends_at", AFTER_RESULTS, {"at": clock_text(results_at)}
    order = session.stage.order
    earlier = [planned.get(row.pk, row) for row in counting if row.stage.order < order]
    later = [planned.get(row.pk, row) for row in counting if row.stage.order > order]
    yield from order_faults(wanted, earlier, later)


# --- What is written ------------------------------------------------------------------------------------
def write_session_times(session: Session, wanted: NewTimes, reason: str, by: User, at: datetime) -> SessionMove:
    """Times and state, swapped from those that were seen, and the row that keeps both times."""
    before = session_moments_as_text(session)
    postponing.update_session_if_unchanged(session, SessionState.PLANNED, **wanted.moments)
    for name, moment in wanted.moments.items():
        setattr(session, name, moment)
    return SessionMove.objects.create(
        session=session, before=before, after=session_moments_as_text(session), reason=reason, by=by, at=at
    )


def session_moments_as_text(session: Session) -> dict[str, str]:
    """The four moments as a move keeps them: ISO 8601 in the event's zone."""
    return {name: timezone.localtime(getattr(session, name)).isoformat() for name in PLANNED_TIME_FIELDS}


def session_times_digest(move: SessionMove) -> str:
    """Of what a move says beside who and when: the log holds the row to it."""
    return times_texts_digest(move.before, move.after, move.reason)


def times_texts_digest(before: Mapping[str, str], after: Mapping[str, str], reason: str) -> str:
    """The same, of times as a move keeps them."""
    return canonical.digest_of(
        [[before[name] for name in PLANNED_TIME_FIELDS], [after[name] for name in PLANNED_TIME_FIELDS], reason]
    )


def record_session_times(moves: Sequence[SessionMove], reason: str, by: User, at: datetime) -> None:
    """A row of the clock each, then an entry each with the digest of the move; the clock's row says the rest of it."""
    for move in moves:
        ClockEvent.objects.create(session=move.session, kind=ClockKind.NEW_TIMES, reason=reason, by=by, at=at)
    for move in moves:
        services.append_audit_entry(
            move.session.stage.event,
            by,
            "set_session_times",
            f"session {move.session.code}",
            digest=("", session_times_digest(move)),
            reason=reason,
            at=at,
        )
