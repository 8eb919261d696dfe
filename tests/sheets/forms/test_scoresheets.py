"""A sheet to the page and back, nothing lost; and which sheet a person asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.marks import MARKS
from scoring.values import ALL_SEAT_LETTERS
from tournament.sheets.domain.fields import fields_of_typed_sheet, typed_sheet_from_fields
from tournament.sheets.domain.heading import RequestedSheet, read_requested_sheet
from tournament.sheets.domain.scoresheets import clean_typed
from tournament.sheets.forms.scoresheets import cell_differences, read_confirmations

TEXTS = st.text(alphabet="0123456789-+ ./−１２３正負RBKOJ", max_size=8)
SEAT = st.fixed_dictionaries(
    dict.fromkeys(("win", "points", "tiles", "face_value", "rack"), TEXTS)
    | {
        "opened": st.booleans(),
        "could_open": st.sampled_from([None, True, False]),
        **{name: st.booleans() for name in MARKS},
    }
).flatmap(
    lambda seat: st.sampled_from([(False, False), (True, False), (False, True)]).map(
        lambda part: {**seat, "left": part[0], "absent": part[1]}
    )
)
GAME = st.fixed_dictionaries(
    {
        "ended_by": st.sampled_from(["", "rummikub", "pool", "time", "not_played"]),
        "starter": st.sampled_from(["", *ALL_SEAT_LETTERS]),
        "seats": st.fixed_dictionaries(dict.fromkeys(ALL_SEAT_LETTERS, SEAT)),
    }
)
TOTAL = st.fixed_dictionaries(dict.fromkeys(("wins", "points", "tiles"), TEXTS))
SHEET = st.fixed_dictionaries(
    {"games": st.lists(GAME, max_size=4), "totals": st.fixed_dictionaries(dict.fromkeys(ALL_SEAT_LETTERS, TOTAL))}
)


@given(SHEET)
def test_every_text_goes_to_the_page_and_comes_back_as_it_was(typed: dict) -> None:
    assert typed_sheet_from_fields(fields_of_typed_sheet(typed), len(typed["games"])) == typed == clean_typed(typed)


@given(SHEET, SHEET)
def test_two_sheets_differ_exactly_where_their_fields_do(mine: dict, theirs: dict) -> None:
    own, other = fields_of_typed_sheet(mine), fields_of_typed_sheet(theirs)
    found = {one.name: (one.mine, one.theirs) for one in cell_differences(mine, theirs)}
    assert found == {name: (own[name], other.get(name, "")) for name in own if own[name] != other.get(name, "")}


def test_a_tick_says_as_on_the_paper_and_a_reason_says_more() -> None:
    sent = {"tick-a|b": "on", "reason-a|b": "", "tick-c": "on", "reason-c": " ruled by the judge ", "reason-d": ""}
    assert read_confirmations(sent) == {"a": "as on the paper", "b": "as on the paper", "c": "ruled by the judge"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("6", RequestedSheet(6)),
        ("０6", RequestedSheet(6)),
        ("0406-3-06", RequestedSheet(6, None, 4, 6, 3, 1)),
        ("0406306", RequestedSheet(6, None, 4, 6, 3, 1)),
        ("0406-3-06-2", RequestedSheet(6, None, 4, 6, 3, 2)),
        ("https://host/desk/hk-2026/scoresheets/7/6/", RequestedSheet(6, 7)),
        ("https://host/desk/hk-2026/scoresheets/7/6/?print=2", RequestedSheet(6, 7, paper=2)),
        ("/desk/hk-2026/scoresheets/7/6/check/", RequestedSheet(6, 7)),
        ("table six", None),
        ("", None),
        ("12345", None),
    ],
)
def test_what_a_person_asks_for(text: str, asked: RequestedSheet | None) -> None:
    assert read_requested_sheet(text) == asked
