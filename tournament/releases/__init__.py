"""Released rankings as frozen rows.

Owns: Release and its digest.
Offers: the releases in force.
It must never compute a ranking, or change a row once it is numbered.
"""

OFFERS = (
    "models",
    "queries",
)
