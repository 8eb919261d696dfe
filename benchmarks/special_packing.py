"""The baseline of an opening with Twist's jokers: the same question as an integer programme, solved by HiGHS.

A column is a set by its places: which tiles it needs, which special jokers lie in it, what it is worth. Plain jokers
are columns of their own, as in `benchmarks/opening.py`: each lets one tile be there once more. Longer sets than these
fall apart into some of them.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from pathlib import Path

import highspy
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

Column = tuple[tuple[str, ...], tuple[str, ...], int]
"""The tiles that its places need, its special jokers, its value."""

COLOURS = "RBKO"
PLAIN_AT_AN_END = 2
PLAIN_BETWEEN = 3
SHORTEST = 3


def columns(held: Counter[str], plain_jokers: int) -> set[Column]:
    """Every column that the rack can fill, `held` being its tiles and special jokers."""
    found = {column for column in _all_columns(held) if _lacking(column, held) <= plain_jokers}
    return {(tuple(sorted(tiles)), tuple(sorted(jokers)), value) for tiles, jokers, value in found}


def _lacking(column: Column, held: Counter[str]) -> int:
    tiles, jokers, _ = column
    if Counter(jokers) - held:
        return 10**6
    return (Counter(tiles) - held).total()


def _all_columns(held: Counter[str]) -> Iterator[Column]:
    yield from _groups(held)
    yield from _runs(held)
    if held["JM"]:
        yield from _mirrors(held)


def _groups(held: Counter[str]) -> Iterator[Column]:
    for number in range(1, 14):
        for size in (3, 4):
            for colours in combinations(COLOURS, size):
                yield tuple(f"{colour}{number}" for colour in colours), (), number * size
        if held["JD"]:
            for colours in combinations(COLOURS, 2):
                yield tuple(f"{colour}{number}" for colour in colours), ("JD",), number * 4


def _runs(held: Counter[str]) -> Iterator[Column]:
    most = held["JD"] + held["JC"]
    for specials in range(most + 1):
        for kinds in product(("JD", "JC"), repeat=specials):
            if not Counter(kinds) - held:
                yield from _runs_with(kinds)


def _runs_with(kinds: Sequence[str]) -> Iterator[Column]:
    """Runs with these special jokers in this order, by how many plain places lie before, between and behind them."""
    ends = range(6)
    between = range(PLAIN_BETWEEN + 1)
    for plain in product(ends, *[between] * (len(kinds) - 1), ends) if kinds else ((3,), (4,), (5,)):
        tokens = sum(plain) + len(kinds)
        if tokens < SHORTEST or (max(plain[0], plain[-1]) > PLAIN_AT_AN_END and tokens > 5):
            continue
        shape: list[str] = []
        for count, kind in zip(plain, [*kinds, ""], strict=True):
            shape += ["p"] * count + ([kind] if kind else [])
        yield from _filled(shape)


def _filled(shape: Sequence[str]) -> Iterator[Column]:
    stretches: list[list[str]] = [[]]
    for token in shape:
        if token == "JC":
            stretches.append([])
        else:
            stretches[-1].append(token)
    width = len(shape) + shape.count("JD")
    coloured = [COLOURS if "p" in stretch else "-" for stretch in stretches]
    for colours in product(*coloured):
        if any(left == right != "-" for left, right in pairwise(colours)):
            continue
        for first in range(1, 15 - width):
            number, stretch, tiles = first, 0, []
            for token in shape:
                if token == "p":
                    tiles.append(f"{colours[stretch]}{number}")
                stretch += token == "JC"
                number += 2 if token == "JD" else 1
            value = sum(range(first, first + width))
            yield tuple(tiles), tuple(token for token in shape if token != "p"), value


def _mirrors(held: Counter[str]) -> Iterator[Column]:
    doubles = held["JD"]
    for mirror, step in product(range(1, 14), (-1, 1)):
        for colour in COLOURS:
            for left in range(1, 13):
                for right in (left, left + 1):
                    if not 1 <= mirror + step * right <= 13:
                        continue
                    for one, other in product(_covered(left, doubles), _covered(right, doubles)):
                        used = 1 + len(one) + len(other)
                        if (left - len(one)) // 2 + (right - len(other)) // 2 > doubles:
                            continue
                        run = tuple(f"{colour}{mirror + step * far}" for far in (*one, *other))
                        doubled = (left + right + 1 - used) // 2
                        value = mirror + sum(
                            mirror + step * far for side in (left, right) for far in range(1, side + 1)
                        )
                        yield run, ("JM", *["JD"] * doubled), value
    for number in range(1, 14):
        yield from _mirror_groups(number, doubles)


def _mirror_groups(number: int, doubles: int) -> Iterator[Column]:
    for left, right in ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3)):
        for one, other in product(range(left // 2 + 1), range(right // 2 + 1)):
            if one + other > doubles:
                continue
            sides = product(combinations(COLOURS, left - 2 * one), combinations(COLOURS, right - 2 * other))
            for ours, theirs in sides:
                tiles = tuple(f"{colour}{number}" for colour in (*ours, *theirs))
                yield tiles, ("JM", *["JD"] * (one + other)), number * (left + right + 1)


def _covered(length: int, doubles: int) -> list[tuple[int, ...]]:
    """The places of a side that tiles take, for each way to lay up to `doubles` doubles on two neighbours."""
    found = []
    for count in range(doubles + 1):
        for starts in combinations(range(1, length), count):
            taken = [far for start in starts for far in (start, start + 1)]
            if len(set(taken)) == len(taken):
                found.append(tuple(far for far in range(1, length + 1) if far not in taken))
    return found


def special_set_packing(rack: Sequence[str], relaxed: bool = False) -> float:
    """The best total of a rack with jokers of any kind; `relaxed` without asking for whole numbers."""
    held = Counter(rack)
    plain_jokers = held.pop("J", 0)
    sets = sorted(columns(held, plain_jokers))
    if not sets:
        return 0
    names = sorted({tile for tiles, jokers, _ in sets for tile in (*tiles, *jokers)})
    row = {name: place for place, name in enumerate(names)}
    entries = [sorted(Counter(row[name] for name in (*tiles, *jokers)).items()) for tiles, jokers, _ in sets]
    limits = [held[name] for name in names]
    if plain_jokers:
        entries += [[(row[name], -1), (len(names), 1)] for name in names if not name.startswith("J")]
        limits.append(plain_jokers)
    starts = [0]
    for column in entries:
        starts.append(starts[-1] + len(column))

    programme = highspy.HighsLp()
    programme.num_col_, programme.num_row_ = len(entries), len(limits)
    programme.col_cost_ = numpy.array([value for *_, value in sets] + [0] * (len(entries) - len(sets)), dtype=float)
    programme.col_lower_ = numpy.zeros(len(entries))
    programme.col_upper_ = numpy.full(len(entries), len(rack), dtype=float)
    programme.row_lower_ = numpy.full(len(limits), -highspy.kHighsInf)
    programme.row_upper_ = numpy.array(limits, dtype=float)
    programme.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    programme.a_matrix_.start_ = numpy.array(starts)
    programme.a_matrix_.index_ = numpy.array([place for column in entries for place, _ in column])
    programme.a_matrix_.value_ = numpy.array([factor for column in entries for _, factor in column], dtype=float)
    if not relaxed:
        programme.integrality_ = [highspy.HighsVarType.kInteger] * len(entries)
    programme.sense_ = highspy.ObjSense.kMaximize
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.passModel(programme)
    solver.run()
    found: float = solver.getInfo().objective_function_value
    return found if relaxed else round(found)
