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
from scoring.ranking import RECORD_STATUSES, STATUS_OK, TWELFTHS_PER_POINT, EntrantSum, ranking_sort_key, sum_record
from scoring.ruleset import Ruleset
from scoring.separation import CriterionValue, Separation, compare_by_criteria
from scoring.values import Record, Tally

FAMILY_CHILD = "child"
FAMILY_PARENT = "parent"
FAMILY_MEMBER_ROLES = (FAMILY_CHILD, FAMILY_PARENT)

NOT_CHILD_AND_PARENT = "not_child_and_parent"
NOT_FINALIST = "not_finalist"
NOT_FINISHED = "not_finished"

BETTER_RANK = "better_rank"
OTHER_RANK = "other_rank"
FINAL_RANK_STEPS = (BETTER_RANK, OTHER_RANK)
"""What decides after the sums: the better final rank of the two, then the other's."""


@dataclass(frozen=True, slots=True)
class FamilyUnitMember:
    """One of a declared pair: what the final gave, and the rank there; None: no finalist."""

    record: Record | Tally
    role: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class FamilyUnit:
    """A declared pair: exactly two members, in any order."""

    id: str
    members: tuple[FamilyUnitMember, ...]


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
class ExcludedFamilyUnit:
    """A unit that cannot have the award: `because` is the first reason that holds."""

    id: str
    because: str


@dataclass(frozen=True, slots=True)
class FamilyTieStep:
    """One step of the ladder for units still level before it: the `groups` it makes of them, the best first.

    One group alone: the step parted nobody. Ids are by code points within a group.
    """

    step: str
    level: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FamilyAward:
    """The award: standings by rank, then id; one `winner`, or those `unresolved` at the first rank, or neither.

    `rungs` are the ladder step by step, those of one step the best units first; `out` is by id.
    """

    standings: tuple[FamilyStanding, ...]
    winner: str | None
    unresolved: tuple[str, ...]
    out: tuple[ExcludedFamilyUnit, ...]
    rungs: tuple[FamilyTieStep, ...]


FamilySortKey = tuple[int | Fraction, ...]


def rank_families(ruleset: Ruleset, units: Iterable[FamilyUnit]) -> FamilyAward:
    """Rank the units whose members are a child and a parent who both played the final to its end (R40).

    Raises Refusal, at `units[i]`, for an id given twice, other than two different members, an unknown role or status,
    a rank below 1, or more games than the ruleset has.
    """
    given = tuple(units)
    _check_family_units(ruleset, given)
    reasons = {unit.id: _exclusion_reason(unit) for unit in given}
    out = tuple(ExcludedFamilyUnit(id, because) for id, because in sorted(reasons.items()) if because is not None)
    ranked = [unit for unit in given if reasons[unit.id] is None]
    keys = {unit.id: _family_sort_key(ruleset, unit) for unit in ranked}
    standings = _family_standings(ruleset, ranked, keys)
    first = tuple(standing.id for standing in standings if standing.rank == 1)
    winner = first[0] if len(first) == 1 else None
    return FamilyAward(standings, winner, () if winner is not None else first, out, _family_tie_steps(ruleset, keys))


def award_steps(ruleset: Ruleset) -> tuple[str, ...]:
    """Every step in order: the ruleset's keys, then the two ranks."""
    return (*ruleset.family_order, *FINAL_RANK_STEPS)


def separate_units(ruleset: Ruleset, one: FamilyStanding, other: FamilyStanding) -> Separation:
    """Two units compared step by step, exactly, also after one step has decided."""
    return compare_by_criteria(award_steps(ruleset), FAMILY_CRITERION_VALUES, one, other)


def _family_average(standing: FamilyStanding) -> Fraction:
    return standing.points if standing.average is None else standing.average


FAMILY_CRITERION_VALUES: Mapping[str, CriterionValue[FamilyStanding]] = MappingProxyType(
    {
        "wins": (lambda standing: Fraction(standing.wins), 1),
        "average": (_family_average, 1),
        "total": (lambda standing: standing.points, 1),
        "tiles": (lambda standing: Fraction(standing.tiles), -1),
        BETTER_RANK: (lambda standing: Fraction(standing.better_rank), -1),
        OTHER_RANK: (lambda standing: Fraction(standing.other_rank), -1),
    }
)
"""What each step reads from a unit's standing, and whether more (1) or fewer (-1) is better."""


def _check_family_units(ruleset: Ruleset, units: Sequence[FamilyUnit]) -> None:
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
            _check_unit_member(ruleset, member, f"{where}.members[{number}]")


