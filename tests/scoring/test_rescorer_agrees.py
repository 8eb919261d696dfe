"""The rules and the re-scorer, which share no line, come to the same wins, points, ranks and cut."""

import random
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.opening import can_open
from scoring.ruleset import PRESETS
from tests import rescorer
from tests.scoring.tournaments import BOX, compare_seeded, make_tournament, score


@given(st.integers(0, 2**32), st.sampled_from([7, 40, 61, 100]), st.integers(1, 30))
@settings(max_examples=20, deadline=None)
def test_twenty_tournaments_come_out_the_same(seed, entrants, places):
    tournament = make_tournament(random.Random(seed), entrants)
    assert score(tournament, places) == rescorer.rescore(tournament, places)


def test_the_comparison_counts_what_it_compared_and_meets_ties_across_the_line():
    counts = compare_seeded(range(20), 60, 12)
    assert (counts["tournaments"], counts["lines"], counts["differing"]) == (20, 1200, 0)
    assert counts["games"] > 2000
    assert counts["unresolved"] > 0


def test_a_scorer_that_forgot_a_rule_would_be_found_out():
    """The positive control: with the flat values of the re-scorer off by one the comparison must differ."""
    kept = rescorer.UNABLE
    rescorer.UNABLE = kept + 1
    try:
        assert compare_seeded(range(3), 60, 12)["differing"] > 0
    finally:
        rescorer.UNABLE = kept
    assert compare_seeded(range(3), 60, 12)["differing"] == 0


@given(st.permutations(BOX), st.integers(3, 22))
@settings(max_examples=150, deadline=None)
def test_both_say_the_same_of_whether_a_rack_could_open(box, count):
    rack = tuple(box[:count])
    assert rescorer.could_open(list(rack)) == can_open(PRESETS["hk-2026"], rack)


def test_the_examples_of_the_event_come_out_as_printed():
    def example(*racks):
        game = rescorer.score_game(
            "pool",
            {letter: {"value": value, "tiles": tiles} for letter, (value, tiles) in zip("ABCD", racks, strict=True)},
        )
        return [game[letter] for letter in "ABCD"]

    eleven = Fraction(11)
    assert example((5, 1), (10, 1), (15, 3), (20, 4)) == [(1, 30, 1), (0, -5, 1), (0, -10, 3), (0, -15, 4)]
    assert example((8, 3), (8, 1), (20, 2), (18, 4)) == [(0, eleven, 3), (1, eleven, 1), (0, -12, 2), (0, -10, 4)]
    assert example((8, 1), (8, 1), (20, 2), (18, 4)) == [(1, eleven, 1), (1, eleven, 1), (0, -12, 2), (0, -10, 4)]
