"""The award for the best pair of child and parent, by the sum of both members' results (R40).

The sums are compared key by key in the ruleset's `family_order`; what they leave level goes to the better member's
final rank, then to the other's. Whoever is level after that shares the rank: exactly one family is best, or the award
is unresolved. Nothing is ever ordered by id, by the order given, or by which member is which.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from scoring.problems import Refusal
from scoring.ranking import OK, STATUSES, TWELFTHS, Sum, sort_key, sum_of
from scoring.ruleset import Ruleset
from scoring.separation import Separation, Value, compare
from scoring.values import Record, Tally

CHILD = "child"
PARENT = "parent"
ROLES = (CHILD, PARENT)

NOT_CHILD_AND_PARENT = "not_child_and_parent"
NOT_FINALIST = "not_finalist"
NOT_FINISHED = "not_finished"

BETTER_RANK = "better_rank"
OTHER_RANK = "other_rank"
LADDER = (BETTER_RANK, OTHER_RANK)
"""What decides after the sums: the better final rank of the two, then the other's."""


@dataclass(frozen=True, slots=True)
class Member:
    """One of a declared pair: what the final gave, and the rank there; None: no finalist."""

    record: Record | Tally
    role: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Unit:
    """A declared pair: exactly two members, in any order."""

    id: str
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class FamilyStanding:
    """One ranked unit, both members' results summed. `average`: None where no number of games is fixed."""

    id: str
    rank: int
    tied: bool
    wins: int
    points: Fraction
    average: Fraction | None
    tiles: int
    better_rank: int
    other_rank: int


@dataclass(frozen=True, slots=True)
class Out:
    """A unit that cannot have the award: `because` is the first reason that holds."""

    id: str
    because: str


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of the ladder for units still level before it: the `groups` it makes of them, the best first.

    One group alone: the step parted nobody. Ids are by code points within a group.
    """

    step: str
    level: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Award:
    """The award: standings by rank, then id; one `winner`, or those `unresolved` at the first rank, or neither.

    `rungs` are the ladder step by step, those of one step the best units first; `out` is by id.
    """

    standings: tuple[FamilyStanding, ...]
    winner: str | None
    unresolved: tuple[str, ...]
    out: tuple[Out, ...]
    rungs: tuple[Rung, ...]


Key = tuple[int | Fraction, ...]


def award(ruleset: Ruleset, units: Iterable[Unit]) -> Award:
    """Rank the units whose members are a child and a parent who both played the final to its end (R40).

    Raises Refusal, at `units[i]`, for an id given twice, other than two different members, an unknown role or status,
    a rank below 1, or more games than the ruleset has.
    """
    given = tuple(units)
    _check(ruleset, given)
    reasons = {unit.id: _reason(unit) for unit in given}
    out = tuple(Out(id, because) for id, because in sorted(reasons.items()) if because is not None)
    ranked = [unit for unit in given if reasons[unit.id] is None]
    keys = {unit.id: _key(ruleset, unit) for unit in ranked}
    standings = _standings(ruleset, ranked, keys)
    first = tuple(standing.id for standing in standings if standing.rank == 1)
    winner = first[0] if len(first) == 1 else None
    return Award(standings, winner, () if winner is not None else first, out, _rungs(ruleset, keys))


def steps_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Every step in order: the ruleset's keys, then the two ranks."""
    return (*ruleset.family_order, *LADDER)


def separate_units(ruleset: Ruleset, one: FamilyStanding, other: FamilyStanding) -> Separation:
    """Two units compared step by step, exactly, also after one step has decided."""
    return compare(steps_of(ruleset), VALUES, one, other)


def _average(standing: FamilyStanding) -> Fraction:
    return standing.points if standing.average is None else standing.average


VALUES: Mapping[str, Value[FamilyStanding]] = MappingProxyType(
    {
        "wins": (lambda standing: Fraction(standing.wins), 1),
        "average": (_average, 1),
        "total": (lambda standing: standing.points, 1),
        "tiles": (lambda standing: Fraction(standing.tiles), -1),
        BETTER_RANK: (lambda standing: Fraction(standing.better_rank), -1),
        OTHER_RANK: (lambda standing: Fraction(standing.other_rank), -1),
    }
)
"""What each step reads from a unit's standing, and whether more (1) or fewer (-1) is better."""


