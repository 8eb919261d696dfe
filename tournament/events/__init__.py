"""An event, its stages and its sessions as pages and services find them.

Owns: SessionMove, the rules of a stage as values, the order of a final's rounds.
Offers: reads of stages and sessions, 404 for what an address does not find, a stage's ruleset.
It must never set anything up: that is `setup`, which comes later because it locks what play rests on.
"""

OFFERS = (
    "api",
    "domain",
    "exports",
    "forms",
    "models",
    "queries",
    "templatetags.rounds",
    "views",
)
