"""The draw of the seats (R7, R8, R13, R40).

As many tables of four as possible; then as few pairs of one family at a table as can be; then as few
pairs of one school as the search finds. Entrants are sorted by id first and all chance is SHA-256 over
the seed and a counter: the same entrants and seed give the same draw everywhere, in any input order.

Dealing the entrants round the tables, each family in one unbroken stretch, spreads every family as
evenly as it can be spread. That is the least number of pairs for each family apart, hence for all
together, whatever their number and size: the family part is exact, not searched.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal, TypeVar

from scoring.problems import Refusal
from scoring.values import ALL_SEAT_LETTERS

TABLES_PER_REFEREE = 2
USUAL_TABLE_SIZES = (4, 3)
SIZE_NAMES = {2: "two", 3: "three", 4: "four"}
# Enough for a hard session of 100 to settle, and still well under 200 ms.
SEARCH_ROUNDS = 60
SIDEWAYS_ROUNDS = 8

NotKeptKind = Literal["family", "school"]
ChanceItem = TypeVar("ChanceItem")


@dataclass(frozen=True, slots=True)
class Sitter:
    """An entrant to be seated; None (or an empty text) for no family or no school given."""

    id: str
    family: str | None = None
    school: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """One table by number from 1, and its entrants by seat letter, in letter order."""

    number: int
    seats: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NotKept:
    """Entrants of one family or school, by id, who share a table all the same."""

    kind: NotKeptKind
    ids: tuple[str, ...]
    table: int


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """A whole draw. `kept_apart`: no two of a family share a table."""

    tables: tuple[PlannedTable, ...]
    kept_apart: bool
    could_not: tuple[NotKept, ...]


def table_sizes(entrants: int, allowed: Sequence[int] = USUAL_TABLE_SIZES) -> tuple[int, ...]:
    """How many sit at each table: as many of the first of the sizes allowed as possible, then of the second, and so on
    (R13). Refused: numbers that they do not add up to, with fours and threes 1, 2 and 5."""
    sizes = _largest_share(entrants, tuple(allowed))
    if sizes is None:
        names = " and ".join(SIZE_NAMES[size] for size in sorted(allowed))
        raise Refusal("entrants", f"{entrants} cannot be seated at tables of {names}")
    return sizes


def _largest_share(entrants: int, allowed: tuple[int, ...]) -> tuple[int, ...] | None:
    if not allowed:
        return () if entrants == 0 else None
    size, *others = allowed
    for count in range(entrants // size, -1, -1):
        rest = _largest_share(entrants - count * size, tuple(others))
        if rest is not None:
            return (size,) * count + rest
    return None


def referees_needed(tables: int) -> int:
    """One referee for two tables, the last may have one alone (R8)."""
    return -(-tables // TABLES_PER_REFEREE)


def referee_index(table_number: int) -> int:
    """The 0-based referee of a table numbered from 1: tables 1 and 2 have the first (R8)."""
    return (table_number - 1) // TABLES_PER_REFEREE


def draw_tables(sitters: Iterable[Sitter], seed: int, allowed_sizes: Sequence[int] = USUAL_TABLE_SIZES) -> SeatingPlan:
    """Draw tables and seats. Refused: a number that the sizes do not add up to (1, 2 or 5 of fours and threes), an id
    given twice. No entrants: no tables."""
    entrants = sorted(sitters, key=lambda sitter: sitter.id)
    for before, after in pairwise(entrants):
        if before.id == after.id:
            raise Refusal("entrants", f"{after.id} stands there twice")
    sizes = table_sizes(len(entrants), allowed_sizes)
    chance = Chance(seed)
    floor = _SeatingSearch(_deal_tables(entrants, sizes, chance))
    floor.part_schools(chance)
    tables = tuple(
        PlannedTable(
            number, dict(zip(ALL_SEAT_LETTERS, chance.shuffled([sitter.id for sitter in table]), strict=False))
        )
        for number, table in enumerate(floor.tables, start=1)
    )
    could_not = arrangement_faults(tables, entrants)
    return SeatingPlan(tables, not any(one.kind == "family" for one in could_not), could_not)


def arrangement_faults(tables: Iterable[PlannedTable], sitters: Iterable[Sitter]) -> tuple[NotKept, ...]:
    """What an arrangement does not keep: families first, each kind by table, then id. Seats of entrants
    not among the sitters count for nothing."""
    known = {sitter.id: sitter for sitter in sitters}
    found: list[NotKept] = []
    for table in tables:
        seated = [known[id] for id in table.seats.values() if id in known]
        found += [NotKept("family", ids, table.number) for ids in _group_by_name((s.family, s.id) for s in seated)]
        found += [NotKept("school", ids, table.number) for ids in _group_by_name((s.school, s.id) for s in seated)]
    return tuple(sorted(found, key=lambda one: (one.kind, one.table, one.ids)))


class Chance:
    """A stream of even chances out of SHA-256 over a seed and a counter: no clock, no machine in it."""

    def __init__(self, seed: int | str) -> None:
        self._seed = seed
        self._counter = 0

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each equally likely (what would tilt is drawn again)."""
        span = 1 << 64
        while True:
            digest = hashlib.sha256(f"{self._seed}:{self._counter}".encode()).digest()
            self._counter += 1
            drawn = int.from_bytes(digest[:8], "big")
            if drawn < span - span % bound:
                return drawn % bound

    def shuffled(self, items: Iterable[ChanceItem]) -> list[ChanceItem]:
        """The items in a drawn order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def _group_by_name(named: Iterable[tuple[str | None, str]]) -> list[tuple[str, ...]]:
    groups = groupby(sorted((name, id) for name, id in named if name), key=lambda pair: pair[0])
    members = (tuple(id for _, id in group) for _, group in groups)
    return [ids for ids in members if len(ids) > 1]


def _deal_tables(entrants: Sequence[Sitter], sizes: tuple[int, ...], chance: Chance) -> list[list[Sitter]]:
    """Families in stretches, then the others with schools in stretches, dealt round the tables."""
    stretches: dict[tuple[str, str], list[Sitter]] = {}
    for sitter in chance.shuffled(entrants):
        key = ("family", sitter.family) if sitter.family else ("school", sitter.school or "")
        stretches.setdefault(key, []).append(sitter)
    keys = chance.shuffled(sorted(stretches))
    keys.sort(key=lambda key: key[0])
    order = [sitter for key in keys for sitter in stretches[key]]
    # Dealt round, the first tables are the largest; drawn numbers keep the smaller ones last.
    largest = sizes.count(max(sizes, default=0))
    columns = chance.shuffled(range(largest)) + chance.shuffled(range(largest, len(sizes)))
    seats = (column for row in range(max(sizes, default=0)) for column in columns if sizes[column] > row)
    tables: list[list[Sitter]] = [[] for _ in sizes]
    for column, sitter in zip(seats, order, strict=True):
        tables[column].append(sitter)
    return tables


def fewest_pairs(count: int, tables: int) -> int:
    """Pairs that remain when so many of one name are spread as evenly as can be."""
    each, over = divmod(count, tables)
    return tables * (each * (each - 1) // 2) + over * each


class _SeatingSearch:
    """Seated tables under a search that exchanges two entrants at a time.

    No exchange may add a pair of one family, so their least number stays; among those the number of
    pairs of one school only falls, or stays for a few rounds to get off a plateau."""

    def __init__(self, tables: list[list[Sitter]]) -> None:
        self.tables = tables
        self._families = [Counter(s.family for s in table if s.family) for table in tables]
        self._schools = [Counter(s.school for s in table if s.school) for table in tables]

    def part_schools(self, chance: Chance) -> None:
        """Exchange entrants until no school can be parted further or the rounds are spent."""
        least = self._least_school_pairs()
        pairs, idle = self._school_pairs(), 0
        for _ in range(SEARCH_ROUNDS):
            if pairs <= least or idle > SIDEWAYS_ROUNDS:
                return
            gained = self._round(chance)
            idle = 0 if gained else idle + 1
            pairs -= gained

    def _round(self, chance: Chance) -> int:
        """Move each entrant who shares a table with a schoolmate once, by the best exchange; how many
        pairs were parted."""
        parted = 0
        crowded = [(t, p) for t, table in enumerate(self.tables) for p in range(len(table)) if self._is_crowded(t, p)]
        for table, place in chance.shuffled(crowded):
            if self._is_crowded(table, place):
                parted += self._best_exchange(table, place, chance)
        return parted

    def _is_crowded(self, table: int, place: int) -> bool:
        school = self.tables[table][place].school
        return school is not None and self._schools[table][school] > 1

    def _best_exchange(self, table: int, place: int, chance: Chance) -> int:
        best = 0
        choices: list[tuple[int, int]] = []
        for other, seated in enumerate(self.tables):
            if other == table:
                continue
            for spot in range(len(seated)):
                change = self._change(table, place, other, spot)
                if change is None or change > best:
                    continue
                if change < best:
                    best, choices = change, []
                choices.append((other, spot))
        if choices:
            self._exchange(table, place, *choices[chance.below(len(choices))])
        return -best

    def _change(self, table: int, place: int, other: int, spot: int) -> int | None:
        """How the number of school pairs would change; None where a pair of a family would be added."""
        one, two = self.tables[table][place], self.tables[other][spot]
        if one.family != two.family and _pairs_added_by_move(self._families, one.family, two.family, table, other) > 0:
            return None
        if one.school == two.school:
            return 0
        return _pairs_added_by_move(self._schools, one.school, two.school, table, other)

    def _exchange(self, table: int, place: int, other: int, spot: int) -> None:
        one, two = self.tables[table][place], self.tables[other][spot]
        self.tables[table][place], self.tables[other][spot] = two, one
        for counts, mine, theirs in (
            (self._families, one.family, two.family),
            (self._schools, one.school, two.school),
        ):
            if mine:
                counts[table][mine] -= 1
                counts[other][mine] += 1
            if theirs:
                counts[other][theirs] -= 1
                counts[table][theirs] += 1

    def _school_pairs(self) -> int:
        return sum(count * (count - 1) // 2 for table in self._schools for count in table.values())

    def _least_school_pairs(self) -> int:
        total: Counter[str] = Counter()
        for table in self._schools:
            total.update(table)
        return sum(fewest_pairs(count, len(self.tables)) for count in total.values())


def _pairs_added_by_move(
    counts: list[Counter[str]], mine: str | None, theirs: str | None, here: int, there: int
) -> int:
    """Pairs added by moving one name from here to there and another, different one back."""
    added = 0
    if mine:
        added += counts[there][mine] - (counts[here][mine] - 1)
    if theirs:
        added += counts[here][theirs] - (counts[there][theirs] - 1)
    return added
