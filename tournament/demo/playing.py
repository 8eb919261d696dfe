"""Plays a table's games as people play them, from a seed: racks drawn from a shuffled box, scored by the rules.

Everything comes from `random.Random` over a text, so that a table's games depend on nothing but the seed, its serial
and who sits there. Only whole numbers are drawn, so every machine plays the same tournament.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from scoring.game import ENDED_BY_POOL, ENDED_BY_RUMMIKUB, ENDED_BY_TIME, score_game
from scoring.problems import Refusal
from scoring.ruleset import Ruleset, TileSet
from scoring.values import GameScore, Rack
from tournament.demo.chance import choose_weighted
from tournament.demo.words import DemoWordSeat, play_words

GAME_NOT_PLAYED = "not_played"

# How many of a hundred games end so, by their number; those after the third end as it does. The clock may cut the
# third, seldom the second.
GAME_ENDING_WEIGHTS = (
    ((ENDED_BY_RUMMIKUB, 80), (ENDED_BY_POOL, 20)),
    ((ENDED_BY_RUMMIKUB, 78), (ENDED_BY_POOL, 19), (ENDED_BY_TIME, 3)),
    ((ENDED_BY_RUMMIKUB, 60), (ENDED_BY_POOL, 12), (ENDED_BY_TIME, 22), (GAME_NOT_PLAYED, 6)),
)
# Tiles left on an opened rack at the end: by then nearly everybody has broken the ice and is playing off the last few.
TILES_LEFT = (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 10)
UNOPENED_OF_1000 = 8
PUSHED_OVER_OF_1000 = 1
# A joker always finds a set: one that is drawn into a rack here is put back so many times before it stays.
JOKERS_PLAYED = 2


@dataclass(frozen=True)
class DemoGame:
    """One game as it ended: the racks by seat and what they score; both empty where it was not played, and in a game of
    letters, which has `words` by seat instead."""

    ended_by: str
    starter: str
    racks: tuple[Rack, ...]
    score: GameScore | None
    words: Mapping[str, DemoWordSeat] | None = None


@dataclass(frozen=True)
class DemoLeaver:
    """A seat whose entrant leaves during game `game` (0-based): the rack is frozen, the seat is empty after it."""

    seat: str
    game: int


def skill_of(seed: int, entrant: int) -> int:
    """How well an entrant plays, 2 to 9."""
    return 2 + Random(f"{seed} entrant {entrant}").randrange(8)


def all_tiles(box: TileSet) -> list[str]:
    """Every tile of a box of numbers."""
    numbered = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
    return [*numbered * box.numbers, *(kind for kind, copies in box.jokers for _ in range(copies))]


def ending_weights(ruleset: Ruleset, number: int) -> list[tuple[str, int]]:
    """How a game may end; only what the rules know how to score, and by the clock only where there is one."""
    scored = {
        ENDED_BY_RUMMIKUB: True,
        ENDED_BY_POOL: ruleset.pool_scoring is not None,
        ENDED_BY_TIME: ruleset.time_up_scoring is not None and ruleset.minutes is not None,
        GAME_NOT_PLAYED: ruleset.minutes is not None,
    }
    weights = GAME_ENDING_WEIGHTS[min(number, len(GAME_ENDING_WEIGHTS) - 1)]
    return [(ended_by, weight) for ended_by, weight in weights if scored[ended_by]]


def is_joker(tile: str) -> bool:
    return tile.startswith("J")


def tile_kept(random: Random, pool: list[str]) -> str:
    """A tile that is still on the rack: a joker seldom, of the numbers the lower of two, since high ones go first."""
    for _ in range(JOKERS_PLAYED):
        if is_joker(pool[-1]):
            pool.insert(random.randrange(len(pool)), pool.pop())
    first, second = pool.pop(), pool.pop()
    kept, played = sorted((first, second), key=lambda tile: 14 if is_joker(tile) else int(tile[1:]))
    pool.insert(random.randrange(len(pool) + 1), played)
    return kept


def opened_rack(random: Random, seat: str, pool: list[str], left: bool) -> Rack:
    """A rack that broke the ice, with a few tiles left."""
    count = TILES_LEFT[random.randrange(len(TILES_LEFT))]
    tiles = tuple(tile_kept(random, pool) for _ in range(count))
    pushed_over = not left and random.randrange(1000) < PUSHED_OVER_OF_1000
    return Rack(seat, count, rack=tiles, pushed_over=pushed_over, left=left)


def unopened_rack(random: Random, seat: str, pool: list[str]) -> Rack:
    """A rack that never broke the ice: 14 tiles and what was drawn since."""
    count = 14 + random.randrange(7)
    return Rack(seat, count, rack=tuple(pool.pop() for _ in range(count)), opened=False)


def play_game(
    ruleset: Ruleset, random: Random, ended_by: str, skills: Mapping[str, int], starter: str, leaver: str = ""
) -> DemoGame:
    """One game among the seats of `skills`: who goes out is drawn by skill. A game that the rules leave undecided is
    played again, as the people at the table would."""
    while True:
        racks = racks_at_end(ruleset, random, ended_by, skills, leaver)
        try:
            return DemoGame(ended_by, starter, racks, score_game(ruleset, ended_by, racks))
        except Refusal:
            if ended_by == ENDED_BY_RUMMIKUB or ruleset.lowest_tie != "unresolved":
                raise


def racks_at_end(
    ruleset: Ruleset, random: Random, ended_by: str, skills: Mapping[str, int], leaver: str
) -> tuple[Rack, ...]:
    """What each seat has left."""
    pool = all_tiles(ruleset.tiles)
    random.shuffle(pool)
    stayed = [(seat, skill) for seat, skill in skills.items() if seat != leaver]
    winner = choose_weighted(random, stayed) if ended_by == ENDED_BY_RUMMIKUB else ""
    racks = []
    for seat in skills:
        if seat == winner:
            racks.append(Rack(seat, 0))
        elif seat != leaver and random.randrange(1000) < UNOPENED_OF_1000:
            racks.append(unopened_rack(random, seat, pool))
        else:
            racks.append(opened_rack(random, seat, pool, left=seat == leaver))
    return tuple(racks)


def play_table(
    ruleset: Ruleset, random: Random, skills: Mapping[str, int], leaving: DemoLeaver | None = None
) -> tuple[DemoGame, ...]:
    """A table's games; a game cut off by the clock is the last."""
    if ruleset.counts_turns:
        starter = next(iter(skills))
        return (DemoGame(ENDED_BY_RUMMIKUB, starter, (), None, play_words(ruleset, random, skills)),)
    games: list[DemoGame] = []
    present = dict(skills)
    starter = list(present)[random.randrange(len(present))]
    for number in range(ruleset.games_at_table(len(skills))):
        ended_by = choose_weighted(random, ending_weights(ruleset, number))
        if ended_by == GAME_NOT_PLAYED or (games and games[-1].ended_by in (ENDED_BY_TIME, GAME_NOT_PLAYED)):
            games.append(DemoGame(GAME_NOT_PLAYED, "", (), None))
            continue
        leaver = leaving.seat if leaving and leaving.game == number else ""
        game = play_game(ruleset, random, ended_by, present, starter, leaver)
        games.append(game)
        present.pop(leaver, None)
        starter = next_starter(random, game, present)
    return tuple(games)


def next_starter(random: Random, game: DemoGame, present: Mapping[str, int]) -> str:
    """The last game's winner; after a joint win one of the winners, by lot."""
    assert game.score is not None
    winners = [seat for seat, score in game.score.seats.items() if score.win and seat in present] or list(present)
    return winners[random.randrange(len(winners))]
