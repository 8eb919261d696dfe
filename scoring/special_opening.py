"""The best total of a rack with Twist's jokers, exactly (R60, R85).

Every set that the rack may need is known by name (`scoring.special_columns`), and prices say how much each loses
(`scoring.set_prices`). The numbers are walked from 1 to 13: at each the sets that begin there are laid, in every way
that loses no more than allowed, and what is left of the number is lost. Two ways that leave the same tiles differ in
nothing but their loss, and the lesser is kept. Where no total loses so little, more is allowed and the walk made again:
the first total that is found is the greatest there is.

A plain joker takes the place of a tile that is gone; where it does not matter which of two sets has the joker and which
the tile, the set that is laid first has the tile.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.packed_tiles import (
    COUNT_MASK,
    JOKER_KINDS,
    JOKERS_AT,
    NUMBER_BITS,
    NUMBER_MASK,
    PLAIN_JOKER,
    SIGN_BITS,
    TILE_SHIFTS,
    TILE_UNITS,
    LaidSet,
    pack_tiles,
)
from scoring.set_prices import Prices, least_prices
from scoring.special_columns import sets_of_rack
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER

_FIRST_LESS = 1
"""How many points less than the rack costs a total may be at first."""
_JOKER_SHIFT = TILE_SHIFTS[PLAIN_JOKER]
_WRITTEN_ORDER = (*COLOUR_LETTERS, "J", "JD")


class _WayLaid(NamedTuple):
    """The last set laid on the way to a state, with the tiles that a joker replaces."""

    before: "_WayLaid | None"
    laid: LaidSet
    replaced: tuple[str, ...]


class _LossState(NamedTuple):
    """What a state has lost, in parts of a point, and the way to it."""

    loss: int
    way: _WayLaid | None


def best_special_total(held: Mapping[str, int]) -> tuple[int, tuple[tuple[str, ...], ...]]:
    """The greatest total of disjoint sets of a rack, given by how many it has of each tile, and sets that reach it."""
    sets = sets_of_rack(held)
    usable = {name for one in sets for name in one.names}
    if not usable:
        return 0, ()
    rack = {name: held[name] for name in TILE_UNITS if name in usable}
    prices = least_prices(rack, sets)
    most = prices.of_rack(rack)
    losing = list(zip(prices.excesses, sets, strict=True))
    less, found = _FIRST_LESS, None
    while found is None:
        found = _walk_by_loss(rack, losing, prices, most % prices.unit + less * prices.unit)
        less = 2 * less + 1
    return (most - found.loss) // prices.unit, _lay_out_way(found.way)


# --- The walk -------------------------------------------------------------------------------------------------


def _walk_by_loss(
    rack: Mapping[str, int], losing: Sequence[tuple[int, LaidSet]], prices: Prices, allowed: int
) -> _LossState | None:
    """The way that loses least, None where each loses more than `allowed`."""
    beginning: list[list[tuple[int, LaidSet]]] = [[] for _ in range(HIGHEST_TILE_NUMBER + 1)]
    for excess, one in losing:
        if excess <= allowed:
            beginning[one.lowest].append((excess, one))
    states = {pack_tiles(rack): _LossState(0, None)}
    for number in range(1, HIGHEST_TILE_NUMBER + 1):
        for excess, one in beginning[number]:
            _lay_in_all_states(one, excess, prices, allowed, states)
        states = _lose_the_rest([f"{letter}{number}" for letter in COLOUR_LETTERS], number, prices, allowed, states)
    states = _lose_the_rest(JOKER_KINDS, JOKERS_AT, prices, allowed, states)
    return states.get(0)


def _lay_in_all_states(laid: LaidSet, excess: int, prices: Prices, allowed: int, states: dict[int, _LossState]) -> None:
    """Lay the set wherever it can be, as often as it can be."""
    packed = laid.packed
    most = allowed - excess
    todo = [(state, entry) for state, entry in states.items() if entry.loss <= most]
    while todo:
        again = []
        for state, (loss, way) in todo:
            loss += excess
            after = (state | SIGN_BITS) - packed
            replaced: tuple[str, ...] = ()
            if after & SIGN_BITS == SIGN_BITS:
                after ^= SIGN_BITS
            elif state >> _JOKER_SHIFT & COUNT_MASK:
                replaced = _gone(state, laid)
                if not replaced:
                    continue
                after = state - packed + sum([TILE_UNITS[name] for name in replaced])
                after -= len(replaced) << _JOKER_SHIFT
                loss += sum([prices.of[PLAIN_JOKER] - prices.of[name] for name in replaced])
                if loss > allowed:
                    continue
            else:
                continue
            known = states.get(after)
            if known is None or known.loss > loss:
                entry = states[after] = _LossState(loss, _WayLaid(way, laid, replaced))
                if loss <= most:
                    again.append((after, entry))
        todo = again


def _gone(state: int, laid: LaidSet) -> tuple[str, ...]:
    """The tiles of a set that the state has not, once for each that is lacking; none where it has too few jokers."""
    found: list[str] = []
    for name, many in Counter(laid.names).items():
        lacking = many - (state >> TILE_SHIFTS[name] & COUNT_MASK)
        if lacking > 0:
            if name in JOKER_KINDS:
                return ()
            found += [name] * lacking
    jokers = (state >> _JOKER_SHIFT & COUNT_MASK) - (laid.packed >> _JOKER_SHIFT & COUNT_MASK)
    return tuple(found) if len(found) <= jokers else ()


def _lose_the_rest(
    names: Sequence[str], number: int, prices: Prices, allowed: int, states: dict[int, _LossState]
) -> dict[int, _LossState]:
    """What is left of a number (or of the jokers, in the place of one) goes into no set any more."""
    mask = NUMBER_MASK << number * NUMBER_BITS
    costs: dict[int, int] = {}
    after: dict[int, _LossState] = {}
    for state, (loss, way) in states.items():
        rest = state & mask
        if rest not in costs:
            costs[rest] = sum([(rest >> TILE_SHIFTS[name] & COUNT_MASK) * prices.of.get(name, 0) for name in names])
        loss += costs[rest]
        state ^= rest
        if loss <= allowed and (state not in after or after[state].loss > loss):
            after[state] = _LossState(loss, way)
    return after


def _lay_out_way(way: _WayLaid | None) -> tuple[tuple[str, ...], ...]:
    """The sets on the way, runs first, each with the jokers that took a tile's place."""
    laid = []
    while way is not None:
        names = list(way.laid.names)
        for name in way.replaced:
            names[names.index(name)] = PLAIN_JOKER
        if way.laid.any_order:
            names.sort(key=lambda name: _WRITTEN_ORDER.index(name if name[0] == PLAIN_JOKER else name[0]))
        laid.append((way.laid.any_order, tuple(names)))
        way = way.before
    return tuple(names for _, names in sorted(laid, key=lambda pair: pair[0]))
