"""The best total of a rack with Twist's jokers, exactly (R60, R85).

Every set that the rack may need is known by name (`scoring.special_columns`), and prices say how much each loses
(`scoring.set_prices`). The numbers are walked from 1 to 13: at each the sets that begin there are laid, in every way
that loses no more than allowed, and what is left of the number is lost. Two ways that leave the same tiles differ in
nothing but their loss, and the lesser is kept. Where no total loses so little, more is allowed and the walk made again:
the first total that is found is the greatest there is.

A plain joker takes the place of a tile that is gone; where it does not matter which of two sets has the joker and which
the tile, the set that is laid first has the tile.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.set_prices import (
    PRICE_UNIT,
    PricedSet,
    Supply,
    auctioned_prices,
    excesses,
    face_prices,
    plain_prices,
    price_of_supply,
    with_joker_prices,
)
from scoring.special_columns import PLAIN_JOKER, LaidSet, sets_of_rack
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER, TILES_BY_NAME

_COUNT_BITS = 8
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_SIGN_BIT = 1 << _COUNT_BITS - 1
_FIRST_PLAIN_LOSS = 32 * PRICE_UNIT
_FIRST_LOSS = 8 * PRICE_UNIT
_WRITTEN_ORDER = (*COLOUR_LETTERS, "J", "JD")


class _WayLaid(NamedTuple):
    """The last set laid on the way to a state, by its place in the list, with the tiles that a joker replaces."""

    before: "_WayLaid | None"
    laid: int
    replaced: tuple[int, ...]


class _LossState(NamedTuple):
    """What a state has lost, in price units, and the way to it."""

    loss: int
    way: _WayLaid | None


class _WalkedSet(NamedTuple):
    """A set as the walk lays it: its excess, all its tiles packed, its contents, its place in the list."""

    excess: int
    packed: int
    contents: tuple[tuple[int, int], ...]
    at: int


class _TileSupply:
    """The tiles of a rack packed into one integer, a count of 8 bits for each kind, by number, jokers last."""

    def __init__(self, held: Mapping[str, int]) -> None:
        names = sorted(held, key=lambda name: (TILES_BY_NAME[name].number or HIGHEST_TILE_NUMBER + 1, name))
        self.supply = Supply(
            tuple(names), tuple(held[name] for name in names), tuple(not TILES_BY_NAME[name].number for name in names)
        )
        self.numbers = [TILES_BY_NAME[name].number for name in names]
        self.packed = self.pack(enumerate(self.supply.copies))
        self.signs = self.pack((kind, _SIGN_BIT) for kind in range(len(names)))
        self.plain_joker = names.index(PLAIN_JOKER) if PLAIN_JOKER in held else None

    def pack(self, counts: Iterable[tuple[int, int]]) -> int:
        return sum(many << kind * _COUNT_BITS for kind, many in counts)


def best_special_total(held: Mapping[str, int]) -> tuple[int, tuple[tuple[str, ...], ...]]:
    """The greatest total of disjoint sets of a rack, given by how many it has of each tile, and sets that reach it."""
    candidates = sets_of_rack(held)
    usable = {name for one in candidates for name in one.names}
    if not usable:
        return 0, ()
    tiles = _TileSupply({name: many for name, many in held.items() if name in usable})
    sets = _price_sets(tiles, candidates)
    jokers_last = sorted((one for one in sets if one.jokers), key=lambda one: one.jokers)
    prices = with_joker_prices(tiles.supply, _plain_part_prices(tiles, sets, candidates), jokers_last)
    allowed = _FIRST_LOSS
    found = _walk_by_loss(tiles, candidates, sets, prices, allowed)
    if found is None:
        better = auctioned_prices(tiles.supply, prices, jokers_last)
        allowed -= price_of_supply(tiles.supply, prices) - price_of_supply(tiles.supply, better)
        prices, allowed = better, max(allowed, _FIRST_LOSS)
    while found is None:
        found = _walk_by_loss(tiles, candidates, sets, prices, allowed)
        allowed += allowed // 2
    laid = _lay_out_way(tiles, candidates, found.way)
    return (price_of_supply(tiles.supply, prices) - found.loss) // PRICE_UNIT, laid


def _price_sets(tiles: _TileSupply, candidates: Sequence[LaidSet]) -> list[PricedSet]:
    kinds = {name: kind for kind, name in enumerate(tiles.supply.names)}
    found = []
    for one in candidates:
        counts: dict[int, int] = {}
        for name in one.names:
            kind = kinds[name]
            counts[kind] = counts.get(kind, 0) + 1
        jokers = sum([many for kind, many in counts.items() if tiles.supply.is_joker[kind]])
        packed = sum([many << kind * _COUNT_BITS for kind, many in counts.items()])
        found.append(PricedSet(tuple(counts.items()), one.value * PRICE_UNIT, jokers, packed))
    return found


def _plain_part_prices(tiles: _TileSupply, sets: Sequence[PricedSet], candidates: Sequence[LaidSet]) -> list[int]:
    """Prices of the tiles by the sets without jokers alone."""
    at = [index for index, one in enumerate(sets) if not one.jokers]
    plain = [sets[index] for index in at]
    prices = face_prices(tiles.supply, plain)
    found, allowed = None, _FIRST_PLAIN_LOSS
    while found is None:
        found = _walk_by_loss(tiles, [candidates[index] for index in at], plain, prices, allowed)
        allowed *= 2
    laid, way = [], found.way
    while way is not None:
        laid.append(plain[way.laid])
        way = way.before
    return plain_prices(tiles.supply, plain, laid)


# --- The walk -------------------------------------------------------------------------------------------------


def _walk_by_loss(
    tiles: _TileSupply, candidates: Sequence[LaidSet], sets: Sequence[PricedSet], prices: Sequence[int], allowed: int
) -> _LossState | None:
    """The way that loses least, None where each loses more than `allowed`."""
    beginning: list[list[_WalkedSet]] = [[] for _ in range(HIGHEST_TILE_NUMBER + 1)]
    for index, (excess, one) in enumerate(zip(excesses(prices, sets), sets, strict=True)):
        if excess <= allowed:
            walked = _WalkedSet(excess, one.packed, one.contents, index)
            beginning[candidates[index].lowest].append(walked)
    states = {tiles.packed: _LossState(0, None)}
    for number in range(1, HIGHEST_TILE_NUMBER + 1):
        for walked in beginning[number]:
            _lay_in_all_states(tiles, walked, prices, allowed, states)
        states = _lose_the_rest(tiles, number, prices, allowed, states)
    states = _lose_the_rest(tiles, 0, prices, allowed, states)
    return states.get(0)


def _lay_in_all_states(
    tiles: _TileSupply, walked: _WalkedSet, prices: Sequence[int], allowed: int, states: dict[int, _LossState]
) -> None:
    """Lay the set wherever it can be, as often as it can be."""
    signs, plain_joker = tiles.signs, tiles.plain_joker
    excess, packed, contents, at = walked
    joker_bits = _COUNT_MASK << plain_joker * _COUNT_BITS if plain_joker is not None else 0
    own_jokers = sum([many for kind, many in contents if kind == plain_joker])
    first_joker = tiles.supply.is_joker.index(True) if plain_joker is not None else 0
    most = allowed - excess
    todo = [(state, entry) for state, entry in states.items() if entry.loss <= most]
    while todo:
        again = []
        for state, (loss, way) in todo:
            loss += excess
            after = (state | signs) - packed
            replaced: tuple[int, ...] = ()
            if after & signs == signs:
                after ^= signs
            elif plain_joker is not None and state & joker_bits:
                replaced = _gone(state, contents)
                wanted = own_jokers + len(replaced)
                # Jokers come last: a special one that is gone, or the plain one itself, is the last that is gone.
                if wanted > (state >> plain_joker * _COUNT_BITS & _COUNT_MASK) or replaced[-1] >= first_joker:
                    continue
                after = state - packed + sum([1 << kind * _COUNT_BITS for kind in replaced])
                after -= len(replaced) << plain_joker * _COUNT_BITS
                loss += sum([prices[plain_joker] - prices[kind] for kind in replaced])
                if loss > allowed:
                    continue
            else:
                continue
            known = states.get(after)
            if known is None or known.loss > loss:
                entry = states[after] = _LossState(loss, _WayLaid(way, at, replaced))
                if loss <= most:
                    again.append((after, entry))
        todo = again


def _gone(state: int, contents: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The tiles of a set that the state has not, once for each that is lacking."""
    found: list[int] = []
    for kind, many in contents:
        lacking = many - (state >> kind * _COUNT_BITS & _COUNT_MASK)
        if lacking > 0:
            found += [kind] * lacking
    return tuple(sorted(found))


