"""What can only be seen across rows, sessions and entrants already there. Each check adds its faults to the rows.

Order of the rules: the person (R1, consent), numbers and persons twice, entrants already there (R2) and what of them
may change, families (R40), places (R2). Rows that an organiser left out are not handed in.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import product
from typing import Any

from scoring.eligibility import (
    MINIMUM_AGE,
    age_on,
    family_pair_problems,
    judge_minimum_age,
    needs_guardian_consent,
)
from tournament.core.enums import EntrantStatus, FamilyRole, LifeStage
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.names import fold_name
from tournament.entrants.models.people import Entrant
from tournament.entrants.readers.columns import HeadRow
from tournament.entrants.readers.entrants import ImportedRow
from tournament.entrants.readers.faults import FAULT_DECIDE, FAULT_ERROR, ImportFault
from tournament.entrants.readers.namesakes import NamesakeIndex
from tournament.registration.services.importing_changes import (
    PLAYED_LIFE_STAGES,
    EntrantChange,
    FixedEntries,
    LazyColumnLabels,
    change_of,
    find_fixed_entries,
    fixed_cell_faults,
    is_other_person,
)
from tournament.registration.services.importing_names import check_names
from tournament.sheets.queries.session_life import SessionLife, session_lives_of

OLDEST_AGE = 120
CLOSED_LIFE_STAGES = (*PLAYED_LIFE_STAGES, LifeStage.HELD, LifeStage.BROKEN_OFF, LifeStage.VOID)


@dataclass
class EnteredIndex:
    """What is there already, by the keys that rows are compared with; `claimed`: rows that speak of somebody there."""

    event: Event
    heads: HeadRow
    sessions: Mapping[int, Session]
    entrants: Sequence[Entrant]
    by_number: dict[int, Entrant] = field(default_factory=dict)
    people: NamesakeIndex[Entrant] = field(default_factory=NamesakeIndex)
    claimed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for entrant in self.entrants:
            self.by_number[entrant.number] = entrant
            person = entrant.person
            self.people.add(person.name_key, person.birth_date, entrant, person.phone)

    @cached_property
    def lives(self) -> Mapping[int, SessionLife]:
        """Where each session stands, by its key."""
        return session_lives_of(self.sessions.values())

    @cached_property
    def held(self) -> FixedEntries:
        """What holds entries fast; asked only where a row changes somebody."""
        return find_fixed_entries(self.event, self.lives)

    @property
    def bound(self) -> frozenset[str]:
        """The folded codes of families of whom a locked sheet has somebody."""
        there = (each.family for each in self.entrants if each.family and each.pk in self.held.behind)
        return frozenset(fold_name(family.code) for family in there)

    def note(self, row: ImportedRow, code: str, column: str, weight: Any = FAULT_ERROR, **facts: Any) -> None:
        """Add a fault at one cell of a row."""
        row.faults.append(
            ImportFault(code, row.row, self.heads.place(column), row.cells.get(column, ""), weight, facts)
        )


def check_person(row: ImportedRow, standing: EnteredIndex) -> None:
    """Age on the entrant's own session day (R1); the guardian's consent for minors."""
    if row.birth_date is None or row.session is None:
        return
    day = row.session.day
    age = age_on(row.birth_date, day)
    if row.birth_date > day:
        standing.note(row, "birth_date_ahead", "birth_date")
        return
    if age > OLDEST_AGE:
        standing.note(row, "birth_date_too_old", "birth_date", years=age)
        return
    entry = judge_minimum_age(row.birth_date, day)
    if entry == "no":
        standing.note(row, "too_young", "birth_date", age=age, least=MINIMUM_AGE, day=day.isoformat())
    elif entry == "organiser_decides":
        standing.note(row, "birthday_on_the_day", "birth_date", FAULT_DECIDE, age=MINIMUM_AGE)
    if entry != "no":
        check_consent(row, standing)


def check_consent(row: ImportedRow, standing: EnteredIndex) -> None:
    """A minor needs the guardian's consent."""
    if row.birth_date is None or row.session is None or row.consent_guardian or is_cell_faulty(row, "consent_guardian"):
        return
    if needs_guardian_consent(row.birth_date, row.session.day):
        standing.note(row, "guardian_consent_missing", "consent_guardian")


def is_cell_faulty(row: ImportedRow, column: str) -> bool:
    """Whether the cell already has a fault: no second one follows from it."""
    return any(fault.place.column == column for fault in row.faults)


def check_session(row: ImportedRow, standing: EnteredIndex) -> None:
    """Nobody is entered for a session that has begun."""
    if row.session and standing.lives[standing.sessions[row.session.number].pk].stage in CLOSED_LIFE_STAGES:
        standing.note(row, "session_under_way", "session", session=row.session.code)


