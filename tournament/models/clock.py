"""What moves a session's time 場時: transitions, never seconds; tablets and walls count from them."""

from django.conf import settings
from django.db import models

from tournament.enums import ClockKind
from tournament.models.device import Device
from tournament.models.event import Session
from tournament.models.seating import Table


class ClockEvent(models.Model):
    """A session started, suspended, resumed or closed; a table's pause and its end (守則 6), its overtime."""

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
