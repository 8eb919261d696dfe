"""What a row would change of somebody who is entered, cell by cell; what may not change any more; the change itself.

The import and the page of one entrant share it: there is one way to change an entry. A locked result, a seat that is
confirmed and a session that is played hold fast (R41). Behind a locked sheet names, birth date, session, family and
guardian change by two people (importing_second.py); contact data and consents may change at any time.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.audit import services
from tournament.core.dateformat import is_chinese
from tournament.core.entrant_column_kinds import ColumnKind
from tournament.core.entrant_columns import COLUMN_BY_KEY, ENTRY_COLUMNS, PERSON_COLUMNS, PLAIN_KINDS
from tournament.core.enums import EntrantStatus, FamilyRole, LifeStage
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.names import fold_name, name_key
from tournament.entrants.exports.entrant_values import display_cell_value
from tournament.entrants.models.people import Entrant, Family, Person, Ruling
from tournament.entrants.queries.entrant_values import value_of
from tournament.entrants.readers.entrants import ImportedRow
from tournament.entrants.readers.faults import FAULT_ERROR
from tournament.entrants.readers.namesakes import share_a_name
from tournament.entrants.services import digests_of, former_names
from tournament.publication.queries.changed_people import PERSON_NAME_COLUMNS, PROPOSAL_REASON_PREFIX
from tournament.publication.services import public_pages
from tournament.registration.services import importing_second as second
from tournament.sheets.queries import entrants_played
from tournament.sheets.queries.session_life import SessionLife
from tournament.sheets.services.registration import entrant_stale_error

PERSON_KEYS = frozenset(column.key for column in PERSON_COLUMNS)
# What stands in a field of the entry; a session and a family are rows of their own.
ENTRY_KEYS = frozenset(column.key for column in ENTRY_COLUMNS if column.kind in PLAIN_KINDS)
FIELDS_FIXED_BY_RESULT = ("session",)
# Left while people play there, or after; a void session is left for another, since it is played anew.
PLAYED_LIFE_STAGES = frozenset({LifeStage.BEGUN, LifeStage.STAMPED, LifeStage.RELEASED})


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell: what is entered and what it would be, as values (a session by its code)."""

    column: str
    old: Any
    new: Any

    @property
    def label(self) -> str:
        """The column's name in the language of the moment."""
        return str(COLUMN_BY_KEY[self.column].label)

    @property
    def before(self) -> str:
        """What is entered, in words."""
        return display_cell_value(self.column, self.old)

    @property
    def after(self) -> str:
        """What it would be, in words."""
        return display_cell_value(self.column, self.new)


@dataclass(frozen=True)
class EntrantChange:
    """A row that says another thing than what is entered; `entrant` as it was read, its revision with it. `seat`: the
    confirmed seat that is given up with a change of the session, `5C`."""

    entrant: Entrant
    row: ImportedRow
    cells: tuple[CellChange, ...]
    seat: str = ""

    @cached_property
    def columns(self) -> frozenset[str]:
        return frozenset(cell.column for cell in self.cells)

    @property
    def moves(self) -> bool:
        """Whether a place is left and another taken (R2)."""
        return "session" in self.columns

    @property
    def about_age(self) -> bool:
        """Whether the age on the session's day must be judged again (R1)."""
        return bool(self.columns & {"session", "birth_date"})


@dataclass(frozen=True)
class FixedEntries:
    """Why parts of entries stay: ids of entrants whose seat is confirmed, who have games on a locked sheet that counts
    (`results`), whom any locked sheet names (`behind`); of sessions that are played or have been."""

    seated: frozenset[int]
    results: frozenset[int]
    behind: frozenset[int]
    played: frozenset[int]


def find_fixed_entries(event: Event, lives: Mapping[int, SessionLife]) -> FixedEntries:
    """Two queries, whatever the number of entrants."""
    played = frozenset(key for key, life in lives.items() if life.stage in PLAYED_LIFE_STAGES)
    return FixedEntries(entrants_played.seated_for_certain(event), *entrants_played.on_locked_sheets(event), played)


def value_in(row: ImportedRow, column: str) -> Any:
    """What the row says in a column, as `queries.entrant_values.value_of` tells what is entered."""
    value, kind = row.values[column], COLUMN_BY_KEY[column].kind
    if kind is ColumnKind.SESSION:
        return value.code if value else ""
    return (value or "") if kind is ColumnKind.FAMILY_ROLE else value


