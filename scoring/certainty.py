"""Who is certainly in or out while others have still to finish (R37).

Certainly in: better, equal and incomplete entrants together are no more than the places. Certainly out: as many
complete, eligible entrants as there are places stand strictly better. Nobody is in by rows that are still blank:
whoever has not finished is never certainly in, and everybody who has not finished is counted as if better.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from scoring.problems import Refusal
from scoring.ranking import STATUS_OK, EntrantSum, ranking_sort_key, sum_record
from scoring.ruleset import Ruleset
from scoring.values import Record, Tally

CERTAIN_IN = "in"
CERTAIN_OUT = "out"
CERTAINTY_PROVISIONAL = "provisional"
CERTAINTY_NOT_YET_PLAYED = "not_yet_played"
CERTAINTY_INELIGIBLE = "ineligible"
CERTAINTY_STATES = (CERTAIN_IN, CERTAINTY_PROVISIONAL, CERTAIN_OUT, CERTAINTY_NOT_YET_PLAYED, CERTAINTY_INELIGIBLE)


@dataclass(frozen=True, slots=True)
class Certainty:
    """One entrant's state and what it rests on.

    `better`: complete, eligible entrants certainly better; `equal`: complete ones equal in everything, this one counted
    too where it is complete; `incomplete`: eligible entrants still to finish, this one left out.
    """

    id: str
    state: str
    better: int
    equal: int
    incomplete: int


def judge_certainties(
    ruleset: Ruleset, records: Iterable[Record | Tally], *, incomplete: Collection[str], places: int | None
) -> tuple[Certainty, ...]:
    """Every entrant's certainty, in the order given.

    `incomplete` holds the ids of those whose results are not all in. `places` None: all who finish advance. Raises
    Refusal for fewer than one place.
    """
    if places is not None and places < 1:
        raise Refusal("places", "must be at least 1")
    key, unfinished = ranking_sort_key(ruleset), frozenset(incomplete)
    given = [(record.id, record.status == STATUS_OK, sum_record(ruleset, record)) for record in records]
    complete = [sum for id, eligible, sum in given if eligible and id not in unfinished and sum.games]
    keys, fewer_wins = sorted(map(key, complete)), sorted(-sum.wins for sum in complete)
    still = sum(eligible and id in unfinished for id, eligible, _ in given)
    found = []
    for id, eligible, entrant in given:
        if not eligible or (id not in unfinished and not entrant.games):
            found.append(Certainty(id, CERTAINTY_INELIGIBLE, 0, 0, still))
        elif id in unfinished:
            best = _most_wins(ruleset, entrant)
            better = 0 if best is None else bisect_left(fewer_wins, -best)
            found.append(Certainty(id, _state_unfinished(entrant, better, places), better, 0, still - 1))
        else:
            better = bisect_left(keys, key(entrant))
            equal = bisect_right(keys, key(entrant)) - better
            found.append(Certainty(id, _state_finished(better, equal, still, places), better, equal, still))
    return tuple(found)


def _state_finished(better: int, equal: int, incomplete: int, places: int | None) -> str:
    if places is None or better + equal + incomplete <= places:
        return CERTAIN_IN
    return CERTAIN_OUT if better >= places else CERTAINTY_PROVISIONAL


def _state_unfinished(entrant: EntrantSum, better: int, places: int | None) -> str:
    if places is not None and better >= places:
        return CERTAIN_OUT
    return CERTAINTY_PROVISIONAL if entrant.games else CERTAINTY_NOT_YET_PLAYED


def _most_wins(ruleset: Ruleset, entrant: EntrantSum) -> int | None:
    """The most wins that who has not finished can still come to; None where wins do not decide first, or no end is
    set. Points know no bound, so that wins alone can put anybody out before the end."""
    if ruleset.games is None or ruleset.order[0] != "wins":
        return None
    return entrant.wins + ruleset.games - entrant.games
