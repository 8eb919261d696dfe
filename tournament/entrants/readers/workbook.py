"""A workbook (.xlsx) to rows of text. Limits are judged before openpyxl opens it; nothing in it is ever run."""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

from openpyxl import load_workbook
from openpyxl.styles.numbers import BUILTIN_FORMATS
from openpyxl.workbook import Workbook

from tournament.core.errors import Refused
from tournament.core.readers import MAX_FILE_COLUMNS, MAX_FILE_ROWS, cells_outside_table, check_zip, workbook_unreadable
from tournament.entrants.readers.columns import recognise_column
from tournament.entrants.readers.grid import ROWS_ABOVE_HEADS, FileGrid, make_grid

# Formats of dates that Excel writes by number alone where it speaks Chinese, Japanese or Korean (31: yyyy年m月d日); the
# library knows no text for them and would give the day's number.
EAST_ASIAN_DATES = (*range(27, 37), *range(50, 59))
BUILTIN_FORMATS.update(dict.fromkeys(EAST_ASIAN_DATES, "yyyy-mm-dd"))

FILLED_CELL_PATTERN = re.compile(rb"<(?:\w+:)?c\b[^>]*?\br=[\"']([A-Z]{1,3})([0-9]{1,7})[\"'][^>]*?(?<!/)>")


def read_workbook(content: bytes) -> FileGrid:
    """The rows of the sheet that holds the list. Raises `TooLarge`, `WrongType`, `BadInput`; never anything else."""
    check_zip(content)
    try:
        return read_opened_workbook(content)
    except Refused:
        raise
    except Exception as error:
        # A damaged workbook makes the library fail in a dozen ways, all of which are the file's fault.
        raise workbook_unreadable() from error


def read_opened_workbook(content: bytes) -> FileGrid:
    """Formulas are read as what the spreadsheet showed last; one that was never worked out stays its own text (F7)."""
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
    try:
        name = sheet_of_entrants(book)
        cells = rows_of_worksheet(book, name)
        part = vars(book[name])["_worksheet_path"]  # the library tells a sheet's part in no other way
    finally:
        book.close()
    refuse_far_cells(content, part, cells)
    if any(is_formula(value) for row in cells for value in row):
        cells = replace_formulas_by_values(content, name, cells)
    return make_grid("xlsx", [[workbook_cell_text(value) for value in row] for row in cells], sheet_name=name)


def sheet_of_entrants(book: Workbook) -> str:
    """The first sheet whose first rows hold column names that are known, else the first sheet."""
    names = [sheet.title for sheet in book.worksheets]
    if not names:
        raise workbook_unreadable()
    for name in names:
        top = book[name].iter_rows(max_row=ROWS_ABOVE_HEADS, max_col=MAX_FILE_COLUMNS, values_only=True)
        if any(sum(1 for value in row if isinstance(value, str) and recognise_column(value)) >= 3 for row in top):
            return name
    return names[0]


def rows_of_worksheet(book: Workbook, name: str) -> list[tuple[Any, ...]]:
    """The values of a sheet, one row and one column beyond the limits so that more is noticed."""
    return list(book[name].iter_rows(max_row=MAX_FILE_ROWS + 1, max_col=MAX_FILE_COLUMNS + 1, values_only=True))


def refuse_far_cells(content: bytes, part: str, cells: Sequence[Sequence[Any]]) -> None:
    """Refuse what lies beyond the table: it would be left out in silence (F2)."""
    if any(value is not None for row in cells[MAX_FILE_ROWS:] for value in row):
        raise cells_outside_table()
    if any(value is not None for row in cells for value in row[MAX_FILE_COLUMNS:]):
        raise cells_outside_table()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if any(is_cell_beyond_limits(found) for found in FILLED_CELL_PATTERN.finditer(archive.read(part.lstrip("/")))):
            raise cells_outside_table()


def is_cell_beyond_limits(found: re.Match[bytes]) -> bool:
    """Whether a cell's address lies beyond the rows or columns that are read."""
    column = 0
    for letter in found[1]:
        column = column * 26 + letter - 64
    return column > MAX_FILE_COLUMNS or int(found[2]) > MAX_FILE_ROWS


def is_formula(value: Any) -> bool:
    """A formula's text, or the object that stands for an array formula."""
    return (isinstance(value, str) and value.startswith("=")) or hasattr(value, "ref")


def replace_formulas_by_values(content: bytes, name: str, cells: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The same cells with each formula replaced by the value it last had, where the file holds one."""
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        worked_out = rows_of_worksheet(book, name)
    finally:
        book.close()
    return [tuple(merge_formula_values(row, values)) for row, values in zip(cells, worked_out, strict=True)]


def merge_formula_values(row: Sequence[Any], values: Sequence[Any]) -> Iterator[Any]:
    """Formula cells take their value; text that merely begins with = is its own value in both."""
    for cell, value in zip(row, values, strict=True):
        if not is_formula(cell) or value is None:
            yield getattr(cell, "text", cell) if hasattr(cell, "ref") else cell
        else:
            yield value


def workbook_cell_text(value: Any) -> str:
    """A cell as text: dates as 2016-02-28, whole numbers without a point, other numbers as they are (F9)."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
