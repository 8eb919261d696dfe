"""Whose personal data waits to be erased, by the events' own dates."""

from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant


def events_not_erased() -> QuerySet[Event]:
    """Events with an entrant whose person is still there."""
    left = Entrant.objects.filter(event=OuterRef("pk"), person__erased_at=None)
    return Event.objects.filter(Exists(left), retention_on__isnull=False)


def events_due_for_erasure(today: date) -> QuerySet[Event]:
    """Those whose last day is over."""
    return events_not_erased().filter(retention_on__lt=today).order_by("retention_on", "slug")


def has_personal_data_left(event: Event) -> bool:
    """Whether anybody's personal data of the event is still there."""
    return Entrant.objects.filter(event=event, person__erased_at=None).exists()
