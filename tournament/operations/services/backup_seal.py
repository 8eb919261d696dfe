"""A backup's seal: one AES-GCM stream under a key that lies in no backup. Whoever lacks the key can neither read a
backup nor make one that is taken for ours; a byte that is another is refused.

The key is drawn from the one that enciphers signatures (core/services/cipher.py), so that there is one thing to seal
and to keep elsewhere. Each file has a salt, and so a key, of its own: no nonce is ever used twice.

A file is a line `rummikub-backup-2 BACKUP_MARK_BYTES BACKUP_SALT_BYTES`, the stream, and 16 bytes of tag, which cover
the line too.
"""

import os
import secrets
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.utils.translation import gettext_noop as _

from tournament.core.services import cipher
from tournament.operations.services.backup_engines import BackupDamaged, NotRestorable

BACKUP_MAGIC = b"rummikub-backup-2 "
BACKUP_KEY_PURPOSE = b"rummikub backup 2"
BACKUP_MARK_BYTES, BACKUP_SALT_BYTES, BACKUP_TAG_BYTES = 8, 32, 16
BACKUP_HEAD_BYTES = len(BACKUP_MAGIC) + BACKUP_MARK_BYTES + 1 + 2 * BACKUP_SALT_BYTES + 1
SEAL_CHUNK_BYTES = 1 << 20
# Each file has a key of its own, so that its one nonce may be the same.
BACKUP_NONCE = bytes(12)

BACKUP_FILE_DAMAGED = _("This file is damaged, cut off or no backup: %(why)s. Nothing was changed.")
BACKUP_KEY_MISSING = _(
    "This backup was enciphered with the key %(mark)s; here: %(here)s. Bring the sealed key first: "
    "manage.py signature_key --add. Nothing was changed."
)


def backup_damaged_error(why: str) -> BackupDamaged:
    """The refusal of a file, exit 2."""
    return BackupDamaged("backup_damaged", BACKUP_FILE_DAMAGED, why=why)


def key_of_file(key: bytes, salt: bytes) -> bytes:
    """The key of one file, derived from the sealed key and the file's salt."""
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=BACKUP_KEY_PURPOSE).derive(key)


class SealedWriter:
    """Writes the first line and enciphers all that is written; only `finish` makes it whole."""

    def __init__(self, file: BinaryIO) -> None:
        key, salt = cipher.made_key(), secrets.token_bytes(BACKUP_SALT_BYTES)
        head = BACKUP_MAGIC + cipher.key_mark(key).encode() + b" " + salt.hex().encode() + b"\n"
        self.file = file
        self.stream = Cipher(AES(key_of_file(key, salt)), GCM(BACKUP_NONCE)).encryptor()
        self.stream.authenticate_additional_data(head)
        self.file.write(head)

    def write(self, data: bytes) -> int:
        self.file.write(self.stream.update(data))
        return len(data)

    def flush(self) -> None:
        """What was written goes on; `finish` takes it to the disk."""
        self.file.flush()

    def finish(self) -> None:
        """The tag, and all of it to the disk."""
        self.file.write(self.stream.finalize() + self.stream.tag)
        self.file.flush()
        os.fsync(self.file.fileno())


def key_with_mark(mark: str) -> bytes:
    """The key here that has this mark; NotRestorable (exit 3) where it is wanted."""
    here = cipher.key_marks()
    if mark not in here:
        raise NotRestorable("backup_key_wanted", BACKUP_KEY_MISSING, mark=mark, here=" ".join(here) or "—")
    return cipher.known_keys()[here.index(mark)]


def read_head(head: bytes) -> tuple[str, bytes]:
    """The key's mark and the salt of a file's first line."""
    if not head.startswith(BACKUP_MAGIC) or len(head) != BACKUP_HEAD_BYTES or not head.endswith(b"\n"):
        raise backup_damaged_error("it does not begin as a backup")
    mark, _space, salt = head[len(BACKUP_MAGIC) : -1].partition(b" ")
    try:
        return mark.decode("ascii"), bytes.fromhex(salt.decode("ascii"))
    except ValueError:
        raise backup_damaged_error("its first line cannot be read") from None


def mark_in_backup_head(path: Path) -> str:
    """The mark of the key that sealed the file, as its first line says."""
    with path.open("rb") as file:
        return read_head(file.read(BACKUP_HEAD_BYTES))[0]


def unseal_backup(path: Path, into: BinaryIO) -> None:
    """Write what is in the file to `into`, which counts only once this has returned.

    BackupDamaged (exit 2) where a byte is another than was written, NotRestorable (exit 3) where the key is not here.
    """
    left = path.stat().st_size - BACKUP_HEAD_BYTES - BACKUP_TAG_BYTES
    with path.open("rb") as file:
        head = file.read(BACKUP_HEAD_BYTES)
        mark, salt = read_head(head)
        stream = Cipher(AES(key_of_file(key_with_mark(mark), salt)), GCM(BACKUP_NONCE)).decryptor()
        stream.authenticate_additional_data(head)
        while left > 0 and (part := file.read(min(SEAL_CHUNK_BYTES, left))):
            left -= len(part)
            into.write(stream.update(part))
        try:
            stream.finalize_with_tag(file.read(BACKUP_TAG_BYTES))
        except (InvalidTag, ValueError):
            raise backup_damaged_error(
                "it was altered or cut off after it was made, or made with another key"
            ) from None


def read_first_line(path: Path, longest: int = SEAL_CHUNK_BYTES) -> bytes:
    """The first line of what is in the file, quickly: whether the rest is whole, `unseal_backup` alone tells.

    BackupDamaged and NotRestorable as `unseal_backup`.
    """
    with path.open("rb") as file:
        head = file.read(BACKUP_HEAD_BYTES)
        mark, salt = read_head(head)
        stream = Cipher(AES(key_of_file(key_with_mark(mark), salt)), GCM(BACKUP_NONCE)).decryptor()
        return stream.update(file.read(longest)).partition(b"\n")[0]
