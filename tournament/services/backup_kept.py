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

from tournament import storage
from tournament.errors import Refused
from tournament.models import Event
from tournament.services import backup, backup_seal, cipher
from tournament.services.backup import SUFFIX, Made

REGULAR = f".regular{SUFFIX}"
# What stays of those that were made by themselves: all of the last two hours, one an hour for two days, one a day.
ALL, HOURLY = timedelta(hours=2), timedelta(days=2)
MOST_LOOKED_AT = 256
log = logging.getLogger(__name__)

Stamp = tuple[int | str, ...]


class Kept(NamedTuple):
    """A backup in a folder: when it was made, as it says itself; None where it cannot be read here."""

    path: Path
    size: int
    at: datetime | None

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def age(self) -> int:
        """Whole minutes since it was made."""
        return max(int((timezone.now() - self.at).total_seconds()) // 60, 0) if self.at else 0


class Standing(NamedTuple):
    """What can be relied on: the newest whole backup, files that cannot be read or are newer and damaged, and the
    newest whole one on the second disk."""

    last: Kept | None
    damaged: list[Kept]
    second: Kept | None


def second_folder() -> Path | None:
    """Where the copies go: BACKUP_SECOND_DIR; None where nobody named one."""
    return Path(settings.BACKUP_SECOND_DIR) if settings.BACKUP_SECOND_DIR else None


def on_another_disk() -> bool:
    """Whether the second folder is there and lies on another disk than the data."""
    second = second_folder()
    return second is not None and second.is_dir() and second.stat().st_dev != Path(settings.VAR_DIR).stat().st_dev


def kept(folder: Path | None = None) -> list[Kept]:
    """Every backup in the folder, the newest first; those that cannot be read here last."""
    found = []
    for path in (folder or backup.folder()).glob(f"*{SUFFIX}"):
        with suppress(FileNotFoundError):
            found.append(Kept(path, path.stat().st_size, said_at(path, stamp_of(path))))
    unread = timezone.now() - timedelta(days=36500)
    return sorted(found, key=lambda one: (one.at or unread, one.name), reverse=True)


def find(name: str) -> Kept | None:
    """One of them by name."""
    return next((one for one in kept() if one.name == name), None)


def backed_up() -> Standing:
    """Looked at byte by byte once a file, then remembered by this process until the file is another."""
    there = kept()
    damaged = [one for one in there if one.at is None]
    second = newest_whole(second_folder()) if on_another_disk() else None
    for last in there[: len(there) - len(damaged)]:
        if is_whole(last.path, stamp_of(last.path)):
            return Standing(last, damaged, second)
        damaged.append(last)
    return Standing(None, damaged, second)


def newest_whole(folder: Path | None) -> Kept | None:
    """The newest of a folder that is whole."""
    return next((one for one in kept(folder) if one.at and is_whole(one.path, stamp_of(one.path))), None)


def stamp_of(path: Path) -> Stamp:
    """Another content has another one; so have other keys, with which another file can be read."""
    stat = path.stat()
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino, *cipher.marks())


class Nowhere(BytesIO):
    """Takes bytes and keeps none: what is in a backup lies open nowhere."""

    def write(self, data: Any) -> int:
        """Gone."""
        return len(data)


@lru_cache(maxsize=MOST_LOOKED_AT)
def said_at(path: Path, stamp: Stamp) -> datetime | None:
    """When the backup says that it was made; not yet held against its seal."""
    try:
        return parse_datetime(backup.read_manifest(backup_seal.first_line(path))["at"])
    except (Refused, OSError, ValueError):
        return None


@lru_cache(maxsize=MOST_LOOKED_AT)
def is_whole(path: Path, stamp: Stamp) -> bool:
    """Whether every byte is as it was sealed."""
    try:
        backup_seal.unseal(path, Nowhere())
    except (Refused, OSError):
        return False
    return True


# --- By itself, and elsewhere ---------------------------------------------------------------------------
def copy_to_second(made: Made) -> None:
    """A copy on the second disk, whole before it has its name. A disk that is not there is no reason to have none
    here: the page says so."""
    second = second_folder()
    if second is None:
        return
    partial = second / f"{made.path.name}.partial"
    try:
        with made.path.open("rb") as source, private(partial) as target:
            shutil.copyfileobj(source, target, backup.CHUNK)
        os.replace(partial, second / made.path.name)
        backup.sync_folder(second)
    except OSError:
        log.exception("no copy on the second disk")
        with suppress(OSError):
            partial.unlink(missing_ok=True)


@contextmanager
def private(path: Path) -> Iterator[BinaryIO]:
    """Written for its owner alone, and to the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def create_and_copy(suffix: str = SUFFIX) -> Made:
    """A backup here and on the second disk."""
    made = backup.create(suffix=suffix)
    copy_to_second(made)
    return made


def make_due() -> Made | None:
    """A backup, if the last one is BACKUP_MINUTES old; None where it is not time, where there is no event, or where
    another process is making one."""
    every = timedelta(minutes=settings.BACKUP_MINUTES)
    if not every or not Event.objects.exists():
        return None
    if storage.is_full():
        log.error("no backup was made: the disk is full")
        return None
    backup.folder().mkdir(parents=True, exist_ok=True)
    with (backup.folder() / ".regular").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        last = kept()
        if last and last[0].at and timezone.now() - last[0].at < every:
            return None
        return make_regular()


def make_regular() -> Made:
    """One of those that are made by themselves, here and on the second disk; fewer of the old ones."""
    made = create_and_copy(REGULAR)
    for folder in (backup.folder(), second_folder()):
        thin_out(folder, timezone.now())
    return made


def thin_out(folder: Path | None, now: datetime) -> None:
    """Remove regular ones that a later one of the same hour or day stands for. What was made by hand stays."""
    seen = set()
    for one in kept(folder) if folder else ():
        if one.at is None or not one.name.endswith(REGULAR) or now - one.at < ALL:
            continue
        span = f"{one.at:%Y%m%d}" if now - one.at > HOURLY else f"{one.at:%Y%m%d%H}"
        if span in seen:
            one.path.unlink(missing_ok=True)
        seen.add(span)
