"""Locked sheets made from rows: entrants, tables and results, as many as a test of the ranking needs, in a few
inserts."""

import hashlib
import random
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from tournament.core.enums import EntrantStatus, GameEnd, SheetState
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.scoresheets.models import Correction
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.tables.models import Draw, Seat, Table

SURNAMES = "陳李張黃何林吳鄭梁蔡"
GIVEN = "大小文心衞峯明怡晴朗"


class Result(NamedTuple):
    """One entrant's part of one game: points in whole twelfths."""

    win: int
    twelfths: int
    tiles: int


def add_entrants(session: Session, numbers: Iterable[int], status: str = EntrantStatus.OK) -> list[Entrant]:
    """Entrants of a session under these numbers, with names that tell the number."""
    numbers = list(numbers)
    people = Person.objects.bulk_create(
        Person(
            name_zh=f"{SURNAMES[number % 10]}{GIVEN[number // 10 % 10]}{GIVEN[number % 7]}",
            name_en=f"CHAN Tai{number} Man",
            name_key=f"{number}",
            birth_date=date(2014, 1, 1),
            phone="+85291234567",
            email=f"parent{number}@example.org",
        )
        for number in numbers
    )
    return Entrant.objects.bulk_create(
        Entrant(event_id=session.stage.event_id, number=number, person=person, session=session, status=status)
        for number, person in zip(numbers, people, strict=True)
    )


def draw(session: Session, tables: Sequence[Sequence[Entrant]], by: User) -> list[Table]:
    """Tables 1, 2, 3 ... of a session with these entrants at seats A, B, C, D, confirmed."""
    Draw.objects.create(
        session=session, seed=1, drawn_by=by, drawn_at=timezone.now(), confirmed_by=by, confirmed_at=timezone.now()
    )
    made = Table.objects.bulk_create(Table(session=session, number=number) for number in range(1, len(tables) + 1))
    Seat.objects.bulk_create(
        Seat(table=table, session=session, letter=letter, entrant=entrant)
        for table, entrants in zip(made, tables, strict=True)
        for letter, entrant in zip("ABCD", entrants, strict=False)
    )
    return made


def type_sheets(
    tables: Sequence[Table],
    results: Sequence[Sequence[Sequence[Result]]],
    by: User,
    *,
    version: int = 1,
    left: Collection[tuple[int, str, int]] = (),
    not_played: Collection[tuple[int, int]] = (),
    shuffle: random.Random | None = None,
) -> list[Scoresheet]:
    """One sheet for each table that waits for its second person, with every signature recorded.

    `results`: a table's games, a game's seats in order. `left`: table, letter and game of who leaves; `not_played`:
    table and game. `shuffle` puts the lines in another order into the database.
    """
    sheets = Scoresheet.objects.bulk_create(
        Scoresheet(
            table=table,
            version=version,
            state=SheetState.READY,
            digest=hashlib.sha256(f"{table.session.code} {table.number} {version} {games}".encode()).hexdigest(),
            typed_by=by,
        )
        for table, games in zip(tables, results, strict=True)
    )
    games = Game.objects.bulk_create(
        Game(
            scoresheet=sheet,
            number=number,
            ended_by=GameEnd.NOT_PLAYED if (sheet.table.number, number) in not_played else GameEnd.RUMMIKUB,
        )
        for sheet, played in zip(sheets, results, strict=True)
        for number in range(1, len(played) + 1)
    )
    seats: dict[int, list[Seat]] = {table.pk: [] for table in tables}
    for seat in Seat.objects.filter(table__in=tables).order_by("table", "letter"):
        seats[seat.table_id].append(seat)
    lines = [
        Line(
            game=game,
            letter=seat.letter,
            entrant_id=seat.entrant_id,
            win=result.win,
            points_twelfths=result.twelfths,
            tiles=result.tiles,
            left=(game.scoresheet.table.number, seat.letter, game.number) in left,
        )
        for game, seat_results in zip(games, (game for played in results for game in played), strict=True)
        for seat, result in zip(seats[game.scoresheet.table_id], seat_results, strict=True)
    ]
    if shuffle:
        shuffle.shuffle(lines)
    Line.objects.bulk_create(lines)
    Signature.objects.bulk_create(
        Signature(
            scoresheet=sheet,
            entrant_id=seat.entrant_id,
            letter=seat.letter,
            present=True,
            digest=sheet.digest,
            recorded_by=by,
            recorded_at=timezone.now(),
        )
        for sheet in sheets
        for seat in seats[sheet.table_id]
    )
    return sheets