def _check(ruleset: Ruleset, units: Sequence[Unit]) -> None:
    seen: set[str] = set()
    for place, unit in enumerate(units):
        where = f"units[{place}]"
        if unit.id in seen:
            raise Refusal(f"{where}.id", "is there twice")
        seen.add(unit.id)
        if len(unit.members) != 2:
            raise Refusal(f"{where}.members", "must be two")
        if unit.members[0].record.id == unit.members[1].record.id:
            raise Refusal(f"{where}.members[1].id", "is there twice")
        for number, member in enumerate(unit.members):
            _check_member(ruleset, member, f"{where}.members[{number}]")


def _check_member(ruleset: Ruleset, member: Member, where: str) -> None:
    if member.role not in ROLES:
        raise Refusal(f"{where}.role", f"must be one of {', '.join(ROLES)}")
    if member.rank is not None and member.rank < 1:
        raise Refusal(f"{where}.rank", "must be at least 1")
    if member.record.status not in STATUSES:
        raise Refusal(f"{where}.status", f"must be one of {', '.join(STATUSES)}")
    games = sum_of(ruleset, member.record).games
    if ruleset.games is not None and games > ruleset.games:
        raise Refusal(f"{where}.games", f"{games} are more than the ruleset's {ruleset.games}")


def _reason(unit: Unit) -> str | None:
    """Why the unit is out, the first that holds; of two members who may not be ranked the child's status is told."""
    child, parent = sorted(unit.members, key=lambda member: ROLES.index(member.role))
    if (child.role, parent.role) != ROLES:
        return NOT_CHILD_AND_PARENT
    for member in (child, parent):
        if member.record.status != OK:
            return member.record.status
    if child.rank is None or parent.rank is None:
        return NOT_FINALIST
    if not all(_played(member.record) for member in unit.members):
        return NOT_FINISHED
    return None


def _played(record: Record | Tally) -> bool:
    return bool(record.games)


def _ranks(unit: Unit) -> tuple[int, int]:
    """Both final ranks, the better first."""
    better, other = sorted(member.rank for member in unit.members if member.rank is not None)
    return better, other


def _sums(ruleset: Ruleset, unit: Unit) -> list[Sum]:
    return [sum_of(ruleset, member.record) for member in unit.members]


def _key(ruleset: Ruleset, unit: Unit) -> Key:
    """What is compared, step by step, the smaller the better: both members' keys added, then the ranks."""
    key_of = sort_key(dataclasses.replace(ruleset, order=ruleset.family_order))
    one, other = (key_of(entrant) for entrant in _sums(ruleset, unit))
    return (*(mine + theirs for mine, theirs in zip(one, other, strict=True)), *_ranks(unit))


def _standings(ruleset: Ruleset, units: Sequence[Unit], keys: Mapping[str, Key]) -> tuple[FamilyStanding, ...]:
    standings: list[FamilyStanding] = []
    order = sorted(units, key=lambda unit: (keys[unit.id], unit.id))
    for _, group in groupby(order, key=lambda unit: keys[unit.id]):
        level, rank = list(group), len(standings) + 1
        standings += [_standing(ruleset, unit, rank, len(level) > 1) for unit in level]
    return tuple(standings)


def _standing(ruleset: Ruleset, unit: Unit, rank: int, tied: bool) -> FamilyStanding:
    sums = _sums(ruleset, unit)
    averaged = ruleset.games is not None or ruleset.average_over == "played"
    averages = [Fraction(entrant.twelfths, TWELFTHS * entrant.divisor) for entrant in sums]
    better, other = _ranks(unit)
    return FamilyStanding(
        id=unit.id,
        rank=rank,
        tied=tied,
        wins=sum(entrant.wins for entrant in sums),
        points=Fraction(sum(entrant.twelfths for entrant in sums), TWELFTHS),
        average=sum(averages, Fraction(0)) if averaged else None,
        tiles=sum(entrant.tiles for entrant in sums),
        better_rank=better,
        other_rank=other,
    )


def _rungs(ruleset: Ruleset, keys: Mapping[str, Key]) -> tuple[Rung, ...]:
    """Every step asked of units still level, until none are or the steps are spent."""
    rungs: list[Rung] = []
    level = [tuple(sorted(keys))]
    for place, step in enumerate(steps_of(ruleset)):
        after: list[tuple[str, ...]] = []
        for ids in level:
            if len(ids) > 1:
                groups = _parted(ids, keys, place)
                rungs.append(Rung(step, ids, groups))
                after += groups
        level = after
    return tuple(rungs)


def _parted(ids: Sequence[str], keys: Mapping[str, Key], place: int) -> tuple[tuple[str, ...], ...]:
    order = sorted(ids, key=lambda id: (keys[id][place], id))
    return tuple(tuple(group) for _, group in groupby(order, key=lambda id: keys[id][place]))
