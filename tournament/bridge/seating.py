"""Entrants and seats as the rules take them, and what the rules answer as rows keep it (R7, R8, R13, R40)."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from scoring import seating as rules
from scoring.problems import Refusal
from tournament.models import Entrant, Table

Together = dict[str, Any]


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


def plan(entrants: Iterable[Entrant], seed: int) -> rules.SeatingPlan:
    """Draw the seats. `scoring.problems.Refusal` for 1, 2 or 5 entrants."""
    return rules.draw([sitter(entrant) for entrant in entrants], seed)


def tables_at(places: Mapping[int, tuple[int, str]]) -> tuple[rules.PlannedTable, ...]:
    """Places (table, letter) by entrant number as the arrangement that `review` reads, by table and letter."""
    found: dict[int, dict[str, str]] = {}
    for number, (table, letter) in places.items():
        found.setdefault(table, {})[letter] = identity(number)
    return tuple(rules.PlannedTable(number, dict(sorted(found[number].items()))) for number in sorted(found))


def clashes(entrant: Entrant, others: Iterable[Entrant]) -> tuple[int, int]:
    """With how many of the others this entrant shares the family, and with how many the school."""
    mine, theirs = sitter(entrant), [sitter(other) for other in others]
    return (
        sum(mine.family is not None and one.family == mine.family for one in theirs),
        sum(mine.school is not None and one.school == mine.school for one in theirs),
    )


def review(tables: Iterable[rules.PlannedTable], entrants: Iterable[Entrant]) -> list[Together]:
    """What an arrangement does not keep, as `Draw.could_not` stores it."""
    return together(rules.review(tables, [sitter(entrant) for entrant in entrants]))


def together(not_kept: Iterable[rules.NotKept]) -> list[Together]:
    """`[{"kind": "family" | "school", "ids": [entrant numbers], "table": number}]`, families first."""
    return [{"kind": one.kind, "ids": [int(id) for id in one.ids], "table": one.table} for one in not_kept]


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
