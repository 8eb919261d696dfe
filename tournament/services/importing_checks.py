"""What can only be seen across rows, sessions and entrants already there. Each check adds its faults to the rows.

Order of the rules: the person (R1, consent), numbers and persons twice, entrants already there (R2) and what of them
may change, families (R40), places (R2). Rows that an organiser left out are not handed in.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from scoring.eligibility import MINIMUM_AGE, age_on, may_enter, pair_problems
from tournament.enums import EntrantStatus, FamilyRole, SessionState
from tournament.models import Entrant, Event, Session
from tournament.readers.columns import HeadRow
from tournament.readers.entrants import EntrantRow
from tournament.readers.faults import DECIDE, MEND, Fault
from tournament.readers.names import People, fold
from tournament.services.importing_changes import Change, Held, Labels, change_of, fixed, held_of, is_somebody_else

ADULT = 18
OLDEST = 120
NO_LONGER = (
    SessionState.PLAYING,
    SessionState.ENTERING,
    SessionState.CHECKING,
    SessionState.CLOSED,
    SessionState.SUSPENDED,
    SessionState.VOID,
)


@dataclass
class Standing:
    """What is there already, by the keys that rows are compared with; `claimed`: rows that speak of somebody there."""

    event: Event
    heads: HeadRow
    sessions: Mapping[int, Session]
    entrants: Sequence[Entrant]
    by_number: dict[int, Entrant] = field(default_factory=dict)
    people: People[Entrant] = field(default_factory=People)
    claimed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for entrant in self.entrants:
            self.by_number[entrant.number] = entrant
            self.people.add(entrant.person.name_key, entrant.person.birth_date, entrant)

    @cached_property
    def held(self) -> Held:
        """What holds entries fast; asked only where a row changes somebody."""
        return held_of(self.event)

    def note(self, row: EntrantRow, code: str, column: str, weight: Any = MEND, **facts: Any) -> None:
        """Add a fault at one cell of a row."""
        row.faults.append(Fault(code, row.row, self.heads.place(column), row.cells.get(column, ""), weight, facts))


def check_person(row: EntrantRow, standing: Standing) -> None:
    """Age on the entrant's own session day (R1); the guardian's consent for minors."""
    if row.birth_date is None or row.session is None:
        return
    day = row.session.day
    age = age_on(row.birth_date, day)
    if row.birth_date > day:
        standing.note(row, "birth_date_ahead", "birth_date")
        return
    if age > OLDEST:
        standing.note(row, "birth_date_too_old", "birth_date", years=age)
        return
    entry = may_enter(row.birth_date, day)
    if entry == "no":
        standing.note(row, "too_young", "birth_date", age=age, least=MINIMUM_AGE, day=day.isoformat())
    elif entry == "organiser_decides":
        standing.note(row, "birthday_on_the_day", "birth_date", DECIDE, age=MINIMUM_AGE)
    if entry != "no":
        check_consent(row, standing)


def check_consent(row: EntrantRow, standing: Standing) -> None:
    """A minor needs the guardian's consent."""
    if row.birth_date is None or row.session is None or row.consent_guardian or unread(row, "consent_guardian"):
        return
    if age_on(row.birth_date, row.session.day) < ADULT:
        standing.note(row, "guardian_consent_missing", "consent_guardian")


def unread(row: EntrantRow, column: str) -> bool:
    """Whether the cell already has a fault: no second one follows from it."""
    return any(fault.place.column == column for fault in row.faults)


def check_session(row: EntrantRow, standing: Standing) -> None:
    """Nobody is entered for a session that has begun."""
    if row.session and standing.sessions[row.session.number].state in NO_LONGER:
        standing.note(row, "session_under_way", "session", session=row.session.code)


def check_twice(rows: Sequence[EntrantRow], standing: Standing) -> None:
    """The same number or the same person (folded name and date of birth) in two rows of the file."""
    numbers: dict[int, int] = {}
    people: People[EntrantRow] = People()
    for row in rows:
        if row.number is not None:
            first = numbers.setdefault(row.number, row.row)
            if first != row.row:
                standing.note(row, "number_twice", "number", other=first)
        if row.birth_date is None or not row.name_en:
            continue
        other = people.find(row.name_key, row.birth_date)
        if other is not None:
            standing.note(row, "person_twice", "name_zh" if row.name_zh else "name_en", DECIDE, other=other.row)
        people.add(row.name_key, row.birth_date, row)


