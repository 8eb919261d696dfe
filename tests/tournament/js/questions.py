"""Questions to the rules, worked and random, with the answers of scoring: what the page's engine must answer with ==.

A question is JSON data: `{"verb": "opening" | "set" | "game" | "sheet", "ruleset": fields, ...}`. An answer is too;
points are whole twelfths.
"""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from scoring.entry import GameEntry, SeatEntry, SheetEntry, is_empty, read_whole
from scoring.game import score_game
from scoring.opening import best_opening, could_open
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, Ruleset, read_ruleset
from scoring.sets import judge_set
from scoring.sheet import ReadSeat, check_sheet
from scoring.values import Rack

Data = dict[str, Any]
CASES = Path(__file__).resolve().parents[2] / "scoring" / "cases"
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
TWELFTHS = 12


def in_twelfths(points: Fraction | None) -> int | None:
    """Points as the page holds them."""
    return None if points is None else int(points * TWELFTHS)


# --- What scoring says ------------------------------------------------------------------------------------------


def answer(question: Data) -> Data:
    """The answer of scoring to one question, as JSON has it."""
    try:
        said = ANSWERS[question["verb"]](read_ruleset({"base": "hk-2026", **question["ruleset"]}), question)
    except Refusal as refusal:
        said = {"refused": [refusal.where, refusal.why]}
    return dict(json.loads(json.dumps(said)))


def _opening(ruleset: Ruleset, question: Data) -> Data:
    best = best_opening(ruleset, question["rack"])
    return {
        "best": best.best,
        "could_open": best.could_open,
        "stopping_early": could_open(ruleset, question["rack"]),
        "sets": best.sets,
        "face_value": best.face_value,
        "tiles": best.tiles,
        "rack_value_if_unopened": best.rack_value_if_unopened,
    }


def _set(ruleset: Ruleset, question: Data) -> Data:
    judged = judge_set(ruleset, question["set"])
    return {
        "legal": judged.legal,
        "kind": judged.kind,
        "value": judged.value,
        "stands_for": dict(judged.stands_for),
        "because": judged.because,
    }


def _game(ruleset: Ruleset, question: Data) -> Data:
    racks = [Rack(**{**rack, "rack": rack["rack"] and tuple(rack["rack"])}) for rack in question["racks"]]
    score = score_game(ruleset, question["ended_by"], racks)
    seats = {
        letter: {
            "win": seat.win,
            "points": in_twelfths(seat.points),
            "tiles": seat.tiles,
            "rack_value": seat.rack_value,
            "because": seat.because,
        }
        for letter, seat in score.seats.items()
    }
    return {"seats": seats, "warnings": score.warnings}


def _sheet(ruleset: Ruleset, question: Data) -> Data:
    games = tuple(
        GameEntry(game["ended_by"], {letter: _typed(seat) for letter, seat in game["seats"].items()}, game["starter"])
        for game in question["games"]
    )
    check = check_sheet(ruleset, SheetEntry("rack", tuple(question["seats"]), frozenset(question["leavers"]), games))
    return {
        "games": [
            {
                "ended_by": game.ended_by,
                "starter": game.starter,
                "seats": {at: _read(game.seats[at]) for at in game.seats},
            }
            for game in check.games
        ],
        "totals": {
            letter: {"wins": total.wins, "points": in_twelfths(total.points), "tiles": total.tiles}
            for letter, total in check.totals.items()
        },
        "problems": [[one.weight, one.code, one.where, dict(one.facts)] for one in check.problems],
    }


def _typed(seat: Data) -> SeatEntry:
    """A seat of the tablet as a person would have typed it."""
    texts = {cell: "" if seat[cell] is None else str(seat[cell]) for cell in ("tiles", "face_value")}
    flags = {name: seat[name] for name in ("opened", "could_open", "pushed_over", "left", "absent")}
    return SeatEntry(**texts, rack=" ".join(seat["rack"] or ()), **flags)


def _read(seat: ReadSeat) -> Data:
    return {
        "win": seat.win,
        "points": in_twelfths(seat.points),
        "tiles": seat.tiles,
        "rack_value": seat.rack_value,
        "absent": seat.absent,
        "because": seat.because,
    }


ANSWERS = {"opening": _opening, "set": _set, "game": _game, "sheet": _sheet}


# --- The worked cases -------------------------------------------------------------------------------------------


