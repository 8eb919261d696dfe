"""What a merged hall must cost at least, by prices on people (Lagrange).

Each table chooses its people for itself, as if there were enough of every kind, and pays a price for each; whoever is
there brings the price. Whatever the prices, the cheapest choice of all tables together costs no more than the best
arrangement: only that everybody sits exactly once is left out, and with everybody seated once the prices cancel out.
Only the sizes have to add up, which a table of sums sees to. Prices are integers, so the bound is exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from scoring.merging_hall import LARGEST_TABLE, MOVES, HallCosts, TableKinds

UNREACHABLE = 1 << 200
"""More than anything costs: numbers of people that no sizes add up to."""


class TableChoice(NamedTuple):
    """People for one table, and what they cost with their prices."""

    cost: int
    kinds: TableKinds


class PricedKind(NamedTuple):
    """One more of a kind for a table: the price, and a move where the table has no more of its own."""

    cost: int
    kind: int


SizeChoices = dict[int, TableChoice]
"""The cheapest choice of a table for each size, 0 among them."""


@dataclass(frozen=True)
class HallBound:
    """The bound under these prices; by table the choices and what they add up to.

    `least_from[table][people]`: the least that so many people cost at this table and those after it.
    """

    prices: tuple[int, ...]
    least: int
    choices: tuple[SizeChoices, ...]
    least_from: tuple[list[int], ...]

    def wanted(self) -> tuple[TableKinds, ...]:
        """A cheapest choice of each table."""
        return _cheapest_choices(self.choices, self.least_from)


def price_hall(costs: HallCosts, prices: Sequence[int]) -> HallBound:
    """The bound of a hall under prices by kind."""
    pricing = TablePricing(costs, prices)
    choices = tuple(pricing.cheapest(table) for table in range(len(costs.hall.seated)))
    least_from = add_up_choices(choices, costs.hall.people)
    brought = sum(price * many for price, many in zip(prices, costs.hall.supply, strict=True))
    return HallBound(tuple(prices), least_from[0][costs.hall.people] - brought, choices, least_from)


def add_up_choices(choices: Sequence[SizeChoices], people: int) -> tuple[list[int], ...]:
    """For each table, and behind the last, the least that each number of people costs from there on."""
    rows = [[0, *[UNREACHABLE] * people]]
    for table in reversed(choices):
        after = rows[-1]
        least = [UNREACHABLE] * (people + 1)
        for size, choice in table.items():
            if size <= people:
                shifted = [UNREACHABLE] * size + [cost + choice.cost for cost in after[: people + 1 - size]]
                least = list(map(min, least, shifted))
        rows.append(least)
    return tuple(reversed(rows))


def other_wanted(bound: HallBound, people: int, below: Callable[[int], int], spread: int) -> tuple[TableKinds, ...]:
    """Choices that are nearly as cheap: of a size more or less by chance, by less than `spread` a table."""
    varied = [
        {size: choice._replace(cost=choice.cost + below(spread)) for size, choice in table.items()}
        for table in bound.choices
    ]
    return _cheapest_choices(varied, add_up_choices(varied, people))


def _cheapest_choices(choices: Sequence[SizeChoices], least_from: Sequence[list[int]]) -> tuple[TableKinds, ...]:
    left, wanted = len(least_from[0]) - 1, []
    for table, sizes in enumerate(choices):
        choice = next(
            choice
            for size, choice in sizes.items()
            if size <= left and least_from[table + 1][left - size] + choice.cost == least_from[table][left]
        )
        left -= len(choice.kinds)
        wanted.append(choice.kinds)
    return tuple(wanted)


class TablePricing:
    """What each table would choose under prices by kind; tables alike before are asked once."""

    def __init__(self, costs: HallCosts, prices: Sequence[int]) -> None:
        self._costs = costs
        self._prices = prices
        moved = costs.weights[MOVES]
        self._from_elsewhere = sorted(
            PricedKind(price + moved, kind)
            for kind, price in enumerate(prices)
            for _ in range(min(costs.hall.supply[kind], LARGEST_TABLE))
        )
        self._known: dict[tuple[int, ...], SizeChoices] = {}

    def cheapest(self, table: int) -> SizeChoices:
        """The cheapest choice for each size that so many people can fill."""
        seated = self._costs.hall.seated[table]
        known = self._known.get(seated)
        if known is None:
            offers = self.offers(table)
            known = {0: TableChoice(0, ())}
            for size in self._costs.hall.sizes:
                found = _cheapest_of_size(offers, self._costs.pair_costs, size)
                if found is not None:
                    known[size] = found._replace(cost=found.cost + self._costs.size_cost(size))
            self._known[seated] = known
        return known

    def offers(self, table: int) -> list[PricedKind]:
        """Everybody whom the table may choose, the cheapest first; a kind as often as it may sit there."""
        seated, moved = self._costs.hall.seated[table], self._costs.weights[MOVES]
        here = {kind for kind, many in enumerate(seated) if many}
        offers = [offer for offer in self._from_elsewhere if offer.kind not in here]
        for kind in here:
            for number in range(min(self._costs.hall.supply[kind], LARGEST_TABLE)):
                offers.append(PricedKind(self._prices[kind] + moved * (number >= seated[kind]), kind))
        return sorted(offers)


def _cheapest_of_size(offers: Sequence[PricedKind], pairs: Sequence[Sequence[int]], size: int) -> TableChoice | None:
    found = [TableChoice(UNREACHABLE, ())]

    def keep(choice: TableChoice) -> int:
        found[0] = choice
        return choice.cost

    extend_choices(offers, pairs, size, UNREACHABLE, keep)
    return found[0] if found[0].cost < UNREACHABLE else None


def extend_choices(
    offers: Sequence[PricedKind],
    pairs: Sequence[Sequence[int]],
    size: int,
    limit: int,
    keep: Callable[[TableChoice], int],
) -> None:
    """Show `keep` each choice of so many people that costs less than the limit; it answers with the limit from then on.

    Offers are sorted, so that those that follow one another are the least that any further ones cost.
    """
    sums = [0, *accumulate(offer.cost for offer in offers)]

    def extend(start: int, left: int, cost: int, chosen: TableKinds) -> None:
        nonlocal limit
        before = -1
        for at in range(start, len(offers) - left + 1):
            if cost + sums[at + left] - sums[at] >= limit:
                return
            price, kind = offers[at]
            # Who is alike comes in order: the second is taken with the first, not in its place.
            if kind == before and price == offers[at - 1].cost:
                continue
            before = kind
            row = pairs[kind]
            now = cost + price
            for other in chosen:
                now += row[other]
            if now + sums[at + left] - sums[at + 1] < limit:
                if left == 1:
                    limit = keep(TableChoice(now, tuple(sorted((*chosen, kind)))))
                else:
                    extend(at + 1, left - 1, now, (*chosen, kind))

    if size <= len(offers):
        extend(0, size, 0, ())
