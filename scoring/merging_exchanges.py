"""Arrangements made cheaper by exchanges: of two people, of three, or of one who is brought from another table.

What is found is good and never proven: `scoring.merging_search` says when nothing is better.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.merging_hall import MOVES, HallCosts, TableKinds, with_one, without

# Of the promising first steps of an exchange of three so many are followed, the best first.
MAX_FIRST_STEPS = 300


class _Seated(NamedTuple):
    """Somebody of a kind at a table."""

    table: int
    kind: int


class _FoundExchange(NamedTuple):
    """By how much the hall gets dearer, and who leaves and who joins which table."""

    change: int
    leave: tuple[_Seated, ...]
    join: tuple[_Seated, ...]


def settle_plan(costs: HallCosts, wanted: Sequence[TableKinds], target: int) -> list[TableKinds]:
    """An arrangement near to what each table wants, of the same sizes, everybody seated once; then exchanges until none
    helps or the target is reached."""
    return _Exchanges(costs, _seat_everybody(costs, wanted)).improve(target)


def _seat_everybody(costs: HallCosts, wanted: Sequence[TableKinds]) -> list[TableKinds]:
    left = list(costs.hall.supply)
    plan: list[TableKinds] = [() for _ in wanted]
    # Who stays comes first.
    for arriving in (False, True):
        for table, kinds in enumerate(wanted):
            for kind in sorted(set(kinds)):
                many = kinds.count(kind)
                staying = min(many, costs.hall.seated[table][kind])
                taken = min(left[kind], many - staying if arriving else staying)
                left[kind] -= taken
                plan[table] += (kind,) * taken
    plan = [tuple(sorted(kinds)) for kinds in plan]
    for kind, many in enumerate(left):
        for _ in range(many):
            free = [table for table, kinds in enumerate(wanted) if len(plan[table]) < len(kinds)]
            table = min(free, key=lambda table: _cost_of_joining(costs, plan, table, kind))
            plan[table] = with_one(plan[table], kind)
    return plan


def _cost_of_joining(costs: HallCosts, plan: Sequence[TableKinds], table: int, kind: int) -> int:
    return costs.of_table(table, with_one(plan[table], kind)) - costs.of_table(table, plan[table])


class _Exchanges:
    """An arrangement with what it costs each kind to join each table, and those there to leave it, sizes aside.

    Where one leaves and another joins, both changes add up but for what the two would have cost as a pair.
    """

    def __init__(self, costs: HallCosts, plan: list[TableKinds]) -> None:
        self._costs = costs
        self._pairs = costs.pair_costs
        self._plan = plan
        self._join: list[list[int]] = [[] for _ in plan]
        self._leave: list[dict[int, int]] = [{} for _ in plan]
        for table in range(len(plan)):
            self._count_changes(table)

    def improve(self, target: int) -> list[TableKinds]:
        total = self._costs.total(self._plan)
        while total > target:
            found = self._best_of_two() or self._first_of_three()
            if found is None:
                break
            total += found.change
            for one in found.leave:
                self._plan[one.table] = without(self._plan[one.table], one.kind)
            for one in found.join:
                self._plan[one.table] = with_one(self._plan[one.table], one.kind)
            for table in {one.table for one in (*found.leave, *found.join)}:
                self._count_changes(table)
        return self._plan

    def _count_changes(self, table: int) -> None:
        kinds, seated = self._plan[table], self._costs.hall.seated[table]
        moved, pairs = self._costs.weights[MOVES], self._pairs
        summed = [sum(column) for column in zip(*(pairs[kind] for kind in kinds), strict=True)] or [0] * len(seated)
        here = {kind: kinds.count(kind) for kind in kinds}
        self._join[table] = [
            cost + moved * (here.get(kind, 0) >= seated[kind]) for kind, cost in enumerate(summed)
        ]  # fmt: skip
        self._leave[table] = {
            kind: pairs[kind][kind] - summed[kind] - moved * (many > seated[kind]) for kind, many in here.items()
        }

    def _size_change(self, table: int, more: int) -> int | None:
        """What one more or one fewer costs for the size alone; None where the size is not allowed."""
        before = len(self._plan[table])
        after = before + more
        if after and after not in self._costs.hall.sizes:
            return None
        return self._costs.size_cost(after) - self._costs.size_cost(before)

    def _best_of_two(self) -> _FoundExchange | None:
        best: _FoundExchange | None = None
        for one in self._who_costs():
            for found in self._exchanges_with(one, best.change if best else 0):
                best = found
        return best

    def _who_costs(self) -> Iterator[_Seated]:
        for table, leaving in enumerate(self._leave):
            for kind, change in leaving.items():
                if change:
                    yield _Seated(table, kind)

    def _exchanges_with(self, one: _Seated, best: int) -> Iterator[_FoundExchange]:
        """What one may do with another, or by going alone: each better than the one before."""
        leave, join = self._leave[one.table][one.kind], self._join[one.table]
        row = self._pairs[one.kind]
        fewer = self._size_change(one.table, -1)
        for table, leaving in enumerate(self._leave):
            if table == one.table:
                continue
            there = _Seated(table, one.kind)
            gone = leave + self._join[table][one.kind]
            more = self._size_change(table, 1) if fewer is not None else None
            if fewer is not None and more is not None and gone + fewer + more < best:
                best = gone + fewer + more
                yield _FoundExchange(best, (one,), (there,))
            for kind, change in leaving.items():
                both = gone + change + join[kind] - 2 * row[kind]
                if both < best:
                    best = both
                    other = _Seated(table, kind)
                    yield _FoundExchange(best, (one, other), (there, _Seated(one.table, kind)))

    def _first_of_three(self) -> _FoundExchange | None:
        """A takes the place of B, B that of C, C that of A. Every such circle that pays begins, somewhere, with a step
        that pays."""
        steps = sorted(
            (change, one, other)
            for table, leaving in enumerate(self._leave)
            for kind in leaving
            for one in [_Seated(table, kind)]
            for change, other in self._steps_from(one, ())
            if change < 0
        )
        for first, one, other in steps[:MAX_FIRST_STEPS]:
            back, row = self._join[one.table], self._pairs[one.kind]
            begun = first + self._leave[one.table][one.kind]
            for change, third in self._steps_from(other, (one.table,)):
                whole = begun + change + back[third.kind] - row[third.kind]
                if whole < 0:
                    joined = (
                        _Seated(other.table, one.kind),
                        _Seated(third.table, other.kind),
                        _Seated(one.table, third.kind),
                    )
                    return _FoundExchange(whole, (one, other, third), joined)
        return None

    def _steps_from(self, one: _Seated, never: tuple[int, ...]) -> Iterator[tuple[int, _Seated]]:
        """Whose place somebody may take, and what that costs there."""
        row = self._pairs[one.kind]
        for table, leaving in enumerate(self._leave):
            if table != one.table and table not in never:
                join = self._join[table][one.kind]
                for kind, change in leaving.items():
                    yield join + change - row[kind], _Seated(table, kind)
