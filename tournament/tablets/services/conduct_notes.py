"""What becomes of a note that a table made: the desk records what it marks, or does not; its referee takes it back.

A mark is an incident that says what only the desk may record: who did not come, came late, left or is disqualified, and
a rack counted wrong. The game is recorded at the table all the same (R6, R41, R44); the desk confirms with one press.
"""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core import canonical
from tournament.core.enums import EntrantStatus, IncidentKind, NoteKind, NoteOutcome
from tournament.core.errors import BadInput, Refused
from tournament.devices.services.acting import ActingAccount, source_of
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.queries.scoresheets import sheet_serial
from tournament.sheets.services import registration
from tournament.sheets.services.clock import clean_clock_text
from tournament.tables.models import Table
from tournament.tablets.queries import conduct as queries
from tournament.tablets.services import conduct

WithdrawableNote = queries.NoteRecord

# What the desk's press records of the entrant; a rack counted wrong has no entrant's record.
STATUS_OF_INCIDENT = {
    IncidentKind.ABSENT: EntrantStatus.FORFEITED,
    IncidentKind.LEFT: EntrantStatus.WITHDRAWN,
    IncidentKind.DISQUALIFIED: EntrantStatus.DISQUALIFIED,
    IncidentKind.LATE: EntrantStatus.OK,
}
NOTE_KIND_OF_MODEL: Mapping[type, NoteKind] = {
    Warning: NoteKind.WARNING,
    Incident: NoteKind.INCIDENT,
    JudgeCall: NoteKind.CALL,
    ClockEvent: NoteKind.OVERTIME,
}
# The log's word for each end.
NOTE_OUTCOME_ACTS = {
    NoteOutcome.CONFIRMED: "confirm_mark",
    NoteOutcome.DISMISSED: "dismiss_mark",
    NoteOutcome.WITHDRAWN: "withdraw_note",
}

NOTE_REASON_MISSING = _("Say why in a few words (at most 500 characters).")
NOTE_ALREADY_SETTLED = _("This note is settled already. Look again at what became of it.")
CALL_NOT_WITHDRAWABLE = _("The chief judge has answered this call: it is not taken back any more.")
NOTE_UNKNOWN = _("This table has no such note.")
NOTE_HAS_LATER_ONE = _(
    'Not recorded: a later note of this seat ("%(later)s") is recorded already. Press "Do not record", or change the '
    "entrant's status on the entrant's page."
)
ENTRANT_DISQUALIFIED = _("Not recorded: entrant %(number)s is disqualified. Only the entrant's page takes that back.")
NOTE_IS_NO_MARK = _("Nothing of this note is recorded by the desk.")


def is_mark(row: Incident) -> bool:
    """Whether it waits for the desk."""
    return row.kind in queries.MARK_KINDS


def note_end_subject_ref(row: NoteEnd) -> str:
    """How the audit log names the note that an end is of."""
    return f"{row.kind} {sheet_serial(row.table)} {row.note}"


def note_end_digest(row: NoteEnd) -> str:
    """What the log holds an end to."""
    return canonical.digest_of([row.outcome, row.reason, *source_of(row)])


# --- The desk -------------------------------------------------------------------------------------------
def confirm_desk_mark(mark: Incident, *, by: User, request_key: str) -> None:
    """One press: what the table has marked is recorded of the entrant, and the mark is settled.

    1. it is a mark that nobody has settled; 2. no later one of its seat is recorded, which an older does not undo;
    3. the entrant's status, by the service that owns it, unless it says so already; 4. the end; 5. the audit entry. All
    or nothing. Raises Refused `note_ended`, `later_note`, `disqualified`, and what the registration refuses.
    """
    acting = ActingAccount(by, request_key)

    def do() -> int:
        if not is_mark(mark):
            raise Refused("no_mark", NOTE_IS_NO_MARK, about=mark)
        refuse_settled_note(mark)
        if mark.kind in STATUS_OF_INCIDENT:
            if later := queries.recorded_after(mark, STATUS_OF_INCIDENT):
                raise Refused("later_note", NOTE_HAS_LATER_ONE, about=mark, later=later.get_kind_display())
            record_of_entrant(mark, by)
        return settle_note(mark, NoteOutcome.CONFIRMED, "", acting)

    acting.once("confirm_mark", [mark.pk], do)


