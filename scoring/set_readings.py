"""Every way in which a set with jokers of any kind can be read: as a run, as a group, about its mirror (R80-R84).

A tile takes one place, a double two. What the set lacks to be of a kind is said in `scoring.sets`; here a reading is
there or it is not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER, Tile

KIND_RUN = "run"
KIND_GROUP = "group"
MIN_SET_LENGTH = 3
MAX_MIRROR_GROUP_SIDE = 3
DOUBLE_JOKER = "JD"
COLOUR_CHANGE_JOKER = "JC"
MIRROR_JOKER = "JM"

_ALL_COLOURS = frozenset(range(len(COLOUR_LETTERS)))
_FALLING, _RISING, _STAYING = -1, 1, 0
"""By how much the numbers of a mirror set change with each place outwards."""


@dataclass(frozen=True, slots=True)
class SetReading:
    """One way to read a set: `value` is the sum over its places; `stands_for` has, by the 0-based place of each joker
    in the set, the tiles that it may stand for (a double's two one after the other, colour by colour)."""

    kind: str
    value: int
    stands_for: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _PlacedTile:
    """A tile, where it is in the set as written, and how many places lie before it (in a side of a mirror set: between
    it and the mirror, which is 0 itself)."""

    index: int
    tile: Tile
    offset: int


def read_every_way(tiles: Sequence[Tile]) -> tuple[SetReading, ...]:
    """Every reading of a set, best first: the highest value, then the run. None: no legal set. Without any numbered
    tile a kind is read at the highest numbers it can have."""
    if len(tiles) < MIN_SET_LENGTH:
        return ()
    if any(tile.name == MIRROR_JOKER for tile in tiles):
        found = list(_mirror_readings(tiles))
    else:
        found = [reading for reading in (_run_reading(tiles), _group_reading(tiles)) if reading is not None]
    return tuple(sorted(found, key=lambda reading: (-reading.value, reading.kind != KIND_RUN)))


def is_out_of_balance(tiles: Sequence[Tile]) -> bool:
    """Whether one side of a legal mirror set goes on by one place more than the other (R83)."""
    left, right = _sides(tiles)
    return _width(left) != _width(right)


def tile_width(tile: Tile) -> int:
    """How many places a tile takes (R80)."""
    return 2 if tile.name == DOUBLE_JOKER else 1


def stretch_colours(tiles: Sequence[Tile]) -> list[frozenset[int]] | None:
    """For each tile of a run the colours it may have, colour-change jokers included (R81). None where the colours of
    the stretches are no run's. A stretch without a numbered tile may be of any colour."""
    known: list[set[int]] = [set()]
    for tile in tiles:
        if tile.name == COLOUR_CHANGE_JOKER:
            known.append(set())
        elif tile.number:
            known[-1].add(tile.colour)
    if any(len(colours) > 1 for colours in known) or any(left and left == right for left, right in pairwise(known)):
        return None
    found = []
    stretch = 0
    for tile in tiles:
        if tile.name == COLOUR_CHANGE_JOKER:
            stretch += 1
            left, right = known[stretch - 1], known[stretch]
            found.append(frozenset(left | right) if left and right else _ALL_COLOURS - left - right)
        else:
            found.append(frozenset(known[stretch]) or _ALL_COLOURS)
    return found


# --- Runs and groups ------------------------------------------------------------------------------------------


def _placed(tiles: Sequence[Tile], first_offset: int = 0, indexes: Sequence[int] | None = None) -> list[_PlacedTile]:
    found = []
    offset = first_offset
    for index, tile in zip(range(len(tiles)) if indexes is None else indexes, tiles, strict=True):
        found.append(_PlacedTile(index, tile, offset))
        offset += tile_width(tile)
    return found


def _width(placed: Sequence[_PlacedTile]) -> int:
    return sum(tile_width(one.tile) for one in placed)


def _names(colours: frozenset[int], numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"{COLOUR_LETTERS[colour]}{number}" for colour in sorted(colours) for number in numbers)


def _run_reading(tiles: Sequence[Tile]) -> SetReading | None:
    placed = _placed(tiles)
    width = _width(placed)
    lowest_numbers = {one.tile.number - one.offset for one in placed if one.tile.number}
    colours = stretch_colours(tiles)
    if len(lowest_numbers) > 1 or colours is None:
        return None
    lowest = min(lowest_numbers, default=HIGHEST_TILE_NUMBER + 1 - width)
    if lowest < 1 or lowest + width - 1 > HIGHEST_TILE_NUMBER:
        return None
    stands_for = {}
    for one in placed:
        if not one.tile.number:
            first = lowest + one.offset
            stands_for[one.index] = _names(colours[one.index], range(first, first + tile_width(one.tile)))
    value = sum(range(lowest, lowest + width))
    return SetReading(KIND_RUN, value, MappingProxyType(stands_for))


def _group_reading(tiles: Sequence[Tile]) -> SetReading | None:
    placed = _placed(tiles)
    numbers = {one.tile.number for one in placed if one.tile.number}
    missing = _missing_colours(placed)
    no_group = len(numbers) > 1 or missing is None or _width(placed) > len(COLOUR_LETTERS)
    if no_group or missing is None or any(tile.name == COLOUR_CHANGE_JOKER for tile in tiles):
        return None
    number = min(numbers, default=HIGHEST_TILE_NUMBER)
    stands_for = {one.index: _names(missing, [number]) for one in placed if not one.tile.number}
    return SetReading(KIND_GROUP, number * _width(placed), MappingProxyType(stands_for))


def _missing_colours(placed: Sequence[_PlacedTile]) -> frozenset[int] | None:
    """The colours that no numbered tile has; None where two have the same."""
    colours = [one.tile.colour for one in placed if one.tile.number]
    return None if len(set(colours)) < len(colours) else _ALL_COLOURS - set(colours)


# --- Mirror sets ----------------------------------------------------------------------------------------------


def _sides(tiles: Sequence[Tile]) -> tuple[list[_PlacedTile], list[_PlacedTile]]:
    """What lies left and right of the first mirror, outwards; the place beside the mirror is 1."""
    mirror = next(index for index, tile in enumerate(tiles) if tile.name == MIRROR_JOKER)
    left = _placed(tiles[:mirror][::-1], 1, range(mirror - 1, -1, -1))
    right = _placed(tiles[mirror + 1 :], 1, range(mirror + 1, len(tiles)))
    return left, right


def _mirror_readings(tiles: Sequence[Tile]) -> Iterator[SetReading]:
    left, right = _sides(tiles)
    kinds = [tile.name for tile in tiles]
    legal_so_far = left and right and kinds.count(MIRROR_JOKER) == 1 and COLOUR_CHANGE_JOKER not in kinds
    if not legal_so_far or abs(_width(left) - _width(right)) > 1:
        return
    for step in (_FALLING, _RISING, _STAYING):
        longest = max(_width(left), _width(right))
        at_mirror = {one.tile.number - step * one.offset for one in (*left, *right) if one.tile.number}
        if len(at_mirror) > 1:
            continue
        mirror = min(at_mirror, default=HIGHEST_TILE_NUMBER - (longest if step == _RISING else 0))
        if not (1 <= mirror <= HIGHEST_TILE_NUMBER and 1 <= mirror + step * longest <= HIGHEST_TILE_NUMBER):
            continue
        if step == _STAYING:
            reading = _mirror_group_reading(left, right, mirror)
        else:
            reading = _mirror_run_reading(left, right, mirror, step)
        if reading is not None:
            yield reading


def _mirror_run_reading(
    left: Sequence[_PlacedTile], right: Sequence[_PlacedTile], mirror: int, step: int
) -> SetReading | None:
    known = {one.tile.colour for one in (*left, *right) if one.tile.number}
    if len(known) > 1:
        return None
    colours = frozenset(known) or _ALL_COLOURS
    stands_for = {left[0].index + 1: _names(colours, [mirror])}
    value = mirror
    for one in (*left, *right):
        numbers = [mirror + step * (one.offset + more) for more in range(tile_width(one.tile))]
        value += sum(numbers)
        if not one.tile.number:
            stands_for[one.index] = _names(colours, numbers)
    return SetReading(KIND_RUN, value, MappingProxyType(dict(sorted(stands_for.items()))))


def _mirror_group_reading(left: Sequence[_PlacedTile], right: Sequence[_PlacedTile], number: int) -> SetReading | None:
    """The mirror stands for a colour that its left side lacks, another joker for one that its own side lacks."""
    missing_left, missing_right = _missing_colours(left), _missing_colours(right)
    if missing_left is None or missing_right is None or max(_width(left), _width(right)) > MAX_MIRROR_GROUP_SIDE:
        return None
    stands_for = {left[0].index + 1: _names(missing_left, [number])}
    for side, missing in ((left, missing_left), (right, missing_right)):
        stands_for.update({one.index: _names(missing, [number]) for one in side if not one.tile.number})
    value = number * (_width(left) + _width(right) + 1)
    return SetReading(KIND_GROUP, value, MappingProxyType(dict(sorted(stands_for.items()))))
