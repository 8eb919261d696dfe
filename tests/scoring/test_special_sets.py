"""Sets with Twist's jokers: every way to read them, against a reading by brute force that shares nothing with ours."""

import json
from itertools import groupby, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.ruleset import PRESETS
from scoring.sets import JudgedSet, judge_set, set_readings
from tests.scoring.documents import answer

TWIST = PRESETS["twist"]
CASES = json.loads((Path(__file__).parent / "cases" / "twist.json").read_text(encoding="utf-8"))
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_answer_is_that_of_the_case(case):
    told = answer(case["verb"], case["given"])
    assert {name: told.get(name) for name in case["answer"]} == case["answer"]


# --- What a set is, by brute force ----------------------------------------------------------------------------


def spread(names):
    """Each place of the tiles as they lie: colour and number, or None for one that a joker takes."""
    places = []
    for name in names:
        places += [None] * (2 if name == "JD" else 1) if name[0] == "J" else [(name[0], int(name[1:]))]
    return places


def colours_of_a_run(names):
    """Whether the numbered tiles may be those of a run, stretch by stretch."""
    stretches = [{n[0] for n in part if n[0] != "J"} for part in split_at(names, "JC")]
    return all(len(part) <= 1 for part in stretches) and not any(
        left and left == right for left, right in pairwise(stretches)
    )


def split_at(names, kind):
    parts = [[]]
    for name in names:
        if name == kind:
            parts.append([])
        else:
            parts[-1].append(name)
    return parts


def fits(places, numbers):
    return all(1 <= n <= 13 for n in numbers) and all(
        place is None or place[1] == n for place, n in zip(places, numbers, strict=True)
    )


def by_trying(names):
    """The greatest value of each way to read a set: {(kind, step of a mirror or None): value}."""
    found = {}

    def keep(kind, step, value):
        found[kind, step] = max(value, found.get((kind, step), 0))

    if len(names) < 3:
        return found
    if "JM" in names:
        left, right = split_at(names, "JM")[:2]
        if names.count("JM") > 1 or "JC" in names or not left or not right:
            return found
        sides = [spread(left)[::-1], spread(right)]
        for mirror, step in product(range(1, 14), (-1, 0, 1)):
            numbers = [[mirror + step * far for far in range(1, len(side) + 1)] for side in sides]
            if abs(len(sides[0]) - len(sides[1])) > 1 or not all(map(fits, sides, numbers)):
                continue
            colours = [[place[0] for place in side if place] for side in sides]
            one_colour = len({*colours[0], *colours[1]}) <= 1
            apart = all(len(set(side)) == len(side) for side in colours) and max(map(len, sides)) <= 3
            if one_colour if step else apart:
                keep("run" if step else "group", step, mirror + sum(map(sum, numbers)))
        return found
    places = spread(names)
    for first in range(1, 14):
        if fits(places, range(first, first + len(places))) and colours_of_a_run(names):
            keep("run", None, sum(range(first, first + len(places))))
        colours = [place[0] for place in places if place]
        apart = len(set(colours)) == len(colours) and len(places) <= 4 and "JC" not in names
        if fits(places, [first] * len(places)) and apart:
            keep("group", None, first * len(places))
    return found


JOKER = st.sampled_from(["J", "JD", "JC", "JM"])


@st.composite
def near_sets(draw):
    """Sets that are legal often: a run or a group, plain or about a mirror, with jokers in some places."""
    colour, first, step = draw(st.sampled_from("RBKO")), draw(st.integers(1, 13)), draw(st.sampled_from([-1, 0, 1]))
    numbers = range(first, first + step * draw(st.integers(3, 6)), step) if step else [first] * draw(st.integers(3, 6))
    tiles = [f"{colour}{number}" for number in numbers if 1 <= number <= 13]
    if not step or draw(st.booleans()):
        tiles = [draw(st.sampled_from("RBKO")) + tile[1:] for tile in tiles]
    if draw(st.booleans()):
        tiles = [*tiles[:0:-1], "JM", *tiles[1 : len(tiles) - draw(st.integers(0, 1))]]
    for place in draw(st.sets(st.integers(0, max(len(tiles) - 1, 0)), max_size=4)):
        if place < len(tiles):
            tiles[place] = draw(JOKER)
    return tiles


