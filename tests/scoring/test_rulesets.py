"""A ruleset is data: five presets, every field read with its type and its bounds."""

import json

import pytest

from scoring.marks import MARKS
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, read_ruleset
from scoring.tiles import face_value_of_box, greatest_face_value, least_face_value

FIELDS = [
    "tiles", "joker_value", "dealt_tiles", "opening_minimum", "opening_jokers", "unopened_unable", "unopened_able",
    *MARKS, "pool_scoring", "time_up_scoring", "lowest_tie", "games", "average_over", "minutes", "turn_seconds",
    "overtime_tiles", "table_sizes", "order", "family_order", "advance", "joker_from_hand", "weather_deadline_minutes",
]  # fmt: skip


def test_the_presets_say_what_the_five_texts_say():
    said = {
        name: [
            ruleset.tiles.size,
            ruleset.joker_value,
            ruleset.opening_minimum,
            ruleset.opening_jokers,
            (ruleset.unopened_unable, ruleset.unopened_able, ruleset.pushed_over),
            ruleset.pool_scoring,
            ruleset.time_up_scoring,
            ruleset.lowest_tie,
            ruleset.games,
            ruleset.order,
            ruleset.advance,
            ruleset.joker_from_hand,
        ]
        for name, ruleset in PRESETS.items()
    }
    flat, plain, both = (100, 200, 200), (None, None, None), ("difference", "difference")
    hk_order = ("wins", "average", "tiles")
    assert said == {
        "hk-2026": [106, 30, 30, True, flat, *both, "fewest_tiles", 3, hk_order, 120, False],
        "twist": [112, 30, 30, True, plain, *both, "unresolved", None, ("wins", "total"), None, False],
        "school": [106, 30, 30, False, plain, *both, "unresolved", 3, ("total",), None, False],
        "word": [112, 30, 6, True, plain, None, None, "unresolved", 1, ("total",), None, False],
        "french": [106, 20, 30, True, plain, None, None, "unresolved", None, ("total",), None, True],
    }


@pytest.mark.parametrize("name", PRESETS)
def test_a_ruleset_written_as_data_is_read_back_unchanged(name):
    written = json.loads(json.dumps(PRESETS[name].as_data()))
    assert read_ruleset(written) == PRESETS[name]
    assert list(PRESETS[name].fields_as_data()) == FIELDS


def test_a_field_changes_and_all_others_stay():
    changed = read_ruleset({"base": "hk-2026", "advance": 8, "order": ["total"], "minutes": None})
    expected = {**PRESETS["hk-2026"].as_data(), "advance": 8, "order": ["total"], "minutes": None}
    assert changed.as_data() == expected


def test_a_ruleset_can_be_a_key():
    assert {PRESETS["hk-2026"]: 1}[read_ruleset("hk-2026")] == 1


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ("chess", "ruleset"),
        ("", "ruleset"),
        (None, "ruleset"),
        (3, "ruleset"),
        (["hk-2026"], "ruleset"),
        ({}, "ruleset.base"),
        ({"advance": 3}, "ruleset.base"),
        ({"base": None}, "ruleset.base"),
        ({"base": "chess"}, "ruleset.base"),
        ({"base": "hk-2026", "name": "x"}, "ruleset.name"),
        ({"base": "hk-2026", "jokers": 1}, "ruleset.jokers"),
        ({"base": "hk-2026", "joker_value": True}, "ruleset.joker_value"),
        ({"base": "hk-2026", "joker_value": "30"}, "ruleset.joker_value"),
        ({"base": "hk-2026", "joker_value": None}, "ruleset.joker_value"),
        ({"base": "hk-2026", "joker_value": -1}, "ruleset.joker_value"),
        ({"base": "hk-2026", "joker_value": 10**9}, "ruleset.joker_value"),
        ({"base": "hk-2026", "opening_jokers": 1}, "ruleset.opening_jokers"),
        ({"base": "hk-2026", "pool_scoring": "lowest"}, "ruleset.pool_scoring"),
        ({"base": "hk-2026", "lowest_tie": None}, "ruleset.lowest_tie"),
        ({"base": "hk-2026", "games": 0}, "ruleset.games"),
        ({"base": "hk-2026", "games": None}, "ruleset.order"),
        ({"base": "hk-2026", "order": []}, "ruleset.order"),
        ({"base": "hk-2026", "order": "wins"}, "ruleset.order"),
        ({"base": "hk-2026", "order": ["wins", "luck"]}, "ruleset.order[1]"),
        ({"base": "hk-2026", "order": ["wins", "wins"]}, "ruleset.order[1]"),
        ({"base": "hk-2026", "order": [["wins"]]}, "ruleset.order[0]"),
        ({"base": "hk-2026", "advance": 0}, "ruleset.advance"),
        ({"base": "hk-2026", "table_sizes": [4, 5]}, "ruleset.table_sizes[1]"),
        ({"base": "hk-2026", "tiles": 106}, "ruleset.tiles"),
        ({"base": "hk-2026", "tiles": {"J": 2}}, "ruleset.tiles.numbers"),
        ({"base": "hk-2026", "tiles": {"numbers": 2, "Z": 2}}, "ruleset.tiles.Z"),
        ({"base": "hk-2026", "tiles": {"numbers": 2, "letters": {"AB": 1}}}, "ruleset.tiles.letters.AB"),
        ({"base": "hk-2026", "tiles": {"numbers": 2, "letters": []}}, "ruleset.tiles.letters"),
    ],
)
def test_what_is_no_ruleset_is_refused_at_its_place(data, where):
    with pytest.raises(Refusal) as refused:
        read_ruleset(data)
    assert refused.value.where == where


def test_so_many_tiles_have_a_least_and_a_greatest_value():
    hk = PRESETS["hk-2026"]
    bounds = {
        tiles: (least_face_value(hk, tiles), greatest_face_value(hk, tiles))
        for tiles in (1, 2, 3, 4, 5, 6, 8, 10, 14, 20)
    }
    assert bounds == {
        1: (1, 30), 2: (2, 60), 3: (3, 73), 4: (4, 86), 5: (5, 99), 6: (6, 112), 8: (8, 138), 10: (12, 164),
        14: (20, 212), 20: (36, 282),
    }  # fmt: skip
    assert [face_value_of_box(PRESETS[name]) for name in ("hk-2026", "twist", "french")] == [788, 968, 768]
