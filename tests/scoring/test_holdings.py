"""What so many tiles can be worth, held against trying every hand (R22)."""

from itertools import combinations

import pytest

from scoring.marks import Marks, ruled_value
from scoring.rack_value_kinds import can_lie_together, classify_rack_value, face_bounds, jokers_needed
from scoring.ruleset import PRESETS

HK, SCHOOL, FRENCH = PRESETS["hk-2026"], PRESETS["school"], PRESETS["french"]
FACES = [number for number in range(1, 14) for _ in range(8)]


@pytest.mark.parametrize(
    ("tiles", "least", "greatest"),
    [
        (1, 1, 30),
        (2, 2, 60),
        (3, 3, 73),
        (4, 4, 86),
        (5, 5, 99),
        (6, 6, 112),
        (8, 8, 138),
        (10, 12, 164),
        (14, 20, 212),
        (20, 36, 282),
        (106, 788, 788),
        (107, 0, 0),
    ],
)
def test_the_bounds_are_those_of_the_rules(tiles, least, greatest):
    assert face_bounds(HK, tiles) == (least, greatest)


@pytest.mark.parametrize("ruleset", [HK, FRENCH], ids=["hk-2026", "french"])
@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_the_values_of_few_tiles_are_those_of_every_hand_there_is(ruleset, tiles):
    hands: dict[int, int] = {}
    for jokers in range(min(2, tiles) + 1):
        for numbers in combinations(FACES[::2], tiles - jokers):
            hands.setdefault(sum(numbers) + jokers * ruleset.joker_value, jokers)
    found = {value: jokers_needed(ruleset, value, tiles) for value in range(0, 100)}
    assert {value: jokers for value, jokers in found.items() if jokers is not None} == hands


@pytest.mark.parametrize(
    ("ruleset", "value", "tiles", "pushed_over", "holding"),
    [
        (HK, 30, 1, False, "face"),
        (HK, 14, 1, False, "impossible"),
        (HK, 100, 14, False, "face"),
        (HK, 100, 40, False, "flat"),
        (HK, 100, 4, False, "flat_under_dealt"),
        (HK, 200, 4, False, "ruling"),
        (HK, 200, 40, False, "face"),
        (HK, 200, 60, False, "flat"),
        (HK, 200, 4, True, "ruling"),
        (HK, 100, 14, True, "impossible"),
        (HK, 100, 107, False, "flat_under_dealt"),
        (SCHOOL, 200, 4, False, "impossible"),
        (SCHOOL, 12, 4, True, "face"),
    ],
)
def test_a_rack_value_is_a_sum_of_faces_a_flat_value_a_ruling_or_nothing(ruleset, value, tiles, pushed_over, holding):
    ruled = ruled_value(ruleset, Marks(pushed_over=pushed_over))
    assert classify_rack_value(ruleset, value, tiles, ruled) == holding


def test_racks_possible_apart_may_not_lie_together():
    assert can_lie_together(HK, [(4, 4), (4, 4)])
    assert not can_lie_together(HK, [(4, 4), (4, 4), (4, 4)])
