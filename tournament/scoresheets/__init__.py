"""The desk's side of a sheet: board, typing, certifying, corrections.

Owns: corrections of official sheets and their second person, readiness, the pages and API of sheets.
Offers: corrections and their reads, `readiness`.
It must never correct a sheet without keeping the version before.
"""

OFFERS = (
    "api.corrections",
    "api.double_entry",
    "api.scoresheets",
    "models",
    "views.clock_shown",
)
