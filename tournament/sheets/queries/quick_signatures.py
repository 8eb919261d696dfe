"""Signatures that followed one another faster than people can hand over a tablet."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature

# Two people do not sign within this: told to whoever checks, refused by nobody (Z9).
QUICK_SIGNATURE_WITHIN = timedelta(seconds=2)


def earlier_signature_claims(sheet: Scoresheet) -> list[tuple[str, datetime | None]]:
    """Seat and claimed moment of what was drawn for these values."""
    rows = Signature.objects.filter(scoresheet=sheet, superseded_at=None, drawing__isnull=False)
    return list(rows.values_list("letter", "drawing__claimed_at"))


def quick_letters(claims: Sequence[tuple[str, datetime | None]]) -> dict[str, str]:
    """Who signed within two seconds after whom, by the tablet's clock (Z9)."""
    told = sorted((at, letter) for letter, at in claims if at is not None)
    return {letter: before for (one, before), (other, letter) in pairwise(told) if other - one < QUICK_SIGNATURE_WITHIN}
