"""Accounts of an event: added, given and taken roles, closed, given a new password or PIN. Every act says by whom.

An account may work at several events. What reaches beyond this one (password, closing) is done only by who is an
organiser at all of them, so that no event's organiser takes over another's. Initial passwords are answered once.
"""

import secrets
from collections.abc import Collection, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.services.roles import (
    events_with_say,
    grant_roles,
    has_say_over_account,
    revoke_role,
    suspend_roles,
)
from tournament.audit import services
from tournament.core.enums import Role
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event, InitialPassword, Membership
from tournament.core.models.recorded import noting
from tournament.core.queries.roles import roles_at
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import open_sign_ins
from tournament.devices.services.pins import ROLES_WITH_PIN

# Neither 0 and o, 1, l and i: a password is read from a slip of paper.
PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSWORD_GROUPS, PASSWORD_GROUP_LENGTH = 4, 4


def new_password() -> str:
    """79 bits in four groups, to be read aloud."""
    return "-".join(
        "".join(secrets.choice(PASSWORD_LETTERS) for _n in range(PASSWORD_GROUP_LENGTH))
        for _g in range(PASSWORD_GROUPS)
    )


def add_account(
    event: Event, *, username: str, name: str, roles: Collection[Role], by: User
) -> tuple[User, str | None]:
    """An account with roles at the event, and its initial password; None: it was there and keeps its own."""
    if not roles:
        raise BadInput("no_role", _("Choose at least one role."))
    password = new_password()
    with transaction.atomic():
        user = create_account(event, username, password, name, sorted(roles), by)
        return user, password if user.check_password(password) else None


