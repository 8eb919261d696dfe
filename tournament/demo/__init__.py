"""The made-up tournament, brought to any stage of its day through the services that pages call.

Owns: its plan, its players and how they play.
Offers: `events`, `stages` and `accounts`, for commands.
It must never be imported by the product.
"""

OFFERS = (
    "accounts",
    "events",
    "stages",
)
