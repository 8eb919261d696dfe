"""Cells that stay what they are: no formula, no lost digit, the same bytes every time (E1 to E3)."""

import csv
import io
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from tournament.core.cells import (
    csv_cell_text,
    csv_file,
    decimal_of_fraction,
    mixed_number_text,
    write_xlsx_rows,
    xlsx_file,
)

AT = datetime(2026, 4, 8, 16, 0, tzinfo=UTC)
DANGEROUS = ["=cmd|'/c calc'!A1", "+1", "-1", "@x", "\tx", "\rx", "\0x", "＝1", "＋1", "－1", "＠x", "=HYPERLINK(1)"]


@pytest.mark.parametrize("text", DANGEROUS)
def test_text_that_begins_like_a_formula_is_quoted_in_csv(text: str) -> None:
    assert csv_cell_text(text).startswith("'")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-3, "-3"),
        (12, "12"),
        (Decimal("-10.333333"), "-10.333333"),
        (Decimal("1E+1"), "10"),
        (None, ""),
        ("陳*文", "陳*文"),
    ],
)
def test_numbers_stay_numbers(value: str | int | Decimal | None, text: str) -> None:
    assert csv_cell_text(value) == text


def test_a_csv_begins_with_its_mark_and_ends_lines_as_excel_does() -> None:
    assert csv_file([["編號", "姓名"], ["0302", "𨋢*峯"]]) == "\ufeff編號,姓名\r\n0302,𨋢*峯\r\n".encode()


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1), min_size=1))
def test_any_text_comes_back_from_csv(rows: list[list[str]]) -> None:
    read = list(csv.reader(io.StringIO(csv_file(rows).decode("utf-8-sig"), newline="")))
    expected = [["'" + cell if csv_cell_text(cell) != cell else cell for cell in row] for row in rows]
    assert [row or [""] for row in read] == expected


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_text_becomes_a_formula_or_a_link_in_a_workbook(text: str) -> None:
    book = Workbook()
    write_xlsx_rows(book.active, [[text, 3]])
    written = xlsx_file(book, AT)
    with zipfile.ZipFile(io.BytesIO(written)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml")
    assert (b"<f>" in sheet, b"<hyperlink" in sheet) == (False, False)
    cell = load_workbook(io.BytesIO(written)).active["A1"]
    assert (cell.data_type, cell.value) == ("s", text.replace("\0", "\ufffd").replace("\r", "\n"))


def test_the_same_workbook_is_the_same_bytes() -> None:
    def made() -> bytes:
        book = Workbook()
        write_xlsx_rows(book.active, [["編號"], ["0302"]], heads=1)
        return xlsx_file(book, AT)

    first = made()
    assert first == made()
    assert load_workbook(io.BytesIO(first)).properties.modified == datetime(2026, 4, 8, 16, 0)


@pytest.mark.parametrize(
    ("value", "exact", "decimal"),
    [
        (Fraction(31, 3), "10 1/3", "10.333333"),
        (Fraction(-31, 3), "−10 1/3", "-10.333333"),
        (Fraction(1, 3), "0 1/3", "0.333333"),
        (Fraction(-1, 36), "−0 1/36", "-0.027778"),
        (Fraction(12), "12", "12"),
        (Fraction(0), "0", "0"),
        (Fraction(100), "100", "100"),
        (None, "", ""),
    ],
)
def test_a_fraction_is_written_exactly_and_as_a_number(value: Fraction | None, exact: str, decimal: str) -> None:
    assert (mixed_number_text(value), csv_cell_text(decimal_of_fraction(value))) == (exact, decimal)


def test_no_exact_text_is_taken_for_a_formula_or_a_day() -> None:
    texts = [mixed_number_text(Fraction(twelfths, 36)) for twelfths in range(-400, 400)]
    assert [text for text in texts if csv_cell_text(text) != text or ("/" in text and " " not in text)] == []
