"""What separates two standings: every criterion of the ruleset's order with both exact values (R34-R36)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol, TypeVar

from scoring.values import Standing

EQUAL = "equal"
DECIDED = "decided"
NOT_USED = "not_used"


@dataclass(frozen=True, slots=True)
class Step:
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
    steps: tuple[Step, ...]

    @property
    def decided_by(self) -> str | None:
        """The criterion that decided; None for a full tie."""
        return next((step.criterion for step in self.steps if step.outcome == DECIDED), None)


class _Named(Protocol):
    """Whatever stands in a ranking under an id."""

    @property
    def id(self) -> str: ...


Ranked = TypeVar("Ranked", bound=_Named)
Value = tuple[Callable[[Ranked], Fraction], int]
"""How a criterion reads one who is ranked, and whether more (1) or fewer (-1) is better."""


def _average(standing: Standing) -> Fraction:
    return standing.points if standing.average is None else standing.average


VALUES: Mapping[str, Value[Standing]] = MappingProxyType(
    {
        "wins": (lambda standing: Fraction(standing.wins), 1),
        "average": (_average, 1),
        "total": (lambda standing: standing.points, 1),
        "tiles": (lambda standing: Fraction(standing.tiles), -1),
    }
)
"""What each criterion of `scoring.ranking.CRITERIA` reads from a standing, and whether more (1) or fewer (-1) is
better."""


def separate(order: Sequence[str], one: Standing, other: Standing) -> Separation:
    """Compare two standings by a ruleset's `order`, exactly; no criterion is left out, also after one has decided."""
    return compare(order, VALUES, one, other)


def compare(order: Sequence[str], values: Mapping[str, Value[Ranked]], one: Ranked, other: Ranked) -> Separation:
    """Compare two of whatever is ranked, by criteria in `order` that read them as `values` say."""
    steps, ahead = [], 0
    for criterion in order:
        value, better = values[criterion]
        mine, theirs = value(one), value(other)
        favours = better * ((mine > theirs) - (mine < theirs))
        outcome = NOT_USED if ahead else DECIDED if favours else EQUAL
        steps.append(Step(criterion, mine, theirs, abs(mine - theirs), outcome, favours))
        ahead = ahead or favours
    return Separation(one.id, other.id, ahead, tuple(steps))


@dataclass(frozen=True, slots=True)
class Around:
    """Who stands around one place of a ranking: the next better, those level, the next worse."""

    above: Standing | None
    level: tuple[Standing, ...]
    below: Standing | None


def around(standings: Sequence[Standing], position: int) -> Around:
    """The neighbours of `standings[position]`; standings by rank. Sharers of a rank are level, never above or below."""
    rank = standings[position].rank
    first = last = position
    while first > 0 and standings[first - 1].rank == rank:
        first -= 1
    while last + 1 < len(standings) and standings[last + 1].rank == rank:
        last += 1
    return Around(
        above=standings[first - 1] if first else None,
        level=tuple(standings[place] for place in range(first, last + 1) if place != position),
        below=standings[last + 1] if last + 1 < len(standings) else None,
    )