@transaction.atomic
def change_roles(
    event: Event, user: User, *, roles: Collection[str], seen: Collection[str], by: User
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
        require_remaining_organiser(event, user)
    if not wanted & ROLES_WITH_PIN:
        RefereePin.objects.filter(event=event, user=user).delete()
    grant_roles(event, user, wanted - now, by)
    for row in Membership.granted.filter(event=event, user=user, role__in=now - wanted).order_by("role"):
        revoke_role(row, by)
    return now


def granted_roles(event: Event, user: User) -> frozenset[str]:
    """What it was given at the event, with what waits."""
    return frozenset(Membership.granted.filter(event=event, user=user).values_list("role", flat=True))


def require_remaining_organiser(event: Event, leaving: User) -> None:
    """Refuse to leave an event without an organiser who can sign in."""
    others = Membership.objects.filter(event=event, role=Role.ORGANISER, user__is_active=True).exclude(user=leaving)
    if not others.exists():
        raise Refused(
            "last_organiser", _("This is the last organiser of the event. Give somebody else the role first.")
        )


def require_organiser_everywhere(user: User, by: User) -> None:
    """Password and closing belong to who is an organiser wherever the account has accepted a role."""
    if user.is_staff and not by.is_staff:
        raise Forbidden(
            "staff_account", _("This account looks after the installation. Only such an account changes it.")
        )
    if not has_say_over_account(by, user):
        raise Forbidden(
            "other_event",
            _("This account also works at another event. Its organisers must do this, or you be one there."),
        )


def events_of_account(user: User) -> list[Event]:
    """Where it has accepted a role, locked in one order."""
    return list(
        Event.objects.select_for_update(no_key=True)
        .filter(pk__in=events_with_say(user, rehearsals=True))
        .order_by("pk")
    )


@transaction.atomic
def close_account(user: User, *, by: User) -> None:
    """From now on nobody signs in with it, and whoever is signed in with it is out. Closed already: nothing to do.

    1. Its events are locked. 2. Not one's own; not another event's; not a last organiser's. 3. Compare-and-swap. 4. An
    audit entry at each event.
    """
    events = events_of_account(user)
    if user.pk == by.pk:
        raise Refused("own_account", _("This is your own account. Another organiser must close it."))
    require_organiser_everywhere(user, by)
    for event in events:
        if Role.ORGANISER in roles_at(event, user):
            require_remaining_organiser(event, user)
    set_account_active(user, by, events, active=False, action="close_account")


@transaction.atomic
def reopen_account(user: User, *, by: User) -> None:
    """It can sign in again with the password it had."""
    events = events_of_account(user)
    require_organiser_everywhere(user, by)
    set_account_active(user, by, events, active=True, action="reopen_account")


def set_account_active(user: User, by: User, events: list[Event], *, active: bool, action: str) -> None:
    """Open to closed or back, once."""
    with noting(user):
        switched = User.objects.filter(pk=user.pk, is_active=not active).update(is_active=active)
    if switched:
        for event in events:
            services.append_audit_entry(event, by, action, f"account {user.pk}")
        if not active:
            open_sign_ins.end_all_sign_ins(user, by=by)
    user.is_active = active


def set_password(user: User, password: str) -> None:
    """Another password, for the entries that follow."""
    user.set_password(password)
    with noting(user):
        user.save(update_fields=["password"])


@transaction.atomic
def end_sign_ins(user: User, *, by: User) -> None:
    """Whoever is signed in with the account is out, its programs and opened tablets too; the password stays.

    Belongs, as the password does, to who is an organiser at all of its events. Again: nothing to do.
    """
    events_of_account(user)
    require_organiser_everywhere(user, by)
    open_sign_ins.end_all_sign_ins(user, by=by)


@transaction.atomic
def reset_password(user: User, *, by: User) -> str:
    """A new initial password, answered once; whoever is signed in with the account is out.

    1. Its events are locked. 2. Not one's own, nor another event's. 3. The password; its owner makes an own one at the
    next sign-in. 4. An audit entry at each event. 5. Where play has begun its roles wait (`roles.suspend`).
    """
    events = events_of_account(user)
    if user.pk == by.pk:
        raise Refused("own_account_password", _("This is your own account. Change its password on your own page."))
    require_organiser_everywhere(user, by)
    password = new_password()
    set_password(user, password)
    mark_initial_password(user, by)
    for event in events:
        services.append_audit_entry(event, by, "reset_password", f"account {user.pk}")
    open_sign_ins.end_all_sign_ins(user, by=by)
    suspend_roles(user, by)
    return password


@transaction.atomic
def create_organiser(username: str, name: str = "") -> tuple[User, str | None]:
    """The first account of an installation: it may make events. One that is there keeps its password; None then."""
    user, made = User.objects.get_or_create(username=username, defaults={"first_name": name, "is_staff": True})
    if not made:
        with noting(user):
            User.objects.filter(pk=user.pk).update(is_staff=True)
        for event in events_of_account(user):
            services.append_audit_entry(event, None, "make_staff", f"account {user.pk}")
        return user, None
    password = new_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return user, password


@transaction.atomic
def change_own_password(user: User, password: str, *, here: str | None = None) -> None:
    """The account's own hand, which has shown that it knows the old one: an entry at each of its events.

    What the old password opened ends: every session but the one with the key `here`, tokens, opened tablets.
    """
    events = events_of_account(user)
    set_password(user, password)
    InitialPassword.objects.filter(user=user).delete()
    open_sign_ins.end_all_sign_ins(user, by=user, but=here)
    for event in events:
        services.append_audit_entry(event, user, "change_own_password", f"account {user.pk}")


@transaction.atomic
def set_password_at_machine(user: User, password: str) -> None:
    """Typed by somebody at the machine; what the old password opened ends, with an entry at each of its events."""
    events_of_account(user)
    set_password(user, password)
    open_sign_ins.end_all_sign_ins(user, by=None, always=True)


@transaction.atomic
def create_account(
    event: Event, username: str, password: str, name: str, roles: Sequence[Role], by: User | None = None
) -> User:
    """An account with these roles at the event; one that exists keeps its password and gains the roles it lacks.

    Given by the program they are in effect; given by an account, as `grant_roles` has it, and its password is an
    initial one.
    """
    user, made = User.objects.get_or_create(username=username, defaults={"first_name": name})
    if made:
        user.set_password(password)
        user.save(update_fields=["password"])
    if made and by is not None:
        mark_initial_password(user, by)
    grant_roles(event, user, roles, by)
    return user


def mark_initial_password(user: User, by: User) -> None:
    """Somebody else knows this password: its owner makes an own one before anything else."""
    InitialPassword.objects.update_or_create(user=user, defaults={"given_by": by, "given_at": timezone.now()})
