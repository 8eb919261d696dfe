"""The code on a player's receipt: the first characters of the sheet's digest."""

import base64

from tournament.sheets.models.scoresheet import Scoresheet

RECEIPT_LENGTH = 8


def receipt_code(sheet: Scoresheet | None) -> str:
    """The receipt code of a locked sheet: eight characters of its digest; none before (D1)."""
    if sheet is None or not sheet.locked:
        return ""
    return base64.b32encode(bytes.fromhex(sheet.digest)).decode()[:RECEIPT_LENGTH]
