"""Which life of the database this is, and how far the newest backup reaches: tablets forget nothing before that."""

import secrets

from django.db import transaction
from django.utils import timezone

from tournament.devices.models.backup_point import Epoch

SINGLE_EPOCH_PK = 1


def current_epoch_mark() -> str:
    """The mark of this life; the first who asks begins the first one."""
    mark = Epoch.objects.filter(pk=SINGLE_EPOCH_PK).values_list("mark", flat=True).first()
    if mark is None:
        first = Epoch(pk=SINGLE_EPOCH_PK, mark=secrets.token_hex(16), since=timezone.now())
        Epoch.objects.bulk_create([first], ignore_conflicts=True)
        mark = Epoch.objects.values_list("mark", flat=True).get(pk=SINGLE_EPOCH_PK)
    return str(mark)


def known_epoch_mark() -> str:
    """The mark, "" before anybody asked for one: an empty database stays empty, so that a backup can be restored."""
    return Epoch.objects.filter(pk=SINGLE_EPOCH_PK).values_list("mark", flat=True).first() or ""


@transaction.atomic
def renew_epoch() -> None:
    """A backup was restored: another life begins."""
    current_epoch_mark()
    held = Epoch.objects.select_for_update(no_key=True).get(pk=SINGLE_EPOCH_PK)
    held.mark, held.restores, held.since = secrets.token_hex(16), held.restores + 1, timezone.now()
    held.save(update_fields=["mark", "restores", "since"])
