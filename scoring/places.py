"""Places of a final as they are answered: who holds one, who is called next, when nobody is left (R37).

Declining finalists are replaced by the next in line, in the order that is true at that moment: whoever has declined, or
can no longer take part, is passed over. Sharers of a reserve place for fewer places than they are stay undecided:
nothing is broken here by id or name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scoring.decision import Decision, Reserve
from scoring.values import Unresolved

ACCEPTED = "accepted"
DECLINED = "declined"
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

    `answers` by id: accepted or declined; `unavailable` have withdrawn or were disqualified and count as declined.
    `decisions` settle a shared reserve place where made for exactly those sharers and so many places.
    """
    gone = frozenset(unavailable) | {id for id, answer in answers.items() if answer == DECLINED}
    holders = [Holder(id, ABOVE_LINE, answers.get(id)) for id in advancing if id not in gone]
    given_up = [id for id in (*advancing, *(reserve.id for reserve in reserves)) if id in gone]
    free = len(advancing) - len(holders)
    called: list[str] = []
    queue = [reserve for reserve in reserves if reserve.id not in gone]
    undecided = None
    while free and queue and undecided is None:
        sharers = [reserve.id for reserve in queue if reserve.place == queue[0].place]
        if len(sharers) > free:
            chosen = _decided(sharers, free, decisions)
            if chosen is None:
                undecided = Unresolved(free, tuple(sorted(sharers)))
                break
            sharers = chosen
        called += sharers
        free -= len(sharers)
        queue = [reserve for reserve in queue if reserve.id not in sharers]
    holders += [Holder(id, CALLED, answers.get(id)) for id in called]
    waiting = tuple(reserve.id for reserve in queue)
    return Places(tuple(holders), tuple(given_up), waiting, undecided, 0 if undecided else free)


def _decided(sharers: Sequence[str], places: int, decisions: Sequence[Decision]) -> list[str] | None:
    """Who of the sharers is admitted by a decision made for exactly them; None where there is none."""
    for decision in decisions:
        if set(decision.tied) == set(sharers) and decision.places == places:
            return list(decision.admitted)[:places]
    return None
