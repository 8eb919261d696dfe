"""Every set that a rack with Twist's jokers may lay, short enough that longer ones fall apart into these (R80-R85).

A set is written as its tiles lie. A plain joker is written only where the rack has no such tile; whoever lays the sets
may put another joker in the place of a tile that is gone. So no set is left out, and there is not one for each place in
which a joker could lie.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, product
from typing import NamedTuple

from scoring.set_readings import (
    COLOUR_CHANGE_JOKER,
    DOUBLE_JOKER,
    MAX_MIRROR_GROUP_SIDE,
    MIN_SET_LENGTH,
    MIRROR_JOKER,
)
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER

PLAIN_JOKER = "J"
_COLOURS = tuple(range(len(COLOUR_LETTERS)))
# More plain places than these are a run of their own, and what is left of the set is one still. At an end there may be
# more of them while the run has no more tiles than the longest plain run.
_LONGEST_PLAIN_RUN = 5
_PLAIN_AT_AN_END = 2
_PLAIN_BETWEEN = 3
# So many places a side of a mirror; more on both sides are two runs of their own.
_MIRROR_SIDE = 3
_MORE_FOR_A_DOUBLE = 2

RackCounts = Mapping[str, int]
"""How many the rack has of each tile and joker by name; a name may be missing for none."""


class LaidSet(NamedTuple):
    """A set that may be laid: its tiles as they lie, what it is worth, its lowest number, and whether it is a group
    without a mirror, whose tiles may lie in any order."""

    names: tuple[str, ...]
    value: int
    lowest: int
    any_order: bool


def sets_of_rack(held: RackCounts) -> list[LaidSet]:
    """Every set that the rack may need. Of sets of the same tiles only the one that is worth most."""
    best: dict[tuple[str, ...], LaidSet] = {}
    for laid in (*_groups(held), *_runs(held), *(_mirror_sets(held) if held.get(MIRROR_JOKER) else ())):
        key = tuple(sorted(laid.names))
        if key not in best or laid.value > best[key].value:
            best[key] = laid
    return list(best.values())


# --- Runs -----------------------------------------------------------------------------------------------------


class _RunSoFar(NamedTuple):
    """A run being laid upwards: `number` comes next; `colour` is that of the stretch and `barred` that of the stretch
    before, -1 where no numbered tile has told it; `plain` places lie at its end, `head` before its first special joker
    (-1: it has none); `unknown` are the numbers at which jokers lie in a stretch without a colour; then the jokers that
    are left, plain, double, colour-change."""

    names: tuple[str, ...]
    number: int
    colour: int
    barred: int
    plain: int
    head: int
    unknown: tuple[int, ...]
    jokers: int
    doubles: int
    changes: int


def _runs(held: RackCounts) -> Iterator[LaidSet]:
    there = [[bool(held.get(f"{c}{n}")) for n in range(HIGHEST_TILE_NUMBER + 1)] for c in COLOUR_LETTERS]
    left = [held.get(kind, 0) for kind in (PLAIN_JOKER, DOUBLE_JOKER, COLOUR_CHANGE_JOKER)]
    for first in range(1, HIGHEST_TILE_NUMBER):
        stack = [_RunSoFar((), first, -1, -1, 0, -1, (), *left)]
        while stack:
            run = stack.pop()
            tiles = len(run.names)
            short = tiles <= _LONGEST_PLAIN_RUN or max(run.head, run.plain) <= _PLAIN_AT_AN_END
            if short and tiles >= MIN_SET_LENGTH:
                yield LaidSet(run.names, sum(range(first, run.number)), first, False)
            if run.number > HIGHEST_TILE_NUMBER or (tiles >= _LONGEST_PLAIN_RUN and run.head > _PLAIN_AT_AN_END):
                continue
            if run.plain < _PLAIN_BETWEEN or tiles < _LONGEST_PLAIN_RUN:
                _lay_plain_place(there, run, stack)
            if tiles < _LONGEST_PLAIN_RUN or run.head >= 0:
                _lay_special_joker(run, stack)


def _lay_plain_place(there: Sequence[Sequence[bool]], run: _RunSoFar, stack: list[_RunSoFar]) -> None:
    names, number, known, barred, plain, head, unknown, jokers, doubles, changes = run
    lacking = False
    for colour in _COLOURS if known < 0 else (known,):
        if colour == barred:
            continue
        if not there[colour][number]:
            lacking = True
        elif not unknown or not any(there[colour][before] for before in unknown):
            name = f"{COLOUR_LETTERS[colour]}{number}"
            stack.append(
                _RunSoFar((*names, name), number + 1, colour, barred, plain + 1, head, (), jokers, doubles, changes)
            )
    if lacking and jokers:
        unknown = (*unknown, number) if known < 0 else ()
        stack.append(
            _RunSoFar(
                (*names, PLAIN_JOKER), number + 1, known, barred, plain + 1, head, unknown, jokers - 1, doubles, changes
            )
        )


def _lay_special_joker(run: _RunSoFar, stack: list[_RunSoFar]) -> None:
    names, number, colour, barred, plain, head, unknown, jokers, doubles, changes = run
    head = plain if head < 0 else head
    if head > _PLAIN_AT_AN_END and len(names) >= _LONGEST_PLAIN_RUN:
        return
    if doubles and number < HIGHEST_TILE_NUMBER:
        stack.append(
            _RunSoFar(
                (*names, DOUBLE_JOKER), number + 2, colour, barred, 0, head, unknown, jokers, doubles - 1, changes
            )
        )
    if changes:
        stack.append(
            _RunSoFar((*names, COLOUR_CHANGE_JOKER), number + 1, -1, colour, 0, head, (), jokers, doubles, changes - 1)
        )


# --- Groups ---------------------------------------------------------------------------------------------------


def _groups(held: RackCounts) -> Iterator[LaidSet]:
    """Plain groups and those with a double, which has two of the four places."""
    for number in range(1, HIGHEST_TILE_NUMBER + 1):
        there = [f"{colour}{number}" for colour in COLOUR_LETTERS if held.get(f"{colour}{number}")]
        for size in range(len(there) + 1):
            for names in combinations(there, size):
                if not names and number < HIGHEST_TILE_NUMBER:
                    continue
                for jokers in range(min(held.get(PLAIN_JOKER, 0), len(COLOUR_LETTERS) - size) + 1):
                    tiles = size + jokers
                    laid = names + (PLAIN_JOKER,) * jokers
                    if tiles >= MIN_SET_LENGTH:
                        yield LaidSet(laid, number * tiles, number, True)
                    if tiles == len(COLOUR_LETTERS) - 2 and held.get(DOUBLE_JOKER):
                        yield LaidSet((*laid, DOUBLE_JOKER), number * len(COLOUR_LETTERS), number, True)


# --- Mirror sets ----------------------------------------------------------------------------------------------


def _mirror_sets(held: RackCounts) -> Iterator[LaidSet]:
    for number in range(1, HIGHEST_TILE_NUMBER + 1):
        yield from _mirror_groups(held, number)
        for step, colour in product((-1, 1), COLOUR_LETTERS):
            yield from _mirror_runs(held, number, step, colour)


def _mirror_groups(held: RackCounts, number: int) -> Iterator[LaidSet]:
    """About a mirror of this number: each tile up to twice, once a side; then jokers, then doubles."""
    names = [f"{colour}{number}" for colour in COLOUR_LETTERS]
    for copies in product(*(range(min(2, held.get(name, 0)) + 1) for name in names)):
        twice = [name for name, count in zip(names, copies, strict=True) if count == 2]
        once = [name for name, count in zip(names, copies, strict=True) if count == 1]
        for jokers in range(held.get(PLAIN_JOKER, 0) + 1):
            for doubles in range(min(2, held.get(DOUBLE_JOKER, 0)) + 1):
                width = 2 * len(twice) + len(once) + jokers + 2 * doubles
                sides = _mirror_group_sides(twice, [*once, *[PLAIN_JOKER] * jokers], doubles, width)
                if sides is not None:
                    left, right = sides
                    yield LaidSet((*left, MIRROR_JOKER, *right), number * (width + 1), number, False)


def _mirror_group_sides(
    twice: list[str], once: list[str], doubles: int, width: int
) -> tuple[list[str], list[str]] | None:
    """The tiles of both sides, none shorter by more than a place; None where they cannot be."""
    left = (width + 1) // 2
    room = [left - 2 * (doubles > 0), width - left - 2 * (doubles > 1)]
    if left > MAX_MIRROR_GROUP_SIDE or width < 2 or min(room) < len(twice) or (doubles == 1 and room[1] == 0):
        return None
    sides = [*twice, *once[: room[0] - len(twice)]], [*twice, *once[room[0] - len(twice) :]]
    for side in range(doubles):
        sides[side].append(DOUBLE_JOKER)
    return sides


def _mirror_runs(held: RackCounts, mirror: int, step: int, letter: str) -> Iterator[LaidSet]:
    """Numbers that fall or rise away from the mirror by one a place; the right side may be longer by one."""
    doubles, jokers = held.get(DOUBLE_JOKER, 0), held.get(PLAIN_JOKER, 0)
    for short in range(1, _MIRROR_SIDE + _MORE_FOR_A_DOUBLE * doubles + 1):
        some = False
        for long in (short, short + 1):
            if not 1 <= mirror + step * long <= HIGHEST_TILE_NUMBER:
                break
            names = [f"{letter}{mirror + step * far}" for far in range(1, long + 1)]
            copies = [held.get(name, 0) for name in names]
            for way in _mirror_ways(short, long, doubles):
                lacking = sum([need - have for need, have in zip(way.needs, copies, strict=True) if need > have])
                if lacking <= jokers:
                    some = True
                    laid = [_lay_side(widths, names) for widths in (way.left, way.right)]
                    tiles = _lay_jokers((*reversed(laid[0]), MIRROR_JOKER, *laid[1]), held)
                    value = mirror * (1 + short + long) + step * (short * (short + 1) + long * (long + 1)) // 2
                    yield LaidSet(tiles, value, min(mirror, mirror + step * long), False)
        if not some:
            return


class _MirrorWay(NamedTuple):
    """Where doubles lie on the sides of a mirror: the widths of the tiles outwards, 1 or 2, and how many tiles of each
    number they leave to lay."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    needs: tuple[int, ...]


