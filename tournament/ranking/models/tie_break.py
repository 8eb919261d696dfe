"""How equals were parted where the rules leave them level: across the cut-off, at a reserve place, on the podium, for
the award (R37, R39, R40)."""

from django.conf import settings
from django.db import models

from tournament.core.enums import DecisionOf, TieMethod
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Stage


class TieBreak(Recorded):
    """Who of the tied stands before whom, how it was decided, by whom and why: never broken in silence.

    Across the cut-off it holds only while exactly these are tied for as many places. At a reserve place it holds while
    all who still wait there are among them (scoring.tie_break.split_by_tie_breaks); on the podium and for the award as
    long as it parts somebody (scoring.podium). The games of a play-off are kept here and used for nothing else.
    """

    recorded = Evidence.of("stage__event", plain="tied admitted order play_off", append_only=True)

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="tie_breaks")
    of = models.CharField(max_length=8, choices=DecisionOf)
    tied = models.JSONField(help_text="ids, ascending: entrant numbers as text with four digits, or families' codes")
    places = models.PositiveSmallIntegerField()
    admitted = models.JSONField(help_text="ids of those who get the places; all of the tied where all are admitted")
    order = models.JSONField(default=list, help_text="ids from the first, strict as far as it was decided")
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
            models.CheckConstraint(condition=~models.Q(agreed_by=models.F("by")), name="tie_break_agreed_by_another")
        ]

    def __str__(self) -> str:
        return f"{self.of} {self.method} {self.stage_id}"
