"""A session that was broken off while it was played: its finished games stand, or it is void and played anew.

Either can be taken back. Nothing signed changes: the sheets of a void session stay as they are, and no ranking reads
them. A replay is a session of its own, with the same tables and seats, waiting for its times. Where it takes locked
sheets out of the ranking, and where its end brings them back, one account proposes it and another agrees.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.core.acts.sessions import BEFORE_PLAY
from tournament.core.enums import ClockKind, ProposalOutcome, SessionState
from tournament.core.errors import Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.messages.services import mailings_ending
from tournament.setup.services.changes import save_setup_revision
from tournament.setup.services.later_stage import later_stages_digest
from tournament.sheets.queries import clock as clocks
from tournament.sheets.queries.session_life import SessionLife, session_life_of
from tournament.sheets.services.clock import SESSION_FULLY_PLAYED, clean_clock_text
from tournament.tables.models import Draw, Seat, Table
from tournament.weather.queries import postponing as queries
from tournament.weather.services import postponing
from tournament.weather.services import postponing_second as second_person

NOT_INTERRUPTED = _(
    "Session %(session)s is %(state)s: only a session that was broken off while it was played is decided about. "
    "Nothing was done."
)
SESSION_NOT_DECIDED = _(
    "Session %(session)s is %(state)s: there is no decision about it to take back. Nothing was done."
)
REPLAY_ALREADY_BEGUN = _("Session %(session)s is being played anew already: the decision is no more taken back.")
ENTRANTS_JOINED_REPLAY = _(
    "These entrants have joined the replay since: %(numbers)s. Move them to another session first."
)
ENTRANTS_LEFT_SESSION = _(
    "These entrants have moved to another session since: %(numbers)s. They would have results of two sessions. "
    "Move them back first."
)


def keep_session_results(session: Session, *, reason: str, by: User, now: datetime | None = None) -> Session:
    """The games that were finished count: the sheets are completed as usual, games not finished as not played.

    Sent twice it is done once. Refused: `reason_missing`, `not_interrupted`.
    1. The session's row is held; 2. its state is swapped; 3. a row of the clock, an audit entry.
    """
    why, moment = postponing.require_session_reason(reason), now or timezone.now()
    with transaction.atomic():
        row = postponing.lock_sessions([session])[0]
        if are_results_kept(row):
            return row
        refuse_undecidable(row, session_life_of(row))
        postponing.update_session_if_unchanged(row, SessionState.CHECKING)
        postponing.record_session_acts([row], ClockKind.STAND, why, by, moment)
        return row


def are_results_kept(session: Session) -> bool:
    """Whether its finished games were decided to stand and its sheets are being completed, opened again or not."""
    decided = clocks.last_session_decisions([session]).get(session.pk)
    return session.state == SessionState.CHECKING and decided == ClockKind.STAND


def refuse_undecidable(session: Session, life: SessionLife) -> None:
    """Only what was broken off is decided about: by its clock, or while its sheets come in and no clock was pressed."""
    if not life.may_be_decided:
        facts = {"session": session.code, "state": life.stage.label}
        raise Refused("not_interrupted", NOT_INTERRUPTED, session, **facts)


# --- Played anew ----------------------------------------------------------------------------------------
def replay_session(
    session: Session,
    *,
    reason: str,
    by: User,
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
    why, moment = postponing.require_session_reason(reason), now or timezone.now()
    with transaction.atomic():
        event = lock_event_of_session(session)
        row = postponing.lock_sessions([session])[0]
        made = queries.replay_of(row)
        if row.state == SessionState.VOID and made:
            return made
        refuse_undecidable(row, session_life_of(row))
        seen = second_person.replay_basis_digest(row)
        if agreed is None and second_person.session_act_needs_two(row):
            return second_person.propose_session_act(row, second_person.REPLAY_ACT, seen=seen, reason=why, by=by)
        before = later_stages_digest(event)
        postponing.update_session_if_unchanged(row, SessionState.VOID)
        new = copy_session(row, event)
        copy_seats(row, new)
        if row.stage.is_first:
            Entrant.objects.filter(session=row).update(session=new)
        if agreed:
            second_person.approve_session_act(agreed, seen=seen, by=by)
        postponing.record_session_acts([row], ClockKind.REPLAY, why, by, moment)
        postponing.record_session_acts([new], ClockKind.POSTPONE, why, by, moment)
        record_final_plan_change(event, row, before, why, by)
        mailings_ending.end_outdated(event, by=by, now=moment)
        return new


def lock_event_of_session(session: Session) -> Event:
    """The event's row, held: nobody is entered or moved meanwhile."""
    return Event.objects.select_for_update(no_key=True).get(stages=session.stage_id)


