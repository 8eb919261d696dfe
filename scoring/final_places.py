"""Places of a final as they are answered: who holds one, who is called next, when nobody is left (R37).

Declining finalists are replaced by the next in line, in the order that is true at that moment: whoever has declined,
was struck without an answer, or can no longer take part, is passed over. Sharers of a reserve place for fewer places
than they are stay undecided: nothing is broken here by id or name.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.tie_break import ReserveGroup, ReservePlace, TieBreakDecision, split_by_tie_breaks
from scoring.values import UnresolvedTie

PLACE_ACCEPTED = "accepted"
PLACE_DECLINED = "declined"
PLACE_STRUCK = "struck"
HELD_ABOVE_CUTOFF = "above_line"
HELD_AS_RESERVE = "called"


@dataclass(frozen=True, slots=True)
class FinalistPlace:
    """One who holds a place: `by` the line or called as a reserve; `answer` accepted, or None while it is awaited."""

    id: str
    by: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class FinalPlaces:
    """The places now: holders in order, who gave theirs up, the reserves still waiting.

    `undecided`: sharers of a reserve place for fewer places than they are; `empty`: places for which nobody is left.
    """

    holders: tuple[FinalistPlace, ...]
    given_up: tuple[str, ...]
    waiting: tuple[str, ...]
    undecided: UnresolvedTie | None
    empty: int


def fill_final_places(
    advancing: Sequence[str],
    reserves: Sequence[ReservePlace],
    *,
    answers: Mapping[str, str],
    unavailable: Collection[str] = (),
    decisions: Sequence[TieBreakDecision] = (),
) -> FinalPlaces:
    """Fill as many places as there are advancing, the reserves in order.

    `answers` by id: accepted, declined or struck; `unavailable` have withdrawn or were disqualified and count as
    declined.
    `decisions`, newest first, order the sharers of a reserve place as far as they go
    (scoring.tie_break.split_by_tie_breaks).
    """
    gone = frozenset(unavailable) | {id for id, answer in answers.items() if answer in (PLACE_DECLINED, PLACE_STRUCK)}
    holders = [FinalistPlace(id, HELD_ABOVE_CUTOFF, answers.get(id)) for id in advancing if id not in gone]
    given_up = [id for id in (*advancing, *(reserve.id for reserve in reserves)) if id in gone]
    free = len(advancing) - len(holders)
    groups = [
        part
        for _, sharing in groupby(reserves, key=_reserve_position)
        for part in _waiting_reserve_groups(sharing, gone, decisions)
    ]
    called: list[str] = []
    while free and groups and groups[0].needs <= free:
        group = groups.pop(0)
        called += group.ids
        free = max(free - len(group.ids), 0)
    undecided = UnresolvedTie(free, groups[0].ids) if free and groups else None
    holders += [FinalistPlace(id, HELD_AS_RESERVE, answers.get(id)) for id in called]
    waiting = tuple(id for group in groups for id in group.ids)
    return FinalPlaces(tuple(holders), tuple(given_up), waiting, undecided, 0 if undecided else free)


def _reserve_position(reserve: ReservePlace) -> int:
    return reserve.place


def _waiting_reserve_groups(
    sharing: Iterable[ReservePlace], gone: Collection[str], decisions: Sequence[TieBreakDecision]
) -> list[ReserveGroup]:
    """Who still waits at one reserve place, in the order decided as far as it goes."""
    members = [reserve.id for reserve in sharing]
    return split_by_tie_breaks([id for id in members if id not in gone], members, decisions)
