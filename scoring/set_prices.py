"""Prices of tiles and jokers under which no set is worth more than what lies in it.

A set's `excess` is what its tiles cost beyond its worth, 0 or more. Whoever lays sets of a rack gets the price of the
whole rack, less the excess of each set and less the price of whatever is left over. So a total is searched for by what
it loses, and the better the prices, the less there is to search. Any prices give the same answer in the end.

Prices are integers, in twelfths of a point.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.tiles import TILES_BY_NAME

PRICE_UNIT = 12
_PLAIN_ROUNDS = 12
_JOKER_ROUNDS = 24
_FIRST_STEP = 4 * PRICE_UNIT
_LAST_STEP = PRICE_UNIT // 2

Contents = tuple[tuple[int, int], ...]
"""What lies in a set: kinds of tiles by their place in the supply, each with how many of it."""


class PricedSet(NamedTuple):
    """A set to be laid: its `worth` in price units, how many jokers are among its tiles, and its tiles in one integer
    as the walk of `scoring.special_opening` has them."""

    contents: Contents
    worth: int
    jokers: int
    packed: int


class Supply(NamedTuple):
    """The kinds of tiles of a rack by name, how many there are, and which of them are jokers."""

    names: tuple[str, ...]
    copies: tuple[int, ...]
    is_joker: tuple[bool, ...]


def excesses(prices: Sequence[int], sets: Sequence[PricedSet]) -> list[int]:
    """For each set what its tiles cost beyond its worth."""
    return [sum([prices[kind] * many for kind, many in one.contents]) - one.worth for one in sets]


def price_of_supply(supply: Supply, prices: Sequence[int]) -> int:
    """What the whole rack costs: no total is more."""
    return sum(price * many for price, many in zip(prices, supply.copies, strict=True))


def face_prices(supply: Supply, plain: Sequence[PricedSet]) -> list[int]:
    """Each tile that a set without jokers may hold at its face, all others at 0: no such set is worth more."""
    prices = [0] * len(supply.names)
    for kind in {kind for one in plain for kind, _ in one.contents}:
        prices[kind] = TILES_BY_NAME[supply.names[kind]].number * PRICE_UNIT
    return prices


def plain_prices(supply: Supply, plain: Sequence[PricedSet], laid: Sequence[PricedSet]) -> list[int]:
    """Prices for the sets without jokers, close to the total of `laid`, which are the best of them.

    What is left over costs nothing. A tile that another set wants is made dearer, the others of its own set cheaper.
    """
    prices = face_prices(supply, plain)
    used = [0] * len(prices)
    owners: list[list[Contents]] = [[] for _ in prices]
    for one in laid:
        for kind, many in one.contents:
            used[kind] += many
            owners[kind].append(one.contents)
    scarce = [used[kind] == supply.copies[kind] for kind in range(len(prices))]
    prices = [price if scarce[kind] else 0 for kind, price in enumerate(prices)]
    for _ in range(_PLAIN_ROUNDS):
        if not _shift_towards_wanted(prices, plain, scarce, owners):
            break
    _raise_until_enough(prices, plain, supply)
    return prices


def _shift_towards_wanted(
    prices: list[int], sets: Sequence[PricedSet], scarce: Sequence[bool], owners: Sequence[Sequence[Contents]]
) -> bool:
    """One round; whether any set was worth more than its tiles."""
    shifted = False
    for contents, worth, _, _ in sets:
        lacking = worth - sum([prices[kind] for kind, _ in contents])
        if lacking <= 0:
            continue
        shifted = True
        wanted = [kind for kind, _ in contents if scarce[kind]]
        for kind in wanted:
            share = -(-lacking // len(wanted))
            prices[kind] += share
            for owner in owners[kind]:
                others = [other for other, _ in owner if prices[other] > 0 and all(other != one for one, _ in contents)]
                for other in others:
                    prices[other] = max(0, prices[other] - share // len(others))
    return shifted


def _raise_until_enough(prices: list[int], sets: Sequence[PricedSet], supply: Supply) -> None:
    for contents, worth, _, _ in sets:
        lacking = worth - sum([prices[kind] * many for kind, many in contents])
        if lacking > 0:
            prices[min([kind for kind, _ in contents], key=supply.copies.__getitem__)] += lacking


def with_joker_prices(supply: Supply, prices: Sequence[int], sets: Sequence[PricedSet]) -> list[int]:
    """The same prices, with a price for each kind of joker so that no set is worth more than its tiles, nor a tile more
    than the plain joker that may take its place. `sets` have jokers, fewest first."""
    found = [0 if joker else price for joker, price in zip(supply.is_joker, prices, strict=True)]
    for contents, worth, jokers, _ in sets:
        lacking = worth
        for kind, many in contents:
            lacking -= found[kind] * many
        if lacking > 0:
            share = -(-lacking // jokers)
            for kind, _ in contents:
                if supply.is_joker[kind]:
                    found[kind] += share
    if "J" in supply.names:
        plain_joker = supply.names.index("J")
        found[plain_joker] = max(
            [found[plain_joker], *(price for price, joker in zip(found, supply.is_joker, strict=True) if not joker)]
        )
    return found


def auctioned_prices(supply: Supply, prices: Sequence[int], sets: Sequence[PricedSet]) -> list[int]:
    """Prices under which the rack costs less, by an auction: each joker bids for the tiles of the set that is best for
    it, and tiles that several want become dearer, step by step, until the jokers are content with others."""
    least = list(prices)
    trial, best = list(prices), list(prices)
    best_cost = price_of_supply(supply, prices)
    alone = [one for one in sets if one.jokers == 1]
    step = _FIRST_STEP
    for round_number in range(_JOKER_ROUNDS):
        bids = _bids(supply, trial, alone)
        moved = False
        for kind, wanted in enumerate(bids):
            if supply.is_joker[kind]:
                continue
            if wanted > supply.copies[kind]:
                trial[kind] += step * (wanted - supply.copies[kind]) // wanted
                moved = True
            elif wanted < supply.copies[kind] and trial[kind] > least[kind]:
                trial[kind] = max(least[kind], trial[kind] - step // 2)
                moved = True
        if not moved:
            break
        trial = with_joker_prices(supply, trial, sets)
        cost = price_of_supply(supply, trial)
        if cost < best_cost:
            best, best_cost = list(trial), cost
        elif round_number % 4 == 3:
            step = max(_LAST_STEP, step * 2 // 3)
    return best


def _bids(supply: Supply, prices: Sequence[int], alone: Sequence[PricedSet]) -> list[int]:
    """How many of each tile the jokers want, each kind for the set that gains most with one of it."""
    gains: dict[int, tuple[int, Contents]] = {}
    for contents, worth, _, _ in alone:
        gain, joker = worth, -1
        for kind, many in contents:
            if supply.is_joker[kind]:
                joker = kind
            else:
                gain -= prices[kind] * many
        if joker not in gains or gain > gains[joker][0]:
            gains[joker] = (gain, contents)
    bids = [0] * len(supply.names)
    for joker, (_, contents) in gains.items():
        for kind, many in contents:
            bids[kind] += many * supply.copies[joker]
    return bids
