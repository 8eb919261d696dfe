"""Whose hands a tablet is in: opened by a referee's PIN, locked, handed out to sign, taken back (Z6, Z7).

A PIN and what it hashes to stay out of every kept request: none of these acts has its answer stored. Each is harmless
when sent twice.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.errors import Forbidden, Refused, TooManyRequests
from tournament.devices import queries
from tournament.devices.models.device import Device, PinTry, Unlock
from tournament.devices.services.pins import pin_matches
from tournament.tables.models import Table

# Seconds to wait after the third wrong PIN, the fourth, each further one: slowed, never locked. At so many the log and
# the desk are told.
PIN_FREE_TRIES, PIN_DELAYS_SECONDS = 2, (5, 15, 60)
PIN_TRIES_UNTIL_DESK = 10

# A row holds no larger number.
PIN_WRONG_COUNT_MAX = 32767

PIN_WRONG = _("This is not the PIN of this referee.")
PIN_LOCKED = _("Wrong PINs. This referee waits %(wait)s seconds at this tablet; the desk can unlock it at once.")
PIN_NOT_TYPED = _("Type your PIN first.")
TABLET_AT_OTHER_TABLE = _("The players of another table hold this tablet. Take it back first.")


LockedSpanTimes = tuple[datetime, datetime]


def open_tablet_with_pin(
    device: Device,
    referee: int,
    pin: str,
    now: datetime | None = None,
    locked: Sequence[LockedSpanTimes] = (),
    clock: datetime | None = None,
) -> None:
    """Open the tablet in this referee's name. 403 `pin_wrong`; 429 `pin_locked` while it waits after wrong ones.

    A PIN has four digits, so that a right one too waits for that short time; after it, it always opens.

    A referee of another event, one without a PIN and a wrong PIN are refused alike.
    `locked`: from when to when the tablet was locked, as it knows itself; `clock`: what its clock shows now. What was
    made in such a span is held also after this.
    """
    now = now or timezone.now()
    if not check_pin(device, referee, pin, now):
        raise Forbidden("pin_wrong", PIN_WRONG)
    with transaction.atomic():
        spans = list(locked)
        since = Device.objects.values_list("locked_at", flat=True).get(pk=device.pk)
        if not spans and since is not None and clock is not None:
            spans = [(since, clock)]
        told = [[begin.isoformat(), end.isoformat()] for begin, end in spans]
        Unlock.objects.create(device=device, referee_id=referee, at=now, locked=told)
        Device.objects.filter(pk=device.pk).update(opened_by=referee, locked_at=None)
        person = User.objects.get(pk=referee)
        services.append_audit_entry(device.event, person, "open_tablet", f"tablet {device.number}", at=now)


@transaction.atomic
def check_pin(device: Device, referee: int, pin: str, now: datetime) -> bool:
    """Whether it is the PIN; a wrong one is counted, whoever asks at the same time (the row is the lock)."""
    person = next((one for one in queries.tablet_referees(device.event) if one.pk == referee), None)
    if person is None:
        return False
    PinTry.objects.get_or_create(device=device, referee=person)
    tries = PinTry.objects.select_for_update(no_key=True).get(device=device, referee=person)
    if tries.locked_until and tries.locked_until > now:
        raise TooManyRequests("pin_locked", PIN_LOCKED, math.ceil((tries.locked_until - now).total_seconds()))
    if pin_matches(device.event, person, pin):
        tries.wrong, tries.locked_until = 0, None
        tries.save(update_fields=["wrong", "locked_until"])
        return True
    tries.wrong = min(tries.wrong + 1, PIN_WRONG_COUNT_MAX)
    tries.locked_until = now + pin_delay(tries.wrong) if tries.wrong > PIN_FREE_TRIES else None
    tries.save(update_fields=["wrong", "locked_until"])
    if tries.wrong == PIN_TRIES_UNTIL_DESK:
        services.append_audit_entry(
            device.event, None, "lock_pin", f"tablet {device.number}", reason=f"account {referee}", at=now
        )
    return False


def pin_delay(wrong: int) -> timedelta:
    """How long a referee waits after so many wrong PINs at one tablet."""
    return timedelta(
        seconds=PIN_DELAYS_SECONDS[min(wrong - PIN_FREE_TRIES, len(PIN_DELAYS_SECONDS)) - 1]
        if wrong > PIN_FREE_TRIES
        else 0
    )


@transaction.atomic
def lift_pin(device: Device, *, by: User, now: datetime | None = None) -> None:
    """The desk lets a tablet's PINs be typed at once. None was wrong: nothing is written.

    1. The wrong tries are forgotten. 2. The audit entry.
    """
    if PinTry.objects.filter(device=device, wrong__gt=0).update(wrong=0, locked_until=None):
        services.append_audit_entry(device.event, by, "unlock_pin", f"tablet {device.number}", at=now)


def was_locked(device: Device, made_at: datetime) -> bool:
    """Whether nobody had the tablet open at this moment of its own clock."""
    locked = Device.objects.filter(pk=device.pk, opened_by=None, locked_at__lt=made_at)
    if locked.exists():
        return True
    spans = chain.from_iterable(Unlock.objects.filter(device=device).values_list("locked", flat=True))
    return any(datetime.fromisoformat(begin) < made_at < datetime.fromisoformat(end) for begin, end in spans)


def lock_tablet(device: Device, at: datetime | None = None) -> None:
    """Nobody's until a PIN is typed. `at`: when that was by the tablet's own clock, which its items are dated by. Of a
    tablet that is locked already the earlier moment holds."""
    at = at or timezone.now()
    later = Q(locked_at=None) | Q(locked_at__gt=at) | Q(opened_by__isnull=False)
    Device.objects.filter(later, pk=device.pk).update(opened_by=None, locked_at=at)


@transaction.atomic
def hand_out_tablet(device: Device, table: Table, now: datetime | None = None) -> None:
    """The players of this table hold it: from now on it signs and disputes, and nothing else. Again: nothing."""
    if device.opened_by is None:
        raise Forbidden("pin_needed", PIN_NOT_TYPED)
    if Device.objects.filter(pk=device.pk, handed_out=None).update(handed_out=table):
        subject, reason = f"tablet {device.number}", f"table {table.number}"
        services.append_audit_entry(device.event, device.opened_by, "hand_out_tablet", subject, reason=reason, at=now)
    elif Device.objects.values_list("handed_out_id", flat=True).get(pk=device.pk) != table.pk:
        raise Refused("handed_out_elsewhere", TABLET_AT_OTHER_TABLE, about=device)


def take_back_tablet(
    device: Device,
    referee: int,
    pin: str,
    now: datetime | None = None,
    locked: Sequence[LockedSpanTimes] = (),
    clock: datetime | None = None,
) -> None:
    """The referee has it again, with the PIN. Again: nothing."""
    open_tablet_with_pin(device, referee, pin, now, locked, clock)
    with transaction.atomic():
        if Device.objects.filter(pk=device.pk, handed_out__isnull=False).update(handed_out=None):
            person = User.objects.get(pk=referee)
            services.append_audit_entry(device.event, person, "take_back_tablet", f"tablet {device.number}", at=now)
