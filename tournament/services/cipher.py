"""The key that is not in the database, and what is enciphered with it: whatever people have drawn (reliability 4.5).

AES-GCM, each text bound to what it belongs to, so that it cannot be read in another's place. There may be several keys,
one a line: the first one enciphers, all of them are tried when something is read, so that a key that comes back after
another was made opens what was enciphered with it.
"""

import base64
import binascii
import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE, KEY = 12, 32
MARK = 8


class Unreadable(Exception):
    """This is not what was enciphered here, or another key is wanted."""


class NoKey(Exception):
    """This installation has no key: nothing was ever enciphered here."""


def key_file() -> Path:
    """Where the keys lie when SIGNATURE_KEY does not give them."""
    return Path(settings.VAR_DIR) / "signature_key"


def known_keys() -> list[bytes]:
    """The keys, 32 bytes each, from SIGNATURE_KEY (base64) or the file; NoKey where there is none."""
    given = os.environ.get("SIGNATURE_KEY", "")
    if given.strip():
        return [decoded(text, "SIGNATURE_KEY") for text in given.split()]
    try:
        lines = key_file().read_text(encoding="ascii").split()
    except FileNotFoundError:
        raise NoKey from None
    if not lines:
        raise NoKey
    return [decoded(text, key_file().name) for text in lines]


def made_key() -> bytes:
    """The key that enciphers; made once, readable by its owner alone. Of two who make it at once one is kept."""
    try:
        return known_keys()[0]
    except NoKey:
        fresh = written([secrets.token_bytes(KEY)])
        try:
            os.link(fresh, key_file())
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        sync_folder()
        return known_keys()[0]


def append(key: bytes) -> None:
    """One more key in the file, after those that are there; the file is whole at every moment."""
    try:
        keys = known_keys()
    except NoKey:
        keys = []
    os.replace(written([*keys, key]), key_file())
    sync_folder()


def written(keys: Sequence[bytes]) -> Path:
    """A file of these keys beside the one that counts, on the disk."""
    path = key_file().with_name(f"{key_file().name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(b"".join(base64.b64encode(key) + b"\n" for key in keys))
        file.flush()
        os.fsync(file.fileno())
    return path


def sync_folder() -> None:
    """Let the file's name outlive a power cut."""
    folder = os.open(key_file().parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def decoded(text: str, where: str) -> bytes:
    """A key; RuntimeError for what is none: better no program than one that enciphers with half a key."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != KEY:
        raise RuntimeError(f"{where} is no base64 of {KEY} bytes")
    return key


def mark_of(key: bytes) -> str:
    """Eight hexadecimal digits that tell keys apart and tell nothing of them."""
    return hashlib.sha256(b"mark of a signature key" + key).hexdigest()[:MARK]


def marks() -> list[str]:
    """The marks of the keys here, the one that enciphers first; none where nothing was ever enciphered here."""
    try:
        return [mark_of(key) for key in known_keys()]
    except NoKey:
        return []


# --- Enciphered and read --------------------------------------------------------------------------------
def sealed(text: str, bound: bytes) -> bytes:
    """The text, enciphered and bound."""
    nonce = secrets.token_bytes(NONCE)
    return nonce + AESGCM(made_key()).encrypt(nonce, text.encode(), bound)


def opened(whole: bytes, bound: bytes) -> str:
    """The text as it was; Unreadable where it is not what was enciphered, is another's or wants another key, NoKey."""
    for key in known_keys():
        try:
            return AESGCM(key).decrypt(whole[:NONCE], whole[NONCE:], bound).decode()
        except (InvalidTag, ValueError):
            continue
    raise Unreadable
