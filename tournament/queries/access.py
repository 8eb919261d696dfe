"""Which events an account has to do with."""

from django.contrib.auth.models import AbstractUser
from django.db.models import Max, Min

from tournament.enums import Role
from tournament.models import Event, Membership


def events_of(user: AbstractUser) -> list[Event]:
    """The account's events, soonest first, each with `first_day`, `last_day`, its `roles` as words, `organised`
    by it: two queries."""
    events = list(
        Event.objects.filter(pk__in=Membership.objects.filter(user=user).values("event"))
        .annotate(first_day=Min("stages__sessions__original_date"), last_day=Max("stages__sessions__original_date"))
        .order_by("first_day", "id")
    )
    held: dict[int, list[Role]] = {}
    for event_id, role in Membership.objects.filter(user=user).order_by("id").values_list("event_id", "role"):
        held.setdefault(event_id, []).append(Role(role))
    for event in events:
        event.roles = [str(role.label) for role in held[event.pk]]
        event.organised = Role.ORGANISER in held[event.pk]
    return events


def offers_to(user: AbstractUser) -> list[Event]:
    """The events that gave this account roles which it has not accepted yet, each with its `roles` as words."""
    rows = (
        Membership.granted.filter(user=user.pk, awaits_acceptance=True).select_related("event").order_by("event", "id")
    )
    found: dict[int, Event] = {}
    for row in rows:
        event = found.setdefault(row.event_id, row.event)
        event.roles = [*getattr(event, "roles", []), str(row.get_role_display())]
    return list(found.values())
