"""Whether a sheet counts in the ranking as it stands."""

from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets


def is_sheet_ranked_now(sheet: Scoresheet) -> bool:
    """Whether the ranking reads this version of the sheet."""
    return scoresheets.is_ranked(sheet)
