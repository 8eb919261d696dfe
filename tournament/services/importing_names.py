"""What is asked about names that are new or change: both in one cell, letters that no font has, a layout.

Nobody is refused for an unusual name: it is split by one press, typed anew, or accepted as it is written.
"""

from collections.abc import Collection
from typing import Any, Protocol

from tournament.exports.pdf_fonts import lacking, shown
from tournament.names import Script as S
from tournament.names import divide, fold, has_chinese, has_layout, scripts
from tournament.readers.entrants import EntrantRow
from tournament.readers.faults import DECIDE, MEND, NOTE, Weight

NAMES = ("name_zh", "name_en")
# What an organiser may accept of a name, as it is written.
ACCEPTABLE = frozenset({"name_zh_letters", "name_without_glyph"})


class Noting(Protocol):
    """How a fault at one cell of a row is noted."""

    def __call__(self, row: EntrantRow, code: str, column: str, weight: Weight = MEND, **facts: Any) -> None: ...


def check_names(row: EntrantRow, note: Noting, columns: Collection[str] = NAMES) -> None:
    """The names of these columns, but for those that could not be read."""
    for column in NAMES:
        name = getattr(row, column)
        if column in columns and name:
            check_name(row, column, name, note)


def check_name(row: EntrantRow, column: str, name: str, note: Noting) -> None:
    """One name: what must be parted, then what may be accepted, then what is only told."""
    found = scripts(name)
    if column == "name_en" and has_chinese(name):
        note(row, "name_en_ideographs", column, split=split_of(row.name_zh, name))
    elif column == "name_zh" and found & {S.LATIN, S.ALPHABET}:
        note(row, "name_zh_letters", column, DECIDE, split=split_of(name, row.name_en))
    elif missing := lacking(name):
        note(row, "name_without_glyph", column, DECIDE, characters=", ".join(map(shown, missing)))
    elif column == "name_zh" and has_layout(name):
        note(row, "name_layout", column, NOTE)


def split_of(name_zh: str, name_en: str) -> tuple[str, str] | None:
    """Chinese and English name as one press takes them over; None where it is not plain which is which.

    A Chinese name that stands in its own field already is not replaced by another one.
    """
    (chinese, beside), (other, english) = divide(name_zh), divide(name_en)
    if chinese and other and fold(chinese) != fold(other):
        return None
    parts = (chinese or other, english or beside)
    return parts if all(parts) else None
