"""The draw of a further round of a final: new tables, new letters, old acquaintances apart (R13, R38, R40).

What is kept, the first before the next: as many tables of four as possible; nobody at one letter in more than a fourth
of all rounds, rounded up; no two of a family at one table; as few as can be found meet again; and on the way, who sat
at a table of three is spared another, and few of one school share a table. Letters are exact
(`scoring.seat_balancing`), families of two never meet where there are two tables; meetings are searched, so that a few
may remain in a small field where a better draw exists.

Entrants are sorted by id first and all chance is SHA-256 over the seed, the round and a counter: the same entrants,
earlier rounds and seed give the same draw everywhere, in any input order.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Literal

from scoring.problems import Refusal
from scoring.seat_balancing import (
    SEAT_INDEXES,
    LetterCounts,
    letters_for_next_round,
    max_visits_per_letter,
    plan_seat_letters,
)
from scoring.seating import USUAL_TABLE_SIZES, Chance, PlannedTable, Sitter, fewest_pairs, table_sizes
from scoring.values import ALL_SEAT_LETTERS

NotAvoidedKind = Literal["family", "meeting", "letter", "school"]
NOT_AVOIDED_KINDS: tuple[NotAvoidedKind, ...] = ("family", "meeting", "letter", "school")

MEETING_COST = 10**6
REPEATED_MEETING_COST = 10**4
TABLE_OF_THREE_COST = 10**2
SHARED_TABLE_COSTS: Mapping[NotAvoidedKind, int] = MappingProxyType(
    {"family": 10**12, "meeting": MEETING_COST, "school": 1}
)
"""What two at one table cost; `REPEATED_MEETING_COST` for each earlier meeting beyond the first. `TABLE_OF_THREE_COST`:
what an entrant costs at a table of three for each time that was so before.
"""

# Other letters may allow what these do not; each attempt looks at so many seats in all, a room of 120 some 300 times.
DRAW_ATTEMPTS = 8
MAX_EXCHANGE_TRIALS = 40_000
# Third meetings and schools alone are worth fewer looks.
MAX_FINER_EXCHANGE_TRIALS = 8_000
MAX_RESTING_STEPS = 8
"""An entrant just moved rests for 1 to so many steps, which keeps the search from going in circles."""


@dataclass(frozen=True, slots=True)
class NotAvoided:
    """What a round does not keep: who, at which table, and in which earlier rounds, from 1, it was so before.

    `meeting`: two who have met; `letter`: one who sits too often at this letter; `family`, `school`: two who share it.
    """

    kind: NotAvoidedKind
    ids: tuple[str, ...]
    table: int
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round drawn: its tables by number, fours first, and whatever could not be avoided."""

    tables: tuple[PlannedTable, ...]
    could_not: tuple[NotAvoided, ...]


DrawnRound = Sequence[PlannedTable]


def draw_next_round(
    sitters: Iterable[Sitter],
    earlier: Sequence[DrawnRound],
    seed: int,
    rounds: int,
    allowed_sizes: Sequence[int] = USUAL_TABLE_SIZES,
) -> RoundPlan:
    """Draw the round after those `earlier`, of `rounds` in all. Entrants of earlier rounds who play no more, and new
    ones, are allowed for.

    Refused: a number that the sizes do not add up to, an id given twice, fewer rounds than this one makes.
    """
    entrants = sorted(sitters, key=lambda sitter: sitter.id)
    for before, after in pairwise(entrants):
        if before.id == after.id:
            raise Refusal("entrants", f"{after.id} stands there twice")
    if rounds <= len(earlier):
        raise Refusal("rounds", f"must be more than the {len(earlier)} drawn before")
    sizes = table_sizes(len(entrants), allowed_sizes)
    if not sizes:
        return RoundPlan((), ())
    chance = Chance(f"{seed}/{len(earlier) + 1}")
    room = _best_arrangement(entrants, earlier, rounds, sizes, chance)
    tables = tuple(
        PlannedTable(number, {ALL_SEAT_LETTERS[letter]: entrants[place].id for letter, place in enumerate(table)})
        for number, table in enumerate(room.tables, start=1)
    )
    return RoundPlan(tables, review_round(tables, entrants, earlier, rounds))


def review_round(
    tables: Iterable[PlannedTable], sitters: Iterable[Sitter], earlier: Sequence[DrawnRound], rounds: int
) -> tuple[NotAvoided, ...]:
    """What an arrangement of the round after `earlier` does not keep: families, meetings, letters, schools, each by
    table, then id. Seats of entrants not among the sitters count for nothing."""
    known = {sitter.id: sitter for sitter in sitters}
    met, sat = _meeting_rounds(earlier), _letter_rounds(earlier)
    found: list[NotAvoided] = []
    for table in tables:
        seated = {letter: id for letter, id in table.seats.items() if id in known}
        for one, other in combinations(sorted(seated.values()), 2):
            before = tuple(met.get((one, other), ()))
            shared = _shared_kinds(known[one], known[other])
            kinds: list[NotAvoidedKind] = [*shared, "meeting"] if before else shared
            found += [NotAvoided(kind, (one, other), table.number, before) for kind in kinds]
        for letter, id in seated.items():
            here = tuple(sat.get((id, letter), ()))
            if len(here) >= max_visits_per_letter(rounds):
                found.append(NotAvoided("letter", (id,), table.number, here))
    return tuple(sorted(found, key=lambda one: (NOT_AVOIDED_KINDS.index(one.kind), one.table, one.ids)))


