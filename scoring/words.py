"""Words of letters: what a turn is worth, and which words of a list can open (R58). Spelling is not judged."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.problems import Refusal
from scoring.ruleset import Ruleset

LEAST_LETTERS = 3
JOKER_ON_RACK = "J"
"""A joker among letters; the letter J, of which a box may have one too, is written `j` there."""
LETTER_JOKER = ""


@dataclass(frozen=True, slots=True)
class LaidWord:
    """A word of one turn; `from_rack_only`: no tile of the table is in it."""

    letters: str
    from_rack_only: bool


@dataclass(frozen=True, slots=True)
class WordTurn:
    """The words of one turn, and whether the rack was emptied in it."""

    words: tuple[LaidWord, ...]
    rack_emptied: bool


@dataclass(frozen=True, slots=True)
class LetterOpening:
    """The words of a list that a rack can open with, longest first, then by the alphabet; `jokers` says how many jokers
    each needs."""

    words: tuple[str, ...]
    jokers: tuple[int, ...]


def score_word_turn(turn: WordTurn, where: str = "turn") -> int:
    """A point a letter of every word from the rack alone, and of the longest of the others; doubled where the rack was
    emptied. Raises Refusal for a word that is too short or there twice."""
    seen: set[str] = set()
    for i, word in enumerate(turn.words):
        place = f"{where}.words[{i}].letters"
        if len(word.letters) < LEAST_LETTERS:
            raise Refusal(place, f"has fewer than {LEAST_LETTERS} letters")
        if word.letters.casefold() in seen:
            raise Refusal(place, "is there twice in one turn")
        seen.add(word.letters.casefold())
    counted = zip(turn.words, words_that_count(turn), strict=True)
    return sum(len(word.letters) for word, counts in counted if counts) * (2 if turn.rack_emptied else 1)


def words_that_count(turn: WordTurn) -> tuple[bool, ...]:
    """Of each word of the turn whether it counts: every one from the rack alone, and the longest of the others, of
    several as long the first."""
    others = [place for place, word in enumerate(turn.words) if not word.from_rack_only]
    longest = max(others, key=lambda place: len(turn.words[place].letters), default=None)
    return tuple(word.from_rack_only or place == longest for place, word in enumerate(turn.words))


def joker_cost(ruleset: Ruleset, jokers_left: int) -> int:
    """What the jokers that are left cost. Raises Refusal for more than the box holds."""
    most = ruleset.tiles.joker_count
    if not 0 <= jokers_left <= most:
        raise Refusal("jokers_left", f"must be from 0 to {most}")
    return jokers_left * ruleset.joker_value


def opening_words(ruleset: Ruleset, rack: Sequence[str], words: Sequence[str]) -> LetterOpening:
    """Which words of the list the rack can open with, each as it is written where it stands first. Case aside.

    Raises Refusal for a tile that is no letter of the box or no copy of which is left, and for a word with another
    character.
    """
    held = _held_letters(ruleset, rack)
    jokers = held.pop(LETTER_JOKER, 0)
    if not ruleset.opening_jokers:
        jokers = 0
    found: dict[str, tuple[str, int]] = {}
    for i, word in enumerate(words):
        letters = "".join(box_letter(ruleset, character, f"words[{i}]") for character in word)
        needed = (Counter(letters) - held).total()
        if len(letters) >= max(ruleset.opening_minimum, LEAST_LETTERS) and needed <= jokers:
            found.setdefault(letters, (word, needed))
    order = sorted(found, key=lambda letters: (-len(letters), letters))
    return LetterOpening(tuple(found[one][0] for one in order), tuple(found[one][1] for one in order))


def _held_letters(ruleset: Ruleset, rack: Sequence[str]) -> Counter[str]:
    copies = {**dict(ruleset.tiles.letters), LETTER_JOKER: ruleset.tiles.joker_count}
    held: Counter[str] = Counter()
    for i, name in enumerate(rack):
        where = f"rack[{i}]"
        if name == JOKER_ON_RACK:
            tile = LETTER_JOKER
        elif len(name) == 1:
            tile = box_letter(ruleset, name, where)
        else:
            raise Refusal(where, "is no letter of the set")
        held[tile] += 1
        if held[tile] > copies[tile]:
            raise Refusal(where, f"{name} is there more often than the set holds it ({copies[tile]})")
    return held


def box_letter(ruleset: Ruleset, character: str, where: str) -> str:
    """The letter as the box has it, case aside. Raises Refusal where it has none such."""
    letters = {letter for letter, _ in ruleset.tiles.letters}
    for form in (character, character.upper(), character.lower()):
        if form in letters:
            return form
    raise Refusal(where, f"{character} is no letter of the set")