def check_duplicate_rows(rows: Sequence[ImportedRow], standing: EnteredIndex) -> None:
    """The same number or the same person (folded name and date of birth) in two rows of the file; or perhaps the same,
    by telephone."""
    numbers: dict[int, int] = {}
    people: NamesakeIndex[ImportedRow] = NamesakeIndex()
    for row in rows:
        if row.number is not None:
            first = numbers.setdefault(row.number, row.row)
            if first != row.row:
                standing.note(row, "number_twice", "number", other=first)
        if row.birth_date is None or not row.name_en:
            continue
        other = people.find(row.name_key, row.birth_date)
        if other is not None:
            standing.note(row, "person_twice", "name_zh" if row.name_zh else "name_en", FAULT_DECIDE, other=other.row)
        elif (alike := people.alike(row.name_key, row.birth_date, row.phone)) is not None:
            standing.note(row, "person_alike", "phone", FAULT_DECIDE, other=alike.row)
        people.add(row.name_key, row.birth_date, row, row.phone)


def check_entered(row: ImportedRow, standing: EnteredIndex) -> EntrantChange | None:
    """What the row says of somebody who is there: a change, without cells where it repeats them. None: somebody new.

    The number says who it is; without one, name and date of birth do. The same person under another number is put to an
    organiser, since one entry a person is a reading (R2).
    """
    there = standing.by_number.get(row.number) if row.number is not None else None
    person = standing.people.find(row.name_key, row.birth_date) if row.birth_date and row.name_en else None
    known = there or (person if row.number is None else None)
    if known is None:
        note_entered(row, person, standing)
        ask_about_similar_person(row, person, standing)
        return None
    standing.claimed.add(row.row)
    change = change_of(row, known)
    if there is None and change.cells:
        columns = LazyColumnLabels(tuple(cell.column for cell in change.cells))
        standing.note(row, "differs_from_entered", change.cells[0].column, number=str(person), columns=columns)
    elif is_other_person(change):
        standing.note(row, "number_of_another", "number", number=str(there), entered=there)
    else:
        note_entered(row, person if person is not there else None, standing)
        return change
    return None


def note_entered(row: ImportedRow, person: Entrant | None, standing: EnteredIndex) -> None:
    """Ask about a person who is entered under another number."""
    if person is not None and row.number is not None:
        standing.note(row, "person_entered", "number", FAULT_DECIDE, number=str(person), entered=person)


def ask_about_similar_person(row: ImportedRow, person: Entrant | None, standing: EnteredIndex) -> None:
    """Ask about somebody new who has name and telephone of one who is entered, but not the date of birth."""
    if person is None and row.birth_date is not None and row.name_en:
        alike = standing.people.alike(row.name_key, row.birth_date, row.phone)
        if alike is not None:
            standing.note(row, "person_alike_entered", "phone", FAULT_DECIDE, number=str(alike), entered=alike)


def check_change(change: EntrantChange, standing: EnteredIndex) -> None:
    """What may not change any more; age and session again where they are touched."""
    for code, column, facts in fixed_cell_faults(change, standing.held):
        standing.note(change.row, code, column, **facts)
    if change.about_age:
        check_person(change.row, standing)
    elif "consent_guardian" in change.columns:
        check_consent(change.row, standing)
    if change.moves:
        check_session(change.row, standing)
    check_names(change.row, standing.note, change.columns)


def check_families(rows: Sequence[ImportedRow], spoken: Mapping[int, EntrantChange], standing: EnteredIndex) -> None:
    """A family is one child and one parent, or more where the event has it, all of the right ages (R40); members may be
    in the file or entered before.

    `spoken` are the rows that speak for somebody entered: the row counts, not what it replaces.
    """
    entered: dict[str, list[Entrant]] = defaultdict(list)
    repeated = {change.entrant.pk for change in spoken.values()}
    for entrant in standing.entrants:
        if entrant.family and entrant.pk not in repeated:
            entered[fold_name(entrant.family.code)].append(entrant)
    families: dict[str, list[ImportedRow]] = defaultdict(list)
    for row in rows:
        if row.family and row.family_role:
            families[row.family_key].append(row)
        elif row.family and not is_cell_faulty(row, "family_role"):
            standing.note(row, "family_role_missing", "family_role")
        elif row.family_role and not is_cell_faulty(row, "family"):
            standing.note(row, "family_code_missing", "family")
    for key, members in families.items():
        check_family(members, entered.get(key, []), standing)
        check_results([row for row in members if row.row not in spoken], entered.get(key, []), standing)
    for change in spoken.values():
        code = change.entrant.family.code if change.entrant.family else ""
        if "family" in change.columns and not families.get(fold_name(code)):
            check_left(change, code, entered.get(fold_name(code), []), standing)


