"""A scan or photo of the paper, kept beside the sheet that was typed from it."""

from django.conf import settings
from django.db import models

from tournament.core.enums import ScanKind
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session


class Scan(Recorded):
    """One picture of a table's paper. Never changed or removed: a later one is shown in its place.

    The file is named by the digest of its bytes and holds what people wrote and signed: it is never public. By session
    and table's number, so that it stays when the table is dissolved.
    """

    recorded = Evidence.of("session__stage__event", plain="sha256", append_only=True)

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="scans")
    table_number = models.PositiveSmallIntegerField()
    paper = models.PositiveSmallIntegerField(null=True, help_text="which print of the paper, where one was printed")
    sha256 = models.CharField(max_length=64)
    kind = models.CharField(max_length=4, choices=ScanKind)
    size = models.PositiveIntegerField(help_text="bytes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["session_id", "table_number", "id"]

    def __str__(self) -> str:
        return f"scan {self.session_id}-{self.table_number} {self.sha256[:8]}"

    @property
    def file_name(self) -> str:
        """Where it lies among the scans."""
        return f"{self.sha256}.{self.kind}"
