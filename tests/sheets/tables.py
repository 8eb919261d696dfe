"""A table with people at it, and sheets as their paper has them: what the tests of sheets begin with."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.recorded import recorded
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.tables.models import Draw, Seat, Table

# 總結: A 0 +8 1/6 8, B 1 −41 1/2 15, C 1 −10 1/3 5, D 2 +43 2/3 5. The games of mock-up 05 with its two faults mended.
GAMES = (
    ("rummikub", "0 -14 3", "0 -21 5", "0 -9 2", "1 +44 0"),
    ("pool", "0 11.5 3", "1 11 1/2 1", "0 -12 2", "0 -11 4"),
    ("time", "0 10.67 2", "0 -32 9", "1 10 2/3 1", "1 10.67 1"),
)
TOTALS = ("0 8.17 8", "1 -41.5 15", "1 -10.33 5", "2 43.67 5")


def settle(
    session: Session, by: User, sizes: Sequence[int] = (4,), confirmed: bool = True, first: int = 301
) -> list[Table]:
    """Tables of these sizes with made-up entrants, numbered from `first`, in a session whose draw is confirmed."""
    with recorded(session.stage.event):
        return seat(session, by, sizes, confirmed, first)


def seat(session: Session, by: User, sizes: Sequence[int], confirmed: bool, first: int) -> list[Table]:
    """The rows: a draw, tables, seats, and who sits there."""
    now = timezone.now()
    Draw.objects.create(
        session=session,
        seed=1,
        drawn_by=by,
        drawn_at=now,
        confirmed_by=by if confirmed else None,
        confirmed_at=now if confirmed else None,
    )
    event, number = session.stage.event, first - 1
    tables = []
    for place, size in enumerate(sizes, start=1):
        table = Table.objects.create(session=session, number=place)
        for letter in "ABCD"[:size]:
            number += 1
            name = f"CHAN Tai {chr(64 + number % 26 + 1)}"
            person = Person.objects.create(
                name_zh="陳大文", name_en=name, name_key=name.lower(), birth_date=date(2015, 5, 5)
            )
            entrant = Entrant.objects.create(event=event, number=number, person=person, session=session)
            Seat.objects.create(table=table, session=session, letter=letter, entrant=entrant)
        tables.append(table)
    return tables


def cells(text: str) -> dict[str, str]:
    """`0 10 2/3 1` is win 0, points `10 2/3`, tiles 1."""
    win, *points, tiles = text.split(" ")
    return {"win": win, "points": " ".join(points), "tiles": tiles}


def paper(
    games: Sequence[Sequence[str]] = GAMES, totals: Sequence[str] = TOTALS, letters: str = "ABCD"
) -> dict[str, Any]:
    """A sheet as typed in the paper's form."""
    typed = empty_typed_sheet(len(games))
    for row, (ended_by, *seats) in zip(typed["games"], games, strict=True):
        row["ended_by"] = ended_by
        for letter, text in zip(letters, seats, strict=False):
            row["seats"][letter].update(cells(text))
    for letter, text in zip(letters, totals, strict=False):
        found = cells(text)
        typed["totals"][letter] = {"wins": found["win"], "points": found["points"], "tiles": found["tiles"]}
    return typed


def changed(typed: Mapping[str, Any], game: int, letter: str, **values: Any) -> dict[str, Any]:
    """The same sheet with one seat's cells of one game (1-based) changed."""
    copy = deepcopy(dict(typed))
    copy["games"][game - 1]["seats"][letter].update(values)
    return copy


def record_status(table: Table, letter: str, status: EntrantStatus) -> None:
    """What the desk has recorded of the entrant at a seat."""
    seat = table.seats.select_related("entrant").get(letter=letter)
    seat.entrant.status = status
    seat.entrant.save(update_fields=["status"])
