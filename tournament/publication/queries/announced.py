"""Which events the public may know of."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournament.core.models.event import Event
from tournament.messages.models import Notice
from tournament.releases.models import Release


def announced_events() -> QuerySet[Event]:
    """Those that were announced, or of which a notice or results were published; no rehearsal."""
    notices = Notice.objects.filter(event=OuterRef("pk"), published_at__isnull=False)
    releases = Release.objects.filter(stage__event=OuterRef("pk"))
    told = Q(announced_at__isnull=False) | Exists(notices) | Exists(releases)
    return Event.objects.filter(told, rehearsal=False).order_by("results_at", "slug")


def has_public_page(event: Event) -> bool:
    """Whether an address under /p/ is the event's: also a rehearsal's, which is in no list."""
    return Event.objects.filter(pk=event.pk, rehearsal=True).exists() or announced_events().filter(pk=event.pk).exists()
