"""Accounts of an event: added, given and taken roles, closed, given a new password or PIN. Every act says by whom.

An account may work at several events. What reaches beyond this one (password, closing) is done only by who is an
organiser at all of them, so that no event's organiser takes over another's. Initial passwords are answered once.
"""

import secrets
from collections.abc import Collection

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser, User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import Role
from tournament.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.models import Event, InitialPassword, Membership, RefereePin
from tournament.services import audit, open_sign_ins
from tournament.services.roles import claims, grant, has_say, suspend, take
from tournament.services.setup import create_account

# Neither 0 and o, 1, l and i: a password is read from a slip of paper.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP = 4, 4

PIN_LENGTHS = range(4, 9)
# Who opens a tablet, or takes it back from the players.
WITH_PIN = frozenset({Role.REFEREE, Role.CHIEF_JUDGE})
KEYPAD_WALKS = frozenset({"2580", "0852", "1470", "0741", "1397", "7913", "147258", "258369", "147258369"})
DIGITS = "01234567890"


def new_password() -> str:
    """79 bits in four groups, to be read aloud."""
    return "-".join("".join(secrets.choice(LETTERS) for _n in range(GROUP)) for _g in range(GROUPS))


def add_account(
    event: Event, *, username: str, name: str, roles: Collection[Role], by: AbstractUser
) -> tuple[User, str | None]:
    """An account with roles at the event, and its initial password; None: it was there and keeps its own."""
    if not roles:
        raise BadInput("no_role", _("Choose at least one role."))
    password = new_password()
    with transaction.atomic():
        user = create_account(event, username, password, name, sorted(roles), by)
        if not user.check_password(password):
            return user, None
        note_initial(user, by)
        return user, password


def note_initial(user: User, by: AbstractUser) -> None:
    """Somebody else knows this password: its owner makes an own one before anything else."""
    InitialPassword.objects.update_or_create(user=user, defaults={"given_by": by, "given_at": timezone.now()})


@transaction.atomic
def change_roles(
    event: Event, user: User, *, roles: Collection[str], seen: Collection[str], by: AbstractUser
) -> frozenset[str]:
    """Give and take until the account was given exactly these roles at the event; those it had before are answered.

    1. The event's row is locked: of two acts at once the second sees the first. 2. The same already: nothing to do.
    3. `seen` must still be so (StaleVersion `roles_changed`). 4. An event keeps an organiser who can sign in
    (`last_organiser`). 5. Rows and an audit entry for each role, new ones as `roles.grant` has it; with the last
    role that has a PIN goes the PIN.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    now = granted_roles(event, user)
    wanted = frozenset(roles)
    if now == wanted:
        return now
    if now != frozenset(seen):
        raise StaleVersion(
            "roles_changed", _("Somebody else changed these roles. See them as they stand, then repeat."), current=now
        )
    if Role.ORGANISER in now - wanted:
        keep_an_organiser(event, user)
    grant(event, user, wanted - now, by)
    for row in Membership.granted.filter(event=event, user=user, role__in=now - wanted).order_by("role"):
        take(row, by)
    if not wanted & WITH_PIN:
        RefereePin.objects.filter(event=event, user=user).delete()
    return now


def granted_roles(event: Event, user: User) -> frozenset[str]:
    """What it was given at the event, with what waits."""
    return frozenset(Membership.granted.filter(event=event, user=user).values_list("role", flat=True))


def roles_at(event: Event, user: User) -> frozenset[str]:
    """The account's roles in effect at the event."""
    return frozenset(Membership.objects.filter(event=event, user=user).values_list("role", flat=True))


def keep_an_organiser(event: Event, leaving: User) -> None:
    """Refuse to leave an event without an organiser who can sign in."""
    others = Membership.objects.filter(event=event, role=Role.ORGANISER, user__is_active=True).exclude(user=leaving)
    if not others.exists():
        raise Refused(
            "last_organiser", _("This is the last organiser of the event. Give somebody else the role first.")
        )


def refuse_other_events(user: User, by: AbstractUser) -> None:
    """Password and closing belong to who is an organiser wherever the account has accepted a role."""
    if user.is_staff and not by.is_staff:
        raise Forbidden(
            "staff_account", _("This account looks after the installation. Only such an account changes it.")
        )
    if not has_say(by, user):
        raise Forbidden(
            "other_event",
            _("This account also works at another event. Its organisers must do this, or you be one there."),
        )


def events_of_account(user: User) -> list[Event]:
    """Where it has accepted a role, locked in one order."""
    return list(
        Event.objects.select_for_update(no_key=True).filter(pk__in=claims(user, rehearsals=True)).order_by("pk")
    )


@transaction.atomic
def close_account(user: User, *, by: AbstractUser) -> None:
    """From now on nobody signs in with it, and whoever is signed in with it is out. Closed already: nothing to do.

    1. Its events are locked. 2. Not one's own; not another event's; not a last organiser's. 3. Compare-and-swap. 4. An
    audit entry at each event.
    """
    events = events_of_account(user)
    if user.pk == by.pk:
        raise Refused("own_account", _("This is your own account. Another organiser must close it."))
    refuse_other_events(user, by)
    for event in events:
        if Role.ORGANISER in roles_at(event, user):
            keep_an_organiser(event, user)
    switch(user, by, events, active=False, action="close_account")


