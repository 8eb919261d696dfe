"""The seam between a sheet's rows and the rules: exact, canonical, and noticing every change."""

import json
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import SEVERITY_WARNING, SheetProblem
from scoring.ruleset import PRESETS
from tests.sheets.tables import paper
from tournament.core.enums import EntrantStatus, SheetForm
from tournament.entrants.models.people import Entrant
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.scoresheet import TURN_FIELDS, Game, Line, Turn
from tournament.tables.models import Seat

RULES = PRESETS["hk-2026"]


def seats(**status: str) -> list[Seat]:
    """Four seats without a database; a letter's status where it is not `ok`."""
    numbers = dict(zip("ABCD", (302, 868, 511, 29), strict=True))
    return [
        Seat(letter=letter, entrant=Entrant(number=number, status=status.get(letter, EntrantStatus.OK)))
        for letter, number in numbers.items()
    ]


def table(slug: str = "hk-2026", session: int = 1, number: int = 6) -> Any:
    """What the canonical values need of a table."""
    stage = SimpleNamespace(event=SimpleNamespace(slug=slug), kind="preliminary")
    return SimpleNamespace(session=SimpleNamespace(stage=stage, number=session), number=number)


OTHER_TURN = {"number": 3, "own": "GODS", "rearranged": "CHIP", "emptied": True, "points": 5}


def turn(**values: Any) -> Turn:
    """The first turn: GOD, 3 points."""
    return Turn(**{"number": 1, "own": "GOD", "rearranged": "", "emptied": False, "points": 3, **values})


def test_a_turn_that_is_signed_is_told_apart_by_each_of_its_fields() -> None:
    assert set(OTHER_TURN) == set(TURN_FIELDS)


def test_a_sheet_of_games_is_signed_in_the_form_in_which_it_always_was() -> None:
    assert (json.loads(text())["canon_version"], json.loads(text(turns=[turn()]))["canon_version"]) == (1, 2)
    assert bridge.canonical_text_digest(text()) == "90425e2a21d519163ddc2c268bd48776242ee3f350d643ca216f52d45fd07ecf"


def test_a_ruling_that_is_signed_stands_in_a_form_of_its_own() -> None:
    ruled = json.loads(text(ruling="fewest_tiles"))
    assert (ruled["canon_version"], ruled["games"][0]["ruling"]) == (3, "fewest_tiles")
    assert text(ruling="raw") != text(ruling="difference")


def text(
    confirmations: Any = (), at: Any = None, version: int = 1, turns: Any = (), ruling: str = "", **line: Any
) -> str:
    """Canonical values of a sheet with one line."""
    values = {"letter": "A", "win": 1, "points_twelfths": 528, "tiles": 0, **line}
    rows = [
        bridge.GameRows(Game(number=1, ended_by="rummikub", ruling=ruling), [bridge.LineRows(Line(**values), turns)])
    ]
    return bridge.canonical_sheet_text(at or table(), version, seats(), rows, dict(confirmations))


@given(st.integers(-100000, 100000))
def test_twelfths_and_fractions_are_the_same_figure(twelfths: int) -> None:
    assert bridge.points_in_twelfths(Fraction(twelfths, 12)) == twelfths


def test_what_is_no_twelfth_is_never_rounded() -> None:
    with pytest.raises(ValueError, match="no whole number of twelfths"):
        bridge.points_in_twelfths(Fraction(1, 5))


def test_every_value_that_is_signed_changes_the_digest() -> None:
    base = text()
    others = [
        text(win=0),
        text(points_twelfths=529),
        text(tiles=1),
        text(face_value=3),
        text(rack="R5"),
        text(opened=False),
        text(could_open=True),
        text(pushed_over=True),
        text(left=True),
        text(letter="B"),
        text(turns=[turn()]),
        *(text(turns=[turn(**{name: value})]) for name, value in OTHER_TURN.items()),
        text(turns=[turn(), turn(number=2)]),
        text({"a": "b"}),
        text(version=2),
        text(at=table(number=7)),
        text(at=table(session=2)),
        text(at=table(slug="other")),
    ]
    digests = {bridge.canonical_text_digest(one) for one in (base, *others)}
    assert len(digests) == len(others) + 1


def test_the_canonical_text_is_the_same_however_the_words_were_composed() -> None:
    assert text({"k": "Cafe\u0301"}) == text({"k": "Caf\u00e9"})


def test_a_no_show_is_not_present_and_a_leaver_is_a_leaver() -> None:
    here = seats(B=EntrantStatus.FORFEITED, C=EntrantStatus.WITHDRAWN, D=EntrantStatus.DISQUALIFIED)
    assert bridge.present_letters(here) == ("A", "C", "D")
    assert bridge.leaver_letters(here) == frozenset("CD")
    assert bridge.signing_letters(here) == ("A",)


def test_a_confirmation_is_of_its_figures() -> None:
    keys = {
        bridge.confirmation_key(SheetProblem("high_win", "games[0].seats.A.points", SEVERITY_WARNING, {"value": v}))
        for v in (310, 320)
    }
    assert len(keys) == 2


def test_confirmations_of_what_is_no_longer_unusual_fall_away() -> None:
    check = bridge.check_typed_sheet(RULES, SheetForm.PAPER, bridge.clean_typed(paper()), seats())
    notes = bridge.confirm_all_unusual(check, " as on the paper ")
    assert bridge.unconfirmed_problems(check, notes) == ()
    assert bridge.confirmations_still_needed(check, {**notes, "gone": "why"}) == dict.fromkeys(notes, "as on the paper")


def test_an_empty_sheet_in_full_shape_comes_through_unchanged() -> None:
    assert bridge.clean_typed(bridge.empty_typed_sheet(3)) == bridge.empty_typed_sheet(3)
    assert bridge.clean_typed({}) == {"games": [], "totals": {}}
