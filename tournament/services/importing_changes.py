"""What a row would change of somebody who is entered, cell by cell; what may not change any more; the change itself.

The import and the page of one entrant share it: there is one way to change an entry. A locked result, a seat that is
confirmed and a session that is played hold fast (R41); names, contact data and consents may change at any time.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import EntrantStatus, FamilyRole, Language, SessionState
from tournament.errors import StaleVersion
from tournament.exports.entrants_file import value_of
from tournament.models import Entrant, Event, Family, Person, Ruling, Session
from tournament.moments import chinese
from tournament.queries import entrants as entrants_query
from tournament.readers.columns import BY_NAME
from tournament.readers.entrants import CONSENTS, EntrantRow
from tournament.readers.names import fold, name_key
from tournament.services import audit

PERSON_FIELDS = (
    "name_zh",
    "name_en",
    "name_key",
    "birth_date",
    "phone",
    "email",
    "language",
    "school",
    "guardian",
    *CONSENTS,
)
ENTRY_FIELDS = frozenset({"session", "family", "family_role", "fee"})
HELD_BY_RESULT = ("birth_date", "session", "family", "family_role")
# Left while people play there, or after; a void session is left for another, since it is played anew.
PLAYED = frozenset({SessionState.PLAYING, SessionState.ENTERING, SessionState.CHECKING, SessionState.CLOSED})


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell: what is entered and what it would be, as values (a session by its code)."""

    column: str
    old: Any
    new: Any

    @property
    def label(self) -> str:
        """The column's name in the language of the moment."""
        return str(BY_NAME[self.column].label)

    @property
    def before(self) -> str:
        """What is entered, in words."""
        return said(self.column, self.old)

    @property
    def after(self) -> str:
        """What it would be, in words."""
        return said(self.column, self.new)


