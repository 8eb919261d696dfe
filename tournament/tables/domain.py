"""Entrants and seats as the rules take them, and what the rules answer as rows keep it (R7, R8, R13, R40)."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scoring import redraw
from scoring import seating as rules
from scoring.problems import Refusal
from scoring.seat_balancing import max_visits_per_letter
from tournament.entrants.models.people import Entrant
from tournament.tables.models import Seat, Table

NotKeptRecord = dict[str, Any]
# Families, letters had too often, meetings, schools: how much a seat does not keep, the worse first.
SeatClashCost = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class DrawBasis:
    """All that a draw is made from, beside its seed: who sits, and in a stage of rounds how the earlier ones sat.

    `rounds`: of the whole stage; 1: a session that knows no other. `sizes`: of tables, as the ruleset allows them.
    """

    sitters: tuple[rules.Sitter, ...]
    earlier: tuple[tuple[rules.PlannedTable, ...], ...] = ()
    rounds: int = 1
    sizes: tuple[int, ...] = rules.USUAL_TABLE_SIZES

    @property
    def has_rounds(self) -> bool:
        """Whether this is a round of several (R38)."""
        return self.rounds > 1


def sitter_of_entrant(entrant: Entrant) -> rules.Sitter:
    """One entrant to be seated, by number; the family by its code and the school folded, the same on every machine."""
    return rules.Sitter(
        id=entrant_draw_id(entrant.number),
        family=entrant.family.code if entrant.family else None,
        school=school_key(entrant.person.school) or None,
    )


def entrant_draw_id(number: int) -> str:
    """An entrant's number as the draw sorts it."""
    return f"{number:04d}"


def school_key(school: str) -> str:
    """Two spellings of one school that differ in width, case or spaces alone are one."""
    return "".join(unicodedata.normalize("NFKC", school).casefold().split())


def draw_basis_of(
    entrants: Iterable[Entrant],
    earlier: Iterable[Sequence[Seat]] = (),
    rounds: int = 1,
    sizes: tuple[int, ...] = rules.USUAL_TABLE_SIZES,
) -> DrawBasis:
    """What a draw of these is made from; `earlier`: the seats of each round before, as they were sat in."""
    return DrawBasis(
        tuple(sitter_of_entrant(entrant) for entrant in entrants),
        tuple(
            tables_from_places({seat.entrant.number: (seat.table.number, seat.letter) for seat in seats})
            for seats in earlier
        ),
        rounds,
        sizes,
    )


def plan_tables(basis: DrawBasis, seed: int) -> tuple[rules.PlannedTable, ...]:
    """Draw the seats; a round of several with regard to those before. `scoring.problems.Refusal` for a
    number that the sizes do not add up to."""
    if basis.has_rounds:
        return redraw.draw_next_round(basis.sitters, basis.earlier, seed, basis.rounds, basis.sizes).tables
    return rules.draw_tables(basis.sitters, seed, basis.sizes).tables


def tables_from_places(places: Mapping[int, tuple[int, str]]) -> tuple[rules.PlannedTable, ...]:
    """Places (table, letter) by entrant number as the arrangement that `review` reads, by table and letter."""
    found: dict[int, dict[str, str]] = {}
    for number, (table, letter) in places.items():
        found.setdefault(table, {})[letter] = entrant_draw_id(number)
    return tuple(rules.PlannedTable(number, dict(sorted(found[number].items()))) for number in sorted(found))


def review_tables(basis: DrawBasis, tables: Iterable[rules.PlannedTable]) -> list[NotKeptRecord]:
    """What an arrangement does not keep, as `Draw.could_not` stores it: families first."""
    seated = tuple(tables)
    if not basis.has_rounds:
        return [_not_kept_record(one) for one in rules.arrangement_faults(seated, basis.sitters)]
    at = {(table.number, id): letter for table in seated for letter, id in table.seats.items()}
    found = redraw.review_round(seated, basis.sitters, basis.earlier, basis.rounds)
    return [_not_kept_record(one) | _not_avoided_record(one, at) for one in found]


def _not_kept_record(one: rules.NotKept | redraw.NotAvoided) -> NotKeptRecord:
    return {"kind": one.kind, "ids": [int(id) for id in one.ids], "table": one.table}


def _not_avoided_record(one: redraw.NotAvoided, at: Mapping[tuple[int, str], str]) -> NotKeptRecord:
    """The rounds, from 1, in which it was so before; of a letter had too often, which one."""
    said: NotKeptRecord = {"rounds": list(one.rounds)} if one.rounds else {}
    return said | ({"letter": at[one.table, one.ids[0]]} if one.kind == "letter" else {})


@dataclass(frozen=True, slots=True)
class EarlierRounds:
    """What earlier rounds leave behind: how often each two have met, how often each sat at each letter."""

    met: Mapping[tuple[str, str], int]
    sat: Mapping[tuple[str, str], int]
    most: int


def earlier_rounds_of(basis: DrawBasis) -> EarlierRounds:
    """Of a session that knows no other: nothing."""
    tables = [table for tables in basis.earlier for table in tables]
    return EarlierRounds(
        Counter(pair for table in tables for pair in combinations(sorted(table.seats.values()), 2)),
        Counter((id, letter) for table in tables for letter, id in table.seats.items()),
        max_visits_per_letter(basis.rounds),
    )


def seat_clash_cost(past: EarlierRounds, entrant: Entrant, others: Iterable[Entrant], letter: str) -> SeatClashCost:
    """What this entrant at this letter would not keep beside the others."""
    mine, theirs = sitter_of_entrant(entrant), [sitter_of_entrant(other) for other in others]
    return (
        sum(mine.family is not None and one.family == mine.family for one in theirs),
        int(past.sat.get((mine.id, letter), 0) >= past.most),
        sum(past.met.get((min(mine.id, one.id), max(mine.id, one.id)), 0) > 0 for one in theirs),
        sum(mine.school is not None and one.school == mine.school for one in theirs),
    )


def tables_by_referee_pair(tables: Iterable[Table]) -> list[list[Table]]:
    """Tables by twos, as one referee watches them (R8)."""
    found: dict[int, list[Table]] = {}
    for table in tables:
        found.setdefault(rules.referee_index(table.number), []).append(table)
    return [found[referee] for referee in sorted(found)]


def referees_for_tables(tables: int) -> int:
    """One referee for two tables (R8)."""
    return rules.referees_needed(tables)


def tables_of_other_sizes(held: Mapping[int, int], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Each number at a table that is not the one the rules prefer (R13), with how many tables have it, larger first."""
    return sorted(((size, count) for size, count in held.items() if size and size != sizes[0]), reverse=True)


def can_seat(entrants: int, tables: int, sizes: Sequence[int]) -> bool:
    """Whether so many sit at so many tables of these sizes at most (R13)."""
    try:
        return len(rules.table_sizes(entrants, sizes)) <= tables
    except Refusal:
        return False
