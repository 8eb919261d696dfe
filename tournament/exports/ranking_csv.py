"""The ranking as CSV: what it is first, then an empty line, then heads and rows."""

from tournament.exports.cells import csv_file
from tournament.exports.ranking_columns import heads, ranked_rows, unranked_rows
from tournament.exports.released import ReleasedRanking


def ranking_csv(released: ReleasedRanking) -> bytes:
    """UTF-8 with a byte order mark and CRLF."""
    return csv_file([*released.facts, [], heads(), *ranked_rows(released), *unranked_rows(released)])
