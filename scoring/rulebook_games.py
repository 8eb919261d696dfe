"""The worked games of a rulebook: racks laid out by the ruleset's fields and scored by the rules, never by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game import ENDED_BY_POOL, ENDED_BY_RUMMIKUB, ENDED_BY_TIME, score_game
from scoring.problems import Refusal
from scoring.rulebook_examples import TileNames
from scoring.ruleset import Ruleset
from scoring.tiles import HIGHEST_TILE_NUMBER
from scoring.values import ALL_SEAT_LETTERS, GameScore, Rack
from scoring.words import LaidWord, WordTurn, opening_words, score_word_turn

# The opened racks have no tile of `_scattered_tiles`, so that one copy of each number is enough.
_OPENED_TILES: TileNames = ("B5", "R8")
_LAST_RACK: TileNames = ("K2", "O3", "B11")
_NOBODY_OUT = ((8, 3), (8, 1), (20, 2), (18, 4))
"""Value and tiles left of each seat in the second example of text 003: two lowest."""
_NOBODY_OUT_APART = ((5, 1), (10, 1), (15, 3), (20, 4))
"""The first example of text 003, for rulesets that leave equal racks unresolved."""
_LETTER_RACK = tuple("FIRSTOACKENLPD")
_LETTER_WORDS = ("SOFT", "RACK", "FIRST", "CARPET")


@dataclass(frozen=True, slots=True)
class WorkedGame:
    """One game: how it ended (several where they are scored alike), the racks, and the score."""

    ended_by: tuple[str, ...]
    racks: tuple[Rack, ...]
    score: GameScore


@dataclass(frozen=True, slots=True)
class WorkedTurn:
    """One turn of letters, with its points."""

    turn: WordTurn
    points: int


@dataclass(frozen=True, slots=True)
class WordExample:
    """A word of the rack `rack`, and whether it opens."""

    rack: TileNames
    word: str
    opens: bool


def worked_games(ruleset: Ruleset) -> tuple[WorkedGame, ...]:
    """A game in which somebody goes out, and one for each way in which a game without that is scored."""
    games = [_worked(ruleset, (ENDED_BY_RUMMIKUB,), _racks_of_out(ruleset))]
    for endings in _endings_scored_alike(ruleset):
        values = _NOBODY_OUT_APART if ruleset.lowest_tie == "unresolved" else _NOBODY_OUT
        racks = [
            Rack(seat=letter, tiles=tiles, face_value=value)
            for letter, (value, tiles) in zip(_seats(ruleset), values, strict=False)
        ]
        games.append(_worked(ruleset, endings, racks))
    return tuple(games)


def _endings_scored_alike(ruleset: Ruleset) -> list[tuple[str, ...]]:
    pool, time = ruleset.pool_scoring, ruleset.time_up_scoring
    if pool is not None and pool == time:
        return [(ENDED_BY_POOL, ENDED_BY_TIME)]
    return [(ending,) for ending, scoring in ((ENDED_BY_POOL, pool), (ENDED_BY_TIME, time)) if scoring is not None]


def _worked(ruleset: Ruleset, endings: tuple[str, ...], racks: Sequence[Rack]) -> WorkedGame:
    return WorkedGame(endings, tuple(racks), score_game(ruleset, endings[0], racks))


def _seats(ruleset: Ruleset) -> tuple[str, ...]:
    return ALL_SEAT_LETTERS[: ruleset.table_sizes[0]]


def _racks_of_out(ruleset: Ruleset) -> list[Rack]:
    """A goes out; B holds a joker where there is one, C has not opened, D has; a smaller table lacks the last."""
    held = next((kind for kind, copies in ruleset.tiles.jokers if copies), None)
    with_joker = (*_OPENED_TILES, held) if held else _OPENED_TILES
    scattered = _scattered_tiles(ruleset.dealt_tiles)
    unopened = Rack(seat="C", tiles=len(scattered), rack=scattered, opened=False)
    if not scattered:
        unopened = Rack(seat="C", tiles=1, rack=("K4",))
    racks = [
        Rack(seat="A", tiles=0),
        Rack(seat="B", tiles=len(with_joker), rack=with_joker),
        unopened,
        Rack(seat="D", tiles=len(_LAST_RACK), rack=_LAST_RACK),
    ]
    return racks[: ruleset.table_sizes[0]]


def _scattered_tiles(tiles: int) -> TileNames:
    """So many tiles of which no three are a set: red and black odd, blue and orange even. Nothing where there are not
    so many, or none is dealt."""
    names = [
        f"{colours[number % 2]}{number}"
        for colours in (("B", "R"), ("O", "K"))
        for number in range(1, HIGHEST_TILE_NUMBER + 1)
    ]
    return _spread_out(names, tiles) if 1 <= tiles <= len(names) else ()


def _spread_out(names: Sequence[str], tiles: int) -> TileNames:
    """Every so many-th, from the whole list."""
    every = len(names)
    return tuple(name for place, name in enumerate(names) if place * tiles // every != (place + 1) * tiles // every)


# --- Letters --------------------------------------------------------------------------------------------------


def worked_turns() -> tuple[WorkedTurn, ...]:
    """The examples of text 002: own words, and words rearranged with the last tiles of the rack."""
    turns = (
        WordTurn((LaidWord("GOD", True), LaidWord("BLESS", True)), rack_emptied=False),
        WordTurn((LaidWord("CHIP", False), LaidWord("LAP", False), LaidWord("EAR", False)), rack_emptied=False),
        WordTurn((LaidWord("CHIP", False), LaidWord("LAP", False), LaidWord("EAR", False)), rack_emptied=True),
    )
    return tuple(WorkedTurn(turn, score_word_turn(turn)) for turn in turns)


def word_examples(ruleset: Ruleset) -> tuple[WordExample, ...]:
    """Words of one rack, each with whether it opens; nothing where the box has not these letters."""
    try:
        opens = opening_words(ruleset, _LETTER_RACK, _LETTER_WORDS).words
    except Refusal:
        return ()
    return tuple(WordExample(_LETTER_RACK, word, word in opens) for word in _LETTER_WORDS)
