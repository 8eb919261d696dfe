"""Openings with Twist's jokers, against every way to lay the tiles and against an integer programme."""

import random
from collections import Counter
from functools import cache
from itertools import combinations, permutations

import pytest

from benchmarks.special_packing import special_set_packing
from scoring.opening import best_opening, can_open
from scoring.ruleset import PRESETS, read_ruleset
from scoring.set_prices import least_prices
from scoring.sets import judge_set
from scoring.special_columns import sets_of_rack
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


def test_large_racks_agree_with_an_integer_programme():
    racks = [*special_racks(19, 2, 30, 30), *special_racks(23, 1, 40, 40)]
    assert [checked(rack).best for rack in racks] == [special_set_packing(rack) for rack in racks]


# --- Long sets fall apart, and prices -------------------------------------------------------------------------


def long_runs(dice):
    """A run upwards, of up to nine tiles and any jokers."""
    number, colour, names = dice.randint(1, 5), dice.choice("RBKO"), []
    while number <= 13 and len(names) < 9:
        name = dice.choice([f"{colour}{number}"] * 3 + ["J", "JD", "JC"])
        names.append(name)
        number += 2 if name == "JD" else 1
        if name == "JC":
            colour = dice.choice([other for other in "RBKO" if other != colour])
    return names


def long_mirror_sets(dice):
    """Both sides of a mirror outwards, at one number or at numbers that rise or fall."""
    number, step, width = dice.randint(1, 13), dice.choice((-1, 0, 1)), dice.randint(1, 6)
    sides = []
    for places in (width, width + dice.randint(0, 1)):
        side, far = [], 1
        colours = dice.sample("RBKO", 4) if step == 0 else "R" * 9
        while far <= places:
            colour = colours[far % len(colours)]
            name = dice.choice([f"{colour}{number + step * far}"] * 4 + ["J"] + ["JD"] * (far < places))
            side.append(name)
            far += 2 if name == "JD" else 1
        sides.append(side)
    return [*sides[0][::-1], "JM", *sides[1]]


def test_no_legal_set_however_long_is_worth_more_than_the_opening_it_is():
    dice = random.Random(29)
    ruleset = read_ruleset({"base": "twist", "tiles": {"numbers": 2, "J": 4, "JD": 4, "JC": 4, "JM": 2}})
    box = dict.fromkeys(NUMBERED, 2) | dict(ruleset.tiles.jokers)
    shown = 0
    while shown < 150:
        names = dice.choice((long_runs, long_mirror_sets))(dice)
        if not set(names) <= box.keys() or Counter(names) - Counter(box):
            continue
        judged = judge_set(ruleset, names)
        if judged.legal and len(names) > 5:
            assert checked(names, ruleset).best >= judged.value
            shown += 1


def priced_racks():
    """For each rack: what it has of the tiles that some set holds, the sets, its best total."""
    for rack in special_racks(31, 8, 8, 16):
        held, sets = Counter(rack), sets_of_rack(Counter(rack))
        usable = {name for one in sets for name in one.names}
        if usable:
            yield rack, {name: held[name] for name in held if name in usable}, sets


def test_no_set_is_worth_more_than_its_tiles_cost_however_few_steps_are_made():
    for rack, held, sets in priced_racks():
        for steps in (0, 1, 2, 5, 100):
            of, unit, excesses = prices = least_prices(held, sets, steps)
            assert excesses == [sum(of[name] for name in one.names) - one.value * unit for one in sets]
            assert min(excesses) >= 0
            assert min(of.values()) >= 0
            assert all(of[name] <= of["J"] for name in of if name[0] != "J" and "J" in of)
            assert prices.of_rack(held) >= best_opening(TWIST, rack).best * unit


def test_the_rack_costs_no_more_than_it_would_be_worth_if_sets_could_be_laid_in_parts():
    for rack, held, sets in priced_racks():
        prices = least_prices(held, sets)
        assert prices.of_rack(held) <= round(special_set_packing(rack, relaxed=True) * prices.unit, 6)


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
