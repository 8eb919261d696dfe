"""Whose personal data waits to be erased, by the events' own dates."""

from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from tournament.models import Entrant, Event


def not_erased() -> QuerySet[Event]:
    """Events with an entrant whose person is still there."""
    left = Entrant.objects.filter(event=OuterRef("pk"), person__erased_at=None)
    return Event.objects.filter(Exists(left), retention_on__isnull=False)


def due(today: date) -> QuerySet[Event]:
    """Those whose last day is over."""
    return not_erased().filter(retention_on__lt=today).order_by("retention_on", "slug")


def is_left(event: Event) -> bool:
    """Whether anybody's personal data of the event is still there."""
    return Entrant.objects.filter(event=event, person__erased_at=None).exists()
