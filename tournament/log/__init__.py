"""The audit log as people read it.

Owns: its page, its API and its filters.
Offers: the words of an entry for other pages.
It must never parse a sentence: an entry is shown from its payload and the table of acts.
"""

OFFERS = (
    "api",
    "templatetags.audit",
)
