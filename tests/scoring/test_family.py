"""The award for the best pair of child and parent: sums, the ladder, who is out and why (R40)."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.family import (
    FAMILY_CRITERION_VALUES,
    ExcludedFamilyUnit,
    FamilyTieStep,
    FamilyUnit,
    FamilyUnitMember,
    award_steps,
    rank_families,
    separate_units,
)
from scoring.ruleset import CRITERION_NAMES, PRESETS
from scoring.separation import SeparationStep
from scoring.shell.verbs import VERBS
from scoring.values import GameResult, Record

HK = PRESETS["hk-2026"]
CASES = json.loads((Path(__file__).parent / "cases" / "families.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_families_stand_as_the_case_says(case):
    assert VERBS["family"](case["given"]) == case["answer"]


def member(id, role, rank, *games, status="ok"):
    """A member in short: each game (win, points, tiles)."""
    results = tuple(GameResult(win, Fraction(points), tiles) for win, points, tiles in games)
    return FamilyUnitMember(Record(id, results, status), role, rank)


def unit(id, child, parent):
    """A unit of one game each: (rank, win, points, tiles) of the child and of the parent."""
    sides = (("child", child), ("parent", parent))
    return FamilyUnit(id, tuple(member(f"{id}-{role}", role, rank, game) for role, (rank, *game) in sides))


# a leads by wins; b, c, d are level in the sums, b by the better rank, c by the other's; e is last
LADDER = [
    unit("e", (50, 0, -9, 5), (60, 0, -9, 5)),
    unit("d", (5, 1, 4, 1), (21, 0, 2, 1)),
    unit("c", (20, 0, 3, 2), (5, 1, 3, 0)),
    unit("b", (4, 1, 5, 1), (30, 0, 1, 1)),
    unit("a", (8, 1, 0, 3), (9, 1, 0, 3)),
]


def test_the_ladder_is_told_step_by_step():
    told = rank_families(HK, LADDER)
    assert [(standing.rank, standing.id) for standing in told.standings] == [
        (1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"),
    ]  # fmt: skip
    assert told.rungs == (
        FamilyTieStep("wins", ("a", "b", "c", "d", "e"), (("a",), ("b", "c", "d"), ("e",))),
        FamilyTieStep("total", ("b", "c", "d"), (("b", "c", "d"),)),
        FamilyTieStep("tiles", ("b", "c", "d"), (("b", "c", "d"),)),
        FamilyTieStep("better_rank", ("b", "c", "d"), (("b",), ("c", "d"))),
        FamilyTieStep("other_rank", ("c", "d"), (("c",), ("d",))),
    )
    assert (told.winner, told.unresolved) == ("a", ())


def test_two_units_are_compared_by_every_step_with_both_values():
    standings = {standing.id: standing for standing in rank_families(HK, LADDER).standings}
    compared = separate_units(HK, standings["b"], standings["c"])
    assert (compared.decided_by, compared.ahead) == ("better_rank", 1)
    assert compared.steps[2:] == (
        SeparationStep("tiles", Fraction(2), Fraction(2), Fraction(0), "equal", 0),
        SeparationStep("better_rank", Fraction(4), Fraction(5), Fraction(1), "decided", 1),
        SeparationStep("other_rank", Fraction(30), Fraction(20), Fraction(10), "not_used", -1),
    )


def test_a_full_tie_at_the_end_of_the_ladder_stays_level():
    told = rank_families(HK, [unit("x", (4, 1, 5, 1), (4, 0, 1, 1)), unit("w", (4, 0, 1, 1), (4, 1, 5, 1))])
    assert (told.winner, told.unresolved) == (None, ("w", "x"))
    assert told.rungs[-1] == FamilyTieStep("other_rank", ("w", "x"), (("w", "x"),))


def test_an_average_is_the_sum_of_both_averages():
    played = replace(HK, family_order=("average",), average_over="played")
    short = FamilyUnit("s", (member("1", "child", 1, (0, 12, 0)), member("2", "parent", 2, (0, 3, 0), (0, 3, 0))))
    long = FamilyUnit("l", (member("3", "child", 3, (0, 8, 0), (0, 8, 0)), member("4", "parent", 4, (0, 6, 0))))
    told = rank_families(played, [long, short])
    assert [(standing.id, standing.average) for standing in told.standings] == [("s", 15), ("l", 14)]
    assert [standing.average for standing in rank_families(HK, [long]).standings] == [Fraction(22, 3)]
    assert [standing.average for standing in rank_families(PRESETS["twist"], [long]).standings] == [None]


def test_of_two_who_may_not_be_ranked_the_childs_status_is_told_in_any_order():
    pair = (member("1", "child", 1, status="withdrawn"), member("2", "parent", 2, status="forfeited"))
    assert (
        rank_families(HK, [FamilyUnit("u", pair)]).out
        == rank_families(HK, [FamilyUnit("u", pair[::-1])]).out
        == (ExcludedFamilyUnit("u", "withdrawn"),)
    )


def test_every_step_can_be_explained():
    assert set(FAMILY_CRITERION_VALUES) == {*CRITERION_NAMES, "better_rank", "other_rank"}


# --- Whatever the results ---------------------------------------------------------------------------------------

results = st.tuples(
    st.integers(0, 1), st.integers(-24, 24).map(lambda twelfths: Fraction(twelfths, 12)), st.integers(0, 2)
)
sides = st.tuples(st.integers(1, 3), st.lists(results, min_size=1, max_size=3))
pairs = st.lists(st.tuples(sides, sides), min_size=1, max_size=6)
orders = st.permutations(CRITERION_NAMES).flatmap(lambda names: st.integers(1, 4).map(lambda many: tuple(names[:many])))


def units_of(given_pairs, name="u{}"):
    return [
        FamilyUnit(
            name.format(number),
            tuple(
                member(f"{name.format(number)}-{role}", role, rank, *games)
                for role, (rank, games) in zip(("child", "parent"), pair, strict=True)
            ),
        )
        for number, pair in enumerate(given_pairs)
    ]


@given(pairs, st.randoms(use_true_random=False))
def test_neither_the_order_of_units_nor_of_members_matters(given_pairs, random):
    units = units_of(given_pairs)
    mixed = [FamilyUnit(unit.id, unit.members[::-1] if random.random() < 0.5 else unit.members) for unit in units]
    random.shuffle(mixed)
    assert rank_families(HK, mixed) == rank_families(HK, units)


@given(pairs)
def test_other_ids_change_nothing_but_the_ids(given_pairs):
    last = len(given_pairs)
    one = rank_families(HK, units_of(given_pairs))
    other = rank_families(HK, [replace(unit, id=f"z{last - n}") for n, unit in enumerate(units_of(given_pairs))])
    assert {f"z{last - int(s.id[1:])}": s.rank for s in one.standings} == {s.id: s.rank for s in other.standings}


@given(pairs, st.sampled_from(["withdrawn", "no finalist", "no games", "two children"]))
def test_a_unit_that_is_out_changes_nothing_for_the_others(given_pairs, why):
    units = units_of(given_pairs)
    best = (1, 99, 0)
    child, parent = member("x", "child", 1, best), member("y", "parent", 1, best)
    spoilt = {
        "withdrawn": (child, member("y", "parent", 1, best, status="withdrawn")),
        "no finalist": (child, member("y", "parent", None, best)),
        "no games": (child, member("y", "parent", 1)),
        "two children": (child, replace(parent, role="child")),
    }
    with_it, without = rank_families(HK, [FamilyUnit("out", spoilt[why]), *units]), rank_families(HK, units)
    assert replace(with_it, out=()) == without
    assert [entry.id for entry in with_it.out] == ["out"]


@given(pairs, orders, st.data())
def test_worse_results_never_win(given_pairs, order, data):
    """Worse in no more than one game of one member, and better in nothing: the rank never rises."""
    ruleset = replace(HK, family_order=order)
    units = units_of(given_pairs)
    place = data.draw(st.integers(0, len(units) - 1))
    child, parent = units[place].members
    first, *others = child.record.games
    worse = replace(first, win=0, points=first.points - data.draw(st.integers(0, 3)), tiles=first.tiles + 1)
    fallen = replace(child, record=replace(child.record, games=(worse, *others)), rank=child.rank + 1)
    after = [*units[:place], FamilyUnit(units[place].id, (fallen, parent)), *units[place + 1 :]]
    ranks = [{s.id: s.rank for s in rank_families(ruleset, all_units).standings} for all_units in (units, after)]
    assert ranks[1][units[place].id] >= ranks[0][units[place].id]


@given(pairs, orders)
def test_ranks_rungs_and_comparisons_say_the_same(given_pairs, order):
    ruleset = replace(HK, family_order=order)
    told = rank_families(ruleset, units_of(given_pairs))
    assert len({standing.id for standing in told.standings}) == len(given_pairs)
    for one in told.standings:
        for other in told.standings:
            ahead = (other.rank > one.rank) - (other.rank < one.rank)
            assert separate_units(ruleset, one, other).ahead == ahead
    first = [standing.id for standing in told.standings if standing.rank == 1]
    assert (told.winner, told.unresolved) == ((first[0], ()) if len(first) == 1 else (None, tuple(first)))
    assert {rung.step for rung in told.rungs} <= set(award_steps(ruleset))
    for rung in told.rungs:
        assert sorted(id for group in rung.groups for id in group) == list(rung.level)
