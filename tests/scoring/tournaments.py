"""Whole tournaments made from a seed, scored by the rules and by the re-scorer, and compared with ==.

`compare_seeded` is what both the suite and the long reliability run call.
"""

from __future__ import annotations

import random
from typing import Any

from scoring.game import score_game
from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records
from scoring.ruleset import PRESETS
from scoring.values import GameResult, Rack, Record
from tests import rescorer

HK = PRESETS["hk-2026"]
BOX = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)] * 2 + ["J", "J"]
GAMES = 3


def make_tournament(chance: random.Random, entrants: int) -> dict[str, Any]:
    """Tables of four and three; leavers, flat values, games cut off by the clock, and full ties (one table in
    six repeats the games of the table before it, and racks are often worth the same)."""
    ids = [f"{number:04}" for number in range(1, entrants + 1)]
    status: dict[str, str] = {}
    tables: list[dict[str, Any]] = []
    while ids:
        size = 3 if len(ids) % 4 else 4
        seats = dict(zip("ABCD", [ids.pop() for _ in range(size)], strict=False))
        before = tables[-1] if tables and chance.random() < 0.17 else None
        if before is not None and len(before["seats"]) == size:
            tables.append({"seats": seats, "games": before["games"]})
            status |= {seats[at]: status[id] for at, id in before["seats"].items() if id in status}
            continue
        tables.append({"seats": seats, "games": _make_games(chance, seats, status)})
    return {"tables": tables, "status": status}


def _make_games(chance: random.Random, seats: dict[str, str], status: dict[str, str]) -> list[dict[str, Any]]:
    playing = list(seats)
    games: list[dict[str, Any]] = []
    if chance.random() < 0.05:
        # Nobody came to this table's games; one of them is known to have forfeited.
        status[seats["A"]] = "forfeited"
        return games
    for _ in range(chance.choice([1, 2, GAMES, GAMES, GAMES, GAMES])):
        ended_by = chance.choice(["rummikub", "rummikub", "pool", "time"])
        leaver = chance.choice(playing) if len(playing) > 2 and chance.random() < 0.05 else None
        games.append({"ended_by": ended_by, "racks": _make_racks(chance, ended_by, playing, leaver)})
        if leaver is not None:
            status[seats[leaver]] = chance.choice(["withdrawn", "disqualified"])
            playing.remove(leaver)
        if ended_by == "time":
            break
    if chance.random() < 0.02:
        status[seats[playing[0]]] = "disqualified"
    return games


def _make_racks(chance: random.Random, ended_by: str, playing: list[str], leaver: str | None) -> dict[str, Any]:
    box = chance.sample(BOX, len(BOX))
    out = chance.choice([letter for letter in playing if letter != leaver]) if ended_by == "rummikub" else None
    racks: dict[str, Any] = {}
    alike = chance.random() < 0.3
    for letter in playing:
        opened = letter == out or chance.random() < 0.9
        count = 0 if letter == out else chance.randint(1, 9) if opened else chance.randint(14, 20)
        rack = [box.pop() for _ in range(count)]
        if alike and opened and count:
            # Ties of the lowest: everybody holds the value 8, in one tile or in two.
            rack = chance.choice([[f"{'RBKO'[len(racks)]}8"], [f"{'RBKO'[len(racks)]}5", f"{'RBKO'[len(racks)]}3"]])
        racks[letter] = {
            "rack": rack,
            "opened": opened,
            "ruled": None if opened or alike is False else chance.choice([None, True, False]),
            "pushed_over": letter != out and chance.random() < 0.02,
            "left": letter == leaver,
        }
    if alike:
        return {letter: _without_clash(rack) for letter, rack in racks.items()}
    return racks


def _without_clash(rack: dict[str, Any]) -> dict[str, Any]:
    """Beside racks laid out by hand an unopened one may show a tile too often: it is given by its count and
    the verdict instead."""
    if rack["opened"]:
        return rack
    faces = sum(30 if tile == "J" else int(tile[1:]) for tile in rack["rack"])
    ruled = bool(rack["ruled"])
    return {**rack, "rack": None, "value": faces, "tiles": len(rack["rack"]), "ruled": ruled}


def score(tournament: dict[str, Any], places: int) -> dict[str, Any]:
    """The same by `scoring`, in the re-scorer's form."""
    results: dict[str, list[tuple[Any, ...]]] = {}
    for table in tournament["tables"]:
        for person in table["seats"].values():
            results.setdefault(person, [])
        for game in table["games"]:
            racks = [_rack(letter, rack) for letter, rack in game["racks"].items()]
            for letter, seat in score_game(HK, game["ended_by"], racks).seats.items():
                results[table["seats"][letter]].append((seat.win, seat.points, seat.tiles))
    status = tournament["status"]
    records = [
        Record(person, tuple(GameResult(*game) for game in games), status.get(person, "ok"))
        for person, games in results.items()
    ]
    ranking = rank_records(HK, records)
    line = qualify_by_rank(HK, ranking, places)
    tie = line.unresolved
    return {
        "results": results,
        "ranking": [(s.id, s.rank, s.tied, s.wins, s.points, s.average, s.tiles) for s in ranking.standings],
        "unranked": {one.id: one.because for one in ranking.unranked},
        "advancing": list(line.advancing),
        "unresolved": None if tie is None else (tie.places, list(tie.ids)),
        "reserves": list(line.reserves),
    }


def _rack(letter: str, rack: dict[str, Any]) -> Rack:
    tiles = rack["rack"]
    return Rack(
        seat=letter,
        tiles=rack["tiles"] if tiles is None else len(tiles),
        face_value=rack.get("value"),
        rack=None if tiles is None else tuple(tiles),
        opened=rack["opened"],
        could_open=rack["ruled"],
        pushed_over=rack["pushed_over"],
        left=rack["left"],
    )


def compare_seeded(seeds: range, entrants: int, places: int) -> dict[str, int]:
    """Make, score and re-score a tournament for each seed. How many tournaments, entrants' lines, game results
    and full ties across the line were compared, and how many of the first three differ."""
    counts = dict.fromkeys(("tournaments", "lines", "games", "unresolved", "differing"), 0)
    for seed in seeds:
        tournament = make_tournament(random.Random(seed), entrants)
        ours, theirs = score(tournament, places), rescorer.rescore(tournament, places)
        counts["tournaments"] += 1
        counts["lines"] += len(theirs["ranking"]) + len(theirs["unranked"])
        counts["games"] += sum(len(games) for games in theirs["results"].values())
        counts["unresolved"] += theirs["unresolved"] is not None
        counts["differing"] += sum(ours[part] != theirs[part] for part in theirs)
    return counts
