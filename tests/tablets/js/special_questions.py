"""Questions by chance about Twist's jokers and about words, as untidy as what people lay and type: sets that are nearly
legal, turns with a tile too many, racks in which sets compete, a tile of another game's box.

Each takes the ruleset's fields and gives a question without its ruleset.
"""

import random
from collections.abc import Callable
from typing import Any

from scoring.ruleset import JOKERS, read_ruleset
from scoring.set_readings import MIN_SET_LENGTH
from scoring.sets import JudgedSet, judge_set
from scoring.words import LEAST_LETTERS

Data = dict[str, Any]
Names = list[Any]
Laid = tuple[list[str], JudgedSet]
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
STRANGE = ["R14", "r5", "B0", "JX", "", "A", "j", 7, None]
"""What is no tile of any number rack."""
WORDS = [
    "GOD",
    "god",
    "BLESS",
    "Chip",
    "LAP",
    "pear",
    "STRASSE",
    "straße",
    "ΣΑΣ",
    "σας",
    "JACKET",
    "jacket",
    "ox",
    "é1",
]
LETTERS = "AAEEIIOOTTRRSSNNLLDGJjaert"


def box_jokers(chance: random.Random, ruleset: Data) -> list[str]:
    """Every joker of the ruleset's box, shuffled."""
    jokers = [kind for kind in JOKERS for _ in range(ruleset["tiles"][kind])]
    return chance.sample(jokers, len(jokers))


# --- Sets -------------------------------------------------------------------------------------------------------


def special_set(chance: random.Random, ruleset: Data) -> Data:
    """A set that is legal often; now and then with a tile that is none, or of jokers alone."""
    way = chance.random()
    if way < 0.06:
        tiles: Names = [chance.choice(JOKERS) for _ in range(chance.randint(0, 8))]
    elif way < 0.12:
        tiles = [chance.choice([*JOKERS, *chance.sample(NUMBERED, 4)]) for _ in range(chance.randint(0, 7))]
    else:
        tiles = list(near_set(chance))
    if chance.random() < 0.1:
        chance.shuffle(tiles)
    if chance.random() < 0.04:
        tiles.insert(chance.randint(0, len(tiles)), chance.choice(STRANGE))
    return {"verb": "set", "set": tiles}


def near_set(chance: random.Random) -> list[str]:
    """A run, a group or a mirror set with jokers in some places, a wrong tile in few."""
    step = chance.choice([-1, 1, 1, 1, 0])
    tiles = _in_line(chance, step, chance.randint(3, 6) + (chance.random() < 0.1) * 8)
    if step >= 0 and chance.random() < 0.7:
        tiles = tiles if step else chance.sample([f"{colour}{tiles[0][1:]}" for colour in "RBKO"], min(len(tiles), 4))
    else:
        tiles = _mirrored(chance, tiles)
    for _ in range(chance.choice([0, 1, 1, 1, 2, 2, 3])):
        _put_joker(chance, tiles)
    if chance.random() < 0.1:
        tiles[chance.randrange(len(tiles))] = chance.choice(NUMBERED)
    return tiles


def _in_line(chance: random.Random, step: int, length: int) -> list[str]:
    colour, first = chance.choice("RBKO"), chance.choice([chance.randint(1, 13), chance.randint(4, 10)])
    return [f"{colour}{number}" for n in range(length) if 1 <= (number := first + step * n) <= 13]


def _mirrored(chance: random.Random, tiles: list[str]) -> list[str]:
    """The tiles outwards from a mirror on both sides, one of which may be shorter; those of a group in all colours."""
    side = tiles[: chance.randint(1, 4)]
    if len(set(side)) < len(side):
        side = chance.sample([f"{colour}{side[0][1:]}" for colour in "RBKO"], min(len(side), 3))
    other = side[: len(side) - chance.choice([0, 0, 0, 1])] or side
    return [*side[::-1], "JM", *other] if chance.random() < 0.5 else [*other[::-1], "JM", *side]


def _put_joker(chance: random.Random, tiles: list[str]) -> None:
    """A joker in the place of a tile, a double of two that lie together; behind a colour change all is of another."""
    place = chance.randrange(len(tiles))
    kind = chance.choice(["J", "JD", "JD", "JC", "JC", "JM"])
    if tiles[place] == "JM" and chance.random() < 0.9:
        return
    tiles[place : place + (2 if kind == "JD" and chance.random() < 0.8 else 1)] = [kind]
    if kind == "JC" and chance.random() < 0.8:
        other = chance.choice("RBKO")
        tiles[place + 1 :] = [name if name[0] == "J" else other + name[1:] for name in tiles[place + 1 :]]


