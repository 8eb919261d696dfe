"""The decision of a full tie across the line, or of a reserve place (R37): never broken in silence."""

from django.conf import settings
from django.db import models

from tournament.enums import TieMethod
from tournament.models.event import Stage


class TieDecision(models.Model):
    """Who of the tied advance, how it was decided, by whom and why.

    Across the line it holds only while the same entrants are tied for as many places; `reserve`: it orders those who
    share a reserve place, and holds while all who still wait there are among them (scoring.decision.part_by).
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="tie_decisions")
    tied = models.JSONField(help_text="entrant numbers, ascending")
    places = models.PositiveSmallIntegerField()
    admitted = models.JSONField(help_text="entrant numbers in the order decided")
    order = models.JSONField(default=list, help_text="entrant numbers from the first, strict as far as it was decided")
    play_off = models.JSONField(default=list, help_text="games; each its lines: entrant, win, points_twelfths, tiles")
    reserve = models.BooleanField(default=False, help_text="of a reserve place, not of the line")
    method = models.CharField(max_length=12, choices=TieMethod)
    reason = models.CharField(max_length=500)
    witnesses = models.CharField(max_length=300, blank=True)
    seed = models.CharField(max_length=100, blank=True, help_text="of the lots")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        help_text="the second person of a play-off, of lots drawn by hand, of a decision made again",
    )

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(agreed_by=models.F("by")), name="tie_agreed_by_another")
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.stage_id}"
