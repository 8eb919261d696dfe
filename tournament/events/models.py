"""How a session was moved to other times, kept beside the session that it was."""

from django.conf import settings
from django.db import models

from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session


class SessionMove(Recorded):
    """New times for a session that was postponed; ages stay judged on its original date (R1)."""

    recorded = Evidence.of("session__stage__event", plain="before after", append_only=True)

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="moves")
    before = models.JSONField(help_text='{"check_in_at": ISO 8601, ...}')
    after = models.JSONField(help_text="the same four")
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["session_id", "at", "id"]

    def __str__(self) -> str:
        return f"move {self.session_id}"
