"""The paper of a sheet of turns: as it is printed, and as its values were recorded."""

import io
from typing import Any

import pypdfium2
import pytest

from tests.sheets.test_word_table import WordTable
from tests.sheets.words import words_sheet
from tournament.events.domain import ruleset_of_stage
from tournament.seating.services import print as printing
from tournament.sheets.exports.papers import printed_sheets_of_tables
from tournament.sheets.exports.pdf import scoresheets_pdf
from tournament.tables.queries import seating as queries

pytestmark = pytest.mark.django_db


def text_of(document: bytes) -> str:
    """All text of all pages."""
    return "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(document))


@pytest.fixture
def at(db: None) -> WordTable:
    return WordTable()


def papers(at: WordTable, prints: Any) -> bytes:
    """The papers of the session as PDF."""
    tables = queries.tables_to_print(at.session.stage, 1)
    rules = ruleset_of_stage(at.session.stage)
    return scoresheets_pdf(printed_sheets_of_tables(tables, prints, rules, lambda _table, _number: "https://x/1"))


def test_the_paper_has_a_column_a_player_and_twenty_lines_of_turns_and_asks_for_no_tiles(at: WordTable) -> None:
    sample = papers(at, {})
    printing.print_session(at.session, by=at.organiser, request_key="print")
    kept = papers(at, queries.newest_prints([at.session]))
    for document, word in ((sample, "SAMPLE"), (kept, "0328-1-01")):
        page = pypdfium2.PdfDocument(io.BytesIO(document))[0]
        text = text_of(document)
        assert page.get_width() < page.get_height()
        assert all(one in text for one in (word, "0301", "0304", "剩百搭", "如何完局", "開始者", "20"))
        assert "剩牌數量" not in text
        assert "勝局" not in text


def test_a_sheet_as_recorded_has_every_word_and_figure_however_many_turns_there_were(at: WordTable) -> None:
    at.certify()
    recorded = at.browser("organiser").get(at.address("recorded_sheet", 1, 1)).content
    text = text_of(recorded)
    words = {word for laid in words_of_sheet() for word in laid.split()}
    assert {word for word in words if word not in text} == set()
    assert all(figure in text for figure in ("+28", "+23", "+26", "−10", "按記錄"))


def words_of_sheet() -> list[str]:
    """All that was laid on the sheet of these tests."""
    [game] = words_sheet()["games"]
    turns = [turn for seat in game["seats"].values() for turn in seat["turns"]]
    return [turn[name] for turn in turns for name in ("own", "rearranged") if turn[name] != "-"]