def worked_questions() -> list[Data]:
    """Every worked case of an opening, a set, a game and a sheet of racks that the page can be asked."""
    found = [{"verb": "opening", **_given(case)} for case in _cases("openings")]
    found += [{"verb": "set", **_given(case)} for case in _cases("sets")]
    found += [_worked_game(case) for case in _cases("games")]
    return found + [_worked_sheet(case) for case in _cases("sheets-rack")]


def _cases(name: str) -> list[Data]:
    return list(json.loads((CASES / f"{name}.json").read_text(encoding="utf-8")))


def _given(case: Data) -> Data:
    return {**case["given"], "ruleset": read_ruleset(case["given"]["ruleset"]).fields_as_data()}


def _worked_game(case: Data) -> Data:
    given = _given(case)
    racks = []
    for seat in given["seats"]:
        rack = {**_rack(seat["seat"]), **seat}
        rack["pushed_over"] = rack.pop("rack_pushed_over", False)
        rack["tiles"] = len(seat["rack"]) if "tiles" not in seat else seat["tiles"]
        racks.append(rack)
    return {"verb": "game", "ruleset": given["ruleset"], "ended_by": given["ended_by"], "racks": racks}


def _worked_sheet(case: Data) -> Data:
    """The figures alone: what is typed beside the racks, and the row of totals, the tablet has not."""
    games = [
        {
            "ended_by": game.get("ended_by", ""),
            "starter": game.get("starter", ""),
            "seats": {letter: _figures(seat) for letter, seat in game.get("seats", {}).items()},
        }
        for game in case["games"]
    ]
    ruleset = read_ruleset(case["ruleset"]).fields_as_data()
    seats, leavers = list(case["seats"]), list(case["leavers"])
    return {"verb": "sheet", "ruleset": ruleset, "seats": seats, "leavers": leavers, "games": games}


def _figures(typed: Data) -> Data:
    flags = {name: typed[name] for name in ("opened", "could_open", "pushed_over", "left", "absent") if name in typed}
    rack = None if is_empty(typed.get("rack", "")) else typed["rack"].replace(",", " ").split()
    counts = {cell: read_whole(typed.get(cell, "")) for cell in ("tiles", "face_value")}
    return {**_seat(), **counts, **flags, "rack": rack}


def _rack(letter: str) -> Data:
    return {"seat": letter, **{name: value for name, value in _seat().items() if name != "absent"}}


def _seat() -> Data:
    return {"tiles": None, "face_value": None, "rack": None, "opened": True, "could_open": None, "pushed_over": False,
            "left": False, "absent": False}  # fmt: skip


# --- Questions by chance ----------------------------------------------------------------------------------------


def random_questions(seed: int, count: int) -> Iterator[Data]:
    """So many questions, the same for the same seed: racks, sets, games and sheets under rulesets of every kind."""
    chance = random.Random(seed)
    kinds = [_random_opening, _random_opening, _random_set, _random_game, _random_game, _random_sheet]
    for _ in range(count):
        ruleset = _random_ruleset(chance)
        yield {"ruleset": ruleset, **chance.choice(kinds)(chance, ruleset)}


def _random_ruleset(chance: random.Random) -> Data:
    name = chance.choice(["hk-2026", "hk-2026", "hk-2026", "school", "french", "twist"])
    fields = PRESETS[name].fields_as_data()
    if chance.random() < 0.4:
        ways: Data = {
            "joker_value": [0, 20, 25, 50],
            "dealt_tiles": [7, 14],
            "opening_minimum": [0, 20, 30, 50],
            "opening_jokers": [True, False],
            "unopened_unable": [None, 50, 100],
            "unopened_able": [None, 150, 200],
            "pushed_over": [None, 150, 200],
            "pool_scoring": ["difference", "raw", None],
            "time_up_scoring": ["difference", "raw", None],
            "lowest_tie": ["fewest_tiles", "unresolved"],
            "games": [1, 2, 3, None],
            "average_over": ["played"],
            "minutes": [60, None],
            "tiles": [{"numbers": 2, "J": 2}, {"numbers": 2, "J": 4}, {"numbers": 1, "J": 2}, {"numbers": 3, "J": 0}],
        }
        fields["average_over"] = "played"
        for field in chance.sample(sorted(ways), 4):
            fields[field] = chance.choice(ways[field])
    return read_ruleset({"base": name, **fields}).fields_as_data()


def _box(chance: random.Random, ruleset: Data) -> list[str]:
    box = NUMBERED * ruleset["tiles"]["numbers"] + ["J"] * ruleset["tiles"]["J"]
    return chance.sample(box, len(box))


