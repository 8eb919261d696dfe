"""The ranking as CSV: what it is first, then an empty line, then heads and rows."""

from tournament.exports.cells import csv_file
from tournament.exports.ranking_columns import heads, ranked_rows, unranked_rows
from tournament.exports.released import ReleasedRanking
from tournament.exports.released_podium import podium_facts


def ranking_csv(released: ReleasedRanking) -> bytes:
    """UTF-8 with a byte order mark and CRLF."""
    about = [*released.facts, *podium_facts(released)]
    return csv_file([*about, [], heads(released), *ranked_rows(released), *unranked_rows(released)])
