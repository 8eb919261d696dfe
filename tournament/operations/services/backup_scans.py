"""The scans in a backup: each file's bytes behind the manifest, in its order, before the database."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from tournament.operations.services.audit_chain import AuditFinding
from tournament.operations.services.backup_engines import BackupManifest
from tournament.sheets.models.scan import Scan
from tournament.sheets.services.scans import keep_file, scans_folder

ListedScans = Sequence[tuple[str, int]]


class WritableFile(Protocol):
    """Whatever has a `write` that takes bytes."""

    def write(self, data: bytes, /) -> int: ...


def list_intact_scans() -> list[tuple[str, int]]:
    """Every whole scan's name and size. Asked after the database's snapshot: its rows have their files by then."""
    files = (
        [path for path in scans_folder().glob("*") if path.suffix in (".jpg", ".pdf")]
        if scans_folder().is_dir()
        else []
    )
    return [(path.name, path.stat().st_size) for path in sorted(files)]


def write_scans(file: WritableFile, listed: ListedScans) -> None:
    """The files, one behind another. They never change, so that each still has its size."""
    for name, _size in listed:
        file.write((scans_folder() / name).read_bytes())


def find_damaged_scan(file: BinaryIO, manifest: BackupManifest) -> str:
    """To the database; the first scan on the way whose bytes are not those of its name, if there is one."""
    for name, size in manifest["scans"]:
        if hashlib.sha256(file.read(size)).hexdigest() != Path(name).stem:
            return str(name)
    return ""


def restore_scans(file: BinaryIO, manifest: BackupManifest) -> None:
    """Each file to its place, if its bytes are those of its name; what is there already stays."""
    for name, size in manifest["scans"]:
        content = file.read(size)
        if hashlib.sha256(content).hexdigest() == Path(name).stem:
            keep_file(Path(name).name, content)


def find_missing_scans(using: str, manifest: BackupManifest) -> list[AuditFinding]:
    """The scans that the rows know and the backup has not."""
    packed = {name for name, _size in manifest["scans"]}
    rows = Scan.objects.using(using).select_related("session__stage__event")
    return [
        AuditFinding(scan.session.stage.event.slug, "scan_missing", f"scan {scan.session.code}-{scan.table_number:02d}")
        for scan in rows
        if scan.file_name not in packed
    ]
