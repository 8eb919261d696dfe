"""Names on paper: one that no font has whole gives way to the other, or to the number, and the page says so.

Nobody else's paper waits for it (fault E4). Sentences are in both languages, as all that is printed.
"""

from typing import NamedTuple

from tournament.core.exports.pdf_fonts import unprintable_characters
from tournament.core.numberformat import entrant_number_text

UNPRINTABLE_CHINESE_NAME = "中文姓名有字無法列印 Chinese name not printable"
UNPRINTABLE_ENGLISH_NAME = "英文姓名有字無法列印 English name not printable"
UNPRINTABLE_LISTED_NAME = "（姓名無法列印 name not printable）"
UNPRINTABLE_NAME = "姓名有字無法列印，以編號代替 Name not printable, number instead"


class PaperName(NamedTuple):
    """What is printed: a name or the number, the other name or nothing, and what the page says of one left out."""

    first: str
    second: str = ""
    note: str = ""


def paper_name(number: int, name_zh: str, name_en: str) -> PaperName:
    """The names of somebody on a paper of their own: whole as typed, each only where the fonts have all of it."""
    printable = [name for name in (name_zh, name_en) if name and not unprintable_characters(name)]
    if not printable:
        return PaperName(entrant_number_text(number), note=UNPRINTABLE_NAME)
    left_out = (
        UNPRINTABLE_CHINESE_NAME
        if name_zh not in ("", *printable)
        else UNPRINTABLE_ENGLISH_NAME
        if name_en not in ("", *printable)
        else ""
    )
    return PaperName(printable[0], printable[1] if len(printable) > 1 else "", left_out)


def listed_name(name: str) -> str:
    """A name in a list that has the number beside it: the name, or that it cannot be printed."""
    return UNPRINTABLE_LISTED_NAME if unprintable_characters(name) else name


def line_name(number: int, name_zh: str, name_en: str) -> str:
    """Both names on a line that has the number beside them, with what the paper says of one left out."""
    name = paper_name(number, name_zh, name_en)
    if name.note == UNPRINTABLE_NAME:
        return UNPRINTABLE_LISTED_NAME
    return " ".join(text for text in (name.first, name.second, name.note and f"（{name.note}）") if text)
