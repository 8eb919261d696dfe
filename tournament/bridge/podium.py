"""The podium and the parent-child award of a final as they stand, with the chief judge's decisions (R39, R40)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from scoring.decision import Decision, part_by
from scoring.family import Award
from scoring.podium import Contest, Podium, award_place, podium
from tournament.bridge.podium_families import FamilyPair, award_of, pairs_of
from tournament.bridge.standings import LiveRanking, RankedEntrant, entrant_id, live_ranking
from tournament.enums import ContestOf
from tournament.models import ContestDecision, Stage
from tournament.queries.grounds import StillOpen, still_open


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
    award: Award
    award_place: Podium
    families: Mapping[str, FamilyPair]
    decisions: tuple[ContestDecision, ...]
    lapsed: tuple[ContestDecision, ...]
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
        return {entrant_id(entrant.number): entrant for entrant in self.ranking.ranked}

    def place_of(self, of: str) -> Podium:
        """The podium, or the award's one place."""
        return self.award_place if of == ContestOf.AWARD else self.podium

    def decided(self, of: str) -> tuple[ContestDecision, ...]:
        """The decisions in force of the podium or of the award, newest first."""
        return tuple(one for one in self.decisions if one.of == of)

    def contest(self, of: str, tied: Collection[str]) -> tuple[Contest | None, ContestDecision | None]:
        """The contest between exactly these, with the decision in force about it, by which it is one no longer.

        (None, None) where these contest nothing.
        """
        contests = self.place_of(of).contests
        standing = next((one for one in self.decided(of) if set(one.tied) == set(tied)), None)
        if standing is not None:
            kept = [contest_value(one) for one in self.decided(of) if not set(one.tied) <= set(tied)]
            contests = self._settled(of, kept).contests
        return next((one for one in contests if set(one.ids) == set(tied)), None), standing

    def _settled(self, of: str, decisions: Sequence[Decision]) -> Podium:
        if of == ContestOf.AWARD:
            return award_place(self.award, decisions)
        return podium(self.ranking.ranking, decisions)


def live_podium(stage: Stage, open: StillOpen | None = None) -> LivePodium:
    """The podium and the award from the locked sheets of this moment; a fixed number of queries. `open`: what it waits
    for, where that was asked already."""
    ranking = live_ranking(stage)
    families = pairs_of(stage, ranking)
    award = award_of(ranking.ruleset, families)
    recorded = tuple(stage.contest_decisions.select_related("by").order_by("-at", "-id"))
    of_podium, of_award = ([one for one in recorded if one.of == of] for of in (ContestOf.PODIUM, ContestOf.AWARD))
    levels = levels_of([(one.id, one.rank) for one in ranking.ranking.standings])
    units = levels_of([(one.id, one.rank) for one in award.standings])
    used = {*in_force(levels, of_podium), *in_force(units, of_award)}
    decisions = tuple(one for one in recorded if one in used)
    settled = {(one.of, *one.tied) for one in decisions}
    return LivePodium(
        ranking=ranking,
        podium=podium(ranking.ranking, [contest_value(one) for one in of_podium]),
        award=award,
        award_place=award_place(award, [contest_value(one) for one in of_award]),
        families=MappingProxyType(families),
        decisions=decisions,
        lapsed=tuple(one for one in recorded if (one.of, *one.tied) not in settled),
        open=open or still_open(stage),
    )


def contest_value(decision: ContestDecision) -> Decision:
    """A recorded decision as the rules take it: the first of its order hold the places."""
    order = tuple(decision.order)
    return Decision(tuple(decision.tied), decision.places, order[: decision.places], order)


def levels_of(ranked: Sequence[tuple[str, int]]) -> list[tuple[str, ...]]:
    """The ids of each rank, best first, of (id, rank) in that order."""
    return [tuple(id for id, _ in level) for _, level in groupby(ranked, key=lambda one: one[1])]


def in_force(levels: Sequence[tuple[str, ...]], decisions: Sequence[ContestDecision]) -> list[ContestDecision]:
    """Those of the decisions, newest first, by which the rules part somebody here (scoring.decision.part_by)."""
    return [one for level in levels for one in _used(level, level, decisions)]


def _used(
    group: Collection[str], members: Collection[str], decisions: Sequence[ContestDecision]
) -> list[ContestDecision]:
    if len(group) < 2:
        return []
    for age, decision in enumerate(decisions):
        if set(group) <= set(decision.tied) <= set(members) and set(group) & set(decision.order):
            parts = part_by(group, members, [contest_value(decision)])
            return [decision, *(one for part in parts for one in _used(part.ids, members, decisions[:age]))]
    return []
