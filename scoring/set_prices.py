"""Prices of tiles and jokers under which no set is worth more than what lies in it, and the rack costs least.

A set's `excess` is what its tiles cost beyond its worth, 0 or more. Whoever lays sets of a rack gets the price of the
whole rack, less the excess of each set and less the price of whatever is left over. So a total is searched for by what
it loses, and the better the prices, the less there is to search. Any prices give the same answer in the end.

The best prices are the dual solution of a linear programme: lay as much of each set, in parts too, as is worth most.
It is solved by the simplex method in integers: everything is held times `unit`, the determinant of the basis, and each
division leaves no rest (Bareiss). A vector is held in one integer, 32 bits for each entry, which may be negative: to
add vectors or to scale one is a single operation. Of each tile there is a little more than its copies, of no two by as
much, so that no step leads back. An entry that does not fit, or too many steps, spoil the prices alone, which are
mended then.
"""

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.packed_tiles import JOKER_KINDS, PLAIN_JOKER, LaidSet

_LANE_BITS = 32
_LANE_BYTES = _LANE_BITS // 8
_LANE_MASK = (1 << _LANE_BITS) - 1
_ZERO = 1 << _LANE_BITS - 1
_COPY = 1024
_MOST_STEPS = 2000
_WEIGHT = 120
_TILE_WEIGHT = 20
"""The set that gains most for a tile goes first, a joker counting as two: so fewer steps are needed. To compare them,
what a set loses is held times its weight, that much divided by its tiles; of a tile alone times its own."""


class Prices(NamedTuple):
    """What each tile costs by name, in parts of a point: `unit` of them are one. And for each set its excess."""

    of: Mapping[str, int]
    unit: int
    excesses: list[int]

    def of_rack(self, held: Mapping[str, int]) -> int:
        """What a whole rack costs: no total is more."""
        return sum(self.of[name] * many for name, many in held.items())


class _Lanes:
    """Vectors of so many entries, each in one integer."""

    def __init__(self, entries: int) -> None:
        self.size = entries * _LANE_BYTES
        self.form = f"<{entries}I"
        self.full = (1 << entries * _LANE_BITS) - 1
        self.zeros = int.from_bytes(struct.pack("<I", _ZERO) * entries, "little")

    def entries(self, vector: int) -> tuple[int, ...]:
        """The entries, each more by _ZERO."""
        return struct.unpack(self.form, (vector + self.zeros & self.full).to_bytes(self.size, "little"))


def least_prices(held: Mapping[str, int], sets: Sequence[LaidSet], most_steps: int = _MOST_STEPS) -> Prices:
    """Prices for the tiles held, all of which are in some set; the best ones, unless that takes too many steps."""
    programme = _Programme(held, sets)
    for _ in range(most_steps):
        if not programme.step():
            break
    of = dict(zip(held, programme.prices(), strict=True))
    found = _excesses(of, programme.unit, sets)
    if _mend(of, found, sets):
        found = _excesses(of, programme.unit, sets)
    return Prices(of, programme.unit, found)


def _excesses(of: Mapping[str, int], unit: int, sets: Sequence[LaidSet]) -> list[int]:
    return [sum([of[name] for name in one.names]) - one.value * unit for one in sets]


