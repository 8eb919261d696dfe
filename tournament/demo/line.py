"""Makes a full tie across the line, as happens: two tables that played alike.

One table's games are written onto another, so that the entrant at the last place has an equal elsewhere. The search is
exact and in a fixed order; nothing else of the tournament changes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records
from scoring.ruleset import Ruleset
from scoring.values import GameResult, Ranking, Record
from tournament.demo.playing import DemoGame

TableKey = tuple[int, int]
"""Session number and table number."""


@dataclass(frozen=True)
class PlayedTable:
    """A table's games and who sat there: entrant numbers by seat; `status` where an entrant is not ranked."""

    entrants: Mapping[str, int]
    games: tuple[DemoGame, ...]
    statuses: Mapping[str, str]

    @property
    def ordinary(self) -> bool:
        """Four present from the first to the last tile."""
        return len(self.entrants) == 4 and not self.statuses


def iter_demo_records(tables: Mapping[TableKey, PlayedTable]) -> Iterator[Record]:
    """What counts of each entrant."""
    for table in tables.values():
        for seat, entrant in table.entrants.items():
            scores = [game.score.seats[seat] for game in table.games if game.score and seat in game.score.seats]
            results = tuple(GameResult(score.win, score.points, score.tiles) for score in scores)
            yield Record(str(entrant), results, table.statuses.get(seat, "ok"))


def ranking_of(ruleset: Ruleset, tables: Mapping[TableKey, PlayedTable]) -> Ranking:
    """The ranking over all tables."""
    return rank_records(ruleset, iter_demo_records(tables))


def has_cutoff_tie(ruleset: Ruleset, tables: Mapping[TableKey, PlayedTable], advance: int | None) -> bool:
    """Whether a full tie lies across the line."""
    return qualify_by_rank(ruleset, ranking_of(ruleset, tables), advance).unresolved is not None


def make_cutoff_tie(
    ruleset: Ruleset, tables: dict[TableKey, PlayedTable], advance: int, movable: frozenset[TableKey]
) -> TableKey | None:
    """Write the games of the table with the last place onto a table of `movable`: the key of the first changed one.

    None where a tie lies there already. Entrants near the line are tried from the line upwards, written onto a table
    below the line, then onto two, then onto one that has somebody above it.
    """
    if has_cutoff_tie(ruleset, tables, advance):
        return None
    standings = ranking_of(ruleset, tables).standings
    place_of = {int(standing.id): place for place, standing in enumerate(standings, start=1)}
    table_of = {entrant: key for key, table in tables.items() for entrant in table.entrants.values()}
    ordinary = [key for key in sorted(movable) if tables[key].ordinary]
    low = [key for key in ordinary if min(place_of[one] for one in entrants_at_table(tables[key])) > advance]
    for targets in (low[:1], low[:2], *([key] for key in ordinary if key not in low)):
        for standing in reversed(standings[: advance + 1]):
            source = tables[table_of[int(standing.id)]]
            copied = {key: PlayedTable(tables[key].entrants, source.games, {}) for key in targets}
            if source.ordinary and has_cutoff_tie(ruleset, {**tables, **copied}, advance):
                tables.update(copied)
                return targets[0]
    raise LookupError("no table's games make a full tie across the line")


def entrants_at_table(table: PlayedTable) -> list[int]:
    return list(table.entrants.values())
