"""A stage of several rounds: one ranking over all games of all rounds (R34-R36, R38).

A round is one sheet of the ruleset's games. An average divides by the games of all rounds of the stage, those still to
come included, so that its order after each round is that of the totals and nothing jumps when a round begins.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from fractions import Fraction

from scoring.problems import Refusal
from scoring.ranking import STATUS_OK, rank_records, tally_record
from scoring.ruleset import Ruleset
from scoring.values import Ranking, Record, Tally


def ruleset_over(ruleset: Ruleset, rounds: int) -> Ruleset:
    """The ruleset of a whole stage: so many times its games; unchanged where it fixes no number.

    It is for ranking, certainty and the award alone: a sheet of a round keeps the ruleset as it is. Raises Refusal for
    fewer than one round.
    """
    if rounds < 1:
        raise Refusal("rounds", "must be at least 1")
    return dataclasses.replace(ruleset, games=None if ruleset.games is None else ruleset.games * rounds)


def tally_rounds(ruleset: Ruleset, played: Sequence[Iterable[Record | Tally]]) -> tuple[Tally, ...]:
    """Each entrant's rounds summed, in the order in which entrants first appear.

    An entrant missing from a round, or cut off in it by the clock, has no games there. The status is the first that is
    not "ok": who left in one round is ranked in none. Raises Refusal, at `rounds[i].entrants[j]`, for an id given twice
    in a round and for more games than a round has.
    """
    sums: dict[str, Tally] = {}
    for number, records in enumerate(played):
        seen: set[str] = set()
        for place, record in enumerate(records):
            where = f"rounds[{number}].entrants[{place}]"
            if record.id in seen:
                raise Refusal(f"{where}.id", "is there twice")
            seen.add(record.id)
            entrant = tally_record(record) if isinstance(record, Record) else record
            if ruleset.games is not None and entrant.games > ruleset.games:
                raise Refusal(f"{where}.games", f"{entrant.games} are more than the ruleset's {ruleset.games}")
            sums[record.id] = _add_tallies(sums.get(record.id, Tally(record.id, 0, 0, Fraction(0), 0)), entrant)
    return tuple(sums.values())


def _add_tallies(before: Tally, entrant: Tally) -> Tally:
    return Tally(
        id=before.id,
        games=before.games + entrant.games,
        wins=before.wins + entrant.wins,
        points=before.points + entrant.points,
        tiles=before.tiles + entrant.tiles,
        status=entrant.status if before.status == STATUS_OK else before.status,
    )


def rank_rounds(ruleset: Ruleset, played: Sequence[Iterable[Record | Tally]], rounds: int) -> Ranking:
    """The ranking after the rounds `played`, of `rounds` in all. Raises Refusal as `rank_records` and `tally_rounds`
    do, and for more rounds than there are.
    """
    if len(played) > rounds:
        raise Refusal("rounds", f"{len(played)} are more than the stage's {rounds}")
    return rank_records(ruleset_over(ruleset, rounds), tally_rounds(ruleset, played))
