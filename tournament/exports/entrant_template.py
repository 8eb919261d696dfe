"""The template of a list of entrants: both languages' heads, an example, and what each column takes."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from tournament.exports.cells import write_rows, xlsx_file
from tournament.readers.columns import COLUMNS, letter_of

NOTES = {
    "number": _("1 to 9999, as text; left blank, numbers are given in the order of the rows."),
    "name_zh": _("As on the person's document; may be blank."),
    "name_en": _("Surname first in capitals. Must be filled in."),
    "birth_date": _("2016-02-28, 28/2/2016 or a real date. Must be filled in."),
    "session": _("A number, a code as 0406-3, or day and session as 4月6日第三場. Must be filled in."),
    "phone": _("8 digits; numbers of other places with +."),
    "email": _("May be blank."),
    "language": _("中文 or English; blank is Chinese."),
    "school": _("May be blank."),
    "family": _(
        "The same code for one child and one parent, or for all of a family where the event allows a person several "
        "pairs; blank for everybody else."
    ),
    "family_role": _("子女 or 家長 (child or parent), where a family is named."),
    "guardian": _("Name of the parent or guardian of an entrant under 18."),
    "consent_guardian": _("是 or 否 (Y or N). Needed for everybody under 18."),
    "consent_name": _(
        "是 or 否 (Y or N): if the player wins, the full name may be shown on the public results page and in the hall; "
        "of a parent-child pair, that the two belong together."
    ),
    "consent_photo": _("是 or 否 (Y or N): photos may be used."),
    "consent_marketing": _("是 or 否 (Y or N): may be written to about later events."),
    "fee": _("As you keep it: paid, waived, a receipt number."),
}
EXAMPLES = (
    "0001;陳大文;CHAN Tai Man;2016-02-28;4月6日第三場;9123 4567;parent@example.com;中文;白田小學;F-0001;子女;"
    "CHAN Siu Ming;是;是;是;否;已繳",
    "0002;陳小明;CHAN Siu Ming;1985-07-01;0406-3;+852 9123 4567;parent@example.com;English;;F-0001;家長;;;"
    "否;是;否;已繳",
)
WIDTH = 16


def entrant_template(at: datetime) -> bytes:
    """The workbook: 總表 with the heads alone, 範例 with two rows, 說明 with a line a column; the same for one `at`."""
    book = Workbook()
    heads = [f"{column.heads[0]} {column.heads[1]}" for column in COLUMNS]
    sheet = book.active
    sheet.title = "總表"
    write_heads(sheet, heads)
    example = book.create_sheet("範例 Example")
    write_heads(example, heads)
    write_rows(example, [line.split(";") for line in EXAMPLES])
    write_notes(book.create_sheet("說明 Notes"))
    return xlsx_file(book, at)


def write_heads(sheet: Worksheet, heads: list[str]) -> None:
    """The row of heads, frozen; whole columns as text, so that 0001 stays 0001."""
    write_rows(sheet, [heads], heads=1)
    for index, head in enumerate(heads):
        sheet.column_dimensions[letter_of(index)].width = max(WIDTH, len(head) + 4)
        sheet.column_dimensions[letter_of(index)].number_format = "@"
        sheet.cell(1, index + 1).alignment = Alignment(wrap_text=True, vertical="center")
    sheet.freeze_panes = "A2"


def write_notes(sheet: Worksheet) -> None:
    """Which column is which, whether it must be there, and what it takes, in the language of the moment."""
    rows = [
        [f"{column.heads[0]} {column.heads[1]}", "✱" if column.needed else "", str(NOTES[column.name])]
        for column in COLUMNS
    ]
    write_rows(sheet, rows)
    write_rows(
        sheet,
        [["", "", str(_("No identity-card numbers, please: such a column is left out and nothing of it is kept."))]],
    )
    for row in sheet.iter_rows(min_col=1, max_col=1):
        row[0].font = Font(bold=True)
    for letter, width in (("A", 30), ("B", 4), ("C", 80)):
        sheet.column_dimensions[letter].width = width
