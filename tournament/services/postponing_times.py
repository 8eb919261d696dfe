"""New times for sessions that were postponed: of all of them or some, together or not at all.

A session keeps its number, its name, its seats and its papers; ages stay judged on its original date (R1).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import ClockKind, SessionState, StageKind
from tournament.errors import BadInput, Refused
from tournament.models import ClockEvent, Event, Session, SessionMove
from tournament.queries.session_life import life_of
from tournament.services import audit, mailings_ending, postponing
from tournament.services.setup_changes import stepped
from tournament.services.setup_final import digest_of_final
from tournament.services.setup_plan import (
    TIMELESS,
    TIMES,
    Fault,
    PlannedSession,
    Said,
    clock_text,
    order_faults,
    own_faults,
    plan_of,
    round_faults,
)

PAST = _("This moment is over.")
AFTER_RESULTS = _("Results are published on %(at)s. Change that moment in the set-up first, or play before it.")
NOT_POSTPONED = _("Session %(session)s is %(state)s: only a postponed session gets new times. Nothing was done.")
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
    def moments(self) -> dict[str, datetime]:
        """The four, by name."""
        return {name: getattr(self, name) for name in TIMES}


def on_day(session: Session, day: date) -> NewTimes:
    """The session on another day at the same hours."""
    moved = day - timezone.localtime(session.check_in_at).date()
    return NewTimes(session.pk, **{name: shifted(getattr(session, name), moved) for name in TIMES})


def shifted(moment: datetime, by: timedelta) -> datetime:
    """So many days later by the hall's clock."""
    local = timezone.localtime(moment).replace(tzinfo=None) + by
    return timezone.make_aware(local)


@transaction.atomic
def set_times(
    event: Event, wanted: Sequence[NewTimes], *, reason: str, by: AbstractBaseUser, now: datetime | None = None
) -> list[Session]:
    """Postponed sessions are planned again, at these times. Those that were changed; a session that has these very
    times and is planned again is left: sent twice, it is done once.

    Refused: BadInput `reason_missing`, `times_refused` with every Fault in `about` (a fault's row is the place in
    `wanted`); `not_postponed`.

    1. The event and the rows are locked; 2. what is done already is left; 3. each is postponed, then all faults at
    once; 4. times and state are swapped, a SessionMove each; 5. a row of the clock each; 6. an audit entry each, and
    for a final one more, since its plan is another now; 7. mailings with the old times end.
    """
    why, moment = postponing.wanted(reason), now or timezone.now()
    current = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    rows = {row.pk: row for row in postponing.locked(Session.objects.filter(stage__event=current))}
    asked = [(place, each) for place, each in enumerate(wanted) if each.session in rows]
    due = [(place, each) for place, each in asked if not stands(rows[each.session], each)]
    for _place, each in due:
        refuse_other(rows[each.session])
    faults = faults_of(due, rows, current, moment)
    if faults:
        raise BadInput("times_refused", faults[0].sentence, about=tuple(faults), **faults[0].facts)
    before = digest_of_final(current)
    moves = [write(rows[each.session], each, why, by, moment) for _place, each in due]
    record(moves, why, by, moment)
    changed = [row.session for row in moves]
    if any(session.stage.kind == StageKind.FINAL for session in changed):
        stepped(current, by, "set_up_final", before, why, digest_of_final)
    mailings_ending.end_outdated(current, by=by, now=moment)
    return changed


def stands(session: Session, wanted: NewTimes) -> bool:
    """Whether it has these times already and waits for none."""
    now = {name: getattr(session, name) for name in TIMES}
    return session.state == SessionState.PLANNED and now == wanted.moments


def refuse_other(session: Session) -> None:
    """Only what was postponed gets other times here."""
    if session.state != SessionState.POSTPONED:
        facts = {"session": session.code, "state": session.get_state_display()}
        raise Refused("not_postponed", NOT_POSTPONED, session, **facts)
    if life_of(session).sheets:
        raise Refused("play_has_begun", HAS_SHEETS, session, session=session.code)


# --- What stands against it -----------------------------------------------------------------------------
Planned = Mapping[int, PlannedSession]


def faults_of(
    due: Sequence[tuple[int, NewTimes]], rows: Mapping[int, Session], event: Event, now: datetime
) -> list[Fault]:
    """Everything at once, in the order of what was asked."""
    planned = {each.session: replace(plan_of(rows[each.session]), **each.moments) for _place, each in due}
    counting = [row for row in rows.values() if row.pk in planned or row.state not in TIMELESS]
    faults = [
        Fault(place, *said)
        for place, each in due
        for said in faults_of_one(rows[each.session], planned, counting, event.results_at, now)
    ]
    places = {each.session: place for place, each in due}
    rounds = [planned.get(row.pk, plan_of(row)) for row in counting if row.stage.kind == StageKind.FINAL]
    for fault in round_faults(rounds):
        late = rounds[fault.row or 0].session
        faults.append(replace(fault, row=places.get(late or 0, min(places.values(), default=0))))
    return sorted(faults, key=lambda fault: fault.row or 0)


def faults_of_one(
    session: Session, planned: Planned, counting: Sequence[Session], results_at: datetime, now: datetime
) -> Iterator[Said]:
    """One session: its own hours, in time to come, before the results, and the final after the preliminary."""
    wanted = planned[session.pk]
    yield from own_faults(wanted)
    if wanted.check_in_at <= now:
        yield "check_in_at", PAST, {}
    if session.stage.kind == StageKind.PRELIMINARY and wanted.ends_at > results_at:
        yield "ends_at", AFTER_RESULTS, {"at": clock_text(results_at)}
    others = [planned.get(row.pk, row) for row in counting if row.stage_id != session.stage_id]
    yield from order_faults(wanted, StageKind(session.stage.kind), others)


# --- What is written ------------------------------------------------------------------------------------
def write(session: Session, wanted: NewTimes, reason: str, by: AbstractBaseUser, at: datetime) -> SessionMove:
    """Times and state, swapped from those that were seen, and the row that keeps both times."""
    before = texts(session)
    postponing.swap(session, SessionState.PLANNED, **wanted.moments)
    for name, moment in wanted.moments.items():
        setattr(session, name, moment)
    return SessionMove.objects.create(session=session, before=before, after=texts(session), reason=reason, by=by, at=at)


def texts(session: Session) -> dict[str, str]:
    """The four moments as a move keeps them: ISO 8601 in the event's zone."""
    return {name: timezone.localtime(getattr(session, name)).isoformat() for name in TIMES}


def digest_of(move: SessionMove) -> str:
    """Of what a move says beside who and when: the log holds the row to it."""
    return digest_of_times(move.before, move.after, move.reason)


def digest_of_times(before: Mapping[str, str], after: Mapping[str, str], reason: str) -> str:
    """The same, of times as a move keeps them."""
    return audit.digest_of([[before[name] for name in TIMES], [after[name] for name in TIMES], reason])


def record(moves: Sequence[SessionMove], reason: str, by: AbstractBaseUser, at: datetime) -> None:
    """A row of the clock each, then an entry each with the digest of the move; the clock's row says the rest of it."""
    for move in moves:
        ClockEvent.objects.create(session=move.session, kind=ClockKind.NEW_TIMES, reason=reason, by=by, at=at)
    for move in moves:
        audit.record(
            move.session.stage.event,
            by,
            "set_session_times",
            f"session {move.session.code}",
            digest=("", digest_of(move)),
            reason=reason,
            at=at,
        )