def _random_opening(chance: random.Random, ruleset: Data) -> Data:
    size = chance.choice([*range(0, 14), *[14] * 12, *[15, 16, 18, 20, 24]])
    rack = _box(chance, ruleset)[:size]
    if chance.random() < 0.02:
        rack.append(chance.choice(["JD", "X1", "R1", "J"]))
    return {"verb": "opening", "rack": rack}


def _random_set(chance: random.Random, ruleset: Data) -> Data:
    start, colour = chance.randint(1, 13), chance.choice("RBKO")
    run = [f"{colour}{number}" for number in range(start, min(start + chance.randint(2, 14), 14))]
    group = [f"{name}{start}" for name in chance.sample("RBKO", chance.randint(2, 4))]
    tiles = chance.choice([run, run, group, [chance.choice(NUMBERED) for _ in range(chance.randint(0, 5))]])
    for _ in range(chance.choice([0, 0, 0, 1, 1, 2])):
        tiles.insert(chance.randint(0, len(tiles)), "J")
    if tiles and chance.random() < 0.4:
        tiles[chance.randrange(len(tiles))] = chance.choice(["J", chance.choice(NUMBERED)])
    if chance.random() < 0.15:
        chance.shuffle(tiles)
    return {"verb": "set", "set": tiles}


def _random_game(chance: random.Random, ruleset: Data) -> Data:
    letters = sorted(chance.sample("ABCD", chance.choice([2, 3, 4, 4, 4])))
    ended_by, seats = _random_racks(chance, ruleset, letters)
    if chance.random() < 0.2:
        chance.shuffle(letters)
    racks = [{**_rack(letter), **{k: v for k, v in seats[letter].items() if k != "absent"}} for letter in letters]
    for rack in racks:
        rack["tiles"] = rack["tiles"] if rack["tiles"] is not None else len(rack["rack"] or ())
    return {"verb": "game", "ended_by": ended_by, "racks": racks}


def _random_racks(chance: random.Random, ruleset: Data, letters: list[str]) -> tuple[str, Data]:
    """Mostly possible games; values are often equal, so that the lowest are tied."""
    box = _box(chance, ruleset)
    ended_by = chance.choice(["rummikub", "rummikub", "pool", "time"])
    out = chance.choice(letters) if ended_by == "rummikub" and chance.random() < 0.95 else None
    seats: Data = {}
    for letter in letters:
        opened = chance.random() < 0.8
        count = chance.randint(1, 9) if opened else chance.randint(13, 18)
        if letter == out:
            seats[letter] = {**_seat(), "tiles": 0, "face_value": chance.choice([None, None, 0])}
        elif chance.random() < 0.5:
            rack = [box.pop() for _ in range(min(count, len(box)))]
            seats[letter] = {**_seat(), "rack": rack, "tiles": len(rack) if chance.random() < 0.5 else None}
        else:
            value = chance.choice([8, 8, chance.randint(1, 100), count * chance.randint(1, 13)])
            seats[letter] = {**_seat(), "tiles": chance.choice([count, count, 1, 2]), "face_value": value}
        if letter != out:
            could = chance.choice([None, True, False])
            seats[letter] |= {"opened": opened, "could_open": could if not opened else None}
            seats[letter]["pushed_over"] = chance.random() < 0.04
            seats[letter]["left"] = chance.random() < 0.04
    if chance.random() < 0.15:
        seats[chance.choice(letters)][chance.choice(["tiles", "face_value"])] = chance.choice([None, 0, 13, 41, 200])
    return ended_by, seats


def _random_sheet(chance: random.Random, ruleset: Data) -> Data:
    letters = sorted(chance.sample("ABCD", chance.choice([3, 4, 4, 4])))
    leavers = [letter for letter in "ABCD" if chance.random() < 0.08]
    games: list[Data] = []
    for _ in range(chance.choice([ruleset["games"] or 3, ruleset["games"] or 3, 1, 2])):
        playing = letters if chance.random() < 0.95 else sorted(chance.sample("ABCD", 3))
        ended_by, seats = _random_racks(chance, ruleset, playing)
        ended_by = chance.choice(["", "not_played"]) if chance.random() < 0.12 else ended_by
        if ended_by in ("", "not_played") and chance.random() < 0.7:
            seats = {}
        for seat in seats.values():
            seat["absent"] = chance.random() < 0.03
        starter = chance.choice(["", "", *"ABCD"])
        games.append({"ended_by": ended_by, "starter": starter, "seats": seats})
    if len(games) > 1 and chance.random() < 0.05:
        games[-1] = games[0]
    return {"verb": "sheet", "seats": letters, "leavers": leavers, "games": games}
