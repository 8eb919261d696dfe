"""Drawn signatures as they are kept: enciphered with a key that is not in the database, held to the log by a digest.

The digest is SHA-256 over the salt and the strokes' canonical JSON (reliability 4.5). The cipher is AES-GCM and
bound to what was signed by whom, so that a drawing that was moved to another signature cannot be read there.
"""

import base64
import binascii
import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from tournament.models import Drawing, Scoresheet, Signature, Table
from tournament.queries import scoresheets as queries
from tournament.readers.strokes import Strokes, as_text
from tournament.services import scoresheets

NONCE, KEY = 12, 32


class Unreadable(Exception):
    """The strokes are not what was enciphered here, or another key is wanted."""


class NoKey(Exception):
    """This installation has no key: nothing was ever enciphered here."""


def key_file() -> Path:
    """Where the key lies when SIGNATURE_KEY does not give it."""
    return Path(settings.VAR_DIR) / "signature_key"


def known_key() -> bytes:
    """The key, 32 bytes, from SIGNATURE_KEY (base64) or its file; NoKey where there is none."""
    given = os.environ.get("SIGNATURE_KEY", "")
    if given:
        return _decoded(given, "SIGNATURE_KEY")
    try:
        return _kept(key_file())
    except FileNotFoundError:
        raise NoKey from None


def made_key() -> bytes:
    """The key; made once, readable by its owner alone. Of two who make it at once one is kept."""
    try:
        return known_key()
    except NoKey:
        path = key_file()
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(base64.b64encode(secrets.token_bytes(KEY)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        return known_key()


@cache
def _kept(path: Path) -> bytes:
    return _decoded(path.read_text(encoding="ascii"), str(path.name))


def _decoded(text: str, where: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except binascii.Error:
        key = b""
    if len(key) != KEY:
        raise RuntimeError(f"{where} is no base64 of {KEY} bytes")
    return key


# --- Kept and read --------------------------------------------------------------------------------------
def bound_to(signature: Signature) -> bytes:
    """What the cipher is bound to: the values signed (with event, table and version), the seat, the entrant."""
    return f"{signature.digest} {signature.letter} {signature.entrant.number}".encode()


def digest_of(salt: str, text: str) -> str:
    """SHA-256, hexadecimal, over salt and canonical strokes."""
    return hashlib.sha256(f"{salt}{text}".encode()).hexdigest()


def keep(signature: Signature, strokes: Strokes, claimed_at: datetime | None) -> Drawing:
    """The drawing of a signature, kept."""
    text, salt, nonce = as_text(strokes), secrets.token_hex(16), secrets.token_bytes(NONCE)
    cipher = AESGCM(made_key()).encrypt(nonce, text.encode(), bound_to(signature))
    return Drawing.objects.create(
        signature=signature, strokes=nonce + cipher, salt=salt, digest=digest_of(salt, text), claimed_at=claimed_at
    )


def read(signature: Signature) -> Sequence[Sequence[Sequence[int]]]:
    """The strokes of a signature that has a drawing; Unreadable where they are not those that were kept, NoKey."""
    drawing = signature.drawing
    whole = bytes(drawing.strokes)
    try:
        text = AESGCM(known_key()).decrypt(whole[:NONCE], whole[NONCE:], bound_to(signature)).decode()
    except (InvalidTag, ValueError):
        raise Unreadable from None
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
