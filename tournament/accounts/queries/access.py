"""Which events an account has to do with."""

from datetime import date
from typing import Annotated, TypedDict, cast

from django.contrib.auth.models import User
from django.db.models import Max, Min
from django_stubs_ext import Annotations

from tournament.core.enums import Role
from tournament.core.models.event import Event, Membership


class RolesAtEvent(TypedDict):
    """An account's roles at an event, as words."""

    roles: list[str]


class OwnEvent(RolesAtEvent):
    """The same with the days of the event, and whether the account organises it."""

    first_day: date | None
    last_day: date | None
    organised: bool


def events_with_roles_of(user: User) -> list[Annotated[Event, Annotations[OwnEvent]]]:
    """The account's events, soonest first, each with `first_day`, `last_day`, its `roles` as words, `organised`
    by it: two queries."""
    rows = (
        Event.objects.filter(pk__in=Membership.objects.filter(user=user).values("event"))
        .annotate(first_day=Min("stages__sessions__original_date"), last_day=Max("stages__sessions__original_date"))
        .order_by("first_day", "id")
    )
    events = cast(list[Annotated[Event, Annotations[OwnEvent]]], list(rows))
    held: dict[int, list[Role]] = {}
    for event_id, role in Membership.objects.filter(user=user).order_by("id").values_list("event_id", "role"):
        held.setdefault(event_id, []).append(Role(role))
    for event in events:
        event.roles = [str(role.label) for role in held[event.pk]]
        event.organised = Role.ORGANISER in held[event.pk]
    return events


def role_offers_to(user: User) -> list[Annotated[Event, Annotations[RolesAtEvent]]]:
    """The events that gave this account roles which it has not accepted yet, each with its `roles` as words."""
    rows = (
        Membership.granted.filter(user=user.pk, awaits_acceptance=True).select_related("event").order_by("event", "id")
    )
    found: dict[int, Annotated[Event, Annotations[RolesAtEvent]]] = {}
    for row in rows:
        event = found.setdefault(row.event_id, cast(Annotated[Event, Annotations[RolesAtEvent]], row.event))
        event.roles = [*getattr(event, "roles", []), str(row.get_role_display())]
    return list(found.values())
