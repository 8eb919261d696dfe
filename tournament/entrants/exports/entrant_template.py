"""The template of a list of entrants: both languages' heads, an example, and what each column takes."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from tournament.core.cells import only_sheet, write_xlsx_rows, xlsx_file
from tournament.core.entrant_columns import ENTRANT_COLUMNS
from tournament.entrants.readers.columns import spreadsheet_column_letters

TEMPLATE_COLUMN_WIDTH = 16


def entrant_template_xlsx(at: datetime) -> bytes:
    """The workbook: 總表 with the heads alone, 範例 with two rows, 說明 with a line a column; the same for one `at`."""
    book = Workbook()
    heads = [column.head for column in ENTRANT_COLUMNS]
    sheet = only_sheet(book, "總表")
    write_template_heads(sheet, heads)
    example = book.create_sheet("範例 Example")
    write_template_heads(example, heads)
    write_xlsx_rows(example, zip(*(column.examples for column in ENTRANT_COLUMNS), strict=True))
    write_template_notes(book.create_sheet("說明 Notes"))
    return xlsx_file(book, at)


def write_template_heads(sheet: Worksheet, heads: list[str]) -> None:
    """The row of heads, frozen; whole columns as text, so that 0001 stays 0001."""
    write_xlsx_rows(sheet, [heads], heads=1)
    for index, head in enumerate(heads):
        sheet.column_dimensions[spreadsheet_column_letters(index)].width = max(TEMPLATE_COLUMN_WIDTH, len(head) + 4)
        sheet.column_dimensions[spreadsheet_column_letters(index)].number_format = "@"
        sheet.cell(1, index + 1).alignment = Alignment(wrap_text=True, vertical="center")
    sheet.freeze_panes = "A2"


def write_template_notes(sheet: Worksheet) -> None:
    """Which column is which, whether it must be there, and what it takes, in the language of the moment."""
    rows = [[column.head, "✱" if column.needed else "", str(column.note)] for column in ENTRANT_COLUMNS]
    write_xlsx_rows(sheet, rows)
    write_xlsx_rows(
        sheet,
        [["", "", str(_("No identity-card numbers, please: such a column is left out and nothing of it is kept."))]],
    )
    for row in sheet.iter_rows(min_col=1, max_col=1):
        row[0].font = Font(bold=True)
    for letter, width in (("A", 30), ("B", 4), ("C", 80)):
        sheet.column_dimensions[letter].width = width
