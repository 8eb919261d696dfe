"""What holds for every legal game, and of the engine as a whole."""

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.game import score_game
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, read_ruleset
from scoring.tiles import check_face_value
from scoring.values import ALL_SEAT_LETTERS, Rack

ROOT = Path(__file__).resolve().parents[2]
HK = PRESETS["hk-2026"]
RULESETS = [
    HK,
    read_ruleset({"base": "hk-2026", "pool_scoring": "raw", "time_up_scoring": "raw"}),
    read_ruleset({"base": "hk-2026", "joker_value": 25, "unopened_able": 50, "unopened_unable": None}),
    read_ruleset({"base": "twist", "lowest_tie": "fewest_tiles"}),
    PRESETS["school"],
    PRESETS["french"],
]


@st.composite
def games(draw, rulesets=tuple(RULESETS)):
    """A ruleset, how the game ended, and racks dealt from one box; ties are made often."""
    ruleset = draw(st.sampled_from(rulesets))
    jokers = [kind for kind, copies in ruleset.tiles.jokers for _ in range(copies)]
    box = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)] * ruleset.tiles.numbers + jokers
    dice = draw(st.randoms(use_true_random=False))
    dice.shuffle(box)
    letters = draw(st.lists(st.sampled_from(ALL_SEAT_LETTERS), min_size=2, max_size=4, unique=True))
    ended_by = draw(st.sampled_from(["rummikub", "time", "pool"]))
    out = dice.randrange(len(letters)) if ended_by == "rummikub" else None
    racks = []
    for place, letter in enumerate(letters):
        if place == out:
            racks.append(Rack(letter, 0))
            continue
        size = draw(st.sampled_from([1, 1, 2, 3, 14, 20]))
        tiles = tuple(box.pop() for _ in range(size))
        opened = size < 14 or draw(st.booleans())
        flat_verdict = draw(st.sampled_from([None, None, True, False]))
        special = any(tile in ("JD", "JC", "JM") for tile in tiles) and ruleset.has_flat_values
        racks.append(
            Rack(
                letter,
                size,
                rack=tiles,
                opened=opened or special,
                could_open=flat_verdict,
                pushed_over=draw(st.sampled_from([False] * 9 + [True])),
                left=len(letters) > 2 and place == len(letters) - 1 and draw(st.booleans()),
            )
        )
    twin = draw(st.booleans())
    if twin and ended_by != "rummikub":
        # The same value on two racks, told by its face value alone.
        values = [replace(rack, rack=None, opened=True, face_value=7, tiles=draw(st.integers(1, 3))) for rack in racks]
        racks = [values[place] if draw(st.booleans()) else rack for place, rack in enumerate(racks)]
    return ruleset, ended_by, racks


def scored(game):
    """The score, or None where the ruleset leaves the game open."""
    try:
        return score_game(*game)
    except Refusal as refusal:
        assert refusal.where in ("ended_by", "seats")
        return None


@given(games())
def test_the_points_of_a_game_sum_to_exactly_zero(game):
    score = scored(game)
    if score:
        assert sum(seat.points for seat in score.seats.values()) == 0


@given(games())
def test_points_are_whole_twelfths_and_exact(game):
    score = scored(game)
    for seat in score.seats.values() if score else ():
        assert type(seat.points) is Fraction
        assert 12 % seat.points.denominator == 0
        assert type(seat.win) is type(seat.tiles) is type(seat.rack_value) is int


@given(games())
def test_winners_are_paid_what_the_others_lose(game):
    ruleset, ended_by, racks = game
    score = scored(game)
    if not score:
        return
    left = {rack.seat for rack in racks if rack.left}
    lowest = min(seat.rack_value for letter, seat in score.seats.items() if letter not in left)
    paid = {letter for letter, seat in score.seats.items() if letter not in left and seat.rack_value == lowest}
    base = lowest if ruleset.pool_scoring == "difference" else 0
    losses = {letter: max(0, seat.rack_value - base) for letter, seat in score.seats.items() if letter not in paid}
    assert {letter: score.seats[letter].points for letter in losses} == {
        letter: -loss for letter, loss in losses.items()
    }
    assert {score.seats[letter].points for letter in paid} == {Fraction(sum(losses.values()), len(paid))}
    winners = {letter for letter, seat in score.seats.items() if seat.win}
    fewest = min(score.seats[letter].tiles for letter in paid)
    assert winners == {letter for letter in paid if score.seats[letter].tiles == fewest}
    if ended_by == "rummikub":
        assert len(winners) == 1 == len(paid)


@given(games(), st.permutations(ALL_SEAT_LETTERS), st.randoms(use_true_random=False))
def test_seats_are_alike(game, letters, dice):
    ruleset, ended_by, racks = game
    turned = dict(zip(ALL_SEAT_LETTERS, letters, strict=True))
    moved = [replace(rack, seat=turned[rack.seat]) for rack in racks]
    dice.shuffle(moved)
    score, other = scored(game), scored((ruleset, ended_by, moved))
    if score is None or other is None:
        assert score is other
        return
    assert dict(other.seats) == {turned[letter]: seat for letter, seat in score.seats.items()}
    assert list(other.seats) == sorted(other.seats)
    assert other.warnings == score.warnings


