"""Each column of an entrant with a first and a second value, as lists and as the database have it."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from tournament.core.entrant_column_kinds import ColumnKind, EntrantColumn, Reveals
from tournament.core.entrant_columns import ENTRANT_COLUMNS

Kind = ColumnKind
# What a list has in a column, and what it is changed to; a text says whose it is.
CELLS: Mapping[ColumnKind, tuple[str, str]] = {
    Kind.NUMBER: ("0001", "0001"),
    Kind.DATE: ("1985-07-01", "1985-07-02"),
    Kind.SESSION: ("0328-1", "0328-1"),
    Kind.PHONE: ("+85291234567", "+85261234567"),
    Kind.MAIL: ("first@example.com", "second@example.com"),
    Kind.LANGUAGE: ("English", "中文"),
    Kind.FAMILY: ("F-0077", "F-0077"),
    Kind.FAMILY_ROLE: ("家長", "家長"),
    Kind.YES_NO: ("是", "否"),
}
NAMES = {"name_zh": ("龍小明", "龍小琳"), "name_en": ("LUNG Siu Ming", "LUNG Siu Lam")}
GUARDIANS = ("WOO Tai Kau", "WOO Tai Ngau")
# A school for each place in the list.
SIGNS = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"


def cell(column: EntrantColumn, turn: int = 0) -> str:
    """The first or second text of a column, as a list has it."""
    if column.kind is Kind.NAME:
        return NAMES[column.key][turn]
    if column.reveals is Reveals.GUARDIAN:
        return GUARDIANS[turn]
    if column.reveals is Reveals.SCHOOL:
        return f"{'白藍'[turn]}{SIGNS[ENTRANT_COLUMNS.index(column)]}田小學"
    return CELLS.get(column.kind, (f"first {column.key}", f"second {column.key}"))[turn]


def value(column: EntrantColumn, turn: int = 0) -> Any:
    """The same as the rows of the database have it, a session and a family by their code."""
    text = cell(column, turn)
    readings: Mapping[ColumnKind, Callable[[str], Any]] = {
        Kind.DATE: date.fromisoformat,
        Kind.YES_NO: {"是": True, "否": False}.__getitem__,
        Kind.LANGUAGE: {"English": "en", "中文": "zh-hant"}.__getitem__,
        Kind.FAMILY_ROLE: {"家長": "parent"}.__getitem__,
    }
    return readings.get(column.kind, str)(text)
