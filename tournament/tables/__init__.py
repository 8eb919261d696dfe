"""Draws, tables, seats and the papers printed for them.

Owns: Draw, Table, Seat, PrintedPaper and how the rules' values become these rows.
Offers: who sits where, which paper is usable, a session as the API finds it.
It must never draw or move anybody: that is `seating`.
"""

OFFERS = (
    "api",
    "domain",
    "models",
    "queries.papers",
    "queries.seating",
    "services",
)
