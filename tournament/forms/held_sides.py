"""What a tablet holds beside what the sheet has: game by game, seat by seat, the cells that differ marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from scoring.ruleset import Ruleset
from scoring.sheet import ReadSeat
from tournament.bridge import scoresheets as bridge
from tournament.bridge.scoresheets_fields import seat_fields
from tournament.enums import GameEnd, SheetForm
from tournament.forms.sheet_grid import Head, heads_of
from tournament.forms.sheet_sentences import CELLS
from tournament.models import Seat

# What stands large in a cell, where it could be read.
SAID_LARGE = frozenset({"win", "points", "tiles"})
SAYS = {"unopened": "ice not broken"}
MARKED, YES_NO = "on", {"yes": "yes", "no": "no"}

Typed = Mapping[str, Any]


@dataclass(frozen=True)
class SideCell:
    """One seat of one game: as the rules read it, and what was typed beside that."""

    read: ReadSeat | None
    typed: Sequence[str]
    differs: bool


@dataclass(frozen=True)
class SideGame:
    """One game of one side."""

    number: int
    ended: str
    starter: str
    ended_differs: bool
    cells: Sequence[SideCell]


@dataclass(frozen=True)
class Side:
    """One side: its columns and its games; how many of its cells differ from the other's."""

    heads: Sequence[Head]
    games: Sequence[SideGame]

    @property
    def differing(self) -> int:
        """Cells and endings."""
        return sum(game.ended_differs + sum(cell.differs for cell in game.cells) for game in self.games)


@dataclass(frozen=True)
class Told:
    """Values with the form in which they were typed, and what the rules read in them."""

    form: str
    typed: Typed
    ruleset: Ruleset
    seats: Sequence[Seat]

    def read(self) -> Any:
        """Every game as the rules read it."""
        return bridge.judge(self.ruleset, self.form, self.typed, self.seats).games

    def game(self, place: int) -> Typed:
        """One game as typed; one that is not there is empty."""
        games = self.typed.get("games", [])
        return games[place] if place < len(games) else {}


def sides(ruleset: Ruleset, seats: Sequence[Seat], tablet: Typed, sheet: Typed, form: str) -> tuple[Side, Side]:
    """The tablet's values and the sheet's, which were typed in this form."""
    one, other = Told(SheetForm.RACK, tablet, ruleset, seats), Told(form, sheet, ruleset, seats)
    count = max(len(tablet.get("games", [])), len(sheet.get("games", [])))
    return side(one, other, count), side(other, one, count)


def side(own: Told, other: Told, count: int) -> Side:
    """One of them, held against the other."""
    heads, mine, theirs = heads_of(own.seats), own.read(), other.read()
    games = []
    for place in range(count):
        here, there = own.game(place), other.game(place)
        cells = [
            cell_of(head, place, (own, mine), (other, theirs)) if head.types else SideCell(None, (), False)
            for head in heads
        ]
        ended, starter = here.get("ended_by", ""), here.get("starter", "")
        differs = (ended, starter) != (there.get("ended_by", ""), there.get("starter", ""))
        games.append(SideGame(place + 1, ended_word(ended), starter, differs, cells))
    return Side(heads, games)


def ended_word(ended: str) -> str:
    """How a game ended; what is none as it was typed."""
    return str(GameEnd(ended).label) if ended in GameEnd.values else ended


def cell_of(head: Head, place: int, own: tuple[Told, Any], other: tuple[Told, Any]) -> SideCell:
    """One seat's. Typed in the same form the texts are compared, else what they come to."""
    (told, mine), (others, theirs) = own, other
    fields = fields_of(told, place, head.letter)
    read, against = read_of(mine, place, head.letter), read_of(theirs, place, head.letter)
    if told.form == others.form:
        differs = fields != fields_of(others, place, head.letter)
    else:
        differs = result_of(read) != result_of(against)
    return SideCell(read, words_of(fields, read), differs)


def fields_of(told: Told, place: int, letter: str) -> Mapping[str, str]:
    """One seat's texts by name."""
    return seat_fields(told.game(place).get("seats", {}).get(letter, {}))


def read_of(games: Any, place: int, letter: str) -> ReadSeat | None:
    """One seat's reading, where there is one."""
    return games[place].seats.get(letter) if place < len(games) else None


def result_of(read: ReadSeat | None) -> tuple[Any, ...]:
    """What a seat's game counts."""
    return (read.win, read.points, read.tiles, read.left) if read else ()


def words_of(fields: Mapping[str, str], read: ReadSeat | None) -> list[str]:
    """`rack value 14`, `ice not broken`: every text as typed, but figures that were read and stand large."""
    found = []
    for name, value in fields.items():
        if not value or (name in SAID_LARGE and getattr(read, name, None) is not None):
            continue
        label = gettext(SAYS.get(name, CELLS.get(name, name)))
        found.append(label if value == MARKED else f"{label} {gettext(YES_NO.get(value, value))}")
    return found
