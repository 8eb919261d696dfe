"""The accounts of an event with their roles."""

from typing import Annotated, TypedDict, cast

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Prefetch, Q
from django_stubs_ext import Annotations

from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event, InitialPassword, Membership
from tournament.devices.models.pin import RefereePin


class RolesHere(TypedDict):
    """What `accounts_of` reads with each account."""

    held_here: list[Membership]
    roles_here: list[Role]
    waiting: list[Membership]
    has_pin: bool
    elsewhere: bool


def accounts_of(event: Event) -> list[Annotated[User, Annotations[RolesHere]]]:
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
    accounts = cast(list[Annotated[User, Annotations[RolesHere]]], list(found.order_by("username")))
    for user in accounts:
        held = {membership.role for membership in user.held_here if membership.in_effect}
        user.roles_here = [role for role in Role if role in held]
        user.waiting = [membership for membership in user.held_here if not membership.in_effect]
    return accounts


def account_at_event(event: Event, account: int) -> Annotated[User, Annotations[RolesHere]] | None:
    """One account of the event as `accounts_of` has it; None: nobody of this event."""
    return next((user for user in accounts_of(event) if user.pk == account), None)


def audit_entries_about_account(event: Event, account: int) -> list[AuditEntry]:
    """What was done to the account at this event, the newest first."""
    subject = f"account {account}"
    rows = AuditEntry.objects.filter(Q(subject=subject) | Q(subject__startswith=f"{subject} "), event=event)
    return list(rows.select_related("actor").order_by("-seq")[:50])


def has_initial_password(user: User) -> bool:
    """Whether somebody else gave the account the password that it has."""
    return InitialPassword.objects.filter(user=user.pk).exists()