def check_results(rows: Sequence[ImportedRow], entered: Sequence[Entrant], standing: EnteredIndex) -> None:
    """Somebody new makes no pair with whom a signed sheet has, since that takes two people (importing_second.py)."""
    if rows and entered and any(each.pk in standing.held.behind for each in entered):
        for row in rows:
            standing.note(row, "family_after_results", "family", family=row.family)


def check_left(change: EntrantChange, code: str, left: Sequence[Entrant], standing: EnteredIndex) -> None:
    """Who leaves a family leaves a child and a parent in it, or nobody."""
    if not left or has_child_and_parent(left):
        return
    fault = "family_left_alone" if len(left) == 1 else "family_left_half"
    standing.note(change.row, fault, "family", family=code, other=", ".join(map(str, left)))


def has_child_and_parent(entrants: Iterable[Entrant]) -> bool:
    """Whether a child and a parent are among these members of a family."""
    return {each.family_role for each in entrants} >= set(FamilyRole.values)


@dataclass(frozen=True, slots=True)
class FamilyCheckMember:
    """One of a family, wherever it was found: `row` where the file speaks of it."""

    role: str
    birth_date: date | None
    day: date | None
    row: ImportedRow | None = None


def check_family(rows: Sequence[ImportedRow], entered: Iterable[Entrant], standing: EnteredIndex) -> None:
    """One family: how many, which roles, and of each child and parent the ages."""
    members = [
        FamilyCheckMember(str(row.family_role), row.birth_date, row.session.day if row.session else None, row)
        for row in rows
    ]
    members += [
        FamilyCheckMember(each.family_role, each.person.birth_date, each.session.original_date) for each in entered
    ]
    code = wrong_members(members, several=standing.event.several_pairs)
    if code:
        column = "family_role" if code in ("family_same_roles", "family_one_role") else "family"
        for row in rows:
            standing.note(row, code, column, family=row.family, count=len(members))
        return
    by_role = {role: [member for member in members if member.role == role] for role in FamilyRole.values}
    for child, parent in product(by_role[FamilyRole.CHILD], by_role[FamilyRole.PARENT]):
        check_pair(child, parent, standing)


def wrong_members(members: Sequence[FamilyCheckMember], *, several: bool) -> str:
    """What is wrong with so many of these roles, empty for nothing; `several`: a person may be in several pairs."""
    if len(members) == 1:
        return "family_of_one"
    if len(members) > 2 and not several:
        return "family_of_many"
    if len({member.role for member in members}) < 2:
        return "family_same_roles" if len(members) == 2 else "family_one_role"
    return ""


def check_pair(child: FamilyCheckMember, parent: FamilyCheckMember, standing: EnteredIndex) -> None:
    """Both ages, told once at the row that they are about; nothing where no row speaks of either."""
    if child.birth_date is None or parent.birth_date is None or child.day is None:
        return
    for code in family_pair_problems(child.birth_date, parent.birth_date, child.day):
        of_child = code.startswith("child")
        row = (child.row or parent.row) if of_child else (parent.row or child.row)
        born = child.birth_date if of_child else parent.birth_date
        if row is not None and not any(fault.code == code for fault in row.faults):
            standing.note(row, code, "family", age=age_on(born, child.day))


def check_places(
    rows: Sequence[ImportedRow], moving: Mapping[int, EntrantChange], taken: Mapping[int, int], standing: EnteredIndex
) -> None:
    """Each session's capacity and the event's quota, first come first served in the order of the file (R2).

    `rows` are those that take a place; `moving` the changes among them, by row, that give another place back.
    """
    places = {number: taken.get(session.pk, 0) for number, session in standing.sessions.items()}
    overall = sum(taken.values())
    for change in moving.values():
        if change.entrant.status != EntrantStatus.WITHDRAWN:
            places[change.entrant.session.number] -= 1
            overall -= 1
    for row in rows:
        overall += 1
        if overall > standing.event.quota and row.row not in moving:
            standing.note(row, "quota_full", "session", quota=standing.event.quota, place=overall)
        if row.session is None:
            continue
        places[row.session.number] += 1
        session = standing.sessions[row.session.number]
        if places[row.session.number] > session.capacity:
            standing.note(
                row,
                "session_full",
                "session",
                session=session.code,
                capacity=session.capacity,
                place=places[row.session.number],
            )
