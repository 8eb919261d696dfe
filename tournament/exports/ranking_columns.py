"""The columns of the ranking, the same in every spreadsheet: exact text and decimal side by side."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from tournament.exports.cells import Value, decimal_value, mixed_text
from tournament.exports.released import BECAUSE, ReleasedEntrant, ReleasedRanking, both
from tournament.exports.released_podium import PLACES, read_podium
from tournament.quantities import entrant_number_text


class Column(NamedTuple):
    """A column: its head, what an entrant's line has there, and its width in characters."""

    head: str
    value: Callable[[ReleasedEntrant], Value]
    width: int


COLUMNS: tuple[Column, ...] = (
    Column(_("Rank"), lambda entrant: entrant.rank, 8),
    Column(_("Shared"), lambda entrant: both(_("shared")) if entrant.tied else None, 12),
    Column(_("Number"), lambda entrant: entrant_number_text(entrant.number), 9),
    Column(_("Name"), lambda entrant: entrant.name or None, 24),
    Column(_("Wins"), lambda entrant: entrant.wins, 8),
    Column(_("Points, exact"), lambda entrant: mixed_text(entrant.points), 14),
    Column(_("Points, decimal"), lambda entrant: decimal_value(entrant.points), 14),
    Column(_("Average, exact"), lambda entrant: mixed_text(entrant.average), 16),
    Column(_("Average, decimal"), lambda entrant: decimal_value(entrant.average), 16),
    Column(_("Tiles left"), lambda entrant: entrant.tiles, 12),
    Column(_("At the table"), lambda entrant: entrant.table_size, 12),
)
# Where somebody advances.
OF_THE_LINE: tuple[Column, ...] = (
    Column(_("Advancing"), lambda entrant: both(_("advancing")) if entrant.advancing else None, 18),
    Column(_("Reserve"), lambda entrant: entrant.reserve_text or None, 12),
)


def columns(released: ReleasedRanking) -> tuple[Column, ...]:
    """Those of a preliminary's ranking, or of a final's, from which nobody advances: there who stands on the podium."""
    if released.has_line:
        return (*COLUMNS, *OF_THE_LINE)
    podium = read_podium(released)
    places = {one.winner.number: one for one in podium.places} if podium else {}

    def place_of(entrant: ReleasedEntrant) -> Value:
        found = places.get(entrant.number)
        return both(PLACES[found.place]) if found else None

    return (*COLUMNS, Column(_("Podium"), place_of, 24))


def heads(released: ReleasedRanking) -> list[Value]:
    """Each head in both languages."""
    return [both(column.head) for column in columns(released)]


def ranked_rows(released: ReleasedRanking) -> Iterator[list[Value]]:
    """One row an entrant, in the order of the ranking."""
    shown = columns(released)
    for entrant in released.ranking:
        yield [column.value(entrant) for column in shown]


def unranked_rows(released: ReleasedRanking) -> Iterator[list[Value]]:
    """Who has no rank: the number and the reason in both languages, no name."""
    for entry in released.content["unranked"]:
        row: list[Value] = [None] * len(columns(released))
        row[0] = both(BECAUSE[entry["because"]])
        row[2] = entrant_number_text(entry["number"])
        yield row
