"""What can only be seen across rows, sessions and entrants already there. Each check adds its faults to the rows.

Order of the rules: the person (R1, consent), numbers and persons twice, entrants already there (R2), families (R40),
places (R2). Rows that an organiser left out are not handed in.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from scoring.eligibility import MINIMUM_AGE, age_on, may_enter, pair_problems
from tournament.enums import FamilyRole, SessionState
from tournament.models import Entrant, Session
from tournament.moments import chinese
from tournament.readers.columns import BY_NAME, HeadRow
from tournament.readers.entrants import EntrantRow
from tournament.readers.faults import DECIDE, MEND, Fault
from tournament.readers.names import People, fold

ADULT = 18
OLDEST = 120
NO_LONGER = (
    SessionState.PLAYING,
    SessionState.ENTERING,
    SessionState.CHECKING,
    SessionState.CLOSED,
    SessionState.VOID,
)


@dataclass(slots=True)
class Standing:
    """What is there already, by the keys that rows are compared with; `claimed`: rows that speak of somebody there."""

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
    if entry != "no" and age < ADULT and not row.consent_guardian and not unread(row, "consent_guardian"):
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


def check_entered(row: EntrantRow, standing: Standing) -> Entrant | None:
    """The entrant that this row repeats without a change; else None, with a fault where number or person is taken."""
    there = standing.by_number.get(row.number) if row.number is not None else None
    if there is None and row.birth_date is not None:
        there = standing.people.find(row.name_key, row.birth_date)
    if there is None:
        return None
    standing.claimed.add(row.row)
    if row.number is not None and row.number != there.number:
        standing.note(row, "person_entered", "number", number=str(there))
        return None
    different = [column for column in row.cells if column != "number" and differs(column, row, there)]
    if not different:
        return there
    if not any(unread(row, column) for column in different):
        labels = Labels(tuple(different))
        standing.note(row, "differs_from_entered", different[0], number=str(there), columns=labels)
    return None


@dataclass(frozen=True, slots=True)
class Labels:
    """Column names that are put into words only when a sentence is read."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        return ("、" if chinese() else ", ").join(str(BY_NAME[column].label) for column in self.columns)


def differs(column: str, row: EntrantRow, there: Entrant) -> bool:
    """Whether the row says another thing in this column than what is entered."""
    if column == "session":
        return row.session is None or row.session.number != there.session.number
    if column == "family":
        return row.family_key != fold(there.family.code if there.family else "")
    if column == "family_role":
        return (row.family_role or "") != there.family_role
    if column == "fee":
        return row.fee != there.fee
    return getattr(row, column) != getattr(there.person, column)


def check_families(rows: Sequence[EntrantRow], unchanged: Mapping[int, Entrant], standing: Standing) -> None:
    """A family is one child and one parent, of the right ages (R40); members may be in the file or entered before."""
    entered: dict[str, list[Entrant]] = defaultdict(list)
    repeated = {entrant.pk for entrant in unchanged.values()}
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


def check_places(rows: Sequence[EntrantRow], taken: Mapping[int, int], quota: int, standing: Standing) -> None:
    """Each session's capacity and the event's quota, first come first served in the order of the file (R2)."""
    places = {number: taken.get(session.pk, 0) for number, session in standing.sessions.items()}
    overall = sum(taken.values())
    for row in rows:
        overall += 1
        if overall > quota:
            standing.note(row, "quota_full", "session", quota=quota, place=overall)
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
