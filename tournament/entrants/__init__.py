"""Entrants and persons, and how a list of them is read and written.

Owns: Person, Entrant, EntrantFile, the places in a later stage; readers of xlsx and CSV.
Offers: reads of entrants, namesakes, dates, phones, strokes; the list as a file.
It must never change an entrant: that is `registration`. Keep an identity-card number (PDPO).
"""

OFFERS = (
    "exports.entrant_faults",
    "exports.entrant_template",
    "exports.entrant_values",
    "exports.file",
    "models.final",
    "models.importing",
    "models.people",
    "queries.entrant_values",
    "queries.entrants",
    "queries.finalists",
    "readers.characters",
    "readers.columns",
    "readers.date_order",
    "readers.dates",
    "readers.entrants",
    "readers.faults",
    "readers.grid",
    "readers.identity",
    "readers.namesakes",
    "readers.ordinary_words",
    "readers.school_names",
    "readers.sessions",
    "readers.strokes",
    "readers.tables",
    "readers.text_letters",
    "services",
)