@lru_cache(maxsize=256)
def _mirror_ways(short: int, long: int, doubles: int) -> tuple[_MirrorWay, ...]:
    found = []
    for left, right in product(_ways_to_double(short, doubles), _ways_to_double(long, doubles)):
        if left.count(2) + right.count(2) <= doubles:
            needs = [0] * long
            for widths in (left, right):
                for far, width in zip(accumulate(widths, initial=0), widths, strict=False):
                    needs[far] += width == 1
            found.append(_MirrorWay(left, right, tuple(needs)))
    return tuple(found)


def _ways_to_double(places: int, doubles: int) -> list[tuple[int, ...]]:
    """The widths of the tiles of a side that come to so many places with up to so many doubles."""
    if places == 0:
        return [()]
    ways = [(1, *rest) for rest in _ways_to_double(places - 1, doubles)]
    if doubles and places > 1:
        ways += [(2, *rest) for rest in _ways_to_double(places - 2, doubles - 1)]
    return ways


def _lay_side(widths: Sequence[int], names: Sequence[str]) -> list[str]:
    firsts = accumulate(widths, initial=0)
    return [DOUBLE_JOKER if width == 2 else names[far] for far, width in zip(firsts, widths, strict=False)]


def _lay_jokers(names: Iterable[str], held: RackCounts) -> tuple[str, ...]:
    """The tiles, with a joker in the place of each that the rack has not, or has not twice."""
    used: dict[str, int] = {}
    tiles = []
    for name in names:
        used[name] = used.get(name, 0) + 1
        tiles.append(name if used[name] <= held.get(name, 0) else PLAIN_JOKER)
    return tuple(tiles)
