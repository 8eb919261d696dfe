"""Backups of the whole database: one snapshot, tried out in a scratch copy, refused when damaged (D9, B1-B4).

A backup is one sealed file (backup_seal): in it a line of JSON (the manifest), the scans of the papers, then the
database packed with gzip. It is `.partial` until it is whole and was restored and verified once. Sessions of browsers
stay out, and the key of what was drawn, which is also the seal's: of that only the mark is told (backup_keys). It
holds people's data: only the owner of the file may open it, and only where the key is.
"""

import gzip
import json
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event, Membership
from tournament.core.services import cipher
from tournament.devices.services import epochs
from tournament.operations.services import backup_engines, backup_reach, backup_scans, backup_seal
from tournament.operations.services.audit_chain import AuditFinding, ChainAnchor
from tournament.operations.services.audit_verification import verify_events
from tournament.operations.services.backup_anchors import Acknowledgement, LostEntries, lost_entries
from tournament.operations.services.backup_engines import BackupManifest, NotRestorable
from tournament.operations.services.backup_seal import backup_damaged_error
from tournament.publication.services.files import write_index, write_public_files
from tournament.registration.services import importing

BACKUP_SUFFIX = ".backup"
SCRATCH_PREFIX = "backup-"
LEFT_AFTER = 3600
COPY_CHUNK_BYTES = 1 << 20

NO_DATABASE = _("There is no database in %(folder)s yet, so there is nothing to back up.")
NOT_EMPTY = _("The database here is not empty. A backup is restored only into an empty one; nothing was changed.")


def backup_folder() -> Path:
    """Where backups are kept: BACKUP_DIR, or beside the database."""
    return Path(settings.BACKUP_DIR or settings.VAR_DIR / "backups")


@dataclass(frozen=True, slots=True)
class CheckedBackup:
    """A backup that was restored once: its file, its manifest, where its log and its rows do not agree, and the mark of
    the key that sealed it."""

    path: Path
    manifest: BackupManifest
    findings: list[AuditFinding]
    mark: str


def create_backup(to: Path | None = None, suffix: str = BACKUP_SUFFIX) -> CheckedBackup:
    """Make a backup. It is restored into a scratch copy before it gets its name.

    1. one snapshot of the database, by the engine's own means; 2. manifest and digest; 3. to the disk; 4. the scratch
    copy; 5. the name. A database that somebody has altered is kept too, with what was found.
    """
    if backup_engines.EXCLUDED_TABLE not in connection.introspection.table_names():
        raise NotRestorable("no_database", NO_DATABASE, folder=settings.VAR_DIR)
    # New code before its `migrate`: the way back is made first, and what asks newer columns waits.
    is_migrated = not backup_engines.has_unapplied_migrations(connection)
    if is_migrated:
        importing.expire_previews()
    to = to or backup_folder()
    to.mkdir(parents=True, exist_ok=True)
    remove_leftovers(to)
    at = timezone.now()
    path = to / f"rummikub-{at:%Y%m%d-%H%M%S-%f}{suffix}"
    partial = path.with_name(path.name + ".partial")
    try:
        with tempfile.TemporaryDirectory(prefix=SCRATCH_PREFIX, dir=to) as scratch:
            copy = Path(scratch) / "database"
            backup_engines.dump_database(connection, copy)
            manifest = backup_engines.manifest_of(connection, copy, at)
            cipher.made_key()
            pack_backup(
                partial,
                {**manifest, "scans": backup_scans.list_intact_scans(), "signature_keys": cipher.key_marks()},
                copy,
            )
        tried = try_restore(partial)
        os.replace(partial, path)
        fsync_folder(to)
        if is_migrated:
            backup_reach.note_backup(tried.manifest)
    finally:
        partial.unlink(missing_ok=True)
    return CheckedBackup(path, tried.manifest, tried.findings, tried.mark)


def remove_leftovers(to: Path) -> None:
    """What a backup that was killed an hour ago or earlier has left: its scratch copy is not enciphered."""
    for left in (*to.glob(f"{SCRATCH_PREFIX}*"), *to.glob("*.partial")):
        if time.time() - left.stat().st_mtime > LEFT_AFTER:
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)


def pack_backup(path: Path, manifest: BackupManifest, copy: Path) -> None:
    """Write manifest, scans and compressed copy into a sealed file."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        sealed = backup_seal.SealedWriter(file)
        sealed.write(json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode() + b"\n")
        backup_scans.write_scans(sealed, manifest.get("scans", ()))
        with copy.open("rb") as source, gzip.GzipFile(fileobj=sealed, mode="wb", mtime=0) as packed:
            shutil.copyfileobj(source, packed, COPY_CHUNK_BYTES)
        sealed.finish()


def fsync_folder(path: Path) -> None:
    """Let the new name outlive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


@contextmanager
def open_backup(path: Path) -> Iterator[tuple[BackupManifest, BinaryIO]]:
    """The manifest and what follows it, of a file of which every byte is as this installation's key has sealed it.

    It is opened into a file without a name, which goes when it is closed. BackupDamaged, NotRestorable otherwise.
    """
    with tempfile.TemporaryFile() as file:
        backup_seal.unseal_backup(path, file)
        file.seek(0)
        yield read_manifest(file.readline()), file


def read_manifest(line: bytes) -> BackupManifest:
    """The manifest, with every part that it must have; a later form of it is another program's."""
    try:
        manifest = json.loads(line)
        whole = all(isinstance(manifest[name], kind) for name, kind in backup_engines.MANIFEST_FIELDS.items())
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise backup_damaged_error("its manifest cannot be read")
    return dict(manifest)


