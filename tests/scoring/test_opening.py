"""The opening check: exact, always. Two other programs that share nothing with it are asked the same."""

import json
import random
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.opening import set_packing
from scoring.opening import Opening, best_opening, can_open
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, read_ruleset
from scoring.sets import judge_set

HK = PRESETS["hk-2026"]
CASES = json.loads((Path(__file__).parent / "cases" / "openings.json").read_text(encoding="utf-8"))
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
BOX = [*NUMBERED, *NUMBERED, "J", "J"]


def checked(rack, ruleset=HK):
    """The best opening, after its sets have been laid out and counted."""
    opening = best_opening(ruleset, rack)
    judged = [judge_set(ruleset, names) for names in opening.sets]
    assert all(one.legal for one in judged)
    assert sum(one.value for one in judged) == opening.best
    assert not Counter(tile for names in opening.sets for tile in names) - Counter(rack)
    assert opening.could_open == can_open(ruleset, rack) == (opening.best >= ruleset.opening_minimum)
    return opening


def by_trying(rack):
    """The best total by trying every set that holds the first tile, or none: slow, and nothing to get wrong."""
    order = {name: place for place, name in enumerate([*NUMBERED, "J"])}

    @cache
    def best(tiles):
        if len(tiles) < 3 or tiles[0] == "J":
            return 0
        first, jokers = tiles[0], tiles.count("J")
        totals = [best(tiles[1:])]
        for wanted, value in sets_with(first):
            lacking = [tile for tile in wanted if tile not in tiles]
            # Also with a joker beside its own tile: any further tile of the set may stay on the rack.
            for more in range(jokers - len(lacking) + 1):
                for spared in combinations([tile for tile in wanted if tile in tiles and tile != first], more):
                    left = list(tiles)
                    for tile in wanted:
                        left.remove("J" if tile in lacking or tile in spared else tile)
                    totals.append(value + best(tuple(left)))
        return max(totals)

    @cache
    def sets_with(tile):
        colour, number = tile[0], int(tile[1:])
        found = []
        for length in (3, 4, 5):
            for lowest in range(max(1, number - length + 1), min(number, 14 - length) + 1):
                run = range(lowest, lowest + length)
                found.append(([f"{colour}{n}" for n in run], sum(run)))
        for length in (3, 4):
            for colours in combinations("RBKO", length):
                if colour in colours:
                    found.append(([f"{c}{number}" for c in colours], number * length))
        return found

    return best(tuple(sorted(rack, key=order.__getitem__)))


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_opening_is_that_of_the_case(case):
    opening = checked(case["given"]["rack"], read_ruleset(case["given"]["ruleset"]))
    assert {name: getattr(opening, name) for name in case["answer"]} == case["answer"]


FACTS = [
    ("R6 R7 R8 J", 30),
    ("R8 B8 K8 J", 32),
    ("R9 J J", 30),
    ("R13 J J", 39),
    ("R10 B10 K10 O10 J", 40),
    ("R10 R10 B10 B10 K10 J", 60),
    ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", 91),
    # Three of a number with both copies in sight: the joker is a third copy.
    ("R11 R12 R13 R11 R13 J", 72),
    ("R12 R12 R13 R13 B11 K11 J J", 72),
    # 13 is not followed by 1.
    ("R12 R13 R1 R2", 0),
    ("", 0),
    ("J J", 0),
    ("R13 B13", 0),
    ("R5 R5 R5", None),
]


@pytest.mark.parametrize(("tiles", "best"), FACTS)
def test_jokers_count_also_where_they_look_redundant(tiles, best):
    rack = tiles.split()
    if best is None:
        with pytest.raises(Refusal) as refused:
            best_opening(HK, rack)
        assert refused.value.where == "rack[2]"
    else:
        assert checked(rack).best == best == by_trying(rack)


def test_the_answer_holds_the_rack_and_what_it_is_worth_unopened():
    rack = ["R9", "J", "B2", "J"]
    assert best_opening(HK, rack) == Opening(30, True, (("R9", "J", "J"),), 71, 4, 200)
    assert best_opening(PRESETS["school"], rack) == Opening(0, False, (), 71, 4, 71)
    assert best_opening(PRESETS["french"], rack) == Opening(30, True, (("R9", "J", "J"),), 51, 4, 51)
    assert best_opening(PRESETS["twist"], rack) == Opening(30, True, (("R9", "J", "J"),), 71, 4, 71)
    assert best_opening(HK, []) == Opening(0, False, (), 0, 0, 100)


def test_sets_are_written_runs_ascending_with_jokers_in_place_and_groups_r_b_k_o_j():
    assert best_opening(HK, ["R13", "J", "R11"]).sets == (("R11", "J", "R13"),)
    assert best_opening(HK, ["J", "O13", "B13", "R13"]).sets == (("R13", "B13", "O13", "J"),)


