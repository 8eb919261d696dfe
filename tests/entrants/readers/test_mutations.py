"""Files that were damaged or forged: read as they were, or refused with a reason; never anything else (Q11)."""

import io
import re
import zipfile
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.entrant_lists import HEADS, csv_of, sound_row, workbook_of
from tournament.core.errors import Refused
from tournament.entrants.readers.columns import read_heads
from tournament.entrants.readers.entrants import RowReader, kept_cells
from tournament.entrants.readers.grid import FileGrid
from tournament.entrants.readers.sessions import SessionPlace
from tournament.entrants.readers.tables import read_table

ROWS = [sound_row(1, name_zh="衞詠峯", phone="9123 4567"), sound_row(2, name_zh="𨋢", school='a, "b"\nc')]
WORKBOOK = workbook_of([list(HEADS.values()), *(list(row.values()) for row in ROWS)])
SEEDS = (
    WORKBOOK,
    csv_of(ROWS, "utf-8"),
    csv_of(ROWS, "utf-8-sig"),
    csv_of(ROWS, "utf-16"),
    csv_of(ROWS, "big5hkscs"),
    csv_of(ROWS, "utf-8", ";"),
)
SESSIONS = [SessionPlace(1, date(2026, 3, 28), 1, "12:00", "0328-1")]
SHEET = "xl/worksheets/sheet1.xml"
SHARED_STRINGS = (
    b'<Override PartName="/xl/sharedStrings.xml"'
    b' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)


def read(content: bytes) -> FileGrid | str:
    """The rows, gone through to the last cell, or the refusal's code. Anything else that is raised fails the test."""
    try:
        grid = read_table(content)
    except Refused as refused:
        assert refused.status in (400, 413, 415)
        assert str(refused)
        return refused.code
    heads = read_heads(grid.heads, grid.head_row)
    reader = RowReader(heads, grid.encoding, SESSIONS)
    for number, cells in grid.rows:
        for fault in reader.read(number, kept_cells(heads, cells)).faults:
            assert fault.what
            assert fault.do
    return grid


@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_flipped_bytes_never_break_the_reader(seed: bytes, flips: list[tuple[int, int]]) -> None:
    content = bytearray(seed)
    for place, byte in flips:
        content[place % len(content)] = byte
    answer = read(bytes(content))
    if seed is WORKBOOK and isinstance(answer, FileGrid):
        assert answer.rows == read_table(WORKBOOK).rows


@given(st.sampled_from(SEEDS), st.sampled_from(SEEDS), st.integers(0, 10_000), st.integers(0, 10_000))
@settings(max_examples=100, deadline=None)
def test_cut_and_spliced_files_never_break_the_reader(first: bytes, second: bytes, cut: int, start: int) -> None:
    read(first[: cut % (len(first) + 1)])
    read(first[: cut % (len(first) + 1)] + second[start % len(second) :])


@given(st.binary(max_size=400))
@settings(max_examples=150, deadline=None)
def test_bytes_of_any_kind_never_break_the_reader(content: bytes) -> None:
    read(content)
    read(b"PK\x03\x04" + content)


def forged(change: tuple[bytes, bytes], part: str = SHEET) -> bytes:
    """The workbook with something in one part's XML replaced by a pattern."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WORKBOOK)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == part:
                changed = re.sub(change[0], change[1], data)
                assert changed != data
                data = changed
            target.writestr(name, data)
    return out.getvalue()


def with_shared_strings() -> bytes:
    """The workbook with its texts in the shared table, as Excel and LibreOffice write them, in runs."""
    texts: list[bytes] = []

    def share(found: re.Match[bytes]) -> bytes:
        texts.append(found[1])
        return b't="s"><v>%d</v></c>' % (len(texts) - 1)

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WORKBOOK)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        parts = {name: source.read(name) for name in source.namelist()}
        parts[SHEET] = re.sub(rb't="inlineStr"><is><t[^>]*>(.*?)</t></is></c>', share, parts[SHEET], flags=re.DOTALL)
        parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", SHARED_STRINGS + b"</Types>")
        runs = (b"<si><r><t>%s</t></r><r><t/></r></si>" % text for text in texts)
        table = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</sst>' % b"".join(runs)
        for name, data in {**parts, "xl/sharedStrings.xml": table}.items():
            target.writestr(name, data)
    assert texts
    return out.getvalue()


def test_texts_in_the_shared_table_give_the_same_rows() -> None:
    answer = read(with_shared_strings())
    assert isinstance(answer, FileGrid)
    assert (answer.heads, answer.rows) == (read_table(WORKBOOK).heads, read_table(WORKBOOK).rows)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ((rb'<dimension ref="[^"]*"', rb'<dimension ref="A1:XFD1048576"'), SHEET),
        ((rb'<dimension ref="[^"]*"', rb'<dimension ref="A1"'), SHEET),
        ((rb't="inlineStr"><is>.*?</is>', rb't="s"><v>999999</v>'), SHEET),
        ((rb't="inlineStr"><is>.*?</is>', rb't="s"><v>-1</v>'), SHEET),
        ((rb't="inlineStr"', rb't="d"'), SHEET),
        ((rb't="inlineStr"', rb't="b"'), SHEET),
        ((rb't="inlineStr"', rb't="nonsense"'), SHEET),
        ((rb'<row r="1"', rb'<row r="x"'), SHEET),
        ((rb'<c r="A1"', rb'<c r="1A"'), SHEET),
        ((rb"<sheetData>", rb"<sheetData>" + b"<g>" * 5000 + b"</g>" * 5000), SHEET),
        ((rb"</sheetData>", rb'</sheetData><mergeCells count="1"><mergeCell ref="A1:Q2"/></mergeCells>'), SHEET),
        ((rb"</worksheet>", b""), SHEET),
        ((rb"worksheets/sheet1.xml", rb"../../etc/passwd"), "xl/_rels/workbook.xml.rels"),
        ((rb"<sheets>.*</sheets>", rb"<sheets/>"), "xl/workbook.xml"),
    ],
)
def test_forged_parts_are_read_as_they_were_or_refused(change: tuple[bytes, bytes], part: str) -> None:
    answer = read(forged(change, part))
    assert isinstance(answer, FileGrid | str)


def test_duplicate_and_escaping_names_in_the_zip_are_refused_or_harmless() -> None:
    for name, code in ((SHEET, "file_unreadable"), ("../../etc/passwd", None)):
        out = io.BytesIO(WORKBOOK)
        with zipfile.ZipFile(out, "a") as archive, pytest.warns() if code else zipfile.ZipFile(io.BytesIO(WORKBOOK)):
            archive.writestr(name, b"x")
        answer = read(out.getvalue())
        assert answer == code if code else isinstance(answer, FileGrid)
