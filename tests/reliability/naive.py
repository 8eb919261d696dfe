"""Saving a sheet the usual way, without the safety: the positive control of the races and crashes.

Look up the key, read, check, save, then log, each in its own transaction. What the real service never does, this must
be seen to do; otherwise the harness could not have found it.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from tournament.audit import services
from tournament.core.errors import StaleVersion
from tournament.core.models.request_key import RequestKey
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table


def save(
    table: Table, *, revision: int, form: str, typed: Any, by: Any, request_key: str, confirmations: Any = None
) -> Scoresheet:
    """The same promise as `services.scoresheets.save`, not kept."""
    scope = f"user:{by.pk}"
    sheet = Scoresheet.objects.filter(table=table).first()
    if RequestKey.objects.filter(scope=scope, key=request_key).exists():
        assert sheet is not None
        return sheet
    if (sheet.revision if sheet else 0) != revision:
        raise StaleVersion("scoresheet_changed", "changed", current=sheet)
    sheet = sheet or Scoresheet(table=table, version=1, revision=0)
    sheet.revision += 1
    sheet.state, sheet.form, sheet.typed, sheet.typed_by, sheet.typed_at = "draft", form, typed, by, timezone.now()
    sheet.save()
    RequestKey.objects.get_or_create(
        scope=scope, key=request_key, defaults={"fingerprint": "-", "status": 200, "at": timezone.now()}
    )
    with transaction.atomic():
        event, thing = table.session.stage.event, f"scoresheet {table.pk} v1"
        services.append_audit_entry(
            event, by, "save_scoresheet", thing, revision=(revision, sheet.revision), request_key=request_key
        )
    return sheet