SETS = st.one_of(near_sets(), st.lists(JOKER | st.sampled_from(NUMBERED), max_size=6), st.lists(JOKER, max_size=8))


@given(SETS)
def test_a_set_is_read_in_every_way_there_is_and_in_no_other(names):
    tried = by_trying(names)
    readings = set_readings(TWIST, names)
    assert sorted((reading.kind, reading.value) for reading in readings) == sorted(
        (kind, value) for (kind, _), value in tried.items()
    )
    judged = judge_set(TWIST, names)
    assert judged.legal == bool(tried) != bool(judged.because)
    if tried:
        assert (judged.kind, judged.value, judged.stands_for) == (
            readings[0].kind, readings[0].value, readings[0].stands_for,
        )  # fmt: skip
        assert judged.value == max(tried.values())
        assert (judged.kind == "run") == any(kind == "run" and v == judged.value for (kind, _), v in tried.items())


@given(SETS)
def test_a_plain_set_has_the_best_of_its_readings(names):
    names = ["J" if name[0] == "J" else name for name in names]
    readings, judged = set_readings(TWIST, names), judge_set(TWIST, names)
    assert judged.legal == bool(readings)
    if readings:
        assert (judged.kind, judged.value) == (readings[0].kind, readings[0].value)
        assert judged.stands_for == readings[0].stands_for


@given(SETS)
def test_a_legal_set_stays_legal_when_a_joker_is_replaced_by_what_it_stands_for(names):
    judged = judge_set(TWIST, names)
    for place, stands in judged.stands_for.items():
        kind = names[place]
        if kind not in ("J", "JD"):
            continue
        in_run = judged.kind == "run"
        ways = [[name] for name in stands]
        if kind == "JD" and in_run:
            ways = [list(pair) for pair in zip(stands[::2], stands[1::2], strict=True)]
            if "JM" in names and place < names.index("JM"):
                ways = [pair[::-1] for pair in ways]
        elif kind == "JD":
            ways = [[one, two] for one in stands for two in stands if one < two]
        legal = [
            any(
                (reading.kind, reading.value) == (judged.kind, judged.value)
                for reading in set_readings(TWIST, [*names[:place], *way, *names[place + 1 :]])
            )
            for way in ways
        ]
        # A stretch with no numbered tile may be of any colour but its neighbours', which none of its jokers knows.
        stretch = next(part for part in stretches_of(names) if place in part)
        lone = "JC" in names and all(names[at][0] == "J" for at in stretch)
        assert any(legal) if lone else all(legal)


def stretches_of(names):
    return [list(part) for _, part in groupby(range(len(names)), key=lambda at: names[:at].count("JC"))]


@given(SETS)
def test_a_mirror_read_from_the_right_is_the_same_as_from_the_left(names):
    if names.count("JM") != 1:
        return
    here, there = judge_set(TWIST, names), judge_set(TWIST, names[::-1])
    assert (here.legal, here.kind, here.value, here.because, here.unbalanced) == (
        there.legal, there.kind, there.value, there.because, there.unbalanced,
    )  # fmt: skip
    mirror = names.index("JM")
    turned = {len(names) - 1 - place: stands for place, stands in there.stands_for.items()}
    for place, stands in here.stands_for.items():
        # In a group the mirror stands for what the side before it lacks.
        if here.kind == "run" or place != mirror:
            assert turned[place] == stands


UNBALANCED = [
    ("B4 JM B4", False), ("B4 JM B4 B3", True), ("B3 B4 JM B4", True), ("JD JM B4 B3", False), ("JD JM B4", True),
    ("B5 R5 JM B5", True), ("B3 B4 B5", None), ("J JM J", False), ("JM B4 B4", None),
]  # fmt: skip


@pytest.mark.parametrize(("tiles", "unbalanced"), UNBALANCED)
def test_a_mirror_set_says_whether_it_is_out_of_balance(tiles, unbalanced):
    assert judge_set(TWIST, tiles.split()).unbalanced is unbalanced