def record_of_entrant(mark: Incident, by: User) -> None:
    """The status that the mark means, with the table and what was noted as the reason."""
    entrant = conduct.entrant_at(mark.table, mark.letter)
    status = status_of(mark, entrant)
    where = f"{sheet_serial(mark.table)} {mark.letter}, {mark.game}"
    reason = f"{where}: {mark.note}"[: registration.STATUS_REASON_MAX_LENGTH] if mark.note else where
    if status == EntrantStatus.OK:
        if entrant.status == EntrantStatus.DISQUALIFIED:
            raise Refused("disqualified", ENTRANT_DISQUALIFIED, about=mark, number=str(entrant))
        registration.readmit_entrant(entrant, reason=reason, by=by)
    elif entrant.status == EntrantStatus.OK or status == EntrantStatus.DISQUALIFIED:
        registration.record_absence(entrant, status=status, reason=reason, by=by)


def status_of(mark: Incident, entrant: Entrant) -> EntrantStatus:
    """Who takes no part from a later game on, or has played before, has come: that is no no-show but a withdrawal."""
    status = STATUS_OF_INCIDENT[IncidentKind(mark.kind)]
    came = mark.game > 1 or registration.has_played(entrant)
    return EntrantStatus.WITHDRAWN if status == EntrantStatus.FORFEITED and came else status


def dismiss_desk_mark(mark: Incident, *, reason: str, by: User, request_key: str) -> None:
    """The desk does not record what the table has marked; the table's tablet shows why."""
    why, acting = check_note_reason(reason), ActingAccount(by, request_key)

    def do() -> int:
        if not is_mark(mark):
            raise Refused("no_mark", NOTE_IS_NO_MARK, about=mark)
        refuse_settled_note(mark)
        return settle_note(mark, NoteOutcome.DISMISSED, why, acting)

    acting.once("dismiss_mark", [mark.pk, why], do)


# --- The referee ----------------------------------------------------------------------------------------
def withdraw_note(table: Table, *, note: WithdrawableNote, reason: str, acting: ActingAccount) -> None:
    """A warning, an incident, a call or an overtime is taken back, with a reason. What was noted stays in the log.

    1. it is of this table and nobody has settled it; a call nobody has answered; 2. the end; 3. the audit entry.
    """
    why = check_note_reason(reason)
    if note.table_id != table.pk:
        raise BadInput("no_such_note", NOTE_UNKNOWN)

    def do() -> int:
        refuse_settled_note(note)
        if isinstance(note, JudgeCall) and JudgeCall.objects.select_for_update(no_key=True).get(pk=note.pk).answered_at:
            raise Refused("call_answered", CALL_NOT_WITHDRAWABLE, about=note)
        return settle_note(note, NoteOutcome.WITHDRAWN, why, acting)

    acting.once("withdraw_note", [NOTE_KIND_OF_MODEL[type(note)], note.pk, why], do)


# --- Both -----------------------------------------------------------------------------------------------
def check_note_reason(reason: str) -> str:
    """The reason trimmed; none or too long is refused (R46)."""
    why = clean_clock_text(reason)
    if not why:
        raise BadInput("reason_missing", NOTE_REASON_MISSING)
    return why


def refuse_settled_note(note: WithdrawableNote) -> None:
    """A note is settled once."""
    if queries.note_end_of(NOTE_KIND_OF_MODEL[type(note)], note.pk) is not None:
        raise Refused("note_ended", NOTE_ALREADY_SETTLED, about=note)


def settle_note(note: WithdrawableNote, outcome: NoteOutcome, reason: str, acting: ActingAccount) -> int:
    """The row and its audit entry; of two who settle at once the database lets one."""
    row = NoteEnd(
        table=note.table,
        kind=NOTE_KIND_OF_MODEL[type(note)],
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
        raise Refused("note_ended", NOTE_ALREADY_SETTLED, about=note) from None
    assert note.table is not None
    conduct.record_conduct_entry(
        note.table, acting, NOTE_OUTCOME_ACTS[outcome], note_end_subject_ref(row), reason, row.at, note_end_digest(row)
    )
    return int(row.pk)
