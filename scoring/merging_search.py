"""The best arrangement of a merged hall, and the proof that none is better.

The criteria are settled one after the other. Prices are bettered until their bound meets the best arrangement that
exchanges find; nearly always they meet. Where they do not, arrangements are built table by table, as many alike kept
once, and whatever the bound rules out is left: what remains is every arrangement that could still be better.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.merging_bound import (
    UNREACHABLE,
    HallBound,
    PricedKind,
    TableChoice,
    TablePricing,
    add_up_choices,
    extend_choices,
    other_wanted,
    price_hall,
)
from scoring.merging_exchanges import settle_plan
from scoring.merging_hall import CriterionWeights, Hall, HallCosts, TableKinds, give_schools
from scoring.seating import Chance

PRICE_UNIT = 60
"""What one of the last criterion costs, so that prices may be parts of it."""

PRICE_STEPS = 60
RESTING_STEPS = 8
"""After so many steps without a better bound they become shorter."""

_Trail = tuple[TableKinds, "_Trail | None"]
"""How a state was reached: the last table and what was before."""

STEPS_BETWEEN_VARIATIONS = 3
MAX_SEARCH_STATES = 60_000
SCHOOLS_LAST = 4


@dataclass(frozen=True)
class SettledPlan:
    """An arrangement by table; `proven`: none is better. Only a search that grew beyond measure is not."""

    tables: tuple[TableKinds, ...]
    proven: bool


def settle_hall(hall: Hall, order: Sequence[int]) -> SettledPlan:
    """The best arrangement by the criteria in this order, schools last. The sizes have to add up."""
    return _HallSearch(hall, order).settle()


class _HallSearch:
    """The criteria one after the other: first all at once without prices, which mostly is enough."""

    def __init__(self, hall: Hall, order: Sequence[int]) -> None:
        self._hall = hall
        self._order = order
        # Pairs of four at a table are at most one and a half a person.
        self._base = 2 * hall.people + len(hall.seated) + 1

    def settle(self) -> SettledPlan:
        costs = HallCosts(self._hall, self._weights(SCHOOLS_LAST))
        bound = price_hall(costs, [0] * len(self._hall.kinds))
        plan = settle_plan(costs, bound.wanted(), _next_unit(bound.least))
        value, least = costs.total(plan), _next_unit(bound.least)
        if value == least:
            return SettledPlan(tuple(plan), True)
        settled = next(
            criteria
            for criteria in range(SCHOOLS_LAST - 1, -1, -1)
            if value // self._unit(criteria) == least // self._unit(criteria)
        )
        return self._settle_after(settled, plan)

    def _settle_after(self, settled: int, plan: list[TableKinds]) -> SettledPlan:
        families, became = self._hall.without_schools()
        prices, proven = [0] * len(families.kinds), True
        for criteria in range(settled + 1, SCHOOLS_LAST):
            costs = HallCosts(families, self._weights(criteria))
            level = _CriterionSearch(costs, prices, [tuple(sorted(became[kind] for kind in kinds)) for kinds in plan])
            proven = level.settle() and proven
            if level.bettered:
                plan = give_schools(self._hall, became, level.plan)
            prices = [price * self._base for price in level.prices]
        costs = HallCosts(self._hall, self._weights(SCHOOLS_LAST))
        level = _CriterionSearch(costs, [prices[kind] for kind in became], plan)
        proven = level.settle() and proven
        return SettledPlan(tuple(level.plan), proven)

    def _unit(self, criteria: int) -> int:
        """What one of the last of so many criteria costs among all four."""
        return PRICE_UNIT * self._base ** (SCHOOLS_LAST - criteria) if criteria else UNREACHABLE

    def _weights(self, criteria: int) -> CriterionWeights:
        """Of the first so many criteria alone."""
        weights = [0] * SCHOOLS_LAST
        for place, criterion in enumerate(self._order[:criteria]):
            weights[criterion] = PRICE_UNIT * self._base ** (criteria - 1 - place)
        first, second, third, fourth = weights
        return first, second, third, fourth


def _next_unit(cost: int) -> int:
    """The least whole number of units that is no less."""
    return -(-cost // PRICE_UNIT) * PRICE_UNIT


class _CriterionSearch:
    """The best arrangement by some first criteria, from prices and an arrangement of those before."""

    def __init__(self, costs: HallCosts, prices: Sequence[int], plan: list[TableKinds]) -> None:
        self._costs = costs
        self.prices: Sequence[int] = prices
        self.plan = plan
        self.bettered = False
        self._value = costs.total(plan)
        self._sizes_tried: set[tuple[int, ...]] = set()

    def settle(self) -> bool:
        """Whether the plan is proven to be the best."""
        best = self._better_prices()
        self.prices = best.prices
        if _next_unit(best.least) >= self._value:
            return True
        found = _search_tables(self._costs, best, self._value)
        if found is None:
            return False
        if found:
            self._take(found)
        return True

    def _better_prices(self) -> HallBound:
        """Steps towards prices under which as many of each kind are chosen as there are."""
        best = price_hall(self._costs, self.prices)
        bound, shorter, rested, chance = best, 1, 0, Chance("merging")
        for step in range(PRICE_STEPS):
            if bound.least > best.least:
                best, rested = bound, 0
            else:
                rested += 1
            if self._meets(best, bound.wanted()):
                break
            if step % STEPS_BETWEEN_VARIATIONS == 0 and self._meets(
                best, other_wanted(best, self._costs.hall.people, chance.below, PRICE_UNIT // 2)
            ):
                break
            if rested > RESTING_STEPS:
                bound, shorter, rested = best, 2 * shorter, 0
            prices = self._next_prices(bound, shorter)
            if prices is None:
                break
            bound = price_hall(self._costs, prices)
        return best

    def _meets(self, best: HallBound, wanted: Sequence[TableKinds]) -> bool:
        """Whether the bound and the plan meet, after what is wanted has been tried."""
        target = _next_unit(best.least)
        sizes = tuple(map(len, wanted))
        if target < self._value and sizes not in self._sizes_tried:
            self._sizes_tried.add(sizes)
            self._take(settle_plan(self._costs, wanted, target))
        return target >= self._value

    def _take(self, plan: list[TableKinds]) -> None:
        value = self._costs.total(plan)
        if value < self._value:
            self.plan, self._value, self.bettered = plan, value, True

    def _next_prices(self, bound: HallBound, shorter: int) -> list[int] | None:
        """Dearer what is chosen too often; None where everybody is chosen once."""
        excess = [-many for many in self._costs.hall.supply]
        for kinds in bound.wanted():
            for kind in kinds:
                excess[kind] += 1
        norm = sum(one * one for one in excess)
        if not norm:
            return None
        gap = self._value - bound.least
        return [price + gap * one // (shorter * norm) for price, one in zip(bound.prices, excess, strict=True)]


class _State(NamedTuple):
    """Some tables filled: what it costs with its prices, how many people are left, and how it was reached."""

    cost: int
    people: int
    trail: _Trail | None


class _Option(NamedTuple):
    """People for one table: the cost with their prices, and what is taken away of the packed supply, by place."""

    cost: int
    kinds: TableKinds
    taken: tuple[tuple[int, int], ...]


def _search_tables(costs: HallCosts, bound: HallBound, value: int) -> list[TableKinds] | None:
    """The best plan that is cheaper than the value, `[]` where none is; None where the search grew beyond measure."""
    hall = costs.hall
    brought = sum(price * many for price, many in zip(bound.prices, hall.supply, strict=True))
    limit = value - PRICE_UNIT + brought
    width = hall.people.bit_length() + 1
    options = [_options_of_table(costs, bound, table, value) for table in range(len(hall.seated))]
    # Tables with most to choose from come last, when few people are left for them.
    order = sorted(range(len(options)), key=lambda table: sum(map(len, options[table].values())))
    least_from = add_up_choices([bound.choices[table] for table in order], hall.people)
    start = sum(many << (width * kind) for kind, many in enumerate(hall.supply))
    states = {start: _State(0, hall.people, None)}
    for table, after in zip(order, least_from[1:], strict=True):
        reached: dict[int, _State] = {}
        for there, state in states.items():
            _fill_table(there, state, options[table], limit, after, (1 << width) - 1, reached)
            if len(reached) > MAX_SEARCH_STATES:
                return None
        states = reached
    if 0 not in states:
        return []
    plan, trail = {}, states[0].trail
    for table in reversed(order):
        assert trail is not None
        plan[table], trail = trail
    return [plan[table] for table in range(len(order))]


def _fill_table(
    there: int,
    state: _State,
    options: Mapping[int, Sequence[_Option]],
    limit: int,
    after: Sequence[int],
    mask: int,
    reached: dict[int, _State],
) -> None:
    """Every way to fill one more table that may still lead to less than the limit; of ways that leave the same people
    the cheapest."""
    for size, of_size in options.items():
        left = state.people - size
        if left < 0:
            continue
        dearest = limit - state.cost - after[left]
        for cost, kinds, taken in of_size:
            if cost > dearest:
                break
            rest = there
            for place, many in taken:
                if there >> place & mask < many:
                    break
                rest -= many << place
            else:
                known = reached.get(rest)
                if known is None or state.cost + cost < known.cost:
                    reached[rest] = _State(state.cost + cost, left, (kinds, state.trail))


def _options_of_table(costs: HallCosts, bound: HallBound, table: int, value: int) -> dict[int, list[_Option]]:
    """What the table may choose in a plan that is cheaper than the value, by size, the cheapest first."""
    width = costs.hall.people.bit_length() + 1
    options: dict[int, list[_Option]] = {size: [] for size in bound.choices[table]}
    pricing = TablePricing(costs, bound.prices)
    for cost, kinds in _choices_within(costs, pricing, bound, table, value - PRICE_UNIT - bound.least):
        taken = tuple((width * kind, kinds.count(kind)) for kind in sorted(set(kinds)))
        options[len(kinds)].append(_Option(cost, kinds, taken))
    return {size: sorted(found) for size, found in options.items()}


def _choices_within(
    costs: HallCosts, pricing: TablePricing, bound: HallBound, table: int, slack: int
) -> Iterator[TableChoice]:
    """Every choice of the table that is dearer than the cheapest of its size by no more than the slack."""
    offers: list[PricedKind] = pricing.offers(table)
    for size, cheapest in bound.choices[table].items():
        if not size:
            yield cheapest
            continue
        limit = cheapest.cost - costs.size_cost(size) + slack + 1
        found: list[TableChoice] = []

        def keep(choice: TableChoice, found: list[TableChoice] = found, limit: int = limit) -> int:
            found.append(choice)
            return limit

        extend_choices(offers, costs.pair_costs, size, limit, keep)
        for choice in found:
            yield choice._replace(cost=choice.cost + costs.size_cost(size))
