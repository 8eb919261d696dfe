"""An event made, changed, copied and rehearsed.

Owns: the plan of sessions, rules of a stage, later stages and their addresses, rehearsals.
Offers: making an event and a later stage, for the demo and commands.
It must never change what play rests on once it has begun.
"""

OFFERS = (
    "api",
    "forms.rules",
    "forms.setup",
    "queries",
    "services.changes",
    "services.later_stage",
    "services.plan",
    "services.rehearsal",
    "services.setup",
    "views.later_stage",
    "views.setup",
)
