"""The best opening of a rack, exactly: the largest total of disjoint sets, and whether it breaks the ice (R25/R26).

The numbers are walked from 13 down to 1. What matters of the numbers above is only, for each colour, how many runs lie
open there and how long they are, and how many jokers are left: two ways to get to the same such state differ in nothing
but their total, and the better is kept. So no set is left out, and no choice is made before its price is known:

- A run of 3 is paid in full where it starts, and is only started where tiles and jokers suffice to end it. Every total
  on the way is therefore one that can be reached.
- Real tiles go into runs before jokers do: a joker in a run beside its own tile in a group could change places with it.
- A run that may end is continued before another is started: whatever the new one can become, the old one can.
- A joker stands for any tile, whether or not both copies of it are in sight.

A full rack has more such states than time allows. Then the states that have lost least are followed first, for a total
that can be reached, and the walk is made again without those that cannot exceed it. Exact, either way.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.set_readings import MIN_SET_LENGTH
from scoring.special_opening import best_special_total
from scoring.tiles import (
    COLOUR_LETTERS,
    HIGHEST_TILE_NUMBER,
    SPECIAL_JOKERS,
    check_copies,
    read_tiles_of_box,
    sum_of_faces,
)

TileCounts = tuple[tuple[int, ...], ...]
"""Tiles by colour, then by number + _EDGE; none outside 1 to 13."""

OpenRunState = tuple[int, int, int, int, int]
"""For each colour its open runs, packed, and the jokers left."""

MAX_OPENING_TILES = 106
_COUNT_PADDING = 2
_START: OpenRunState = (0, 0, 0, 0, 0)
_BITS = 8
_MASK = (1 << _BITS) - 1
_FIRSTS = sum(1 << number + _COUNT_PADDING for number in range(1, HIGHEST_TILE_NUMBER - 1))
"""Where a run of three may begin."""
_NO_SPARE_TILES = (0, 0, 0, 0)
_NO_GROUPS = ((0, 0),)
_WIDTH = 1000


@dataclass(frozen=True, slots=True)
class Opening:
    """The best opening of a rack: `best` its total, `sets` that reach it (runs ascending, groups R B K O J)."""

    best: int
    could_open: bool
    sets: tuple[tuple[str, ...], ...]
    face_value: int
    tiles: int
    rack_value_if_unopened: int


class _ColourStep(NamedTuple):
    """One thing to do with one colour at one number: `used` tiles go into runs, `jokers` of them jokers, `spare`
    tiles stay for groups; `owed` jokers are needed to end what is open then."""

    jokers: int
    owed: int
    runs: int
    spare: int
    gain: int
    used: int
    due: int
    """What `gain` has paid in advance, for tiles at numbers below."""


class _WalkChoice(NamedTuple):
    """What led to a state: the state before, tiles in runs by colour, and the groups' spare tiles and jokers."""

    before: OpenRunState
    used: tuple[int, int, int, int]
    spare: tuple[int, int, int, int]
    group_jokers: int


class _Walk(NamedTuple):
    """A walk made: the best `total`, the state it ends in, and for each number from 13 down the choice that led to
    each state. `whole`: no state was passed over, so the total is the greatest there is."""

    total: int
    last: OpenRunState
    trail: list[dict[OpenRunState, _WalkChoice]]
    whole: bool


def best_opening(ruleset: Ruleset, rack: Sequence[str]) -> Opening:
    """The best opening of a rack of any size that the ruleset's set can give.

    Raises Refusal, at `rack[i]`, for what is no tile of the set and for more copies than it holds.
    """
    counts, jokers, special = _count_usable_tiles(ruleset, rack)
    check_copies(ruleset, [("rack", rack)])
    if special:
        best, sets = best_special_total(special)
    else:
        found = _best_walk(counts, jokers)
        best, sets = found.total, _lay_out_sets(counts, found.last, found.trail)
    able = best >= ruleset.opening_minimum
    faces = sum_of_faces(ruleset, rack)
    flat = ruleset.unopened_able if able else ruleset.unopened_unable
    return Opening(
        best=best,
        could_open=able,
        sets=sets,
        face_value=faces,
        tiles=len(rack),
        rack_value_if_unopened=faces if flat is None else flat,
    )


