"""Two typings of one paper compared by what they mean: `11.5` and `11 1/2` agree, `-12` and `-21` do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from scoring.entry import fold_typed_text, is_blank_cell, read_typed_points, read_whole_number
from scoring.ruleset import Ruleset
from scoring.sheet import SheetCheck
from scoring.turns import split_words
from tournament.sheets.domain.fields import TURN_CELL, fields_of_typed_sheet, typed_sheet_from_fields
from tournament.sheets.domain.scoresheets import check_typed_sheet
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Seat

TypedSheetEntry = Mapping[str, Any]

POINTS_CELL_NAME, COUNT_CELL_NAMES = "points", ("win", "wins", "tiles", "face_value")


class DoubleEntryStatus(Enum):
    """How far the second typing of a sheet has come."""

    NOT_ASKED = "not_asked"
    WANTED = "wanted"
    DIFFERS = "differs"
    SETTLED = "settled"


@dataclass(frozen=True)
class DoubleEntryComparison:
    """The stand, and by field name every cell on which the two differ and nobody has decided yet."""

    stand: DoubleEntryStatus
    cells: tuple[str, ...] = ()


def compare_double_entry(
    ruleset: Ruleset, sheet: Scoresheet, second: DoubleEntry | None, seats: Sequence[Seat], asked: bool
) -> DoubleEntryComparison:
    """Where the second typing of a sheet stands. One that was typed in the other form is to be typed anew."""
    if not asked or sheet.version > 1:
        return DoubleEntryComparison(DoubleEntryStatus.NOT_ASKED)
    if second is None or not second.done or second.form != sheet.form:
        return DoubleEntryComparison(DoubleEntryStatus.WANTED)
    if second.adjudicated_digest and second.adjudicated_digest == sheet.digest:
        return DoubleEntryComparison(DoubleEntryStatus.SETTLED)
    cells = differing_cell_names(ruleset, sheet.form, sheet.typed, second.typed, seats)
    return DoubleEntryComparison(DoubleEntryStatus.DIFFERS if cells else DoubleEntryStatus.SETTLED, cells)


def differing_cell_names(
    ruleset: Ruleset, form: str, first: TypedSheetEntry, second: TypedSheetEntry, seats: Sequence[Seat]
) -> tuple[str, ...]:
    """The names of the cells that mean something else, in the order of the sheet."""
    checks = check_typed_sheet(ruleset, form, first, seats), check_typed_sheet(ruleset, form, second, seats)
    one, other = fields_of_typed_sheet(first), fields_of_typed_sheet(second)
    names = [*one, *(name for name in other if name not in one)]
    cells = [name for name in names if not name.startswith("heading-")]
    return tuple(name for name in cells if not means_same_value(name, one.get(name, ""), other.get(name, ""), checks))


def means_same_value(name: str, one: str, other: str, checks: tuple[SheetCheck, SheetCheck]) -> bool:
    """Whether two texts of one cell mean the same."""
    if fold_typed_text(one) == fold_typed_text(other) or (is_blank_cell(one) and is_blank_cell(other)):
        return True
    cell = name.rsplit("-", 1)[1]
    if TURN_CELL.fullmatch(cell):
        return sorted(split_words(one.upper())) == sorted(split_words(other.upper()))
    if cell in COUNT_CELL_NAMES:
        first, second = read_whole_number(one), read_whole_number(other)
        return first is not None and first == second
    if cell == POINTS_CELL_NAME and name.startswith("totals-"):
        return bool(set(read_typed_points(one).candidates) & set(read_typed_points(other).candidates))
    if cell == POINTS_CELL_NAME:
        return means_same_points(name, checks)
    return (
        cell == "rack"
        and fold_typed_text(one).upper().replace(",", " ").split()
        == fold_typed_text(other).upper().replace(",", " ").split()
    )


def means_same_points(name: str, checks: tuple[SheetCheck, SheetCheck]) -> bool:
    """Whether the rules read the same points from both typings of a game's cell."""
    _games, place, letter, _cell = name.split("-")
    seats = [check.games[int(place)].seats.get(letter) for check in checks if int(place) < len(check.games)]
    points = [seat.points for seat in seats if seat is not None and seat.points is not None]
    return len(points) == len(checks) and points[0] == points[1]


def merge_adjudicated_cells(first: TypedSheetEntry, choices: Mapping[str, str]) -> dict[str, Any]:
    """The first typing with the cells as a third look has decided them."""
    return typed_sheet_from_fields({**fields_of_typed_sheet(first), **choices}, len(first["games"]))