def lock_sheets(
    tables: Sequence[Table],
    results: Sequence[Sequence[Sequence[Result]]],
    by: User,
    *,
    stamped: bool = True,
    **given: Any,
) -> list[Scoresheet]:
    """The same, certified and counted; stamped unless told. A second version takes the place of the first."""
    sheets = type_sheets(tables, results, by, **given)
    agree(sheets, by)
    Scoresheet.objects.filter(pk__in=[sheet.pk for sheet in sheets]).update(
        state=SheetState.CERTIFIED, locked_by=by, locked_at=timezone.now()
    )
    counted = set(OfficialSheet.objects.filter(table__in=tables).values_list("table_id", flat=True))
    for sheet in sheets:
        if sheet.table_id in counted:
            OfficialSheet.objects.filter(table=sheet.table).update(scoresheet=sheet)
    OfficialSheet.objects.bulk_create(
        OfficialSheet(table_id=sheet.table_id, scoresheet=sheet) for sheet in sheets if sheet.table_id not in counted
    )
    if stamped:
        stamp(sheets, by)
    return sheets


def agree(sheets: Iterable[Scoresheet], by: User) -> None:
    """What two accounts have agreed to of every later version, without which the database does not let it lock."""
    now = timezone.now()
    for sheet in sheets:
        if sheet.version > 1:
            other, _made = User.objects.get_or_create(username="the other of the two")
            Correction.objects.create(
                scoresheet=sheet,
                supersedes=OfficialSheet.objects.get(table=sheet.table).scoresheet,
                reason="the paper says otherwise",
                begun_by=by,
                begun_at=now,
                proposed_by=by,
                proposed_at=now,
                proposed_digest=sheet.digest,
                approved_by=other,
                approved_at=now,
            )


def stamp(sheets: Iterable[Scoresheet], by: User) -> None:
    Stamp.objects.bulk_create(Stamp(scoresheet=sheet, by=by, at=timezone.now()) for sheet in sheets)


def invented_games(chance: random.Random, seats: int) -> list[list[Result]]:
    """Three games that sum to zero: one goes out, the others pay; now and then two share."""
    games = []
    for _game in range(3):
        racks = [chance.randrange(1, 120) for _seat in range(seats)]
        winners = chance.sample(range(seats), 2 if chance.random() < 0.1 else 1)
        pot = 12 * sum(rack for seat, rack in enumerate(racks) if seat not in winners)
        games.append(
            [
                Result(1, pot // len(winners), 0)
                if seat in winners
                else Result(0, -12 * racks[seat], racks[seat] // 9 + 1)
                for seat in range(seats)
            ]
        )
    return games


def play_event(sessions: Sequence[Session], by: User, *, tables: int = 25, seats: int = 4, seed: int = 1) -> None:
    """Every session drawn, played, certified and stamped: numbers run on from 1."""
    chance, number = random.Random(seed), 1
    for session in sessions:
        entrants = add_entrants(session, range(number, number + tables * seats))
        number += tables * seats
        drawn = draw(session, [entrants[seats * k : seats * k + seats] for k in range(tables)], by)
        lock_sheets(drawn, [invented_games(chance, seats) for _table in drawn], by)


# Three games of one table: A wins two, the third is shared by A and B. Points 72 1/2, 2 1/2, −30, −45.
ONE_WINS = [Result(1, 360, 0), Result(0, -60, 1), Result(0, -120, 2), Result(0, -180, 3)]
TWO_SHARE = [Result(1, 150, 5), Result(1, 150, 5), Result(0, -120, 7), Result(0, -180, 9)]
GAMES = [ONE_WINS, ONE_WINS, TWO_SHARE]


def mirrored_tables(
    session: Session, by: User, *, advance: int = 3, stamped: bool = True, **given: Any
) -> list[Scoresheet]:
    """Two tables of one session with the same results, entrants 1 to 8: every rank is shared by two, 1=, 3=, 5=, 7=.

    With three to advance, the line runs through rank 3: 0002 and 0006 are tied for one place.
    """
    session.stage.advance = advance
    session.stage.save(update_fields=["advance"])
    entrants = add_entrants(session, range(1, 9))
    tables = draw(session, [entrants[:4], entrants[4:]], by)
    return lock_sheets(tables, [GAMES, GAMES], by, stamped=stamped, **given)
