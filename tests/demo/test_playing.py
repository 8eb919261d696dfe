"""The made-up games follow the fields of the rules: how many, how they end, out of which box."""

from collections import Counter
from random import Random

import pytest

from scoring.game import ENDED_BY_POOL, ENDED_BY_RUMMIKUB, ENDED_BY_TIME
from scoring.ruleset import PRESETS
from tournament.demo.playing import GAME_NOT_PLAYED, DemoGame, play_table

SEEDS = range(60)


def played(name: str, seats: str) -> list[tuple[DemoGame, ...]]:
    """The games of sixty tables."""
    return [play_table(PRESETS[name], Random(seed), dict.fromkeys(seats, 5)) for seed in SEEDS]


@pytest.mark.parametrize(
    ("name", "seats", "games"),
    [("hk-2026", "ABC", 3), ("twist", "AB", 2), ("twist", "ABC", 3), ("twist", "ABCD", 4), ("school", "ABCD", 3)],
)
def test_a_table_plays_as_many_games_as_its_rules_say(name: str, seats: str, games: int) -> None:
    assert {len(table) for table in played(name, seats)} == {games}


@pytest.mark.parametrize(
    ("name", "endings"),
    [
        ("hk-2026", {ENDED_BY_RUMMIKUB, ENDED_BY_POOL, ENDED_BY_TIME, GAME_NOT_PLAYED}),
        ("twist", {ENDED_BY_RUMMIKUB, ENDED_BY_POOL}),
        ("french", {ENDED_BY_RUMMIKUB}),
    ],
)
def test_games_end_only_in_ways_that_the_rules_score(name: str, endings: set[str]) -> None:
    games = [game for table in played(name, "ABCD") for game in table]
    assert {game.ended_by for game in games} == endings
    points = [[seat.points for seat in game.score.seats.values()] for game in games if game.score]
    assert {sum(shares) for shares in points} == {0}


def test_racks_come_out_of_the_box_of_the_rules() -> None:
    box = dict(PRESETS["twist"].tiles.jokers)
    racks = [
        Counter(tile for rack in game.racks for tile in rack.rack or ())
        for table in played("twist", "ABCD")
        for game in table
    ]
    drawn = {tile for rack in racks for tile in rack if tile.startswith("J")}
    assert {"JD", "JC", "JM"} <= drawn <= box.keys()
    assert [tile for rack in racks for tile, count in rack.items() if count > box.get(tile, 2)] == []
