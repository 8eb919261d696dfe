"""A family's sum in the parent-child award, in words: wins, exact points, tiles."""

from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext_noop as _

from scoring.family import FamilyStanding
from tournament.core.numberformat import format_quantity, rank_text

# The award's keys (R40) as heads: the sums of both members, never an average of them.
FAMILY_SUM_WORDS = {
    "wins": _("Wins together"),
    "total": _("Points together"),
    "average": _("Averages added"),
    "tiles": _("Tiles left together"),
}


@dataclass(frozen=True, slots=True)
class ReleasedUnit:
    """One family of the award: both numbers, the rank among families, the sums, both final ranks."""

    child: int
    parent: int
    rank: int
    tied: bool
    wins: int
    points: Fraction
    average: Fraction | None
    tiles: int
    better_rank: int
    other_rank: int

    @property
    def rank_text(self) -> str:
        """The rank, with = where it is shared."""
        return rank_text(self.rank, shared=self.tied)


def family_sum_text(key: str, unit: ReleasedUnit | FamilyStanding) -> str:
    """One figure of a family's sums: 5, +240, 26 2/3, 12."""
    if key == "total":
        return format_quantity(unit.points, signed=True)
    if key == "average":
        return format_quantity(unit.points if unit.average is None else unit.average)
    return str(unit.wins if key == "wins" else unit.tiles)
