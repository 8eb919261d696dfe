"""The key that is not in the database, and what is enciphered with it: whatever people have drawn (D5).

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

CIPHER_NONCE_BYTES, CIPHER_KEY_BYTES = 12, 32
KEY_MARK_LENGTH = 8


class CipherUnreadable(Exception):
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
        return [decode_key(text, "SIGNATURE_KEY") for text in given.split()]
    try:
        lines = key_file().read_text(encoding="ascii").split()
    except FileNotFoundError:
        raise NoKey from None
    if not lines:
        raise NoKey
    return [decode_key(text, key_file().name) for text in lines]


def made_key() -> bytes:
    """The key that enciphers; made once, readable by its owner alone. Of two who make it at once one is kept."""
    try:
        return known_keys()[0]
    except NoKey:
        fresh = write_key_file([secrets.token_bytes(CIPHER_KEY_BYTES)])
        try:
            os.link(fresh, key_file())
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        fsync_key_folder()
        return known_keys()[0]


def append_key(key: bytes) -> None:
    """One more key in the file, after those that are there; the file is whole at every moment."""
    try:
        keys = known_keys()
    except NoKey:
        keys = []
    os.replace(write_key_file([*keys, key]), key_file())
    fsync_key_folder()


def write_key_file(keys: Sequence[bytes]) -> Path:
    """A file of these keys beside the one that counts, on the disk."""
    path = key_file().with_name(f"{key_file().name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(b"".join(base64.b64encode(key) + b"\n" for key in keys))
        file.flush()
        os.fsync(file.fileno())
    return path


def fsync_key_folder() -> None:
    """Let the file's name outlive a power cut."""
    folder = os.open(key_file().parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def decode_key(text: str, where: str) -> bytes:
    """A key; RuntimeError for what is none: better no program than one that enciphers with half a key."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != CIPHER_KEY_BYTES:
        raise RuntimeError(f"{where} is no base64 of {CIPHER_KEY_BYTES} bytes")
    return key


def key_mark(key: bytes) -> str:
    """Eight hexadecimal digits that tell keys apart and tell nothing of them."""
    return hashlib.sha256(b"mark of a signature key" + key).hexdigest()[:KEY_MARK_LENGTH]


def key_marks() -> list[str]:
    """The marks of the keys here, the one that enciphers first; none where nothing was ever enciphered here."""
    try:
        return [key_mark(key) for key in known_keys()]
    except NoKey:
        return []


# --- Enciphered and read --------------------------------------------------------------------------------
def encrypt_text(text: str, bound: bytes) -> bytes:
    """The text, enciphered and bound."""
    nonce = secrets.token_bytes(CIPHER_NONCE_BYTES)
    return nonce + AESGCM(made_key()).encrypt(nonce, text.encode(), bound)


def decrypt_text(whole: bytes, bound: bytes) -> str:
    """The text as it was; Unreadable where it is not what was enciphered, is another's or wants another key, NoKey."""
    for key in known_keys():
        try:
            return AESGCM(key).decrypt(whole[:CIPHER_NONCE_BYTES], whole[CIPHER_NONCE_BYTES:], bound).decode()
        except (InvalidTag, ValueError):
            continue
    raise CipherUnreadable
