"""The official sheets that count in a ranking. Asked nowhere else."""

from django.db.models import QuerySet

from tournament.core.enums import LOCKED_STATES, SessionState
from tournament.sheets.models.signing import OfficialSheet


def official_sheets_that_count() -> QuerySet[OfficialSheet]:
    """What the ranking reads: locked, the version that counts for its table, of no void session."""
    locked = OfficialSheet.objects.filter(scoresheet__state__in=LOCKED_STATES)
    return locked.exclude(table__session__state=SessionState.VOID)
