"""The ranking of a stage, computed from official sheets when asked.

Owns: the live ranking, ties and how they were decided, how people qualify.
Offers: the ranking as values, reasons for a rank, tables still open.
It must never store a rank, or break a tie in silence.
"""

OFFERS = (
    "api",
    "domain.grounds_ranking",
    "domain.qualifying",
    "domain.rounds",
    "domain.standings",
    "domain.tie_breaks",
    "exports.picture",
    "exports.words",
    "models.lots",
    "models.tie_break",
    "queries.lots",
    "queries.open_stages",
    "queries.open_tables",
    "queries.standings",
)
