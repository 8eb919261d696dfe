"""The spread of the seat letters over the rounds of a final: nobody at one letter more than a fourth of the rounds.

Letters are given before tables. A plan over this and all rounds to come says how often each entrant is still to sit at
each letter; one letter of it is then taken for this round. Any part of a plan that gives each entrant one letter and
each letter its seats leaves the rest a plan of one round less, so a good plan never leads into a dead end.

Both are least-cost transports whose only nodes are the four letters: one is best as soon as no exchange round two,
three or four letters makes it cheaper, prices growing with every visit. The outcome is exact, not searched.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from scoring.seating import Chance
from scoring.values import ALL_SEAT_LETTERS

SEAT_INDEXES = range(len(ALL_SEAT_LETTERS))
LetterCounts = list[list[int]]
"""One row an entrant, one column a letter."""

ExchangePrice = Callable[[int, int, int], int]
"""What it costs to give an entrant a letter, having been given it so often already; never less than the time before."""

EXCESS_COST = 1_000_000
"""The price of one visit too many: more than all others together."""


class _LetterExchange(NamedTuple):
    """An entrant gives up one letter for another, and what that costs."""

    cost: int
    entrant: int


def _exchange_cycles() -> tuple[tuple[int, ...], ...]:
    """Every circle of two to four letters, each once, from its first letter."""
    return tuple(
        (chosen[0], *rest)
        for size in range(2, len(ALL_SEAT_LETTERS) + 1)
        for chosen in combinations(SEAT_INDEXES, size)
        for rest in permutations(chosen[1:])
    )


EXCHANGE_CYCLES = _exchange_cycles()


def max_visits_per_letter(rounds: int) -> int:
    """How often one may sit at one letter in so many rounds: a fourth of them, rounded up."""
    return -(-rounds // len(ALL_SEAT_LETTERS))


def plan_seat_letters(
    visits: Sequence[Sequence[int]], seats: Sequence[int], rounds: int, most: int, chance: Chance
) -> LetterCounts:
    """How often each entrant should sit at each letter in `rounds` rounds to come.

    `visits`: how often each did before; `seats`: the seats of each letter in a round, as many as entrants. As few
    visits over `most` as can be, then letters as even as can be; what is left free is drawn.
    """
    plan = [[0] * len(ALL_SEAT_LETTERS) for _ in visits]
    order = chance.shuffled(range(len(visits)))
    letters = [letter for letter in SEAT_INDEXES for _ in range(seats[letter])]
    # Turned on by a letter's seats each round, the deal seldom gives anybody a letter twice.
    for turn in range(rounds):
        start = sum(seats[: turn % len(ALL_SEAT_LETTERS)])
        for place, entrant in enumerate(order):
            plan[entrant][letters[(place + start) % len(letters)]] += 1

    def price(entrant: int, letter: int, given: int) -> int:
        before = visits[entrant][letter] + given
        return before + EXCESS_COST * (before >= most)

    _exchange_until_cheapest(plan, price, chance)
    return plan


def letters_for_next_round(plan: Sequence[Sequence[int]], seats: Sequence[int], chance: Chance) -> list[int]:
    """One letter of the plan for each entrant, every letter as often as it has seats."""
    order = chance.shuffled(range(len(plan)))
    letters = [letter for letter in SEAT_INDEXES for _ in range(seats[letter])]
    given = [[0] * len(ALL_SEAT_LETTERS) for _ in plan]
    for letter, entrant in zip(letters, order, strict=True):
        given[entrant][letter] = 1
    _exchange_until_cheapest(given, lambda entrant, letter, _given: int(not plan[entrant][letter]), chance)
    return [row.index(1) for row in given]


def _exchange_until_cheapest(given: LetterCounts, price: ExchangePrice, chance: Chance) -> None:
    """Exchange letters round circles until none makes it cheaper."""
    order = chance.shuffled(range(len(given)))
    gives = {
        (one, other): _cheapest_exchange(given, price, order, one, other)
        for one in SEAT_INDEXES
        for other in SEAT_INDEXES
    }
    while True:
        circle = min(EXCHANGE_CYCLES, key=lambda circle: _cycle_cost(gives, circle))
        if _cycle_cost(gives, circle) >= 0:
            return
        for one, other in _cycle_steps(circle):
            give = gives[one, other]
            if give is not None:
                given[give.entrant][one] -= 1
                given[give.entrant][other] += 1
        gives = {
            (one, other): _cheapest_exchange(given, price, order, one, other)
            for one in SEAT_INDEXES
            for other in SEAT_INDEXES
        }


def _cycle_steps(circle: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(circle, (*circle[1:], circle[0]), strict=True))


def _cycle_cost(gives: dict[tuple[int, int], _LetterExchange | None], circle: Sequence[int]) -> int:
    """What the circle costs; 0 where nobody has a letter to give, which is never worth while."""
    found = [gives[step] for step in _cycle_steps(circle)]
    return 0 if None in found else sum(give.cost for give in found if give is not None)


def _cheapest_exchange(
    given: LetterCounts, price: ExchangePrice, order: Sequence[int], one: int, other: int
) -> _LetterExchange | None:
    """Who gives up the one letter for the other most cheaply, the first of the drawn order among equals."""
    best: _LetterExchange | None = None
    for entrant in order if one != other else ():
        row = given[entrant]
        if row[one]:
            cost = price(entrant, other, row[other]) - price(entrant, one, row[one] - 1)
            if best is None or cost < best.cost:
                best = _LetterExchange(cost, entrant)
    return best