class _Programme:
    """The linear programme in the form of the revised simplex method. A row is a kind of tile. A column leaves a tile
    over, lays a set, or replaces a tile by a plain joker.

    `_inverse` has the columns of the inverse of the basis, `_amounts` how much is laid of what is in the basis, and
    `_losses` for each column what its tiles cost beyond its worth, times its weight; all times `unit`.
    """

    def __init__(self, held: Mapping[str, int], sets: Sequence[LaidSet]) -> None:
        self.unit = 1
        self._row = {name: row for row, name in enumerate(held)}
        self._sets = sets
        replaced = [name for name in held if name not in JOKER_KINDS] if PLAIN_JOKER in held else []
        self._replaced = replaced
        columns = len(held) + len(sets) + len(replaced)
        self._of_rows, self._of_columns = _Lanes(len(held)), _Lanes(columns)
        self._weights = [_WEIGHT // (len(one.names) + sum([name in JOKER_KINDS for name in one.names])) for one in sets]
        self._table = self._tiles_in_columns(columns)
        worths = [one.value * weight for one, weight in zip(sets, self._weights, strict=True)]
        self._losses = -int.from_bytes(struct.pack(f"<{len(sets)}I", *worths), "little") << len(held) * _LANE_BITS
        self._inverse = [1 << row * _LANE_BITS for row in range(len(held))]
        self._amounts = [many * _COPY + row * 37 % 101 for row, many in enumerate(held.values())]

    def _tiles_in_columns(self, columns: int) -> list[int]:
        """For each row the vector of how many of its tile lie in each column."""
        lanes = {name: bytearray(columns * _LANE_BYTES) for name in self._row}
        for row, name in enumerate(self._row):
            lanes[name][row * _LANE_BYTES] = _TILE_WEIGHT
        at = len(self._row) * _LANE_BYTES
        for one, weight in zip(self._sets, self._weights, strict=True):
            for name in one.names:
                lanes[name][at] += weight
            at += _LANE_BYTES
        table = [int.from_bytes(lane, "little") for lane in lanes.values()]
        for column, name in enumerate(self._replaced, len(self._row) + len(self._sets)):
            table[self._row[name]] -= _TILE_WEIGHT << column * _LANE_BITS
            table[self._row[PLAIN_JOKER]] += _TILE_WEIGHT << column * _LANE_BITS
        return table

    def prices(self) -> list[int]:
        left_over = self._of_columns.entries(self._losses)[: len(self._row)]
        return [max(0, (loss - _ZERO) // _TILE_WEIGHT) for loss in left_over]

    def step(self) -> bool:
        """Take the column that gains most into the basis; whether one gains anything."""
        losses = self._of_columns.entries(self._losses)
        least = min(losses)
        if least >= _ZERO:
            return False
        number = losses.index(least)
        column = self._in_basis(number)
        entries = self._of_rows.entries(column)
        leaving = self._leaving(entries)
        if leaving < 0:
            return False
        self._exchange((least - _ZERO) // self._weight(number), column, entries, leaving)
        return True

    def _in_basis(self, column: int) -> int:
        """A column in terms of the basis."""
        inverse, row = self._inverse, self._row
        if column < len(row):
            return inverse[column]
        column -= len(row)
        if column < len(self._sets):
            return sum([inverse[row[name]] for name in self._sets[column].names])
        return inverse[row[PLAIN_JOKER]] - inverse[row[self._replaced[column - len(self._sets)]]]

    def _weight(self, column: int) -> int:
        column -= len(self._row)
        return self._weights[column] if 0 <= column < len(self._sets) else _TILE_WEIGHT

    def _leaving(self, entries: Sequence[int]) -> int:
        """The row whose amount is used up first; -1 where none is."""
        leaving, amount, pivot = -1, 0, 1
        for row, entry in enumerate(entries):
            if entry > _ZERO and (leaving < 0 or self._amounts[row] * pivot < amount * (entry - _ZERO)):
                leaving, amount, pivot = row, self._amounts[row], entry - _ZERO
        return leaving

    def _exchange(self, loss: int, column: int, entries: Sequence[int], leaving: int) -> None:
        unit, pivot, amount = self.unit, entries[leaving] - _ZERO, self._amounts[leaving]
        # Most rows have nothing of the column, and most pivots are the unit: then a row stays as it is.
        same = pivot == unit
        self._amounts = [
            had if same and entry == _ZERO else (had * pivot - (entry - _ZERO) * amount) // unit
            for had, entry in zip(self._amounts, entries, strict=True)
        ]
        self._amounts[leaving] = amount
        # So the leaving row stays as it is.
        column -= unit << leaving * _LANE_BITS
        zeros, shift = self._of_rows.zeros, leaving * _LANE_BITS
        inverse, table, in_columns = self._inverse, self._table, 0
        for row, vector in enumerate(inverse):
            factor = (vector + zeros >> shift & _LANE_MASK) - _ZERO
            if factor:
                inverse[row] = (vector * pivot - factor * column) // unit
                in_columns += factor * table[row]
            elif not same:
                inverse[row] = vector * pivot // unit
        self._losses = (self._losses * pivot - loss * in_columns) // unit
        self.unit = pivot


def _mend(of: dict[str, int], found: Sequence[int], sets: Sequence[LaidSet]) -> bool:
    """Raise the prices where a set is worth more than its tiles, or a tile more than the plain joker that may take its
    place; whether one was raised. The best prices need it nowhere."""
    before = dict(of)
    for one, excess in zip(sets, found, strict=True):
        if excess < 0:
            of[one.names[-1]] -= excess
    if PLAIN_JOKER in of:
        of[PLAIN_JOKER] = max(price for name, price in of.items() if name == PLAIN_JOKER or name not in JOKER_KINDS)
    return of != before
