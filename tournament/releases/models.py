"""What was published: frozen, numbered, with a digest. A withdrawn one answers 410."""

from django.conf import settings
from django.db import models

from tournament.core.enums import Answer
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Stage
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant


class Release(Recorded):
    """A released ranking and its finalists. `content` is what every page and file of it is made from and never
    changes."""

    recorded = Evidence.of("stage__event", plain="digest audit_hash")

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField(help_text="1, 2, 3 ... over all releases of the event, whatever the stage")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the canonical content")
    content = models.JSONField()
    sheets = models.JSONField(help_text="[[session, table, version, digest], ...] that were read")
    people = models.JSONField(
        default=dict,
        help_text="{entrant's number: keyed digest of the person as they were, salted by the person's salt}",
    )
    audit_seq = models.PositiveBigIntegerField(help_text="the audit head that the content was read at")
    audit_hash = models.CharField(max_length=64)
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    released_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["stage_id", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="release_number_once")]

    def __str__(self) -> str:
        return f"{self.stage_id} no. {self.number}"


class PlaceAnswer(Recorded):
    """What a finalist answered about the place (R37), at the desk (`by`) or by the private link (`invitation`).

    Answers are added, never changed: the newest of an entrant counts.
    """

    recorded = Evidence.of("stage__event", append_only=True)

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="place_answers")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="place_answers")
    answer = models.CharField(max_length=12, choices=Answer)
    reason = models.CharField(max_length=500, blank=True)
    release = models.PositiveIntegerField(help_text="the number of the release that was current")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    invitation = models.ForeignKey(Invitation, null=True, on_delete=models.PROTECT, related_name="answers")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(by__isnull=False, invitation__isnull=True)
                | models.Q(by__isnull=True, invitation__isnull=False),
                name="place_answer_by_account_or_link",
            )
        ]

    def __str__(self) -> str:
        return f"{self.answer} {self.entrant_id}"
