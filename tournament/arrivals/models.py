"""Arrivals at a session, what was seen at its door, and the presses that made the absent forfeit (R6)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.core.enums import DoorCheckKind
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.entrants.models.people import Entrant


class Arrival(Recorded):
    """That an entrant has come to a session. Several may say so, each with its time: the earliest that was not undone
    counts."""

    recorded = Evidence.of("session__stage__event", closed_by="undone_at")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="arrivals")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="arrivals")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(help_text="when the server had it")
    claimed_at = models.DateTimeField(null=True, help_text="as the device's clock said, or the paper")
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    undone_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["session_id", "at", "id"]

    def __str__(self) -> str:
        return f"arrival {self.entrant_id} {self.session_id}"


class DoorCheck(Recorded):
    """That a document which shows the age was seen, or the guardian's consent received; one of each that counts."""

    recorded = Evidence.of("entrant__event", closed_by="undone_at")

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="door_checks")
    kind = models.CharField(max_length=8, choices=DoorCheckKind)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["entrant_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["entrant", "kind"], condition=Q(undone_at__isnull=True), name="door_check_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.entrant_id}"


class Forfeiture(Recorded):
    """One press that recorded whoever had not come by the seating time as a no-show; taken back as one."""

    recorded = Evidence.of("session__stage__event", plain="numbers", closed_by="undone_at")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="forfeitures")
    numbers = models.JSONField(help_text="the entrants' numbers")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["session_id", "id"]

    def __str__(self) -> str:
        return f"forfeiture {self.session_id}"
