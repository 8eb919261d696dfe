"""A disk that is full or nearly so: what a database's or the system's error means, and how much room is left."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext_noop as _

from tournament.core.errors import Refused

# Of SQLite; PostgreSQL says it by number.
SQLITE_FULL_TEXTS = ("database or disk is full", "disk i/o error")
POSTGRESQL_FULL_CODE = "53100"
NO_SPACE_ERRNOS = (errno.ENOSPC, errno.EDQUOT)
# Below either, nothing is written any more, so that reading goes on: 3 % of a small disk, half a gigabyte of a large.
MIN_FREE_SHARE, MIN_FREE_BYTES = 0.03, 512 * 1024 * 1024
STORAGE_RETRY_SECONDS = 30

STORAGE_FULL_TEXT = _(
    "The server's disk is full, so nothing can be recorded; reading goes on. Write it on paper, tell whoever looks "
    "after the server to make room, then send the same again. Nothing was changed, and nothing is lost."
)


class StorageFull(Refused):
    """Nothing can be written (503): the same request may be sent again when there is room."""

    status = 503
    wait = STORAGE_RETRY_SECONDS


def storage_full_refusal() -> StorageFull:
    return StorageFull("storage_full", STORAGE_FULL_TEXT)


def storage_refusal_of(error: BaseException | None) -> StorageFull | None:
    """The 503 of an error that was a full disk's, the database's or a file's; None for every other."""
    if isinstance(error, OSError) and error.errno in NO_SPACE_ERRNOS:
        return storage_full_refusal()
    if isinstance(error, DatabaseError):
        said, number = str(error).lower(), getattr(error.__cause__, "sqlstate", None)
        if number == POSTGRESQL_FULL_CODE or any(words in said for words in SQLITE_FULL_TEXTS):
            return storage_full_refusal()
    return None


def free_disk_percent() -> float:
    """Of the disk that the data lies on, what an ordinary account may still fill."""
    usage = shutil.disk_usage(settings.VAR_DIR)
    return 100 * usage.free / max(usage.total, 1)


def is_storage_low() -> bool:
    """Whether the overview warns (DISK_WARNING, in percent)."""
    return bool(free_disk_percent() < settings.DISK_WARNING)


def is_storage_full(folder: Path | None = None) -> bool:
    """Whether writing stops before the disk does."""
    stat = os.statvfs(folder or settings.VAR_DIR)
    free, total = stat.f_bavail * stat.f_frsize, stat.f_blocks * stat.f_frsize
    return free < min(MIN_FREE_BYTES, MIN_FREE_SHARE * total)


def hold_sqlite_open(database: Mapping[str, Any]) -> sqlite3.Connection | None:
    """A connection to SQLite's file that is only held: the last one to close takes the log's index with it, which the
    next reader then has to make again and cannot on a full disk. None on PostgreSQL, and where there is no file yet."""
    if not database["ENGINE"].endswith("sqlite3") or not Path(database["NAME"]).exists():
        return None
    held = sqlite3.connect(database["NAME"], check_same_thread=False)
    held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return held
