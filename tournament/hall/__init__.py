"""The hall: one clock for everybody in it.

Owns: Announcement, TableCall, the page for projector and phones, what it says of sessions and tables.
Offers: its rows, for erasure; later rooms lead to its addresses.
It must never show what is not public: no name, no result, no reason.
"""

OFFERS = ("models",)
