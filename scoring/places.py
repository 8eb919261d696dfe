"""Places of a final as they are answered: who holds one, who is called next, when nobody is left (R37).

Declining finalists are replaced by the next in line, in the order that is true at that moment: whoever has declined,
was struck without an answer, or can no longer take part, is passed over. Sharers of a reserve place for fewer places
than they are stay undecided: nothing is broken here by id or name.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.decision import Decision, Group, Reserve, part_by
from scoring.values import Unresolved

ACCEPTED = "accepted"
DECLINED = "declined"
STRUCK = "struck"
ABOVE_LINE = "above_line"
CALLED = "called"


@dataclass(frozen=True, slots=True)
class Holder:
    """One who holds a place: `by` the line or called as a reserve; `answer` accepted, or None while it is awaited."""

    id: str
    by: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class Places:
    """The places now: holders in order, who gave theirs up, the reserves still waiting.

    `undecided`: sharers of a reserve place for fewer places than they are; `empty`: places for which nobody is left.
    """

    holders: tuple[Holder, ...]
    given_up: tuple[str, ...]
    waiting: tuple[str, ...]
    undecided: Unresolved | None
    empty: int


def call_places(
    advancing: Sequence[str],
    reserves: Sequence[Reserve],
    *,
    answers: Mapping[str, str],
    unavailable: Collection[str] = (),
    decisions: Sequence[Decision] = (),
) -> Places:
    """Fill as many places as there are advancing, the reserves in order.

    `answers` by id: accepted, declined or struck; `unavailable` have withdrawn or were disqualified and count as
    declined.
    `decisions`, newest first, order the sharers of a reserve place as far as they go (scoring.decision.part_by).
    """
    gone = frozenset(unavailable) | {id for id, answer in answers.items() if answer in (DECLINED, STRUCK)}
    holders = [Holder(id, ABOVE_LINE, answers.get(id)) for id in advancing if id not in gone]
    given_up = [id for id in (*advancing, *(reserve.id for reserve in reserves)) if id in gone]
    free = len(advancing) - len(holders)
    groups = [part for _, sharing in groupby(reserves, key=_place) for part in _waiting(sharing, gone, decisions)]
    called: list[str] = []
    while free and groups and groups[0].needs <= free:
        group = groups.pop(0)
        called += group.ids
        free = max(free - len(group.ids), 0)
    undecided = Unresolved(free, groups[0].ids) if free and groups else None
    holders += [Holder(id, CALLED, answers.get(id)) for id in called]
    waiting = tuple(id for group in groups for id in group.ids)
    return Places(tuple(holders), tuple(given_up), waiting, undecided, 0 if undecided else free)


def _place(reserve: Reserve) -> int:
    return reserve.place


def _waiting(sharing: Iterable[Reserve], gone: Collection[str], decisions: Sequence[Decision]) -> list[Group]:
    """Who still waits at one reserve place, in the order decided as far as it goes."""
    members = [reserve.id for reserve in sharing]
    return part_by([id for id in members if id not in gone], members, decisions)
