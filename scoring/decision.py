"""A decision about a full tie across the line (R37): who may decide is people's business, what it means is here.

A cut that leaves places unresolved is settled by a decision made for exactly those entrants and exactly so many places;
made for others it has lapsed and settles nothing. Nothing is ever broken by id or name: whoever stays tied shares a
reserve place.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.problems import Refusal
from scoring.values import Cut, Ranking, Unresolved


@dataclass(frozen=True, slots=True)
class Decision:
    """Who of `tied` advance where `places` were left for them; `admitted` in the order decided."""

    tied: tuple[str, ...]
    places: int
    admitted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reserve:
    """An entrant after the line: the place in the queue from 1, and whether it is shared."""

    id: str
    place: int
    tied: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """A cut with the decision in force: `advancing` and `reserves` best first; `unresolved` where none holds."""

    advancing: tuple[str, ...]
    unresolved: Unresolved | None
    reserves: tuple[Reserve, ...]


def check_decision(decision: Decision, *, all_of_them: bool = False) -> None:
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


def applies(decision: Decision, cut: Cut) -> bool:
    """Whether the decision was made for exactly this tie: the same entrants, as many places."""
    tie = cut.unresolved
    return tie is not None and set(tie.ids) == set(decision.tied) and tie.places == decision.places


def settle(ranking: Ranking, cut: Cut, decision: Decision | None = None) -> Settled:
    """The cut with its decision, where that applies (R37).

    The admitted follow those certainly in, in the order decided. The others of the tie become the first reserves and
    share their place: a decision says who advances, not who is next. Declining finalists are replaced by the reserves
    in order.
    """
    rank_of = {standing.id: standing.rank for standing in ranking.standings}
    advancing, unresolved, waiting = cut.advancing, cut.unresolved, cut.reserves
    if decision is not None and unresolved is not None and applies(decision, cut):
        advancing = (*cut.advancing, *decision.admitted)
        waiting = (*(entrant for entrant in unresolved.ids if entrant not in decision.admitted), *cut.reserves)
        unresolved = None
    return Settled(advancing, unresolved, _in_queue([(entrant, rank_of[entrant]) for entrant in waiting]))


def _in_queue(waiting: Sequence[tuple[str, int]]) -> tuple[Reserve, ...]:
    """Reserve places by rank: equal ranks share a place, the next one skips."""
    ranks = [rank for _, rank in waiting]
    first: dict[int, int] = {}
    count: dict[int, int] = {}
    for position, rank in enumerate(ranks, start=1):
        first.setdefault(rank, position)
        count[rank] = count.get(rank, 0) + 1
    return tuple(Reserve(entrant, first[rank], count[rank] > 1) for entrant, rank in waiting)


def draw_lots(tied: Sequence[str], places: int, seed: str) -> tuple[str, ...]:
    """Draw `places` of the tied by lot: all chance is in the seed, so that anyone can draw again and see the same.

    The lots are ordered by the SHA-256 of `seed`, a line feed and the entrant's id; the first `places` are drawn. The
    order in which the tied are given does not matter.
    """
    if not seed:
        raise Refusal("seed", "is missing")
    return tuple(sorted(tied, key=lambda entrant: hashlib.sha256(f"{seed}\n{entrant}".encode()).digest())[:places])
