"""Weather: signals, the rule's proposal, a person's decision, postponing.

Owns: the journal of signals, decisions on a day, sessions held back and replayed.
Offers: a day's plan and state, postponing, for mail and the overview.
It must never decide by itself: the rule proposes, a person decides (R50-R55).
"""

OFFERS = (
    "api.postponing",
    "api.weather",
    "domain.weather",
    "models",
    "services.postponing",
    "services.postponing_times",
    "services.weather",
    "tasks",
    "templatetags.weather",
    "views.feed",
)
