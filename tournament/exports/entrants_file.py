"""Everyone who is entered as a list that the import reads again: exported and imported, nothing changes.

The heads are those of the template. A text with a quote before = + - @ gets one quote more, since the
importer takes exactly one off again.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from openpyxl import Workbook

from tournament.enums import FamilyRole, Language
from tournament.exports.cells import csv_file, is_quoted_formula, write_rows, xlsx_file
from tournament.exports.entrant_template import write_heads
from tournament.models import Entrant
from tournament.readers.columns import COLUMNS

HEADS = tuple(f"{column.heads[0]} {column.heads[1]}" for column in COLUMNS)
WORDS: dict[str, dict[str, str]] = {
    "language": {Language.CHINESE.value: "中文", Language.ENGLISH.value: "English"},
    "family_role": {FamilyRole.CHILD.value: "子女", FamilyRole.PARENT.value: "家長"},
}


def value_of(entrant: Entrant, column: str) -> Any:
    """What is entered in a column: a text, a date, yes or no, a session's code. Needs person, session and family."""
    if column == "number":
        return str(entrant)
    if column == "session":
        return entrant.session.code
    if column == "family":
        return entrant.family.code if entrant.family else ""
    return getattr(entrant if column in ("family_role", "fee") else entrant.person, column)


def written(column: str, value: Any) -> str:
    """A value in the words that the importer reads."""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, date):
        return value.isoformat()
    return WORDS.get(column, {}).get(value, value or "")


def row_of(entrant: Entrant) -> list[str]:
    """One entrant's cells in the order of the columns."""
    return [written(column.name, value_of(entrant, column.name)) for column in COLUMNS]


def quoted(cell: str) -> str:
    """A workbook's text needs its quote only where the importer would take one that was typed."""
    return f"'{cell}" if is_quoted_formula(cell) else cell


def entrants_csv(entrants: Iterable[Entrant]) -> bytes:
    """UTF-8 with a byte order mark: what Excel opens with its Chinese whole."""
    return csv_file([HEADS, *map(row_of, entrants)])


def entrants_xlsx(entrants: Iterable[Entrant], at: datetime) -> bytes:
    """A workbook whose cells are all text; the same bytes for the same entrants and moment."""
    book = Workbook()
    sheet = book.active
    sheet.title = "總表"
    write_heads(sheet, list(HEADS))
    write_rows(sheet, ([quoted(cell) or None for cell in row_of(entrant)] for entrant in entrants))
    return xlsx_file(book, at)
