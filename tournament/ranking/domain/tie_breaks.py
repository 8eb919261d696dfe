"""The chief judge's decisions between equals, as the rules take them (R37, R39, R40)."""

from collections.abc import Iterable

from scoring.tie_break import TieBreakDecision, tie_break_applies
from scoring.values import Qualification
from tournament.core.enums import DecisionOf
from tournament.ranking.models.tie_break import TieBreak


def decision_value(decision: TieBreak) -> TieBreakDecision:
    """A recorded decision as the rules take it."""
    return TieBreakDecision(tuple(decision.tied), decision.places, tuple(decision.admitted), tuple(decision.order))


def line_in_force(decisions: Iterable[TieBreak], line: Qualification) -> TieBreak | None:
    """The first of these, newest first, that was made for exactly this tie across the line; None where none was."""
    of_the_line = (one for one in decisions if one.of == DecisionOf.LINE)
    return next((one for one in of_the_line if tie_break_applies(decision_value(one), line)), None)
