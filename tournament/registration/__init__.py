"""Entrants imported, entered, changed, withdrawn.

Owns: imports with their preview, changes of an entrant and what they affect, families.
Offers: importing and registering, for set-up and the demo.
It must never guess a date, an encoding or a person.
"""

OFFERS = (
    "api",
    "services.changes",
    "services.importing",
    "services.importing_dates",
    "services.importing_names",
    "services.importing_preview",
    "services.importing_second",
    "services.seating_leaving",
    "services.second",
    "tasks",
    "views.importing",
)
