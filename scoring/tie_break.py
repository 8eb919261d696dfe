"""A decision about a full tie across the line (R37): who may decide is people's business, what it means is here.

A cut that leaves places unresolved is settled by a decision made for exactly those entrants and exactly so many places;
made for others it has lapsed and settles nothing. Reserves who share a place for fewer places than they are wait for a
decision in the same way. Nothing is ever broken by id or name: whoever stays tied shares a reserve place.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.problems import Refusal
from scoring.values import Qualification, Ranking, UnresolvedTie


@dataclass(frozen=True, slots=True)
class TieBreakDecision:
    """Who of `tied` advance where `places` were left for them.

    `order` is strict, from the first, as far as it was decided: lots order all of them, a choice perhaps nobody.
    Between the admitted whom it leaves out nothing was decided, nor between the others.
    """

    tied: tuple[str, ...]
    places: int
    admitted: tuple[str, ...]
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReserveGroup:
    """Entrants between whom nothing is decided: all are called together as soon as `needs` places are free."""

    ids: tuple[str, ...]
    needs: int


@dataclass(frozen=True, slots=True)
class ReservePlace:
    """An entrant after the line: the place in the queue from 1, and whether it is shared."""

    id: str
    place: int
    tied: bool


@dataclass(frozen=True, slots=True)
class SettledQualification:
    """A cut with the decision in force: `advancing` and `reserves` best first; `unresolved` where none holds."""

    advancing: tuple[str, ...]
    unresolved: UnresolvedTie | None
    reserves: tuple[ReservePlace, ...]


def check_tie_break(decision: TieBreakDecision, *, all_of_them: bool = False) -> None:
    """Refuse what decides nothing: strangers, somebody twice, another number than the places.

    `all_of_them`: the decision admits every one of the tied, though there are fewer places (R37).
    """
    for position, entrant in enumerate(decision.admitted):
        if entrant not in decision.tied:
            raise Refusal(f"admitted[{position}]", "is not one of the tied")
        if entrant in decision.admitted[:position]:
            raise Refusal(f"admitted[{position}]", "is there twice")
    if all_of_them:
        if len(decision.admitted) != len(decision.tied):
            raise Refusal("admitted", "must hold every one of the tied")
    elif len(decision.admitted) != decision.places:
        raise Refusal("admitted", f"must hold {decision.places}, as many as there are places")
    _check_tie_break_order(decision)


def _check_tie_break_order(decision: TieBreakDecision) -> None:
    """The order is of the tied, strict, and begins with the admitted."""
    for position, entrant in enumerate(decision.order):
        if entrant not in decision.tied:
            raise Refusal(f"order[{position}]", "is not one of the tied")
        if entrant in decision.order[:position]:
            raise Refusal(f"order[{position}]", "is there twice")
        if position < len(decision.admitted) and entrant not in decision.admitted:
            raise Refusal(f"order[{position}]", "is not one of the admitted, who come first")


def tie_break_applies(decision: TieBreakDecision, cut: Qualification) -> bool:
    """Whether the decision was made for exactly this tie: the same entrants, as many places."""
    tie = cut.unresolved
    return tie is not None and set(tie.ids) == set(decision.tied) and tie.places == decision.places


def settle_qualification(
    ranking: Ranking,
    cut: Qualification,
    decision: TieBreakDecision | None = None,
    reserved: Sequence[TieBreakDecision] = (),
) -> SettledQualification:
    """The cut with its decision, where that applies, and those of reserve places, newest first (R37).

    The admitted follow those certainly in, in the order decided. The others of the tie become the first reserves, in
    the order decided as far as it goes, and share their place beyond it. Declining finalists are replaced by the
    reserves in order.
    """
    rank_of = {standing.id: standing.rank for standing in ranking.standings}
    advancing, unresolved = cut.advancing, cut.unresolved
    waiting: list[ReserveGroup] = []
    if decision is not None and unresolved is not None and tie_break_applies(decision, cut):
        first = (*(id for id in decision.order if id in decision.admitted), *decision.admitted)
        advancing = (*cut.advancing, *dict.fromkeys(first))
        left = tuple(entrant for entrant in unresolved.ids if entrant not in decision.admitted)
        waiting += _split_by_one_tie_break(left, decision)
        unresolved = None
    for _rank, sharing in groupby(cut.reserves, key=lambda entrant: rank_of[entrant]):
        waiting.append(_group_needing_all_places(tuple(sharing)))
    parted = [part for group in waiting for part in split_by_tie_breaks(group.ids, group.ids, reserved)]
    return SettledQualification(advancing, unresolved, _number_reserve_places(parted))


def split_by_tie_breaks(
    waiting: Collection[str], members: Collection[str], decisions: Sequence[TieBreakDecision]
) -> list[ReserveGroup]:
    """Those `waiting` at one reserve place that `members` share, in the order decided as far as it goes.

    `decisions` newest first. One holds if all its tied share this place and all who wait are among them: a place more
    or less, or somebody who declines, changes nothing of the order. Whom it leaves tied a later one may part further,
    never an earlier one, which it has replaced.
    """
    group = frozenset(waiting)
    if len(group) < 2:
        return [_group_needing_all_places(tuple(waiting))] if group else []
    for age, decision in enumerate(decisions):
        named = frozenset((*decision.order, *decision.admitted))
        if group <= frozenset(decision.tied) <= frozenset(members) and group & named:
            parts = _split_by_one_tie_break(tuple(sorted(group)), decision)
            if len(parts) == 1:
                return parts
            return [deeper for part in parts for deeper in _split_group_further(part, members, decisions[:age])]
    return [_group_needing_all_places(tuple(sorted(group)))]


def _split_group_further(
    part: ReserveGroup, members: Collection[str], later: Sequence[TieBreakDecision]
) -> list[ReserveGroup]:
    """A part as decisions that came later have parted it; as it is where none has."""
    deeper = split_by_tie_breaks(part.ids, members, later)
    return deeper if len(deeper) > 1 else [part]


def _split_by_one_tie_break(ids: Sequence[str], decision: TieBreakDecision) -> list[ReserveGroup]:
    """These of the tied as the decision orders them: one by one, then the other admitted, then those who stay tied."""
    ordered = [entrant for entrant in decision.order if entrant in ids]
    admitted = tuple(entrant for entrant in ids if entrant in decision.admitted and entrant not in ordered)
    others = tuple(entrant for entrant in ids if entrant not in decision.admitted and entrant not in ordered)
    # admitting all calls more than there were places for, once those are free
    needs = min(len(admitted), max(decision.places - len(ordered), 0))
    parts = [
        *(_group_needing_all_places((entrant,)) for entrant in ordered),
        ReserveGroup(admitted, needs),
        _group_needing_all_places(others),
    ]
    return [part for part in parts if part.ids]


def _group_needing_all_places(ids: tuple[str, ...]) -> ReserveGroup:
    """A group that needs a place for each."""
    return ReserveGroup(ids, len(ids))


def _number_reserve_places(groups: Sequence[ReserveGroup]) -> tuple[ReservePlace, ...]:
    """Reserve places in order: a group shares a place, the next one skips."""
    queue: list[ReservePlace] = []
    for group in groups:
        place = len(queue) + 1
        queue += [ReservePlace(entrant, place, len(group.ids) > 1) for entrant in group.ids]
    return tuple(queue)


def draw_lots(tied: Sequence[str], places: int, seed: str) -> tuple[str, ...]:
    """Draw `places` of the tied by lot: all chance is in the seed, so that anyone can draw again and see the same.

    The lots are ordered by the SHA-256 of `seed`, a line feed and the entrant's id; the first `places` are drawn. The
    order in which the tied are given does not matter.
    """
    if not seed:
        raise Refusal("seed", "is missing")
    return tuple(sorted(tied, key=lambda entrant: hashlib.sha256(f"{seed}\n{entrant}".encode()).digest())[:places])
