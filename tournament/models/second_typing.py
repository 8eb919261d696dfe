"""A sheet typed a second time by another account that has not seen the first."""

from django.conf import settings
from django.db import models

from tournament.enums import SheetForm
from tournament.models.scoresheet import Scoresheet


class SecondTyping(models.Model):
    """What the second account read on the paper, and who decided where the two differed.

    Whether both agree is computed, never stored: from the texts of both, and `settled_digest`, the digest of the values
    that a third look has decided on. `choices` keeps its answers, `{field: text}`.
    """

    scoresheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, related_name="second_typing")
    revision = models.PositiveIntegerField(default=1)
    form = models.CharField(max_length=8, choices=SheetForm, default=SheetForm.PAPER)
    typed = models.JSONField(default=dict)
    done = models.BooleanField(default=False)
    typed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    typed_at = models.DateTimeField()
    choices = models.JSONField(default=dict)
    settled_digest = models.CharField(max_length=64, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    settled_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"second typing {self.scoresheet_id}"
