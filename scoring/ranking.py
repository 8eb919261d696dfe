"""One ranking over all entrants, by ordered criteria from a registry (R34-R36).

Compared exactly: points are summed in whole twelfths and become fractions only at the edge. Equal keys share the
rank and the next rank skips. Nothing is ever ordered by name; ids order the display and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.values import Ranking, Record, Standing, Tally, Unranked

STATUS_OK = "ok"
UNRANKED_NOT_PLAYED = "not_played"
RECORD_STATUSES = (STATUS_OK, "forfeited", "withdrawn", "disqualified")
TWELFTHS_PER_POINT = 12


class EntrantSum(NamedTuple):
    """What criteria compare: an entrant's games summed, points in whole twelfths; `divisor` of the average."""

    games: int
    wins: int
    twelfths: int
    tiles: int
    divisor: int


Criterion = Callable[[EntrantSum], int | Fraction]
"""A key of a sum: the smaller key is the better entrant."""


def _more_wins(entrant: EntrantSum) -> int:
    return -entrant.wins


def _higher_average(entrant: EntrantSum) -> Fraction:
    return Fraction(-entrant.twelfths, TWELFTHS_PER_POINT * entrant.divisor)


def _higher_total(entrant: EntrantSum) -> int:
    return -entrant.twelfths


def _fewer_tiles(entrant: EntrantSum) -> int:
    return entrant.tiles


CRITERION_FUNCTIONS: Mapping[str, Criterion] = MappingProxyType(
    {"wins": _more_wins, "average": _higher_average, "total": _higher_total, "tiles": _fewer_tiles}
)
"""Every criterion that a ruleset's `order` may name."""


def ranking_sort_key(ruleset: Ruleset) -> Callable[[EntrantSum], tuple[int | Fraction, ...]]:
    """The key by which the ruleset's order compares two sums: smaller is better, equal is a full tie."""
    criteria = ruleset_criteria(ruleset)
    return lambda entrant: tuple([criterion(entrant) for criterion in criteria])


def ruleset_criteria(ruleset: Ruleset) -> tuple[Criterion, ...]:
    """The ruleset's criteria in order; an average over one divisor orders as the total does, in integers."""
    same_divisor = ruleset.average_over == "games"
    return tuple(CRITERION_FUNCTIONS["total" if name == "average" and same_divisor else name] for name in ruleset.order)


def to_twelfths(points: Fraction, where: str = "points") -> int:
    """Points in whole twelfths. Raises Refusal for a fraction that no share among up to four gives."""
    numerator, denominator = points.as_integer_ratio()
    if TWELFTHS_PER_POINT % denominator:
        raise Refusal(where, "must be in whole twelfths")
    return numerator * (TWELFTHS_PER_POINT // denominator)


def tally_record(record: Record) -> Tally:
    """A record summed: games played, wins, exact points, tiles left."""
    points = sum(to_twelfths(game.points) for game in record.games)
    return Tally(
        id=record.id,
        games=len(record.games),
        wins=sum(game.win for game in record.games),
        points=Fraction(points, TWELFTHS_PER_POINT),
        tiles=sum(game.tiles for game in record.games),
        status=record.status,
    )


def rank_records(ruleset: Ruleset, records: Iterable[Record | Tally]) -> Ranking:
    """Rank all that played and may be ranked; games missing to the ruleset's number count 0, 0, 0.

    Raises Refusal, at `entrants[i]`, for an id given twice, an unknown status or more games than the ruleset has.
    """
    unranked: list[Unranked] = []
    ids: list[str] = []
    sums: list[EntrantSum] = []
    seen: set[str] = set()
    for place, record in enumerate(records):
        entrant = sum_record(ruleset, record)
        if record.id in seen:
            raise Refusal(f"entrants[{place}].id", "is there twice")
        seen.add(record.id)
        if record.status not in RECORD_STATUSES:
            raise Refusal(f"entrants[{place}].status", f"must be one of {', '.join(RECORD_STATUSES)}")
        if ruleset.games is not None and entrant.games > ruleset.games:
            raise Refusal(f"entrants[{place}].games", f"{entrant.games} are more than the ruleset's {ruleset.games}")
        if record.status != STATUS_OK:
            unranked.append(Unranked(record.id, record.status))
        elif not entrant.games:
            unranked.append(Unranked(record.id, UNRANKED_NOT_PLAYED))
        else:
            ids.append(record.id)
            sums.append(entrant)
    unranked.sort(key=lambda entry: entry.id)
    return Ranking(_rank_standings(ruleset, ids, sums), tuple(unranked))


def sum_record(ruleset: Ruleset, record: Record | Tally) -> EntrantSum:
    """The games summed. Written out, since a hundred thousand entrants pass here."""
    if isinstance(record, Tally):
        games, wins, points, tiles = record.games, record.wins, to_twelfths(record.points), record.tiles
    else:
        games, wins, points, tiles = len(record.games), 0, 0, 0
        for game in record.games:
            wins += game.win
            points += to_twelfths(game.points)
            tiles += game.tiles
    divisor = ruleset.games if ruleset.average_over == "games" else games
    return EntrantSum(games, wins, points, tiles, divisor or 1)


def _rank_standings(ruleset: Ruleset, ids: list[str], sums: list[EntrantSum]) -> tuple[Standing, ...]:
    averaged = ruleset.games is not None or ruleset.average_over == "played"
    criteria = ruleset_criteria(ruleset)
    # One flat row an entrant: the keys, the id, the sum. Ids differ, so sums are never compared.
    rows = sorted(zip(*[map(criterion, sums) for criterion in criteria], ids, sums, strict=True))
    made: dict[tuple[int, int], tuple[Fraction, Fraction | None]] = {}
    standings = []
    rank_of_key = 1
    for _, group in groupby(rows, key=itemgetter(slice(len(criteria)))):
        equal = list(group)
        for row in equal:
            _, wins, points, tiles, divisor = row[-1]
            # Many entrants share a total, and a fraction is dear to make.
            figures = made.get((points, divisor))
            if figures is None:
                average = Fraction(points, TWELFTHS_PER_POINT * divisor) if averaged else None
                figures = made[points, divisor] = (Fraction(points, TWELFTHS_PER_POINT), average)
            standings.append(Standing(row[-2], rank_of_key, len(equal) > 1, wins, *figures, tiles))
        rank_of_key += len(equal)
    return tuple(standings)
