"""Questions to the rules, worked and random, with the answers of scoring: what the page's engine must answer with ==.

A question is JSON data: `{"verb": one of ANSWERS, "ruleset": fields, ...}`. An answer is too; points are
whole twelfths.
"""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from scoring.entry import GameEntry, SeatEntry, SheetEntry, is_blank_cell, read_whole_number
from scoring.game import score_game
from scoring.move import judge_move
from scoring.opening import best_opening, can_open
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, Ruleset, read_ruleset
from scoring.rulings import RULING_NAMES
from scoring.sets import judge_set, set_readings
from scoring.sheet import ReadSeat, check_sheet
from scoring.values import Rack
from scoring.words import LaidWord, WordTurn, joker_cost, opening_words, score_word_turn
from tests.tablets.js.special_questions import (
    NUMBERED,
    Data,
    box_jokers,
    letter_opening,
    special_move,
    special_opening,
    special_set,
    word_turns,
)

CASES = Path(__file__).resolve().parents[2] / "scoring" / "cases"
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
        "stopping_early": can_open(ruleset, question["rack"]),
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
        "unbalanced": judged.unbalanced,
        "readings": [
            {"kind": one.kind, "value": one.value, "stands_for": dict(one.stands_for)}
            for one in set_readings(ruleset, question["set"])
        ],
    }


def _move(ruleset: Ruleset, question: Data) -> Data:
    turn = {name: question[name] for name in ("opened", "before", "played", "after")}
    judged = judge_move(ruleset, **turn)
    return {"legal": judged.legal, "because": judged.because}


def _word(ruleset: Ruleset, question: Data) -> Data:
    turns = [
        WordTurn(tuple(LaidWord(**word) for word in turn["words"]), turn["rack_emptied"]) for turn in question["turns"]
    ]
    values = [score_word_turn(turn, f"turns[{at}]") for at, turn in enumerate(turns)]
    return {"turns": values, "total": sum(values) - joker_cost(ruleset, question["jokers_left"])}