def can_open(ruleset: Ruleset, rack: Sequence[str]) -> bool:
    """Whether the rack holds sets worth the ruleset's opening minimum. Stops at the first that are.

    Raises Refusal as `best_opening` does, but does not count copies.
    """
    counts, jokers, special = _count_usable_tiles(ruleset, rack)
    if special:
        return best_special_total(special)[0] >= ruleset.opening_minimum
    return _walk(counts, jokers, enough=ruleset.opening_minimum).total >= ruleset.opening_minimum


def _count_usable_tiles(ruleset: Ruleset, rack: Sequence[str]) -> tuple[TileCounts, int, Counter[str]]:
    """The tiles that may be in a set, by colour and number, and the jokers that an opening may hold; the whole rack by
    name where a special joker is among them, else nothing."""
    if len(rack) > MAX_OPENING_TILES:
        raise Refusal("rack", f"{len(rack)} tiles are more than {MAX_OPENING_TILES}")
    tiles = read_tiles_of_box(ruleset, rack, "rack")
    if ruleset.opening_jokers and not SPECIAL_JOKERS.isdisjoint(rack):
        return (), 0, Counter(rack)
    counts = [[0] * (HIGHEST_TILE_NUMBER + _COUNT_PADDING + 1) for _ in COLOUR_LETTERS]
    jokers = 0
    for _, colour, number in tiles:
        if number:
            counts[colour][number + _COUNT_PADDING] += 1
        else:
            jokers += 1
    if not ruleset.opening_jokers:
        jokers = 0
    if jokers < MIN_SET_LENGTH - 1:
        _drop_idle(counts, jokers)
    return tuple([tuple(of_colour) for of_colour in counts]), jokers, Counter()


def _drop_idle(counts: list[list[int]], jokers: int) -> None:
    """Drop the tiles that no set can take with no joker or one; they only cost time. Sets of numbers are bits."""
    r, b, k, o = (sum([1 << place for place, tiles in enumerate(of_colour) if tiles]) for of_colour in counts)
    if jokers:
        grouped = (r | b) & (k | o) | r & b | k & o
    else:
        grouped = r & b & (k | o) | (r | b) & k & o
    for of_colour, there in zip(counts, (r, b, k, o), strict=True):
        next_there, last_there = there >> 1, there >> 2
        if jokers:
            firsts = (there & next_there | there & last_there | next_there & last_there) & _FIRSTS
        else:
            firsts = there & next_there & last_there
        idle = there & ~(grouped | firsts | firsts << 1 | firsts << 2)
        while idle:
            place = idle.bit_length() - 1
            of_colour[place] = 0
            idle ^= 1 << place


# --- The walk -------------------------------------------------------------------------------------------------


def _best_walk(counts: TileCounts, jokers: int) -> _Walk:
    first = _walk(counts, jokers, width=_WIDTH)
    if first.whole:
        return first
    second = _walk(counts, jokers, above=first.total)
    return second if second.total > first.total else first


