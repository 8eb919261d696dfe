"""Drawn signatures as they are kept: enciphered with a key that is not in the database, held to the log by a digest.

The digest is SHA-256 over the salt and the strokes' canonical JSON (reliability 4.5). What is enciphered is bound to
what was signed by whom, so that a drawing that was moved to another signature cannot be read there.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from tournament.models import Drawing, Scoresheet, Signature, Table
from tournament.queries import scoresheets as queries
from tournament.readers.strokes import Strokes, as_text
from tournament.services import cipher, scoresheets
from tournament.services.cipher import NoKey, Unreadable


# --- Kept and read --------------------------------------------------------------------------------------
def bound_to(signature: Signature) -> bytes:
    """What the cipher is bound to: the values signed (with event, table and version), the seat, the entrant."""
    return f"{signature.digest} {signature.letter} {signature.entrant.number}".encode()


def digest_of(salt: str, text: str) -> str:
    """SHA-256, hexadecimal, over salt and canonical strokes."""
    return hashlib.sha256(f"{salt}{text}".encode()).hexdigest()


def keep(signature: Signature, strokes: Strokes, claimed_at: datetime | None) -> Drawing:
    """The drawing of a signature, kept."""
    text, salt = as_text(strokes), secrets.token_hex(16)
    kept = cipher.sealed(text, bound_to(signature))
    return Drawing.objects.create(
        signature=signature, strokes=kept, salt=salt, digest=digest_of(salt, text), claimed_at=claimed_at
    )


def read(signature: Signature) -> Sequence[Sequence[Sequence[int]]]:
    """The strokes of a signature that has a drawing; Unreadable where they are not those that were kept, NoKey."""
    drawing = signature.drawing
    text = cipher.opened(bytes(drawing.strokes), bound_to(signature))
    if digest_of(drawing.salt, text) != drawing.digest:
        raise Unreadable
    strokes: list[list[list[int]]] = json.loads(text)
    return strokes


class Shown(NamedTuple):
    """A signature with its strokes; None where it was not drawn or cannot be read here."""

    signature: Signature
    strokes: Sequence[Sequence[Sequence[int]]] | None


@transaction.atomic
def look_at(table: Table, sheet: Scoresheet, by: AbstractBaseUser) -> list[Shown]:
    """Every signature that counts, by seat. That somebody looked at them is written down each time (Y4)."""
    scoresheets.record_unmoved(table, sheet, by, "see_drawings")
    return [Shown(signature, readable(signature)) for signature in queries.signatures_of(sheet)]


def readable(signature: Signature) -> Sequence[Sequence[Sequence[int]]] | None:
    """The strokes, or None."""
    if not hasattr(signature, "drawing"):
        return None
    try:
        return read(signature)
    except (Unreadable, NoKey):
        return None