def _lose_the_rest(
    tiles: _TileSupply, number: int, prices: Sequence[int], allowed: int, states: dict[int, _LossState]
) -> dict[int, _LossState]:
    """What is left of a number (0: of the jokers) goes into no set any more."""
    kinds = [kind for kind, one in enumerate(tiles.numbers) if one == number]
    if not kinds:
        return states
    mask = sum(_COUNT_MASK << kind * _COUNT_BITS for kind in kinds)
    costs: dict[int, int] = {}
    after: dict[int, _LossState] = {}
    for state, (loss, way) in states.items():
        rest = state & mask
        if rest not in costs:
            costs[rest] = sum([(rest >> kind * _COUNT_BITS & _COUNT_MASK) * prices[kind] for kind in kinds])
        loss += costs[rest]
        state ^= rest
        if loss <= allowed and (state not in after or after[state].loss > loss):
            after[state] = _LossState(loss, way)
    return after


def _lay_out_way(
    tiles: _TileSupply, candidates: Sequence[LaidSet], way: _WayLaid | None
) -> tuple[tuple[str, ...], ...]:
    """The sets on the way, runs first, each with the jokers that took a tile's place."""
    laid = []
    while way is not None:
        one = candidates[way.laid]
        names = list(one.names)
        for kind in way.replaced:
            names[names.index(tiles.supply.names[kind])] = PLAIN_JOKER
        if one.any_order:
            names.sort(key=lambda name: _WRITTEN_ORDER.index(name if name[0] == PLAIN_JOKER else name[0]))
        laid.append((one.any_order, tuple(names)))
        way = way.before
    return tuple(names for _, names in sorted(laid, key=lambda pair: pair[0]))
