"""Plays a table's games as people play them, from a seed: racks drawn from a shuffled box, scored by the rules.

Everything comes from `random.Random` over a text, so that a table's games depend on nothing but the seed, its serial
and who sits there. Only whole numbers are drawn, so every machine plays the same tournament.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from scoring.game import POOL, RUMMIKUB, TIME, score_game
from scoring.ruleset import Ruleset
from scoring.values import GameScore, Rack

NOT_PLAYED = "not_played"
GAMES = 3

# How many of a hundred games end so. The clock may cut the third, seldom the second.
ENDS = (
    ((RUMMIKUB, 80), (POOL, 20)),
    ((RUMMIKUB, 78), (POOL, 19), (TIME, 3)),
    ((RUMMIKUB, 60), (POOL, 12), (TIME, 22), (NOT_PLAYED, 6)),
)
# Tiles left on an opened rack at the end: by then nearly everybody has broken the ice and is playing off the last few.
TILES_LEFT = (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 10)
UNOPENED_OF_1000 = 8
PUSHED_OVER_OF_1000 = 1
# A joker always finds a set: one that is drawn into a rack here is put back so many times before it stays.
JOKERS_PLAYED = 2


@dataclass(frozen=True)
class PlayedGame:
    """One game as it ended: the racks by seat and what they score; both empty where it was not played."""

    ended_by: str
    starter: str
    racks: tuple[Rack, ...]
    score: GameScore | None


@dataclass(frozen=True)
class Leaving:
    """A seat whose entrant leaves during game `game` (0-based): the rack is frozen, the seat is empty after it."""

    seat: str
    game: int


def chosen(random: Random, weights: Sequence[tuple[str, int]]) -> str:
    """One of the words, by its weight."""
    draw = random.randrange(sum(weight for _, weight in weights))
    for word, weight in weights:
        draw -= weight
        if draw < 0:
            return word
    raise AssertionError("weights do not sum up")


def skill_of(seed: int, entrant: int) -> int:
    """How well an entrant plays, 2 to 9."""
    return 2 + Random(f"{seed} entrant {entrant}").randrange(8)


def box() -> list[str]:
    """The 106 tiles."""
    numbered = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)]
    return [*numbered, *numbered, "J", "J"]


def tile_kept(random: Random, pool: list[str]) -> str:
    """A tile that is still on the rack: a joker seldom, of the numbers the lower of two, since high ones go first."""
    for _ in range(JOKERS_PLAYED):
        if pool[-1] == "J":
            pool.insert(random.randrange(len(pool)), pool.pop())
    first, second = pool.pop(), pool.pop()
    kept, played = sorted((first, second), key=lambda tile: 14 if tile == "J" else int(tile[1:]))
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
) -> PlayedGame:
    """One game among the seats of `skills`: who goes out is drawn by skill."""
    pool = box()
    random.shuffle(pool)
    stayed = [(seat, skill) for seat, skill in skills.items() if seat != leaver]
    winner = chosen(random, stayed) if ended_by == RUMMIKUB else ""
    racks = []
    for seat in skills:
        if seat == winner:
            racks.append(Rack(seat, 0))
        elif seat != leaver and random.randrange(1000) < UNOPENED_OF_1000:
            racks.append(unopened_rack(random, seat, pool))
        else:
            racks.append(opened_rack(random, seat, pool, left=seat == leaver))
    return PlayedGame(ended_by, starter, tuple(racks), score_game(ruleset, ended_by, racks))


def play_table(
    ruleset: Ruleset, random: Random, skills: Mapping[str, int], leaving: Leaving | None = None
) -> tuple[PlayedGame, ...]:
    """A table's three games; a game cut off by the clock is the last."""
    games: list[PlayedGame] = []
    present = dict(skills)
    starter = list(present)[random.randrange(len(present))]
    for number in range(GAMES):
        ended_by = chosen(random, ENDS[number])
        if ended_by == NOT_PLAYED or (games and games[-1].ended_by in (TIME, NOT_PLAYED)):
            games.append(PlayedGame(NOT_PLAYED, "", (), None))
            continue
        leaver = leaving.seat if leaving and leaving.game == number else ""
        game = play_game(ruleset, random, ended_by, present, starter, leaver)
        games.append(game)
        present.pop(leaver, None)
        starter = next_starter(random, game, present)
    return tuple(games)


def next_starter(random: Random, game: PlayedGame, present: Mapping[str, int]) -> str:
    """The last game's winner; after a joint win one of the winners, by lot."""
    assert game.score is not None
    winners = [seat for seat, score in game.score.seats.items() if score.win and seat in present] or list(present)
    return winners[random.randrange(len(winners))]