# --- Turns ------------------------------------------------------------------------------------------------------


def special_move(chance: random.Random, ruleset: Data) -> Data:
    """A turn: some sets on the table, one of the things that people do with them, and sometimes a slip."""
    table = [_legal_set(chance, ruleset) for _ in range(chance.choice([0, 1, 1, 2, 2, 3]))]
    before = [list(names) for names, _ in table]
    after = [list(names) for names in before]
    played: Names = []
    for _ in range(chance.choice([0, *[1] * 8, 2])):
        act = chance.choice(ACTS) if table else lay_a_set
        act(chance, ruleset, table, after, played)
    if not played and chance.random() < 0.7:
        lay_a_set(chance, ruleset, table, after, played)
    if chance.random() < 0.2:
        _slip(chance, before, played, after)
    if chance.random() < 0.3:
        chance.shuffle(after)
    return {"verb": "move", "opened": chance.random() < 0.6, "before": before, "played": played, "after": after}


def _legal_set(chance: random.Random, ruleset: Data) -> Laid:
    rules = read_ruleset({"base": "twist", **ruleset})
    while True:
        special = chance.random() < 0.8
        names = [name if special or name[0] != "J" else "J" for name in near_set(chance)]
        if not all(name not in JOKERS or ruleset["tiles"][name] or name == "J" for name in names):
            continue
        judged = judge_set(rules, names)
        if judged.legal:
            return names, judged


def lay_a_set(chance: random.Random, ruleset: Data, table: list[Laid], after: list[Names], played: Names) -> None:
    names, _ = _legal_set(chance, ruleset)
    after.append(list(names))
    played += names


def lengthen(chance: random.Random, ruleset: Data, table: list[Laid], after: list[Names], played: Names) -> None:
    """A tile more at one end of a set or at both; of a mirror set often the same at both."""
    laid = after[chance.randrange(len(after))]
    ends = [name for name in (laid[0], laid[-1]) if name in NUMBERED]
    if not ends:
        return
    colour, number = ends[0][0], int(ends[0][1:])
    name = f"{chance.choice([colour, colour, colour, 'R', 'K'])}{number + chance.choice([-1, 1, 1, 0])}"
    if name not in NUMBERED:
        return
    for place in chance.choice([[0], [1], [0, 1]]):
        laid.insert(place * len(laid), name)
        played.append(name)


def redeem(chance: random.Random, ruleset: Data, table: list[Laid], after: list[Names], played: Names) -> None:
    """A joker taken for what it stands for, or nearly, or for nothing, and laid again with tiles from the hand."""
    at = chance.randrange(len(table))
    names, judged = table[at]
    if not judged.stands_for or after[at] != names:
        return
    place = chance.choice(list(judged.stands_for))
    stands = judged.stands_for[place]
    double = names[place] == "JD" and chance.random() < 0.85
    paid = [*stands[:2]] if double else [chance.choice(stands)]
    if chance.random() < (0.7 if len(names) > MIN_SET_LENGTH and place in (0, len(names) - 1) else 0.1):
        paid = []
    after[at][place : place + 1] = paid
    played += paid
    if chance.random() < 0.9:
        after.append(_laid_anew(chance, names[place]))
        played += [name for name in after[-1] if name != names[place]]


def change_jokers(chance: random.Random, ruleset: Data, table: list[Laid], after: list[Names], played: Names) -> None:
    """One joker in the place of another, which is laid elsewhere."""
    laid = after[chance.randrange(len(after))]
    places = [place for place, name in enumerate(laid) if name in JOKERS]
    if not places:
        return
    place, kind = chance.choice(places), chance.choice(JOKERS)
    taken, laid[place] = laid[place], kind
    after.append(_laid_anew(chance, taken))
    played += [kind, *(name for name in after[-1] if name != taken)]


def _laid_anew(chance: random.Random, kind: str) -> list[str]:
    """A set about a joker that was taken: mostly one that fits it, also at the tile that it stood for before."""
    number, places = chance.randint(2, 11), 2 if kind == "JD" else 1
    run = [f"K{number - 1}", kind, f"{'R' if kind == 'JC' else 'K'}{number + places}"]
    return chance.choice([run, run, [f"K{number}", kind, f"R{number}"], [f"O{number}", kind, f"O{number}"]])


def tidy_up(chance: random.Random, ruleset: Data, table: list[Laid], after: list[Names], played: Names) -> None:
    """A set turned round, its tiles in another order, or parted in two: nobody has touched some of these."""
    at = chance.randrange(len(after))
    laid = after[at]
    way = chance.choice(["turn", "shuffle", "part"])
    if way == "turn":
        laid.reverse()
    elif way == "shuffle":
        chance.shuffle(laid)
    elif len(laid) > 1:
        cut = chance.randrange(1, len(laid))
        after[at : at + 1] = [laid[:cut], laid[cut:]]