def _shared_kinds(one: Sitter, other: Sitter) -> list[NotAvoidedKind]:
    kinds: list[NotAvoidedKind] = []
    if one.family and one.family == other.family:
        kinds.append("family")
    if one.school and one.school == other.school:
        kinds.append("school")
    return kinds


def _meeting_rounds(earlier: Sequence[DrawnRound]) -> Mapping[tuple[str, str], list[int]]:
    """The rounds, from 1, in which each two sat at one table."""
    met: dict[tuple[str, str], list[int]] = {}
    for number, tables in enumerate(earlier, start=1):
        for table in tables:
            for pair in combinations(sorted(table.seats.values()), 2):
                met.setdefault(pair, []).append(number)
    return met


def _letter_rounds(earlier: Sequence[DrawnRound]) -> Mapping[tuple[str, str], list[int]]:
    """The rounds, from 1, in which each entrant sat at each letter."""
    sat: dict[tuple[str, str], list[int]] = {}
    for number, tables in enumerate(earlier, start=1):
        for table in tables:
            for letter, id in table.seats.items():
                sat.setdefault((id, letter), []).append(number)
    return sat


def _best_arrangement(
    entrants: Sequence[Sitter], earlier: Sequence[DrawnRound], rounds: int, sizes: Sequence[int], chance: Chance
) -> "_RoundSearch":
    """The cheapest of several attempts, each with letters of its own; the first with the least meetings will do."""
    sat = _letter_rounds(earlier)
    visits = [[len(sat.get((entrant.id, letter), ())) for letter in ALL_SEAT_LETTERS] for entrant in entrants]
    seats = [sum(size > letter for size in sizes) for letter in SEAT_INDEXES]
    most, left = max_visits_per_letter(rounds), rounds - len(earlier)
    costs, threes = _pair_costs(entrants, earlier), _table_of_three_costs(entrants, earlier, sizes)
    enough = MEETING_COST * (_fewest_possible_meetings(entrants, earlier, sizes) + 1)
    best: _RoundSearch | None = None
    for _ in range(DRAW_ATTEMPTS):
        plan = plan_seat_letters(visits, seats, left, most, chance)
        letters = letters_for_next_round(plan, seats, chance)
        room = _RoundSearch(costs, threes, _allowed_letters(plan, visits, most, last=left == 1), letters, sizes, chance)
        room.search(enough, chance)
        if best is None or room.cost < best.cost:
            best = room
        if best.cost < enough:
            break
    assert best is not None  # there is at least one attempt
    return best