def is_cell_unchanged(column: str, old: Any, new: Any) -> bool:
    """Family codes are the same whatever their case and width; everything else is the same when it is equal."""
    return (
        bool(fold_name(old) == fold_name(new)) if COLUMN_BY_KEY[column].kind is ColumnKind.FAMILY else bool(old == new)
    )


def change_of(row: ImportedRow, entrant: Entrant) -> EntrantChange:
    """What the row would change, in the order of the columns. A column that the file lacks says what is entered.

    A cell that could not be read changes nothing: its fault stops the row.
    """
    unread = {fault.place.column for fault in row.faults if fault.weight == FAULT_ERROR}
    if row.birth_date is None:
        unread.add("birth_date")
    cells = []
    for column in COLUMN_BY_KEY:
        old = value_of(entrant, column)
        if column not in row.cells:
            fill_from_entered(row, column, entrant)
        elif column != "number" and column not in unread and not is_cell_unchanged(column, old, value_in(row, column)):
            cells.append(CellChange(column, old, value_in(row, column)))
    return EntrantChange(entrant, row, tuple(cells))


def fill_from_entered(row: ImportedRow, column: str, entrant: Entrant) -> None:
    """What the file does not say stands as it is entered."""
    kind = COLUMN_BY_KEY[column].kind
    if kind is ColumnKind.NUMBER:
        row.values[column] = entrant.number
    elif kind is ColumnKind.FAMILY_ROLE:
        row.values[column] = FamilyRole(entrant.family_role) if entrant.family_role else None
    elif kind is not ColumnKind.SESSION:
        row.values[column] = value_of(entrant, column)


def is_other_person(change: EntrantChange) -> bool:
    """Another date of birth and no name in common: the number of one person with the data of another."""
    if "birth_date" not in change.columns:
        return False
    return not share_a_name(change.entrant.person.name_key, change.row.name_key)


def entrant_changes_digest(changes: Iterable[EntrantChange]) -> str:
    """SHA-256 over every change as it was shown, revisions included: what somebody has agreed to."""
    shown = [
        [change.entrant.number, change.entrant.revision, [[c.column, str(c.old), str(c.new)] for c in change.cells]]
        for change in changes
    ]
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def families_of(event: Event, rows: Iterable[ImportedRow]) -> dict[str, Family]:
    """The families that the rows name, by folded code; those that exist are joined."""
    found = {fold_name(family.code): family for family in Family.objects.filter(event=event)}
    codes = {row.family_key: row.family for row in rows if row.family}
    missing = [Family(event=event, code=code) for key, code in codes.items() if key not in found]
    return {**found, **{fold_name(family.code): family for family in Family.objects.bulk_create(missing)}}


def apply_entrant_changes(
    event: Event,
    changes: Sequence[EntrantChange],
    sessions: Mapping[int, Session],
    *,
    by: User | None,
    reason: str = "",
    request_key: str = "",
    agreed: bool = False,
    hold: bool = False,
) -> list[Proposal]:
    """Write the changes inside the caller's transaction; each from the revision that was read, else nothing at all.

    What takes two people behind a locked sheet is proposed, unless a second person has `agreed`, and answered. `hold`:
    where another change waits already it stays, as for a row of a list. Refused: what importing_second.py refuses.
    """
    for change in changes:
        refuse_erased(change.entrant)
    if not agreed:
        reason = PROPOSAL_REASON_PREFIX.sub("", reason)  # nobody alone writes that two have done it
    results = entrants_played.entrants_on_any_locked_sheet(event)
    bound = frozenset(map(fold_name, Family.objects.filter(members__in=results).values_list("code", flat=True)))
    parts = second.split_changes(changes, *((frozenset(), frozenset()) if agreed else (results, bound)))
    second.require_reason(parts, results, reason)
    write_entrant_changes(event, parts.now, sessions, by=by, reason=reason, request_key=request_key)
    propose = second.propose_or_hold if hold else second.propose_entrant_change
    return [propose(event, group, by=by, reason=reason) for group in parts.later]


