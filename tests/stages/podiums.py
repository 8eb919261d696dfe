"""A final of one round whose three tables ended alike, so that equals contest the podium and two families the award."""

from collections.abc import Iterable
from datetime import date

from django.contrib.auth.models import User

from tests.core.finals import add_final, freeze, preliminary_played, seat_round
from tests.sheets.sheets import Result, lock_sheets
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Family, Person

# Seats A to D end with 2, 1, 0, 0 wins and 21, 3, -6, -18 points, and 2, 8, 10, 21 tiles; every table the same.
SHEET = [
    [Result(1, 120, 0), Result(0, 0, 3), Result(0, -36, 4), Result(0, -84, 6)],
    [Result(1, 132, 0), Result(0, -24, 5), Result(0, -36, 4), Result(0, -72, 7)],
    [Result(0, 0, 2), Result(1, 60, 0), Result(0, 0, 2), Result(0, -60, 8)],
]
# They share rank 1.
LEADERS = ["0001", "0002", "0003"]
LEVEL_FAMILIES = {"F1": (1, 5), "F2": (2, 4)}


def level_final(session: Session, by: User, *, tables: int = 3) -> Stage:
    """0001 to 0003 lead level, then 0004 to 0006, 0007 to 0009, 0010 to 0012; the family F1 is ahead of F2.

    `tables`: of how many the sheet is in.
    """
    return play_level(add_final(preliminary_played(session, by).event), by, tables=tables)


def play_level(final: Stage, by: User, *, numbers: Iterable[int] | None = None, tables: int = 3) -> Stage:
    """Every table ends alike; `numbers`: who plays, everyone who is ranked in the preliminary if left out."""
    freeze(final, by, numbers)
    drawn = seat_round(final.sessions.get(), by)[:tables]
    lock_sheets(drawn, [SHEET] * tables, by)
    return final


def make_larger_family(event: Event, *, children: Iterable[int] = (5, 6, 8), parents: Iterable[int] = (1,)) -> None:
    """F1 is then all of these, each child with each parent a pair; F2 is nobody. 0005 and 0006 are level."""
    Event.objects.filter(pk=event.pk).update(several_pairs=True)
    Entrant.objects.filter(event=event, family__isnull=False).update(family=None, family_role="")
    family = Family.objects.get(event=event, code="F1")
    for role, numbers, year in (("child", children, 2014), ("parent", parents, 1980)):
        own = Entrant.objects.filter(event=event, number__in=numbers)
        own.update(family=family, family_role=role)
        Person.objects.filter(entrant__in=own).update(birth_date=date(year, 1, 1))


def make_families_level(event: Event) -> None:
    """F1 is then child 0001 and parent 0005, F2 child 0002 and parent 0004: level down the whole ladder."""
    Entrant.objects.filter(event=event, family__isnull=False).update(family=None, family_role="")
    for code, (child, parent) in LEVEL_FAMILIES.items():
        family = Family.objects.get(event=event, code=code)
        for number, role, year in ((child, "child", 2014), (parent, "parent", 1980)):
            own = Entrant.objects.filter(event=event, number=number)
            own.update(family=family, family_role=role)
            Person.objects.filter(entrant__in=own).update(birth_date=date(year, 1, 1))
