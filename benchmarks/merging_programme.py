"""The baseline of merging tables: halls as they may be when the doors close, and the best plan by an integer programme.

HiGHS is asked for one criterion after the other, those before it held at what it has found. A column says how many of
one family and school sit at a table; pairs are the least above their chords, which is exact for whole numbers.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import highspy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.merging import AttendedTable
from scoring.seating import Sitter

SEATS = 4
HALL_TABLES = 25
Names = tuple[str, str]


class HallShape(NamedTuple):
    """What a random hall is like: who comes, how many families and schools there are, whether families were apart."""

    present: tuple[float, float]
    families: int
    in_family: float
    schools: int
    in_school: float = 0.9
    apart: bool = True
    large_families: int = 0
    locked: float = 0.0
    empty_tables: int = 0
    overfull: int = 0


SHAPES = {
    "nearly all there": HallShape((0.93, 1.0), 15, 0.3, 30),
    "a table of two in a full session": HallShape((1.0, 1.0), 15, 0.3, 30),
    "many absent": HallShape((0.6, 0.9), 20, 0.4, 24),
    "half of them absent": HallShape((0.3, 0.6), 20, 0.4, 24),
    "large families": HallShape((0.6, 1.0), 10, 0.3, 20, large_families=4),
    "one school for everybody": HallShape((0.6, 1.0), 15, 0.3, 1, in_school=1.0),
    "few schools": HallShape((0.8, 1.0), 15, 0.3, 6),
    "locked tables": HallShape((0.7, 0.95), 15, 0.3, 24, locked=0.2),
    "families together at first": HallShape((0.7, 1.0), 20, 0.5, 20, apart=False),
    "empty and overfull tables": HallShape((0.6, 0.9), 15, 0.3, 24, empty_tables=3, overfull=3),
    "nobody has a family or school": HallShape((0.4, 1.0), 1, 0.0, 1, in_school=0.0),
}


def random_halls(seed: int, count: int, tables: int = HALL_TABLES) -> Iterator[tuple[str, list[AttendedTable]]]:
    """So many halls of so many tables, the shapes in turn."""
    for number in range(count):
        name = list(SHAPES)[number % len(SHAPES)]
        dice = random.Random(f"{seed} {number}")
        hall = random_hall(dice, SHAPES[name], tables)
        if name == "a table of two in a full session":
            last = dice.randrange(len(hall))
            hall[last] = AttendedTable(last + 1, hall[last].sitters[:2])
        yield name, hall


def random_hall(dice: random.Random, shape: HallShape, tables: int) -> list[AttendedTable]:
    """One hall, its tables by number; who is absent is not in it."""
    sitters = [
        Sitter(
            f"{number:04}",
            f"F{dice.randrange(shape.families)}" if dice.random() < shape.in_family else None,
            f"S{dice.randrange(shape.schools)}" if dice.random() < shape.in_school else None,
        )
        for number in range(SEATS * tables)
    ]
    for large in range(shape.large_families):
        for place in dice.sample(range(len(sitters)), min(len(sitters), dice.randint(6, 9))):
            sitters[place] = Sitter(sitters[place].id, f"L{large}", sitters[place].school)
    if shape.apart:
        sitters.sort(key=lambda sitter: (sitter.family or "", dice.random()))
    seated = [sitters[table::tables] if shape.apart else sitters[SEATS * table :][:SEATS] for table in range(tables)]
    share = dice.uniform(*shape.present)
    there = [[sitter for sitter in table if dice.random() < share] for table in seated]
    for _ in range(shape.overfull):
        place = dice.randrange(tables - 1)
        there[place], there[-1] = there[place] + there[-1], []
        dice.shuffle(there)
    there += [[] for _ in range(shape.empty_tables)]
    return [
        AttendedTable(number, tuple(table), dice.random() < shape.locked and len(table) in (0, 3, 4))
        for number, table in enumerate(there, start=1)
    ]


class MergeProgramme:
    """The integer programme of one hall under some sizes."""

    def __init__(self, tables: Sequence[AttendedTable], sizes: Sequence[int]) -> None:
        self._tables, self._sizes = tables, sizes
        self._solver = highspy.Highs()
        self._solver.setOptionValue("output_flag", False)
        self._solver.setOptionValue("threads", 1)
        self._solver.setOptionValue("mip_rel_gap", 0.0)
        self._solver.setOptionValue("mip_abs_gap", 0.5)
        self._kinds = sorted({_names(sitter) for table in tables for sitter in table.sitters})
        self._before = [Counter(_names(sitter) for sitter in table.sitters) for table in tables]
        self._criteria = self._build()

    def least(self, order: Sequence[int]) -> tuple[int, ...]:
        """Pairs of a family, people moved, tables of another size than the first, pairs of a school: the least by this
        order of the four."""
        found = [0] * len(self._criteria)
        for criterion in order:
            expression, constant = self._criteria[criterion]
            self._solver.minimize(expression)
            found[criterion] = round(self._solver.getInfo().objective_function_value)
            self._solver.addConstr(expression <= found[criterion])
            found[criterion] += constant
        return tuple(found)

    def _build(self) -> list[tuple[highspy.highs.highs_linear_expression, int]]:
        solver = self._solver
        people = sum(count.total() for count in self._before)
        families, stays, others, schools = (solver.expr() for _ in range(4))
        columns: dict[Names, list[highspy.highs.highs_var]] = {kind: [] for kind in self._kinds}
        for table, before in zip(self._tables, self._before, strict=True):
            there = {kind: solver.addIntegral(0, SEATS + before[kind]) for kind in self._kinds}
            for kind, column in there.items():
                columns[kind].append(column)
                if table.locked:
                    solver.addConstr(column == before[kind])
                if before[kind]:
                    stay = solver.addVariable(0, before[kind])
                    solver.addConstr(stay <= column)
                    stays += stay
            used = [solver.addBinary() for _ in self._sizes]
            solver.addConstr(_sum(solver, used) <= 1)
            seats = _sum(solver, there.values())
            solver.addConstr(seats - _weighted(solver, zip(self._sizes, used, strict=True)) == 0)
            for one in used[1:]:
                others += one
            families += self._pairs(there, 0)
            schools += self._pairs(there, 1)
        for kind, across in columns.items():
            solver.addConstr(_sum(solver, across) == sum(before[kind] for before in self._before))
        return [(families, 0), (-1 * stays, people), (others, 0), (schools, 0)]

    def _pairs(self, there: dict[Names, highspy.highs.highs_var], part: int) -> highspy.highs.highs_linear_expression:
        """The pairs of a table that share a family (part 0) or school (part 1)."""
        solver, pairs = self._solver, self._solver.expr()
        for name in sorted({kind[part] for kind in self._kinds if kind[part]}):
            across = [kind for kind in self._kinds if kind[part] == name]
            if sum(before[kind] for before in self._before for kind in across) < 2:
                continue
            together = solver.addVariable(0, SEATS * SEATS)
            alike = _sum(solver, [there[kind] for kind in across])
            for many in range(1, SEATS):
                solver.addConstr(together - many * alike >= -(many * (many + 1) // 2))
            pairs += together
        return pairs


def _names(sitter: Sitter) -> Names:
    return sitter.family or "", sitter.school or ""


def _sum(solver: highspy.Highs, columns: Iterable[highspy.highs.highs_var]) -> highspy.highs.highs_linear_expression:
    return _weighted(solver, ((1, column) for column in columns))


def _weighted(
    solver: highspy.Highs, terms: Iterable[tuple[int, highspy.highs.highs_var]]
) -> highspy.highs.highs_linear_expression:
    expression = solver.expr()
    for factor, column in terms:
        expression += factor * column
    return expression
