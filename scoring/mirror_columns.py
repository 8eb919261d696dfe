"""The mirror sets that a rack with Twist's jokers may lay, as `scoring.special_columns` has the others (R82, R83).

Where both sides can be cut so that three tiles or more, or none, fall off each, what falls off is a run by itself and
the rest a mirror set still. So is a side of three in a group. Such sets are left out: their parts are worth as much.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from scoring.packed_tiles import COUNT_BITS, NAMES_BY_NUMBER, NUMBER_BITS, PLAIN_JOKER, TILE_UNITS, LaidSet
from scoring.set_readings import DOUBLE_JOKER, MAX_MIRROR_GROUP_SIDE, MIN_SET_LENGTH, MIRROR_JOKER
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER

_GROUP_TILES = 2 * MIN_SET_LENGTH - 2
"""So many tiles beside the mirror of a group; of more, one side has three."""
_LONGEST_SIDE = 3
_MORE_FOR_A_DOUBLE = 2
_NUMBERS = (1 << HIGHEST_TILE_NUMBER + 1) - 2


def mirror_sets(held: Mapping[str, int]) -> Iterator[LaidSet]:
    """Every mirror set that a rack may need, given by how many it has of each tile by name."""
    jokers, doubles = held.get(PLAIN_JOKER, 0), held.get(DOUBLE_JOKER, 0)
    for number in range(1, HIGHEST_TILE_NUMBER + 1):
        copies = tuple([min(2, held.get(f"{letter}{number}", 0)) for letter in COLOUR_LETTERS])
        for shape in _group_shapes(copies, min(jokers, _GROUP_TILES), min(2, doubles)):
            names = tuple([by_number[number] for by_number in shape.tiles])
            packed = (shape.packed << number * NUMBER_BITS) + shape.jokers
            yield LaidSet(names, number * shape.places, number, False, packed)
    for letter, step in product(COLOUR_LETTERS, (-1, 1)):
        yield from _mirror_runs(held, letter, step)


# --- Groups ---------------------------------------------------------------------------------------------------


class _GroupShape(NamedTuple):
    """A mirror set of one number, of whatever number: the names of its tiles by number, as they lie; its places; its
    numbered tiles packed as if their number were 0, and its jokers."""

    tiles: tuple[Sequence[str], ...]
    places: int
    packed: int
    jokers: int


@lru_cache(maxsize=1024)
def _group_shapes(copies: tuple[int, ...], jokers: int, doubles: int) -> tuple[_GroupShape, ...]:
    """All shapes that a rack can fill with so many copies of the colours; each tile is there once a side."""
    found = []
    for counts in product(*(range(many + 1) for many in copies)):
        twice = [letter for letter, count in zip(COLOUR_LETTERS, counts, strict=True) if count == 2]
        once = [letter for letter, count in zip(COLOUR_LETTERS, counts, strict=True) if count == 1]
        packed = sum(count << colour * COUNT_BITS for colour, count in enumerate(counts))
        for plain, double in product(range(jokers + 1), range(doubles + 1)):
            tiles = sum(counts) + plain + double
            sides = _part_group(twice, [*once, *[PLAIN_JOKER] * plain], double, tiles + double)
            if tiles <= _GROUP_TILES and sides is not None:
                names = [NAMES_BY_NUMBER[name] for name in (*sides[0], MIRROR_JOKER, *sides[1])]
                used = plain * TILE_UNITS[PLAIN_JOKER] + double * TILE_UNITS[DOUBLE_JOKER] + TILE_UNITS[MIRROR_JOKER]
                found.append(_GroupShape(tuple(names), tiles + double + 1, packed, used))
    return tuple(found)


def _part_group(twice: list[str], once: list[str], doubles: int, width: int) -> tuple[list[str], list[str]] | None:
    """The tiles of both sides, none shorter by more than a place; None where they cannot be."""
    left = (width + 1) // 2
    room = [left - 2 * (doubles > 0), width - left - 2 * (doubles > 1)]
    if left > MAX_MIRROR_GROUP_SIDE or width < 2 or min(room) < len(twice) or (doubles == 1 and room[1] == 0):
        return None
    sides = [*twice, *once[: room[0] - len(twice)]], [*twice, *once[room[0] - len(twice) :]]
    for side in range(doubles):
        sides[side].append(DOUBLE_JOKER)
    return sides


# --- Runs -----------------------------------------------------------------------------------------------------


class _RunShape(NamedTuple):
    """A mirror set of a run, of whatever numbers: for each tile as it lies how far from the mirror its place is and
    whether the copy is the first of its number, 0, or the second, 1 (-1: a double), the mirror itself in place 0; and
    how many places lie on either side."""

    tiles: tuple[tuple[int, int], ...]
    short: int
    long: int


def _mirror_runs(held: Mapping[str, int], letter: str, step: int) -> Iterator[LaidSet]:
    """Numbers that fall or rise away from the mirror by one a place; the right side may be longer by one."""
    jokers = held.get(PLAIN_JOKER, 0)
    by_number = NAMES_BY_NUMBER[letter]
    there = [sum([1 << n for n, name in enumerate(by_number) if held.get(name, 0) > copy]) for copy in (0, 1)]
    # Where the mirror lies whose place so far away is within the numbers, or has its tile, or has it twice.
    fars = range(HIGHEST_TILE_NUMBER)
    within, *has = [[_shifted(some, -step * far) & _NUMBERS for far in fars] for some in (_NUMBERS, *there)]
    for tiles, short, long in _run_shapes(held.get(DOUBLE_JOKER, 0)):
        mirrors = _fitting(within[long], [has[copy][far] for far, copy in tiles if far and copy >= 0], jokers)
        while mirrors:
            mirror = mirrors.bit_length() - 1
            mirrors ^= 1 << mirror
            names = []
            for far, copy in tiles:
                if not far:
                    names.append(MIRROR_JOKER)
                elif copy < 0:
                    names.append(DOUBLE_JOKER)
                else:
                    names.append(by_number[mirror + step * far] if has[copy][far] >> mirror & 1 else PLAIN_JOKER)
            value = mirror * (1 + short + long) + step * (short * (short + 1) + long * (long + 1)) // 2
            packed = sum([TILE_UNITS[name] for name in names])
            yield LaidSet(tuple(names), value, min(mirror, mirror + step * long), False, packed)


def _shifted(numbers: int, by: int) -> int:
    return numbers << by if by > 0 else numbers >> -by


def _fitting(mirrors: int, tiles: Sequence[int], jokers: int) -> int:
    """The mirrors of which no more tiles than jokers are away. `by_jokers` has them by how many are used so far."""
    if not jokers:
        for has in tiles:
            mirrors &= has
        return mirrors
    by_jokers = [mirrors] + [0] * jokers
    for has in tiles:
        for used in range(jokers, 0, -1):
            by_jokers[used] = by_jokers[used] & has | by_jokers[used - 1] & ~has
        by_jokers[0] &= has
    fitting = 0
    for some in by_jokers:
        fitting |= some
    return fitting


@lru_cache(maxsize=32)
def _run_shapes(doubles: int) -> tuple[_RunShape, ...]:
    """One shape for all that need the same tiles; none that falls apart."""
    found: dict[tuple[tuple[int, int], ...], _RunShape] = {}
    for short in range(1, _LONGEST_SIDE + _MORE_FOR_A_DOUBLE * doubles + 1):
        for long in (short, short + 1):
            for left, right in product(_ways_to_double(short, doubles), _ways_to_double(long, doubles)):
                fits = left.count(2) + right.count(2) <= doubles and long < HIGHEST_TILE_NUMBER
                if fits and not _falls_apart(left, right):
                    tiles = _lay_shape(left, right)
                    found.setdefault(tuple(sorted(tiles)), _RunShape(tiles, short, long))
    return tuple(found.values())


def _lay_shape(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The tiles of both sides, given by their widths outwards."""
    sides: list[list[tuple[int, int]]] = []
    alone: set[int] = set()
    for widths in (left, right):
        fars = list(accumulate(widths, initial=1))[:-1]
        sides.append([(far, -1 if width == 2 else int(far in alone)) for far, width in zip(fars, widths, strict=True)])
        alone.update(far for far, width in zip(fars, widths, strict=True) if width == 1)
    return (*reversed(sides[0]), (0, 0), *sides[1])


def _falls_apart(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    return any(
        abs(sum(left[:first]) - sum(right[:second])) <= 1
        and (first, second) != (len(left), len(right))
        and all(rest == 0 or rest >= MIN_SET_LENGTH for rest in (len(left) - first, len(right) - second))
        for first in range(1, len(left) + 1)
        for second in range(1, len(right) + 1)
    )


def _ways_to_double(places: int, doubles: int) -> list[tuple[int, ...]]:
    """The widths of the tiles of a side that come to so many places with up to so many doubles."""
    if places == 0:
        return [()]
    ways = [(1, *rest) for rest in _ways_to_double(places - 1, doubles)]
    if doubles and places > 1:
        ways += [(2, *rest) for rest in _ways_to_double(places - 2, doubles - 1)]
    return ways
