"""One entrant changed at the desk: contact data and consents, another session, a family joined or parted.

Each act is the change that a corrected list with that row would make, judged by the same rules: one way to change an
entry. It takes the revision that its author had before them; sent again it finds nothing to change and does nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.core.entrant_columns import ENTRANT_COLUMNS
from tournament.core.enums import FamilyRole
from tournament.core.errors import BadInput, Locked, Refused
from tournament.core.models.event import Event
from tournament.entrants.exports.file import ENTRANT_FILE_HEADS, entrant_file_row, importer_cell_text
from tournament.entrants.models.people import Entrant, Family
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.readers.columns import read_heads
from tournament.entrants.readers.entrants import RowReader, kept_cells
from tournament.entrants.readers.faults import FAULT_DECIDE, FAULT_NOTE, FAULT_SENTENCES, ImportFault
from tournament.entrants.readers.grid import kept_cell_text
from tournament.registration.services import importing_checks as checks
from tournament.registration.services.importing_changes import (
    EntrantChange,
    accept_age,
    apply_entrant_changes,
    change_of,
    refuse_erased,
)
from tournament.registration.services.importing_names import ACCEPTABLE_NAME_FAULTS
from tournament.registration.services.importing_preview import session_place
from tournament.sheets.services.registration import STATUS_REASON_MAX_LENGTH, check_status_reason, entrant_stale_error

ENTRANT_COLUMN_INDEX = {column.key: index for index, column in enumerate(ENTRANT_COLUMNS)}
TWO_FAMILIES = _("They are in two families, %(one)s and %(other)s; a person is in one. Take one of them out first.")
BIRTHDAY_QUESTION = "birthday_on_the_day"
# As the log says it.
NAME_ACCEPTED = "name accepted as it is written"
# Not a matter of what was typed, but of what has happened or who was first.
CONFLICT_FAULTS = frozenset(
    {
        "session_played",
        "absent_keeps_session",
        "seat_confirmed",
        "session_full",
        "session_under_way",
        "person_entered",
        "family_left_alone",
        "family_left_half",
        "family_of_many",
        BIRTHDAY_QUESTION,
    }
)


@dataclass(frozen=True)
class EntrantEdit:
    """What is to stand in some columns of one entrant, as texts of a list; `revision` as it was seen, None: any.
    `seat`: what is given up with the session."""

    number: int
    revision: int | None
    cells: Mapping[str, str]
    seat: str = ""


def change_person(
    entrant: Entrant,
    *,
    revision: int,
    cells: Mapping[str, str],
    reason: str = "",
    by: User,
    accept_name: bool = False,
    waits: list[Proposal] | None = None,
    notes: list[ImportFault] | None = None,
) -> Entrant:
    """Correct names, date of birth, contact data, consents or fee: `cells` are texts by column, as a list has them.

    `accept_name`: the name is really written so, though its letters are unusual or no font of the papers has them. Once
    a signed sheet has games, names, date of birth and guardian are proposed for a second person: `waits` gets the
    proposal, and only the rest is changed. `notes` gets what is only told, as of a list. Refused with every fault in
    `about`, as in a list; StaleVersion `entrant_changed`.
    """
    edit = EntrantEdit(
        entrant.number, revision, {column: cells[column] for column in cells if column in ENTRANT_COLUMN_INDEX}
    )
    accepting = ACCEPTABLE_NAME_FAULTS if accept_name else frozenset()
    why = checked_length(reason)
    return change_entrants(entrant.event, [edit], reason=why, by=by, accepting=accepting, waits=waits, notes=notes)[0]


def move_to_session(
    entrant: Entrant,
    *,
    session: int,
    revision: int,
    reason: str,
    by: User,
    accept_birthday: bool = False,
    seat: str = "",
    waits: list[Proposal] | None = None,
) -> Entrant:
    """Move an entrant to another session, by its number; age is judged on that session's original date (R1).

    The place is taken under the event's lock, so that of two for the last one only one has it (R2). Whom a signed sheet
    of a void session names is moved by two people: `waits` gets the proposal, with the `seat` to give up. Refused:
    `session_full`, `session_under_way`, `session_played`, `absent_keeps_session` (R6), `seat_confirmed`
    (`seating_leaving.move` gives up the seat as well), `result_locked`, `too_young`; `birthday_on_the_day` unless an
    organiser accepts it, which becomes a ruling.
    """
    reason = check_status_reason(reason)
    there = {each.number: each for each in entrants_query.preliminary_sessions(entrant.event)}
    if session not in there:
        raise BadInput("no_such_session", _("Choose one of the event's sessions."))
    edit = EntrantEdit(entrant.number, revision, {"session": there[session].code}, seat)
    accepting = frozenset({BIRTHDAY_QUESTION}) if accept_birthday else frozenset()
    return change_entrants(entrant.event, [edit], reason=reason, by=by, accepting=accepting, waits=waits)[0]


@transaction.atomic
def join_family(
    child: Entrant,
    parent: Entrant,
    *,
    revision: int,
    about: Entrant,
    reason: str = "",
    by: User,
    waits: list[Proposal] | None = None,
) -> list[Entrant]:
    """Declare a pair of a child and a parent (R40); `revision` is that of `about`, the one whose page was open.

    A family that either has is joined, else one is made by the child's number; who joins one is a pair with each of the
    other role there. Once a signed sheet has games of any of them, it is proposed for a second person (`waits`).
    Refused as a list with these two rows is: `child_too_young`, `child_too_old`, `parent_too_young`,
    `parent_not_older`, `family_of_many`; and `two_families` for who is in another family.
    """
    event = Event.objects.select_for_update(no_key=True).get(pk=child.event_id)
    if child.pk == parent.pk:
        raise BadInput("family_with_oneself", _("A pair is two people: type the other one's number."))
    codes = Family.objects.filter(members__in=[child.pk, parent.pk]).distinct().order_by("pk")
    held = list(codes.values_list("code", flat=True))
    if len(held) > 1 and event.several_pairs:
        raise Refused("two_families", TWO_FAMILIES, one=held[0], other=held[1])
    code = held[0] if held else free_code(child)
    roles = ((child, FamilyRole.CHILD), (parent, FamilyRole.PARENT))
    edits = [
        EntrantEdit(
            member.number,
            revision if member.pk == about.pk else None,
            {"family": code, "family_role": importer_cell_text("family_role", role.value)},
        )
        for member, role in roles
    ]
    return change_entrants(event, edits, reason=checked_length(reason), by=by, waits=waits)


@transaction.atomic
def part_family(
    entrant: Entrant, *, revision: int, reason: str = "", by: User, waits: list[Proposal] | None = None
) -> list[Entrant]:
    """Take an entrant out of the family. Without a child and a parent left there nobody stays: of a pair both are
    single again. With games on a signed sheet it is proposed (`waits`).

    StaleVersion `entrant_changed`.
    """
    Event.objects.select_for_update(no_key=True).get(pk=entrant.event_id)
    others = list(Entrant.objects.filter(family__members=entrant.pk).exclude(pk=entrant.pk))
    leaving = (
        [entrant] if checks.has_child_and_parent(others) else sorted([entrant, *others], key=lambda each: each.number)
    )
    edits = [
        EntrantEdit(each.number, revision if each.pk == entrant.pk else None, {"family": "", "family_role": ""})
        for each in leaving
    ]
    return change_entrants(entrant.event, edits, reason=checked_length(reason), by=by, waits=waits)


def free_code(child: Entrant) -> str:
    """A family code that nobody has: F-0302, else F-0302-2 and so on."""
    codes = set(Family.objects.filter(event_id=child.event_id, members__isnull=False).values_list("code", flat=True))
    wanted = [f"F-{child}", *(f"F-{child}-{count}" for count in range(2, len(codes) + 3))]
    return next(code for code in wanted if code not in codes)


def checked_length(reason: str) -> str:
    """The reason trimmed; it may be left out."""
    reason = reason.strip()
    if len(reason) > STATUS_REASON_MAX_LENGTH:
        raise BadInput("reason_needed", _("Say in a few words why (at most 500 characters)."))
    return reason


@transaction.atomic
def change_entrants(
    event: Event,
    edits: Sequence[EntrantEdit],
    *,
    reason: str,
    by: User,
    accepting: Collection[str] = (),
    agreed: bool = False,
    waits: list[Proposal] | None = None,
    notes: list[ImportFault] | None = None,
) -> list[Entrant]:
    """The edits together or none of them; the entrants as they then stand. `accepting`: questions answered with yes.

    1. the event's lock; 2. each edit as the row of a list; 3. nothing to change: nothing is done; 4. another revision
    than the author's: 412; 5. persons, age, what holds fast, families, places; 6. the swaps with their audit entries;
    7. an accepted boundary birthday becomes a ruling, unless the change only waits. Without `agreed`, the yes of a
    second person, `waits` gets what one alone may only propose; `notes` gets what is only told.
    """
    event = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    sessions = {session.number: session for session in entrants_query.preliminary_sessions(event)}
    standing = checks.EnteredIndex(
        event, read_heads(ENTRANT_FILE_HEADS, 1), sessions, entrants_query.entered_entrants(event)
    )
    changes = [change_by(edit, row, standing) for row, edit in enumerate(edits, start=1)]
    for each in changes:
        refuse_erased(each.entrant)
    differing = [each for each in changes if each.cells or each.row.faults]
    if differing:
        for edit, each in zip(edits, changes, strict=True):
            if edit.revision not in (None, each.entrant.revision):
                raise entrant_stale_error(each.entrant)
        faults = entrant_change_faults(changes, standing)
        accepted = [fault for fault in faults if fault.code in accepting]
        refuse_with_faults([fault for fault in faults if fault not in accepted and fault.weight != FAULT_NOTE])
        if any(fault.code in ACCEPTABLE_NAME_FAULTS for fault in accepted):
            reason = "; ".join(filter(None, (reason, NAME_ACCEPTED)))
        proposed = apply_entrant_changes(
            event, [each for each in changes if each.cells], sessions, by=by, reason=reason, agreed=agreed
        )
        if waits is not None:
            waits.extend(proposed)
        if notes is not None:
            notes.extend(fault for fault in faults if fault.weight == FAULT_NOTE)
        for fault in accepted:
            if fault.code == BIRTHDAY_QUESTION and not proposed:
                accept_age(changes[fault.row - 1].entrant, reason, by, by.pk)
    numbers = [edit.number for edit in edits]
    return list(
        Entrant.objects.filter(event=event, number__in=numbers).select_related("person", "session", "family", "event")
    )


def change_by(edit: EntrantEdit, row: int, standing: checks.EnteredIndex) -> EntrantChange:
    """The edit as the row of a list that says of everything else what is entered."""
    entrant = standing.by_number[edit.number]
    texts = entrant_file_row(entrant)
    for column, text in edit.cells.items():
        texts[ENTRANT_COLUMN_INDEX[column]] = kept_cell_text(text)
    reader = RowReader(standing.heads, "", [session_place(session) for session in standing.sessions.values()])
    return replace(change_of(reader.read(row, kept_cells(standing.heads, texts)), entrant), seat=edit.seat)


def entrant_change_faults(changes: Sequence[EntrantChange], standing: checks.EnteredIndex) -> list[ImportFault]:
    """Everything that stands against the changes, in the order of the rows and columns."""
    rows = [each.row for each in changes]
    for each in changes:
        if not each.cells or each.row.birth_date is None:
            continue
        person = standing.people.find(each.row.name_key, each.row.birth_date)
        checks.note_entered(each.row, person if person is not each.entrant else None, standing)
        checks.check_change(each, standing)
    checks.check_families(rows, {each.row.row: each for each in changes}, standing)
    moving = {each.row.row: each for each in changes if each.moves}
    placed = [row for row in rows if row.row in moving]
    checks.check_places(placed, moving, entrants_query.places_taken(standing.event), standing)
    return sorted((fault for row in rows for fault in row.faults), key=lambda fault: fault.order)


def refuse_with_faults(faults: Sequence[ImportFault]) -> None:
    """Refuse with the first fault's own code and sentence; all of them stand in `about`."""
    if not faults:
        return
    first = faults[0]
    standing = first.code in CONFLICT_FAULTS or first.weight == FAULT_DECIDE
    kind = Locked if first.code == "result_locked" else Refused if standing else BadInput
    raise kind(first.code, FAULT_SENTENCES[first.code][0], tuple(faults), **first.facts)