@given(games())
def test_values_and_points_keep_their_bounds(game):
    ruleset, _, racks = game
    score = scored(game)
    if not score:
        return
    flat = {ruleset.unopened_able, ruleset.unopened_unable, ruleset.pushed_over}
    whole = sum(seat.rack_value for seat in score.seats.values())
    faces = 0
    for rack in racks:
        seat = score.seats[rack.seat]
        if {"ice_able", "ice_unable", "pushed_over"} & set(seat.because):
            assert seat.rack_value in flat
        else:
            check_face_value(ruleset, seat.rack_value, seat.tiles, "")
            faces += seat.rack_value
        assert abs(seat.points) <= whole < 2**31
    assert faces <= 788 + 30 * 6


@given(games(rulesets=(HK,)))
def test_flat_values_are_only_100_and_200_and_go_with_their_codes(game):
    score = scored(game)
    for seat in score.seats.values() if score else ():
        told = [code for code in seat.because if code in ("ice_unable", "ice_able", "pushed_over")]
        assert told in ([], ["ice_unable"], ["ice_able"], ["pushed_over"])
        if told:
            assert seat.rack_value == {"ice_unable": 100, "ice_able": 200, "pushed_over": 200}[told[0]]


CODES = [
    "went_out", "lowest_rack", "fewest_tiles", "more_tiles", "shared", "ice_unable", "ice_able",
    "could_open_overruled", "pushed_over", "left", "joker_held",
]  # fmt: skip


@given(games())
def test_codes_come_once_and_in_the_order_of_the_interface(game):
    score = scored(game)
    for seat in score.seats.values() if score else ():
        places = [CODES.index(code) for code in seat.because]
        assert places == sorted(set(places))
    if score:
        order = ["unopened_under_14", "flat_value_wins", "all_equal"]
        assert list(score.warnings) == [code for code in order if code in score.warnings]


@given(games())
def test_a_rack_told_by_its_value_scores_as_its_tiles_do(game):
    ruleset, ended_by, racks = game
    score = scored(game)
    if not score:
        return
    by_value = [
        replace(
            rack,
            rack=None,
            face_value=sum(int(t[1:]) if t[0] != "J" else ruleset.joker_value for t in rack.rack),
            could_open="ice_able" in score.seats[rack.seat].because,
        )
        if rack.rack is not None
        else rack
        for rack in racks
    ]
    other = score_game(ruleset, ended_by, by_value)
    assert {letter: (seat.win, seat.points, seat.rack_value) for letter, seat in other.seats.items()} == {
        letter: (seat.win, seat.points, seat.rack_value) for letter, seat in score.seats.items()
    }


@given(games(rulesets=(HK,)), st.data())
def test_a_lower_rack_never_costs_its_owner_nor_pays_the_others(game, data):
    _, ended_by, racks = game
    place = data.draw(st.integers(0, len(racks) - 1))
    rack = racks[place]
    if rack.tiles < 2 or ended_by == "rummikub" or rack.left:
        return
    plain = [replace(one, rack=None, face_value=60 + 5 * n, tiles=5, opened=True) for n, one in enumerate(racks)]
    plain = [replace(one, pushed_over=False) for one in plain]
    lower = list(plain)
    lower[place] = replace(plain[place], face_value=plain[place].face_value - data.draw(st.integers(0, 50)))
    before, after = score_game(HK, ended_by, plain), score_game(HK, ended_by, lower)
    letter = rack.seat
    assert (after.seats[letter].win, after.seats[letter].points) >= (
        before.seats[letter].win,
        before.seats[letter].points,
    )
    others = [one.seat for one in racks if one.seat != letter]
    assert all(after.seats[one].points <= before.seats[one].points for one in others)


# --- The engine as a whole ------------------------------------------------------------------------------------

SOURCES = sorted((ROOT / "scoring").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROOT)) for path in SOURCES])
def test_no_ruleset_s_name_decides_anything(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Compare, ast.MatchValue)):
            told = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            assert not told & set(PRESETS)
            assert not any(isinstance(part, ast.Attribute) and part.attr == "name" and isinstance(part.value, ast.Name)
                           and part.value.id == "ruleset" for part in ast.walk(node))  # fmt: skip


def test_the_same_input_gives_the_same_bytes_in_any_process_and_place():
    lines = (ROOT / "tests/scoring/cases").joinpath("rankings.json").read_text(encoding="utf-8")
    given_lines = "".join(json.dumps(case["given"], ensure_ascii=False) + "\n" for case in json.loads(lines))
    racks = json.loads((ROOT / "tests/scoring/cases/openings.json").read_text(encoding="utf-8"))
    rack_lines = "".join(json.dumps(case["given"]) + "\n" for case in racks)
    answers = set()
    for seed, locale, zone in (("0", "C", "UTC"), ("1", "zh_HK.UTF-8", "Asia/Hong_Kong"), ("random", "", "")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone}
        told = b""
        for verb, text in (("rank", given_lines), ("opening", rack_lines)):
            command = [sys.executable, "-m", "scoring", verb, "--lines"]
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, cwd=ROOT, env=environment, check=True, timeout=60
            )
            told += done.stdout
        answers.add(told)
    assert len(answers) == 1
