"""A session that was broken off while it was played: its finished games stand, or it is void and played anew.

Either can be taken back. Nothing signed changes: the sheets of a void session stay as they are, and no ranking reads
them. A replay is a session of its own, with the same tables and seats, waiting for its times. Where it takes locked
sheets out of the ranking, and where its end brings them back, one account proposes it and another agrees.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import ClockKind, ProposalOutcome, SessionState, StageKind
from tournament.errors import Forbidden, Refused, StaleVersion
from tournament.models import Draw, Entrant, Event, Proposal, Seat, Session, Table
from tournament.queries import clock as clocks
from tournament.queries import postponing as queries
from tournament.queries.session_life import BEFORE_PLAY, Life, life_of
from tournament.services import mailings_ending, postponing, proposals
from tournament.services import postponing_second as second_person
from tournament.services.clock import OVER, clean
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
        refuse_undecidable(row, life_of(row))
        postponing.swap(row, SessionState.CHECKING)
        postponing.record([row], ClockKind.STAND, why, by, moment)
        return row


def stands(session: Session) -> bool:
    """Whether its finished games were decided to stand and its sheets are being completed, opened again or not."""
    decided = clocks.last_decisions([session]).get(session.pk)
    return session.state == SessionState.CHECKING and decided == ClockKind.STAND


def refuse_undecidable(session: Session, life: Life) -> None:
    """Only what was broken off is decided about: by its clock, or while its sheets come in and no clock was pressed."""
    if not life.may_be_decided:
        facts = {"session": session.code, "state": life.stage.label}
        raise Refused("not_interrupted", NOT_INTERRUPTED, session, **facts)


# --- Played anew ----------------------------------------------------------------------------------------
def replay(
    session: Session,
    *,
    reason: str,
    by: AbstractBaseUser,
    now: datetime | None = None,
    agreed: Proposal | None = None,
) -> Session | Proposal:
    """The session is void and a new one takes its place; the new one. Sent twice: the same.

    With locked sheets it is proposed, and done when another account has `agreed`. Refused: `reason_missing`,
    `not_interrupted`, `proposed_already`.
    1. The event and the session's row are held; 2. the session becomes void, with all its sheets as they are; 3. the
    new one: the next free number, the same original date (R1), the tables and seats of those who take part, confirmed;
    4. who was entered for the one is entered for the other; 5. the second person's yes; 6. rows of the clock and audit
    entries for both, and for a final one more, since its plan is another now; 7. mailings of its seats end.
    """
    why, moment = postponing.wanted(reason), now or timezone.now()
    with transaction.atomic():
        event = held_event(session)
        row = postponing.locked([session])[0]
        made = queries.replay_of(row)
        if row.state == SessionState.VOID and made:
            return made
        refuse_undecidable(row, life_of(row))
        seen = second_person.seen_of(row)
        if agreed is None and second_person.takes_two(row):
            return second_person.propose(row, second_person.REPLAY, seen=seen, reason=why, by=by)
        before = digest_of_final(event)
        postponing.swap(row, SessionState.VOID)
        new = copied(row, event)
        copy_seats(row, new)
        if row.stage.kind == StageKind.PRELIMINARY:
            Entrant.objects.filter(session=row).update(session=new)
        if agreed:
            second_person.agreed(agreed, seen=seen, by=by)
        postponing.record([row], ClockKind.REPLAY, why, by, moment)
        postponing.record([new], ClockKind.POSTPONE, why, by, moment)
        tell_final(event, row, before, why, by)
        mailings_ending.end_outdated(event, by=by, now=moment)
        return new


def held_event(session: Session) -> Event:
    """The event's row, held: nobody is entered or moved meanwhile."""
    return Event.objects.select_for_update(no_key=True).get(stages=session.stage_id)


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
        known_number_of_day=session.name_of_day[0],
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
def undecide(
    session: Session,
    *,
    reason: str = "",
    by: AbstractBaseUser,
    now: datetime | None = None,
    agreed: Proposal | None = None,
) -> Session | Proposal:
    """What was decided about the session is taken back: it is suspended again. Sent twice it is done once.

    Of a replay only while none of its sheets is begun and it was not started: it becomes void in its turn, and its
    entrants are back where they were. That brings locked sheets back into the ranking: with any it is proposed, and
    done when another account has `agreed`. Refused: `not_decided`, `session_stamped`, `replay_begun`,
    `entrants_joined`, `entrants_gone_on`, `proposed_already`.
    """
    why, moment = clean(reason), now or timezone.now()
    with transaction.atomic():
        event = held_event(session)
        row = postponing.locked([session])[0]
        last = clocks.last_kinds([row]).get(row.pk)
        if row.state == SessionState.SUSPENDED and last == ClockKind.UNDECIDE:
            return row
        before, changed = digest_of_final(event), [row]
        made, seen = queries.replay_of(row), second_person.seen_of(row)
        if row.state == SessionState.VOID and made:
            refuse_kept(row, made)
            if agreed is None and second_person.takes_two(row):
                return second_person.propose(row, second_person.UNDECIDE, seen=seen, reason=why, by=by)
            changed.append(take_back(row, made))
        elif not stands(row):
            facts = {"session": row.code, "state": row.get_state_display()}
            raise Refused("not_decided", NOT_DECIDED, row, **facts)
        elif life_of(row).is_over:
            raise Refused("session_stamped", OVER, row)
        postponing.swap(row, SessionState.SUSPENDED)
        if agreed:
            second_person.agreed(agreed, seen=seen, by=by)
        postponing.record(changed, ClockKind.UNDECIDE, why, by, moment)
        if made:
            tell_final(event, row, before, why, by)
            mailings_ending.end_outdated(event, by=by, now=moment)
        return row


def take_back(session: Session, made: Session) -> Session:
    """The replay is void, and who was entered for it is entered for the session that was broken off."""
    new = postponing.locked([made])[0]
    postponing.swap(new, SessionState.VOID, replays=None)
    if new.stage.kind == StageKind.PRELIMINARY:
        Entrant.objects.filter(session=new).update(session=session)
    return new


def refuse_kept(session: Session, made: Session) -> None:
    """What keeps a replay from being taken back."""
    refuse_begun(postponing.locked([made])[0])
    refuse_others(session, made)


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


# --- The second person's yes ----------------------------------------------------------------------------
ACTS = {second_person.REPLAY: replay, second_person.UNDECIDE: undecide}


@transaction.atomic
def agree(event: Event, number: int, *, by: AbstractBaseUser, now: datetime | None = None) -> Session | Proposal:
    """Do what was proposed about a session with locked sheets, or nothing of it. Sent twice it is done once.

    1. the event's row, as every such act; 2. the proposal, still open, not by who proposed it; 3. the act, judged anew
    on what stands now (412 where it is another). Refused: what the act and the proposal refuse.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    asked = second_person.find(event, number)
    if asked is not None and asked.outcome == ProposalOutcome.APPROVED and asked.closed_by_id == by.pk:
        return asked
    proposal = proposals.open_proposal(event, number)
    session = second_person.proposed_session(proposal)
    if proposal.proposed_by_id == by.pk:
        raise Forbidden("proposer_cannot_approve", proposals.SAME_ACCOUNT, about=proposal)
    if proposal.seen != second_person.seen_of(session):
        raise StaleVersion("proposal_outdated", proposals.OUTDATED, about=proposal)
    return ACTS[proposal.act](session, reason=proposal.reason, by=by, now=now, agreed=proposal)
