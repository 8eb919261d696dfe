"""The accounts of an event with their roles."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Prefetch, Q

from tournament.enums import Role
from tournament.models import AuditEntry, Event, InitialPassword, Membership, RefereePin


def accounts_of(event: Event) -> list[User]:
    """Everyone with a role at the event, by user name: two queries.

    Each with `roles_here` (Role, in the order of the enum), `waiting` (those of its roles here that are not in effect),
    `has_pin`, and `elsewhere` (whether it works at another event too).
    """
    own = Prefetch("memberships", queryset=Membership.granted.filter(event=event), to_attr="held_here")
    rows = User.objects.filter(Exists(Membership.granted.filter(event=event, user=OuterRef("pk"))))
    found = rows.prefetch_related(own).annotate(
        has_pin=Exists(RefereePin.objects.filter(event=event, user=OuterRef("pk"))),
        elsewhere=Exists(Membership.objects.filter(user=OuterRef("pk")).exclude(event=event)),
    )
    return list(with_roles(found.order_by("username")))


def with_roles(found: Iterator[User]) -> Iterator[User]:
    """Their roles in the order of the enum."""
    for user in found:
        held = {membership.role for membership in user.held_here if membership.in_effect}
        user.roles_here = [role for role in Role if role in held]
        user.waiting = [membership for membership in user.held_here if not membership.in_effect]
        yield user


def account_of(event: Event, account: int) -> User | None:
    """One account of the event as `accounts_of` has it; None: nobody of this event."""
    return next((user for user in accounts_of(event) if user.pk == account), None)


def entries_about(event: Event, account: int) -> list[AuditEntry]:
    """What was done to the account at this event, the newest first."""
    thing = f"account {account}"
    rows = AuditEntry.objects.filter(Q(thing=thing) | Q(thing__startswith=f"{thing} "), event=event)
    return list(rows.select_related("actor").order_by("-seq")[:50])


def has_initial_password(user: User) -> bool:
    """Whether somebody else gave the account the password that it has."""
    return InitialPassword.objects.filter(user=user.pk).exists()
