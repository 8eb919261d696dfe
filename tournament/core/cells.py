"""Cells that a spreadsheet program takes for what they are: text never becomes a formula, a number stays a number.

Shared by every xlsx and CSV that leaves (faults E1 to E3): text that begins like a formula gets a quote before it in
CSV and is typed as a string in xlsx; control characters, which xlsx cannot hold, become U+FFFD.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import cast

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

QUOTED_FORMULA_PATTERN = re.compile(r"'+[=+\-@＝＋－＠]")

CellValue = str | int | Decimal | None

# ASVS 1.2.10, and the full-width forms that some programs fold before they look.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
REPLACEMENT_CHARACTER = "\ufffd"
DECIMAL_PLACES = Decimal("0.000001")
# A zip's clock begins here; every part gets it, so that the same content is the same file.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
WORKBOOK_TIME_TAG = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


def decimal_of_fraction(value: Fraction | None) -> Decimal | None:
    """A fraction to six places, half to even, for a column that is computed with. The exact value stands beside it."""
    if value is None:
        return None
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(DECIMAL_PLACES).normalize() + 0


def mixed_number_text(value: Fraction | None) -> str:
    """`10 1/3`, `−0 1/3`, `9`: always with its whole part, since a program takes 1/3 alone for a day in March."""
    if value is None:
        return ""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "\u2212" if value < 0 else ""
    return f"{sign}{whole} {rest}/{value.denominator}" if rest else f"{sign}{whole}"


def csv_cell_text(value: CellValue) -> str:
    """One CSV cell: numbers plain, text safe."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{value:f}" if isinstance(value, Decimal) else str(value)
    text = CONTROL_CHARACTERS.sub(REPLACEMENT_CHARACTER, value)
    return f"'{text}" if value.startswith(FORMULA_SIGNS) or is_quoted_formula(value) else text


def is_quoted_formula(text: str) -> bool:
    """Whether the text itself begins with quotes before a formula's sign, so that one more goes before it."""
    return QUOTED_FORMULA_PATTERN.match(text) is not None


def csv_file(rows: Iterable[Sequence[CellValue]]) -> bytes:
    """UTF-8 with a byte order mark, lines ended by CRLF: what Excel opens with its Chinese whole."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([csv_cell_text(value) for value in row] for row in rows)
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def write_xlsx_cell(cell: Cell, value: CellValue) -> None:
    """One xlsx cell: a string stays a string, whatever it begins with."""
    if isinstance(value, str):
        cell.value = CONTROL_CHARACTERS.sub(REPLACEMENT_CHARACTER, value)
        cell.data_type = "s"
    else:
        cell.value = value


def only_sheet(book: Workbook, title: str) -> Worksheet:
    """The sheet that a new workbook has, titled."""
    sheet = cast(Worksheet, book.worksheets[0])
    sheet.title = title
    return sheet


def write_xlsx_rows(sheet: Worksheet, rows: Iterable[Sequence[CellValue]], *, heads: int = 0) -> None:
    """Rows from the next free one on; the first `heads` of them bold."""
    first = sheet.max_row + 1 if sheet.max_row > 1 or sheet["A1"].value is not None else 1
    for number, row in enumerate(rows, start=first):
        for column, value in enumerate(row, start=1):
            if value is None:
                continue
            cell = cast(Cell, sheet.cell(number, column))  # nothing is merged yet
            write_xlsx_cell(cell, value)
            if number < first + heads:
                cell.font = Font(bold=True)


def xlsx_file(book: Workbook, at: datetime) -> bytes:
    """The workbook as bytes, the same for the same content: its own times are `at`, its parts have none."""
    raw, whole = io.BytesIO(), io.BytesIO()
    book.save(raw)
    stamp = f"{at:%Y-%m-%dT%H:%M:%SZ}".encode()
    with zipfile.ZipFile(raw) as parts, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name in parts.namelist():
            content = parts.read(name)
            if name == "docProps/core.xml":
                content = WORKBOOK_TIME_TAG.sub(rb"\g<1>" + stamp, content)
            file.writestr(zipfile.ZipInfo(name, ZIP_EPOCH), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()
