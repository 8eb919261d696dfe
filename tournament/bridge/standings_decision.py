"""The chief judge's decision about those who share the line, as the rules take it (R37)."""

from collections.abc import Iterable

from scoring.decision import Decision, applies
from scoring.values import Cut
from tournament.bridge.standings import entrant_id
from tournament.models import TieDecision


def decision_value(decision: TieDecision) -> Decision:
    """A recorded decision as the rules take it."""
    return Decision(
        tied=tuple(entrant_id(number) for number in decision.tied),
        places=decision.places,
        admitted=tuple(entrant_id(number) for number in decision.admitted),
        order=tuple(entrant_id(number) for number in decision.order),
    )


def in_force(decisions: Iterable[TieDecision], line: Cut) -> TieDecision | None:
    """The first of these, newest first, that was made for exactly this tie across the line; None where none was."""
    return next((one for one in decisions if not one.reserve and applies(decision_value(one), line)), None)
