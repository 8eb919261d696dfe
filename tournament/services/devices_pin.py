"""Whose hands a tablet is in: opened by a referee's PIN, locked, handed out to sign, taken back (Z6, Z7).

A PIN and what it hashes to stay out of every kept request: none of these acts has its answer stored. Each is harmless
when sent twice.
"""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.errors import Forbidden, Refused, TooMany
from tournament.models import Device, PinTry, Table, Unlock
from tournament.queries import devices as queries
from tournament.services import audit
from tournament.services.accounts import pin_matches

WRONG, LOCKED_FOR = 5, timedelta(minutes=15)

PIN_WRONG = _("This is not the PIN of this referee.")
PIN_LOCKED = _("Five wrong PINs. This referee waits %(wait)s seconds at this tablet.")
PIN_NEEDED = _("Type your PIN first.")
OTHER_TABLE = _("The players of another table hold this tablet. Take it back first.")


def open_with(device: Device, referee: int, pin: str, now: datetime | None = None) -> None:
    """Open the tablet in this referee's name. 403 `pin_wrong`, 429 `pin_locked` after five within reach.

    A referee of another event, one without a PIN and a wrong PIN are refused alike.
    """
    now = now or timezone.now()
    if not matches(device, referee, pin, now):
        raise Forbidden("pin_wrong", PIN_WRONG)
    with transaction.atomic():
        last = Unlock.objects.filter(device=device).order_by("-id").first()
        Unlock.objects.create(device=device, referee_id=referee, at=now)
        Device.objects.filter(pk=device.pk).update(opened_by=referee)
        if last is None or last.referee_id != referee:
            person = User.objects.get(pk=referee)
            audit.record(device.event, person, "open_tablet", f"tablet {device.number}", at=now)


@transaction.atomic
def matches(device: Device, referee: int, pin: str, now: datetime) -> bool:
    """Whether it is the PIN; a wrong one is counted, whoever asks at the same time (the row is the lock)."""
    person = next((one for one in queries.referees(device.event) if one.pk == referee), None)
    if person is None:
        return False
    PinTry.objects.get_or_create(device=device, referee=person)
    tries = PinTry.objects.select_for_update().get(device=device, referee=person)
    if tries.locked_until and tries.locked_until > now:
        raise TooMany("pin_locked", PIN_LOCKED, max(1, round((tries.locked_until - now).total_seconds())))
    if pin_matches(device.event, person, pin):
        tries.wrong, tries.locked_until = 0, None
        tries.save(update_fields=["wrong", "locked_until"])
        return True
    tries.wrong += 1
    if tries.wrong >= WRONG:
        tries.wrong, tries.locked_until = 0, now + LOCKED_FOR
        audit.record(device.event, None, "lock_pin", f"tablet {device.number}", reason=f"account {referee}", at=now)
    tries.save(update_fields=["wrong", "locked_until"])
    return False


def lock(device: Device) -> None:
    """Nobody's until a PIN is typed."""
    Device.objects.filter(pk=device.pk).update(opened_by=None)


@transaction.atomic
def hand_out(device: Device, table: Table, now: datetime | None = None) -> None:
    """The players of this table hold it: from now on it signs and disputes, and nothing else. Again: nothing."""
    if device.opened_by is None:
        raise Forbidden("pin_needed", PIN_NEEDED)
    if Device.objects.filter(pk=device.pk, handed_out=None).update(handed_out=table):
        thing, reason = f"tablet {device.number}", f"table {table.number}"
        audit.record(device.event, device.opened_by, "hand_out_tablet", thing, reason=reason, at=now)
    elif Device.objects.values_list("handed_out_id", flat=True).get(pk=device.pk) != table.pk:
        raise Refused("handed_out_elsewhere", OTHER_TABLE, about=device)


def take_back(device: Device, referee: int, pin: str, now: datetime | None = None) -> None:
    """The referee has it again, with the PIN. Again: nothing."""
    open_with(device, referee, pin, now)
    with transaction.atomic():
        if Device.objects.filter(pk=device.pk, handed_out__isnull=False).update(handed_out=None):
            person = User.objects.get(pk=referee)
            audit.record(device.event, person, "take_back_tablet", f"tablet {device.number}", at=now)
