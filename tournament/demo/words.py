"""Plays a game of letters as people play it, from a seed: words laid turn by turn, until somebody has none left."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from scoring.ruleset import Ruleset
from scoring.words import LaidWord, WordTurn, score_word_turn
from tournament.demo.chance import choose_weighted

OPENING_WORDS = (
    "GARDEN PLANET STRONG BRIDGE CASTLE MONKEY ORANGE WINTER SUMMER DRAGON FLOWER SILVER GUITAR POCKET ROCKET TEMPLE"
    " JUNGLE KNIGHT MARKET NUMBER PENCIL SCHOOL THREAD VIOLIN WINDOW YELLOW CANDLE DESERT FALCON HARBOR"
)
SHORT_WORDS = (
    "CHIP LAP EAR GOD BLESS RICE JOKE HAT MIX SOFT TEA BIRD FISH LAKE MOON NEST PEAR RAIN SHIP TREE WOLF BOAT CAKE DUCK"
    " FARM GOLD HILL IRON KITE LEAF MILK NOTE OVEN PARK ROSE SALT TILE UNIT VASE WAVE YARD ZOO ARM BED CUP DOG EGG FOX"
    " GUM HEN INK JAM KEY LOG MAP NUT OWL PEN RUG SUN TOY VAN WEB YAK"
)
LONGER_FORMS = ("S", "ED", "ER")
TURN_LINES = 6
# In ten turns: nothing to lay; a word of the table made longer; two words of one's own; else one.
TURN_CHANCES = (("draw", 3), ("longer", 2), ("two", 1), ("one", 4))


@dataclass(frozen=True)
class DemoTurn:
    """What one player lays in one turn; both empty where a tile was drawn."""

    own: tuple[str, ...] = ()
    rearranged: tuple[str, ...] = ()
    emptied: bool = False

    @property
    def points(self) -> int:
        """What the turn is worth."""
        words = [*(LaidWord(word, True) for word in self.own), *(LaidWord(word, False) for word in self.rearranged)]
        return score_word_turn(WordTurn(tuple(words), self.emptied))


@dataclass(frozen=True)
class DemoWordSeat:
    """A player's turns in order, the jokers left on the rack, and the total."""

    turns: tuple[DemoTurn, ...]
    jokers: int
    total: int


def play_words(ruleset: Ruleset, random: Random, skills: Mapping[str, int]) -> dict[str, DemoWordSeat]:
    """One game: everybody opens with a long word and lays shorter ones; who is best empties the rack at the end."""
    openings, short = OPENING_WORDS.split(), SHORT_WORDS.split()
    random.shuffle(openings)
    random.shuffle(short)
    best = max(skills, key=lambda seat: (skills[seat], seat))
    table: list[str] = []
    turns: dict[str, list[DemoTurn]] = {seat: [] for seat in skills}
    for line in range(TURN_LINES):
        for seat in skills:
            last = line == TURN_LINES - 1
            if last and seat != best:
                turn = DemoTurn()
            elif last:
                turn = DemoTurn((short.pop(),), emptied=True)
            else:
                turn = demo_turn(random, openings, short, table, opens=not any(one.own for one in turns[seat]))
            turns[seat].append(turn)
            table += [*turn.own, *turn.rearranged]
    jokers = dict.fromkeys(skills, 0)
    loser = min(skills, key=lambda seat: (skills[seat], seat))
    if loser != best and random.randrange(4) == 0:
        jokers[loser] = 1
    return {
        seat: DemoWordSeat(
            tuple(turns[seat]),
            jokers[seat],
            sum(turn.points for turn in turns[seat]) - jokers[seat] * ruleset.joker_value,
        )
        for seat in skills
    }


def demo_turn(random: Random, openings: list[str], short: list[str], table: list[str], *, opens: bool) -> DemoTurn:
    """One turn before the last; the first word of a player breaks the ice."""
    act = choose_weighted(random, TURN_CHANCES)
    if act == "draw":
        return DemoTurn()
    if opens:
        return DemoTurn((openings.pop(),))
    longer = [word + end for word in table for end in LONGER_FORMS if word + end not in table]
    if act == "longer" and longer:
        return DemoTurn(rearranged=(longer[random.randrange(len(longer))],))
    return DemoTurn(tuple(short.pop() for _ in range(2 if act == "two" else 1)))
