"""How one turn of a sheet of turns counts, for the card beside the page: its words as tiles, which of them count, the
sum."""

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.sheet import ReadTurn
from scoring.turns import laid_words
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


def _judged_words(read: ReadTurn | None) -> Iterator[tuple[LaidWord, bool]]:
    turn = laid_words(read or ReadTurn((), (), False, 0))
    return zip(turn.words, words_that_count(turn), strict=True)
