"""The podium, places 1 to 3 of a final, and the one place of the parent-child award (R39, R40).

A full tie that reaches onto a place is never broken here: its places stay contested until a decision about exactly
these entrants is given (scoring.tie_break), by a play-off, by lots or by the chief judge. A play-off orders those who
played it and does nothing else: its games enter no record, no sum and no average.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.family import FamilyAward
from scoring.problems import Refusal
from scoring.ranking import rank_records
from scoring.ruleset import Ruleset
from scoring.tie_break import TieBreakDecision, split_by_tie_breaks
from scoring.values import Ranking, Record, Tally

PODIUM_PLACES = 3


@dataclass(frozen=True, slots=True)
class PodiumHolder:
    """Who stands at a place; `decided`: by a decision between equals, not by the results."""

    place: int
    id: str
    decided: bool


@dataclass(frozen=True, slots=True)
class PodiumTie:
    """Equals for whom nothing is decided: they stand from `place` on, `places` of them on the podium; ids by id."""

    place: int
    places: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Podium:
    """Holders and contests, each by place. Without a contest it is whole, with fewer holders only in a small field."""

    holders: tuple[PodiumHolder, ...]
    contests: tuple[PodiumTie, ...]

    @property
    def is_settled(self) -> bool:
        """Whether every place has its holder."""
        return not self.contests


def build_podium(ranking: Ranking, decisions: Sequence[TieBreakDecision] = (), places: int = PODIUM_PLACES) -> Podium:
    """Who stands on the podium; `decisions` newest first. One holds if its tied are exactly those who share a rank."""
    by_rank = groupby(ranking.standings, key=lambda standing: standing.rank)
    return _podium_from_levels([tuple(standing.id for standing in level) for _, level in by_rank], decisions, places)


def build_award_podium(award: FamilyAward, decisions: Sequence[TieBreakDecision] = ()) -> Podium:
    """The award's one place (R40), held by a family or contested by those level down the whole ladder."""
    by_rank = groupby(award.standings, key=lambda standing: standing.rank)
    return _podium_from_levels([tuple(standing.id for standing in level) for _, level in by_rank], decisions, 1)


def _podium_from_levels(
    levels: Iterable[tuple[str, ...]], decisions: Sequence[TieBreakDecision], places: int
) -> Podium:
    holders: list[PodiumHolder] = []
    contests: list[PodiumTie] = []
    place = 1
    for level in levels:
        for group in split_by_tie_breaks(level, level, decisions):
            if place > places:
                break
            if len(group.ids) == 1:
                holders.append(PodiumHolder(place, group.ids[0], len(level) > 1))
            else:
                contests.append(PodiumTie(place, min(len(group.ids), places - place + 1), tuple(sorted(group.ids))))
            place += len(group.ids)
    return Podium(tuple(holders), tuple(contests))


def check_podium_tie_break(contest: PodiumTie, decision: TieBreakDecision) -> None:
    """Refuse a decision that is not about this contest or decides nothing of it.

    It is strict from the first as far as it goes; whom it leaves level a later one may part. Raises Refusal at `tied`,
    `places`, `admitted` or `order[i]`.
    """
    if set(decision.tied) != set(contest.ids):
        raise Refusal("tied", "are not those who contest the place")
    if decision.places != contest.places:
        raise Refusal("places", f"must be {contest.places}, as many as are contested")
    if not decision.order:
        raise Refusal("order", "is missing")
    for position, entrant in enumerate(decision.order):
        if entrant not in contest.ids:
            raise Refusal(f"order[{position}]", "is not one of the tied")
        if entrant in decision.order[:position]:
            raise Refusal(f"order[{position}]", "is there twice")
    if decision.admitted != decision.order[: contest.places]:
        raise Refusal("admitted", "must be the first of the order")


def podium_tie_break(contest: PodiumTie, order: Sequence[str]) -> TieBreakDecision:
    """The decision that puts these first, in this order, as far as it goes. Refuses as `check_podium_tie_break`."""
    decision = TieBreakDecision(contest.ids, contest.places, tuple(order[: contest.places]), tuple(order))
    check_podium_tie_break(contest, decision)
    return decision


def order_by_play_off(ruleset: Ruleset, contest: PodiumTie, games: Collection[Record | Tally]) -> tuple[str, ...]:
    """The order that a play-off gives, strict from the first as far as it went, by its games alone (R39).

    Who did not come to it, or left it, stands after all who played it through, with nothing decided between several.
    An order that ends early leaves the rest level: they play again, or another decision parts them. Raises Refusal for
    others than those who contest the place, and as `rank` does.
    """
    if sorted(record.id for record in games) != sorted(contest.ids):
        raise Refusal("entrants", "must be exactly those who contest the place")
    played = rank_records(ruleset, games)
    order: list[str] = []
    for standing in played.standings:
        if standing.tied:
            return tuple(order)
        order.append(standing.id)
    if len(played.unranked) == 1:
        order.append(played.unranked[0].id)
    return tuple(order)
