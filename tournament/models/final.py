"""From the cut to the podium: who is invited, who plays the final, what was decided between equals (R37-R40)."""

from django.conf import settings
from django.db import models

from tournament.enums import ContestOf, TieMethod
from tournament.models.event import Stage
from tournament.models.people import Entrant


class Invitation(models.Model):
    """The private link by which a finalist answers. Its text is made from `nonce` and the installation's key: nothing
    that could be followed stands in the database or a backup. A new one revokes the one before."""

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


class Finalist(models.Model):
    """Who plays the final, fixed when the list was frozen. What becomes of them there is the entrant's status; in the
    ranking that they came from they stand as they did (R38)."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="finalists", help_text="the final")
    entrant = models.OneToOneField(Entrant, on_delete=models.PROTECT, related_name="finalist")
    rank = models.PositiveIntegerField(help_text="in the ranking that was released")

    class Meta:
        ordering = ["stage_id", "rank", "entrant__number"]

    def __str__(self) -> str:
        return f"finalist {self.entrant_id}"


class ContestDecision(models.Model):
    """Who stands before whom of those who contest a place of the podium, or the award (R39, R40).

    It holds only for exactly these (scoring.podium). The games of a play-off are kept here and used for nothing else.
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="contest_decisions")
    of = models.CharField(max_length=8, choices=ContestOf)
    tied = models.JSONField(help_text="ids, ascending: entrant numbers as text with four digits, or families' codes")
    places = models.PositiveSmallIntegerField()
    order = models.JSONField(help_text="ids from the first, strict as far as it was decided")
    play_off = models.JSONField(default=list, help_text="games; each its lines: entrant, win, points_twelfths, tiles")
    method = models.CharField(max_length=12, choices=TieMethod)
    reason = models.CharField(max_length=500)
    witnesses = models.CharField(max_length=300, blank=True)
    seed = models.CharField(max_length=100, blank=True, help_text="of the lots")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        help_text="the second person of a play-off, of lots drawn by hand, of a decision made again",
    )

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(agreed_by=models.F("by")), name="contest_agreed_by_another")
        ]

    def __str__(self) -> str:
        return f"{self.of} {self.method} {self.stage_id}"
