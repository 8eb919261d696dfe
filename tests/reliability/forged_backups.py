"""Backups that somebody made who had true ones, knew all that is in them, and lacked the key.

The worst that was done to an unsealed backup: two people's data swapped, a clerk's password hash copied over the
judge's, packed again, and a new SHA-256 written over it. It was restored as "clean".
"""

import gzip
import hashlib
import io
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM

from tests.reliability.damages import deciphered_without_care, taken_apart, unsealed
from tournament.core.errors import Refused
from tournament.core.services import cipher
from tournament.operations.services import backup
from tournament.operations.services.backup_seal import (
    BACKUP_HEAD_BYTES,
    BACKUP_MAGIC,
    BACKUP_NONCE,
    BACKUP_SALT_BYTES,
    BACKUP_TAG_BYTES,
    key_of_file,
)

UNSEALED_FORM = b"rummikub-backup-1 "
# What the seal says; any other refusal means that the file was taken for one of ours.
SEEN_THROUGH = frozenset({"backup_damaged", "backup_key_wanted"})


@dataclass
class Forged:
    """How many were tried, which were taken, and how many the controls took."""

    tried: int = 0
    taken: list[str] = field(default_factory=list)
    careless: int = 0


def rewritten(body: bytes) -> bytes:
    """What is under the seal with two names of one length swapped in the database, its digests made to agree."""
    line, _break, rest = body.partition(b"\n")
    manifest = json.loads(line)
    scans = sum(size for _name, size in manifest["scans"])
    database = gzip.decompress(rest[scans:])
    first, second, between = b"CHAN 1", b"CHAN 2", secrets.token_bytes(6)
    database = database.replace(first, between).replace(second, first).replace(between, second)
    manifest["sha256"] = hashlib.sha256(database).hexdigest()
    return json.dumps(manifest, sort_keys=True).encode() + b"\n" + rest[:scans] + gzip.compress(database)


def in_unsealed_form(body: bytes) -> bytes:
    """As the form before the seal had it: a first line with the digest of all that follows."""
    return UNSEALED_FORM + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def sealed_with(key: bytes, body: bytes, mark: str, salt: bytes) -> bytes:
    """A whole seal by another key, under any mark."""
    head = BACKUP_MAGIC + mark.encode() + b" " + salt.hex().encode() + b"\n"
    stream = Cipher(AES(key_of_file(key, salt)), GCM(BACKUP_NONCE)).encryptor()
    stream.authenticate_additional_data(head)
    return head + stream.update(body) + stream.finalize() + stream.tag


def changed_in_place(whole: bytes, was: bytes, becomes: bytes) -> bytes:
    """The stream with known text turned into other text, as any stream cipher allows; the tag cannot follow."""
    place = BACKUP_HEAD_BYTES + was.index(b'"engine"')
    length = min(len(was), len(becomes))
    start = place - BACKUP_HEAD_BYTES
    part = bytes(a ^ b ^ c for a, b, c in zip(whole[place:], was[start:length], becomes[start:], strict=False))
    return whole[:place] + part + whole[place + len(part) :]


def forgeries(whole: bytes, older: bytes) -> Iterator[tuple[str, bytes]]:
    """Each forged file with how it was made; `older` is another true backup of the same installation."""
    body, mark = unsealed(whole), cipher.key_marks()[0]
    other, own, salt = rewritten(body), secrets.token_bytes(32), secrets.token_bytes(BACKUP_SALT_BYTES)
    yield "the form without a seal, as it was", in_unsealed_form(body)
    yield "the form without a seal, two people swapped and digested anew", in_unsealed_form(other)
    yield "sealed with another key under its own mark", sealed_with(own, other, cipher.key_mark(own), salt)
    yield "sealed with another key under our mark", sealed_with(own, other, mark, salt)
    yield "sealed with another key under our mark and a true salt", sealed_with(own, other, *mark_and_salt(whole))
    yield "sealed with no key at all", sealed_with(bytes(32), other, mark, salt)
    yield "the first line of another true one", older[:BACKUP_HEAD_BYTES] + whole[BACKUP_HEAD_BYTES:]
    yield "the tag of another true one", whole[:-BACKUP_TAG_BYTES] + older[-BACKUP_TAG_BYTES:]
    yield "begun as one and ended as another", whole[: len(whole) // 2] + older[len(whole) // 2 :]
    yield "another mark in its first line", whole.replace(mark.encode(), b"0" * 8, 1)
    yield (
        "another salt in its first line",
        BACKUP_MAGIC + mark.encode() + b" " + salt.hex().encode() + whole[BACKUP_HEAD_BYTES - 1 :],
    )
    yield "the manifest changed in place", changed_in_place(whole, body, body.replace(b'"engine"', b'"eNgine"', 1))
    yield "the database changed in place", changed_in_place(whole, body, other)
    yield "without its tag", whole[:-BACKUP_TAG_BYTES]
    yield "with a tag of nothing", whole[:-BACKUP_TAG_BYTES] + bytes(BACKUP_TAG_BYTES)
    yield "its own tag twice", whole + whole[-BACKUP_TAG_BYTES:]


def mark_and_salt(whole: bytes) -> tuple[str, bytes]:
    """As the first line says them."""
    mark, _space, salt = whole[len(BACKUP_MAGIC) : BACKUP_HEAD_BYTES - 1].partition(b" ")
    return mark.decode(), bytes.fromhex(salt.decode())


def code_of(act: object, path: Path) -> str:
    """The code of a refusal; "" where the file was taken."""
    try:
        act(path)  # type: ignore[operator]
    except Refused as refusal:
        return refusal.code
    return ""


def try_all(folder: Path) -> Forged:
    """Two true backups of this database, and every forgery at `verify` and at `restore`."""
    older, newer = (backup.create_backup(folder).path.read_bytes() for _each in range(2))
    assert taken_apart(newer).manifest["engine"]
    outcome = Forged()
    for name, forged in forgeries(newer, older):
        path = folder / "forged.backup"
        path.write_bytes(forged)
        for act in (backup.try_restore, backup.restore_backup):
            outcome.tried += 1
            if (code := code_of(act, path)) not in SEEN_THROUGH:
                outcome.taken.append(f"{name}: {act.__name__} {code or 'took it'}")
        outcome.careless += taken_by_a_digest(forged) or taken_without_a_tag(forged)
    return outcome


def taken_by_a_digest(forged: bytes) -> bool:
    """The control that was in use: a digest without a key agrees."""
    head, _break, body = forged.partition(b"\n")
    return head == UNSEALED_FORM + hashlib.sha256(body).hexdigest().encode()


def taken_without_a_tag(forged: bytes) -> bool:
    """The other control: enciphered, but nothing compares the tag."""
    try:
        line = io.BytesIO(deciphered_without_care(forged)).readline()
        return isinstance(json.loads(line), dict)
    except (ValueError, Refused):
        return False
