"""The turn timer of a table: a page for any phone, without account or network, and the sheet of how to use it.

Owns: the page /timer/, alone or by an event's rules, its service worker, its sheet.
Offers: nothing.
It must never record anything, or send anything anywhere.
"""

OFFERS = ()
