"""What a row would change of somebody who is entered, cell by cell; what may not change any more; the change itself.

The import and the page of one entrant share it: there is one way to change an entry. A locked result, a seat that is
confirmed and a session that is played hold fast (R41). Behind a locked sheet names, birth date, session, family and
guardian change by two people (importing_second.py); contact data and consents may change at any time.
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

from tournament.enums import EntrantStatus, FamilyRole, Language, LifeStage
from tournament.errors import Refused, StaleVersion
from tournament.exports.entrants_file import value_of
from tournament.models import Entrant, Event, Family, Person, Proposal, Ruling, Session
from tournament.moments import chinese
from tournament.names import fold, name_key
from tournament.queries import entrants as entrants_query
from tournament.queries.people import BY_TWO
from tournament.queries.session_life import Life
from tournament.readers.columns import BY_NAME
from tournament.readers.entrants import CONSENTS, EntrantRow
from tournament.readers.faults import MEND
from tournament.readers.namesakes import share_a_name
from tournament.services import audit, public_pages
from tournament.services import importing_second as second
from tournament.services.people_digest import digests_of, former_names

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
HELD_BY_RESULT = ("session",)
# Left while people play there, or after; a void session is left for another, since it is played anew.
PLAYED = frozenset({LifeStage.BEGUN, LifeStage.STAMPED, LifeStage.RELEASED})


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
    """A row that says another thing than what is entered; `entrant` as it was read, its revision with it. `seat`: the
    confirmed seat that is given up with a change of the session, `5C`."""

    entrant: Entrant
    row: EntrantRow
    cells: tuple[CellChange, ...]
    seat: str = ""

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
    """Why parts of entries stay: ids of entrants whose seat is confirmed, who have games on a locked sheet that counts
    (`results`), whom any locked sheet names (`behind`); of sessions that are played or have been."""

    seated: frozenset[int]
    results: frozenset[int]
    behind: frozenset[int]
    played: frozenset[int]


def held_of(event: Event, lives: Mapping[int, Life]) -> Held:
    """Two queries, whatever the number of entrants."""
    played = frozenset(key for key, life in lives.items() if life.stage in PLAYED)
    return Held(entrants_query.seated_for_certain(event), *entrants_query.on_locked_sheets(event), played)


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
    unread = {fault.place.column for fault in row.faults if fault.weight == MEND}
    if row.birth_date is None:
        unread.add("birth_date")
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
    return not share_a_name(change.entrant.person.name_key, change.row.name_key)


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
        reason = BY_TWO.sub("", reason)  # nobody alone writes that two have done it
    results = entrants_query.behind_locked_sheets(event)
    bound = frozenset(map(fold, Family.objects.filter(members__in=results).values_list("code", flat=True)))
    parts = second.parted(changes, *((frozenset(), frozenset()) if agreed else (results, bound)))
    second.require_reason(parts, results, reason)
    write(event, parts.now, sessions, by=by, reason=reason, request_key=request_key)
    propose = second.propose_or_hold if hold else second.propose
    return [propose(event, group, by=by, reason=reason) for group in parts.later]


def write(
    event: Event,
    changes: Sequence[Change],
    sessions: Mapping[int, Session],
    *,
    by: AbstractUser | None,
    reason: str,
    request_key: str,
) -> None:
    """1. the entry by compare-and-swap (412 where somebody changed it meanwhile), the person; 2. an audit entry each:
    which fields, the keyed digests of before and after, and never a name."""
    families = families_of(event, [change.row for change in changes if change.columns & second.FAMILY])
    before = digests_of(change.entrant for change in changes)
    for change in changes:
        swap(change, families, sessions)
    changed = Entrant.objects.filter(pk__in=[change.entrant.pk for change in changes])
    after = digests_of(changed.select_related("person", "session", "family"))
    for change in changes:
        fields, number = ", ".join(cell.column for cell in change.cells), str(change.entrant)
        revision = change.entrant.revision
        audit.record(
            event,
            by,
            "change_entrant",
            f"entrant {number}",
            revision=(revision, revision + 1),
            digest=(before[number], after[number]),
            reason=f"{fields}: {reason}"[:500] if reason else fields,
            request_key=request_key,
        )
    if any("consent_name" in change.columns for change in changes):
        public_pages.write_masks_on_commit(event)


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
        if "consent_name" in change.columns and not row.consent_name:
            person["consent_name_ended_at"] = timezone.now()
        if change.columns & {"name_zh", "name_en"}:
            person["former_names"] = former_names(entrant, person["name_key"])
        Person.objects.filter(pk=entrant.person_id).update(**person)


def accept_age(entrant: Entrant, reason: str, actor: AbstractUser | None, decided_by: int) -> None:
    """A boundary birthday that an organiser accepted: a ruling, and its audit entry (R1, R46)."""
    Ruling.objects.create(entrant=entrant, kind="age_accepted", reason=reason, by_id=decided_by, at=timezone.now())
    audit.record(entrant.event, actor, "accept_age", f"entrant {entrant}", reason=reason)


def refuse_erased(entrant: Entrant) -> None:
    """Who was erased is not entered again by a list or a page that was open before."""
    if entrant.person.erased_at is not None:
        raise Refused(
            "entrant_erased",
            _("The personal data of entrant %(number)s was erased: nothing of this entry can be changed any more."),
            number=str(entrant),
        )


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
    if entrant.session_id in held.played:
        found.append(("session_played", "session", facts))
    elif entrant.status != EntrantStatus.OK:
        found.append(("absent_keeps_session", "session", {**facts, "status": Status(entrant.status)}))
    elif entrant.pk in held.seated and not change.seat:
        found.append(("seat_confirmed", "session", facts))
    return found


@dataclass(frozen=True, slots=True)
class Status:
    """A status that is put into words only when a sentence is read."""

    status: str

    def __str__(self) -> str:
        return str(EntrantStatus(self.status).label)