def write_entrant_changes(
    event: Event,
    changes: Sequence[EntrantChange],
    sessions: Mapping[int, Session],
    *,
    by: User | None,
    reason: str,
    request_key: str,
) -> None:
    """1. the entry by compare-and-swap (412 where somebody changed it meanwhile), the person; 2. an audit entry each:
    which fields, the keyed digests of before and after, and never a name."""
    families = families_of(event, [change.row for change in changes if change.columns & second.FAMILY_FIELDS])
    before = digests_of(change.entrant for change in changes)
    for change in changes:
        update_entrant_if_unchanged(change, families, sessions)
    changed = Entrant.objects.filter(pk__in=[change.entrant.pk for change in changes])
    after = digests_of(changed.select_related("person", "session", "family"))
    for change in changes:
        number, details = str(change.entrant), {"columns": [cell.column for cell in change.cells]}
        revision = change.entrant.revision
        services.append_audit_entry(
            event,
            by,
            "change_entrant",
            f"entrant {number}",
            revision=(revision, revision + 1),
            digest=(before[number], after[number]),
            reason=reason[:500],
            details=details,
            request_key=request_key,
        )
    if any("consent_name" in change.columns for change in changes):
        public_pages.write_masks_on_commit(event)


def update_entrant_if_unchanged(
    change: EntrantChange, families: Mapping[str, Family], sessions: Mapping[int, Session]
) -> None:
    """One entry and its person, from the revision that was read."""
    row, entrant = change.row, change.entrant
    values: dict[str, Any] = {"revision": F("revision") + 1}
    fields = change.columns & ENTRY_KEYS
    if change.columns & second.FAMILY_FIELDS:
        values["family"] = families.get(row.family_key)
        fields |= second.FAMILY_FIELDS & ENTRY_KEYS
    if "session" in change.columns and row.session:
        values["session"] = sessions[row.session.number]
    values |= {column: value_in(row, column) for column in fields}
    if not Entrant.objects.filter(pk=entrant.pk, revision=entrant.revision).update(**values):
        raise entrant_stale_error(entrant)
    person = {column: value_in(row, column) for column in change.columns & PERSON_KEYS}
    if person:
        person["name_key"] = name_key(row.name_zh, row.name_en)
        if "consent_name" in change.columns and not row.consent_name:
            person["consent_name_ended_at"] = timezone.now()
        if change.columns & PERSON_NAME_COLUMNS:
            person["former_names"] = former_names(entrant, person["name_key"])
        Person.objects.filter(pk=entrant.person_id).update(**person)


def accept_age(entrant: Entrant, reason: str, actor: User | None, decided_by: int) -> None:
    """A boundary birthday that an organiser accepted: a ruling, and its audit entry (R1, R46)."""
    Ruling.objects.create(entrant=entrant, kind="age_accepted", reason=reason, by_id=decided_by, at=timezone.now())
    services.append_audit_entry(entrant.event, actor, "accept_age", f"entrant {entrant}", reason=reason)


def refuse_erased(entrant: Entrant) -> None:
    """Who was erased is not entered again by a list or a page that was open before."""
    if entrant.person.erased_at is not None:
        raise Refused(
            "entrant_erased",
            _("The personal data of entrant %(number)s was erased: nothing of this entry can be changed any more."),
            number=str(entrant),
        )


@dataclass(frozen=True, slots=True)
class LazyColumnLabels:
    """Column names that are put into words only when a sentence is read."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        return ("、" if is_chinese() else ", ").join(str(COLUMN_BY_KEY[column].label) for column in self.columns)


def fixed_cell_faults(change: EntrantChange, held: FixedEntries) -> list[tuple[str, str, dict[str, Any]]]:
    """What may not change any more: code, column and facts of each, in the order of the rules."""
    entrant, number = change.entrant, str(change.entrant)
    found: list[tuple[str, str, dict[str, Any]]] = []
    bound = tuple(column for column in FIELDS_FIXED_BY_RESULT if column in change.columns)
    if bound and entrant.pk in held.results:
        return [("result_locked", bound[0], {"number": number, "columns": LazyColumnLabels(bound)})]
    if not change.moves:
        return found
    facts = {"number": number, "session": entrant.session.code}
    if entrant.session_id in held.played:
        found.append(("session_played", "session", facts))
    elif entrant.status != EntrantStatus.OK:
        found.append(("absent_keeps_session", "session", {**facts, "status": LazyStatusLabel(entrant.status)}))
    elif entrant.pk in held.seated and not change.seat:
        found.append(("seat_confirmed", "session", facts))
    return found


@dataclass(frozen=True, slots=True)
class LazyStatusLabel:
    """A status that is put into words only when a sentence is read."""

    status: str

    def __str__(self) -> str:
        return str(EntrantStatus(self.status).label)
