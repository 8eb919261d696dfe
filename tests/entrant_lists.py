"""Lists of entrants for tests, written as an organiser would: a sound row, and files made of rows."""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from tournament.core.entrant_columns import ENTRANT_COLUMNS

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
HEADS = {column.key: column.heads[0] for column in ENTRANT_COLUMNS}


def sound_row(number: int, /, **changed: Any) -> dict[str, Any]:
    """A grown-up in the first session, unlike every other number; `changed` cells replace its own."""
    row = dict.fromkeys(HEADS, "")
    row.update(number=f"{number:04d}", name_en=f"CHAN {letters(number)}", birth_date="1990-01-15", session="1")
    return {**row, **changed}


def letters(number: int) -> str:
    """A name for each number."""
    return "".join(chr(97 + int(digit)) for digit in f"{number:04d}").capitalize()


def csv_of(rows: Sequence[Mapping[str, Any]], encoding: str = "utf-8-sig", delimiter: str = ",") -> bytes:
    """The rows as a CSV with Chinese heads."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    columns = list(rows[0]) if rows else list(HEADS)
    writer.writerow([HEADS.get(column, column) for column in columns])
    writer.writerows([row[column] for column in columns] for row in rows)
    return out.getvalue().encode(encoding)


def workbook_of(table: Sequence[Sequence[Any]], title: str = "總表") -> bytes:
    """The table as an xlsx of one sheet."""
    book = Workbook()
    book.active.title = title
    for row in table:
        book.active.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def child_born(year: int) -> date:
    """A date of birth well away from every session's day."""
    return date(year, 1, 15)
