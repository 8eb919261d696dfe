"""What is asked about names that are new or change: both in one cell, letters that no font has, a layout.

Nobody is refused for an unusual name: it is split by one press, typed anew, or accepted as it is written.
"""

from collections.abc import Collection
from typing import Any, Protocol

from tournament.core.exports.pdf_fonts import describe_character, unprintable_characters
from tournament.core.names import Script as S
from tournament.core.names import fold_name, has_chinese, has_layout, scripts_in_text, split_mixed_name
from tournament.entrants.readers.entrants import ImportedRow
from tournament.entrants.readers.faults import FAULT_DECIDE, FAULT_ERROR, FAULT_NOTE, FaultSeverity

CHECKED_NAME_COLUMNS = ("name_zh", "name_en")
# What an organiser may accept of a name, as it is written.
ACCEPTABLE_NAME_FAULTS = frozenset({"name_zh_letters", "name_without_glyph"})


class NoteFault(Protocol):
    """How a fault at one cell of a row is noted."""

    def __call__(
        self, row: ImportedRow, code: str, column: str, weight: FaultSeverity = FAULT_ERROR, **facts: Any
    ) -> None: ...


def check_names(row: ImportedRow, note: NoteFault, columns: Collection[str] = CHECKED_NAME_COLUMNS) -> None:
    """The names of these columns, but for those that could not be read."""
    for column in CHECKED_NAME_COLUMNS:
        name = getattr(row, column)
        if column in columns and name:
            check_name(row, column, name, note)


def check_name(row: ImportedRow, column: str, name: str, note: NoteFault) -> None:
    """One name: what must be parted, then what may be accepted, then what is only told."""
    found = scripts_in_text(name)
    if column == "name_en" and has_chinese(name):
        note(row, "name_en_ideographs", column, split=split_of(row.name_zh, name))
    elif column == "name_zh" and found & {S.LATIN, S.ALPHABET}:
        note(row, "name_zh_letters", column, FAULT_DECIDE, split=split_of(name, row.name_en))
    elif missing := unprintable_characters(name):
        note(row, "name_without_glyph", column, FAULT_DECIDE, characters=", ".join(map(describe_character, missing)))
    elif column == "name_zh" and has_layout(name):
        note(row, "name_layout", column, FAULT_NOTE)


def split_of(name_zh: str, name_en: str) -> tuple[str, str] | None:
    """Chinese and English name as one press takes them over; None where it is not plain which is which.

    A Chinese name that stands in its own field already is not replaced by another one.
    """
    (chinese, beside), (other, english) = split_mixed_name(name_zh), split_mixed_name(name_en)
    if chinese and other and fold_name(chinese) != fold_name(other):
        return None
    parts = (chinese or other, english or beside)
    return parts if all(parts) else None
