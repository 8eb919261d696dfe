"""Backups of the whole database: one snapshot, tried out in a scratch copy, refused when damaged (4.9, B1-B4).

A backup is one file: a line with the SHA-256 of all that follows it, a line of JSON (the manifest), the scans of the
papers, then the database packed with gzip. It is `.partial` until it is whole and was restored and verified once.
Sessions of browsers stay out, and the key of what was drawn: of that only the mark is told (backup_keys). It holds
people's data: only the owner of the file may read it.
"""

import gzip
import hashlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.errors import Refused
from tournament.models import Event
from tournament.services import audit, backup_engines, backup_scans, cipher
from tournament.services.audit_chain import Anchor, Finding
from tournament.services.audit_verification import verify
from tournament.services.backup_anchors import Acknowledgement, Lost, lost_entries
from tournament.services.backup_engines import BackupDamaged, Manifest, NotRestorable
from tournament.services.release_files import write_index, write_public_files

MAGIC = b"rummikub-backup-1 "
SUFFIX = ".backup"
CHUNK = 1 << 20

DAMAGED = _("This file is damaged, cut off or no backup: %(why)s. Nothing was changed.")
NOT_EMPTY = _("The database here is not empty. A backup is restored only into an empty one; nothing was changed.")


def folder() -> Path:
    """Where backups are kept: BACKUP_DIR, or beside the database."""
    return Path(os.environ.get("BACKUP_DIR") or settings.VAR_DIR / "backups")


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was restored once: its file, its manifest, and where its log and its rows do not agree."""

    path: Path
    manifest: Manifest
    findings: list[Finding]


def create(to: Path | None = None) -> Made:
    """Make a backup. It is restored into a scratch copy before it gets its name.

    1. one snapshot of the database, by the engine's own means; 2. manifest and digest; 3. to the disk; 4. the scratch
    copy; 5. the name. A database that somebody has altered is kept too, with what was found.
    """
    to = to or folder()
    to.mkdir(parents=True, exist_ok=True)
    at = timezone.now()
    path = to / f"rummikub-{at:%Y%m%d-%H%M%S-%f}{SUFFIX}"
    partial = path.with_name(path.name + ".partial")
    try:
        with tempfile.TemporaryDirectory(prefix="backup-", dir=to) as scratch:
            copy = Path(scratch) / "database"
            backup_engines.dump(connection, copy)
            manifest = backup_engines.manifest_of(connection, copy, at)
            pack(partial, {**manifest, "scans": backup_scans.there(), "signature_keys": cipher.marks()}, copy)
        tried = try_out(partial)
        os.replace(partial, path)
        sync_folder(to)
    finally:
        partial.unlink(missing_ok=True)
    return Made(path, tried.manifest, tried.findings)


def pack(path: Path, manifest: Manifest, copy: Path) -> None:
    """Write the file; the digest of what follows goes into its first line at the end."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w+b") as file:
        file.write(MAGIC + b"0" * 64 + b"\n")
        start = file.tell()
        file.write(json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode() + b"\n")
        backup_scans.write(file, manifest.get("scans", ()))
        with copy.open("rb") as source, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
            shutil.copyfileobj(source, packed, CHUNK)
        file.seek(start)
        digest = digest_of_rest(file)
        file.seek(len(MAGIC))
        file.write(digest.encode())
        file.flush()
        os.fsync(file.fileno())


def digest_of_rest(file: BinaryIO) -> str:
    """SHA-256 from here to the end."""
    found = hashlib.sha256()
    while part := file.read(CHUNK):
        found.update(part)
    return found.hexdigest()


def sync_folder(path: Path) -> None:
    """Let the new name outlive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


@contextmanager
def opened(path: Path) -> Iterator[tuple[Manifest, BinaryIO]]:
    """The manifest and the packed database of a file whose every byte is as it was written; BackupDamaged otherwise."""
    with path.open("rb") as file:
        head = file.readline(len(MAGIC) + 66)
        if not head.startswith(MAGIC) or len(head) != len(MAGIC) + 65 or not head.endswith(b"\n"):
            raise damaged("it does not begin as a backup")
        start = file.tell()
        if digest_of_rest(file) != head[len(MAGIC) : -1].decode("ascii", "replace"):
            raise damaged("its digest does not agree")
        file.seek(start)
        yield read_manifest(file.readline()), file


def read_manifest(line: bytes) -> Manifest:
    """The manifest, with every part that it must have; a later form of it is another program's."""
    try:
        manifest = json.loads(line)
        whole = all(isinstance(manifest[name], kind) for name, kind in backup_engines.PARTS.items())
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise damaged("its manifest cannot be read")
    return dict(manifest)


def damaged(why: str) -> BackupDamaged:
    """The refusal of a file, exit 2."""
    return BackupDamaged("backup_damaged", DAMAGED, why=why)


