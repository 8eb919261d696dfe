"""What the hall is told beside its clock: a line in both languages, a table that is called."""

from django.conf import settings
from django.db import models

from tournament.core.enums import TableCallKind
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.tables.models import Table


class Announcement(Recorded):
    """A line for everybody in the hall, until its moment or until somebody ends it before."""

    recorded = Evidence.of("event")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="announcements")
    text_zh = models.CharField(max_length=60)
    text_en = models.CharField(max_length=120)
    until = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["event_id", "at", "id"]

    def __str__(self) -> str:
        return f"announcement {self.pk}"


class TableCall(Recorded):
    """A table that is asked for something in the hall, until somebody ends it; one at a time."""

    recorded = Evidence.of("table__session__stage__event")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hall_calls")
    kind = models.CharField(max_length=8, choices=TableCallKind)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.table_id}"
