"""A session that was broken off while it was played: its finished games stand, or it is void and played anew.

Either can be taken back. Nothing signed changes: the sheets of a void session stay as they are, and no ranking reads
them. A replay is a session of its own, with the same tables and seats, waiting for its times.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import ClockKind, SessionState, StageKind
from tournament.errors import Refused
from tournament.models import Draw, Entrant, Event, Seat, Session, Table
from tournament.queries import clock as clocks
from tournament.queries import postponing as queries
from tournament.services import postponing
from tournament.services.clock import BEFORE_PLAY, clean
from tournament.services.setup_changes import stepped
from tournament.services.setup_final import digest_of_final

NOT_INTERRUPTED = _(
    "Session %(session)s is %(state)s: only a session that was broken off while it was played is decided about. "
    "Nothing was done."
)
NOT_DECIDED = _("Session %(session)s is %(state)s: there is no decision about it to take back. Nothing was done.")
REPLAY_BEGUN = _("Session %(session)s is being played anew already: the decision is no more taken back.")
JOINED = _("These entrants have joined the replay since: %(numbers)s. Move them to another session first.")
GONE_ON = _(
    "These entrants have moved to another session since: %(numbers)s. They would have results of two sessions. "
    "Move them back first."
)


def let_stand(session: Session, *, reason: str, by: AbstractBaseUser, now: datetime | None = None) -> Session:
    """The games that were finished count: the sheets are completed as usual, games not finished as not played.

    Sent twice it is done once. Refused: `reason_missing`, `not_interrupted`.
    1. The session's row is held; 2. its state is swapped; 3. a row of the clock, an audit entry.
    """
    why, moment = postponing.wanted(reason), now or timezone.now()
    with transaction.atomic():
        row = postponing.locked([session])[0]
        if stands(row):
            return row
        refuse_not_interrupted(row, clocks.last_kinds([row]).get(row.pk))
        postponing.swap(row, SessionState.CHECKING)
        postponing.record([row], ClockKind.STAND, why, by, moment)
        return row


def stands(session: Session) -> bool:
    """Whether its finished games were decided to stand and its sheets are being completed, opened again or not."""
    decided = clocks.last_decisions([session]).get(session.pk)
    return session.state == SessionState.CHECKING and decided == ClockKind.STAND


def refuse_not_interrupted(session: Session, last: str | None) -> None:
    """Only what was being played when it was suspended is decided about."""
    if session.state != SessionState.SUSPENDED or last == ClockKind.HOLD:
        facts = {"session": session.code, "state": session.get_state_display()}
        raise Refused("not_interrupted", NOT_INTERRUPTED, session, **facts)


# --- Played anew ----------------------------------------------------------------------------------------
def replay(session: Session, *, reason: str, by: AbstractBaseUser, now: datetime | None = None) -> Session:
    """The session is void and a new one takes its place; the new one. Sent twice: the same.

    Refused: `reason_missing`, `not_interrupted`.
    1. The event and the session's row are held; 2. the session becomes void, with all its sheets as they are; 3. the
    new one: the next free number, the same original date (R1), the tables and seats of those who take part, confirmed;
    4. who was entered for the one is entered for the other; 5. rows of the clock and audit entries for both, and for a
    final one more, since its plan is another now.
    """
    why, moment = postponing.wanted(reason), now or timezone.now()
    with transaction.atomic():
        event = held_event(session)
        row = postponing.locked([session])[0]
        made = queries.replay_of(row)
        if row.state == SessionState.VOID and made:
            return made
        refuse_not_interrupted(row, clocks.last_kinds([row]).get(row.pk))
        before = digest_of_final(event)
        postponing.swap(row, SessionState.VOID)
        new = copied(row, event)
        copy_seats(row, new)
        if row.stage.kind == StageKind.PRELIMINARY:
            Entrant.objects.filter(session=row).update(session=new)
        postponing.record([row], ClockKind.REPLAY, why, by, moment)
        postponing.record([new], ClockKind.POSTPONE, why, by, moment)
        tell_final(event, row, before, why, by)
        return new


def held_event(session: Session) -> Event:
    """The event's row, held: nobody is entered or moved meanwhile."""
    return Event.objects.select_for_update().get(stages=session.stage_id)


