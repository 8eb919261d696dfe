"""A text as letters alone, each with its place in the text: what a search for names compares, whatever the layout."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tournament.core.names import VARIANT_CHARACTERS, Script, script_of
from tournament.entrants.readers.character_forms import LATIN_LETTERS, TRADITIONAL_CHARACTERS

# Between the ideographs of one name: lists pad and part names with these.
LAYOUT_CHARACTERS = frozenset("-‐‑‒–—―−·•‧・.．_*＊/\\~'’`´|")
# Ideographs and letters that are written as vertical bars.
BAR_TRANSLATION = str.maketrans(dict.fromkeys("丨㇑〡︱︳ㅣǀ", "|"))
FIGURE_RANGE = range(10)
STREAM_NAMES = ("close", "loose", "words", "figures", "signs")
STREAM_BREAK = "\n"


@dataclass(slots=True)
class LetterStream:
    """Letters in a row, with the place of each in the text; `starts` and `ends`: where a word begins and is over."""

    letters: str = ""
    at: list[int] = field(default_factory=list)
    starts: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)

    def find(self, wanted: str, *, whole_words: bool = False) -> Iterator[tuple[int, int]]:
        """Where it stands in the text: from and to."""
        for found in _places_in(self.letters, wanted) if wanted else ():
            end = found + len(wanted)
            if not whole_words or (found in self.starts and end in self.ends):
                yield self.at[found], self.at[end - 1] + 1

    def find_with_one_more(self, wanted: str, *, whole_words: bool = False) -> Iterator[tuple[int, int]]:
        """Where it stands with one letter put in between its first and its last."""
        half, longer = len(wanted) // 2, len(wanted) + 1
        # With one letter put in, one half of it is whole.
        for part, before in (wanted[:half], 0), (wanted[half:], half + 1):
            for found in _places_in(self.letters, part):
                start = found - before
                row = self.letters[start : start + longer] if start >= 0 else ""
                fits = not whole_words or (start in self.starts and start + longer in self.ends)
                if fits and STREAM_BREAK not in row and has_one_more(row, wanted):
                    yield self.at[start], self.at[start + longer - 1] + 1


def _places_in(letters: str, part: str) -> Iterator[int]:
    """Each place where a part begins."""
    found = letters.find(part)
    while found >= 0:
        yield found
        found = letters.find(part, found + 1)


def has_one_more(row: str, wanted: str) -> bool:
    """Whether the row is the letters wanted with one more inside."""
    if len(row) != len(wanted) + 1 or row[0] != wanted[0] or row[-1] != wanted[-1]:
        return False
    same = next((place for place, letter in enumerate(wanted) if row[place] != letter), len(wanted))
    return row[same + 1 :] == wanted[same:]


@dataclass(frozen=True, slots=True)
class TextLetters:
    """One text: ideographs joined over layout (`close`) and over whatever else (`loose`), words of alphabets one after
    another, figures joined over signs, and every sign but spaces."""

    text: str
    close: LetterStream
    loose: LetterStream
    words: LetterStream
    figures: LetterStream
    signs: LetterStream


@lru_cache(maxsize=20_000)
def fold_character(character: str) -> str:
    """One form for all widths, cases, accents and shapes; nothing for what only selects a form or is not seen."""
    plain = unicodedata.normalize("NFKD", character.translate(VARIANT_CHARACTERS)).translate(LATIN_LETTERS).casefold()
    parts = (
        unicodedata.normalize("NFD", plain)
        .translate(TRADITIONAL_CHARACTERS)
        .translate(VARIANT_CHARACTERS)
        .translate(BAR_TRANSLATION)
    )
    return "".join(part for part in parts if script_of(part) not in (Script.MARK, Script.INVISIBLE))


def figure_of(part: str) -> int | None:
    """The figure that it is, in whatever script: 9, 九, 玖."""
    number = 0.0 if part == "○" else unicodedata.numeric(part, None)
    return int(number) if number is not None and number in FIGURE_RANGE else None


def is_ideograph(character: str) -> bool:
    """Whether it is a Chinese character."""
    return script_of(character) == Script.HAN


def ideographs_of(text: str) -> str:
    """The Chinese characters of a name, without its layout and whatever else stands in the field."""
    return "".join(part for character in text for part in fold_character(character) if is_ideograph(part))


def alphabet_words_of(text: str) -> list[str]:
    """The words of a name in an alphabet: `CHAN Tai-man` is chan, tai, man."""
    plain = "".join(map(fold_character, text))
    return "".join(part if part.isalpha() and not is_ideograph(part) else " " for part in plain).split()


def read_text_letters(text: str) -> TextLetters:
    """Read a text once, character by character."""
    made = TextLetters(text, *(LetterStream() for _stream in range(5)))
    rows: dict[str, list[str]] = {name: [] for name in STREAM_NAMES}
    apart = True  # whether the next letter of an alphabet begins a word
    for place, character in enumerate(text):
        for part in fold_character(character):
            apart = _add_to_streams(made, rows, part, place, apart)
    for name, row in rows.items():
        getattr(made, name).letters = "".join(row)
    made.words.ends |= {start for start in made.words.starts if start} | {len(made.words.letters)}
    return made


def _add_to_streams(made: TextLetters, rows: dict[str, list[str]], part: str, place: int, apart: bool) -> bool:
    """One folded character into every stream it belongs to; whether a word of an alphabet is over with it."""

    def add(name: str, sign: str) -> None:
        rows[name].append(sign)
        getattr(made, name).at.append(place)

    if not part.isspace():
        add("signs", part.replace("。", "."))
    ideograph = is_ideograph(part)
    digit = figure_of(part)
    if digit is not None:
        add("figures", str(digit))
    if ideograph:
        add("close", part)
        add("loose", part)
    elif not part.isspace() and part not in LAYOUT_CHARACTERS:
        add("close", STREAM_BREAK)
    if part.isalpha() and not ideograph:
        if apart:
            made.words.starts.add(len(rows["words"]))
        add("words", part)
    if part.isalpha() and digit is None:
        add("figures", STREAM_BREAK)
    return not part.isalpha() or ideograph
