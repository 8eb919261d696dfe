"""The template to download, and the faults to send back."""

import csv
import io
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.utils.translation import override
from openpyxl import load_workbook

from tests.entrant_lists import csv_of, sound_row
from tournament.core.entrant_columns import ENTRANT_COLUMNS
from tournament.core.models.event import Event
from tournament.entrants.exports.entrant_faults import entrant_faults_csv
from tournament.entrants.exports.entrant_template import entrant_template_xlsx
from tournament.entrants.readers.columns import read_heads
from tournament.registration.services import importing, importing_preview

AT = datetime(2026, 3, 1, tzinfo=UTC)


def test_the_template_is_a_list_that_the_import_reads(event: Event, organiser: User) -> None:
    content = entrant_template_xlsx(AT)
    assert content == entrant_template_xlsx(AT)
    kept = importing.read_file(event, name="template.xlsx", content=content, by=organiser)
    heads = read_heads(kept.heads, kept.head_row)
    assert [place.column for place in heads.places] == [column.key for column in ENTRANT_COLUMNS]
    assert [fault.code for fault in importing_preview.build_preview(kept).faults] == ["no_rows"]


def test_the_templates_example_has_no_fault(event: Event, organiser: User) -> None:
    rows = load_workbook(io.BytesIO(entrant_template_xlsx(AT)))["範例 Example"].iter_rows(values_only=True)
    heads, *examples = ([cell or "" for cell in row] for row in rows)
    table = [dict(zip(heads, row, strict=True)) for row in examples]
    kept = importing.read_file(event, name="example.csv", content=csv_of(table), by=organiser)
    preview = importing_preview.build_preview(kept)
    assert (preview.faults, len(preview.entering)) == ((), 2)


def test_the_templates_notes_are_in_the_language_of_the_moment() -> None:
    first = {}
    for language in ("zh-hant", "en"):
        with override(language):
            sheet = load_workbook(io.BytesIO(entrant_template_xlsx(AT)))["說明 Notes"]
            first[language] = sheet.cell(4, 3).value
    assert first["en"] == "2016-02-28, 28/2/2016 or a real date. Must be filled in."
    assert first["zh-hant"] != first["en"]


@pytest.mark.fault("X17")
def test_the_template_says_of_the_name_s_consent_where_the_name_is_shown() -> None:
    place = [column.key for column in ENTRANT_COLUMNS].index("consent_name") + 1
    said = {}
    for language in ("zh-hant", "en"):
        with override(language):
            said[language] = load_workbook(io.BytesIO(entrant_template_xlsx(AT)))["說明 Notes"].cell(place, 3).value
    assert said == {
        "zh-hant": "是或否：如得獎，可否在公開網頁及場內顯示全名；如參加親子獎，可否列出兩人同組。",
        "en": "是 or 否 (Y or N): if the player wins, the full name may be shown on the public results page and in the "
        "hall; of a parent-child pair, that the two belong together.",
    }


def test_the_faults_are_a_csv_in_both_languages_safe_against_formulas(event: Event, organiser: User) -> None:
    content = csv_of([sound_row(1, phone="=1+1"), sound_row(2, school="A123456(3)", name_en="CHAN \u202eX")])
    kept = importing.read_file(event, name="a.csv", content=content, by=organiser)
    answer = entrant_faults_csv(importing_preview.build_preview(kept).faults)
    assert answer.startswith(b"\xef\xbb\xbf")
    head, *rows = csv.reader(io.StringIO(answer.decode("utf-8-sig")))
    assert (len(head), [(*row[:4], *row[7:]) for row in rows]) == (
        11,
        [
            (
                *("2", "F", "電話", "'=1+1"),
                "to mend",
                "A Hong Kong number has 8 digits and begins with 2 to 9.",
                "Complete the number; numbers of other places begin with +.",
                "phone_not_hong_kong",
            ),
            (
                *("3", "C", "英文姓名", "CHAN [U+202E]X"),
                "to mend",
                "It holds a character that cannot be printed (U+202E).",
                "Delete the cell and type it again.",
                "forbidden_character",
            ),
            (
                *("3", "I", "學校", ""),
                "to mend",
                "This looks like an identity-card number. It was not kept.",
                "Delete it from the file; age is checked by looking at the document. A receipt of a letter and six "
                "digits looks the same: leave the letter out.",
                "looks_like_identity_number",
            ),
        ],
    )
