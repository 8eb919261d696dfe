"""Conduct at a table: verbal warnings, what happened, and calls for the chief judge 總評判 (R27, R43, R46)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.core.enums import IncidentKind, NoteKind, NoteOutcome
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.devices.models.device import Device
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.scoresheet import SEAT_LETTERS
from tournament.tables.models import Table

AT_TABLE = "table__session__stage__event"


class Warning(Recorded):
    """A verbal warning 口頭警告; at most two that stand an entrant, on the third breach the chief judge decides (R43).

    `number` counts those that were taken back too, so that of two at once the database lets one.
    """

    recorded = Evidence.of(AT_TABLE, append_only=True)

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


class Incident(Recorded):
    """What happened in a game, recorded by its referee: a rack pushed over with its count, an entrant who does
    not come, comes late, leaves or is disqualified, a rack counted wrong, a new deal, an exposed tile, a turn
    forfeited, and the drawn numbers."""

    recorded = Evidence.of(AT_TABLE, append_only=True)

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


class JudgeCall(Recorded):
    """A referee asks for the chief judge: raised, taken, answered with what was ruled."""

    recorded = Evidence.of(AT_TABLE)

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


class NoteEnd(Recorded):
    """What became of a warning, an incident, a call or an overtime, once; the note itself stays as it was made."""

    recorded = Evidence.of(AT_TABLE, append_only=True)

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
