"""The cut of a stage with the chief judge's decision, where that still holds (R37)."""

from dataclasses import dataclass

from scoring.tie_break import SettledQualification, settle_qualification
from tournament.core.enums import DecisionOf
from tournament.core.models.stage import Stage
from tournament.ranking.domain.standings import LiveRanking, RankedEntrant, live_ranking, ranking_entrant_id
from tournament.ranking.domain.tie_breaks import decision_value, line_in_force
from tournament.ranking.models.tie_break import TieBreak


@dataclass(frozen=True, slots=True)
class LiveQualification:
    """Who advances now. `decision` is the one in force; `lapsed` were made for another tie and settle nothing.

    `reserved` are those of reserve places, newest first, whether or not they still hold, and among them those of the
    line whose tied have come to share a reserve place: the order between them holds as long as exactly they are level.
    """

    ranking: LiveRanking
    settled: SettledQualification
    decision: TieBreak | None
    lapsed: tuple[TieBreak, ...]
    reserved: tuple[TieBreak, ...] = ()

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
    def reserved_in_force(self) -> tuple[TieBreak, ...]:
        """The decisions of reserve places that order somebody here, newest first: all their tied are equal reserves."""
        by_id = self._by_id()
        ranks = {reserve.id: by_id[reserve.id].rank for reserve in self.settled.reserves}
        found: dict[tuple[str, ...], TieBreak] = {}
        for decision in self.reserved:
            shared = {ranks.get(entrant) for entrant in decision_value(decision).tied}
            if len(shared) == 1 and None not in shared:
                found.setdefault(tuple(decision.tied), decision)
        return tuple(found.values())

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
        return {ranking_entrant_id(entrant.number): entrant for entrant in self.ranking.ranked}


def orders_reserves(decision: TieBreak, ranking: LiveRanking) -> bool:
    """Whether a decision of the line puts some before others of those who now, exactly they, share a reserve place."""
    value = decision_value(decision)
    rank_of = {standing.id: standing.rank for standing in ranking.ranking.standings}
    ranks = {rank_of.get(id) for id in value.tied}
    level = {id for id in ranking.line.reserves if rank_of[id] in ranks}
    parted = bool(value.order) or len(value.admitted) < len(value.tied)
    return parted and len(ranks) == 1 and level == set(value.tied)


def live_qualification(stage: Stage) -> LiveQualification:
    """The line as it stands, with the newest decision where it was made for exactly this tie; three queries."""
    ranking = live_ranking(stage)
    recorded = list(stage.tie_breaks.select_related("by").order_by("-at", "-id"))
    of_the_line = [one for one in recorded if one.of == DecisionOf.LINE]
    decision = line_in_force(of_the_line, ranking.line)
    moved = [one for one in of_the_line if orders_reserves(one, ranking)]
    reserved = tuple(one for one in recorded if one.of == DecisionOf.RESERVE or one in moved)
    return LiveQualification(
        ranking=ranking,
        settled=settle_qualification(
            ranking.ranking,
            ranking.line,
            decision_value(decision) if decision else None,
            [decision_value(one) for one in reserved],
        ),
        decision=decision,
        lapsed=tuple(one for one in of_the_line if one not in moved and line_in_force([one], ranking.line) is None),
        reserved=reserved,
    )
