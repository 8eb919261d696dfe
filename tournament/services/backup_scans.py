"""The scans in a backup: each file's bytes behind the manifest, in its order, before the database."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from tournament.models import Scan
from tournament.services.audit_chain import Finding
from tournament.services.backup_engines import Manifest
from tournament.services.scoresheets_scans import folder, keep_file

Listed = Sequence[tuple[str, int]]


class Writable(Protocol):
    """What takes bytes."""

    def write(self, data: bytes, /) -> int: ...


def there() -> list[tuple[str, int]]:
    """Every whole scan's name and size. Asked after the database's snapshot: its rows have their files by then."""
    files = [path for path in folder().glob("*") if path.suffix in (".jpg", ".pdf")] if folder().is_dir() else []
    return [(path.name, path.stat().st_size) for path in sorted(files)]


def write(file: Writable, listed: Listed) -> None:
    """The files, one behind another. They never change, so that each still has its size."""
    for name, _size in listed:
        file.write((folder() / name).read_bytes())


def read_other(file: BinaryIO, manifest: Manifest) -> str:
    """To the database; the first scan on the way whose bytes are not those of its name, if there is one."""
    for name, size in manifest["scans"]:
        if hashlib.sha256(file.read(size)).hexdigest() != Path(name).stem:
            return str(name)
    return ""


def restore(file: BinaryIO, manifest: Manifest) -> None:
    """Each file to its place, if its bytes are those of its name; what is there already stays."""
    for name, size in manifest["scans"]:
        content = file.read(size)
        if hashlib.sha256(content).hexdigest() == Path(name).stem:
            keep_file(Path(name).name, content)


def missing(using: str, manifest: Manifest) -> list[Finding]:
    """The scans that the rows know and the backup has not."""
    packed = {name for name, _size in manifest["scans"]}
    rows = Scan.objects.using(using).select_related("session__stage__event")
    return [
        Finding(scan.session.stage.event.slug, "scan_missing", f"scan {scan.session.code}-{scan.table_number:02d}")
        for scan in rows
        if scan.file_name not in packed
    ]
