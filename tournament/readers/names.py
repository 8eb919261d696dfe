"""Names: kept as typed, folded only for search and for finding the same person twice (rules 4)."""

import re
import unicodedata

# Two spellings of one character in Hong Kong names; the second is the key's.
VARIANTS = str.maketrans("峯衞羣裡栢邨着溫", "峰衛群裏柏村著温")
SIGNS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-", "–": "-", "—": "-"})
SIGNS.update(str.maketrans({"‧": "·", "•": "·", "・": "·", "．": "·", "∙": "·"}))
LONGEST_KEY = 220
SEPARATOR = "|"


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


def same_name(first: str, second: str) -> bool:
    """Whether two keys name one person: the Chinese names decide where both are given, else the English ones."""
    first_zh, _, first_en = first.partition(SEPARATOR)
    second_zh, _, second_en = second.partition(SEPARATOR)
    return first_zh == second_zh if first_zh and second_zh else first_en == second_en


def has_latin_letter(name: str) -> bool:
    """Whether any letter of an alphabet stands in it, rather than ideographs alone."""
    return any(character.isalpha() and unicodedata.category(character) != "Lo" for character in name)


def has_question_mark(name: str) -> bool:
    """What a lost character leaves behind: ?, its full-width form, an empty box."""
    return any(mark in name for mark in "?？□")
