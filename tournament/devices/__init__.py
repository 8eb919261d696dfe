"""Paired tablets, their sign-ins and the PINs of referees.

Owns: Device, RefereePin, SafePoint, who acts through which tablet.
Offers: the account behind a request of a tablet, PINs, what no sheet holds yet.
It must never know what a tablet sends: that is `tablets`.
"""

OFFERS = (
    "domain",
    "models.backup_point",
    "models.device",
    "models.pin",
    "queries",
    "services.acting",
    "services.devices",
    "services.epochs",
    "services.open_sign_ins",
    "services.pin",
    "services.pins",
)