@pytest.mark.parametrize(
    ("tiles", "because"),
    [
        ("JD B9", ["too_short"]),
        ("JD JM", ["too_short"]),
        ("R5 B5 JD JD", ["too_long"]),
        ("R5 R5 JD", ["colour_twice"]),
        ("R5 R5 B5 JD", ["too_long", "colour_twice"]),
        ("R2 JD R4", ["not_consecutive"]),
        ("R5 JD R2", ["not_in_order"]),
        ("R12 R13 JC", ["past_13"]),
        ("JC R1 R2", ["below_1"]),
        ("R2 JC R5", ["not_consecutive"]),
        ("R2 JC B5", ["not_consecutive"]),
        ("R2 B3 JC B5", ["mixed"]),
        ("R2 JC B4 JC B6", ["mixed"]),
        ("R3 B4 JD", ["mixed"]),
        ("JC R5 B5", ["mixed"]),
        ("R5 B5 K5 O5 JM R5 B5 K5 O5", ["mixed"]),
        ("B12 B13 JM B13 B12", ["mixed"]),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 JD", ["too_long"]),
    ],
)
def test_an_illegal_set_with_special_jokers_says_what_is_wrong(tiles, because):
    assert judge_set(TWIST, tiles.split()) == JudgedSet(False, because=tuple(because))


def test_readings_come_on_request_best_first():
    told = answer("set", {"ruleset": "twist", "set": ["B4", "JM", "B4"], "readings": "all"})
    assert told == {
        "legal": True, "kind": "run", "value": 13, "stands_for": {"1": ["B5"]},
        "readings": [
            {"kind": "run", "value": 13, "stands_for": {"1": ["B5"]}},
            {"kind": "group", "value": 12, "stands_for": {"1": ["R4", "K4", "O4"]}},
            {"kind": "run", "value": 11, "stands_for": {"1": ["B3"]}},
        ],
        "unbalanced": False,
    }  # fmt: skip
    best = {"legal": True, "kind": "run", "value": 13, "stands_for": {"1": ["B5"]}}
    assert answer("set", {"ruleset": "twist", "set": ["B4", "JM", "B4"], "readings": "best"}) == best
    plain = answer("set", {"ruleset": "hk-2026", "set": ["R9", "J", "J"], "readings": "all"})
    assert [(reading["kind"], reading["value"]) for reading in plain["readings"]] == [("run", 30), ("group", 27)]
    assert "unbalanced" not in plain
    illegal = answer("set", {"ruleset": "twist", "set": ["JM", "B4", "B4"], "readings": "all"})
    assert illegal == {"legal": False, "because": ["mixed"], "readings": []}


@pytest.mark.parametrize("readings", ["some", "", None, True, ["all"]])
def test_other_readings_are_refused(readings):
    assert answer("set", {"ruleset": "twist", "set": ["B4", "JM", "B4"], "readings": readings})["where"] == "readings"


@pytest.mark.parametrize(
    ("ruleset", "names", "where"),
    [
        ("hk-2026", ["R8", "JD", "R9"], "set[1]"),
        ("school", ["R8", "R9", "JC"], "set[2]"),
        ("french", ["JM", "R8", "R9"], "set[0]"),
        ({"base": "twist", "tiles": {"numbers": 2, "J": 2, "JD": 2}}, ["R8", "JD", "JM"], "set[2]"),
        ("twist", ["R8", "JX", "R9"], "set[1]"),
        ("twist", ["R8", "Q", "R9"], "set[1]"),
        ("word", ["Q", "Q", "Q"], "ruleset"),
    ],
)
def test_a_tile_that_the_box_does_not_hold_is_refused_at_its_place(ruleset, names, where):
    assert answer("set", {"ruleset": ruleset, "set": names})["where"] == where


def test_a_box_of_another_name_with_special_jokers_reads_them_too():
    box = {"base": "hk-2026", "tiles": {"numbers": 2, "J": 2, "JD": 1}}
    assert answer("set", {"ruleset": box, "set": ["O2", "JD", "O5"]})["value"] == 14
    with pytest.raises(Refusal):
        judge_set(PRESETS["hk-2026"], ["O2", "JD", "O5"])
