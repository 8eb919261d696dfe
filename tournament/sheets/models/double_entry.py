"""A sheet typed a second time by another account that has not seen the first."""

from django.conf import settings
from django.db import models

from tournament.core.enums import SheetForm
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.sheets.models.scoresheet import Scoresheet


class DoubleEntry(Recorded):
    """What the second account read on the paper, and who decided where the two differed.

    Whether both agree is computed, never stored: from the texts of both, and `adjudicated_digest`, that of the values
    that an adjudication has decided on. `choices` keeps its answers, `{field: text}`.
    """

    recorded = Evidence.of("scoresheet__table__session__stage__event", plain="adjudicated_digest")

    scoresheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, related_name="double_entry")
    revision = models.PositiveIntegerField(default=1)
    form = models.CharField(max_length=8, choices=SheetForm, default=SheetForm.PAPER)
    typed = models.JSONField(default=dict)
    done = models.BooleanField(default=False)
    typed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    typed_at = models.DateTimeField()
    choices = models.JSONField(default=dict)
    adjudicated_digest = models.CharField(max_length=64, blank=True)
    adjudicated_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    adjudicated_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"double entry {self.scoresheet_id}"
