"""A correction of a locked sheet: a superseding version, agreed by the chief judge and an organiser (R42)."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.sheets.models.scoresheet import Scoresheet


class Correction(Recorded):
    """Why a new version stands beside the locked one, and which two accounts agreed to its values.

    `scoresheet` is the superseding version, `supersedes` the one that counted when it was begun. A proposal holds for
    the values with `proposed_digest` and lapses with any other. At most one is in hand for a version that counts.
    """

    recorded = Evidence.of(
        "scoresheet__table__session__stage__event", plain="proposed_digest", closed_by="approved_at abandoned_at"
    )

    scoresheet = models.OneToOneField(Scoresheet, on_delete=models.PROTECT, related_name="correction")
    supersedes = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="corrections")
    reason = models.CharField(max_length=500)
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    begun_at = models.DateTimeField()
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(null=True)
    proposed_digest = models.CharField(max_length=64, blank=True)
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(null=True)
    abandoned_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    abandoned_at = models.DateTimeField(null=True)
    abandoned_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["scoresheet_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["supersedes"],
                condition=Q(approved_at__isnull=True, abandoned_at__isnull=True),
                name="correction_in_hand_once",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("proposed_by")),
                name="correction_takes_two_accounts",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | Q(proposed_by__isnull=False),
                name="correction_approved_was_proposed",
            ),
        ]

    def __str__(self) -> str:
        return f"correction {self.scoresheet_id}"
