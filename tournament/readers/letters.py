"""A text as letters alone, each with its place in the text: what a search for names compares, whatever the layout."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tournament.names import VARIANTS, Script, script_of
from tournament.readers.one_form import LATIN, TRADITIONAL

# Between the ideographs of one name: lists pad and part names with these.
LAYOUT = frozenset("-‐‑‒–—―−·•‧・.．_*＊/\\~'’`´|")
# Ideographs and letters that are written as vertical bars.
BARS = str.maketrans(dict.fromkeys("丨㇑〡︱︳ㅣǀ", "|"))
FIGURES = range(10)
STREAMS = ("close", "loose", "words", "figures", "signs")
BREAK = "\n"


@dataclass(slots=True)
class Stream:
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
                if fits and BREAK not in row and has_one_more(row, wanted):
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
class Letters:
    """One text: ideographs joined over layout (`close`) and over whatever else (`loose`), words of alphabets one after
    another, figures joined over signs, and every sign but spaces."""

    text: str
    close: Stream
    loose: Stream
    words: Stream
    figures: Stream
    signs: Stream


@lru_cache(maxsize=20_000)
def folded(character: str) -> str:
    """One form for all widths, cases, accents and shapes; nothing for what only selects a form or is not seen."""
    plain = unicodedata.normalize("NFKD", character.translate(VARIANTS)).translate(LATIN).casefold()
    parts = unicodedata.normalize("NFD", plain).translate(TRADITIONAL).translate(VARIANTS).translate(BARS)
    return "".join(part for part in parts if script_of(part) not in (Script.MARK, Script.INVISIBLE))


def figure_of(part: str) -> int | None:
    """The figure that it is, in whatever script: 9, 九, 玖."""
    number = 0.0 if part == "○" else unicodedata.numeric(part, None)
    return int(number) if number in FIGURES else None


def is_ideograph(character: str) -> bool:
    """Whether it is a Chinese character."""
    return script_of(character) == Script.HAN


def ideographs_of(text: str) -> str:
    """The Chinese characters of a name, without its layout and whatever else stands in the field."""
    return "".join(part for character in text for part in folded(character) if is_ideograph(part))


def words_of(text: str) -> list[str]:
    """The words of a name in an alphabet: `CHAN Tai-man` is chan, tai, man."""
    plain = "".join(map(folded, text))
    return "".join(part if part.isalpha() and not is_ideograph(part) else " " for part in plain).split()


def letters_of(text: str) -> Letters:
    """Read a text once, character by character."""
    made = Letters(text, *(Stream() for _stream in range(5)))
    rows: dict[str, list[str]] = {name: [] for name in STREAMS}
    apart = True  # whether the next letter of an alphabet begins a word
    for place, character in enumerate(text):
        for part in folded(character):
            apart = _put(made, rows, part, place, apart)
    for name, row in rows.items():
        getattr(made, name).letters = "".join(row)
    made.words.ends |= {start for start in made.words.starts if start} | {len(made.words.letters)}
    return made


def _put(made: Letters, rows: dict[str, list[str]], part: str, place: int, apart: bool) -> bool:
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
    elif not part.isspace() and part not in LAYOUT:
        add("close", BREAK)
    if part.isalpha() and not ideograph:
        if apart:
            made.words.starts.add(len(rows["words"]))
        add("words", part)
    if part.isalpha() and digit is None:
        add("figures", BREAK)
    return not part.isalpha() or ideograph
