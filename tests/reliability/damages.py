"""A backup damaged in every part: cut, bytes flipped, parts missing, and packed anew with something wrong in it."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tournament.services.backup import MAGIC

HEAD = len(MAGIC) + 65


class Parts(NamedTuple):
    """A backup's file taken apart behind its first line."""

    manifest: dict[str, Any]
    scans: bytes
    packed: bytes


def taken_apart(whole: bytes) -> Parts:
    """What is in a file that is whole."""
    line = whole.index(b"\n", HEAD)
    manifest = json.loads(whole[HEAD:line])
    end = line + 1 + sum(size for _name, size in manifest["scans"])
    return Parts(manifest, whole[line + 1 : end], whole[end:])


def put_together(manifest: Any, scans: bytes, packed: bytes) -> bytes:
    """A file whose digest agrees with what is in it, whatever that is."""
    rest = json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode() + b"\n" + scans + packed
    return MAGIC + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def flipped(data: bytes, place: int) -> bytes:
    """One bit of one byte is another."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def damages(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """Each damaged file with what was done to it."""
    parts = taken_apart(whole)
    yield from cut(whole, parts)
    yield from with_a_byte_flipped(whole, parts)
    yield from packed_anew(parts)
    yield from strange(whole, parts)


def borders(whole: bytes, parts: Parts) -> dict[str, tuple[int, int]]:
    """Where each part begins and ends."""
    database = len(whole) - len(parts.packed)
    scans = database - len(parts.scans)
    return {
        "first line": (0, HEAD),
        "manifest": (HEAD, scans),
        "scans": (scans, database),
        "database": (database, len(whole)),
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


def packed_anew(parts: Parts) -> Iterator[tuple[str, bytes]]:
    """The digest agrees and something in it is wrong: a missing part, another engine, a later version, fewer rows."""
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
    yield "without its first line", whole[HEAD:]
    yield "database before the scans", whole[: -len(parts.scans + parts.packed)] + parts.packed + parts.scans
    yield "a text", "備份\n".encode() * 50


def taken_without_care(body: bytes) -> bool:
    """The control: a reader that unpacks what it finds and compares nothing."""
    try:
        line = body.index(b"\n", HEAD)
        manifest = json.loads(body[HEAD:line])
        gzip.decompress(body[line + 1 + sum(size for _name, size in manifest.get("scans", ())) :])
    except (ValueError, OSError, EOFError, AttributeError):
        return False
    return True
