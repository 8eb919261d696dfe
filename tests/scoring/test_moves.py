"""Whether a turn is legal, and what makes it illegal."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.move import JudgedMove, judge_move
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, read_ruleset

CASES = json.loads((Path(__file__).parent / "cases" / "moves.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_turn_is_judged_as_the_case_says(case):
    given_turn = dict(case["given"])
    judged = judge_move(PRESETS[given_turn.pop("ruleset")], **given_turn)
    assert judged == JudgedMove(case["answer"]["legal"], tuple(case["answer"].get("because", [])))


def turn(before, played, after, opened=True, ruleset="hk-2026"):
    """A turn written short: sets apart by commas, tiles by blanks."""

    def sets(text):
        return [names.split() for names in text.split(",") if names.strip()]

    judged = judge_move(PRESETS[ruleset], opened=opened, before=sets(before), played=played.split(), after=sets(after))
    assert judged.legal == (not judged.because)
    return list(judged.because)


UNOPENED = [
    # The sets before stay, in any order among themselves; groups in any order, runs in theirs.
    ("R4 R5 R6", "K10 B10 O10", "K10 B10 O10, R4 R5 R6", []),
    ("R4 B4 K4", "K10 B10 O10", "K4 R4 B4, K10 B10 O10", []),
    ("R4 J R6", "K10 B10 O10", "R4 R6 J, K10 B10 O10", ["illegal_set", "table_touched_before_opening"]),
    ("J R4 R5", "K10 B10 O10", "R4 R5 J, K10 B10 O10", ["table_touched_before_opening"]),
    # The very same set twice stays twice.
    ("R4 R5 R6, R4 R5 R6", "K10 B10 O10", "R4 R5 R6, R4 R5 R6, K10 B10 O10", []),
    ("R4 R5 R6, R4 R5 R6", "K10 B10 O10", "R4 R5 R6, K10 B10 O10",
     ["tiles_do_not_match", "table_touched_before_opening"]),
    ("", "R9 R10 R11", "R9 R10 R11", []),
    ("", "R8 R9 R10", "R8 R9 R10", ["opening_below"]),
    ("", "R1 R2 R3 O8 O9 O10", "R1 R2 R3, O8 O9 O10", []),
    ("", "R9 J J", "R9 J J", []),
    ("", "", "", ["no_own_tile", "opening_below"]),
    ("R4 R5 R6", "", "R4 R5 R6", ["no_own_tile", "opening_below"]),
    ("", "R9 R10", "R9 R10", ["illegal_set", "opening_below"]),
    ("", "R9 R10 R11 B1", "R9 R10 R11, B1", ["illegal_set"]),
    ("", "R9 R10 R11 B1", "R9 R10 R11", ["tiles_do_not_match"]),
    ("R4 R5 R6", "R7", "R4 R5 R6 R7", ["table_touched_before_opening"]),
]  # fmt: skip


@pytest.mark.parametrize(("before", "played", "after", "because"), UNOPENED)
def test_an_unopened_player_leaves_the_table_and_lays_thirty(before, played, after, because):
    assert turn(before, played, after, opened=False) == because


def test_an_opening_without_jokers_is_told_of_both_faults():
    assert turn("", "K9 B9 J", "K9 B9 J", opened=False, ruleset="school") == ["opening_below", "joker_in_opening"]
    assert turn("K9 B9 J", "K10 B10 O10", "K9 B9 J, K10 B10 O10", opened=False, ruleset="school") == []
    assert turn("", "K9 B9 J", "K9 B9 J", opened=True, ruleset="school") == []


OPENED = [
    ("R4 R5 R6", "R7", "R4 R5 R6 R7", []),
    ("R4 R5 R6", "R7 R8", "R4 R5 R6 R7", ["tiles_do_not_match"]),
    ("R4 R5 R6", "R7", "R4 R5 R6 R7 R8", ["tiles_do_not_match"]),
    ("R4 R5 R6", "", "R4 R5", ["tiles_do_not_match", "no_own_tile", "illegal_set"]),
    ("R4 R5 R6", "", "R4 R5 R6", ["no_own_tile"]),
    ("R4 R5 R6", "R7", "R7 R4 R5 R6", ["illegal_set"]),
]


@pytest.mark.parametrize(("before", "played", "after", "because"), OPENED)
def test_an_opened_player_may_rearrange_what_leaves_sets(before, played, after, because):
    assert turn(before, played, after) == because


FRENCH = [
    # Its own tile from the hand takes the joker.
    ("R3 R4 J", "R5 B10 B11", "R3 R4 R5, B10 B11 J", []),
    # Another tile from the hand does not.
    ("R3 R4 J, R5 K5 B5 O5", "B10 B11", "R3 R4 R5, K5 B5 O5, B10 B11 J", ["joker_not_from_hand"]),
    # A joker that may still stand for the tile is not taken.
    ("R3 R4 J", "R6", "R3 R4 J R6", []),
    ("R3 R4 J", "R2", "R2 R3 R4 J", []),
    ("B4 K4 J", "O4", "B4 K4 J O4", []),
    ("B4 K4 J", "R4 O4", "B4 K4 R4 O4", ["tiles_do_not_match"]),
    ("B4 K4 J", "O4 B7 B8", "B4 K4 O4, B7 B8 J", []),
    # Two jokers, one tile from the hand.
    ("R3 J J", "R4 B1 B2", "R3 R4 J, B1 B2 J", []),
    ("R3 J J", "R4 R5 B1 B2", "R3 R4 R5, B1 B2 J, J", ["illegal_set"]),
    # The hand's own joker may take the place.
    ("R3 R4 J", "J B10 B11", "R3 R4 J, B10 B11 J", []),
    # An own tile that one joker needs is not lent to another.
    ("R3 R4 J, R6 R7 J", "R5 B10 B11 K1 K2", "R3 R4 R5 R6 R7, B10 B11 J, K1 K2 J", ["joker_not_from_hand"]),
    ("R3 R4 J, R3 R4 J", "R5 R5 B10 B11 K1 K2", "R3 R4 R5, R3 R4 R5, B10 B11 J, K1 K2 J", []),
]  # fmt: skip


@pytest.mark.parametrize(("before", "played", "after", "because"), FRENCH)
def test_a_french_joker_is_taken_only_with_its_tile_from_the_hand(before, played, after, because):
    assert turn(before, played, after, ruleset="french") == because


@pytest.mark.parametrize(
    ("before", "played", "after", "where"),
    [
        ([["R1", "R2"]], ["R3"], [], "before[0]"),
        ([["R1", "R2", "R3"], ["R1", "B1", "R1"]], ["R3"], [], "before[1]"),
        ([["R1", "R2", "JD"]], ["R3"], [], "before[0][2]"),
        ([], ["R3", "x"], [], "played[1]"),
        ([], ["R3"], [["R3"], ["R1", "JM"]], "after[1][1]"),
    ],
)
def test_what_cannot_have_lain_there_is_refused(before, played, after, where):
    with pytest.raises(Refusal) as refused:
        judge_move(PRESETS["hk-2026"], opened=True, before=before, played=played, after=after)
    assert refused.value.where == where


SPECIAL = [
    # Another joker in the place of one: whatever else is done, and in whatever order a group lies.
    ("B3 R3 J, R1 R2 R3", "JD K8 K9 R4", "JD R3 B3, J K8 K9, R1 R2 R3 R4", ["joker_for_joker"]),
    ("J B5 B6", "JC K7 K8", "B5 B6 JC, J K7 K8", []),
    ("B4 JM J", "JD B9 B10 B3", "B4 JM JD, J B9 B10", ["tiles_do_not_match", "joker_for_joker"]),
    ("B4 JM J", "JD B9 B10", "JD JM B4, J B9 B10", ["joker_for_joker"]),
    ("J B5 B6", "J B5 B6", "J B5 B6, J B5 B6", []),
    ("J B5 B6, JC B5 B6", "B7", "JC B5 B6, J B5 B6 B7", []),
    # A set that is still there as it was lends its place to nobody.
    ("J B5 B6", "JC B5 B6", "J B5 B6, JC B5 B6", []),
    # Whoever touches a mirror that is out of balance mends it.
    ("B4 JM B4 B3", "R1 R2 R3", "R1 R2 R3, B3 B4 JM B4", []),
    ("B4 JM B4 B3", "O4", "B4 JM O4, B3", ["tiles_do_not_match", "illegal_set"]),
    ("B4 JM B4 B3, O9 JM O9", "B3 O8", "B3 B4 JM B4 B3, O8 O9 JM O9", ["mirror_not_mended"]),
    ("B4 JM B4 B3, O9 JM O9 O8", "B3", "B3 B4 JM B4 B3, O9 JM O9 O8", []),
    ("B4 JM B4 B3, R1 R2 R3", "R4", "R1 R2 R3 R4, B3 B4 JM B4", []),
    ("B5 R5 JM B5", "K9 K10 K11", "R5 B5 JM B5, K9 K10 K11", []),
    ("B5 R5 JM B5", "K5 O5", "B5 R5 K5 JM B5 O5", ["mirror_not_mended"]),
    ("B5 R5 JM B5", "K5", "B5 R5 JM B5 K5", []),
    ("O9 JM O9", "O8", "O9 JM O9 O8", []),
]


@pytest.mark.parametrize(("before", "played", "after", "because"), SPECIAL)
def test_special_jokers_are_not_taken_by_another_and_a_mirror_is_mended(before, played, after, because):
    assert turn(before, played, after, ruleset="twist") == because


def test_a_double_is_taken_from_the_hand_only_with_both_its_tiles():
    french = read_ruleset({"base": "french", "tiles": PRESETS["twist"].tiles.as_data()})
    before = [["O2", "JD", "O5"], ["R3", "R4", "R5", "R6"], ["O3", "O4", "O5"]]

    def because(played, after):
        judged = judge_move(french, opened=True, before=before, played=played.split(), after=after)
        return list(judged.because)

    laid = [["R3", "R4", "R5", "R6"], ["O3", "O4", "O5"], ["O2", "O3", "O4", "O5"], ["JD", "K7", "K8"]]
    assert because("O3 O4 K7 K8", laid) == []
    laid = [["R3", "R4", "R5", "R6"], ["JD", "O5", "K8"], ["O2", "O3", "O4", "O5"]]
    assert because("K8", laid) == ["illegal_set"]
    laid = [["R3", "R4", "R5", "R6"], ["JD", "O5", "O6"], ["O2", "O3", "O4", "O5"]]
    assert because("O6", laid) == []
    laid = [["R3", "R4", "R5", "R6"], ["JD", "O7", "O8"], ["O2", "O3", "O4", "O5", "O6"], ["B5", "K5", "O5"]]
    assert because("O6 O7 O8 B5 K5", laid) == ["joker_not_from_hand"]


@given(st.permutations([["R4", "R5", "R6"], ["K9", "B9", "O9"], ["J", "O2", "O3"]]), st.booleans())
def test_the_order_of_the_sets_on_the_table_says_nothing(after, opened):
    judged = judge_move(
        PRESETS["hk-2026"],
        opened=opened,
        before=[["R4", "R5", "R6"], ["J", "O2", "O3"]],
        played=["K9", "B9", "O9"],
        after=after,
    )
    assert judged == (JudgedMove(True) if opened else JudgedMove(False, ("opening_below",)))
