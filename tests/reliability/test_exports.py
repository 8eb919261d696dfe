"""Q12: hostile and rare names through every file that leaves. NAMES says how many; the suite takes a few.

No formula, no link, no cell that begins like one without its quote, and no box where a character should be printed.
"""

import csv
import io
import os
import random
import re
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pypdfium2
import pytest
from django.contrib.auth.models import User

from tests.entrant_lists import csv_of, sound_row
from tests.publication.exports.test_ranking_files import MAKE, content, line
from tests.sheets.exports.test_scoresheet_pdf import SHEET
from tournament.core.cells import FORMULA_SIGNS
from tournament.core.models.event import Event
from tournament.core.names import is_spreadsheet_error, name_key
from tournament.entrants.exports.entrant_faults import entrant_faults_csv
from tournament.entrants.exports.file import entrants_csv, entrants_xlsx
from tournament.entrants.models.people import Person
from tournament.entrants.queries.entrants import entered_entrants
from tournament.publication.domain.release import canonical_digest
from tournament.publication.exports.released import read_release
from tournament.registration.services import importing, importing_preview
from tournament.sheets.exports.pdf import scoresheets_pdf
from tournament.sheets.exports.printed import PrintedSeat

COUNT = int(os.environ.get("NAMES", "24"))
STARTS = ("", "=", "+", "-", "@", "'=", "＝", '=HYPERLINK("http://x.example")', "=cmd|'/c calc'!A1 ", "-2+3 ")
CHINESE = "陳大文𨋢𤧬𠮷衞峯邨裡犇羣栢"
AT = datetime(2026, 3, 1, tzinfo=UTC)


def names() -> list[tuple[str, str]]:
    """Chinese and English names, each beginning in one of the hostile ways; the same each time."""
    dice = random.Random(12)
    return [
        (
            STARTS[number % len(STARTS)] + "".join(dice.choices(CHINESE, k=3)),
            f"{STARTS[(number + 3) % len(STARTS)]}CHAN T{number} {dice.choice(['Łukasz', 'O’Neil', 'Tai-Man'])}",
        )
        for number in range(COUNT)
    ]


def assert_workbook_is_plain(book: bytes) -> None:
    """No formula and no link in any part."""
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        xml = b"".join(parts.read(name) for name in parts.namelist())
    assert re.findall(rb"<f[ >/]|<hyperlink|relationships/hyperlink", xml) == []


def assert_csv_is_quoted(text: bytes) -> None:
    """Every text cell that begins like a formula has its quote; plain numbers are numbers."""
    rows = csv.reader(io.StringIO(text.decode("utf-8-sig")))
    bare = [cell for row in rows for cell in row if cell.startswith(FORMULA_SIGNS)]
    assert [cell for cell in bare if not re.fullmatch(r"-?\d+(\.\d+)?", cell)] == []


@pytest.fixture
def people(event: Event, organiser: User) -> list[tuple[str, str]]:
    """Everybody of these names: entered by the import, then called so, since a formula is no name to it."""
    made = names()
    rows = [
        sound_row(number)
        | {"session": str(number % 12 + 1), "birth_date": str(date(1950, 1, 1) + timedelta(days=number))}
        for number in range(1, COUNT + 1)
    ]
    kept = importing.read_file(event, name="names.csv", content=csv_of(rows), by=organiser)
    assert importing.import_file(kept, by=organiser).count == COUNT
    for number, (zh, en) in enumerate(made, start=1):
        found = Person.objects.filter(entrant__number=number)
        found.update(name_zh=zh, name_en=en, name_key=name_key(zh, en))
    return made


def test_lists_of_entrants_hold_only_text_and_come_back_as_they_were(
    event: Event, organiser: User, people: list[tuple[str, str]]
) -> None:
    found = entered_entrants(event)
    assert [(each.person.name_zh, each.person.name_en) for each in found] == people
    text, book = entrants_csv(found), entrants_xlsx(found, AT)
    assert_csv_is_quoted(text)
    assert_workbook_is_plain(book)
    for written in (text, book):
        kept = importing.read_file(event, name="again", content=written, by=organiser)
        shown = importing_preview.build_preview(kept)
        formulas = [row for row, both in enumerate(people, start=2) if any(map(is_spreadsheet_error, both))]
        assert len(shown.unchanged) == COUNT
        assert {fault.row for fault in shown.faults if fault.code == "name_spreadsheet_error"} == set(formulas)
        assert {fault.code for fault in shown.faults} == {"name_spreadsheet_error"}


def test_faults_of_hostile_cells_are_quoted(event: Event, organiser: User) -> None:
    rows = [sound_row(number, phone=zh, session=en) for number, (zh, en) in enumerate(names(), start=1)]
    kept = importing.read_file(event, name="faults.csv", content=csv_of(rows), by=organiser)
    assert_csv_is_quoted(entrant_faults_csv(importing_preview.build_preview(kept).faults))


def test_files_of_a_release_hold_only_text_and_print_every_character() -> None:
    made = names()
    lines = [
        {**line(place % 40, COUNT), "number": place + 1, "rank": place + 1, "name": zh}
        for place, (zh, _) in enumerate(made)
    ]
    data = content(ranking=lines, advancing=COUNT, places=COUNT)
    ranking = read_release(data, canonical_digest(data))
    assert_csv_is_quoted(MAKE["ranking.csv"](ranking))
    assert_workbook_is_plain(MAKE["ranking.xlsx"](ranking))
    text = text_of(MAKE["ranking.pdf"](ranking))
    assert [zh for zh, _ in made if zh[-3:] not in text] == []


def test_scoresheets_print_every_character() -> None:
    made = names()
    tables = [made[at : at + 4] for at in range(0, COUNT, 4)]
    sheets = [
        replace(SHEET, seats={letter: PrintedSeat(1, zh, en) for letter, (zh, en) in zip("ABCD", table, strict=False)})
        for table in tables
    ]
    text = text_of(scoresheets_pdf(sheets))
    assert [zh for zh, _ in made if zh[-3:] not in text] == []


def text_of(pdf: bytes) -> str:
    """All text of all pages, without line breaks: a name may be wrapped."""
    pages = pypdfium2.PdfDocument(pdf)
    text = "".join(page.get_textpage().get_text_bounded() for page in pages)
    return re.sub(r"[\r\n\ufffe]", "", text)
