"""What separates two standings: every criterion of the ruleset's order with both exact values (R34-R36)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, TypeVar

from scoring.values import Standing

STEP_EQUAL = "equal"
STEP_DECIDED = "decided"
STEP_NOT_USED = "not_used"


@dataclass(frozen=True, slots=True)
class SeparationStep:
    """One criterion: both values, `difference` never negative, what it did, and whom it favours.

    `outcome`: `equal` so that the next criterion was asked, `decided`, or `not_used` because one before it decided.
    `favours`: 1 the first of the two, -1 the other, 0 neither.
    """

    criterion: str
    one: Fraction
    other: Fraction
    difference: Fraction
    outcome: str
    favours: int


@dataclass(frozen=True, slots=True)
class Separation:
    """Two standings compared: `ahead` 1 the first, -1 the other, 0 a full tie; the steps in the ruleset's order."""

    one: str
    other: str
    ahead: int
    steps: tuple[SeparationStep, ...]

    @property
    def decided_by(self) -> str | None:
        """The criterion that decided; None for a full tie."""
        return next((step.criterion for step in self.steps if step.outcome == STEP_DECIDED), None)


class _RankedById(Protocol):
    """Whatever stands in a ranking under an id."""

    @property
    def id(self) -> str: ...


RankedItem = TypeVar("RankedItem", bound=_RankedById)
CriterionValue = tuple[Callable[[RankedItem], Fraction], int]
"""How a criterion reads one who is ranked, and whether more (1) or fewer (-1) is better."""


def _standing_average(standing: Standing) -> Fraction:
    return standing.points if standing.average is None else standing.average


STANDING_CRITERION_VALUES: Mapping[str, CriterionValue[Standing]] = MappingProxyType(
    {
        "wins": (lambda standing: Fraction(standing.wins), 1),
        "average": (_standing_average, 1),
        "total": (lambda standing: standing.points, 1),
        "tiles": (lambda standing: Fraction(standing.tiles), -1),
    }
)
"""What each criterion of `scoring.ranking.CRITERION_FUNCTIONS` reads from a standing, and whether more (1) or fewer
(-1) is better.
"""


def separate_standings(order: Sequence[str], one: Standing, other: Standing) -> Separation:
    """Compare two standings by a ruleset's `order`, exactly; no criterion is left out, also after one has decided."""
    return compare_by_criteria(order, STANDING_CRITERION_VALUES, one, other)


def compare_by_criteria(
    order: Sequence[str], values: Mapping[str, CriterionValue[RankedItem]], one: RankedItem, other: RankedItem
) -> Separation:
    """Compare two of whatever is ranked, by criteria in `order` that read them as `values` say."""
    steps, ahead = [], 0
    for criterion in order:
        value, better = values[criterion]
        mine, theirs = value(one), value(other)
        favours = better * ((mine > theirs) - (mine < theirs))
        outcome = STEP_NOT_USED if ahead else STEP_DECIDED if favours else STEP_EQUAL
        steps.append(SeparationStep(criterion, mine, theirs, abs(mine - theirs), outcome, favours))
        ahead = ahead or favours
    return Separation(one.id, other.id, ahead, tuple(steps))


@dataclass(frozen=True, slots=True)
class RankNeighbours:
    """Who stands around one place of a ranking: the next better, those level, the next worse."""

    above: Standing | None
    level: tuple[Standing, ...]
    below: Standing | None


def neighbours_in_ranking(standings: Sequence[Standing], position: int) -> RankNeighbours:
    """The neighbours of `standings[position]`; standings by rank. Sharers of a rank are level, never above or below."""
    rank = standings[position].rank
    first = last = position
    while first > 0 and standings[first - 1].rank == rank:
        first -= 1
    while last + 1 < len(standings) and standings[last + 1].rank == rank:
        last += 1
    return RankNeighbours(
        above=standings[first - 1] if first else None,
        level=tuple(standings[place] for place in range(first, last + 1) if place != position),
        below=standings[last + 1] if last + 1 < len(standings) else None,
    )
