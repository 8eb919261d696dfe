"""A backup damaged in every part: cut, bytes flipped, and sealed anew with something wrong in it."""

import gzip
import hashlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM

from tournament.core.errors import Refused
from tournament.operations.services.backup_seal import (
    BACKUP_HEAD_BYTES,
    BACKUP_NONCE,
    BACKUP_TAG_BYTES,
    SealedWriter,
    key_of_file,
    key_with_mark,
    read_head,
    unseal_backup,
)


class Parts(NamedTuple):
    """What a backup has under its seal, taken apart."""

    manifest: dict[str, Any]
    scans: bytes
    packed: bytes


def unsealed(whole: bytes) -> bytes:
    """What is under the seal of a file that is whole."""
    opened = io.BytesIO()
    with tempfile.NamedTemporaryFile() as file:
        file.write(whole)
        file.flush()
        unseal_backup(Path(file.name), opened)
    return opened.getvalue()


def sealed(body: bytes) -> bytes:
    """A file with this under its seal, whatever it is: what somebody makes who has the key."""
    with tempfile.TemporaryFile() as file:
        writer = SealedWriter(file)
        writer.write(body)
        writer.finish()
        file.seek(0)
        return file.read()


def taken_apart(whole: bytes) -> Parts:
    """What is in a file that is whole."""
    body = unsealed(whole)
    line = body.index(b"\n")
    manifest = json.loads(body[:line])
    end = line + 1 + sum(size for _name, size in manifest["scans"])
    return Parts(manifest, body[line + 1 : end], body[end:])


def put_together(manifest: Any, scans: bytes, packed: bytes) -> bytes:
    """A file whose seal is whole, whatever is in it."""
    return sealed(json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode() + b"\n" + scans + packed)


def flipped(data: bytes, place: int) -> bytes:
    """One bit of one byte is another."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def damages(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """Each damaged file with what was done to it."""
    parts = taken_apart(whole)
    yield from cut(whole, parts)
    yield from with_a_byte_flipped(whole, parts)
    yield from sealed_anew(parts)
    yield from strange(whole, parts)


def borders(whole: bytes, parts: Parts) -> dict[str, tuple[int, int]]:
    """Where each part begins and ends: the stream is as long as what it enciphers."""
    end = len(whole) - BACKUP_TAG_BYTES
    database = end - len(parts.packed)
    scans = database - len(parts.scans)
    return {
        "first line": (0, BACKUP_HEAD_BYTES),
        "manifest": (BACKUP_HEAD_BYTES, scans),
        "scans": (scans, database),
        "database": (database, end),
        "tag": (end, len(whole)),
    }


def cut(whole: bytes, parts: Parts) -> Iterator[tuple[str, bytes]]:
    """The file ends in each part and at each border."""
    for name, (start, end) in borders(whole, parts).items():
        for place in (start, start + 1, (start + end) // 2, end - 1):
            yield f"cut at byte {place} of {name}", whole[:place]


def with_a_byte_flipped(whole: bytes, parts: Parts) -> Iterator[tuple[str, bytes]]:
    """One byte in each part, at its ends and between."""
    for name, (start, end) in borders(whole, parts).items():
        for place in (start, start + (end - start) // 3, start + 2 * (end - start) // 3, end - 1):
            yield f"byte {place} of {name} flipped", flipped(whole, place)


def sealed_anew(parts: Parts) -> Iterator[tuple[str, bytes]]:
    """The seal is whole and something in it is wrong: a missing part, another engine, a later version, fewer rows."""
    manifest, scans, packed = parts
    for name in manifest:
        yield (
            f"no {name} in its manifest",
            put_together({k: v for k, v in manifest.items() if k != name}, scans, packed),
        )
    rows = {**manifest["rows"], "tournament_auditentry": manifest["rows"]["tournament_auditentry"] + 1}
    wrong = {
        "engine": "oracle",
        "format": manifest["format"] + 1,
        "migrations": [*manifest["migrations"], "tournament.9999_later"],
        "rows": rows,
        "sha256": hashlib.sha256(b"").hexdigest(),
        "heads": [],
    }
    for name, value in wrong.items():
        yield f"another {name} in its manifest", put_together({**manifest, name: value}, scans, packed)
    [*others, (last, size)] = manifest["scans"]
    yield "another scan", put_together(manifest, flipped(scans, len(scans) // 2), packed)
    yield "a scan too few", put_together(manifest, scans[:-size], packed)
    yield "a scan that is longer", put_together({**manifest, "scans": [*others, (last, size + 1)]}, scans, packed)
    yield "no database", put_together(manifest, scans, b"")
    yield "half a database", put_together(manifest, scans, packed[: len(packed) // 2])
    yield "an empty database", put_together(manifest, scans, gzip.compress(b""))
    yield "another check at the end", put_together(manifest, scans, flipped(packed, len(packed) - 6))
    yield "the manifest is a list", put_together([manifest], scans, packed)
    half = gzip.decompress(packed)
    half = half[: len(half) // 2]
    claimed = {**manifest, "sha256": hashlib.sha256(half).hexdigest()}
    yield "half a database that is called whole", put_together(claimed, scans, gzip.compress(half))


def strange(whole: bytes, parts: Parts) -> Iterator[tuple[str, bytes]]:
    """Other files under a backup's name."""
    yield "something behind its end", whole + b"x"
    yield "twice in one file", whole + whole
    yield "the database alone", gzip.decompress(parts.packed)
    yield "the packed database alone", parts.packed
    yield "without its first line", whole[BACKUP_HEAD_BYTES:]
    yield "database before the scans", put_together(parts.manifest, parts.packed, parts.scans)
    yield "what is under the seal, without it", unsealed(whole)
    yield "a text", "備份\n".encode() * 50


def taken_without_care(body: bytes) -> bool:
    """The control: a reader that deciphers what it finds, compares no tag and unpacks it."""
    try:
        opened = deciphered_without_care(body)
        line = opened.index(b"\n")
        manifest = json.loads(opened[:line])
        gzip.decompress(opened[line + 1 + sum(size for _name, size in manifest.get("scans", ())) :])
    except (ValueError, OSError, EOFError, AttributeError, Refused):
        return False
    return True


def deciphered_without_care(body: bytes) -> bytes:
    """The stream as it comes, whatever its tag says."""
    mark, salt = read_head(body[:BACKUP_HEAD_BYTES])
    stream = Cipher(AES(key_of_file(key_with_mark(mark), salt)), GCM(BACKUP_NONCE)).decryptor()
    return stream.update(body[BACKUP_HEAD_BYTES:-BACKUP_TAG_BYTES])
