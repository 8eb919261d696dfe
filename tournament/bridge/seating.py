"""Entrants and seats as the rules take them, and what the rules answer as rows keep it (R7, R8, R13, R40)."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scoring import redraw
from scoring import seating as rules
from scoring.letters import most_at_one_letter
from scoring.problems import Refusal
from tournament.models import Entrant, Seat, Table

Together = dict[str, Any]
# Families, letters had too often, meetings, schools: how much a seat does not keep, the worse first.
Cost = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Basis:
    """All that a draw is made from, beside its seed: who sits, and in a stage of rounds how the earlier ones sat.

    `rounds`: of the whole stage; 1: a session that knows no other.
    """

    sitters: tuple[rules.Sitter, ...]
    earlier: tuple[tuple[rules.PlannedTable, ...], ...] = ()
    rounds: int = 1

    @property
    def has_rounds(self) -> bool:
        """Whether this is a round of several (R38)."""
        return self.rounds > 1


def sitter(entrant: Entrant) -> rules.Sitter:
    """One entrant to be seated, by number; the family by its code and the school folded, the same on every machine."""
    return rules.Sitter(
        id=identity(entrant.number),
        family=entrant.family.code if entrant.family else None,
        school=school_key(entrant.person.school) or None,
    )


def identity(number: int) -> str:
    """An entrant's number as the draw sorts it."""
    return f"{number:04d}"


def school_key(school: str) -> str:
    """Two spellings of one school that differ in width, case or spaces alone are one."""
    return "".join(unicodedata.normalize("NFKC", school).casefold().split())


def basis(entrants: Iterable[Entrant], earlier: Iterable[Sequence[Seat]] = (), rounds: int = 1) -> Basis:
    """What a draw of these is made from; `earlier`: the seats of each round before, as they were sat in."""
    return Basis(
        tuple(sitter(entrant) for entrant in entrants),
        tuple(
            tables_at({seat.entrant.number: (seat.table.number, seat.letter) for seat in seats}) for seats in earlier
        ),
        rounds,
    )


def plan(basis: Basis, seed: int) -> tuple[rules.PlannedTable, ...]:
    """Draw the seats; a round of several with regard to those before. `scoring.problems.Refusal` for 1, 2 or 5."""
    if basis.has_rounds:
        return redraw.redraw(basis.sitters, basis.earlier, seed, basis.rounds).tables
    return rules.draw(basis.sitters, seed).tables


def tables_at(places: Mapping[int, tuple[int, str]]) -> tuple[rules.PlannedTable, ...]:
    """Places (table, letter) by entrant number as the arrangement that `review` reads, by table and letter."""
    found: dict[int, dict[str, str]] = {}
    for number, (table, letter) in places.items():
        found.setdefault(table, {})[letter] = identity(number)
    return tuple(rules.PlannedTable(number, dict(sorted(found[number].items()))) for number in sorted(found))


def review(basis: Basis, tables: Iterable[rules.PlannedTable]) -> list[Together]:
    """What an arrangement does not keep, as `Draw.could_not` stores it: families first."""
    seated = tuple(tables)
    if not basis.has_rounds:
        return [_together(one) for one in rules.review(seated, basis.sitters)]
    at = {(table.number, id): letter for table in seated for letter, id in table.seats.items()}
    found = redraw.review_round(seated, basis.sitters, basis.earlier, basis.rounds)
    return [_together(one) | _before(one, at) for one in found]


def _together(one: rules.NotKept | redraw.NotAvoided) -> Together:
    return {"kind": one.kind, "ids": [int(id) for id in one.ids], "table": one.table}


def _before(one: redraw.NotAvoided, at: Mapping[tuple[int, str], str]) -> Together:
    """The rounds, from 1, in which it was so before; of a letter had too often, which one."""
    said: Together = {"rounds": list(one.rounds)} if one.rounds else {}
    return said | ({"letter": at[one.table, one.ids[0]]} if one.kind == "letter" else {})


@dataclass(frozen=True, slots=True)
class Past:
    """What earlier rounds leave behind: how often each two have met, how often each sat at each letter."""

    met: Mapping[tuple[str, str], int]
    sat: Mapping[tuple[str, str], int]
    most: int


def past_of(basis: Basis) -> Past:
    """Of a session that knows no other: nothing."""
    tables = [table for tables in basis.earlier for table in tables]
    return Past(
        Counter(pair for table in tables for pair in combinations(sorted(table.seats.values()), 2)),
        Counter((id, letter) for table in tables for letter, id in table.seats.items()),
        most_at_one_letter(basis.rounds),
    )


def clashes(past: Past, entrant: Entrant, others: Iterable[Entrant], letter: str) -> Cost:
    """What this entrant at this letter would not keep beside the others."""
    mine, theirs = sitter(entrant), [sitter(other) for other in others]
    return (
        sum(mine.family is not None and one.family == mine.family for one in theirs),
        int(past.sat.get((mine.id, letter), 0) >= past.most),
        sum(past.met.get((min(mine.id, one.id), max(mine.id, one.id)), 0) > 0 for one in theirs),
        sum(mine.school is not None and one.school == mine.school for one in theirs),
    )


def pairs(tables: Iterable[Table]) -> list[list[Table]]:
    """Tables by twos, as one referee watches them (R8)."""
    found: dict[int, list[Table]] = {}
    for table in tables:
        found.setdefault(rules.referee_of(table.number), []).append(table)
    return [found[referee] for referee in sorted(found)]


def referees_needed(tables: int) -> int:
    """One referee for two tables (R8)."""
    return rules.referees_needed(tables)


def can_seat(entrants: int, tables: int) -> bool:
    """Whether so many sit at so many tables of three and four at most (R13)."""
    try:
        return len(rules.table_sizes(entrants)) <= tables
    except Refusal:
        return False