def _check_unit_member(ruleset: Ruleset, member: FamilyUnitMember, where: str) -> None:
    if member.role not in FAMILY_MEMBER_ROLES:
        raise Refusal(f"{where}.role", f"must be one of {', '.join(FAMILY_MEMBER_ROLES)}")
    if member.rank is not None and member.rank < 1:
        raise Refusal(f"{where}.rank", "must be at least 1")
    if member.record.status not in RECORD_STATUSES:
        raise Refusal(f"{where}.status", f"must be one of {', '.join(RECORD_STATUSES)}")
    games = sum_record(ruleset, member.record).games
    if ruleset.games is not None and games > ruleset.games:
        raise Refusal(f"{where}.games", f"{games} are more than the ruleset's {ruleset.games}")


def _exclusion_reason(unit: FamilyUnit) -> str | None:
    """Why the unit is out, the first that holds; of two members who may not be ranked the child's status is told."""
    child, parent = sorted(unit.members, key=lambda member: FAMILY_MEMBER_ROLES.index(member.role))
    if (child.role, parent.role) != FAMILY_MEMBER_ROLES:
        return NOT_CHILD_AND_PARENT
    for member in (child, parent):
        if member.record.status != STATUS_OK:
            return member.record.status
    if child.rank is None or parent.rank is None:
        return NOT_FINALIST
    if not all(_has_played_final(member.record) for member in unit.members):
        return NOT_FINISHED
    return None


def _has_played_final(record: Record | Tally) -> bool:
    return bool(record.games)


def _final_ranks(unit: FamilyUnit) -> tuple[int, int]:
    """Both final ranks, the better first."""
    better, other = sorted(member.rank for member in unit.members if member.rank is not None)
    return better, other


def _member_sums(ruleset: Ruleset, unit: FamilyUnit) -> list[EntrantSum]:
    return [sum_record(ruleset, member.record) for member in unit.members]


def _family_sort_key(ruleset: Ruleset, unit: FamilyUnit) -> FamilySortKey:
    """What is compared, step by step, the smaller the better: both members' keys added, then the ranks."""
    key_of = ranking_sort_key(dataclasses.replace(ruleset, order=ruleset.family_order))
    one, other = (key_of(entrant) for entrant in _member_sums(ruleset, unit))
    return (*(mine + theirs for mine, theirs in zip(one, other, strict=True)), *_final_ranks(unit))


def _family_standings(
    ruleset: Ruleset, units: Sequence[FamilyUnit], keys: Mapping[str, FamilySortKey]
) -> tuple[FamilyStanding, ...]:
    standings: list[FamilyStanding] = []
    order = sorted(units, key=lambda unit: (keys[unit.id], unit.id))
    for _, group in groupby(order, key=lambda unit: keys[unit.id]):
        level, rank = list(group), len(standings) + 1
        standings += [_family_standing(ruleset, unit, rank, len(level) > 1) for unit in level]
    return tuple(standings)


def _family_standing(ruleset: Ruleset, unit: FamilyUnit, rank: int, tied: bool) -> FamilyStanding:
    sums = _member_sums(ruleset, unit)
    averaged = ruleset.games is not None or ruleset.average_over == "played"
    averages = [Fraction(entrant.twelfths, TWELFTHS_PER_POINT * entrant.divisor) for entrant in sums]
    better, other = _final_ranks(unit)
    return FamilyStanding(
        id=unit.id,
        rank=rank,
        tied=tied,
        wins=sum(entrant.wins for entrant in sums),
        points=Fraction(sum(entrant.twelfths for entrant in sums), TWELFTHS_PER_POINT),
        average=sum(averages, Fraction(0)) if averaged else None,
        tiles=sum(entrant.tiles for entrant in sums),
        better_rank=better,
        other_rank=other,
    )


def _family_tie_steps(ruleset: Ruleset, keys: Mapping[str, FamilySortKey]) -> tuple[FamilyTieStep, ...]:
    """Every step asked of units still level, until none are or the steps are spent."""
    rungs: list[FamilyTieStep] = []
    level = [tuple(sorted(keys))]
    for place, step in enumerate(award_steps(ruleset)):
        after: list[tuple[str, ...]] = []
        for ids in level:
            if len(ids) > 1:
                groups = _split_by_key_step(ids, keys, place)
                rungs.append(FamilyTieStep(step, ids, groups))
                after += groups
        level = after
    return tuple(rungs)


def _split_by_key_step(
    ids: Sequence[str], keys: Mapping[str, FamilySortKey], place: int
) -> tuple[tuple[str, ...], ...]:
    order = sorted(ids, key=lambda id: (keys[id][place], id))
    return tuple(tuple(group) for _, group in groupby(order, key=lambda id: keys[id][place]))
