"""The exported list and the importer agree: exported and imported, nothing changes; one quote goes on and comes off."""

import csv
import io
import zipfile
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.entrant_lists import FIXTURES, csv_of, sound_row
from tournament.core.cells import csv_cell_text
from tournament.core.models.event import Event
from tournament.entrants.exports.file import entrants_csv, entrants_xlsx, quote_workbook_cell
from tournament.entrants.queries.entrants import entered_entrants
from tournament.entrants.readers.grid import kept_cell_text, unquote_cell
from tournament.registration.services import importing, importing_preview

AT = datetime(2026, 3, 1, tzinfo=UTC)
SIGNS = ("=cmd|'/c calc'!A1", "+1", "-1", "@SUM(1)", "'=1", "''=1", "'abc", "'", "＝1", "O'Brien", '=HYPERLINK("x")')


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("'=1", "=1"),
        ("'+1", "+1"),
        ("'-1", "-1"),
        ("'@x", "@x"),
        ("''=1", "'=1"),
        ("'abc", "'abc"),
        ("'", "'"),
        ("''", "''"),
        ("' =1", "' =1"),
        ("=1", "=1"),
        ("'1", "'1"),
        ("’=1", "’=1"),
    ],
)
def test_exactly_one_quote_before_a_sign_is_taken_off(cell: str, read: str) -> None:
    assert kept_cell_text(cell) == read


@given(st.text(st.sampled_from("'=+-@＝＠ab 陳"), max_size=6).map(str.strip))
def test_any_text_comes_back_from_both_kinds_of_file(text: str) -> None:
    assert (unquote_cell(csv_cell_text(text)), unquote_cell(quote_workbook_cell(text))) == (text, text)


def odd_entrants(event: Event, by: User) -> None:
    """The organiser's list, with cells that begin like formulas."""
    kept = importing.read_file(event, name="a.xlsx", content=(FIXTURES / "entrants.xlsx").read_bytes(), by=by)
    importing.import_file(kept, by=by)
    for number, text in enumerate(SIGNS, start=1):
        entrant = entered_entrants(event)[number - 1]
        entrant.person.school, entrant.person.guardian, entrant.fee = text, text, text
        entrant.person.save()
        entrant.save()


@pytest.mark.fault("E1")
@pytest.mark.fault("E3")
def test_exported_and_imported_nothing_changes(event: Event, organiser: User) -> None:
    odd_entrants(event, organiser)
    for content in (entrants_csv(entered_entrants(event)), entrants_xlsx(entered_entrants(event), AT)):
        kept = importing.read_file(event, name="again", content=content, by=organiser)
        preview = importing_preview.build_preview(kept)
        assert (len(preview.unchanged), dict(preview.changes), preview.faults) == (1200, {}, ())


def test_the_lists_hold_the_same_and_are_the_same_bytes_each_time(event: Event, organiser: User) -> None:
    rows = [sound_row(1, name_zh="𨋢衞", phone="9123 4567"), sound_row(2, school="''=1", consent_photo="是")]
    importing.import_file(importing.read_file(event, name="a", content=csv_of(rows), by=organiser), by=organiser)
    text, book = entrants_csv(entered_entrants(event)), entrants_xlsx(entered_entrants(event), AT)
    assert (text, book) == (entrants_csv(entered_entrants(event)), entrants_xlsx(entered_entrants(event), AT))
    from_csv = list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))
    from_book = [
        [cell or "" for cell in row] for row in load_workbook(io.BytesIO(book)).active.iter_rows(values_only=True)
    ]
    assert from_csv[0] == from_book[0]
    assert from_csv[1][:6] == ["0001", "𨋢衞", "CHAN Aaab", "1990-01-15", "0328-1", "'+85291234567"]
    assert from_book[1][5] == "+85291234567"
    assert (from_csv[2][8], from_book[2][8]) == ("''=1", "''=1")


@pytest.mark.fault("E2")
def test_no_cell_of_the_workbook_is_a_formula_or_a_link(event: Event, organiser: User) -> None:
    odd_entrants(event, organiser)
    with zipfile.ZipFile(io.BytesIO(entrants_xlsx(entered_entrants(event), AT))) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml")
    assert (b"<f>" in sheet, b"<f " in sheet, b"hyperlink" in sheet) == (False, False, False)
