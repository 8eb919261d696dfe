"""Reads for the audit log: its entries for people to search, and all that a verifier compares with it."""

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.models.event import Event

AUDIT_READ_CHUNK = 2000


def find_audit_entries(
    event: Event,
    *,
    subject: str = "",
    action: str = "",
    actor: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEntry]:
    """The event's entries, the newest first, with the account of each; `thing` is part of its name."""
    found = AuditEntry.objects.filter(event=event).select_related("actor").order_by("-seq")
    if subject:
        found = found.filter(subject__icontains=subject)
    if action:
        found = found.filter(action=action)
    if actor is not None:
        found = found.filter(actor=actor)
    if since is not None:
        found = found.filter(at__gte=since)
    if until is not None:
        found = found.filter(at__lt=until)
    return found


def audit_actions(event: Event) -> list[str]:
    """Every act that this event has seen."""
    return list(AuditEntry.objects.filter(event=event).order_by("action").values_list("action", flat=True).distinct())


def audit_actors(event: Event) -> list[User]:
    """Every account that has done something here."""
    acted = AuditEntry.objects.filter(event=event).exclude(actor=None).values("actor")
    return list(User.objects.filter(pk__in=acted).order_by("username"))


# --- For a verifier: every read names its database, since a backup is verified in a copy -----------------
def one_or_all_events(using: str, slug: str = "") -> list[Event]:
    found = Event.objects.using(using).order_by("slug")
    return list(found.filter(slug=slug) if slug else found)


def audit_head_of(event: Event, using: str) -> AuditHead | None:
    """The head of the event's chain."""
    return AuditHead.objects.using(using).filter(event=event).first()


def audit_chain_of(event: Event, using: str) -> Iterator[AuditEntry]:
    """Every entry in its order."""
    rows = AuditEntry.objects.using(using).filter(event=event).order_by("seq", "pk")
    return rows.iterator(chunk_size=AUDIT_READ_CHUNK)
