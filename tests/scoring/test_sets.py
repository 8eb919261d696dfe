"""Is it a run, is it a group, and what is it worth."""

import json
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.ruleset import PRESETS
from scoring.sets import JudgedSet, judge_set

HK = PRESETS["hk-2026"]
CASES = json.loads((Path(__file__).parent / "cases" / "sets.json").read_text(encoding="utf-8"))
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_set_is_judged_as_the_case_says(case):
    judged = judge_set(HK, case["given"]["set"])
    told = {
        "legal": judged.legal,
        "kind": judged.kind,
        "value": judged.value,
        "stands_for": {str(place): list(names) for place, names in judged.stands_for.items()},
        "because": list(judged.because),
    }
    assert {name: told[name] for name in case["answer"]} == case["answer"]


@pytest.mark.parametrize(
    ("tiles", "kind", "value", "stands_for"),
    [
        ("R9 J J", "run", 30, {1: ("R10",), 2: ("R11",)}),
        ("J R9 J", "run", 27, {0: ("R8",), 2: ("R10",)}),
        ("J J R9", "group", 27, {0: ("B9", "K9", "O9"), 1: ("B9", "K9", "O9")}),
        ("R13 J J", "group", 39, {1: ("B13", "K13", "O13"), 2: ("B13", "K13", "O13")}),
        ("J J R13", "group", 39, {0: ("B13", "K13", "O13"), 1: ("B13", "K13", "O13")}),
        ("R1 J J", "run", 6, {1: ("R2",), 2: ("R3",)}),
        ("J R1 J", "group", 3, {0: ("B1", "K1", "O1"), 2: ("B1", "K1", "O1")}),
        ("O5 J B5 K5", "group", 20, {1: ("R5",)}),
        ("R8 J J J J", "run", 50, {1: ("R9",), 2: ("R10",), 3: ("R11",), 4: ("R12",)}),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "run", 91, {}),
        ("J J J", "group", 39, dict.fromkeys(range(3), ("R13", "B13", "K13", "O13"))),
    ],
)
def test_a_legal_set_has_a_kind_a_value_and_places_for_its_jokers(tiles, kind, value, stands_for):
    assert judge_set(HK, tiles.split()) == JudgedSet(True, kind, value, stands_for)


@pytest.mark.parametrize(
    ("tiles", "because"),
    [
        ("", ["too_short"]),
        ("R8", ["too_short"]),
        ("R8 R8", ["too_short"]),
        ("R8 B9", ["too_short"]),
        ("J J", ["too_short"]),
        ("R8 B8 K8 O8 J", ["too_long"]),
        ("R8 B8 K8 O8 R8", ["too_long", "colour_twice"]),
        ("R8 R8 J", ["colour_twice"]),
        ("R8 R8 R8", ["colour_twice"]),
        ("R8 J J J J J J J", ["too_long"]),
        ("J R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", ["too_long"]),
        ("R5 R3 R4", ["not_in_order"]),
        ("R5 J R3", ["not_in_order"]),
        ("R13 R12 R11", ["not_in_order"]),
        ("R3 R5 J", ["not_consecutive"]),
        ("R3 R4 R6", ["not_consecutive"]),
        ("R3 R3 R4", ["not_consecutive"]),
        ("R13 R1 R2", ["not_consecutive"]),
        ("R11 R12 R13 R1", ["not_consecutive"]),
        ("J R1 R2", ["below_1"]),
        ("J J J R3 R4", ["below_1"]),
        ("R12 R13 J", ["past_13"]),
        ("R8 B9 J", ["mixed"]),
        ("R8 B8 R9", ["mixed"]),
        ("R8 B9 K10 O11 R1", ["mixed"]),
    ],
)
def test_an_illegal_set_says_what_is_wrong(tiles, because):
    assert judge_set(HK, tiles.split()) == JudgedSet(False, because=tuple(because))


@pytest.mark.parametrize(
    ("tiles", "where"),
    [
        (["R8", "R14", "R9"], "set[1]"),
        (["R08", "R9", "R10"], "set[0]"),
        (["r8", "R9", "R10"], "set[0]"),
        (["R8", "R9", "R0"], "set[2]"),
        (["R8", "R9", ""], "set[2]"),
    ],
)
def test_what_is_no_tile_is_refused(tiles, where):
    for name in ("hk-2026", "twist"):
        with pytest.raises(Refusal) as refused:
            judge_set(PRESETS[name], tiles)
        assert refused.value.where == where


def test_letters_have_no_sets_of_numbers():
    with pytest.raises(Refusal) as refused:
        judge_set(PRESETS["word"], ["R8", "R9", "R10"])
    assert refused.value.where == "ruleset"


def _readings(tiles):
    """Every way to put a tile in the place of each joker, as a run in order or a group: {value: kinds}."""
    found = {}
    for stood in product(*[[tile] if tile != "J" else NUMBERED for tile in tiles]):
        colours, numbers = [tile[0] for tile in stood], [int(tile[1:]) for tile in stood]
        run = len(set(colours)) == 1 and all(b == a + 1 for a, b in pairwise(numbers))
        group = len(set(numbers)) == 1 and len(set(colours)) == len(colours) <= 4
        if run or group:
            found.setdefault("run" if run else "group", []).append((sum(numbers), stood))
    return found


TILE = st.sampled_from([*NUMBERED, "J", "J", "J", "J"])
NEAR_RUN = st.tuples(st.sampled_from("RBKO"), st.lists(st.integers(1, 13), min_size=3, max_size=5)).map(
    lambda drawn: [f"{drawn[0]}{number}" for number in sorted(drawn[1])]
)
NEAR_GROUP = st.tuples(st.lists(st.sampled_from("RBKO"), min_size=3, max_size=5), st.integers(1, 13)).map(
    lambda drawn: [f"{colour}{drawn[1]}" for colour in drawn[0]]
)


@given(st.one_of(st.lists(TILE, min_size=3, max_size=4), NEAR_RUN, NEAR_GROUP), st.sets(st.integers(0, 4), max_size=2))
def test_a_set_is_legal_exactly_where_some_tiles_in_place_of_its_jokers_make_one(tiles, jokers):
    tiles = ["J" if place in jokers else tile for place, tile in enumerate(tiles)]
    if tiles.count("J") > 2:
        tiles = [tile for tile in tiles if tile != "J"] + ["J", "J"]
    judged, readings = judge_set(HK, tiles), _readings(tiles)
    if len(tiles) < 3 or not readings:
        assert (judged.legal, judged.value) == (False, 0)
        return
    best = max(readings, key=lambda kind: (max(value for value, _ in readings[kind]), kind == "run"))
    value = max(value for value, _ in readings[best])
    assert (judged.legal, judged.kind, judged.value) == (True, best, value)
    stands_for = {
        place: {stood[place] for total, stood in readings[best] if total == value}
        for place, tile in enumerate(tiles)
        if tile == "J"
    }
    assert {place: set(names) for place, names in judged.stands_for.items()} == stands_for
