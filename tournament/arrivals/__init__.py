"""Who came to a session and when, what was seen at its door, and who did not come.

Owns: Arrival, DoorCheck, Forfeiture; the desk's page of arrivals.
Offers: its rows, for what is held of a person and for what an erasure looks through.
It must never drop an arrival: of two facts that disagree both are kept, and a person decides.
"""

OFFERS = ("models",)