def _walk(
    counts: TileCounts, jokers: int, *, enough: int | None = None, above: int = -1, width: int | None = None
) -> _Walk:
    """The best total above `above`, with the way to it.

    With `enough`, stops at the first total that is enough, and leaves no trail. With `width`, follows only so many
    states at each number; the walk is `whole` where there were no more.
    """
    at = [sum(of_colour[number + _COUNT_PADDING] for of_colour in counts) for number in range(HIGHEST_TILE_NUMBER + 1)]
    rest = sum(number * tiles for number, tiles in enumerate(at))
    floor = above if enough is None else enough - 1
    if rest + jokers * HIGHEST_TILE_NUMBER <= floor:
        return _Walk(0, _START, [], True)
    states: dict[OpenRunState, int] = {(0, 0, 0, 0, jokers): 0}
    trail: list[dict[OpenRunState, _WalkChoice]] = []
    whole = True
    for number in range(HIGHEST_TILE_NUMBER, 0, -1):
        rest -= number * at[number]
        if not at[number] and not jokers:
            # Nothing lies here, so nothing was left open above, and all states come to the same.
            before = max(states, key=states.__getitem__)
            states = {_START: states[before]}
            trail.append({_START: _WalkChoice(before, _NO_SPARE_TILES, _NO_SPARE_TILES, 0)})
            continue
        reached: dict[OpenRunState, int] = {}
        bounds: dict[OpenRunState, int] = {}
        choices: dict[OpenRunState, _WalkChoice] = {}
        steps: dict[tuple[int, int, int], list[_ColourStep]] = {}
        colours_there = sum(1 for of_colour in counts if of_colour[number + _COUNT_PADDING])
        for state, total in states.items():
            left = state[4]
            grouping = colours_there + left >= MIN_SET_LENGTH
            options = []
            for colour in range(4):
                key = (colour, state[colour], left)
                if key not in steps:
                    steps[key] = _colour_steps(counts[colour], number, state[colour], left, grouping)
                options.append(steps[key])
            for a in options[0]:
                for b in options[1]:
                    for c in options[2]:
                        for d in options[3]:
                            free = left - (a[0] + a[1] + b[0] + b[1] + c[0] + c[1] + d[0] + d[1])
                            if free < 0:
                                continue
                            after = left - a[0] - b[0] - c[0] - d[0]
                            gained = total + a[4] + b[4] + c[4] + d[4]
                            spare = (a[3], b[3], c[3], d[3])
                            for group_jokers, grouped in _groupings(spare, free) if grouping else _NO_GROUPS:
                                value = gained + number * grouped
                                new = (a[2], b[2], c[2], d[2], after - group_jokers)
                                if value <= reached.get(new, -1):
                                    continue
                                if enough is not None and value >= enough:
                                    return _Walk(value, new, [], False)
                                bound = value - (a[6] + b[6] + c[6] + d[6]) + rest + new[4] * (number - 1)
                                if bound <= floor:
                                    continue
                                reached[new] = value
                                bounds[new] = bound
                                if enough is None:
                                    choices[new] = _WalkChoice(state, (a[5], b[5], c[5], d[5]), spare, group_jokers)
        if width is not None and len(reached) > width:
            whole = False
            reached = {state: reached[state] for state in heapq.nlargest(width, reached, key=bounds.__getitem__)}
        states = reached
        trail.append(choices)
        if not states:
            return _Walk(0, _START, [], whole)
    last = max(states, key=states.__getitem__)
    return _Walk(states[last], last, trail, whole)


def _colour_steps(of_colour: tuple[int, ...], number: int, runs: int, left: int, grouping: bool) -> list[_ColourStep]:
    """All that one colour can do at one number with runs of length 1, 2 and 3 or more open above it."""
    ones, twos, ends = runs & _MASK, runs >> _BITS & _MASK, runs >> 2 * _BITS
    there, below, lower = (
        of_colour[number + _COUNT_PADDING],
        of_colour[number + _COUNT_PADDING - 1],
        of_colour[number + _COUNT_PADDING - 2],
    )
    must = ones + twos
    # A tile that no group can use continues a run that may end: that costs nothing.
    least = must if grouping else max(must, min(there, must + ends))
    most = there + left
    if number < MIN_SET_LENGTH or (not there) + (not below) + (not lower) > left:
        most = min(most, must + ends)
    found = []
    for used in range(least, most + 1):
        jokers = used - there if used > there else 0
        continued = min(used - must, ends)
        started = used - must - continued
        owed = max(0, started + ones - below) + max(0, started - lower)
        if jokers + owed > left:
            break
        if number == 1:
            open_runs = 0
        else:
            open_runs = started | ones << _BITS | min(twos + continued, below + left) << 2 * _BITS
        gain = number * continued + started * MIN_SET_LENGTH * (number - 1)
        due = (started + ones) * (number - 1) + started * (number - 2)
        found.append(_ColourStep(jokers, owed, open_runs, max(0, there - used), gain, used, due))
    return found


