"""What becomes of a note that a table made: the desk records what it marks, or does not; its referee takes it back.

A mark is an incident that says what only the desk may record: who did not come, came late, left or is disqualified, and
a rack counted wrong. The game is recorded at the table all the same (R6, R41, R44); the desk confirms with one press.
"""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import EntrantStatus, IncidentKind, NoteKind, NoteOutcome
from tournament.errors import BadInput, Refused
from tournament.models import ClockEvent, Entrant, Incident, JudgeCall, NoteEnd, Table, Warning
from tournament.queries import conduct as queries
from tournament.queries.scoresheets import serial
from tournament.services import audit, conduct, registration
from tournament.services.acting import Acting, source_of
from tournament.services.clock import clean

Note = queries.Note

# What the desk's press records of the entrant; a rack counted wrong has no entrant's record.
RECORDS = {
    IncidentKind.ABSENT: EntrantStatus.FORFEITED,
    IncidentKind.LEFT: EntrantStatus.WITHDRAWN,
    IncidentKind.DISQUALIFIED: EntrantStatus.DISQUALIFIED,
    IncidentKind.LATE: EntrantStatus.OK,
}
KIND_OF: Mapping[type, NoteKind] = {
    Warning: NoteKind.WARNING,
    Incident: NoteKind.INCIDENT,
    JudgeCall: NoteKind.CALL,
    ClockEvent: NoteKind.OVERTIME,
}
# The log's word for each end.
ACTIONS = {
    NoteOutcome.CONFIRMED: "confirm_mark",
    NoteOutcome.DISMISSED: "dismiss_mark",
    NoteOutcome.WITHDRAWN: "withdraw_note",
}

REASON = _("Say why in a few words (at most 500 characters).")
ENDED = _("This note is settled already. Look again at what became of it.")
ANSWERED = _("The chief judge has answered this call: it is not taken back any more.")
NO_NOTE = _("This table has no such note.")
LATER = _(
    'Not recorded: a later note of this seat ("%(later)s") is recorded already. Press "Do not record", or change the '
    "entrant's status on the entrant's page."
)
BARRED = _("Not recorded: entrant %(number)s is disqualified. Only the entrant's page takes that back.")
NO_MARK = _("Nothing of this note is recorded by the desk.")


def is_mark(row: Incident) -> bool:
    """Whether it waits for the desk."""
    return row.kind in queries.MARKS


def thing_of_end(row: NoteEnd) -> str:
    """How the audit log names the note that an end is of."""
    return f"{row.kind} {serial(row.table)} {row.note}"


def digest_of(row: NoteEnd) -> str:
    """What the log holds an end to."""
    return audit.digest_of([row.outcome, row.reason, *source_of(row)])


# --- The desk -------------------------------------------------------------------------------------------
def confirm(mark: Incident, *, by: AbstractUser, request_key: str) -> None:
    """One press: what the table has marked is recorded of the entrant, and the mark is settled.

    1. it is a mark that nobody has settled; 2. no later one of its seat is recorded, which an older does not undo;
    3. the entrant's status, by the service that owns it, unless it says so already; 4. the end; 5. the audit entry. All
    or nothing. Raises Refused `note_ended`, `later_note`, `disqualified`, and what the registration refuses.
    """
    acting = Acting(by, request_key)

    def do() -> int:
        if not is_mark(mark):
            raise Refused("no_mark", NO_MARK, about=mark)
        refuse_ended(mark)
        if mark.kind in RECORDS:
            if later := queries.recorded_after(mark, RECORDS):
                raise Refused("later_note", LATER, about=mark, later=later.get_kind_display())
            record_of_entrant(mark, by)
        return end(mark, NoteOutcome.CONFIRMED, "", acting)

    acting.once("confirm_mark", [mark.pk], do)


def record_of_entrant(mark: Incident, by: AbstractUser) -> None:
    """The status that the mark means, with the table and what was noted as the reason."""
    entrant = conduct.entrant_at(mark.table, mark.letter)
    status = status_of(mark, entrant)
    where = f"{serial(mark.table)} {mark.letter}, {mark.game}"
    reason = f"{where}: {mark.note}"[: registration.LONGEST_REASON] if mark.note else where
    if status == EntrantStatus.OK:
        if entrant.status == EntrantStatus.DISQUALIFIED:
            raise Refused("disqualified", BARRED, about=mark, number=str(entrant))
        registration.readmit(entrant, reason=reason, by=by)
    elif entrant.status == EntrantStatus.OK or status == EntrantStatus.DISQUALIFIED:
        registration.record_absence(entrant, status=status, reason=reason, by=by)


def status_of(mark: Incident, entrant: Entrant) -> EntrantStatus:
    """Who takes no part from a later game on, or has played before, has come: that is no no-show but a withdrawal."""
    status = RECORDS[IncidentKind(mark.kind)]
    came = mark.game > 1 or registration.has_played(entrant)
    return EntrantStatus.WITHDRAWN if status == EntrantStatus.FORFEITED and came else status


def dismiss(mark: Incident, *, reason: str, by: AbstractUser, request_key: str) -> None:
    """The desk does not record what the table has marked; the table's tablet shows why."""
    why, acting = checked(reason), Acting(by, request_key)

    def do() -> int:
        if not is_mark(mark):
            raise Refused("no_mark", NO_MARK, about=mark)
        refuse_ended(mark)
        return end(mark, NoteOutcome.DISMISSED, why, acting)

    acting.once("dismiss_mark", [mark.pk, why], do)


# --- The referee ----------------------------------------------------------------------------------------
def withdraw(table: Table, *, note: Note, reason: str, acting: Acting) -> None:
    """A warning, an incident, a call or an overtime is taken back, with a reason. What was noted stays in the log.

    1. it is of this table and nobody has settled it; a call nobody has answered; 2. the end; 3. the audit entry.
    """
    why = checked(reason)
    if note.table_id != table.pk:
        raise BadInput("no_such_note", NO_NOTE)

    def do() -> int:
        refuse_ended(note)
        if isinstance(note, JudgeCall) and JudgeCall.objects.select_for_update(no_key=True).get(pk=note.pk).answered_at:
            raise Refused("call_answered", ANSWERED, about=note)
        return end(note, NoteOutcome.WITHDRAWN, why, acting)

    acting.once("withdraw_note", [KIND_OF[type(note)], note.pk, why], do)


# --- Both -----------------------------------------------------------------------------------------------
def checked(reason: str) -> str:
    """The reason trimmed; none or too long is refused (R46)."""
    why = clean(reason)
    if not why:
        raise BadInput("reason_missing", REASON)
    return why


def refuse_ended(note: Note) -> None:
    """A note is settled once."""
    if queries.end_of(KIND_OF[type(note)], note.pk) is not None:
        raise Refused("note_ended", ENDED, about=note)


def end(note: Note, outcome: NoteOutcome, reason: str, acting: Acting) -> int:
    """The row and its audit entry; of two who settle at once the database lets one."""
    row = NoteEnd(
        table=note.table,
        kind=KIND_OF[type(note)],
        note=note.pk,
        outcome=outcome,
        reason=reason,
        by=acting.by,
        at=timezone.now(),
        **acting.columns,
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise Refused("note_ended", ENDED, about=note) from None
    conduct.record(note.table, acting, ACTIONS[outcome], thing_of_end(row), reason, row.at, digest_of(row))
    return int(row.pk)