@pytest.mark.parametrize("minimum", [0, 1, 29, 30, 31, 90, 788])
def test_could_open_follows_the_minimum_of_the_ruleset(minimum):
    ruleset = read_ruleset({"base": "hk-2026", "opening_minimum": minimum})
    for rack in (["R9", "R10", "R11"], ["R6", "R7", "R8", "J"], [], ["R1"]):
        checked(rack, ruleset)


@pytest.mark.parametrize(
    ("name", "rack", "where"),
    [
        ("hk-2026", ["R9", "R9", "B1", "R9"], "rack[3]"),
        ("hk-2026", ["J", "J", "J"], "rack[2]"),
        ("hk-2026", ["R9", "JD"], "rack[1]"),
        ("hk-2026", ["JC"], "rack[0]"),
        ("school", ["R9", "JM"], "rack[1]"),
        ("twist", ["R9", "JD", "JD", "JD"], "rack[3]"),
        ("twist", ["R9", "Q"], "rack[1]"),
        ("hk-2026", ["R9", "X1"], "rack[1]"),
        ("word", ["R9"], "ruleset"),
    ],
)
def test_what_is_no_rack_of_the_set_is_refused(name, rack, where):
    with pytest.raises(Refusal) as refused:
        best_opening(PRESETS[name], rack)
    assert refused.value.where == where


def dense_racks(seed, count, least, most):
    """Racks out of a few numbers, a few colours or a few cells, where sets compete; jokers often."""
    dice = random.Random(seed)
    for _ in range(count):
        numbers = dice.sample(range(1, 14), dice.randint(3, 13))
        colours = dice.sample("RBKO", dice.choice((1, 2, 3, 4, 4, 4)))
        part = [tile for tile in NUMBERED * 2 if tile[0] in colours and int(tile[1:]) in numbers]
        size = min(len(part), dice.randint(least, most))
        yield dice.sample(part, size) + ["J"] * dice.choice((0, 1, 1, 2, 2))


def test_small_racks_agree_with_trying_everything():
    racks = list(dense_racks(1, 300, 3, 11))
    assert [checked(rack).best for rack in racks] == [by_trying(rack) for rack in racks]


@pytest.mark.parametrize(("least", "most", "count"), [(3, 14, 200), (15, 40, 100), (41, 104, 20)])
def test_racks_of_any_size_agree_with_an_integer_programme(least, most, count):
    racks = list(dense_racks(least, count, least, most))
    assert [checked(rack).best for rack in racks] == [set_packing(rack) for rack in racks]


def test_all_tiles_of_the_box_go_and_both_jokers_are_thirteens():
    assert checked(list(BOX)).best == 728 + 26


RACK = st.lists(st.sampled_from(sorted(set(BOX))), min_size=0, max_size=16).map(
    lambda drawn: [tile for place, tile in enumerate(drawn) if drawn[:place].count(tile) < 2]
)


@given(RACK, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_says_nothing(rack, dice):
    shuffled = list(rack)
    dice.shuffle(shuffled)
    assert best_opening(HK, shuffled) == best_opening(HK, rack)


@given(RACK, st.sampled_from(sorted(set(BOX))))
def test_a_tile_more_never_makes_an_opening_less(rack, tile):
    if rack.count(tile) < 2:
        assert checked([*rack, tile]).best >= checked(rack).best


@given(RACK)
def test_colours_are_alike(rack):
    turned = [tile if tile == "J" else {"R": "B", "B": "K", "K": "O", "O": "R"}[tile[0]] + tile[1:] for tile in rack]
    assert best_opening(HK, turned).best == best_opening(HK, rack).best


@given(RACK)
def test_an_opening_is_worth_no_more_than_its_tiles_with_jokers_at_thirteen(rack):
    faces = sum(13 if tile == "J" else int(tile[1:]) for tile in rack)
    assert 0 <= checked(rack).best <= faces


def test_more_tiles_than_an_interface_rack_are_refused():
    ruleset = read_ruleset({"base": "hk-2026", "tiles": {"numbers": 8, "J": 2}})
    with pytest.raises(Refusal) as refused:
        best_opening(ruleset, [*NUMBERED, *NUMBERED, "R1", "R2", "R3"])
    assert refused.value.where == "rack"


@pytest.mark.parametrize(("numbers", "jokers", "size"), [(2, 4, 11), (3, 3, 12), (4, 2, 12), (1, 5, 9)])
def test_a_box_of_other_counts_agrees_with_an_integer_programme(numbers, jokers, size):
    ruleset = read_ruleset({"base": "hk-2026", "tiles": {"numbers": numbers, "J": jokers}})
    dice = random.Random(size)
    racks = [dice.sample(NUMBERED * numbers, size) + ["J"] * jokers for _ in range(20)]
    assert [best_opening(ruleset, rack).best for rack in racks] == [set_packing(rack) for rack in racks]
