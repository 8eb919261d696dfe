"""Tables merged when the doors close: who moves where, so that every table that is played at has an allowed size (R13).

As small as can be, in this order: pairs of one family at one table; people moved; tables of a size that is not the
first of the sizes; pairs of one school at one table. Or the third before the second. The plan is exact: see
`scoring.merging_search`. It depends on no order of the input.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.merging_hall import FAMILIES, MOVES, SCHOOLS, SIZES, Hall, PersonKind
from scoring.merging_search import settle_hall
from scoring.problems import Refusal
from scoring.seating import Sitter, fewest_pairs

MergePreference = Literal["moves", "sizes"]
MERGE_ORDERS: Mapping[MergePreference, tuple[int, int, int, int]] = {
    "moves": (FAMILIES, MOVES, SIZES, SCHOOLS),
    "sizes": (FAMILIES, SIZES, MOVES, SCHOOLS),
}
MergeImpossible = Literal["too_few", "locked"]
TOO_FEW: MergeImpossible = "too_few"
LOCKED: MergeImpossible = "locked"


@dataclass(frozen=True, slots=True)
class AttendedTable:
    """A table by its number and who is there. Locked: it keeps its people and takes nobody."""

    number: int
    sitters: tuple[Sitter, ...]
    locked: bool = False


@dataclass(frozen=True, slots=True)
class EntrantMove:
    """One entrant from one table to another, by their numbers."""

    id: str
    origin: int
    destination: int


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Who moves, by table left, then id; the size of each table in use; the pairs that share a table all the same.

    `proven`: no plan is better by the four criteria. A hall for which the proof would take too long has a good plan.
    """

    moves: tuple[EntrantMove, ...]
    sizes: Mapping[int, int]
    families_together: int
    schools_together: int
    proven: bool = True


def merge_tables(
    tables: Iterable[AttendedTable], allowed_sizes: Sequence[int], prefer: MergePreference = "moves"
) -> MergePlan | MergeImpossible:
    """Merge what is too small or too large. Refused: a table or an id given twice.

    `too_few`: so many tables of these sizes do not hold exactly these people. `locked`: they would, without the locks.
    """
    hall_tables = _in_order(tables)
    sizes = tuple(dict.fromkeys(allowed_sizes))
    if not _hall_of(hall_tables, sizes).can_seat():
        return TOO_FEW
    locked = [table for table in hall_tables if table.locked]
    free = [table for table in hall_tables if not table.locked]
    hall = _hall_of(free, sizes)
    if any(len(table.sitters) not in (0, *sizes) for table in locked) or not hall.can_seat():
        return LOCKED
    settled = settle_hall(hall, MERGE_ORDERS[prefer])
    moves = _moves_of_plan(free, _kinds_of(free), [[hall.kinds[kind] for kind in kinds] for kinds in settled.tables])
    seated = _after_moves(hall_tables, moves)
    return MergePlan(
        moves,
        {number: len(sitters) for number, sitters in seated.items() if sitters},
        sum(_pairs_sharing(sitter.family for sitter in sitters) for sitters in seated.values()),
        sum(_pairs_sharing(sitter.school for sitter in sitters) for sitters in seated.values()),
        settled.proven,
    )


def _in_order(tables: Iterable[AttendedTable]) -> list[AttendedTable]:
    ordered = [
        AttendedTable(table.number, tuple(sorted(table.sitters, key=lambda sitter: sitter.id)), table.locked)
        for table in sorted(tables, key=lambda table: table.number)
    ]
    for number, many in Counter(table.number for table in ordered).items():
        if many > 1:
            raise Refusal("tables", f"{number} stands there twice")
    for id, many in Counter(sitter.id for table in ordered for sitter in table.sitters).items():
        if many > 1:
            raise Refusal("tables", f"{id} stands there twice")
    return ordered


def _kinds_of(tables: Sequence[AttendedTable]) -> dict[str, PersonKind]:
    """The kind of each by id; whoever shares a family or school with nobody here has none."""
    families = Counter(sitter.family for table in tables for sitter in table.sitters)
    schools = Counter(sitter.school for table in tables for sitter in table.sitters)
    return {
        sitter.id: PersonKind(
            sitter.family if sitter.family and families[sitter.family] > 1 else None,
            sitter.school if sitter.school and schools[sitter.school] > 1 else None,
        )
        for table in tables
        for sitter in table.sitters
    }


def _hall_of(tables: Sequence[AttendedTable], sizes: tuple[int, ...]) -> Hall:
    kind_of = _kinds_of(tables)
    kinds = tuple(sorted(set(kind_of.values()), key=PersonKind.sort_key))
    counts = [Counter(kind_of[sitter.id] for sitter in table.sitters) for table in tables]
    return Hall(kinds, tuple(tuple(count[kind] for kind in kinds) for count in counts), sizes)


def _moves_of_plan(
    tables: Sequence[AttendedTable], kind_of: Mapping[str, PersonKind], plan: Sequence[Sequence[PersonKind]]
) -> tuple[EntrantMove, ...]:
    """People for kinds: at each table the first by id stay, the others go in order where their kind is wanted."""
    leaving: dict[PersonKind, deque[tuple[int, str]]] = defaultdict(deque)
    wanted = [Counter(kinds) for kinds in plan]
    for table, count in zip(tables, wanted, strict=True):
        for sitter in table.sitters:
            kind = kind_of[sitter.id]
            if count[kind]:
                count[kind] -= 1
            else:
                leaving[kind].append((table.number, sitter.id))
    moves = []
    for table, count in zip(tables, wanted, strict=True):
        for kind in sorted(count.elements(), key=PersonKind.sort_key):
            origin, id = leaving[kind].popleft()
            moves.append(EntrantMove(id, origin, table.number))
    return tuple(sorted(moves, key=lambda move: (move.origin, move.id)))


def _after_moves(tables: Sequence[AttendedTable], moves: Sequence[EntrantMove]) -> dict[int, list[Sitter]]:
    destination = {move.id: move.destination for move in moves}
    seated: dict[int, list[Sitter]] = {table.number: [] for table in tables}
    for table in tables:
        for sitter in table.sitters:
            seated[destination.get(sitter.id, table.number)].append(sitter)
    return seated


def _pairs_sharing(names: Iterable[str | None]) -> int:
    return sum(fewest_pairs(many, 1) for many in Counter(name for name in names if name).values())