def check_entered(row: EntrantRow, standing: Standing) -> Change | None:
    """What the row says of somebody who is there: a change, without cells where it repeats them. None: somebody new.

    The number says who it is; without one, name and date of birth do. The same person under another number is put to an
    organiser, since one entry a person is a reading (R2).
    """
    there = standing.by_number.get(row.number) if row.number is not None else None
    person = standing.people.find(row.name_key, row.birth_date) if row.birth_date and row.name_en else None
    if there is None and (person is None or row.number is not None):
        note_entered(row, person, standing)
        return None
    standing.claimed.add(row.row)
    change = change_of(row, there or person)
    if there is None and change.cells:
        columns = Labels(tuple(cell.column for cell in change.cells))
        standing.note(row, "differs_from_entered", change.cells[0].column, number=str(person), columns=columns)
    elif is_somebody_else(change):
        standing.note(row, "number_of_another", "number", number=str(there), entered=there)
    else:
        note_entered(row, person if person is not there else None, standing)
        return change
    return None


def note_entered(row: EntrantRow, person: Entrant | None, standing: Standing) -> None:
    """Ask about a person who is entered under another number."""
    if person is not None and row.number is not None:
        standing.note(row, "person_entered", "number", DECIDE, number=str(person), entered=person)


def check_change(change: Change, standing: Standing) -> None:
    """What may not change any more; age and session again where they are touched."""
    for code, column, facts in fixed(change, standing.held):
        standing.note(change.row, code, column, **facts)
    if change.about_age:
        check_person(change.row, standing)
    elif "consent_guardian" in change.columns:
        check_consent(change.row, standing)
    if change.moves:
        check_session(change.row, standing)


def check_families(rows: Sequence[EntrantRow], spoken: Mapping[int, Change], standing: Standing) -> None:
    """A family is one child and one parent, of the right ages (R40); members may be in the file or entered before.

    `spoken` are the rows that speak for somebody entered: the row counts, not what it replaces.
    """
    entered: dict[str, list[Entrant]] = defaultdict(list)
    repeated = {change.entrant.pk for change in spoken.values()}
    for entrant in standing.entrants:
        if entrant.family and entrant.pk not in repeated:
            entered[fold(entrant.family.code)].append(entrant)
    families: dict[str, list[EntrantRow]] = defaultdict(list)
    for row in rows:
        if row.family and row.family_role:
            families[row.family_key].append(row)
        elif row.family and not unread(row, "family_role"):
            standing.note(row, "family_role_missing", "family_role")
        elif row.family_role and not unread(row, "family"):
            standing.note(row, "family_code_missing", "family")
    for key, members in families.items():
        check_family(members, entered.get(key, []), standing)
    for change in spoken.values():
        code = change.entrant.family.code if change.entrant.family else ""
        left = entered.get(fold(code), [])
        if "family" in change.columns and len(left) == 1 and not families.get(fold(code)):
            standing.note(change.row, "family_left_alone", "family", family=code, other=str(left[0]))


@dataclass(frozen=True, slots=True)
class Member:
    """One of a pair, wherever it was found."""

    role: str
    birth_date: date | None
    day: date | None


def check_family(rows: Sequence[EntrantRow], entered: Iterable[Entrant], standing: Standing) -> None:
    """One family: how many, which roles, which ages."""
    members = [Member(str(row.family_role), row.birth_date, row.session.day if row.session else None) for row in rows]
    members += [Member(each.family_role, each.person.birth_date, each.session.original_date) for each in entered]
    roles = {member.role: member for member in members}
    if len(members) != 2 or len(roles) != 2:
        code = {1: "family_of_one", 2: "family_same_roles"}.get(len(members), "family_of_many")
        for row in rows:
            standing.note(
                row,
                code,
                "family" if code != "family_same_roles" else "family_role",
                family=row.family,
                count=len(members),
            )
        return
    child, parent = roles[FamilyRole.CHILD], roles[FamilyRole.PARENT]
    if child.birth_date is None or parent.birth_date is None or child.day is None:
        return
    for code in pair_problems(child.birth_date, parent.birth_date, child.day):
        about = FamilyRole.CHILD if code.startswith("child") else FamilyRole.PARENT
        born = child.birth_date if about == FamilyRole.CHILD else parent.birth_date
        row = next((row for row in rows if row.family_role == about), rows[0])
        standing.note(row, code, "family", age=age_on(born, child.day))


def check_places(
    rows: Sequence[EntrantRow], moving: Mapping[int, Change], taken: Mapping[int, int], standing: Standing
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
