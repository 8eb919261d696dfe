"""What makes a sheet count: signatures, the official version of a table, the stamp 大會蓋印 (R41, R42)."""

from django.conf import settings
from django.db import models

from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.devices.models.device import Device
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table


class Signature(Recorded):
    """On paper the second person records for each entrant that the signature is there, or whose decision stands
    for it; on a tablet the entrant draws it (Drawing). Superseded: the values changed after it, all sign again."""

    recorded = Evidence.of("scoresheet__table__session__stage__event", plain="letter digest")

    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="signatures")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="signatures")
    letter = models.CharField(max_length=1)
    present = models.BooleanField()
    digest = models.CharField(max_length=64, help_text="of the values that were compared with the paper")
    missing_reason = models.CharField(max_length=500, blank=True)
    chief_judge = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="+")
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scoresheet", "letter"],
                condition=models.Q(superseded_at__isnull=True),
                name="signature_letter_once",
            ),
            models.CheckConstraint(
                condition=models.Q(present=True) | (models.Q(chief_judge__isnull=False) & ~models.Q(missing_reason="")),
                name="signature_missing_has_judge_and_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scoresheet_id}{self.letter}"


class Drawing(Recorded):
    """The strokes of a signature as drawn, enciphered with a key that is not in the database (D5).

    `digest` is SHA-256 over salt and the strokes' canonical JSON; the audit entry of the signature has it.
    """

    recorded = Evidence.of("signature__scoresheet__table__session__stage__event", plain="digest")

    signature = models.OneToOneField(Signature, on_delete=models.CASCADE, related_name="drawing")
    strokes = models.BinaryField(help_text="AES-GCM: twelve bytes of nonce, then the cipher text")
    salt = models.CharField(max_length=32, help_text="hexadecimal")
    digest = models.CharField(max_length=64, help_text="hexadecimal")
    claimed_at = models.DateTimeField(null=True, help_text="as the tablet's clock said")

    def __str__(self) -> str:
        return f"drawing {self.signature_id}"


class OfficialSheet(Recorded):
    """Which version of a table's sheet counts; made when a sheet locks, swapped by compare-and-swap."""

    recorded = Evidence.of("table__session__stage__event")

    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="official_sheet")
    scoresheet = models.OneToOneField(Scoresheet, on_delete=models.PROTECT, related_name="official_for")

    def __str__(self) -> str:
        return f"official {self.table_id}"


class Stamp(Recorded):
    """大會蓋印: an organiser has made this version official (R42)."""

    recorded = Evidence.of("scoresheet__table__session__stage__event", append_only=True)

    scoresheet = models.OneToOneField(Scoresheet, on_delete=models.PROTECT, related_name="stamp")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"stamp {self.scoresheet_id}"