def unpack_dump(file: BinaryIO, copy: Path, manifest: BackupManifest) -> None:
    """The database as it was dumped; `file` stands behind the manifest."""
    if other := backup_scans.find_damaged_scan(file, manifest):
        raise backup_damaged_error(f"the scan {other} in it is not the one that was packed")
    try:
        with gzip.GzipFile(fileobj=file) as packed, copy.open("wb") as target:
            shutil.copyfileobj(packed, target, COPY_CHUNK_BYTES)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise backup_damaged_error("the database in it cannot be unpacked") from None
    if backup_engines.sha256_of_file(copy) != manifest["sha256"]:
        raise backup_damaged_error("the database in it is not the one that was packed")


def try_restore(path: Path) -> CheckedBackup:
    """Restore into a scratch copy that is then removed: the rows as counted, and the log compared with them.

    A backup of an older version is migrated there first, as `restore` would do it.
    """
    with tempfile.TemporaryDirectory(prefix="scratch-") as scratch, open_backup(path) as (manifest, file):
        backup_engines.check_manifest_fits(connection, manifest)
        copy = Path(scratch) / "database"
        unpack_dump(file, copy, manifest)
        with backup_engines.scratch_database(connection, manifest, copy) as using:
            check_row_counts(using, manifest)
            if backup_engines.is_backup_schema_older(manifest):
                call_command("migrate", database=using, verbosity=0, interactive=False)
            findings = verify_events(using=using, files=False).findings + backup_scans.find_missing_scans(
                using, manifest
            )
            return CheckedBackup(path, manifest, findings, backup_seal.mark_in_backup_head(path))


def check_row_counts(using: str, manifest: BackupManifest) -> None:
    """Every table has as many rows as were counted when it was packed."""
    differ = sorted(dict(backup_engines.row_counts(using).items() ^ manifest["rows"].items()))
    if differ:
        raise backup_damaged_error(f"rows are missing in {', '.join(differ)}")


def restore_backup(
    path: Path, *, anchors: Iterable[ChainAnchor] = (), acknowledged: Sequence[Acknowledgement] = ()
) -> tuple[BackupManifest, dict[str, LostEntries]]:
    """Put a backup into this installation's database, which must be empty; what of the anchored log it lacks.

    1. the file is whole, of this engine, not of a newer schema; 2. the database is empty; 3. in a scratch copy its
    rows are as counted and its log reaches the last anchor, or two people acknowledge that it does not; 4. restored.
    Its caller migrates on what is older, then `finish_restore`. Raises BackupDamaged (exit 2), NotRestorable (exit 3).
    """
    with tempfile.TemporaryDirectory(prefix="restore-") as scratch, open_backup(path) as (manifest, file):
        backup_engines.check_manifest_fits(connection, manifest)
        if not backup_engines.is_database_empty(connection):
            raise NotRestorable("database_not_empty", NOT_EMPTY)
        copy = Path(scratch) / "database"
        start = file.tell()
        unpack_dump(file, copy, manifest)
        with backup_engines.scratch_database(connection, manifest, copy) as using:
            check_row_counts(using, manifest)
            lost = lost_entries(using, manifest, anchors, acknowledged)
        file.seek(start)
        backup_scans.restore_scans(file, manifest)
        backup_engines.load_database(connection, copy)
    return manifest, lost


def finish_restore(manifest: BackupManifest, lost: dict[str, LostEntries]) -> None:
    """Another epoch, an entry in every event's log that says so, and the public's files as the releases give them."""
    epochs.renew_epoch()
    for event in Event.objects.order_by("slug"):
        record_restore(event, manifest, lost.get(event.slug))
    write_index(anew=True)
    for event in Event.objects.order_by("slug"):
        write_public_files(event, anew=True)


def record_restore(event: Event, manifest: BackupManifest, lost: LostEntries | None) -> None:
    """Who reads the log sees that an older state came back, from when, what is missing and which two agreed to it."""
    seq = manifest["heads"].get(event.slug, {}).get("seq", 0)
    reason, actor = f"{manifest['at']}, entry {seq}", None
    if lost:
        first, second = lost.accounts
        reason += f"; {lost.entries} entries missing, acknowledged by accounts {first} and {second}"
        actor = User.objects.get(pk=first)
    with backup_engines.atomic_on_default():
        services.append_audit_entry(event, actor, "restore_backup", f"event {event.slug}", reason=reason)


# --- Who may have it -------------------------------------------------------------------------------------
def record_backup(event: Event, by: Any, made: CheckedBackup) -> None:
    """Who has made a backup of everybody's data, for the page that hands it out."""
    with backup_engines.atomic_on_default():
        services.append_audit_entry(event, by, "create_backup", f"event {event.slug}", reason=made.path.name)


def may_download_backup(by: Any) -> bool:
    """Whether this account is an organiser of every event that a backup holds."""
    own = Membership.objects.filter(user=by, role=Role.ORGANISER).values("event")
    return by.is_superuser or not Event.objects.exclude(pk__in=own).exists()


def count_people_in_backup() -> list[tuple[Event, int]]:
    """How many people of each event a backup holds by now."""
    return [(event, event.people) for event in Event.objects.annotate(people=Count("entrants")).order_by("pk")]


def refuse_download(by: Any) -> None:
    """A backup holds every event of the installation: only who is an organiser of all of them takes it away."""
    if not may_download_backup(by):
        raise Refused(
            "other_events_inside",
            _("A backup holds every event here; you are not an organiser of all of them. It stays on this machine."),
        )
