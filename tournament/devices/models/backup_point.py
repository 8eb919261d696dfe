"""What tablets ask before they forget anything: whose memory this database is, and how far a backup reaches."""

from django.db import models

from tournament.core.models.event import Event


class Epoch(models.Model):
    """One row: the life of this database. A restored one begins another: nobody takes it for what was before."""

    mark = models.CharField(max_length=32, help_text="random: no two lives have the same")
    restores = models.PositiveIntegerField(default=0, help_text="how often a backup was restored on the way here")
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.restores} {self.mark}"


class SafePoint(models.Model):
    """How far the newest finished backup has an event's log, and with it every act that the log tells of."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="safe_point")
    seq = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField(help_text="when that backup was finished")

    def __str__(self) -> str:
        return f"{self.event_id}: {self.seq}"
