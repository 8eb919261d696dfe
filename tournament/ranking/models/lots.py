"""Lots between equals: from which public value they will be drawn, written down before anybody knows it (R37)."""

from django.conf import settings
from django.db import models

from tournament.core.enums import DecisionOf
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Stage


class LotsAnnouncement(Recorded):
    """The draw that is to come: for exactly these, from the head of the audit log now and a value not known yet.

    Who draws may write entries and so choose the head, but only while the value is unknown; once it is known the head
    is fixed. The seed is made of both (stages/services/lots.py), so that neither is of use without the other.
    """

    recorded = Evidence.of("stage__event", plain="head_hash", append_only=True)

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="lots_announcements")
    of = models.CharField(max_length=8, choices=DecisionOf)
    tied = models.JSONField(help_text="ids, ascending: entrant numbers as text with four digits, or families' codes")
    places = models.PositiveSmallIntegerField()
    public_value = models.CharField(max_length=200, help_text="which public figure is taken, and how it is written")
    known_from = models.DateTimeField(help_text="nobody knows the figure before this moment")
    reason = models.CharField(max_length=500, blank=True, help_text="why it is drawn again; empty for a first draw")
    head_seq = models.PositiveIntegerField(help_text="the head of the audit log as it was announced")
    head_hash = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="of a draw made again",
    )

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(agreed_by=models.F("by")), name="lots_agreed_by_another")
        ]

    def __str__(self) -> str:
        return f"lots {self.of} {self.stage_id}"
