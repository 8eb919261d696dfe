"""Why an entrant stands where they stand now: compared with the neighbours and with the line (R34-R37)."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.certainty import Certainty
from scoring.separation import Separation, neighbours_in_ranking, separate_standings
from tournament.ranking.domain.standings import LiveRanking, RankedEntrant, UnrankedEntrant, certainty_by_number
from tournament.ranking.queries.standings import PlayedGame

SIDE_ABOVE, SIDE_BELOW = "above", "below"


@dataclass(frozen=True, slots=True)
class RankComparison:
    """With the next better or worse: `side`; `at_line`: the line runs between the two."""

    side: str
    at_line: bool
    other: RankedEntrant
    separation: Separation


@dataclass(frozen=True, slots=True)
class RankExplanation:
    """One ranked entrant: certainty, the sharers of the rank, and the comparisons, best other first.

    `in_tie`: one of a full tie across the line, which only the chief judge can settle. `certainty` None: there is no
    line, as in a final.
    """

    entrant: RankedEntrant
    certainty: Certainty | None
    level: tuple[RankedEntrant, ...]
    comparisons: tuple[RankComparison, ...]
    in_tie: bool


def explain_rank(live: LiveRanking, number: int) -> RankExplanation | None:
    """The comparisons of one entrant; None for who has no rank."""
    position = next((place for place, one in enumerate(live.ranked) if one.number == number), None)
    if position is None:
        return None
    entrant, standings = live.ranked[position], live.ranking.standings
    by_id = {standing.id: one for standing, one in zip(standings, live.ranked, strict=True)}
    neighbours = neighbours_in_ranking(standings, position)
    found: dict[str, RankComparison] = {}
    across = _nearest_across_cutoff(live, position)
    for side, other in ((SIDE_ABOVE, neighbours.above), (SIDE_BELOW, neighbours.below)):
        if other:
            separation = separate_standings(live.ruleset.order, standings[position], other)
            found[other.id] = RankComparison(side, False, by_id[other.id], separation)
    if across is not None:
        other, side = standings[across], SIDE_BELOW if across > position else SIDE_ABOVE
        separation = separate_standings(live.ruleset.order, standings[position], other)
        # The line's partner may share its result with the neighbour: one comparison says it all.
        same = [id for id, one in found.items() if one.other.rank == other.rank]
        for id in same:
            del found[id]
        found[other.id] = RankComparison(side, True, by_id[other.id], separation)
    return RankExplanation(
        entrant=entrant,
        certainty=certainty_by_number(live).get(number),
        level=tuple(by_id[one.id] for one in neighbours.level),
        comparisons=tuple(sorted(found.values(), key=lambda one: one.other.rank)),
        in_tie=bool(live.line.unresolved and standings[position].id in live.line.unresolved.ids),
    )


def _nearest_across_cutoff(live: LiveRanking, position: int) -> int | None:
    """The place of the nearest result on the other side; None within a tie across the line, or without a line."""
    advancing = len(live.line.advancing)
    tied = len(live.line.unresolved.ids) if live.line.unresolved else 0
    if position < advancing:
        return advancing if advancing < len(live.ranked) else None
    return None if position < advancing + tied or not advancing + tied else advancing + tied - 1


def find_unranked_entrant(live: LiveRanking, number: int) -> UnrankedEntrant | None:
    """Who has no rank, with the reason."""
    return next((one for one in live.unranked if one.number == number), None)


def games_by_session(
    played: list[PlayedGame], sessions: Sequence[int], games: int | None
) -> list[tuple[int, list[PlayedGame | int]]]:
    """By place of the session among these from 1, every game of it in order as `games_in_order` has it; of a final,
    round by round. Sessions without a game of the entrant are left out."""
    found = [[game for game in played if game.session == session] for session in sessions]
    return [(place, games_in_order(own, games)) for place, own in enumerate(found, start=1) if own]


def games_in_order(played: list[PlayedGame], games: int | None) -> list[PlayedGame | int]:
    """Every game of the ruleset: what was played, or the number of a game that was not."""
    by_number = {game.game: game for game in played}
    return [by_number.get(number, number) for number in range(1, max([games or 0, *by_number], default=0) + 1)]
