"""One ranking over all entrants, by ordered criteria from a registry (R34-R36).

Compared exactly: points are summed in whole twelfths and become fractions only at the edge. Equal keys share the
rank and the next rank skips. Nothing is ever ordered by name; ids order the display and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.values import Ranking, Record, Standing, Tally, Unranked

OK = "ok"
NOT_PLAYED = "not_played"
STATUSES = (OK, "forfeited", "withdrawn", "disqualified")
TWELFTHS = 12


class Sum(NamedTuple):
    """What criteria compare: an entrant's games summed, points in whole twelfths; `divisor` of the average."""

    wins: int
    twelfths: int
    tiles: int
    divisor: int


Criterion = Callable[[Sum], int | Fraction]
"""A key of a sum: the smaller key is the better entrant."""


def _more_wins(entrant: Sum) -> int:
    return -entrant.wins


def _higher_average(entrant: Sum) -> Fraction:
    return Fraction(-entrant.twelfths, TWELFTHS * entrant.divisor)


def _higher_total(entrant: Sum) -> int:
    return -entrant.twelfths


def _fewer_tiles(entrant: Sum) -> int:
    return entrant.tiles


CRITERIA: Mapping[str, Criterion] = MappingProxyType(
    {"wins": _more_wins, "average": _higher_average, "total": _higher_total, "tiles": _fewer_tiles}
)
"""Every criterion that a ruleset's `order` may name."""


def sort_key(ruleset: Ruleset) -> Callable[[Sum], tuple[int | Fraction, ...]]:
    """The key by which the ruleset's order compares two sums: smaller is better, equal is a full tie.

    Where every average has the same divisor it orders as the total does, in integers.
    """
    same_divisor = ruleset.average_over == "games"
    criteria = [CRITERIA["total" if name == "average" and same_divisor else name] for name in ruleset.order]
    return lambda entrant: tuple([criterion(entrant) for criterion in criteria])


def twelfths(points: Fraction, where: str = "points") -> int:
    """Points in whole twelfths. Raises Refusal for a fraction that no share among up to four gives."""
    whole, rest = divmod(TWELFTHS, points.denominator)
    if rest:
        raise Refusal(where, "must be in whole twelfths")
    return points.numerator * whole


def tally(record: Record) -> Tally:
    """A record summed: games played, wins, exact points, tiles left."""
    points = sum(twelfths(game.points) for game in record.games)
    return Tally(
        id=record.id,
        games=len(record.games),
        wins=sum(game.win for game in record.games),
        points=Fraction(points, TWELFTHS),
        tiles=sum(game.tiles for game in record.games),
        status=record.status,
    )


def rank(ruleset: Ruleset, records: Iterable[Record | Tally]) -> Ranking:
    """Rank all that played and may be ranked; games missing to the ruleset's number count 0, 0, 0.

    Raises Refusal, at `entrants[i]`, for an id given twice, an unknown status or more games than the ruleset has.
    """
    unranked: list[Unranked] = []
    entrants: list[tuple[str, Sum]] = []
    seen: set[str] = set()
    for place, record in enumerate(records):
        if record.id in seen:
            raise Refusal(f"entrants[{place}].id", "is there twice")
        seen.add(record.id)
        games, entrant = _sum(ruleset, record)
        if record.status not in STATUSES:
            raise Refusal(f"entrants[{place}].status", f"must be one of {', '.join(STATUSES)}")
        if ruleset.games is not None and games > ruleset.games:
            raise Refusal(f"entrants[{place}].games", f"{games} are more than the ruleset's {ruleset.games}")
        if record.status != OK:
            unranked.append(Unranked(record.id, record.status))
        elif not games:
            unranked.append(Unranked(record.id, NOT_PLAYED))
        else:
            entrants.append((record.id, entrant))
    unranked.sort(key=lambda entry: entry.id)
    return Ranking(_standings(ruleset, entrants), tuple(unranked))


def _sum(ruleset: Ruleset, record: Record | Tally) -> tuple[int, Sum]:
    """Games played, and the sum. Written out, since a hundred thousand entrants pass here."""
    if isinstance(record, Tally):
        games, wins, points, tiles = record.games, record.wins, twelfths(record.points), record.tiles
    else:
        games, wins, points, tiles = len(record.games), 0, 0, 0
        for game in record.games:
            wins += game.win
            points += twelfths(game.points)
            tiles += game.tiles
    fixed = ruleset.games if ruleset.average_over == "games" else games
    return games, Sum(wins, points, tiles, fixed or 1)


def _standings(ruleset: Ruleset, entrants: list[tuple[str, Sum]]) -> tuple[Standing, ...]:
    key = sort_key(ruleset)
    keyed = sorted((key(entrant), id, entrant) for id, entrant in entrants)
    fraction = _fractions()
    averaged = ruleset.games is not None or ruleset.average_over == "played"
    standings = []
    rank_of_key = 0
    for place, (own, id, entrant) in enumerate(keyed):
        first = place == 0 or keyed[place - 1][0] != own
        if first:
            rank_of_key = place + 1
        tied = not first or (place + 1 < len(keyed) and keyed[place + 1][0] == own)
        average = fraction(entrant.twelfths, TWELFTHS * entrant.divisor) if averaged else None
        points = fraction(entrant.twelfths, TWELFTHS)
        standings.append(Standing(id, rank_of_key, tied, entrant.wins, points, average, entrant.tiles))
    return tuple(standings)


def _fractions() -> Callable[[int, int], Fraction]:
    """Fractions made once for each value: many entrants share a total."""
    made: dict[tuple[int, int], Fraction] = {}

    def fraction(numerator: int, denominator: int) -> Fraction:
        key = (numerator, denominator)
        if key not in made:
            made[key] = Fraction(numerator, denominator)
        return made[key]

    return fraction
