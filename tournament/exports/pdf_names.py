"""Names on paper: one that no font has whole gives way to the other, or to the number, and the page says so.

Nobody else's paper waits for it (fault E4). Sentences are in both languages, as all that is printed.
"""

from typing import NamedTuple

from tournament.exports.pdf_fonts import lacking
from tournament.quantities import entrant_number_text

NO_CHINESE = "中文姓名有字無法列印 Chinese name not printable"
NO_ENGLISH = "英文姓名有字無法列印 English name not printable"
NOT_LISTED = "（姓名無法列印 name not printable）"
NO_NAME = "姓名有字無法列印，以編號代替 Name not printable, number instead"


class PaperName(NamedTuple):
    """What is printed: a name or the number, the other name or nothing, and what the page says of one left out."""

    first: str
    second: str = ""
    note: str = ""


def paper_name(number: int, name_zh: str, name_en: str) -> PaperName:
    """The names of somebody on a paper of their own: whole as typed, each only where the fonts have all of it."""
    printable = [name for name in (name_zh, name_en) if name and not lacking(name)]
    if not printable:
        return PaperName(entrant_number_text(number), note=NO_NAME)
    left_out = NO_CHINESE if name_zh not in ("", *printable) else NO_ENGLISH if name_en not in ("", *printable) else ""
    return PaperName(printable[0], printable[1] if len(printable) > 1 else "", left_out)


def listed_name(name: str) -> str:
    """A name in a list that has the number beside it: the name, or that it cannot be printed."""
    return NOT_LISTED if lacking(name) else name


def line_name(number: int, name_zh: str, name_en: str) -> str:
    """Both names on a line that has the number beside them, with what the paper says of one left out."""
    name = paper_name(number, name_zh, name_en)
    if name.note == NO_NAME:
        return NOT_LISTED
    return " ".join(text for text in (name.first, name.second, name.note and f"（{name.note}）") if text)
