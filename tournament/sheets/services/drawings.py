"""Drawn signatures as they are kept: enciphered with a key that is not in the database, held to the log by a digest.

The digest is SHA-256 over the salt and the strokes' canonical JSON (D5). What is enciphered is bound to
what was signed by whom, so that a drawing that was moved to another signature cannot be read there.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from tournament.core.services import cipher
from tournament.core.services.cipher import CipherUnreadable, NoKey
from tournament.entrants.readers.strokes import SignatureStrokes, strokes_as_json
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Drawing, Signature
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table


# --- Kept and read --------------------------------------------------------------------------------------
def drawing_cipher_binding(signature: Signature) -> bytes:
    """What the cipher is bound to: the values signed (with event, table and version), the seat, the entrant."""
    return f"{signature.digest} {signature.letter} {signature.entrant.number}".encode()


def drawing_digest(salt: str, text: str) -> str:
    """SHA-256, hexadecimal, over salt and canonical strokes."""
    return hashlib.sha256(f"{salt}{text}".encode()).hexdigest()


def store_drawing(signature: Signature, strokes: SignatureStrokes, claimed_at: datetime | None) -> Drawing:
    """The drawing of a signature, kept."""
    text, salt = strokes_as_json(strokes), secrets.token_hex(16)
    kept = cipher.encrypt_text(text, drawing_cipher_binding(signature))
    return Drawing.objects.create(
        signature=signature, strokes=kept, salt=salt, digest=drawing_digest(salt, text), claimed_at=claimed_at
    )


def read_strokes_of_signature(signature: Signature) -> Sequence[Sequence[Sequence[int]]]:
    """The strokes of a signature that has a drawing; Unreadable where they are not those that were kept, NoKey."""
    drawing = signature.drawing
    text = cipher.decrypt_text(bytes(drawing.strokes), drawing_cipher_binding(signature))
    if drawing_digest(drawing.salt, text) != drawing.digest:
        raise CipherUnreadable
    strokes: list[list[list[int]]] = json.loads(text)
    return strokes


class SignatureWithStrokes(NamedTuple):
    """A signature with its strokes; None where it was not drawn or cannot be read here."""

    signature: Signature
    strokes: Sequence[Sequence[Sequence[int]]] | None


@transaction.atomic
def view_signatures(table: Table, sheet: Scoresheet, by: User) -> list[SignatureWithStrokes]:
    """Every signature that counts, by seat. That somebody looked at them is written down each time (Y4)."""
    scoresheets.record_unmoved(table, sheet, by, "see_drawings")
    return [
        SignatureWithStrokes(signature, strokes_or_none(signature)) for signature in queries.signatures_of_sheet(sheet)
    ]


def strokes_or_none(signature: Signature) -> Sequence[Sequence[Sequence[int]]] | None:
    """None where it was not drawn or cannot be read here."""
    if not hasattr(signature, "drawing"):
        return None
    try:
        return read_strokes_of_signature(signature)
    except (CipherUnreadable, NoKey):
        return None
