"""Tiles, racks and what they are worth by their faces (R23/R24)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scoring.problems import Refusal
from scoring.ruleset import JOKERS, Ruleset

COLOUR_LETTERS = ("R", "B", "K", "O")
"""Red, blue, black, orange (yellow), in the order in which groups are written."""

HIGHEST_TILE_NUMBER = 13
SPECIAL_JOKERS = frozenset(JOKERS) - {"J"}


class Tile(NamedTuple):
    """A tile read: `colour` is a place in COLOUR_LETTERS, `number` 1 to 13; a joker has -1 and 0."""

    name: str
    colour: int
    number: int


TILES_BY_NAME: Mapping[str, Tile] = MappingProxyType(
    {
        **{
            f"{c}{n}": Tile(f"{c}{n}", place, n)
            for place, c in enumerate(COLOUR_LETTERS)
            for n in range(1, HIGHEST_TILE_NUMBER + 1)
        },
        **{joker: Tile(joker, -1, 0) for joker in JOKERS},
    }
)
"""Every tile by its name."""


def read_tile(name: object, where: str) -> Tile:
    """The tile of a name such as "R13" or "J". Raises Refusal."""
    if not isinstance(name, str):
        raise Refusal(where, "must be a text")
    if name not in TILES_BY_NAME:
        raise Refusal(where, "is no tile")
    return TILES_BY_NAME[name]


def read_tiles(names: Iterable[object], where: str) -> tuple[Tile, ...]:
    """The tiles of names, in their order. Raises Refusal with the place of the first that is none."""
    return tuple(read_tile(name, f"{where}[{i}]") for i, name in enumerate(names))


def has_numbers(ruleset: Ruleset) -> bool:
    """Whether the ruleset plays with numbered tiles, so that sets, openings and rack values mean something."""
    return ruleset.tiles.numbers > 0


def read_tiles_of_box(ruleset: Ruleset, names: Sequence[object], where: str) -> tuple[Tile, ...]:
    """Tiles of a set or a rack whose sets are asked for. Raises Refusal for a ruleset that plays with letters, and at
    the first that is no tile or a special joker that the ruleset's box does not hold."""
    if not has_numbers(ruleset):
        raise Refusal("ruleset", "plays with letters, not with numbers")
    tiles = read_tiles(names, where)
    for i, tile in enumerate(tiles):
        if tile.name in SPECIAL_JOKERS and not dict(ruleset.tiles.jokers)[tile.name]:
            raise Refusal(f"{where}[{i}]", f"{tile.name} is not in the box of this ruleset")
    return tiles


def check_copies(ruleset: Ruleset, racks: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raises Refusal at the first tile, over all racks `(where, tiles)`, that the box has no copy left of."""
    jokers = dict(ruleset.tiles.jokers)
    seen: Counter[str] = Counter()
    for where, rack in racks:
        for i, name in enumerate(rack):
            seen[name] += 1
            copies = jokers.get(name, ruleset.tiles.numbers)
            if seen[name] > copies:
                raise Refusal(f"{where}[{i}]", f"{name} is there more often than the set holds it ({copies})")


def sum_of_faces(ruleset: Ruleset, rack: Iterable[str]) -> int:
    """Sum of the faces, each joker of any kind at the ruleset's joker value (R23/R24)."""
    return sum(TILES_BY_NAME[name].number or ruleset.joker_value for name in rack)


def least_face_value(ruleset: Ruleset, tiles: int) -> int:
    """The least that so many tiles of the set can be worth. Raises Refusal where there are not so many."""
    return _face_ranges(ruleset, tiles)[0][0]


def greatest_face_value(ruleset: Ruleset, tiles: int) -> int:
    """The most that so many tiles of the set can be worth. Raises Refusal where there are not so many."""
    return _face_ranges(ruleset, tiles)[-1][1]


def check_face_value(ruleset: Ruleset, value: int, tiles: int, where: str) -> None:
    """Raises Refusal where no `tiles` tiles of the set are worth `value`: outside the bounds, or in a gap
    between them (one tile cannot be 14 to 29)."""
    ranges = _face_ranges(ruleset, tiles)
    if any(least <= value <= most for least, most in ranges):
        return
    noun = "tile" if tiles == 1 else "tiles"
    if value > ranges[-1][1]:
        raise Refusal(where, f"{value} is more than {tiles} {noun} can hold ({ranges[-1][1]})")
    if value < ranges[0][0]:
        raise Refusal(where, f"{value} is less than {tiles} {noun} can hold ({ranges[0][0]})")
    raise Refusal(where, f"{value} cannot be the value of {tiles} {noun}")


def face_value_of_box(ruleset: Ruleset) -> int:
    """What all tiles of the set are worth together (hk-2026: 788)."""
    return greatest_face_value(ruleset, 52 * ruleset.tiles.numbers + ruleset.tiles.joker_count)


def _face_ranges(ruleset: Ruleset, tiles: int) -> tuple[tuple[int, int], ...]:
    ranges = _ranges(ruleset.tiles.numbers, ruleset.tiles.joker_count, ruleset.joker_value, tiles)
    if not ranges:
        raise Refusal("tiles", f"{tiles} are more than the set holds ({ruleset.tiles.size})")
    return ranges


@lru_cache(maxsize=4096)
def _ranges(copies: int, jokers: int, joker_value: int, tiles: int) -> tuple[tuple[int, int], ...]:
    """The values of `tiles` tiles as closed ranges, ascending and apart. With a fixed number of jokers every
    value between least and most occurs: some numbered tile can be exchanged for one that is greater by 1."""
    faces = [number for number in range(1, HIGHEST_TILE_NUMBER + 1) for _ in range(len(COLOUR_LETTERS) * copies)]
    found = []
    for held in range(min(jokers, tiles) + 1):
        numbered = tiles - held
        if 0 <= numbered <= len(faces):
            least, most = sum(faces[:numbered]), sum(faces[len(faces) - numbered :])
            found.append((held * joker_value + least, held * joker_value + most))
    merged: list[tuple[int, int]] = []
    for least, most in sorted(found):
        if merged and least <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(most, merged[-1][1]))
        else:
            merged.append((least, most))
    return tuple(merged)
