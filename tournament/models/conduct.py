"""Conduct at a table: verbal warnings, what happened, and calls for the chief judge 總評判 (R27, R43, R46)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.enums import IncidentKind, NoteKind, NoteOutcome
from tournament.models.device import Device
from tournament.models.people import Entrant
from tournament.models.scoresheet import SEAT_LETTERS
from tournament.models.seating import Table


class Warning(models.Model):
    """A verbal warning 口頭警告; at most two that stand an entrant, on the third breach the chief judge decides (R43).

    `number` counts those that were taken back too, so that of two at once the database lets one.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="warnings")
    number = models.PositiveSmallIntegerField()
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="warnings")
    game = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["entrant_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["entrant", "number"], name="warning_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="warning_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"warning {self.number} {self.entrant_id}"


class Incident(models.Model):
    """What happened in a game, recorded by its referee: a rack pushed over with its count, an entrant who does
    not come, comes late, leaves or is disqualified, a rack counted wrong, a new deal, an exposed tile, a turn
    forfeited, and the drawn numbers."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="incidents")
    game = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16, choices=IncidentKind)
    letter = models.CharField(max_length=1, choices=SEAT_LETTERS, blank=True)
    tiles = models.PositiveSmallIntegerField(null=True, help_text="as counted by the referee")
    note = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["table_id", "id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.table_id}"


class JudgeCall(models.Model):
    """A referee asks for the chief judge: raised, taken, answered with what was ruled."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="judge_calls")
    game = models.PositiveSmallIntegerField(null=True)
    letter = models.CharField(max_length=1, choices=SEAT_LETTERS, blank=True)
    reason = models.CharField(max_length=500)
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    taken_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=500, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["raised_at", "id"]

    def __str__(self) -> str:
        return f"call {self.table_id}"


class NoteEnd(models.Model):
    """What became of a warning, an incident, a call or an overtime, once; the note itself stays as it was made."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="note_ends")
    kind = models.CharField(max_length=16, choices=NoteKind)
    note = models.BigIntegerField(help_text="the key of the warning, incident, call or clock event")
    outcome = models.CharField(max_length=16, choices=NoteOutcome)
    reason = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["kind", "note"], name="note_ends_once")]

    def __str__(self) -> str:
        return f"{self.outcome} {self.kind} {self.note}"
