"""What a tablet holds beside what the sheet has: game by game, seat by seat, the cells that differ marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from scoring.ruleset import Ruleset
from scoring.sheet import ReadSeat
from tournament.core.enums import SheetForm
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.fields import seat_fields
from tournament.sheets.forms.sheet_grid import SeatColumn, seat_columns
from tournament.sheets.forms.sheet_place import CELL_WORDS
from tournament.sheets.forms.sheet_sentences import ending_words, ruling_words
from tournament.tables.models import Seat

# What stands large in a cell, where it could be read.
LARGE_FIGURE_CELLS = frozenset({"win", "points", "tiles"})
FLAG_PHRASES = {"unopened": "ice not broken"}
FLAG_MARKED, FLAG_YES_NO = "on", {"yes": "yes", "no": "no"}

TypedSideValues = Mapping[str, Any]


@dataclass(frozen=True)
class SideCell:
    """One seat of one game: as the rules read it, and what was typed beside that."""

    read: ReadSeat | None
    typed: Sequence[str]
    differs: bool


@dataclass(frozen=True)
class SideGame:
    """One game of one side; how it ended and the ruling on it in words, or as typed where there is no such."""

    number: int
    ended: str
    starter: str
    ruling: str
    ended_differs: bool
    cells: Sequence[SideCell]


@dataclass(frozen=True)
class ComparedSide:
    """One side: its columns and its games; how many of its cells differ from the other's."""

    heads: Sequence[SeatColumn]
    games: Sequence[SideGame]

    @property
    def differing(self) -> int:
        """How many cells and endings differ."""
        return sum(game.ended_differs + sum(cell.differs for cell in game.cells) for game in self.games)


@dataclass(frozen=True)
class ReadSideValues:
    """Values with the form in which they were typed, and what the rules read in them."""

    form: str
    typed: TypedSideValues
    ruleset: Ruleset
    seats: Sequence[Seat]

    def read(self) -> Any:
        """Every game as the rules read it."""
        return bridge.check_typed_sheet(self.ruleset, self.form, self.typed, self.seats).games

    def game(self, place: int) -> TypedSideValues:
        """One game as typed; one that is not there is empty."""
        games = self.typed.get("games", [])
        return games[place] if place < len(games) else {}


def compare_sides(
    ruleset: Ruleset, seats: Sequence[Seat], tablet: TypedSideValues, sheet: TypedSideValues, form: str
) -> tuple[ComparedSide, ComparedSide]:
    """The tablet's values and the sheet's, which were typed in this form."""
    one, other = ReadSideValues(SheetForm.RACK, tablet, ruleset, seats), ReadSideValues(form, sheet, ruleset, seats)
    count = max(len(tablet.get("games", [])), len(sheet.get("games", [])))
    return compared_side(one, other, count), compared_side(other, one, count)


def compared_side(own: ReadSideValues, other: ReadSideValues, count: int) -> ComparedSide:
    """One of them, held against the other."""
    heads, mine, theirs = seat_columns(own.seats), own.read(), other.read()
    games = []
    for place in range(count):
        here, there = own.game(place), other.game(place)
        cells = [
            compared_cell(head, place, (own, mine), (other, theirs)) if head.types else SideCell(None, (), False)
            for head in heads
        ]
        ended, starter = here.get("ended_by", ""), here.get("starter", "")
        differs = any(here.get(name, "") != there.get(name, "") for name in bridge.GAME_HEAD_WORDS)
        ruling = ruling_words(here.get("ruling", ""))
        games.append(SideGame(place + 1, ending_words(ended), starter, ruling, differs, cells))
    return ComparedSide(heads, games)


def compared_cell(
    head: SeatColumn, place: int, own: tuple[ReadSideValues, Any], other: tuple[ReadSideValues, Any]
) -> SideCell:
    """One seat's. Typed in the same form the texts are compared, else what they come to."""
    (told, mine), (others, theirs) = own, other
    fields = seat_texts_by_name(told, place, head.letter)
    read, against = seat_reading_of(mine, place, head.letter), seat_reading_of(theirs, place, head.letter)
    if told.form == others.form:
        differs = fields != seat_texts_by_name(others, place, head.letter)
    else:
        differs = seat_result_of(read) != seat_result_of(against)
    return SideCell(read, side_cell_words(fields, read), differs)


def seat_texts_by_name(told: ReadSideValues, place: int, letter: str) -> Mapping[str, str]:
    """One seat's texts by name."""
    return seat_fields(told.game(place).get("seats", {}).get(letter, {}))


def seat_reading_of(games: Any, place: int, letter: str) -> ReadSeat | None:
    """One seat's reading, where there is one."""
    return games[place].seats.get(letter) if place < len(games) else None


def seat_result_of(read: ReadSeat | None) -> tuple[Any, ...]:
    """What a seat's game counts."""
    return (read.win, read.points, read.tiles, read.left) if read else ()


def side_cell_words(fields: Mapping[str, str], read: ReadSeat | None) -> list[str]:
    """`rack value 14`, `ice not broken`: every text as typed, but figures that were read and stand large."""
    found = []
    for name, value in fields.items():
        if not value or (name in LARGE_FIGURE_CELLS and getattr(read, name, None) is not None):
            continue
        label = gettext(FLAG_PHRASES.get(name, CELL_WORDS.get(name, name)))
        found.append(label if value == FLAG_MARKED else f"{label} {gettext(FLAG_YES_NO.get(value, value))}")
    return found
