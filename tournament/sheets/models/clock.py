"""What moves a session's time 場時: transitions, never seconds; tablets and walls count from them."""

from django.conf import settings
from django.db import models

from tournament.core.enums import ClockKind
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.tables.models import Table


class ClockEvent(Recorded):
    """A session started, suspended, resumed or closed; a table's pause and its end (R47), its overtime."""

    recorded = Evidence.of("session__stage__event", plain="letter", append_only=True)

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="clock_events")
    table = models.ForeignKey(Table, null=True, on_delete=models.PROTECT, related_name="clock_events")
    kind = models.CharField(max_length=12, choices=ClockKind)
    letter = models.CharField(max_length=1, blank=True, help_text="who left the table for a while")
    escort = models.CharField(max_length=100, blank=True, help_text="who went with them")
    minutes = models.PositiveSmallIntegerField(null=True, help_text="of overtime")
    reason = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, help_text="as the tablet's clock said")

    class Meta:
        ordering = ["session_id", "at", "id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.session_id}"