def _fewest_possible_meetings(entrants: Sequence[Sitter], earlier: Sequence[DrawnRound], sizes: Sequence[int]) -> int:
    """Meetings that no draw can avoid: those of one earlier round, its tables spread as evenly as can be, or those of
    entrants who have met so many that too few strangers are left for a table."""
    known = {entrant.id for entrant in entrants}
    spread = [
        sum(fewest_pairs(sum(id in known for id in table.seats.values()), len(sizes)) for table in tables)
        for tables in earlier
    ]
    met = Counter(id for pair in _meeting_rounds(earlier) if known.issuperset(pair) for id in pair)
    least = min(sizes) - 1
    short = sum(max(0, least - (len(entrants) - 1 - met[entrant.id])) for entrant in entrants)
    return max([*spread, -(-short // 2)])


def _allowed_letters(plan: LetterCounts, visits: LetterCounts, most: int, *, last: bool) -> list[list[bool]]:
    """Which letters an entrant may have in this round without spoiling those to come: the plan's; in the last round,
    after which nothing can be spoilt, every letter not yet had too often."""
    if last:
        return [[visited < most for visited in row] for row in visits]
    return [[planned > 0 for planned in row] for row in plan]


def _pair_costs(entrants: Sequence[Sitter], earlier: Sequence[DrawnRound]) -> list[list[int]]:
    """What any two cost at one table."""
    met = _meeting_rounds(earlier)
    costs = [[0] * len(entrants) for _ in entrants]
    for (one, first), (other, second) in combinations(enumerate(entrants), 2):
        times = len(met.get((first.id, second.id), ()))
        cost = MEETING_COST + REPEATED_MEETING_COST * (times - 1) if times else 0
        cost += sum(SHARED_TABLE_COSTS[kind] for kind in _shared_kinds(first, second))
        costs[one][other] = costs[other][one] = cost
    return costs


def _table_of_three_costs(
    entrants: Sequence[Sitter], earlier: Sequence[DrawnRound], sizes: Sequence[int]
) -> list[list[int]]:
    """What each costs at each table by itself: at one of three, where there are others, the times it sat at one."""
    sat = Counter(
        id for tables in earlier for table in tables if len(table.seats) < max(sizes) for id in table.seats.values()
    )
    return [[TABLE_OF_THREE_COST * sat[entrant.id] * (size < max(sizes)) for size in sizes] for entrant in entrants]


class _RoundSearch:
    """Seated tables under a search that exchanges two entrants at a time, the best exchange even where it is a loss.

    Two may exchange seats of one letter, or of two letters that are both open to both. `tables` hold entrants by their
    place in the input, in letter order; after a search they are the cheapest arrangement seen, of cost `cost`.
    """

    def __init__(
        self,
        costs: list[list[int]],
        alone: list[list[int]],
        open_to: list[list[bool]],
        letters: Sequence[int],
        sizes: Sequence[int],
        chance: Chance,
    ) -> None:
        self._costs, self._open_to = costs, open_to
        self._letter = list(letters)
        columns = [chance.shuffled([who for who, at in enumerate(letters) if at == letter]) for letter in SEAT_INDEXES]
        self.tables = [[columns[letter][number] for letter in range(size)] for number, size in enumerate(sizes)]
        self._table = [0] * len(letters)
        for number, table in enumerate(self.tables):
            for who in table:
                self._table[who] = number
        # What each would cost at each table: by itself, and among those who sit there, itself left out.
        self._loads = [
            [by_itself + sum(row[who] for who in table) for by_itself, table in zip(own, self.tables, strict=True)]
            for own, row in zip(alone, costs, strict=True)
        ]
        seated = [(self._loads[who][number], alone[who][number]) for who, number in enumerate(self._table)]
        self.cost = sum(load + by_itself for load, by_itself in seated) // 2

    def search(self, enough: int, chance: Chance) -> None:
        """Exchange until nothing is left to mend or the looks are spent without finding better; below the cost that is
        `enough` they are fewer."""
        best, kept, cost = self.cost, [list(table) for table in self.tables], self.cost
        resting = [0] * len(self._table)
        step, idle = 0, 0
        while best and idle * len(self._table) < (MAX_EXCHANGE_TRIALS if best >= enough else MAX_FINER_EXCHANGE_TRIALS):
            step += 1
            idle += 1
            crowded = self._crowded(best)
            who = crowded[chance.below(len(crowded))]
            choices, change = self._exchanges(who, [until > step for until in resting], best - cost)
            if not choices:
                continue
            other = choices[chance.below(len(choices))]
            self._exchange(who, other)
            cost += change
            resting[who] = resting[other] = step + 1 + chance.below(MAX_RESTING_STEPS)
            if cost < best:
                best, kept, idle = cost, [list(table) for table in self.tables], 0
        self.tables, self.cost = kept, best

    def _crowded(self, best: int) -> list[int]:
        """Who costs something where they sit; who meets again or sits with family before the rest."""
        loads = [self._loads[who][table] for who, table in enumerate(self._table)]
        least = MEETING_COST if best >= MEETING_COST and max(loads) >= MEETING_COST else 1
        return [who for who, load in enumerate(loads) if load >= least]

    def _exchanges(self, who: int, rests: Sequence[bool], wanted: int) -> tuple[list[int], int]:
        """With whom an exchange is best, and what it adds; who rests moves only where that adds less than `wanted`,
        which makes it better than ever."""
        here, letter, mine = self._table[who], self._letter[who], self._loads[who]
        open_to_me, costs = self._open_to[who], self._costs[who]
        best: int | None = None
        choices: list[int] = []
        for other, there in enumerate(self._table):
            if there == here:
                continue
            at = self._letter[other]
            if at != letter and not (open_to_me[at] and self._open_to[other][letter]):
                continue
            theirs = self._loads[other]
            change = mine[there] + theirs[here] - mine[here] - theirs[there] - 2 * costs[other]
            if best is not None and change > best:
                continue
            if (rests[who] or rests[other]) and change >= wanted:
                continue
            if best is None or change < best:
                best, choices = change, []
            choices.append(other)
        return choices, best or 0

    def _exchange(self, one: int, other: int) -> None:
        here, there = self._table[one], self._table[other]
        mine, theirs = self._letter[one], self._letter[other]
        self.tables[here][mine], self.tables[there][theirs] = other, one
        self._table[one], self._table[other] = there, here
        self._letter[one], self._letter[other] = theirs, mine
        for loads, row in zip(self._loads, self._costs, strict=True):
            moved = row[other] - row[one]
            loads[here] += moved
            loads[there] -= moved


def count_meetings(rounds: Sequence[DrawnRound]) -> Mapping[int, int]:
    """How many pairs met how often over the rounds: `{1: 540}` where nobody met twice."""
    return dict(sorted(Counter(len(met) for met in _meeting_rounds(rounds).values()).items()))
