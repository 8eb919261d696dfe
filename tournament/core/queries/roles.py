"""The roles of an account at an event."""

from django.contrib.auth.models import User

from tournament.core.models.event import Event, Membership


def roles_at(event: Event, user: User) -> frozenset[str]:
    """The account's roles in effect at the event."""
    return frozenset(Membership.objects.filter(event=event, user=user).values_list("role", flat=True))
