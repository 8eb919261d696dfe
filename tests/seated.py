"""Entrants for the tests of seats and printed sheets: plain rows, made in one go."""

from collections.abc import Mapping
from datetime import date

from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Family, Person

Names = Mapping[int, str]


def enter(
    session: Session,
    count: int,
    *,
    first: int = 1,
    families: Names | None = None,
    schools: Names | None = None,
    names: Names | None = None,
) -> list[Entrant]:
    """So many entrants of the session, numbered on from `first`; families, schools and Chinese names by number."""
    numbers = range(first, first + count)
    people = Person.objects.bulk_create(
        Person(
            name_zh=(names or {}).get(number, f"陳大文{number}"),
            name_en=f"CHAN Tai Man {number}",
            name_key=f"chan {number}",
            birth_date=date(1990, 1, 1),
            school=(schools or {}).get(number, ""),
        )
        for number in numbers
    )
    event = session.stage.event
    codes = {code: Family.objects.get_or_create(event=event, code=code)[0] for code in (families or {}).values()}
    roles: dict[str, str] = {}
    entrants = []
    for number, person in zip(numbers, people, strict=True):
        code = (families or {}).get(number)
        role = ""
        if code:
            role = "child" if code in roles else "parent"
            roles[code] = role
        entrants.append(
            Entrant(
                event=event,
                number=number,
                person=person,
                session=session,
                family=codes.get(code) if code else None,
                family_role=role,
            )
        )
    return Entrant.objects.bulk_create(entrants)


def seats(session: Session) -> dict[str, int]:
    """Who sits where: `{"1A": number, ...}`."""
    rows = session.tables.values_list("number", "seats__letter", "seats__entrant__number")
    return {f"{table}{letter}": number for table, letter, number in rows}
