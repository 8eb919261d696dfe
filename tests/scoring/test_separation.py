"""What separates two standings: each criterion in the ruleset's order, exact, and which one decided."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ranking import CRITERION_FUNCTIONS, rank_records
from scoring.ruleset import PRESETS
from scoring.separation import (
    STANDING_CRITERION_VALUES,
    RankNeighbours,
    Separation,
    SeparationStep,
    neighbours_in_ranking,
    separate_standings,
)
from scoring.values import Tally

HK = PRESETS["hk-2026"]


def standings(*tallies, ruleset=HK):
    """Two and more entrants a, b, c ... as (wins, points, tiles), ranked, by id."""
    records = [
        Tally(id, 3, wins, Fraction(points), tiles) for id, (wins, points, tiles) in zip("abcd", tallies, strict=False)
    ]
    return {standing.id: standing for standing in rank_records(ruleset, records).standings}


def test_the_average_decides_and_tiles_are_not_used_though_they_favour_the_other():
    found = standings((2, Fraction(75, 2), 8), (2, Fraction(113, 3), 11))
    assert separate_standings(HK.order, found["a"], found["b"]) == Separation(
        "a",
        "b",
        -1,
        (
            SeparationStep("wins", 2, 2, 0, "equal", 0),
            SeparationStep("average", Fraction(25, 2), Fraction(113, 9), Fraction(1, 18), "decided", -1),
            SeparationStep("tiles", 8, 11, 3, "not_used", 1),
        ),
    )


@pytest.mark.parametrize(
    ("one", "other", "decided_by", "ahead"),
    [
        ((3, 0, 0), (2, 90, 0), "wins", 1),
        ((2, 0, 0), (2, 1, 0), "average", -1),
        ((2, 1, 5), (2, 1, 4), "tiles", -1),
        ((2, 1, 4), (2, 1, 4), None, 0),
    ],
)
def test_the_first_difference_decides(one, other, decided_by, ahead):
    found = standings(one, other)
    compared = separate_standings(HK.order, found["a"], found["b"])
    assert (compared.decided_by, compared.ahead) == (decided_by, ahead)


def test_where_no_number_of_games_is_fixed_totals_are_compared():
    twist = PRESETS["twist"]
    found = standings((1, 9, 2), (1, 4, 1), ruleset=twist)
    compared = separate_standings(twist.order, found["a"], found["b"])
    assert [(step.criterion, step.outcome, step.difference) for step in compared.steps] == [
        ("wins", "equal", 0),
        ("total", "decided", 5),
    ]


def test_every_criterion_of_the_ranking_can_be_explained():
    assert set(STANDING_CRITERION_VALUES) == set(CRITERION_FUNCTIONS)


results = st.tuples(
    st.integers(0, 3), st.integers(-36, 36).map(lambda twelfths: Fraction(twelfths, 12)), st.integers(0, 4)
)
orders = st.permutations(["wins", "average", "tiles", "total"]).flatmap(
    lambda names: st.integers(1, 4).map(lambda many: tuple(names[:many]))
)


@given(results, results, orders)
def test_it_agrees_with_the_ranks_whatever_the_order(one, other, order):
    ruleset = replace(HK, order=order)
    found = standings(one, other, ruleset=ruleset)
    compared = separate_standings(ruleset.order, found["a"], found["b"])
    difference = found["b"].rank - found["a"].rank
    assert compared.ahead == (difference > 0) - (difference < 0)
    assert [step.criterion for step in compared.steps] == list(ruleset.order)


@given(results, results)
def test_seen_from_the_other_side_it_is_the_same_with_the_sides_changed(one, other):
    found = standings(one, other)
    there, back = (
        separate_standings(HK.order, found["a"], found["b"]),
        separate_standings(HK.order, found["b"], found["a"]),
    )
    assert back.ahead == -there.ahead
    assert [(step.other, step.one, -step.favours) for step in back.steps] == [
        (step.one, step.other, step.favours) for step in there.steps
    ]


def test_who_shares_a_rank_is_level_and_the_neighbours_are_the_next_results():
    a, b, c, d = standings((3, 0, 0), (2, 0, 0), (2, 0, 0), (1, 0, 0)).values()
    assert [neighbours_in_ranking((a, b, c, d), place) for place in range(4)] == [
        RankNeighbours(None, (), b),
        RankNeighbours(a, (c,), d),
        RankNeighbours(a, (b,), d),
        RankNeighbours(c, (), None),
    ]
