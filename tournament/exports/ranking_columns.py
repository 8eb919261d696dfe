"""The columns of the ranking, the same in every spreadsheet: exact text and decimal side by side."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext_noop as _

from tournament.exports.cells import Value, decimal_value, mixed_text
from tournament.exports.released import BECAUSE, ReleasedEntrant, ReleasedRanking, both
from tournament.quantities import entrant_number_text

Column = tuple[str, Callable[[ReleasedEntrant], Value]]

COLUMNS: tuple[Column, ...] = (
    (_("Rank"), lambda entrant: entrant.rank),
    (_("Shared"), lambda entrant: both(_("shared")) if entrant.tied else None),
    (_("Number"), lambda entrant: entrant_number_text(entrant.number)),
    (_("Name in Chinese"), lambda entrant: entrant.name_zh or None),
    (_("Name in English"), lambda entrant: entrant.name_en or None),
    (_("Wins"), lambda entrant: entrant.wins),
    (_("Points, exact"), lambda entrant: mixed_text(entrant.points)),
    (_("Points, decimal"), lambda entrant: decimal_value(entrant.points)),
    (_("Average, exact"), lambda entrant: mixed_text(entrant.average)),
    (_("Average, decimal"), lambda entrant: decimal_value(entrant.average)),
    (_("Tiles left"), lambda entrant: entrant.tiles),
    (_("At the table"), lambda entrant: entrant.table_size),
    (_("Advancing"), lambda entrant: both(_("advancing")) if entrant.advancing else None),
    (_("Reserve"), lambda entrant: entrant.reserve_text or None),
)
WIDTHS = (8, 12, 9, 16, 24, 8, 14, 14, 16, 16, 12, 12, 18, 12)


def heads() -> list[Value]:
    """Each head in both languages."""
    return [both(head) for head, _value in COLUMNS]


def ranked_rows(released: ReleasedRanking) -> Iterator[list[Value]]:
    """One row an entrant, in the order of the ranking."""
    for entrant in released.ranking:
        yield [value(entrant) for _head, value in COLUMNS]


def unranked_rows(released: ReleasedRanking) -> Iterator[list[Value]]:
    """Who has no rank: the number and the reason in both languages, no name."""
    for entry in released.content["unranked"]:
        row: list[Value] = [None] * len(COLUMNS)
        row[0] = both(BECAUSE[entry["because"]])
        row[2] = entrant_number_text(entry["number"])
        yield row
