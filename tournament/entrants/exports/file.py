"""Everyone who is entered as a list that the import reads again: exported and imported, nothing changes.

The heads are those of the template. A text with a quote before = + - @ gets one quote more, since the
importer takes exactly one off again.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from openpyxl import Workbook

from tournament.core.cells import csv_file, is_quoted_formula, only_sheet, write_xlsx_rows, xlsx_file
from tournament.core.entrant_column_kinds import ColumnKind
from tournament.core.entrant_columns import COLUMN_BY_KEY, ENTRANT_COLUMNS
from tournament.core.enums import FamilyRole, Language
from tournament.entrants.exports.entrant_template import write_template_heads
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrant_values import value_of

ENTRANT_FILE_HEADS = tuple(column.head for column in ENTRANT_COLUMNS)
CHOICE_WORDS_OF_COLUMN: dict[ColumnKind, dict[str, str]] = {
    ColumnKind.LANGUAGE: {Language.CHINESE.value: "中文", Language.ENGLISH.value: "English"},
    ColumnKind.FAMILY_ROLE: {FamilyRole.CHILD.value: "子女", FamilyRole.PARENT.value: "家長"},
}


def importer_cell_text(key: str, value: Any) -> str:
    """A value of a column in the words that the importer reads."""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, date):
        return value.isoformat()
    return CHOICE_WORDS_OF_COLUMN.get(COLUMN_BY_KEY[key].kind, {}).get(value, value or "")


def entrant_file_row(entrant: Entrant) -> list[str]:
    """One entrant's cells in the order of the columns."""
    return [importer_cell_text(column.key, value_of(entrant, column.key)) for column in ENTRANT_COLUMNS]


def quote_workbook_cell(cell: str) -> str:
    """A workbook's text needs its quote only where the importer would take one that was typed."""
    return f"'{cell}" if is_quoted_formula(cell) else cell


def entrants_csv(entrants: Iterable[Entrant]) -> bytes:
    """UTF-8 with a byte order mark: what Excel opens with its Chinese whole."""
    return csv_file([ENTRANT_FILE_HEADS, *map(entrant_file_row, entrants)])


def entrants_xlsx(entrants: Iterable[Entrant], at: datetime) -> bytes:
    """A workbook whose cells are all text; the same bytes for the same entrants and moment."""
    book = Workbook()
    sheet = only_sheet(book, "總表")
    write_template_heads(sheet, list(ENTRANT_FILE_HEADS))
    write_xlsx_rows(
        sheet, ([quote_workbook_cell(cell) or None for cell in entrant_file_row(entrant)] for entrant in entrants)
    )
    return xlsx_file(book, at)
