"""Openings with Twist's jokers, against every way to lay the tiles and against an integer programme."""

import random
from collections import Counter
from functools import cache
from itertools import combinations, permutations

import pytest

from benchmarks.special_packing import special_set_packing
from scoring.opening import best_opening, can_open
from scoring.ruleset import PRESETS, read_ruleset
from scoring.sets import judge_set
from tests.scoring.test_special_sets import by_trying

TWIST = PRESETS["twist"]
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
SPECIALS = ["JD", "JC", "JM"] * 2


def checked(rack, ruleset=TWIST):
    """The best opening, after its sets have been laid out and counted."""
    opening = best_opening(ruleset, rack)
    judged = [judge_set(ruleset, names) for names in opening.sets]
    assert all(one.legal for one in judged)
    assert sum(one.value for one in judged) == opening.best
    assert not Counter(tile for names in opening.sets for tile in names) - Counter(rack)
    assert opening.could_open == can_open(ruleset, rack) == (opening.best >= ruleset.opening_minimum)
    return opening


@cache
def best_of_these(tiles):
    """The greatest value of one set of exactly these tiles, in whatever order they lie."""
    return max((max(by_trying(order).values(), default=0) for order in set(permutations(tiles))), default=0)


def by_laying_everything(rack):
    """The best total of all ways to part a small rack into sets and a rest; nothing of ours is asked."""

    @cache
    def best(tiles):
        if len(tiles) < 3:
            return 0
        totals = [best(tiles[1:])]
        for size in range(2, len(tiles)):
            for others in combinations(range(1, len(tiles)), size):
                value = best_of_these((tiles[0], *(tiles[at] for at in others)))
                if value:
                    rest = tuple(tile for at, tile in enumerate(tiles) if at and at not in others)
                    totals.append(value + best(rest))
        return max(totals)

    return best(tuple(sorted(rack)))


def special_racks(seed, count, least, most):
    """Racks out of a few numbers and colours, where sets compete, with one special joker or more."""
    dice = random.Random(seed)
    for _ in range(count):
        numbers = dice.sample(range(1, 14), dice.randint(3, 9))
        colours = dice.sample("RBKO", dice.choice((1, 2, 3, 4)))
        part = [tile for tile in NUMBERED * 2 if tile[0] in colours and int(tile[1:]) in numbers]
        jokers = [dice.choice(SPECIALS), *dice.sample(["J", "J", "JD", "JC", "JM"], dice.choice((0, 0, 1, 1, 2)))]
        yield dice.sample(part, min(len(part), dice.randint(least, most) - len(jokers))) + jokers


def test_small_racks_agree_with_laying_them_in_every_way():
    racks = list(special_racks(3, 30, 4, 6))
    assert [checked(rack).best for rack in racks] == [by_laying_everything(rack) for rack in racks]


def test_racks_in_play_agree_with_an_integer_programme():
    racks = list(special_racks(7, 8, 8, 14))
    assert [checked(rack).best for rack in racks] == [special_set_packing(rack) for rack in racks]


def test_the_best_opening_is_never_less_than_that_of_a_rack_without_one_of_its_tiles():
    for rack in special_racks(11, 6, 6, 10):
        whole = checked(rack).best
        for gone in range(len(rack)):
            assert best_opening(TWIST, rack[:gone] + rack[gone + 1 :]).best <= whole


def test_the_order_of_the_tiles_says_nothing():
    dice = random.Random(13)
    for rack in special_racks(13, 15, 6, 14):
        shuffled = dice.sample(rack, len(rack))
        assert best_opening(TWIST, shuffled).best == best_opening(TWIST, rack).best


FACTS = [
    ("R12 B12 JD", 48),
    ("JD R12 R13", 46),
    ("R12 JD", 0),
    ("B4 JM B4", 13),
    ("JM JD J", 52),
    ("R3 R4 JC B6 B7", 25),
    ("R10 R11 JC", 33),
    ("R5 B5 K5 O5 R5 B5 JM", 35),
]


@pytest.mark.parametrize(("tiles", "best"), FACTS)
def test_every_kind_of_joker_counts_at_what_it_stands_for(tiles, best):
    rack = tiles.split()
    assert checked(rack).best == best


def test_an_opening_without_jokers_has_no_special_one_either():
    ruleset = read_ruleset({"base": "twist", "opening_jokers": False})
    assert best_opening(ruleset, ["R12", "B12", "JD"]).best == 0
    assert best_opening(ruleset, ["R12", "B12", "K12", "JD", "JC"]).best == 36
