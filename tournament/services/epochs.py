"""Which life of the database this is, and how far the newest backup reaches: tablets forget nothing before that."""

import secrets

from django.db import transaction
from django.utils import timezone

from tournament.models import Epoch, Event, SafePoint
from tournament.services.backup_engines import Manifest

ONLY = 1


def current() -> str:
    """The mark of this life; the first who asks begins the first one."""
    mark = Epoch.objects.filter(pk=ONLY).values_list("mark", flat=True).first()
    if mark is None:
        first = Epoch(pk=ONLY, mark=secrets.token_hex(16), since=timezone.now())
        Epoch.objects.bulk_create([first], ignore_conflicts=True)
        mark = Epoch.objects.values_list("mark", flat=True).get(pk=ONLY)
    return str(mark)


def known() -> str:
    """The mark, "" before anybody asked for one: an empty database stays empty, so that a backup can be restored."""
    return Epoch.objects.filter(pk=ONLY).values_list("mark", flat=True).first() or ""


@transaction.atomic
def renew() -> None:
    """A backup was restored: another life begins."""
    current()
    held = Epoch.objects.select_for_update(no_key=True).get(pk=ONLY)
    held.mark, held.restores, held.since = secrets.token_hex(16), held.restores + 1, timezone.now()
    held.save(update_fields=["mark", "restores", "since"])


def note_backup(manifest: Manifest) -> None:
    """A backup is finished: what the log has up to its head is in it. An older one moves nothing back."""
    reached = {slug: int(head["seq"]) for slug, head in manifest["heads"].items()}
    now = timezone.now()
    with transaction.atomic():
        for event in Event.objects.filter(slug__in=reached):
            SafePoint.objects.get_or_create(event=event, defaults={"at": now})
            SafePoint.objects.filter(event=event, seq__lt=reached[event.slug]).update(seq=reached[event.slug], at=now)
