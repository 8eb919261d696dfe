"""The cut of a stage with the chief judge's decision, where that still holds (R37)."""

from dataclasses import dataclass

from scoring.decision import Decision, Settled, applies, settle
from tournament.bridge.standings import LiveRanking, RankedEntrant, entrant_id, live_ranking
from tournament.models import Stage, TieDecision


@dataclass(frozen=True, slots=True)
class LiveCut:
    """Who advances now. `decision` is the one in force; `lapsed` were made for another tie and settle nothing."""

    ranking: LiveRanking
    settled: Settled
    decision: TieDecision | None
    lapsed: tuple[TieDecision, ...]

    @property
    def advancing(self) -> tuple[RankedEntrant, ...]:
        """Those above the line, best first; the admitted of a tie after those certainly in."""
        by_id = self._by_id()
        return tuple(by_id[entrant] for entrant in self.settled.advancing)

    @property
    def reserves(self) -> tuple[tuple[RankedEntrant, int, bool], ...]:
        """Those under the line in order: the entrant, the reserve place, whether it is shared."""
        by_id = self._by_id()
        return tuple((by_id[reserve.id], reserve.place, reserve.tied) for reserve in self.settled.reserves)

    @property
    def tie(self) -> tuple[RankedEntrant, ...]:
        """The full tie across the line, decided or not; nobody where there is none."""
        unresolved = self.ranking.line.unresolved
        by_id = self._by_id()
        return tuple(by_id[entrant] for entrant in unresolved.ids) if unresolved else ()

    @property
    def tie_places(self) -> int:
        """Places left for the tie."""
        return self.ranking.line.unresolved.places if self.ranking.line.unresolved else 0

    def _by_id(self) -> dict[str, RankedEntrant]:
        """Made once by who asks for many: over 1,200 entrants, one by one, it would take seconds."""
        return {entrant_id(entrant.number): entrant for entrant in self.ranking.ranked}


def decision_value(decision: TieDecision) -> Decision:
    """A recorded decision as the rules take it."""
    return Decision(
        tied=tuple(entrant_id(number) for number in decision.tied),
        places=decision.places,
        admitted=tuple(entrant_id(number) for number in decision.admitted),
    )


def live_cut(stage: Stage) -> LiveCut:
    """The line as it stands, with the newest decision where it was made for exactly this tie; three queries."""
    ranking = live_ranking(stage)
    recorded = list(stage.tie_decisions.select_related("by").order_by("-at", "-id"))
    holding = [decision for decision in recorded if applies(decision_value(decision), ranking.line)]
    decision = holding[0] if holding else None
    return LiveCut(
        ranking=ranking,
        settled=settle(ranking.ranking, ranking.line, decision_value(decision) if decision else None),
        decision=decision,
        lapsed=tuple(other for other in recorded if other not in holding),
    )