@transaction.atomic
def reopen_account(user: User, *, by: AbstractUser) -> None:
    """It can sign in again with the password it had."""
    events = events_of_account(user)
    refuse_other_events(user, by)
    switch(user, by, events, active=True, action="reopen_account")


def switch(user: User, by: AbstractUser, events: list[Event], *, active: bool, action: str) -> None:
    """Open to closed or back, once."""
    if User.objects.filter(pk=user.pk, is_active=not active).update(is_active=active):
        for event in events:
            audit.record(event, by, action, f"account {user.pk}")
        if not active:
            open_sign_ins.end_all(user, by=by)
    user.is_active = active


@transaction.atomic
def end_sign_ins(user: User, *, by: AbstractUser) -> None:
    """Whoever is signed in with the account is out, its programs and opened tablets too; the password stays.

    Belongs, as the password does, to who is an organiser at all of its events. Again: nothing to do.
    """
    events_of_account(user)
    refuse_other_events(user, by)
    open_sign_ins.end_all(user, by=by)


@transaction.atomic
def reset_password(user: User, *, by: AbstractUser) -> str:
    """A new initial password, answered once; whoever is signed in with the account is out.

    1. Its events are locked. 2. Not one's own, nor another event's. 3. The password; its owner makes an own one at the
    next sign-in. 4. An audit entry at each event. 5. Where play has begun its roles wait (`roles.suspend`).
    """
    events = events_of_account(user)
    if user.pk == by.pk:
        raise Refused("own_account_password", _("This is your own account. Change its password on your own page."))
    refuse_other_events(user, by)
    password = new_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    note_initial(user, by)
    for event in events:
        audit.record(event, by, "reset_password", f"account {user.pk}")
    open_sign_ins.end_all(user, by=by)
    suspend(user, by)
    return password


def weak_pin(pin: str) -> bool:
    """Whether people try this PIN first: equal digits, a run, a pattern repeated or mirrored, a year, a walk."""
    repeated = any(pin == pin[:n] * (len(pin) // n) for n in range(1, len(pin) // 2 + 1) if len(pin) % n == 0)
    run = pin in DIGITS or pin in DIGITS[::-1]
    pairs = len(pin) % 2 == 0 and all(pin[n] == pin[n + 1] for n in range(0, len(pin), 2))
    year = len(pin) == 4 and "1900" <= pin <= "2099"
    return repeated or run or pairs or year or pin == pin[::-1] or pin in KEYPAD_WALKS


@transaction.atomic
def set_pin(event: Event, user: User, *, pin: str, by: AbstractUser) -> None:
    """A referee's or chief judge's PIN at this event; only its hash is kept. The same again: another hash of it, and an
    entry.

    Whoever sets another's PIN could open a tablet in that name: once play has begun the release page names it
    (queries/roles_given.py).

    Refused: `not_a_referee`, `pin_form` (4 to 8 digits), `pin_weak`.
    """
    if not roles_at(event, user) & WITH_PIN:
        raise Refused("not_a_referee", _("Only a referee or chief judge of this event has a PIN."))
    if not (pin.isascii() and pin.isdigit() and len(pin) in PIN_LENGTHS):
        raise BadInput("pin_form", _("A PIN has 4 to 8 digits."))
    if weak_pin(pin):
        raise BadInput("pin_weak", _("This PIN is one that is tried first, such as 0000 or 1234. Choose another."))
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    RefereePin.objects.update_or_create(
        event=event, user=user, defaults={"hash": make_password(pin), "set_at": timezone.now()}
    )
    audit.record(event, by, "set_pin", f"account {user.pk}")


def pin_matches(event: Event, user: User, pin: str) -> bool:
    """Whether this is the referee's PIN at this event; no PIN matches nothing, and takes as long."""
    kept = RefereePin.objects.filter(event=event, user=user, user__is_active=True).first()
    return check_password(pin, kept.hash if kept else make_password(None)) and kept is not None


@transaction.atomic
def create_organiser(username: str, name: str = "") -> tuple[User, str | None]:
    """The first account of an installation: it may make events. One that is there keeps its password; None then."""
    user, made = User.objects.get_or_create(username=username, defaults={"first_name": name, "is_staff": True})
    if not made:
        User.objects.filter(pk=user.pk).update(is_staff=True)
        return user, None
    password = new_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return user, password


@transaction.atomic
def change_own_password(user: AbstractUser, password: str, *, here: str | None = None) -> None:
    """The account's own hand, which has shown that it knows the old one: an entry at each of its events.

    What the old password opened ends: every session but the one with the key `here`, tokens, opened tablets.
    """
    events = events_of_account(user)
    user.set_password(password)
    user.save(update_fields=["password"])
    InitialPassword.objects.filter(user=user).delete()
    open_sign_ins.end_all(user, by=user, but=here)
    for event in events:
        audit.record(event, user, "change_own_password", f"account {user.pk}")
