"""An act of two people between the first and the second: what one account proposes and another agrees to or refuses."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournament.core.enums import ProposalOutcome
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded


class Proposal(Recorded):
    """What was proposed, by whom, why and on what it was based. It is open until an outcome closes it for good.

    `payload` is what the act will be given and may hold personal data: closing empties it. What was proposed stays
    provable by `digest`, which is keyed (core/services/keyed_digest.py).
    """

    recorded = Evidence.of("event", plain="act subject digest seen")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="proposals")
    act = models.CharField(max_length=40, help_text="the audit log's word for the act once it is done")
    subject = models.CharField(max_length=80, help_text="entrant 0287, stage preliminary, account 5 ... as in the log")
    payload = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, help_text="keyed digest of the payload as it was proposed")
    seen = models.CharField(max_length=64, help_text="the version of the subject that the proposer had before them")
    reason = models.CharField(max_length=500)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    outcome = models.CharField(max_length=12, choices=ProposalOutcome, blank=True, help_text="empty while it is open")
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closing_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "act", "subject"], condition=Q(outcome=""), name="proposal_open_once"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", closed_at__isnull=True) | (~Q(outcome="") & Q(closed_at__isnull=False)),
                name="proposal_closed_with_outcome",
            ),
            models.CheckConstraint(
                condition=~Q(outcome="approved") | (Q(closed_by__isnull=False) & ~Q(closed_by=F("proposed_by"))),
                name="proposal_approved_by_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}"
