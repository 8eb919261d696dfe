"""A PIN of one account at one event, kept as a hash."""

from django.conf import settings
from django.db import models

from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded


class RefereePin(Recorded):
    """The PIN that a referee types at a tablet of one event; only its hash is kept."""

    recorded = Evidence.of("event")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="referee_pins")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="referee_pins")
    hash = models.CharField(max_length=128)
    set_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="referee_pin_once")]

    def __str__(self) -> str:
        return f"PIN {self.user_id} {self.event_id}"
