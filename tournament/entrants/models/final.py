"""From the cut to the next stage: who is invited, who plays it (R37, R38)."""

from django.conf import settings
from django.db import models

from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Stage
from tournament.entrants.models.people import Entrant


class Invitation(Recorded):
    """The private link by which a finalist answers. Its text is made from `nonce` and the installation's key: nothing
    that could be followed stands in the database or a backup. A new one revokes the one before."""

    recorded = Evidence.of("stage__event", plain="erased_digest")

    stage = models.ForeignKey(
        Stage, on_delete=models.PROTECT, related_name="invitations", help_text="the stage that was won, as for answers"
    )
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="invitations")
    nonce = models.CharField(max_length=43)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    erased_digest = models.CharField(
        max_length=64, blank=True, help_text="what its digest was, once the nonce is erased"
    )

    class Meta:
        ordering = ["stage_id", "entrant_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "entrant"], name="invitation_once", condition=models.Q(revoked_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"invitation {self.entrant_id}"


class LinkTry(models.Model):
    """A private link that nobody made, tried from one place: ten in a quarter of an hour and no more are looked at."""

    source = models.CharField(max_length=64, db_index=True, help_text="a digest of the address that asked")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"try {self.source[:8]}"


class Finalist(Recorded):
    """Who plays a later stage, fixed when its list was frozen. What becomes of them there is the entrant's status; in
    the ranking that they came from they stand as they did (R38)."""

    recorded = Evidence.of("stage__event")

    stage = models.ForeignKey(
        Stage, on_delete=models.PROTECT, related_name="finalists", help_text="the stage that they play"
    )
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="qualified")
    rank = models.PositiveIntegerField(help_text="in the ranking that was released")

    class Meta:
        ordering = ["stage_id", "rank", "entrant__number"]
        constraints = [models.UniqueConstraint(fields=["stage", "entrant"], name="finalist_once")]

    def __str__(self) -> str:
        return f"finalist {self.entrant_id}"
