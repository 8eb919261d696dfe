"""PINs of referees and chief judges for tablets: set, refused when weak, compared in constant time."""

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.enums import Role
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.queries.roles import roles_at
from tournament.devices.models.pin import RefereePin

PIN_LENGTHS = range(4, 9)
# Who opens a tablet, or takes it back from the players.
ROLES_WITH_PIN = frozenset({Role.REFEREE, Role.CHIEF_JUDGE})
KEYPAD_WALKS = frozenset({"2580", "0852", "1470", "0741", "1397", "7913", "147258", "258369", "147258369"})
PIN_RUN_DIGITS = "01234567890"


def weak_pin(pin: str) -> bool:
    """Whether people try this PIN first: equal digits, a run, a pattern repeated or mirrored, a year, a walk."""
    repeated = any(pin == pin[:n] * (len(pin) // n) for n in range(1, len(pin) // 2 + 1) if len(pin) % n == 0)
    run = pin in PIN_RUN_DIGITS or pin in PIN_RUN_DIGITS[::-1]
    pairs = len(pin) % 2 == 0 and all(pin[n] == pin[n + 1] for n in range(0, len(pin), 2))
    year = len(pin) == 4 and "1900" <= pin <= "2099"
    return repeated or run or pairs or year or pin == pin[::-1] or pin in KEYPAD_WALKS


@transaction.atomic
def set_pin(event: Event, user: User, *, pin: str, by: User) -> None:
    """A referee's or chief judge's PIN at this event; only its hash is kept. The same again: another hash of it, and an
    entry.

    Whoever sets another's PIN could open a tablet in that name: once play has begun the release page names it
    (accounts/queries/roles_given.py).

    Refused: `not_a_referee`, `pin_form` (4 to 8 digits), `pin_weak`.
    """
    if not roles_at(event, user) & ROLES_WITH_PIN:
        raise Refused("not_a_referee", _("Only a referee or chief judge of this event has a PIN."))
    if not (pin.isascii() and pin.isdigit() and len(pin) in PIN_LENGTHS):
        raise BadInput("pin_form", _("A PIN has 4 to 8 digits."))
    if weak_pin(pin):
        raise BadInput("pin_weak", _("This PIN is one that is tried first, such as 0000 or 1234. Choose another."))
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    RefereePin.objects.update_or_create(
        event=event, user=user, defaults={"hash": make_password(pin), "set_at": timezone.now()}
    )
    services.append_audit_entry(event, by, "set_pin", f"account {user.pk}")


def pin_matches(event: Event, user: User, pin: str) -> bool:
    """Whether this is the referee's PIN at this event; no PIN matches nothing, and takes as long."""
    kept = RefereePin.objects.filter(event=event, user=user, user__is_active=True).first()
    return check_password(pin, kept.hash if kept else make_password(None)) and kept is not None