def copy_session(session: Session, event: Event) -> Session:
    """A session as this one, under the next free number of the event and of its day."""
    return Session.objects.create(
        stage=session.stage,
        number=queries.next_session_number(event),
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


def record_final_plan_change(event: Event, session: Session, before: str, reason: str, by: User) -> None:
    """A final's plan is another now: the log keeps its digest."""
    if not session.stage.is_first:
        save_setup_revision(event, by, "set_up_final", before, reason, later_stages_digest)


# --- Taken back -----------------------------------------------------------------------------------------
def revert_session_decision(
    session: Session,
    *,
    reason: str = "",
    by: User,
    now: datetime | None = None,
    agreed: Proposal | None = None,
) -> Session | Proposal:
    """What was decided about the session is taken back: it is suspended again. Sent twice it is done once.

    Of a replay only while none of its sheets is begun and it was not started: it becomes void in its turn, and its
    entrants are back where they were. That brings locked sheets back into the ranking: with any it is proposed, and
    done when another account has `agreed`. Refused: `not_decided`, `session_stamped`, `replay_begun`,
    `entrants_joined`, `entrants_gone_on`, `proposed_already`.
    """
    why, moment = clean_clock_text(reason), now or timezone.now()
    with transaction.atomic():
        event = lock_event_of_session(session)
        row = postponing.lock_sessions([session])[0]
        last = clocks.last_clock_kinds([row]).get(row.pk)
        if row.state == SessionState.SUSPENDED and last == ClockKind.UNDECIDE:
            return row
        before, changed = later_stages_digest(event), [row]
        made, seen = queries.replay_of(row), second_person.replay_basis_digest(row)
        if row.state == SessionState.VOID and made:
            require_replay_revertible(row, made)
            if agreed is None and second_person.session_act_needs_two(row):
                return second_person.propose_session_act(
                    row, second_person.REVERT_DECISION_ACT, seen=seen, reason=why, by=by
                )
            changed.append(revert_replay(row, made))
        elif not are_results_kept(row):
            facts = {"session": row.code, "state": row.get_state_display()}
            raise Refused("not_decided", SESSION_NOT_DECIDED, row, **facts)
        elif session_life_of(row).is_over:
            raise Refused("session_stamped", SESSION_FULLY_PLAYED, row)
        postponing.update_session_if_unchanged(row, SessionState.SUSPENDED)
        if agreed:
            second_person.approve_session_act(agreed, seen=seen, by=by)
        postponing.record_session_acts(changed, ClockKind.UNDECIDE, why, by, moment)
        if made:
            record_final_plan_change(event, row, before, why, by)
            mailings_ending.end_outdated(event, by=by, now=moment)
        return row


def revert_replay(session: Session, made: Session) -> Session:
    """The replay is void, and who was entered for it is entered for the session that was broken off."""
    new = postponing.lock_sessions([made])[0]
    postponing.update_session_if_unchanged(new, SessionState.VOID, replays=None)
    if new.stage.is_first:
        Entrant.objects.filter(session=new).update(session=session)
    return new


def require_replay_revertible(session: Session, made: Session) -> None:
    """What keeps a replay from being taken back."""
    refuse_begun_replay(postponing.lock_sessions([made])[0])
    refuse_other_entrants(session, made)


def refuse_begun_replay(new: Session) -> None:
    """A replay that has begun stands."""
    life = session_life_of(new)
    if life.sheets or (new.state not in (*BEFORE_PLAY, SessionState.POSTPONED) and not life.is_held_back):
        raise Refused("replay_begun", REPLAY_ALREADY_BEGUN, new, session=new.code)


def refuse_other_entrants(session: Session, new: Session) -> None:
    """Entrants who would be without a seat, or with the results of two sessions."""
    if new.stage.has_rounds_for_all:
        return
    refuse_for_entrants("entrants_joined", ENTRANTS_JOINED_REPLAY, queries.numbers_joined_in_replay(session, new))
    refuse_for_entrants("entrants_gone_on", ENTRANTS_LEFT_SESSION, queries.numbers_gone_elsewhere(session, new))


def refuse_for_entrants(code: str, sentence: str, numbers: Sequence[int]) -> None:
    """Raise Refused about these entrants; nothing where there are none."""
    if numbers:
        raise Refused(code, sentence, tuple(numbers), numbers=numbers_text(numbers))


def numbers_text(numbers: Iterable[int]) -> str:
    """The numbers as four figures each: `0312, 0313`."""
    return ", ".join(f"{number:04d}" for number in numbers)


# --- The second person's yes ----------------------------------------------------------------------------
REPLAY_ACT_HANDLERS: Mapping[str, Callable[..., Session | Proposal]] = {
    second_person.REPLAY_ACT: replay_session,
    second_person.REVERT_DECISION_ACT: revert_session_decision,
}


@transaction.atomic
def agree_replay(event: Event, number: int, *, by: User, now: datetime | None = None) -> Session | Proposal:
    """Do what was proposed about a session with locked sheets, or nothing of it. Sent twice it is done once.

    1. the event's row, as every such act; 2. the proposal, still open, not by who proposed it; 3. the act, judged anew
    on what stands now (412 where it is another). Refused: what the act and the proposal refuse.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    asked = second_person.find_replay_proposal(event, number)
    if asked is not None and asked.outcome == ProposalOutcome.APPROVED and asked.closed_by_id == by.pk:
        return asked
    proposal = proposals.open_proposal(event, number)
    session = second_person.proposed_session(proposal)
    if proposal.proposed_by_id == by.pk:
        raise Forbidden("proposer_cannot_approve", proposals.PROPOSAL_SAME_ACCOUNT, about=proposal)
    if proposal.seen != second_person.replay_basis_digest(session):
        raise StaleVersion("proposal_outdated", proposals.PROPOSAL_OUTDATED, about=proposal)
    return REPLAY_ACT_HANDLERS[proposal.act](session, reason=proposal.reason, by=by, now=now, agreed=proposal)
