"""The columns of the ranking, the same in every spreadsheet: exact text and decimal side by side."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from tournament.core.cells import CellValue, decimal_of_fraction, mixed_number_text
from tournament.core.numberformat import entrant_number_text
from tournament.publication.exports.podium import PODIUM_PLACE_WORDS, read_podium
from tournament.publication.exports.released import (
    PUBLISHED_UNRANKED_WORDS,
    ReleasedEntrant,
    ReleasedRanking,
    message_in_both_languages,
)


class RankingColumn(NamedTuple):
    """A column: its head, what an entrant's line has there, and its width in characters."""

    head: str
    value: Callable[[ReleasedEntrant], CellValue]
    width: int


TILES_LEFT_HEAD = _("Tiles left")
RANKING_COLUMNS: tuple[RankingColumn, ...] = (
    RankingColumn(_("Rank"), lambda entrant: entrant.rank, 8),
    RankingColumn(_("Shared"), lambda entrant: message_in_both_languages(_("shared")) if entrant.tied else None, 12),
    RankingColumn(_("Number"), lambda entrant: entrant_number_text(entrant.number), 9),
    RankingColumn(_("Name"), lambda entrant: entrant.name or None, 24),
    RankingColumn(_("Wins"), lambda entrant: entrant.wins, 8),
    RankingColumn(_("Points, exact"), lambda entrant: mixed_number_text(entrant.points), 14),
    RankingColumn(_("Points, decimal"), lambda entrant: decimal_of_fraction(entrant.points), 14),
    RankingColumn(_("Average, exact"), lambda entrant: mixed_number_text(entrant.average), 16),
    RankingColumn(_("Average, decimal"), lambda entrant: decimal_of_fraction(entrant.average), 16),
    RankingColumn(TILES_LEFT_HEAD, lambda entrant: entrant.tiles, 12),
    RankingColumn(_("At the table"), lambda entrant: entrant.table_size, 12),
)
# Where somebody advances.
CUTOFF_COLUMNS: tuple[RankingColumn, ...] = (
    RankingColumn(
        _("Advancing"), lambda entrant: message_in_both_languages(_("advancing")) if entrant.advancing else None, 18
    ),
    RankingColumn(_("Reserve"), lambda entrant: entrant.reserve_text or None, 12),
)


def columns_of_released_ranking(released: ReleasedRanking) -> tuple[RankingColumn, ...]:
    """Those of a preliminary's ranking, or of a final's, from which nobody advances: there who stands on the podium."""
    shown = [
        column._replace(head=released.tiles_left_head) if column.head == TILES_LEFT_HEAD else column
        for column in RANKING_COLUMNS
    ]
    if released.has_line:
        return (*shown, *CUTOFF_COLUMNS)
    podium = read_podium(released)
    places = {one.winner.number: one for one in podium.places} if podium else {}

    def place_of(entrant: ReleasedEntrant) -> CellValue:
        found = places.get(entrant.number)
        return message_in_both_languages(PODIUM_PLACE_WORDS[found.place]) if found else None

    return (*shown, RankingColumn(_("Podium"), place_of, 24))


def ranking_column_heads(released: ReleasedRanking) -> list[CellValue]:
    """Each head in both languages."""
    return [message_in_both_languages(column.head) for column in columns_of_released_ranking(released)]


def ranked_rows(released: ReleasedRanking) -> Iterator[list[CellValue]]:
    """One row an entrant, in the order of the ranking."""
    shown = columns_of_released_ranking(released)
    for entrant in released.ranking:
        yield [column.value(entrant) for column in shown]


def unranked_rows(released: ReleasedRanking) -> Iterator[list[CellValue]]:
    """Who has no rank: the number and the reason in both languages, no name."""
    for entry in released.content["unranked"]:
        row: list[CellValue] = [None] * len(columns_of_released_ranking(released))
        row[0] = message_in_both_languages(PUBLISHED_UNRANKED_WORDS[entry["because"]])
        row[2] = entrant_number_text(entry["number"])
        yield row
