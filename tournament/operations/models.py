"""An erasure of personal data: while one is open the guards let go of what it may erase, and of nothing else."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.entrants.models.people import Entrant


class Erasure(Recorded):
    """By the retention date, of a whole event (`entrant` empty), or of one person on request.

    `audit_seq` is the entry that begins it: without one the database takes no such row. An erasure that broke off stays
    open, and the next run completes it.
    """

    recorded = Evidence.of("event", plain="counts")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="erasures")
    entrant = models.ForeignKey(Entrant, null=True, on_delete=models.PROTECT, related_name="erasures")
    audit_seq = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict, help_text="{kind: how many were erased}")

    class Meta:
        ordering = ["event_id", "audit_seq"]
        constraints = [
            models.UniqueConstraint(fields=["event", "audit_seq"], name="erasure_entry_once"),
            models.UniqueConstraint(fields=["event"], condition=Q(finished_at=None), name="erasure_open_once"),
        ]

    def __str__(self) -> str:
        return f"erasure {self.event_id} {self.audit_seq}"
