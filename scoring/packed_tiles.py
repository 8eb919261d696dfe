"""The tiles of a rack with Twist's jokers in one integer: a count of 8 bits for each kind, four kinds a number from 0
up, and the jokers last. Racks and sets are added and taken off as integers; equal tiles are equal integers.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.set_readings import COLOUR_CHANGE_JOKER, DOUBLE_JOKER, MIRROR_JOKER
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER

COUNT_BITS = 8
COUNT_MASK = (1 << COUNT_BITS) - 1
NUMBER_BITS = COUNT_BITS * len(COLOUR_LETTERS)
NUMBER_MASK = (1 << NUMBER_BITS) - 1
PLAIN_JOKER = "J"
JOKER_KINDS = (PLAIN_JOKER, DOUBLE_JOKER, COLOUR_CHANGE_JOKER, MIRROR_JOKER)
JOKERS_AT = HIGHEST_TILE_NUMBER + 1
"""The number in whose place the jokers are counted."""

NAMES_BY_NUMBER = {
    **{letter: [f"{letter}{number}" for number in range(HIGHEST_TILE_NUMBER + 1)] for letter in COLOUR_LETTERS},
    **{kind: [kind] * (HIGHEST_TILE_NUMBER + 1) for kind in JOKER_KINDS},
}
"""The tiles of a colour by their number; a joker is the same at each."""
TILE_SHIFTS = {
    **{
        NAMES_BY_NUMBER[letter][number]: number * NUMBER_BITS + colour * COUNT_BITS
        for number in range(1, HIGHEST_TILE_NUMBER + 1)
        for colour, letter in enumerate(COLOUR_LETTERS)
    },
    **{kind: JOKERS_AT * NUMBER_BITS + at * COUNT_BITS for at, kind in enumerate(JOKER_KINDS)},
}
TILE_UNITS = {name: 1 << shift for name, shift in TILE_SHIFTS.items()}
SIGN_BITS = sum(unit << COUNT_BITS - 1 for unit in TILE_UNITS.values())
"""The highest bit of each count, which is in use in none: what is left of it says whether a count fell below 0."""


class LaidSet(NamedTuple):
    """A set that may be laid: its tiles as they lie, what it is worth, its lowest number, whether it is a group
    without a mirror, whose tiles may lie in any order, and its tiles packed."""

    names: tuple[str, ...]
    value: int
    lowest: int
    any_order: bool
    packed: int


def pack_tiles(held: Mapping[str, int]) -> int:
    """All tiles of a rack, given by how many it has of each by name."""
    return sum(TILE_UNITS[name] * many for name, many in held.items())
