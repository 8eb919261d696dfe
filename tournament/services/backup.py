"""Backups of the whole database: one snapshot, tried out in a scratch copy, refused when damaged (4.9, B1-B4).

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

from tournament.enums import Role
from tournament.errors import Refused
from tournament.models import Event, Membership
from tournament.services import audit, backup_engines, backup_scans, backup_seal, cipher, epochs, importing
from tournament.services.audit_chain import Anchor, Finding
from tournament.services.audit_verification import verify
from tournament.services.backup_anchors import Acknowledgement, Lost, lost_entries
from tournament.services.backup_engines import Manifest, NotRestorable
from tournament.services.backup_seal import damaged
from tournament.services.release_files import write_index, write_public_files

SUFFIX = ".backup"
SCRATCH = "backup-"
LEFT_AFTER = 3600
CHUNK = 1 << 20

NO_DATABASE = _("There is no database in %(folder)s yet, so there is nothing to back up.")
NOT_EMPTY = _("The database here is not empty. A backup is restored only into an empty one; nothing was changed.")


def folder() -> Path:
    """Where backups are kept: BACKUP_DIR, or beside the database."""
    return Path(settings.BACKUP_DIR or settings.VAR_DIR / "backups")


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was restored once: its file, its manifest, where its log and its rows do not agree, and the mark of
    the key that sealed it."""

    path: Path
    manifest: Manifest
    findings: list[Finding]
    mark: str


def create(to: Path | None = None, suffix: str = SUFFIX) -> Made:
    """Make a backup. It is restored into a scratch copy before it gets its name.

    1. one snapshot of the database, by the engine's own means; 2. manifest and digest; 3. to the disk; 4. the scratch
    copy; 5. the name. A database that somebody has altered is kept too, with what was found.
    """
    if backup_engines.LEFT_OUT not in connection.introspection.table_names():
        raise NotRestorable("no_database", NO_DATABASE, folder=settings.VAR_DIR)
    # New code before its `migrate`: the way back is made first, and what asks newer columns waits.
    is_migrated = not backup_engines.is_behind(connection)
    if is_migrated:
        importing.expire_previews()
    to = to or folder()
    to.mkdir(parents=True, exist_ok=True)
    remove_leftovers(to)
    at = timezone.now()
    path = to / f"rummikub-{at:%Y%m%d-%H%M%S-%f}{suffix}"
    partial = path.with_name(path.name + ".partial")
    try:
        with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=to) as scratch:
            copy = Path(scratch) / "database"
            backup_engines.dump(connection, copy)
            manifest = backup_engines.manifest_of(connection, copy, at)
            cipher.made_key()
            pack(partial, {**manifest, "scans": backup_scans.there(), "signature_keys": cipher.marks()}, copy)
        tried = try_out(partial)
        os.replace(partial, path)
        sync_folder(to)
        if is_migrated:
            epochs.note_backup(tried.manifest)
    finally:
        partial.unlink(missing_ok=True)
    return Made(path, tried.manifest, tried.findings, tried.mark)


def remove_leftovers(to: Path) -> None:
    """What a backup that was killed an hour ago or earlier has left: its scratch copy is not enciphered."""
    for left in (*to.glob(f"{SCRATCH}*"), *to.glob("*.partial")):
        if time.time() - left.stat().st_mtime > LEFT_AFTER:
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)


def pack(path: Path, manifest: Manifest, copy: Path) -> None:
    """Write the file, sealed."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        sealed = backup_seal.SealedWriter(file)
        sealed.write(json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode() + b"\n")
        backup_scans.write(sealed, manifest.get("scans", ()))
        with copy.open("rb") as source, gzip.GzipFile(fileobj=sealed, mode="wb", mtime=0) as packed:
            shutil.copyfileobj(source, packed, CHUNK)
        sealed.finish()


def sync_folder(path: Path) -> None:
    """Let the new name outlive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


@contextmanager
def opened(path: Path) -> Iterator[tuple[Manifest, BinaryIO]]:
    """The manifest and what follows it, of a file of which every byte is as this installation's key has sealed it.

    It is opened into a file without a name, which goes when it is closed. BackupDamaged, NotRestorable otherwise.
    """
    with tempfile.TemporaryFile() as file:
        backup_seal.unseal(path, file)
        file.seek(0)
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


def unpack(file: BinaryIO, copy: Path, manifest: Manifest) -> None:
    """The database as it was dumped; `file` stands behind the manifest."""
    if other := backup_scans.read_other(file, manifest):
        raise damaged(f"the scan {other} in it is not the one that was packed")
    try:
        with gzip.GzipFile(fileobj=file) as packed, copy.open("wb") as target:
            shutil.copyfileobj(packed, target, CHUNK)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise damaged("the database in it cannot be unpacked") from None
    if backup_engines.sha256(copy) != manifest["sha256"]:
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
            return Made(path, manifest, findings, backup_seal.mark_of(path))


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
    """Another epoch, an entry in every event's log that says so, and the public's files as the releases give them."""
    epochs.renew()
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


# --- Who may have it -------------------------------------------------------------------------------------
def record_backup(event: Event, by: Any, made: Made) -> None:
    """Who has made a backup of everybody's data, for the page that hands it out."""
    with backup_engines.atomic():
        audit.record(event, by, "create_backup", f"event {event.slug}", reason=made.path.name)


def may_take_away(by: Any) -> bool:
    """Whether this account is an organiser of every event that a backup holds."""
    own = Membership.objects.filter(user=by, role=Role.ORGANISER).values("event")
    return by.is_superuser or not Event.objects.exclude(pk__in=own).exists()


def people_inside() -> list[tuple[Event, int]]:
    """How many people of each event a backup holds by now."""
    return [(event, event.people) for event in Event.objects.annotate(people=Count("entrants")).order_by("pk")]


def refuse_download(by: Any) -> None:
    """A backup holds every event of the installation: only who is an organiser of all of them takes it away."""
    if not may_take_away(by):
        raise Refused(
            "other_events_inside",
            _("A backup holds every event here; you are not an organiser of all of them. It stays on this machine."),
        )
