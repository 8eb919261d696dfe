"""The tablet at the table: its pages, its outbox and what waits for a person.

Owns: pairing, packages in any order, held submissions, notes on conduct, the tablet's API.
Offers: notes on conduct and held submissions, for the desk; the rules that a page at a table may ask.
It must never trust a tablet's clock, or lose an item of its outbox.
"""

OFFERS = (
    "api.conduct",
    "api.pairing",
    "api.sheets",
    "queries.conduct",
    "services.bodies",
    "templatetags.devices",
    "views.ice",
)
