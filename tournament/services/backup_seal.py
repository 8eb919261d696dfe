"""A backup's seal: one AES-GCM stream under a key that lies in no backup. Whoever lacks the key can neither read a
backup nor make one that is taken for ours; a byte that is another is refused.

The key is drawn from the one that enciphers signatures (services/cipher.py), so that there is one thing to seal and to
keep elsewhere. Each file has a salt, and so a key, of its own: no nonce is ever used twice.

A file is a line `rummikub-backup-2 MARK SALT`, the stream, and 16 bytes of tag, which cover the line too.
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

from tournament.services import cipher
from tournament.services.backup_engines import BackupDamaged, NotRestorable

MAGIC = b"rummikub-backup-2 "
PURPOSE = b"rummikub backup 2"
MARK, SALT, TAG = 8, 32, 16
HEAD = len(MAGIC) + MARK + 1 + 2 * SALT + 1
CHUNK = 1 << 20
# Each file has a key of its own, so that its one nonce may be the same.
NONCE = bytes(12)

DAMAGED = _("This file is damaged, cut off or no backup: %(why)s. Nothing was changed.")
KEY_WANTED = _(
    "This backup was enciphered with the key %(mark)s; here: %(here)s. Bring the sealed key first: "
    "manage.py signature_key --add. Nothing was changed."
)


def damaged(why: str) -> BackupDamaged:
    """The refusal of a file, exit 2."""
    return BackupDamaged("backup_damaged", DAMAGED, why=why)


def key_of_file(key: bytes, salt: bytes) -> bytes:
    """The file's own key."""
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=PURPOSE).derive(key)


class SealedWriter:
    """Writes the first line and enciphers all that is written; only `finish` makes it whole."""

    def __init__(self, file: BinaryIO) -> None:
        key, salt = cipher.made_key(), secrets.token_bytes(SALT)
        head = MAGIC + cipher.mark_of(key).encode() + b" " + salt.hex().encode() + b"\n"
        self.file = file
        self.stream = Cipher(AES(key_of_file(key, salt)), GCM(NONCE)).encryptor()
        self.stream.authenticate_additional_data(head)
        self.file.write(head)

    def write(self, data: bytes) -> int:
        """Encipher and write."""
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
    here = cipher.marks()
    if mark not in here:
        raise NotRestorable("backup_key_wanted", KEY_WANTED, mark=mark, here=" ".join(here) or "—")
    return cipher.known_keys()[here.index(mark)]


def read_head(head: bytes) -> tuple[str, bytes]:
    """The key's mark and the salt of a file's first line."""
    if not head.startswith(MAGIC) or len(head) != HEAD or not head.endswith(b"\n"):
        raise damaged("it does not begin as a backup")
    mark, _space, salt = head[len(MAGIC) : -1].partition(b" ")
    try:
        return mark.decode("ascii"), bytes.fromhex(salt.decode("ascii"))
    except ValueError:
        raise damaged("its first line cannot be read") from None


def mark_of(path: Path) -> str:
    """The mark of the key that sealed the file, as its first line says."""
    with path.open("rb") as file:
        return read_head(file.read(HEAD))[0]


def unseal(path: Path, into: BinaryIO) -> None:
    """Write what is in the file to `into`, which counts only once this has returned.

    BackupDamaged (exit 2) where a byte is another than was written, NotRestorable (exit 3) where the key is not here.
    """
    left = path.stat().st_size - HEAD - TAG
    with path.open("rb") as file:
        head = file.read(HEAD)
        mark, salt = read_head(head)
        stream = Cipher(AES(key_of_file(key_with_mark(mark), salt)), GCM(NONCE)).decryptor()
        stream.authenticate_additional_data(head)
        while left > 0 and (part := file.read(min(CHUNK, left))):
            left -= len(part)
            into.write(stream.update(part))
        try:
            stream.finalize_with_tag(file.read(TAG))
        except (InvalidTag, ValueError):
            raise damaged("it was altered or cut off after it was made, or made with another key") from None


def first_line(path: Path, longest: int = CHUNK) -> bytes:
    """The first line of what is in the file, quickly: whether the rest is whole, `unseal` alone tells.

    BackupDamaged and NotRestorable as `unseal`.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
        mark, salt = read_head(head)
        stream = Cipher(AES(key_of_file(key_with_mark(mark), salt)), GCM(NONCE)).decryptor()
        return stream.update(file.read(longest)).partition(b"\n")[0]
