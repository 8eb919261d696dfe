"""Names: kept as typed, folded only for search and for finding the same person twice (rules 4)."""

import re
import unicodedata
from datetime import date
from typing import Generic, TypeVar

# Two spellings of one character in Hong Kong names; the second is the key's.
VARIANTS = str.maketrans("峯衞羣裡栢邨着溫", "峰衛群裏柏村著温")
SIGNS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-", "–": "-", "—": "-"})
SIGNS.update(str.maketrans({"‧": "·", "•": "·", "・": "·", "．": "·", "∙": "·"}))
LONGEST_KEY = 220
SEPARATOR = "|"

Known = TypeVar("Known")


def fold(name: str) -> str:
    """The key of a name: NFKC, case, variant pairs, one form of apostrophe, hyphen and middle dot, single spaces.

    NFKC comes after the variants of one code point, since it would change some HKSCS compatibility forms first.
    """
    text = name.translate(VARIANTS).translate(SIGNS)
    text = unicodedata.normalize("NFKC", text).casefold().translate(VARIANTS).translate(SIGNS)
    return re.sub(r"\s+", " ", text).strip()


def name_key(name_zh: str, name_en: str) -> str:
    """What `Person.name_key` holds: both folded names, cut to the column."""
    return f"{fold(name_zh)}{SEPARATOR}{fold(name_en)}"[:LONGEST_KEY]


class People(Generic[Known]):
    """People by name and date of birth; finding one takes the same time however many were born on that day."""

    def __init__(self) -> None:
        self.by_chinese: dict[tuple[date, str], Known] = {}
        self.by_english: dict[tuple[date, str], Known] = {}
        self.without_chinese: dict[tuple[date, str], Known] = {}

    def add(self, key: str, birth: date, known: Known) -> None:
        """Remember somebody; the first of two who are the same stays."""
        chinese, _, english = key.partition(SEPARATOR)
        if chinese:
            self.by_chinese.setdefault((birth, chinese), known)
        else:
            self.without_chinese.setdefault((birth, english), known)
        self.by_english.setdefault((birth, english), known)

    def find(self, key: str, birth: date) -> Known | None:
        """Who was born that day with that name: Chinese names decide where both have one, else the English ones."""
        chinese, _, english = key.partition(SEPARATOR)
        if not chinese:
            return self.by_english.get((birth, english))
        return self.by_chinese.get((birth, chinese)) or self.without_chinese.get((birth, english))


def has_latin_letter(name: str) -> bool:
    """Whether any letter of an alphabet stands in it, rather than ideographs alone."""
    return any(character.isalpha() and unicodedata.category(character) != "Lo" for character in name)


def has_question_mark(name: str) -> bool:
    """What a lost character leaves behind: ?, its full-width form, an empty box."""
    return any(mark in name for mark in "?？□")
