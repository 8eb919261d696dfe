"""The podium and the parent-child award of a final as they stand, with the chief judge's decisions (R39, R40)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from scoring.family import FamilyAward
from scoring.podium import Podium, PodiumTie, build_award_podium, build_podium
from scoring.tie_break import TieBreakDecision, split_by_tie_breaks
from tournament.core.enums import DecisionOf
from tournament.core.models.stage import Stage
from tournament.ranking.domain.standings import LiveRanking, RankedEntrant, live_ranking, ranking_entrant_id
from tournament.ranking.domain.tie_breaks import decision_value
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.open_stages import StillOpen, still_open
from tournament.stages.domain.podium_families import FamilyPair, declared_pairs, rank_award_pairs

OF_PLACES = (DecisionOf.PODIUM, DecisionOf.AWARD)


@dataclass(frozen=True, slots=True)
class LivePodium:
    """The final's podium and award now. Ids of the podium are entrants' numbers with four digits, of the award those of
    FamilyPair.

    `families` by id, every declared pair. `decisions` are in force, newest first; `lapsed` were made about others
    than contest a place now and decide nothing. Decisions that a newer one has replaced stand in neither.
    `open`: what the final still waits for.
    """

    ranking: LiveRanking
    podium: Podium
    award: FamilyAward
    award_place: Podium
    families: Mapping[str, FamilyPair]
    decisions: tuple[TieBreak, ...]
    lapsed: tuple[TieBreak, ...]
    open: StillOpen

    @property
    def is_over(self) -> bool:
        """Whether somebody is ranked and the final waits for nothing."""
        return bool(self.ranking.ranked) and self.open.is_finished

    @property
    def is_settled(self) -> bool:
        """Whether nothing but its hour is missing for a release of the final."""
        contested = bool(self.podium.contests or self.award_place.contests)
        return bool(self.ranking.ranked) and self.open.is_settled(contested=contested)

    @property
    def entrants(self) -> dict[str, RankedEntrant]:
        """The ranked by id; made once by who asks for many."""
        return {ranking_entrant_id(entrant.number): entrant for entrant in self.ranking.ranked}

    def place_of(self, of: str) -> Podium:
        """The podium, or the award's one place."""
        return self.award_place if of == DecisionOf.AWARD else self.podium

    def decided(self, of: str) -> tuple[TieBreak, ...]:
        """The decisions in force of the podium or of the award, newest first."""
        return tuple(one for one in self.decisions if one.of == of)

    def contest(self, of: str, tied: Collection[str]) -> tuple[PodiumTie | None, TieBreak | None]:
        """The contest between exactly these, with the decision in force about it, by which it is one no longer.

        (None, None) where these contest nothing.
        """
        contests = self.place_of(of).contests
        standing = next((one for one in self.decided(of) if set(one.tied) == set(tied)), None)
        if standing is not None:
            kept = [decision_value(one) for one in self.decided(of) if not set(one.tied) <= set(tied)]
            contests = self._settled(of, kept).contests
        return next((one for one in contests if set(one.ids) == set(tied)), None), standing

    def _settled(self, of: str, decisions: Sequence[TieBreakDecision]) -> Podium:
        if of == DecisionOf.AWARD:
            return build_award_podium(self.award, decisions)
        return build_podium(self.ranking.ranking, decisions)


def live_podium(stage: Stage, open: StillOpen | None = None) -> LivePodium:
    """The podium and the award from the locked sheets of this moment; a fixed number of queries. `open`: what it waits
    for, where that was asked already. The award is for who completes a final (R40): an event of one stage has none."""
    ranking = live_ranking(stage)
    families = {} if stage.is_first else declared_pairs(stage, ranking)
    award = rank_award_pairs(ranking.ruleset, families)
    recorded = tuple(stage.tie_breaks.filter(of__in=OF_PLACES).select_related("by").order_by("-at", "-id"))
    of_podium, of_award = ([one for one in recorded if one.of == of] for of in OF_PLACES)
    levels = ids_by_rank_level([(one.id, one.rank) for one in ranking.ranking.standings])
    units = ids_by_rank_level([(one.id, one.rank) for one in award.standings])
    used = {*podium_decisions_in_force(levels, of_podium), *podium_decisions_in_force(units, of_award)}
    decisions = tuple(one for one in recorded if one in used)
    settled = {(one.of, *one.tied) for one in decisions}
    return LivePodium(
        ranking=ranking,
        podium=build_podium(ranking.ranking, [decision_value(one) for one in of_podium]),
        award=award,
        award_place=build_award_podium(award, [decision_value(one) for one in of_award]),
        families=MappingProxyType(families),
        decisions=decisions,
        lapsed=tuple(one for one in recorded if (one.of, *one.tied) not in settled),
        open=open or still_open(stage),
    )


def ids_by_rank_level(ranked: Sequence[tuple[str, int]]) -> list[tuple[str, ...]]:
    """The ids of each rank, best first, of (id, rank) in that order."""
    return [tuple(id for id, _ in level) for _, level in groupby(ranked, key=lambda one: one[1])]


def podium_decisions_in_force(levels: Sequence[tuple[str, ...]], decisions: Sequence[TieBreak]) -> list[TieBreak]:
    """Those of the decisions, newest first, by which the rules part somebody here
    (scoring.tie_break.split_by_tie_breaks).
    """
    return [one for level in levels for one in _decisions_that_split(level, level, decisions)]


def _decisions_that_split(
    group: Collection[str], members: Collection[str], decisions: Sequence[TieBreak]
) -> list[TieBreak]:
    if len(group) < 2:
        return []
    for age, decision in enumerate(decisions):
        if set(group) <= set(decision.tied) <= set(members) and set(group) & set(decision.order):
            parts = split_by_tie_breaks(group, members, [decision_value(decision)])
            return [
                decision,
                *(one for part in parts for one in _decisions_that_split(part.ids, members, decisions[:age])),
            ]
    return []
