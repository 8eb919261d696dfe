"""A document for each verb of the shell interface, and how to ask and to spoil it."""

import json
import re

from scoring.__main__ import answer_line
from scoring.shell.verbs import VERBS

GAME = {
    "ruleset": "hk-2026",
    "ended_by": "time",
    "seats": [{"seat": "A", "face_value": 8, "tiles": 1}, {"seat": "B", "face_value": 9, "tiles": 1}],
}
RANK = {"ruleset": "hk-2026", "entrants": [{"id": "a", "games": [{"win": 1, "points": "23/2", "tiles": 0}]}]}
OPENING = {"ruleset": "hk-2026", "rack": ["R13", "J", "R11"]}
SET = {"ruleset": "hk-2026", "set": ["R13", "J", "B13"]}
MOVE = {"ruleset": "hk-2026", "opened": True, "before": [], "played": ["R1", "R2", "R3"], "after": [["R1", "R2", "R3"]]}
SIGNAL = {"code": "WRAINB", "issued": "2026-03-28T10:30:00+08:00", "cancelled": None}
WEATHER = {"first_check_in": "2026-03-28T12:00:00+08:00", "signals": [SIGNAL]}
TABLES = {"entrants": [{"id": id, "family": None, "school": None} for id in "abc"], "seed": 7}
FAMILY = {
    "ruleset": "hk-2026",
    "units": [
        {
            "id": "Lee",
            "members": [
                {
                    "id": "a",
                    "role": "child",
                    "rank": 4,
                    "status": "ok",
                    "games": [{"win": 1, "points": "23/2", "tiles": 0}],
                },
                {"id": "b", "role": "parent", "rank": 9, "games": [{"win": 1, "points": "10/3", "tiles": 3}]},
            ],
        }
    ],
}
WORD = {"turns": [{"words": [{"letters": "GOD", "from_rack_only": True}], "rack_emptied": False}], "jokers_left": 0}
MERGE = {
    "ruleset": "hk-2026",
    "tables": [
        {"table": 1, "entrants": [{"id": id} for id in "abcd"], "locked": True},
        {"table": 2, "entrants": [{"id": id} for id in "ghjk"]},
        {"table": 3, "entrants": [{"id": "e", "family": "Lee", "school": "North"}, {"id": "f"}]},
    ],
    "prefer": "moves",
}
DOCUMENTS = {
    "game": GAME, "rank": RANK, "opening": OPENING, "set": SET, "move": MOVE, "weather": WEATHER, "tables": TABLES,
    "family": FAMILY, "word": WORD, "merge": MERGE,
}  # fmt: skip

REQUIRED = {
    "game": ["ruleset", "ended_by", "seats", "seats[0].seat", "seats[0].tiles", "seats[0].face_value"],
    "rank": ["ruleset", "entrants", "entrants[0].id", "entrants[0].games", "entrants[0].games[0].win",
             "entrants[0].games[0].points", "entrants[0].games[0].tiles"],
    "opening": ["ruleset", "rack"],
    "set": ["ruleset", "set"],
    "move": ["ruleset", "opened", "before", "played", "after"],
    "weather": ["first_check_in", "signals", "signals[0].code", "signals[0].issued", "signals[0].cancelled"],
    "tables": ["entrants", "seed", "entrants[1].id", "entrants[1].family", "entrants[1].school"],
    "family": ["ruleset", "units", "units[0].id", "units[0].members", "units[0].members[1].id",
               "units[0].members[1].role", "units[0].members[0].rank", "units[0].members[0].games",
               "units[0].members[1].games[0].win", "units[0].members[1].games[0].points",
               "units[0].members[1].games[0].tiles"],
    "word": ["turns", "jokers_left", "turns[0].words", "turns[0].rack_emptied", "turns[0].words[0].letters",
             "turns[0].words[0].from_rack_only"],
    "merge": ["ruleset", "tables", "tables[1].table", "tables[0].entrants", "tables[2].entrants[0].id"],
}  # fmt: skip
"""Where each verb needs something."""


def answer(verb, document):
    """The answer to one document or text, as with `--lines`."""
    text = document if isinstance(document, (bytes, str)) else json.dumps(document)
    return json.loads(answer_line(VERBS[verb], text if isinstance(text, bytes) else text.encode()))


def at(document, path, value):
    """A copy of the document with the value at a path such as `seats[1].tiles`; "-" takes the member away."""
    copy = json.loads(json.dumps(document))
    place = copy
    *way, last = [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", path)]
    for key in way:
        place = place[key]
    if value == "-":
        del place[last]
    else:
        place[last] = value
    return copy