def _letters(ruleset: Ruleset, question: Data) -> Data:
    opening = opening_words(ruleset, question["rack"], question["words"])
    jokers = dict(zip(opening.words, opening.jokers, strict=True))
    return {"could_open": bool(opening.words), "words": opening.words, "jokers": jokers}


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
        GameEntry(
            game["ended_by"],
            {letter: _typed(seat) for letter, seat in game["seats"].items()},
            game["starter"],
            game["ruling"],
        )
        for game in question["games"]
    )
    check = check_sheet(ruleset, SheetEntry("rack", tuple(question["seats"]), frozenset(question["leavers"]), games))
    return {
        "games": [
            {
                "ended_by": game.ended_by,
                "starter": game.starter,
                "ruling": game.ruling,
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


ANSWERS = {
    "opening": _opening,
    "set": _set,
    "move": _move,
    "game": _game,
    "sheet": _sheet,
    "word": _word,
    "letters": _letters,
}


# --- The worked cases -------------------------------------------------------------------------------------------


def worked_questions() -> list[Data]:
    """Every worked case that the page can be asked: openings, sets, moves, words, games and sheets of racks."""
    found = [{"verb": "opening", **_given(case)} for case in _cases("openings")]
    found += [{"verb": "set", **_given(case)} for case in _cases("sets")]
    found += [{"verb": "move", **_given(case)} for case in _cases("moves")]
    found += [{"verb": case["verb"], **_given(case)} for case in _cases("twist")]
    found += [{"verb": "word", **_given({"given": {"ruleset": "word", **case["given"]}})} for case in _cases("words")]
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
            "ruling": game.get("ruling", ""),
            "seats": {letter: _figures(seat) for letter, seat in game.get("seats", {}).items()},
        }
        for game in case["games"]
    ]
    ruleset = read_ruleset(case["ruleset"]).fields_as_data()
    seats, leavers = list(case["seats"]), list(case["leavers"])
    return {"verb": "sheet", "ruleset": ruleset, "seats": seats, "leavers": leavers, "games": games}


def _figures(typed: Data) -> Data:
    flags = {name: typed[name] for name in ("opened", "could_open", "pushed_over", "left", "absent") if name in typed}
    rack = None if is_blank_cell(typed.get("rack", "")) else typed["rack"].replace(",", " ").split()
    counts = {cell: read_whole_number(typed.get(cell, "")) for cell in ("tiles", "face_value")}
    return {**_seat(), **counts, **flags, "rack": rack}


def _rack(letter: str) -> Data:
    return {"seat": letter, **{name: value for name, value in _seat().items() if name != "absent"}}


def _seat() -> Data:
    return {"tiles": None, "face_value": None, "rack": None, "opened": True, "could_open": None, "pushed_over": False,
            "left": False, "absent": False}  # fmt: skip


# --- Questions by chance ----------------------------------------------------------------------------------------


def random_questions(seed: int, count: int) -> Iterator[Data]:
    """So many questions, the same for the same seed: racks, sets, turns, games, sheets and words under every kind of
    ruleset. Nearly half are about Twist's jokers; a few are asked under rules that do not know what they are about."""
    chance = random.Random(seed)
    kinds = [_random_opening, _random_set, _random_game, _random_game, _random_sheet]
    special = [special_set, special_set, special_move, special_move, special_opening]
    for _ in range(count):
        question = chance.choice([*kinds, *special, word_turns, letter_opening])
        names = ["hk-2026", "hk-2026", "hk-2026", "school", "french", "twist", "twist"]
        if chance.random() < 0.96:
            names = TWIST_NAMES if question in special else WORD_NAMES if question in WORD_QUESTIONS else names
        ruleset = _random_ruleset(chance, chance.choice(names))
        yield {"ruleset": ruleset, **question(chance, ruleset)}


TWIST_NAMES = ["twist"]
WORD_NAMES = ["word"]
WORD_QUESTIONS = [word_turns, letter_opening]


PLAIN_BOXES = [{"numbers": 2, "J": 2}, {"numbers": 2, "J": 4}, {"numbers": 1, "J": 2}, {"numbers": 3, "J": 0}]
BOXES: dict[str, list[Data]] = {
    "hk-2026": PLAIN_BOXES,
    "school": PLAIN_BOXES,
    "french": PLAIN_BOXES,
    "twist": [
        {"numbers": 2, "J": 2, "JD": 2, "JC": 2, "JM": 2},
        {"numbers": 2, "J": 0, "JD": 1, "JC": 0, "JM": 3},
        {"numbers": 1, "J": 3, "JD": 2, "JC": 1, "JM": 0},
        {"numbers": 3, "J": 1, "JD": 0, "JC": 2, "JM": 1},
    ],
    "word": [
        {"numbers": 0, "J": 1, "letters": {"A": 4, "e": 3, "J": 1, "T": 2, "ß": 1}},
        {"numbers": 0, "J": 3, "letters": {"α": 2, "S": 4, "G": 1, "O": 2, "D": 1}},
    ],
}
"""Boxes that an organiser may make of a game's, with jokers of some kinds, more copies, other letters."""


def _random_ruleset(chance: random.Random, name: str) -> Data:
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
            "tiles": BOXES[name],
        }
        fields["average_over"] = "played"
        if name == "word":
            del ways["games"]  # the sheet of a box of letters has one game
        for field in chance.sample(sorted(ways), 4):
            fields[field] = chance.choice(ways[field])
    if name == "twist" and chance.random() < 0.5:
        fields["joker_from_hand"] = True
    return read_ruleset({"base": name, **fields}).fields_as_data()


def _box(chance: random.Random, ruleset: Data) -> list[str]:
    box = NUMBERED * ruleset["tiles"]["numbers"] + box_jokers(chance, ruleset)
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
        ruling = chance.choice(["", "", "", *RULING_NAMES])
        games.append({"ended_by": ended_by, "starter": starter, "ruling": ruling, "seats": seats})
    if len(games) > 1 and chance.random() < 0.05:
        games[-1] = games[0]
    return {"verb": "sheet", "seats": letters, "leavers": leavers, "games": games}
