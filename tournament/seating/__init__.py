"""Seats drawn, moved, printed and shown on the wall.

Owns: plans of a draw, checks before it is confirmed, the room, the seating list.
Offers: drawing and moving seats, for set-up and registration.
It must never draw with a seed that is not in the log.
"""

OFFERS = (
    "api",
    "services.moves",
    "services.plans",
    "services.print",
    "services.seating",
)
