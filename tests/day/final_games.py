"""The games of a made-up final in which two children win everything with the same racks: equals on the podium.

Their parents lose everything, one by fewer points than the other: the two families are level in wins and parted by the
average (R39, R40). Everybody else plays as the demo does, from a seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from scoring.game import ENDED_BY_RUMMIKUB, score_game
from scoring.ruleset import Ruleset
from scoring.values import Rack
from tournament.demo.line import PlayedTable, TableKey
from tournament.demo.playing import DemoGame, play_table, skill_of
from tournament.releases.models import Release

# What the three others hold in each of a champion's games, seat after seat.
CHAMPIONS = (("R3",), ("K5", "K6"), ("B12", "J")), (("R9",), ("O4", "O8"), ("B1",)), (("K13",), ("R7",), ("O2", "B2"))
CHEAP, DEAR = ("R1",), ("K13", "B13", "O13", "R12", "K12")


@dataclass(frozen=True)
class Stars:
    """Two children who win everything, each with the parent who wins nothing."""

    children: tuple[int, int]
    parents: tuple[int, int]


Seats = Mapping[TableKey, Mapping[str, int]]


def play_final(
    ruleset: Ruleset, seed: int, seats: Seats, stars: Stars, absent: Mapping[int, Sequence[int]]
) -> dict[TableKey, PlayedTable]:
    """Every table of every round; `absent`: by session, who has left before it and was recorded so."""
    return {key: play_one(ruleset, seed, key, sitting, stars, absent.get(key[0], ())) for key, sitting in seats.items()}


def play_one(
    ruleset: Ruleset, seed: int, key: TableKey, sitting: Mapping[str, int], stars: Stars, absent: Sequence[int]
) -> PlayedTable:
    """One table from its own dice, or as the stars play it."""
    present = {seat: entrant for seat, entrant in sitting.items() if entrant not in absent}
    statuses = {seat: "withdrawn" for seat, entrant in sitting.items() if entrant in absent}
    champion = next((seat for seat, entrant in present.items() if entrant in stars.children), None)
    loser = next((seat for seat, entrant in present.items() if entrant in stars.parents), None)
    if champion:
        games = tuple(won_by(ruleset, champion, present, held) for held in CHAMPIONS)
    elif loser:
        winner = next(seat for seat in present if present[seat] not in stars.parents)
        rack = CHEAP if present[loser] == stars.parents[0] else DEAR
        others = [("R2", "R4")] * (len(present) - 1)
        others[[seat for seat in present if seat != winner].index(loser)] = rack
        games = tuple(won_by(ruleset, winner, present, others) for _game in range(ruleset.games_at_table(len(present))))
    else:
        skills = {seat: skill_of(seed, entrant) for seat, entrant in present.items()}
        games = play_table(ruleset, Random(f"{seed} final {key[0]} {key[1]}"), skills)
    return PlayedTable(sitting, games, statuses)


def won_by(ruleset: Ruleset, winner: str, present: Mapping[str, int], held: Sequence[Sequence[str]]) -> DemoGame:
    """The winner goes out; the others hold these tiles, in the order of their seats."""
    left = iter(held)
    racks = [Rack(seat, 0) if seat == winner else opened(seat, next(left)) for seat in present]
    return DemoGame(ENDED_BY_RUMMIKUB, winner, tuple(racks), score_game(ruleset, ENDED_BY_RUMMIKUB, racks))


def opened(seat: str, tiles: Sequence[str]) -> Rack:
    """A rack that broke the ice, with these left."""
    return Rack(seat, len(tiles), rack=tuple(tiles))


def as_rescored(tables: Mapping[TableKey, PlayedTable]) -> dict[str, Any]:
    """The same games as tests/rescorer.py takes them; ids with four digits, games not played left out."""
    return {
        "tables": [
            {
                "seats": {seat: f"{entrant:04d}" for seat, entrant in table.entrants.items()},
                "games": [
                    {"ended_by": game.ended_by, "racks": {rack.seat: rack_as_rescored(rack) for rack in game.racks}}
                    for game in table.games
                    if game.racks
                ],
            }
            for table in tables.values()
        ],
        "status": {
            f"{table.entrants[seat]:04d}": str(status)
            for table in tables.values()
            for seat, status in table.statuses.items()
        },
    }


def rack_as_rescored(rack: Rack) -> dict[str, Any]:
    """A rack by its tiles."""
    return {
        "rack": list(rack.rack or ()),
        "opened": rack.opened,
        "ruled": rack.could_open,
        "pushed_over": rack.pushed_over,
        "left": rack.left,
    }


# --- Against the re-scorer --------------------------------------------------------------------------------
def lines_of(release: Release) -> list[tuple[Any, ...]]:
    """A released ranking as tests/rescorer.py has it."""
    return [
        (
            f"{line['number']:04d}",
            line["rank"],
            line["tied"],
            line["wins"],
            Fraction(line["points_twelfths"], 12),
            Fraction(line["average"]),
            line["tiles"],
        )
        for line in sorted(release.content["ranking"], key=lambda line: (line["rank"], line["number"]))
    ]


def unranked_of(release: Release) -> dict[str, str]:
    """Who has no rank in it, and why."""
    return {f"{one['number']:04d}": one["because"] for one in release.content["unranked"]}


def published(unranked: dict[str, str]) -> dict[str, str]:
    """What the public is told of the same: no game played, or no reason."""
    return {number: because if because == "not_played" else "no_rank" for number, because in unranked.items()}
