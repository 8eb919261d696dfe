"""How one turn of a sheet of turns counts, for the card beside the page: its words as tiles, which of them count, the
sum."""

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.sheet import ReadGame, ReadTurn
from scoring.turns import laid_words, order_of_play
from scoring.words import LaidWord, words_that_count

LETTERS_AT_FULL_SIZE = 6


@dataclass(frozen=True)
class WordReading:
    """One word: its letters, whether they count, and whether all of them came from the rack."""

    letters: str
    counts: bool
    own: bool

    @property
    def size(self) -> str:
        """The class of its tiles: as large as the card has room."""
        return "s" if len(self.letters) <= LETTERS_AT_FULL_SIZE else "xs"


def word_readings(read: ReadTurn | None) -> list[WordReading]:
    """The words of a turn, own ones first; none where a tile was drawn."""
    return [WordReading(word.letters, counts, word.from_rack_only) for word, counts in _judged_words(read)]


def turn_sum_text(read: ReadTurn | None) -> str:
    """`3 + 8`, `4 × 2`, `(3 + 8) × 2`; empty where one word is all that counts, or none."""
    counted = [str(len(word.letters)) for word, counts in _judged_words(read) if counts]
    parts = " + ".join(counted)
    if read is None or not read.emptied:
        return parts if len(counted) > 1 else ""
    return f"({parts}) × 2" if len(counted) > 1 else f"{parts} × 2"


@dataclass(frozen=True)
class TurnsSum:
    """What the turns of one seat come to; `whole` False where a word at fault leaves a turn out of it."""

    points: int
    whole: bool


def turns_sum(turns: tuple[ReadTurn, ...]) -> TurnsSum | None:
    """None for a seat without turns."""
    known = [turn.points for turn in turns if turn.points is not None]
    return TurnsSum(sum(known), len(known) == len(turns)) if turns else None


def turn_after_end(game: ReadGame) -> tuple[int, str, str] | None:
    """The first turn that is no more played because a rack was emptied: its line, counted from 0, its seat, and who
    emptied the rack. Who plays next in the line is only known where the starter is."""
    emptied = [
        (line, letter) for letter, seat in game.seats.items() for line, turn in enumerate(seat.turns) if turn.emptied
    ]
    if not emptied:
        return None
    line, last = min(emptied)
    order = [letter for letter in order_of_play(game.starter) if letter in game.seats]
    later = order[order.index(last) + 1 :] if game.starter else []
    return (line, later[0], last) if later else (line + 1, order[0], last)


def _judged_words(read: ReadTurn | None) -> Iterator[tuple[LaidWord, bool]]:
    turn = laid_words(read or ReadTurn((), (), False, 0))
    return zip(turn.words, words_that_count(turn), strict=True)
