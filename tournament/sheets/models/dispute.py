"""What is not plain about a sheet before it locks: a dispute, a sheet made void, a paper that is not the one
awaited."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournament.core.enums import DisputeOutcome
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.sheets.models.scoresheet import Scoresheet


class Dispute(Recorded):
    """A dispute raised before signing (R46), and what the chief judge decided, or why it was taken back."""

    recorded = Evidence.of("scoresheet__table__session__stage__event", closed_by="decided_at")

    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="disputes")
    reason = models.CharField(max_length=500)
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField()
    outcome = models.CharField(max_length=8, choices=DisputeOutcome, blank=True)
    decision = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["scoresheet_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["scoresheet"], condition=Q(decided_at__isnull=True), name="dispute_open_once"
            )
        ]

    def __str__(self) -> str:
        return f"dispute {self.scoresheet_id}"


class Voiding(Recorded):
    """That a sheet shall not count: by the chief judge and an organiser, two accounts."""

    recorded = Evidence.of("scoresheet__table__session__stage__event", closed_by="approved_at")

    scoresheet = models.OneToOneField(Scoresheet, on_delete=models.PROTECT, related_name="voiding")
    reason = models.CharField(max_length=500)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("proposed_by")),
                name="voiding_takes_two_accounts",
            )
        ]

    def __str__(self) -> str:
        return f"voiding {self.scoresheet_id}"
