"""What was typed from one sheet, and how its texts are read.

Everything typed arrives as text, exactly as the person wrote it; reading folds the ways in which
people write the same figure (full-width digits, the several minus signs, 11.5 and 11 1/2 and 23/2)
and never guesses: a decimal that stands for a third is read as every share that it may be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from scoring.marks import Marks

GAME_ENDINGS = ("rummikub", "pool", "time")
ENDING_NOT_PLAYED = "not_played"


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """One turn of one seat, as typed: the words made of own tiles alone, those made with tiles of the table, apart by
    spaces or commas (blank or a dash: a tile was drawn), and whether the rack was emptied in it."""

    own: str = ""
    rearranged: str = ""
    emptied: bool = False


@dataclass(frozen=True, slots=True)
class SeatEntry(Marks):
    """One seat in one game, as typed.

    The paper form uses `win`, `points`, `tiles`; the rack form `face_value` or `rack` (tiles apart by
    spaces or commas), `tiles` and the flags, and compares `win` and `points` where they are typed too.
    On a sheet of turns there are `turns`, and `tiles` counts the jokers left, the only tiles left that it tells.
    `could_open` None: nobody said. `left`: left during this game, the rack is frozen. `absent`: takes no
    part in this game (never came, or left in an earlier one).
    """

    win: str = ""
    points: str = ""
    tiles: str = ""
    face_value: str = ""
    rack: str = ""
    opened: bool = True
    could_open: bool | None = None
    left: bool = False
    absent: bool = False
    turns: tuple[TurnEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One row of the sheet: how the game ended (`rummikub`, `pool`, `time`, `not_played`, or "" where
    nobody said), the seats by letter, the letter of the starter where it was recorded, and the chief judge's ruling
    (scoring.rulings) where the ruleset leaves this game open."""

    ended_by: str = ""
    seats: Mapping[str, SeatEntry] = field(default_factory=lambda: MappingProxyType({}))
    starter: str = ""
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class TotalEntry:
    """One seat of the row 總結, as typed."""

    wins: str = ""
    points: str = ""
    tiles: str = ""


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A whole sheet as typed. `form` is `paper` or `rack`, of a sheet of turns `turns`; `seats` are the letters seated
    and counted as present, `leavers` those whose entrant is recorded as having left (or disqualified, or not there)."""

    form: str
    seats: tuple[str, ...]
    leavers: frozenset[str] = frozenset()
    games: tuple[GameEntry, ...] = ()
    totals: Mapping[str, TotalEntry] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class PointsReading:
    """What a text of points may mean: one exact value, or the shares that a rounded decimal may stand
    for, nearest first. `written` is the figure as it literally stands. No candidates: unreadable."""

    candidates: tuple[Fraction, ...] = ()
    exact: bool = False
    written: Fraction | None = None


_MINUS = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u207b\u208b\ufe58\ufe63\uff0d\u30fc負负"), "-"
)
_FOLD = {**_MINUS, ord("\u2044"): "/", ord("\u2215"): "/", ord("正"): "+"}
_WHOLE = re.compile(r"[0-9]{1,5}")
_SIGNED = re.compile(r"([+-]?) ?([0-9].*|\.[0-9]+)")
_DECIMAL = re.compile(r"([0-9]{0,5})\.([0-9]{1,8})")
_TRAILING_DOTS = re.compile(r"(\.[0-9]+)\.{2,}$")
_FRACTION = re.compile(r"(?:([0-9]{1,5}) )?([0-9]{1,6}) ?/ ?([0-9]{1,2})")
_TWELFTHS = 12


def fold_typed_text(text: str) -> str:
    """The text with full-width forms, minus signs, vulgar fractions and spaces made plain."""
    apart = "".join(f" {mark}" if unicodedata.name(mark, "").startswith("VULGAR FRACTION") else mark for mark in text)
    plain = unicodedata.normalize("NFKC", apart.translate(_MINUS)).translate(_FOLD)
    return " ".join(plain.split())


def is_blank_cell(text: str) -> bool:
    """Whether nothing is written: blank, or the dashes with which people fill a cell of no use."""
    return fold_typed_text(text).strip("-/ ") == ""


def read_whole_number(text: str) -> int | None:
    """A whole number of 0 or more (tiles, wins, a face value); None where it is no such number."""
    plain = fold_typed_text(text).removeprefix("+")
    return int(plain) if _WHOLE.fullmatch(plain) else None


def read_typed_points(text: str) -> PointsReading:
    """Signed points: `-5`, `+30`, `11.5`, `11 1/2`, `23/2`, or `3.33` for a third.

    Exact texts give one candidate. A decimal that is no twelfth gives every twelfth less than one of its
    last digit away (rounded up, down or cut off), nearest first: `3.33` and `3.34` only 10/3, `3.3`
    both 10/3 and 13/4. The rest of the game decides which (R32)."""
    signed = _SIGNED.fullmatch(_TRAILING_DOTS.sub(r"\1", fold_typed_text(text)))
    if signed is None:
        return PointsReading()
    sign = -1 if signed[1] == "-" else 1
    size = signed[2]
    if _WHOLE.fullmatch(size):
        return _exact_reading(sign * Fraction(int(size)))
    if fraction := _FRACTION.fullmatch(size):
        return _read_fraction(sign, fraction)
    if decimal := _DECIMAL.fullmatch(size):
        return _read_decimal(sign, decimal)
    return PointsReading()


def _exact_reading(value: Fraction) -> PointsReading:
    return PointsReading((value,), True, value)


def _read_fraction(sign: int, found: re.Match[str]) -> PointsReading:
    whole, above, below = int(found[1] or 0), int(found[2]), int(found[3])
    if below == 0 or _TWELFTHS % below or (found[1] is not None and above >= below):
        return PointsReading()
    return _exact_reading(sign * (whole + Fraction(above, below)))


def _read_decimal(sign: int, found: re.Match[str]) -> PointsReading:
    unit = Fraction(1, 10 ** len(found[2]))
    size = int(found[1] or 0) + int(found[2]) * unit
    if _TWELFTHS % size.denominator == 0:
        return _exact_reading(sign * size)
    first = int((size - unit) * _TWELFTHS)
    shares = [Fraction(k, _TWELFTHS) for k in range(max(first, 0), int((size + unit) * _TWELFTHS) + 1)]
    near = sorted((share for share in shares if abs(share - size) < unit), key=lambda share: (abs(share - size), share))
    return PointsReading(tuple(sign * share for share in near), False, sign * size)
