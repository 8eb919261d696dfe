"""What separates two standings: every criterion of the ruleset's order with both exact values (R34-R36)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from scoring.ruleset import Ruleset
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


def _average(standing: Standing) -> Fraction:
    return standing.points if standing.average is None else standing.average


VALUES: Mapping[str, tuple[Callable[[Standing], Fraction], int]] = MappingProxyType(
    {
        "wins": (lambda standing: Fraction(standing.wins), 1),
        "average": (_average, 1),
        "total": (lambda standing: standing.points, 1),
        "tiles": (lambda standing: Fraction(standing.tiles), -1),
    }
)
"""What each criterion of `scoring.ranking.CRITERIA` reads from a standing, and whether more (1) or fewer (-1) is
better."""


def separate(ruleset: Ruleset, one: Standing, other: Standing) -> Separation:
    """Compare two standings criterion by criterion, exactly; none is left out, also after one has decided."""
    steps, ahead = [], 0
    for criterion in ruleset.order:
        value, better = VALUES[criterion]
        mine, theirs = value(one), value(other)
        favours = better * ((mine > theirs) - (mine < theirs))
        outcome = NOT_USED if ahead else DECIDED if favours else EQUAL
        steps.append(Step(criterion, mine, theirs, abs(mine - theirs), outcome, favours))
        ahead = ahead or favours
    return Separation(one.id, other.id, ahead, tuple(steps))
