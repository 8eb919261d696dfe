"""Every set that a rack with Twist's jokers may lay, short enough that longer ones fall apart into these (R80-R85).

A set is written as its tiles lie. A plain joker is written only where the rack has no such tile; whoever lays the sets
may put another joker in the place of a tile that is gone. So no set is left out, and there is not one for each place in
which a joker could lie. No total is lost by these either:

- A run of six tiles or more, whatever jokers are among them, is two runs: each part is a run, and worth as much.
- Jokers beside each other in a run may lie in any order: here plain ones, then doubles, then colour changes.
- A joker at the start of a run is worth more at its end. Only where the run ends at 13 there is one, or a double at 12.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, product
from typing import NamedTuple

from scoring.mirror_columns import mirror_sets
from scoring.packed_tiles import COUNT_BITS, NAMES_BY_NUMBER, NUMBER_BITS, PLAIN_JOKER, TILE_UNITS, LaidSet
from scoring.set_readings import COLOUR_CHANGE_JOKER, DOUBLE_JOKER, MIN_SET_LENGTH, MIRROR_JOKER
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER

_LONGEST_RUN = 2 * MIN_SET_LENGTH - 1
_NUMBERS = (1 << HIGHEST_TILE_NUMBER + 1) - 2
"""A set of numbers is an integer with the bit of each that is in it."""
_NAMES = [NAMES_BY_NUMBER[letter] for letter in COLOUR_LETTERS]
_RUN_JOKERS = (PLAIN_JOKER, DOUBLE_JOKER, COLOUR_CHANGE_JOKER)
_NO_COLOUR = -1

RackCounts = Mapping[str, int]
"""How many the rack has of each tile and joker by name; a name may be missing for none."""


def sets_of_rack(held: RackCounts) -> list[LaidSet]:
    """Every set that the rack may need. Of sets of the same tiles only the one that is worth most."""
    best: dict[int, LaidSet] = {}
    for laid in (*_groups(held), *_runs(held), *(mirror_sets(held) if held.get(MIRROR_JOKER) else ())):
        known = best.get(laid.packed)
        if known is None or laid.value > known.value:
            best[laid.packed] = laid
    return list(best.values())


# --- Runs -----------------------------------------------------------------------------------------------------


class _Gap(NamedTuple):
    """Jokers beside each other in a run: how many of each kind; where each lies, as in a run; how wide they are; where
    the run may end that begins with them; and all of them packed."""

    plain: int
    doubles: int
    changes: int
    places: tuple[tuple[Sequence[str], int], ...]
    width: int
    least_end: int
    packed: int


class _RunSoFar(NamedTuple):
    """A run being laid upwards that is empty or ends with a numbered tile: for each of its tiles the names by number
    and how many places lie before it; its width; the colour of the last tile; the numbers at which the run may begin;
    its numbered tiles packed as if it began at 0, and its jokers; the jokers that are left; and its least end."""

    places: tuple[tuple[Sequence[str], int], ...]
    width: int
    colour: int
    firsts: int
    packed: int
    jokers: int
    left: tuple[int, int, int]
    least_end: int


@lru_cache(maxsize=1024)
def _gaps(room: int, plain: int, doubles: int, changes: int) -> tuple[_Gap, ...]:
    """All that may lie beside each other of so many jokers in so many tiles, nothing first."""
    found = []
    for counts in product(range(plain + 1), range(doubles + 1), range(changes + 1)):
        if sum(counts) <= room:
            kinds = [kind for kind, many in zip(_RUN_JOKERS, counts, strict=True) for _ in range(many)]
            offsets = list(accumulate([2 if kind == DOUBLE_JOKER else 1 for kind in kinds], initial=0))
            places = tuple((NAMES_BY_NUMBER[kind], offset) for kind, offset in zip(kinds, offsets, strict=False))
            narrowest = 1 if counts[0] or counts[2] else 2
            least_end = HIGHEST_TILE_NUMBER + 1 - narrowest if kinds else 0
            found.append(_Gap(*counts, places, offsets[-1], least_end, sum(TILE_UNITS[kind] for kind in kinds)))
    return tuple(found)


@lru_cache(maxsize=32)
def _next_colours(colour: int, changes: int) -> tuple[int, ...]:
    """Over one colour change the next tile is of another colour than the last, over more of any."""
    colours = range(len(COLOUR_LETTERS))
    if colour == _NO_COLOUR or changes > 1:
        return tuple(colours)
    return tuple(other for other in colours if (other == colour) == (changes == 0))


def _runs(held: RackCounts) -> list[LaidSet]:
    found: list[LaidSet] = []
    there = [sum([1 << number for number, name in enumerate(names) if held.get(name)]) for names in _NAMES]
    plain, doubles, changes = (min(held.get(kind, 0), _LONGEST_RUN) for kind in _RUN_JOKERS)
    stack = [_RunSoFar((), 0, _NO_COLOUR, _NUMBERS, 0, 0, (plain, doubles, changes), 0)]
    while stack:
        run = stack.pop()
        for gap in _gaps(_LONGEST_RUN - len(run.places), *run.left):
            after = _lay_gap(run, gap, there) if gap.places else run
            if not after.firsts:
                continue
            if len(after.places) >= MIN_SET_LENGTH:
                _begin_runs(after, found)
            if len(after.places) < _LONGEST_RUN:
                _lay_next_tile(after, gap.changes, there, stack)
    return found


def _lay_gap(run: _RunSoFar, gap: _Gap, there: Sequence[int]) -> _RunSoFar:
    """The run with these jokers at its end. A plain one lies only where the rack has no tile of the colour before."""
    places, width, colour, firsts, packed, jokers, left, least_end = run
    if colour == _NO_COLOUR:
        least_end = gap.least_end
        firsts &= -1 << max(0, least_end + 1 - (_LONGEST_RUN + left[1]))
    else:
        for place in range(width, width + gap.plain):
            firsts &= ~there[colour] >> place
    places += tuple([(by_number, width + offset) for by_number, offset in gap.places])
    width += gap.width
    left = left[0] - gap.plain, left[1] - gap.doubles, left[2] - gap.changes
    firsts &= _NUMBERS >> width - 1
    return _RunSoFar(places, width, colour, firsts, packed, jokers + gap.packed, left, least_end)


def _lay_next_tile(run: _RunSoFar, changes: int, there: Sequence[int], stack: list[_RunSoFar]) -> None:
    """A numbered tile more, of each colour that it may have."""
    places, width, colour, firsts, packed, jokers, left, least_end = run
    for other in _next_colours(colour, changes):
        fitting = firsts & there[other] >> width
        if fitting:
            longer = (*places, (_NAMES[other], width))
            more = packed + (1 << width * NUMBER_BITS + other * COUNT_BITS)
            stack.append(_RunSoFar(longer, width + 1, other, fitting, more, jokers, left, least_end))


def _begin_runs(run: _RunSoFar, found: list[LaidSet]) -> None:
    """The run at each number at which it may begin."""
    places, width, _, firsts, packed, jokers, _, least_end = run
    rise = width * (width - 1) // 2
    if least_end:
        firsts &= -1 << max(0, least_end + 1 - width)
    while firsts:
        first = firsts.bit_length() - 1
        firsts ^= 1 << first
        names = tuple([by_number[first + before] for by_number, before in places])
        found.append(LaidSet(names, first * width + rise, first, False, (packed << first * NUMBER_BITS) + jokers))


# --- Groups ---------------------------------------------------------------------------------------------------


def _groups(held: RackCounts) -> Iterator[LaidSet]:
    """Plain groups and those with a double, which has two of the four places."""
    doubles, most_jokers = held.get(DOUBLE_JOKER, 0), held.get(PLAIN_JOKER, 0)
    for number in range(1, HIGHEST_TILE_NUMBER + 1):
        there = [names[number] for names in _NAMES if held.get(names[number])]
        for size in range(len(there) + 1):
            if size + most_jokers + doubles < MIN_SET_LENGTH or (not size and number < HIGHEST_TILE_NUMBER):
                continue
            for names in combinations(there, size):
                packed = sum([TILE_UNITS[name] for name in names])
                for jokers in range(min(most_jokers, len(COLOUR_LETTERS) - size) + 1):
                    tiles = size + jokers
                    laid, all_packed = names + (PLAIN_JOKER,) * jokers, packed + jokers * TILE_UNITS[PLAIN_JOKER]
                    if tiles >= MIN_SET_LENGTH:
                        yield LaidSet(laid, number * tiles, number, True, all_packed)
                    if tiles == len(COLOUR_LETTERS) - 2 and doubles:
                        with_double = all_packed + TILE_UNITS[DOUBLE_JOKER]
                        yield LaidSet((*laid, DOUBLE_JOKER), number * len(COLOUR_LETTERS), number, True, with_double)
