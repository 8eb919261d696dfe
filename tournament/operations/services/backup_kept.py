"""The backups that are there: when each was made, as the backup itself says, and whether the newest is whole; the copy
on a second disk; one every few minutes.

A file's own time is when it was copied here, so that it is asked for nothing.
"""

import fcntl
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tournament.core import storage
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.services import cipher
from tournament.operations.services import backup, backup_seal
from tournament.operations.services.backup import BACKUP_SUFFIX, CheckedBackup

REGULAR_BACKUP_SUFFIX = f".regular{BACKUP_SUFFIX}"
# What stays of those that were made by themselves: all of the last two hours, one an hour for two days, one a day.
KEEP_ALL_FOR, KEEP_HOURLY_FOR = timedelta(hours=2), timedelta(days=2)
CHECKED_FILES_CACHE_SIZE = 256
logger = logging.getLogger(__name__)

BackupFileStamp = tuple[int | str, ...]


class KeptBackup(NamedTuple):
    """A backup in a folder: when it was made, as it says itself; None where it cannot be read here."""

    path: Path
    size: int
    at: datetime | None

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def age(self) -> int:
        """Whole minutes since it was made."""
        return max(int((timezone.now() - self.at).total_seconds()) // 60, 0) if self.at else 0


class BackupStatus(NamedTuple):
    """What can be relied on: the newest whole backup, files that cannot be read or are newer and damaged, and the
    newest whole one on the second disk."""

    last: KeptBackup | None
    damaged: list[KeptBackup]
    second: KeptBackup | None


def second_folder() -> Path | None:
    """Where the copies go: BACKUP_SECOND_DIR; None where nobody named one."""
    return Path(settings.BACKUP_SECOND_DIR) if settings.BACKUP_SECOND_DIR else None


def on_another_disk() -> bool:
    """Whether the second folder is there and lies on another disk than the data."""
    second = second_folder()
    return second is not None and second.is_dir() and second.stat().st_dev != Path(settings.VAR_DIR).stat().st_dev


def kept_backups(folder: Path | None = None) -> list[KeptBackup]:
    """Every backup in the folder, the newest first; those that cannot be read here last."""
    found = []
    for path in (folder or backup.backup_folder()).glob(f"*{BACKUP_SUFFIX}"):
        with suppress(FileNotFoundError):
            found.append(KeptBackup(path, path.stat().st_size, claimed_backup_time(path, file_stamp(path))))
    unread = timezone.now() - timedelta(days=36500)
    return sorted(found, key=lambda one: (one.at or unread, one.name), reverse=True)


def find_kept_backup(name: str) -> KeptBackup | None:
    """One of them by name."""
    return next((one for one in kept_backups() if one.name == name), None)


def backup_status() -> BackupStatus:
    """Looked at byte by byte once a file, then remembered by this process until the file is another."""
    there = kept_backups()
    damaged = [one for one in there if one.at is None]
    second = newest_intact_backup(second_folder()) if on_another_disk() else None
    for last in there[: len(there) - len(damaged)]:
        if is_backup_intact(last.path, file_stamp(last.path)):
            return BackupStatus(last, damaged, second)
        damaged.append(last)
    return BackupStatus(None, damaged, second)


def newest_intact_backup(folder: Path | None) -> KeptBackup | None:
    """The newest of a folder that is whole."""
    return next(
        (one for one in kept_backups(folder) if one.at and is_backup_intact(one.path, file_stamp(one.path))), None
    )


def file_stamp(path: Path) -> BackupFileStamp:
    """Another content has another one; so have other keys, with which another file can be read."""
    stat = path.stat()
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino, *cipher.key_marks())


class DiscardingWriter(BytesIO):
    """Takes bytes and keeps none: what is in a backup lies open nowhere."""

    def write(self, data: Any) -> int:
        return len(data)


@lru_cache(maxsize=CHECKED_FILES_CACHE_SIZE)
def claimed_backup_time(path: Path, stamp: BackupFileStamp) -> datetime | None:
    """When the backup says that it was made; not yet held against its seal."""
    try:
        return parse_datetime(backup.read_manifest(backup_seal.read_first_line(path))["at"])
    except (Refused, OSError, ValueError):
        return None


@lru_cache(maxsize=CHECKED_FILES_CACHE_SIZE)
def is_backup_intact(path: Path, stamp: BackupFileStamp) -> bool:
    """Whether every byte is as it was sealed."""
    try:
        backup_seal.unseal_backup(path, DiscardingWriter())
    except (Refused, OSError):
        return False
    return True


# --- By itself, and elsewhere ---------------------------------------------------------------------------
def copy_to_second_disk(made: CheckedBackup) -> None:
    """A copy on the second disk, whole before it has its name. A disk that is not there is no reason to have none
    here: the page says so."""
    second = second_folder()
    if second is None:
        return
    partial = second / f"{made.path.name}.partial"
    try:
        with made.path.open("rb") as source, open_private_file(partial) as target:
            shutil.copyfileobj(source, target, backup.COPY_CHUNK_BYTES)
        os.replace(partial, second / made.path.name)
        backup.fsync_folder(second)
    except OSError:
        logger.exception("no copy on the second disk")
        with suppress(OSError):
            partial.unlink(missing_ok=True)


@contextmanager
def open_private_file(path: Path) -> Iterator[BinaryIO]:
    """Written for its owner alone, and to the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def create_and_copy(suffix: str = BACKUP_SUFFIX) -> CheckedBackup:
    """A backup here and on the second disk."""
    made = backup.create_backup(suffix=suffix)
    copy_to_second_disk(made)
    return made


def make_due() -> CheckedBackup | None:
    """A backup, if the last one is BACKUP_MINUTES old; None where it is not time, where there is no event, or where
    another process is making one."""
    every = timedelta(minutes=settings.BACKUP_MINUTES)
    if not every or not Event.objects.exists():
        return None
    if storage.is_storage_full():
        logger.error("no backup was made: the disk is full")
        return None
    backup.backup_folder().mkdir(parents=True, exist_ok=True)
    with (backup.backup_folder() / ".regular").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        last = kept_backups()
        if last and last[0].at and timezone.now() - last[0].at < every:
            return None
        return make_regular()


def make_regular() -> CheckedBackup:
    """One of those that are made by themselves, here and on the second disk; fewer of the old ones."""
    made = create_and_copy(REGULAR_BACKUP_SUFFIX)
    for folder in (backup.backup_folder(), second_folder()):
        thin_out(folder, timezone.now())
    return made


def thin_out(folder: Path | None, now: datetime) -> None:
    """Remove regular ones that a later one of the same hour or day stands for. What was made by hand stays."""
    seen = set()
    for one in kept_backups(folder) if folder else ():
        if one.at is None or not one.name.endswith(REGULAR_BACKUP_SUFFIX) or now - one.at < KEEP_ALL_FOR:
            continue
        span = f"{one.at:%Y%m%d}" if now - one.at > KEEP_HOURLY_FOR else f"{one.at:%Y%m%d%H}"
        if span in seen:
            one.path.unlink(missing_ok=True)
        seen.add(span)
