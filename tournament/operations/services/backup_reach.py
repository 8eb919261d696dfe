"""How far the newest backup reaches, noted where tablets ask before they forget anything."""

from django.db import transaction
from django.utils import timezone

from tournament.core.models.event import Event
from tournament.devices.models.backup_point import SafePoint
from tournament.operations.services.backup_engines import BackupManifest


def note_backup(manifest: BackupManifest) -> None:
    """A backup is finished: what the log has up to its head is in it. An older one moves nothing back."""
    reached = {slug: int(head["seq"]) for slug, head in manifest["heads"].items()}
    now = timezone.now()
    with transaction.atomic():
        for event in Event.objects.filter(slug__in=reached):
            SafePoint.objects.get_or_create(event=event, defaults={"at": now})
            SafePoint.objects.filter(event=event, seq__lt=reached[event.slug]).update(seq=reached[event.slug], at=now)
