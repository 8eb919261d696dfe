"""Who advances: the line, a full tie across it, the reserves (R37)."""

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.values import Qualification, Ranking, UnresolvedTie


def qualify_by_rank(ruleset: Ruleset, ranking: Ranking, advance: int | None = None) -> Qualification:
    """Draw the line after `advance` places (None: the ruleset's; where it has none, all advance).

    A full tie across the line is never broken here: those certainly in advance, and `unresolved` names the tied, by
    id, and the places left for them. Raises Refusal for fewer than one place.
    """
    places = ruleset.advance if advance is None else advance
    if places is not None and places < 1:
        raise Refusal("advance", "must be at least 1")
    standings = ranking.standings
    if places is None or len(standings) <= places:
        return Qualification(tuple(standing.id for standing in standings), None, ())
    last_rank = standings[places - 1].rank
    tie_crosses = standings[places].rank == last_rank
    above = tuple(standing for standing in standings[:places] if not tie_crosses or standing.rank < last_rank)
    tied = tuple(standing for standing in standings if tie_crosses and standing.rank == last_rank)
    below = standings[len(above) + len(tied) :]
    unresolved = UnresolvedTie(places - len(above), tuple(sorted(standing.id for standing in tied))) if tied else None
    return Qualification(tuple(standing.id for standing in above), unresolved, tuple(standing.id for standing in below))