def unpack(file: BinaryIO, copy: Path, manifest: Manifest) -> None:
    """The database as it was dumped; `file` stands behind the manifest."""
    if other := backup_scans.read_other(file, manifest):
        raise damaged(f"the scan {other} in it is not the one that was packed")
    try:
        with gzip.GzipFile(fileobj=file) as packed, copy.open("wb") as target:
            shutil.copyfileobj(packed, target, CHUNK)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise damaged("the database in it cannot be unpacked") from None
    with copy.open("rb") as made:
        if digest_of_rest(made) != manifest["sha256"]:
            raise damaged("the database in it is not the one that was packed")


def try_out(path: Path) -> Made:
    """Restore into a scratch copy that is then removed: the rows as counted, and the log compared with them.

    A backup of an older version is migrated there first, as `restore` would do it.
    """
    with tempfile.TemporaryDirectory(prefix="scratch-") as scratch, opened(path) as (manifest, file):
        backup_engines.refuse_stranger(connection, manifest)
        copy = Path(scratch) / "database"
        unpack(file, copy, manifest)
        with backup_engines.scratch_database(connection, manifest, copy) as using:
            refuse_other_rows(using, manifest)
            if backup_engines.is_older(manifest):
                call_command("migrate", database=using, verbosity=0, interactive=False)
            findings = verify(using=using, files=False).findings + backup_scans.missing(using, manifest)
            return Made(path, manifest, findings)


def refuse_other_rows(using: str, manifest: Manifest) -> None:
    """Every table has as many rows as were counted when it was packed."""
    differ = sorted(dict(backup_engines.row_counts(using).items() ^ manifest["rows"].items()))
    if differ:
        raise damaged(f"rows are missing in {', '.join(differ)}")


def restore(
    path: Path, *, anchors: Iterable[Anchor] = (), acknowledged: Sequence[Acknowledgement] = ()
) -> tuple[Manifest, dict[str, Lost]]:
    """Put a backup into this installation's database, which must be empty; what of the anchored log it lacks.

    1. the file is whole, of this engine, not of a newer schema; 2. the database is empty; 3. in a scratch copy its
    rows are as counted and its log reaches the last anchor, or two people acknowledge that it does not; 4. restored.
    Its caller migrates on what is older, then `after_restore`. Raises BackupDamaged (exit 2), NotRestorable (exit 3).
    """
    with tempfile.TemporaryDirectory(prefix="restore-") as scratch, opened(path) as (manifest, file):
        backup_engines.refuse_stranger(connection, manifest)
        if not backup_engines.is_empty(connection):
            raise NotRestorable("database_not_empty", NOT_EMPTY)
        copy = Path(scratch) / "database"
        start = file.tell()
        unpack(file, copy, manifest)
        with backup_engines.scratch_database(connection, manifest, copy) as using:
            refuse_other_rows(using, manifest)
            lost = lost_entries(using, manifest, anchors, acknowledged)
        file.seek(start)
        backup_scans.restore(file, manifest)
        backup_engines.load(connection, copy)
    return manifest, lost


def after_restore(manifest: Manifest, lost: dict[str, Lost]) -> None:
    """An entry in every event's log that says so, and the public's files as the releases give them."""
    for event in Event.objects.order_by("slug"):
        record_restore(event, manifest, lost.get(event.slug))
    write_index(anew=True)
    for event in Event.objects.order_by("slug"):
        write_public_files(event, anew=True)


def record_restore(event: Event, manifest: Manifest, lost: Lost | None) -> None:
    """Who reads the log sees that an older state came back, from when, what is missing and which two agreed to it."""
    seq = manifest["heads"].get(event.slug, {}).get("seq", 0)
    reason, actor = f"{manifest['at']}, entry {seq}", None
    if lost:
        first, second = lost.accounts
        reason += f"; {lost.entries} entries missing, acknowledged by accounts {first} and {second}"
        actor = User.objects.get(pk=first)
    with backup_engines.atomic():
        audit.record(event, actor, "restore_backup", f"event {event.slug}", reason=reason)


# --- What is there --------------------------------------------------------------------------------------
class Kept:
    """A backup in the folder."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self.size = path.stat().st_size
        self.at = datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_default_timezone())

    @property
    def age(self) -> int:
        """Whole minutes since it was made."""
        return max(int((timezone.now() - self.at).total_seconds()) // 60, 0)


def kept() -> list[Kept]:
    """Every whole backup in the folder, the newest first."""
    return [Kept(path) for path in sorted(folder().glob(f"*{SUFFIX}"), reverse=True)]


def find(name: str) -> Kept | None:
    """One of them by name."""
    return next((one for one in kept() if one.name == name), None)


def record_backup(event: Event, by: Any, made: Made) -> None:
    """Who has made a backup of everybody's data, for the page that hands it out."""
    with backup_engines.atomic():
        audit.record(event, by, "create_backup", f"event {event.slug}", reason=made.path.name)


def refuse_download(by: Any) -> None:
    """A backup holds every event of the installation: only who is an organiser of all of them takes it away."""
    if Event.objects.exclude(memberships__user=by, memberships__role="organiser").exists() and not by.is_superuser:
        raise Refused(
            "other_events_inside",
            _("A backup holds every event here; you are not an organiser of all of them. It stays on this machine."),
        )