@dataclass(frozen=True)
class Change:
    """A row that says another thing than what is entered; `entrant` as it was read, its revision with it."""

    entrant: Entrant
    row: EntrantRow
    cells: tuple[CellChange, ...]

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns that differ."""
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
class Held:
    """Why parts of entries stay: ids of entrants whose seat is confirmed, and who have games on a locked sheet."""

    seated: frozenset[int]
    results: frozenset[int]


def held_of(event: Event) -> Held:
    """Two queries, whatever the number of entrants."""
    return Held(entrants_query.seated_for_certain(event), entrants_query.with_locked_games(event))


def said(column: str, value: Any) -> str:
    """A value as people read it, in the language of the moment."""
    if isinstance(value, bool):
        return gettext("given") if value else gettext("not given")
    if isinstance(value, date):
        return value.isoformat()
    words: Mapping[str, Any] = {"language": Language, "family_role": FamilyRole}
    return str(words[column](value).label) if column in words and value else str(value or "")


def value_in(row: EntrantRow, column: str) -> Any:
    """What the row says in a column, as `exports.entrants_file.value_of` tells what is entered."""
    value = getattr(row, column)
    if column == "session":
        return value.code if value else ""
    return (value or "") if column == "family_role" else value


def same(column: str, old: Any, new: Any) -> bool:
    """Family codes are the same whatever their case and width; everything else is the same when it is equal."""
    return bool(fold(old) == fold(new)) if column == "family" else bool(old == new)


def change_of(row: EntrantRow, entrant: Entrant) -> Change:
    """What the row would change, in the order of the columns. A column that the file lacks says what is entered.

    A cell that could not be read changes nothing: its fault stops the row.
    """
    unread = {fault.place.column for fault in row.faults}
    cells = []
    for column in BY_NAME:
        old = value_of(entrant, column)
        if column not in row.cells:
            complete(row, column, entrant)
        elif column != "number" and column not in unread and not same(column, old, value_in(row, column)):
            cells.append(CellChange(column, old, value_in(row, column)))
    return Change(entrant, row, tuple(cells))


def complete(row: EntrantRow, column: str, entrant: Entrant) -> None:
    """What the file does not say stands as it is entered."""
    if column == "number":
        row.number = entrant.number
    elif column == "family_role":
        row.family_role = FamilyRole(entrant.family_role) if entrant.family_role else None
    elif column != "session":
        setattr(row, column, value_of(entrant, column))


def is_somebody_else(change: Change) -> bool:
    """Another date of birth and no name in common: the number of one person with the data of another."""
    if "birth_date" not in change.columns:
        return False
    pairs = zip(change.entrant.person.name_key.split("|"), change.row.name_key.split("|"), strict=False)
    return not any(old == new and old for old, new in pairs)


def digest_of(changes: Iterable[Change]) -> str:
    """SHA-256 over every change as it was shown, revisions included: what somebody has agreed to."""
    shown = [
        [change.entrant.number, change.entrant.revision, [[c.column, str(c.old), str(c.new)] for c in change.cells]]
        for change in changes
    ]
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def families_of(event: Event, rows: Iterable[EntrantRow]) -> dict[str, Family]:
    """The families that the rows name, by folded code; those that exist are joined."""
    found = {fold(family.code): family for family in Family.objects.filter(event=event)}
    codes = {row.family_key: row.family for row in rows if row.family}
    missing = [Family(event=event, code=code) for key, code in codes.items() if key not in found]
    return {**found, **{fold(family.code): family for family in Family.objects.bulk_create(missing)}}


def apply(
    event: Event,
    changes: Sequence[Change],
    sessions: Mapping[int, Session],
    *,
    by: AbstractUser | None,
    reason: str = "",
    request_key: str = "",
) -> None:
    """Write the changes inside the caller's transaction; each from the revision that was read, else nothing at all.

    1. who leaves a family leaves first, so that a role is free when another takes it; 2. the entry by compare-and-swap
    (412 where somebody changed it meanwhile), the person; 3. an audit entry each: which fields, and never a name.
    """
    families = families_of(event, [change.row for change in changes])
    leaving = [change.entrant.pk for change in changes if change.columns & {"family", "family_role"}]
    Entrant.objects.filter(pk__in=leaving).update(family=None, family_role="")
    for change in changes:
        swap(change, families, sessions)
        fields = ", ".join(cell.column for cell in change.cells)
        before = change.entrant.revision
        audit.record(
            event,
            by,
            "change_entrant",
            f"entrant {change.entrant}",
            revision=(before, before + 1),
            reason=f"{fields}: {reason}"[:500] if reason else fields,
            request_key=request_key,
        )


def swap(change: Change, families: Mapping[str, Family], sessions: Mapping[int, Session]) -> None:
    """One entry and its person, from the revision that was read."""
    row, entrant = change.row, change.entrant
    values: dict[str, Any] = {"revision": F("revision") + 1}
    if change.columns & {"family", "family_role"}:
        values |= {"family": families.get(row.family_key), "family_role": row.family_role or ""}
    if "session" in change.columns and row.session:
        values["session"] = sessions[row.session.number]
    if "fee" in change.columns:
        values["fee"] = row.fee
    if not Entrant.objects.filter(pk=entrant.pk, revision=entrant.revision).update(**values):
        raise changed_meanwhile(entrant)
    person = {column: getattr(row, column) for column in change.columns - ENTRY_FIELDS}
    if person:
        person["name_key"] = name_key(row.name_zh, row.name_en)
        Person.objects.filter(pk=entrant.person_id).update(**person)


def accept_age(entrant: Entrant, reason: str, actor: AbstractUser | None, decided_by: int) -> None:
    """A boundary birthday that an organiser accepted: a ruling, and its audit entry (R1, R46)."""
    Ruling.objects.create(entrant=entrant, kind="age_accepted", reason=reason, by_id=decided_by, at=timezone.now())
    audit.record(entrant.event, actor, "accept_age", f"entrant {entrant}", reason=reason)


def changed_meanwhile(entrant: Entrant) -> StaleVersion:
    """Somebody else was first."""
    return StaleVersion(
        "entrant_changed",
        _("Nothing was changed: somebody changed entrant %(number)s meanwhile. Look at it as it stands, then repeat."),
        number=str(entrant),
    )


@dataclass(frozen=True, slots=True)
class Labels:
    """Column names that are put into words only when a sentence is read."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        return ("、" if chinese() else ", ").join(str(BY_NAME[column].label) for column in self.columns)


def fixed(change: Change, held: Held) -> list[tuple[str, str, dict[str, Any]]]:
    """What may not change any more: code, column and facts of each, in the order of the rules."""
    entrant, number = change.entrant, str(change.entrant)
    found: list[tuple[str, str, dict[str, Any]]] = []
    bound = tuple(column for column in HELD_BY_RESULT if column in change.columns)
    if bound and entrant.pk in held.results:
        return [("result_locked", bound[0], {"number": number, "columns": Labels(bound)})]
    if not change.moves:
        return found
    facts = {"number": number, "session": entrant.session.code}
    if entrant.session.state in PLAYED:
        found.append(("session_played", "session", facts))
    elif entrant.status != EntrantStatus.OK:
        found.append(("absent_keeps_session", "session", {**facts, "status": Status(entrant.status)}))
    elif entrant.pk in held.seated:
        found.append(("seat_confirmed", "session", facts))
    return found


@dataclass(frozen=True, slots=True)
class Status:
    """A status that is put into words only when a sentence is read."""

    status: str

    def __str__(self) -> str:
        return str(EntrantStatus(self.status).label)
