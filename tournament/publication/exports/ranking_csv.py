"""The ranking as CSV: what it is first, then an empty line, then heads and rows."""

from tournament.core.cells import csv_file
from tournament.publication.exports.podium import podium_label_values
from tournament.publication.exports.ranking_columns import ranked_rows, ranking_column_heads, unranked_rows
from tournament.publication.exports.released import ReleasedRanking


def ranking_csv(released: ReleasedRanking) -> bytes:
    """UTF-8 with a byte order mark and CRLF."""
    about = [*released.facts, *podium_label_values(released)]
    return csv_file([*about, [], ranking_column_heads(released), *ranked_rows(released), *unranked_rows(released)])
