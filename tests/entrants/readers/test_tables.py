"""Files as they come: by content and never by name, within limits, in the encodings of Hong Kong (F1 to F9)."""

import io
import time
import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook

from tests.entrant_lists import FIXTURES, csv_of, sound_row, workbook_of
from tournament.core.errors import BadInput, Refused, TooLarge, WrongType
from tournament.entrants.readers.columns import read_heads
from tournament.entrants.readers.grid import FileGrid
from tournament.entrants.readers.tables import read_table

DATA = Path(__file__).parents[2] / "data"
HEADS = ("編號", "英文姓名", "出生日期", "場次")
ROWS = [sound_row(1, name_zh="衞峯"), sound_row(2, name_zh="𨋢", school='a, "b"\nc')]


def refused(content: bytes) -> Refused:
    """The refusal that this file meets."""
    with pytest.raises(Refused) as caught:
        read_table(content)
    return caught.value


def repacked(content: bytes, **parts: bytes) -> bytes:
    """A workbook with parts of its zip replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            if name not in parts:
                target.writestr(name, source.read(name))
        for name, data in parts.items():
            target.writestr(name, data)
    return out.getvalue()


@pytest.mark.fault("F4")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file_empty"),
        (b"\n", "file_empty"),
        (b"x", "file_not_a_table"),
        (b"%PDF-1.7 ...", "file_is_pdf"),
        (b"\x89PNG\r\n\x1a\n", "file_is_picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "file_is_old_excel"),
        (b"<html><table></table></html>", "file_not_a_table"),
        (bytes(range(1, 32)) * 20, "file_not_a_table"),
    ],
)
def test_what_is_no_list_is_refused_by_its_content(content: bytes, code: str) -> None:
    refusal = refused(content)
    assert (type(refusal), refusal.status, refusal.code) == (WrongType, 415, code)


@pytest.mark.fault("F4")
def test_a_workbook_with_macros_and_another_zip_are_refused() -> None:
    book = workbook_of([HEADS])
    assert refused(repacked(book, **{"xl/vbaProject.bin": b"x"})).code == "file_has_macros"
    assert refused(repacked(book, **{"[Content_Types].xml": b"<Types/>"})).code == "file_not_a_table"
    assert refused(b"PK\x03\x04 broken").code == "file_unreadable"


@pytest.mark.fault("F1")
def test_a_zip_bomb_is_refused_before_it_is_parsed() -> None:
    bomb = repacked(workbook_of([HEADS]), **{"xl/worksheets/sheet9.xml": b" " * 40_000_000})
    began = time.perf_counter()
    refusal = refused(bomb)
    assert (type(refusal), refusal.status) == (TooLarge, 413)
    assert time.perf_counter() - began < 1
    assert refused(b"a" * (2 * 1024 * 1024 + 1)).status == 413
    many = repacked(workbook_of([HEADS]), **{f"xl/media/{index}.png": b"" for index in range(200)})
    assert refused(many).status == 413


@pytest.mark.fault("F2")
def test_a_cell_far_outside_is_refused_and_not_left_out_in_silence() -> None:
    for address in ("XFD1048576", "A5001", "BM1"):
        book = Workbook()
        book.active.append(HEADS)
        book.active[address] = "x"
        out = io.BytesIO()
        book.save(out)
        began = time.perf_counter()
        assert refused(out.getvalue()).code == "cells_outside"
        assert time.perf_counter() - began < 2
    assert refused(csv_of([sound_row(number % 9999 + 1) for number in range(5001)])).code == "cells_outside"


@pytest.mark.fault("F3")
def test_entities_are_refused() -> None:
    laughs = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    for xml in (laughs, laughs.decode().encode("utf-16")):
        refusal = refused(repacked(workbook_of([HEADS]), **{"xl/sharedStrings.xml": xml}))
        assert (type(refusal), refusal.code) == (BadInput, "file_unreadable")


@pytest.mark.fault("F5")
@pytest.mark.parametrize(
    ("encoding", "delimiter", "said"),
    [
        ("utf-8", ",", "UTF-8"),
        ("utf-8-sig", ",", "UTF-8"),
        ("utf-8", ";", "UTF-8"),
        ("utf-16", "\t", "UTF-16"),
        ("big5hkscs", ",", "Big5-HKSCS"),
    ],
)
def test_every_encoding_gives_the_same_rows(encoding: str, delimiter: str, said: str) -> None:
    grid = read_table(csv_of(ROWS, encoding, delimiter))
    expected = read_table(csv_of(ROWS))
    assert (grid.encoding, grid.heads, grid.rows) == (said, expected.heads, expected.rows)
    assert [cells[1] for _, cells in grid.rows] == ["衞峯", "𨋢"]


@pytest.mark.fault("F5")
def test_bytes_of_another_encoding_are_refused_with_their_place() -> None:
    text = csv_of(ROWS, "utf-8")
    refusal = refused(text.replace("衞".encode(), b"\xff\xfe", 1))
    assert (refusal.code, refusal.facts["row"], refusal.facts["column"]) == ("file_undecodable", 2, 2)
    assert refused(csv_of(ROWS, "utf-16")[:-1]).code == "file_undecodable"


def test_an_open_quotation_mark_is_refused() -> None:
    assert refused('編號,英文姓名\n1,"CHAN'.encode()).code == "file_quotes"


@pytest.mark.fault("F9")
def test_dates_and_numbers_of_a_workbook_become_text() -> None:
    table = [
        HEADS,
        (7, "CHAN", date(2016, 2, 28), 3),
        (7.5, "LEE", datetime(2016, 2, 28), 1200.0),
        (True, None, datetime(2016, 2, 28, 9, 30), "007"),
    ]
    assert [cells for _, cells in read_table(workbook_of(table)).rows] == [
        ("7", "CHAN", "2016-02-28", "3"),
        ("7.5", "LEE", "2016-02-28", "1200"),
        ("TRUE", "", "2016-02-28 09:30:00", "007"),
    ]


@pytest.mark.fault("F7")
def test_a_formula_is_what_it_showed_last_and_else_its_own_text() -> None:
    book = workbook_of([HEADS, ("1", '=HYPERLINK("http://x","CHAN")', "2016-02-28", "=1+1")])
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    worked_out = sheet.replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>").replace(
        b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>"
    )
    assert worked_out != sheet
    grid = read_table(repacked(book, **{"xl/worksheets/sheet1.xml": worked_out}))
    assert grid.rows == ((2, ("1", '=HYPERLINK("http://x","CHAN")', "2016-02-28", "2")),)


def test_the_sheet_with_the_column_names_is_read_below_its_title() -> None:
    book = Workbook()
    book.active.title = "封面"
    book.active.append(["魔力橋", "2026"])
    sheet = book.create_sheet("總表")
    for row in (
        ["參賽者名單"],
        [],
        list(HEADS),
        ["1", "CHAN Tai Man", "1990-01-15", "1"],
        [],
        ["2", "LEE", "1990-01-15", "1"],
    ):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    assert read_table(out.getvalue()) == FileGrid(
        "xlsx",
        "",
        "總表",
        3,
        HEADS,
        ((4, ("1", "CHAN Tai Man", "1990-01-15", "1")), (6, ("2", "LEE", "1990-01-15", "1"))),
    )


def test_heads_are_known_in_both_languages_with_notes_and_in_any_order() -> None:
    heads = read_heads(
        ["Date of Birth (YYYY-MM-DD)*", "場次 Session", "ENGLISH NAME", "聯絡電話", "姓名（中文）", "No."], 1
    )
    assert [place.column for place in heads.places] == [
        "birth_date",
        "session",
        "name_en",
        "phone",
        "name_zh",
        "number",
    ]
    assert heads.faults == ()


def test_a_missing_column_is_one_fault_and_unknown_ones_are_told() -> None:
    heads = read_heads(["英文姓名", "場次", "身份證號碼", "備註", "場次"], 1)
    assert [(fault.code, fault.weight, str(fault.place)) for fault in heads.faults] == [
        ("column_identity", "left_out", "C 身份證號碼"),
        ("column_unknown", "left_out", "D 備註"),
        ("column_twice", "mend", "E 場次"),
        ("column_missing", "mend", "出生日期"),
    ]


def test_the_workbook_and_the_csv_of_the_fixtures_hold_the_same_rows() -> None:
    workbook = read_table((FIXTURES / "entrants.xlsx").read_bytes())
    text = read_table((FIXTURES / "entrants.csv").read_bytes())
    assert (workbook.heads, workbook.rows, workbook.sheet_name) == (text.heads, text.rows, "總表")
    assert len(text.rows) == 1200


@pytest.mark.parametrize("path", sorted((DATA / "I09-chinese-date-format").glob("*.xlsx")), ids=lambda path: path.stem)
def test_a_date_in_a_format_of_chinese_excel_is_a_date(path: Path) -> None:
    grid = read_table(path.read_bytes())
    column = grid.heads.index("出生日期")
    assert [cells[column] for _row, cells in grid.rows][:2] == ["1990-02-01", "1990-02-02"]
