"""Who may be the same person as somebody else, whatever the order and the shape of the letters of a name."""

import re
from collections import defaultdict
from datetime import date
from typing import Generic, TypeVar

from tournament.core.names import parts_of_key
from tournament.entrants.readers.character_forms import TRADITIONAL_CHARACTERS

NamesakeItem = TypeVar("NamesakeItem")


def share_a_name(key: str, other: str) -> bool:
    """Whether two keys have the Chinese or the English name in common."""
    return any(one == two and one for one, two in zip(comparable_names(key), comparable_names(other), strict=True))


def comparable_names(key: str) -> tuple[str, str]:
    """Both names of a key as they are compared: simplified as traditional characters (张国荣, 張國榮); English
    without signs and order (CHAN Tai-man, Tai Man CHAN and CHAN, Tai Man are one)."""
    chinese, english = parts_of_key(key)
    return chinese.translate(TRADITIONAL_CHARACTERS), " ".join(sorted(re.findall(r"[^\W_]+", english.replace("'", ""))))


class NamesakeIndex(Generic[NamesakeItem]):
    """People by name, date of birth and telephone; finding one takes the same time however many there are."""

    def __init__(self) -> None:
        self.by_chinese: dict[tuple[date | None, str], NamesakeItem] = {}
        self.by_english: dict[tuple[date | None, str], NamesakeItem] = {}
        self.without_chinese: dict[tuple[date | None, str], NamesakeItem] = {}
        self.by_phone: dict[str, list[tuple[str, str, date | None, NamesakeItem]]] = defaultdict(list)

    def add(self, key: str, birth: date | None, known: NamesakeItem, phone: str = "") -> None:
        """Remember somebody; the first of two who are the same stays."""
        chinese, english = comparable_names(key)
        if chinese:
            self.by_chinese.setdefault((birth, chinese), known)
        else:
            self.without_chinese.setdefault((birth, english), known)
        self.by_english.setdefault((birth, english), known)
        if phone:
            self.by_phone[phone].append((chinese, english, birth, known))

    def find(self, key: str, birth: date) -> NamesakeItem | None:
        """Who was born that day with that name: Chinese names decide where both have one, else the English ones."""
        chinese, english = comparable_names(key)
        if not chinese:
            return self.by_english.get((birth, english))
        return self.by_chinese.get((birth, chinese)) or self.without_chinese.get((birth, english))

    def alike(self, key: str, birth: date, phone: str) -> NamesakeItem | None:
        """Who has the telephone and the name, with another date of birth; or the telephone, the English name and the
        date of birth, with another Chinese name."""
        chinese, english = comparable_names(key)
        for their_chinese, their_english, their_birth, known in self.by_phone.get(phone, ()):
            both = bool(chinese and their_chinese)
            named = chinese == their_chinese if both else english == their_english
            if named != (birth == their_birth) and (named or english == their_english):
                return known
        return None
