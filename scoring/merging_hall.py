"""A hall whose tables are merged, as counts: kinds of people, and what an arrangement costs (R13).

People of one family and school are alike; an arrangement says of which kinds are those at each table. The criteria are
one integer, an earlier one so much dearer that no sum of later ones reaches it. Locked tables are not here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

FAMILIES, MOVES, SIZES, SCHOOLS = range(4)
CriterionWeights = tuple[int, int, int, int]
"""What one more costs: a pair of a family, a person moved, a table not of the first size, a pair of a school."""

TableKinds = tuple[int, ...]
"""Who sits at one table: the kind of each, ascending."""

LARGEST_TABLE = 4


@dataclass(frozen=True, slots=True)
class PersonKind:
    """Family and school, None where nobody else in the hall shares it."""

    family: str | None
    school: str | None

    def sort_key(self) -> tuple[str, str]:
        return (self.family or "", self.school or "")


@dataclass(frozen=True)
class Hall:
    """Who sits where before: a row a table, a column a kind; `sizes` in the ruleset's order."""

    kinds: tuple[PersonKind, ...]
    seated: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]

    @cached_property
    def supply(self) -> tuple[int, ...]:
        """How many there are of each kind."""
        return tuple(sum(column) for column in zip(*self.seated, strict=True)) if self.kinds else ()

    @cached_property
    def people(self) -> int:
        return sum(self.supply)

    def can_seat(self) -> bool:
        """Whether so many tables of these sizes hold exactly the people."""
        reached = {0}
        for _ in self.seated:
            reached |= {people + size for people in reached for size in self.sizes if people + size <= self.people}
        return self.people in reached

    def without_schools(self) -> tuple["Hall", tuple[int, ...]]:
        """The hall as families alone see it, and which of its kinds each kind here has become."""
        families = [replace(kind, school=None) for kind in self.kinds]
        kinds = sorted(set(families), key=PersonKind.sort_key)
        became = tuple(kinds.index(kind) for kind in families)
        seated = [[0] * len(kinds) for _ in self.seated]
        for row, counts in zip(seated, self.seated, strict=True):
            for kind, many in zip(became, counts, strict=True):
                row[kind] += many
        return Hall(tuple(kinds), tuple(map(tuple, seated)), self.sizes), became


class HallCosts:
    """What tables cost under some weights; each asked for once."""

    def __init__(self, hall: Hall, weights: CriterionWeights) -> None:
        self.hall = hall
        self.weights = weights
        families, _moves, _sizes, schools = weights
        self.pair_costs = [
            [
                families * (one.family is not None and one.family == other.family)
                + schools * (one.school is not None and one.school == other.school)
                for other in hall.kinds
            ]
            for one in hall.kinds
        ]
        self._known: list[dict[TableKinds, int]] = [{} for _ in hall.seated]

    def size_cost(self, size: int) -> int:
        return self.weights[SIZES] * (size not in (0, self.hall.sizes[0]))

    def of_table(self, table: int, kinds: TableKinds) -> int:
        """The cost of these people at this table, those moved counted where they arrive."""
        known = self._known[table].get(kinds)
        if known is None:
            known = self._known[table][kinds] = self._count(table, kinds)
        return known

    def _count(self, table: int, kinds: TableKinds) -> int:
        cost = self.size_cost(len(kinds))
        for place, kind in enumerate(kinds):
            row = self.pair_costs[kind]
            cost += sum(row[other] for other in kinds[:place])
        seated = self.hall.seated[table]
        arrived = sum(max(0, kinds.count(kind) - seated[kind]) for kind in set(kinds))
        return cost + self.weights[MOVES] * arrived

    def total(self, plan: Sequence[TableKinds]) -> int:
        return sum(self.of_table(table, kinds) for table, kinds in enumerate(plan))


def without(kinds: TableKinds, kind: int) -> TableKinds:
    """The table when one of this kind has left it; ValueError where none sits there."""
    at = kinds.index(kind)
    return kinds[:at] + kinds[at + 1 :]


def with_one(kinds: TableKinds, kind: int) -> TableKinds:
    """The table when one more of this kind has sat down, in the order of kinds."""
    return tuple(sorted((*kinds, kind)))


def give_schools(hall: Hall, became: Sequence[int], plan: Sequence[TableKinds]) -> list[TableKinds]:
    """A plan of families alone as one of this hall's kinds: nobody moves whom it does not move."""
    wanted = [[kinds.count(kind) for kind in range(max(became, default=-1) + 1)] for kinds in plan]
    given: list[list[int]] = [[] for _ in plan]
    moved = list(hall.supply)
    for table, counts in enumerate(hall.seated):
        for kind, many in enumerate(counts):
            stay = min(many, wanted[table][became[kind]])
            wanted[table][became[kind]] -= stay
            moved[kind] -= stay
            given[table] += [kind] * stay
    for kind, many in enumerate(moved):
        for _ in range(many):
            table = next(table for table, counts in enumerate(wanted) if counts[became[kind]])
            wanted[table][became[kind]] -= 1
            given[table].append(kind)
    return [tuple(sorted(kinds)) for kinds in given]
