"""The list of finalists, their invitations and their places.

Owns: the fixed list, private links, answers, reserves called up, places after a release.
Offers: invitations and the fixed list, for mail and set-up.
It must never give a place that the released ranking does not give.
"""

OFFERS = (
    "api",
    "domain.release_places",
    "queries",
    "services.finalists",
    "services.invitations",
    "services.release_places",
)
