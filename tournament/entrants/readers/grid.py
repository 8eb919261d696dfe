"""A file as rows of text, whatever it was: the shape that workbook and CSV readers give."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.core.cells import QUOTED_FORMULA_PATTERN
from tournament.core.readers import MAX_FILE_CELL
from tournament.entrants.readers.characters import storable_text
from tournament.entrants.readers.columns import recognise_column

ROWS_ABOVE_HEADS = 10


@dataclass(frozen=True, slots=True)
class FileGrid:
    """`heads` are the column names as typed, in row `head_row`; `rows` below it [(row number in the file, cells), ...],
    blank rows left out, every row as long as the heads. `encoding` of a CSV, `sheet_name` of a workbook, else ""."""

    kind: str
    encoding: str
    sheet_name: str
    head_row: int
    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def kept_cell_text(text: str) -> str:
    """A cell as it is kept: trimmed, holding nothing that a database cannot, and no longer than anything sensible."""
    return unquote_cell(storable_text(text).strip()[:MAX_FILE_CELL])


def unquote_cell(text: str) -> str:
    """Without the one quote that a list gets before = + - @ (also full width) when it leaves; every other one stays."""
    return text[1:] if QUOTED_FORMULA_PATTERN.match(text) else text


def find_heads(rows: Sequence[Sequence[str]]) -> int:
    """The position of the row of column names: the first of ten in which three are known, else the first with any text.

    Lists often begin with a title. -1: nothing at all.
    """
    first = -1
    for position, row in enumerate(rows[:ROWS_ABOVE_HEADS]):
        if sum(1 for cell in row if recognise_column(cell)) >= 3:
            return position
        if first < 0 and any(cell.strip() for cell in row):
            first = position
    return first


def make_grid(kind: str, rows: Sequence[Sequence[str]], encoding: str = "", sheet_name: str = "") -> FileGrid:
    """The grid of all rows of a file, the first being row 1."""
    texts = [[kept_cell_text(cell) for cell in row] for row in rows]
    at = find_heads(texts)
    if at < 0:
        return FileGrid(kind, encoding, sheet_name, 1, (), ())
    below = [(number, row) for number, row in enumerate(texts[at + 1 :], start=at + 2) if any(row)]
    width = max((used_row_width(row) for row in [texts[at], *(row for _, row in below)]), default=0)
    return FileGrid(
        kind,
        encoding,
        sheet_name,
        at + 1,
        tuple(pad_row(texts[at], width)),
        tuple((number, tuple(pad_row(row, width))) for number, row in below),
    )


def used_row_width(row: Sequence[str]) -> int:
    """How many cells up to the last that holds text."""
    return max((position for position, cell in enumerate(row, start=1) if cell), default=0)


def pad_row(row: Sequence[str], width: int) -> list[str]:
    """The row at this width."""
    return [*row[:width], *[""] * (width - len(row))]
