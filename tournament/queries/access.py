"""Which events an account has to do with."""

from django.contrib.auth.models import AbstractUser
from django.db.models import Max, Min

from tournament.enums import Role
from tournament.models import Event, Membership


def events_of(user: AbstractUser) -> list[Event]:
    """The account's events, soonest first, each with `first_day`, `last_day` and its `roles` as words: two queries."""
    events = list(
        Event.objects.filter(memberships__user=user)
        .distinct()
        .annotate(first_day=Min("stages__sessions__original_date"), last_day=Max("stages__sessions__original_date"))
        .order_by("first_day", "id")
    )
    held: dict[int, list[str]] = {}
    for event_id, role in Membership.objects.filter(user=user).order_by("id").values_list("event_id", "role"):
        held.setdefault(event_id, []).append(str(Role(role).label))
    for event in events:
        event.roles = held[event.pk]
    return events