@lru_cache(maxsize=65536)
def _groupings(spare: tuple[int, int, int, int], jokers: int) -> tuple[tuple[int, int], ...]:
    """Jokers used and tiles grouped, jokers included: each joker only where it adds to the tiles."""
    found = [(0, _grouped(spare, 0)[1])]
    for used in range(1, jokers + 1):
        tiles = _grouped(spare, used)[1]
        if tiles > found[-1][1]:
            found.append((used, tiles))
    return tuple(found)


def _grouped(spare: tuple[int, int, int, int], jokers: int) -> tuple[int, int]:
    """The number of groups that take the most tiles of one number, and these tiles. A colour is once in a group."""
    best = (0, 0)
    for groups in range(1, max(spare) + jokers + 1):
        tiles = min(len(COLOUR_LETTERS) * groups, sum(min(tiles, groups) for tiles in spare) + jokers)
        if tiles >= MIN_SET_LENGTH * groups and tiles > best[1]:
            best = (groups, tiles)
    return best


# --- The sets -------------------------------------------------------------------------------------------------


def _lay_out_sets(
    counts: TileCounts, last: OpenRunState, trail: Sequence[dict[OpenRunState, _WalkChoice]]
) -> tuple[tuple[str, ...], ...]:
    """Lay the sets that the choices on the way to `last` stand for."""
    way: list[_WalkChoice] = []
    for choices in reversed(trail):
        way.append(choices[last])
        last = way[-1].before
    runs: list[list[list[str]]] = [[] for _ in COLOUR_LETTERS]
    groups: list[list[str]] = []
    ended: list[list[str]] = []
    for number, choice in zip(range(HIGHEST_TILE_NUMBER, 0, -1), reversed(way), strict=True):
        for colour, name in enumerate(COLOUR_LETTERS):
            there = counts[colour][number + _COUNT_PADDING]
            if not choice.used[colour] and not runs[colour]:
                continue
            names = [f"{name}{number}" if place < there else "J" for place in range(choice.used[colour])]
            # Unfinished runs come first, then those that may end; what is left over starts a run.
            runs[colour].sort(key=len)
            unfinished = [run for run in runs[colour] if len(run) < MIN_SET_LENGTH]
            may_end = [run for run in runs[colour] if len(run) >= MIN_SET_LENGTH]
            continued = len(names) - len(unfinished)
            ended.extend(may_end[max(0, continued) :])
            going = unfinished + may_end[:continued]
            going += [[] for _ in range(len(names) - len(going))]
            for run, tile in zip(going, names, strict=True):
                run.append(tile)
            runs[colour] = going
        if sum(choice.spare) + choice.group_jokers >= MIN_SET_LENGTH:
            groups.extend(_lay_groups(number, choice.spare, choice.group_jokers))
    ended.extend(run for of_colour in runs for run in of_colour)
    return tuple(tuple(reversed(run)) for run in ended) + tuple(tuple(group) for group in groups)


def _lay_groups(number: int, spare: tuple[int, int, int, int], jokers: int) -> list[list[str]]:
    """Deal the tiles of one number round the groups, colour by colour, then the jokers: sizes differ by 1 at most,
    and no group gets a colour twice."""
    count, tiles = _grouped(spare, jokers)
    groups: list[list[str]] = [[] for _ in range(count)]
    names = [
        f"{name}{number}" for name, there in zip(COLOUR_LETTERS, spare, strict=True) for _ in range(min(there, count))
    ]
    for place, name in enumerate(names[: tiles - jokers] + ["J"] * (jokers if count else 0)):
        groups[place % count].append(name)
    return groups
