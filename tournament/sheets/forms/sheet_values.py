"""The stored values of a sheet as rows, for reading: what a second person compares with the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.entry import fold_typed_text
from tournament.core.numberformat import MINUS_SIGN, format_points
from tournament.sheets.domain.fields import turn_lines
from tournament.sheets.forms.sheet_grid import SeatColumn, seat_columns
from tournament.sheets.models.scoresheet import Game, Line, Turn
from tournament.tables.models import Seat


@dataclass(frozen=True)
class ValueSeat:
    """One seat of one game as stored; `typed` are the texts of the paper where they say it in another way."""

    head: SeatColumn
    line: Line | None
    typed: str = ""


@dataclass(frozen=True)
class ValueTurns:
    """One line of turns as stored: each seat's turn, None where a tile was drawn."""

    number: int
    turns: Sequence[tuple[SeatColumn, Turn | None]]


@dataclass(frozen=True)
class ValueGame:
    """One game as stored, with its seats; the lines of turns where the sheet counts turns."""

    game: Game
    seats: Sequence[ValueSeat]
    turns: Sequence[ValueTurns] = ()


@dataclass(frozen=True)
class ValueTotal:
    """One seat's sums, points in twelfths, and the text of the paper's 總結 where it says the points differently."""

    head: SeatColumn
    wins: int
    points_twelfths: int
    tiles: int
    typed: str = ""


@dataclass(frozen=True)
class SheetValues:
    """What a second person compares with the paper."""

    heads: Sequence[SeatColumn]
    games: Sequence[ValueGame]
    totals: Sequence[ValueTotal]
    counts_turns: bool = False


def sheet_values_to_compare(seats: Sequence[Seat], games: Sequence[Game], typed: Mapping[str, Any]) -> SheetValues:
    """The stored values of a sheet in the order of the paper; `games` with their lines at hand."""
    heads = seat_columns(seats)
    rows = []
    lines: dict[str, list[Line]] = {head.letter: [] for head in heads}
    for game, texts in zip(games, typed["games"], strict=False):
        here = {line.letter: line for line in game.lines.all()}
        for letter, line in here.items():
            lines[letter].append(line)
        cells = texts["seats"]
        seated = [build_value_seat(head, here.get(head.letter), cells) for head in heads]
        rows.append(ValueGame(game, seated, build_value_turns(seated)))
    totals = [build_value_total(head, lines[head.letter], typed["totals"]) for head in heads]
    return SheetValues(heads, rows, totals, any(map(turn_lines, typed["games"])))


def build_value_turns(seats: Sequence[ValueSeat]) -> list[ValueTurns]:
    """The lines of turns up to the last word; none where the sheet counts games."""
    laid = {(turn.number, seat.head.letter): turn for seat in seats if seat.line for turn in seat.line.turns.all()}
    return [
        ValueTurns(number, [(seat.head, laid.get((number, seat.head.letter))) for seat in seats])
        for number in range(1, max((number for number, _letter in laid), default=0) + 1)
    ]


def build_value_seat(head: SeatColumn, line: Line | None, cells: Mapping[str, Any]) -> ValueSeat:
    """One seat's values; the paper's text beside the points where it is not the same figure at sight."""
    text = cells.get(head.letter, {}).get("points", "") if line else ""
    return ValueSeat(head, line, text if line and reads_unlike_points(text, line.points_twelfths) else "")


def build_value_total(head: SeatColumn, lines: Sequence[Line], totals: Mapping[str, Any]) -> ValueTotal:
    points = sum(line.points_twelfths for line in lines)
    text = totals.get(head.letter, {}).get("points", "")
    wins, tiles = sum(line.win for line in lines), sum(line.tiles for line in lines)
    return ValueTotal(head, wins, points, tiles, text if reads_unlike_points(text, points) else "")


def reads_unlike_points(text: str, twelfths: int) -> bool:
    """Whether a text of points looks different from the figure it was read as."""
    plain = fold_typed_text(text).removeprefix("+")
    return bool(plain) and plain != format_points(twelfths).replace(MINUS_SIGN, "-").removeprefix("+")
