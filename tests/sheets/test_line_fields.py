"""One list of a line's fields, of a seat's cells, of a rack's marks: every door goes by them."""

import dataclasses
import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.entry import SeatEntry, TurnEntry
from scoring.marks import MARKS
from scoring.paper import PaperSeat
from scoring.ruleset import PRESETS, read_ruleset
from scoring.sheet import ReadSeat
from scoring.values import Rack
from tests.sheets.services.test_signing import ready_at
from tests.sheets.tables import settle
from tournament.core.models.evidence import record_of
from tournament.core.models.stage import Session
from tournament.scoresheets.queries import values_by_cell
from tournament.settings import BASE_DIR
from tournament.setup.forms.rules import RULE_OPTIONS
from tournament.sheets.api import SeatTyped, TurnTyped
from tournament.sheets.domain.fields import fields_of_typed_sheet, typed_sheet_from_fields
from tournament.sheets.domain.scoresheets import (
    SEAT_FLAGS,
    SEAT_TEXTS,
    GameRows,
    LineRows,
    canonical_sheet_text,
    clean_typed,
    empty_typed_sheet,
)
from tournament.sheets.exports.mark_words import MARK_WORDS
from tournament.sheets.forms.sheet_place import CELL_WORDS as LABELS
from tournament.sheets.models.scoresheet import LINE_FIELDS, Scoresheet
from tournament.tablets.views.tablet import tablet_labels

TYPED = {field.name for field in dataclasses.fields(SeatEntry)}


@pytest.fixture
def sheet(first_session: Session, organiser: User, clerk: User) -> Scoresheet:
    """A sheet that waits for its second person."""
    settle(first_session, organiser)
    return Scoresheet.objects.get(table=ready_at(first_session, 1, clerk))


def test_everything_that_signs_compares_or_exports_a_line_has_its_every_field(sheet: Scoresheet) -> None:
    game = sheet.games.get(number=1)
    line = game.lines.get(letter="A")
    rows = [GameRows(game, [LineRows(line)])]
    signed = canonical_sheet_text(sheet.table, 1, sheet.table.seats.all(), rows, {})
    assert {name for name in LINE_FIELDS if f'"{name}":' in signed} == set(LINE_FIELDS)
    assert set(LINE_FIELDS) <= set(record_of(line))
    assert len(values_by_cell(sheet)[1, "A"]) == 1 + len(LINE_FIELDS)


def test_a_seat_is_typed_with_every_cell_through_the_page_and_the_api() -> None:
    assert {*SEAT_TEXTS, *SEAT_FLAGS, "could_open", "turns"} == TYPED == set(SeatTyped().fields)
    for name in TYPED - {"absent", "left", "turns"}:
        typed: dict[str, Any] = empty_typed_sheet(1)
        seat = typed["games"][0]["seats"]["A"]
        seat[name] = "5" if name in SEAT_TEXTS else not seat[name]
        assert clean_typed(typed)["games"][0]["seats"]["A"] == seat
        assert typed_sheet_from_fields(fields_of_typed_sheet(typed), 1)["games"][0]["seats"]["A"] == seat


def test_a_turn_is_typed_with_every_cell_through_the_page_and_the_api() -> None:
    cells = {field.name for field in dataclasses.fields(TurnEntry)}
    assert cells == set(TurnTyped().fields)
    for name in cells:
        typed: dict[str, Any] = empty_typed_sheet(1, turns=2)
        for seat in typed["games"][0]["seats"].values():
            seat["turns"][1][name] = True if name == "emptied" else "GOD BLESS"
        assert clean_typed(typed) == typed
        assert typed_sheet_from_fields(fields_of_typed_sheet(typed), 1) == typed


def test_a_mark_has_its_value_in_the_rules_its_column_and_its_words_everywhere() -> None:
    for kind in (Rack, SeatEntry, PaperSeat, ReadSeat):
        assert set(MARKS) <= {field.name for field in dataclasses.fields(kind)}
    assert set(MARK_WORDS) == set(MARKS) == set(tablet_labels()["marks"])
    assert set(MARKS) <= set(LINE_FIELDS)
    assert set(MARKS) <= set(LABELS)
    assert set(MARKS) <= {option.field for option in RULE_OPTIONS}
    for name in PRESETS:
        assert set(MARKS) <= read_ruleset(name).fields_as_data().keys()


def test_the_engine_of_the_tablet_has_the_same_marks() -> None:
    source = (BASE_DIR / "tournament/static/js/engine/marks.js").read_text(encoding="utf-8")
    found = re.search(r"MARKS = \[([^\]]*)\]", source)
    assert found and tuple(re.findall(r'"(\w+)"', found[1])) == MARKS
