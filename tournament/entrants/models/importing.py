"""A file of entrants that was handed in: its preview waits here until it is imported or put aside."""

from django.conf import settings
from django.db import models

from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded


class EntrantFile(Recorded):
    """One uploaded file. `rows` are the cells as read, `decisions` the organiser's answers, `digest` a SHA-256."""

    recorded = Evidence.of("event", plain="digest kind encoding")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entrant_files")
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=8, help_text="xlsx or csv")
    encoding = models.CharField(max_length=16, blank=True)
    sheet_name = models.CharField(max_length=100, blank=True)
    head_row = models.PositiveIntegerField(default=1, help_text="the row of the column names, counted from 1")
    heads = models.JSONField(help_text="the head row as read")
    rows = models.JSONField(help_text="[[row number, [cell, ...]], ...] as read; null: not kept; erased at the import")
    decisions = models.JSONField(
        default=dict,
        help_text='{row number: {"left_out": answer, "accepted": {question: answer}, "typed": {column: name}}}',
    )
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    imported_at = models.DateTimeField(null=True)
    imported_count = models.PositiveIntegerField(null=True)
    changed_count = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["-uploaded_at", "-id"]

    def __str__(self) -> str:
        return self.name