def copied(session: Session, event: Event) -> Session:
    """A session as this one, under the next free number of the event and of its day."""
    return Session.objects.create(
        stage=session.stage,
        number=queries.next_number(event),
        number_of_day=queries.next_number_of_day(event, session.original_date),
        original_date=session.original_date,
        check_in_at=session.check_in_at,
        seating_at=session.seating_at,
        play_at=session.play_at,
        ends_at=session.ends_at,
        table_count=session.table_count,
        capacity=session.capacity,
        state=SessionState.POSTPONED,
        replays=session,
    )


def copy_seats(session: Session, new: Session) -> None:
    """The confirmed draw with its tables, referees and seats, for those who take part still."""
    draw = Draw.objects.get(session=session)
    Draw.objects.create(
        session=new,
        seed=draw.seed,
        could_not=draw.could_not,
        drawn_by=draw.drawn_by,
        drawn_at=draw.drawn_at,
        confirmed_by=draw.confirmed_by,
        confirmed_at=draw.confirmed_at,
    )
    seats = queries.seats_to_copy(session)
    sat_at = {seat.table_id for seat in seats}
    tables = [table for table in session.tables.order_by("number") if table.pk in sat_at]
    made = Table.objects.bulk_create(
        Table(session=new, number=table.number, referee_id=table.referee_id) for table in tables
    )
    there = {table.pk: row for table, row in zip(tables, made, strict=True)}
    Seat.objects.bulk_create(
        Seat(table=there[seat.table_id], session=new, letter=seat.letter, entrant_id=seat.entrant_id) for seat in seats
    )


def tell_final(event: Event, session: Session, before: str, reason: str, by: AbstractBaseUser) -> None:
    """A final's plan is another now: the log keeps its digest."""
    if session.stage.kind == StageKind.FINAL:
        stepped(event, by, "set_up_final", before, reason, digest_of_final)


# --- Taken back -----------------------------------------------------------------------------------------
def undecide(session: Session, *, reason: str = "", by: AbstractBaseUser, now: datetime | None = None) -> Session:
    """What was decided about the session is taken back: it is suspended again. Sent twice it is done once.

    Of a replay only while none of its sheets is begun and it was not started: it becomes void in its turn, and its
    entrants are back where they were. Refused: `not_decided`, `replay_begun`, `entrants_joined`, `entrants_gone_on`.
    """
    why, moment = clean(reason), now or timezone.now()
    with transaction.atomic():
        event = held_event(session)
        row = postponing.locked([session])[0]
        last = clocks.last_kinds([row]).get(row.pk)
        if row.state == SessionState.SUSPENDED and last == ClockKind.UNDECIDE:
            return row
        before, changed = digest_of_final(event), [row]
        made = queries.replay_of(row)
        if row.state == SessionState.VOID and made:
            changed.append(take_back(row, made))
        elif not stands(row):
            facts = {"session": row.code, "state": row.get_state_display()}
            raise Refused("not_decided", NOT_DECIDED, row, **facts)
        postponing.swap(row, SessionState.SUSPENDED)
        postponing.record(changed, ClockKind.UNDECIDE, why, by, moment)
        if made:
            tell_final(event, row, before, why, by)
        return row


def take_back(session: Session, made: Session) -> Session:
    """The replay is void, and who was entered for it is entered for the session that was broken off."""
    new = postponing.locked([made])[0]
    refuse_begun(new)
    refuse_others(session, new)
    postponing.swap(new, SessionState.VOID, replays=None)
    if new.stage.kind == StageKind.PRELIMINARY:
        Entrant.objects.filter(session=new).update(session=session)
    return new


def refuse_begun(new: Session) -> None:
    """A replay that has begun stands."""
    held = clocks.is_held_back(new)
    if queries.has_sheets(new) or (new.state not in (*BEFORE_PLAY, SessionState.POSTPONED) and not held):
        raise Refused("replay_begun", REPLAY_BEGUN, new, session=new.code)


def refuse_others(session: Session, new: Session) -> None:
    """Entrants who would be without a seat, or with the results of two sessions."""
    if new.stage.kind != StageKind.PRELIMINARY:
        return
    refuse_some("entrants_joined", JOINED, queries.joined(session, new))
    refuse_some("entrants_gone_on", GONE_ON, queries.gone_on(session, new))


def refuse_some(code: str, sentence: str, numbers: Sequence[int]) -> None:
    """Refuse for these entrants."""
    if numbers:
        raise Refused(code, sentence, tuple(numbers), numbers=listed(numbers))


def listed(numbers: Iterable[int]) -> str:
    """`0312, 0313`."""
    return ", ".join(f"{number:04d}" for number in numbers)