Act = Callable[[random.Random, Data, list[Laid], list[Names], Names], None]
ACTS: list[Act] = [lay_a_set, lengthen, lengthen, redeem, redeem, redeem, change_jokers, tidy_up]


def _slip(chance: random.Random, before: list[Names], played: Names, after: list[Names]) -> None:
    """A tile too many, one forgotten, one that is none, or a set of before that is no set."""
    where = chance.choice([played, *before, *after])
    way = chance.random()
    if where and way < 0.4:
        where.pop(chance.randrange(len(where)))
    elif way < 0.9:
        where.insert(chance.randint(0, len(where)), chance.choice([*NUMBERED, *JOKERS]))
    else:
        where.insert(chance.randint(0, len(where)), chance.choice(STRANGE))


# --- Racks ------------------------------------------------------------------------------------------------------


def special_opening(chance: random.Random, ruleset: Data) -> Data:
    """A rack with jokers of the box, often out of a few numbers and colours, in which sets want the same tiles; now and
    then with a joker too many."""
    jokers = box_jokers(chance, ruleset)[: chance.choice([0, 1, 1, 2, 2, 3, 3, 4, 5])]
    colours = chance.choice(["RBKO", "RBKO", "".join(chance.sample("RBKO", chance.randint(1, 3)))])
    first = chance.randint(1, 9)
    some = chance.sample(range(1, 14), chance.randint(2, 9))
    numbers = chance.choice([range(1, 14), some, range(first, first + chance.randint(3, 5))])
    part = [name for name in NUMBERED * ruleset["tiles"]["numbers"] if name[0] in colours and int(name[1:]) in numbers]
    size = chance.choice([*range(4, 14), *[14] * 10, 15, 16, 18]) - len(jokers)
    rack: Names = chance.sample(part, max(0, min(size, len(part)))) + jokers
    chance.shuffle(rack)
    if chance.random() < 0.06:
        rack += chance.choice([["JD"] * 3, ["JM"], ["JC", "JC"], ["R1"] * 3, [chance.choice(STRANGE)]])
    return {"verb": "opening", "rack": rack}


# --- Words ------------------------------------------------------------------------------------------------------


def word_turns(chance: random.Random, ruleset: Data) -> Data:
    """Turns of words; some are too short or there twice, in other letters or with a sharp s."""
    turns = []
    for _ in range(chance.randint(0, 4)):
        words = [
            {"letters": _untidy_word(chance), "from_rack_only": chance.random() < 0.5}
            for _ in range(chance.choice([0, 1, 1, 2, 2, 3]))
        ]
        turns.append({"words": words, "rack_emptied": chance.random() < 0.2})
    return {"verb": "word", "turns": turns, "jokers_left": chance.choice([*[0, 0, 1, 2] * 4, 3, -1])}


def letter_opening(chance: random.Random, ruleset: Data) -> Data:
    """A rack of letters and a list of words, of which some can be laid; here and there a tile of numbers."""
    rack: Names = [chance.choice(LETTERS) for _ in range(chance.randint(0, 14))]
    if chance.random() < 0.8:
        rack = chance.sample(list("AAEEIIOOTTRRSSNNLDGKCPBMjJJ"), chance.randint(0, 20))
    if chance.random() < 0.06:
        rack.insert(chance.randint(0, len(rack)), chance.choice(["R5", "JD", "", "?", "É"]))
    words = [_word_of(chance, rack) for _ in range(chance.randint(0, 6))]
    return {"verb": "letters", "rack": rack, "words": words}


def _word_of(chance: random.Random, rack: Names) -> str:
    """Letters of the rack, and at times one more or one that no box has."""
    if len(rack) < LEAST_LETTERS or chance.random() < 0.05:
        return _untidy_word(chance)
    letters = [str(name).lower() for name in chance.sample(rack, chance.randint(2, len(rack)))]
    letters += chance.choice([[], [], ["e"], ["t", "s"]]) if chance.random() < 0.97 else ["é"]
    word = "".join(letters)
    return chance.choice([word, word.upper(), word.capitalize()])


def _untidy_word(chance: random.Random) -> str:
    if chance.random() < 0.05:
        return chance.choice(["ox", "", "é1", "αβγ"])
    return (
        chance.choice(WORDS) if chance.random() < 0.5 else "".join(chance.sample("GODBLESStea", chance.randint(3, 9)))
    )
