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

from tournament.errors import Refused

# Of SQLite; PostgreSQL says it by number.
SQLITE_SAYS = ("database or disk is full", "disk i/o error")
POSTGRESQL_SAYS = "53100"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# Below either, nothing is written any more, so that reading goes on: 3 % of a small disk, half a gigabyte of a large.
LEAST_SHARE, LEAST_BYTES = 0.03, 512 * 1024 * 1024
AGAIN_IN = 30

FULL = _(
    "The server's disk is full, so nothing can be recorded; reading goes on. Write it on paper, tell whoever looks "
    "after the server to make room, then send the same again. Nothing was changed, and nothing is lost."
)


class StorageFull(Refused):
    """Nothing can be written (503): the same request may be sent again when there is room."""

    status = 503
    wait = AGAIN_IN


def full() -> StorageFull:
    """The one refusal."""
    return StorageFull("storage_full", FULL)


def refusal_of(error: BaseException | None) -> StorageFull | None:
    """The 503 of an error that was a full disk's, the database's or a file's; None for every other."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return full()
    if isinstance(error, DatabaseError):
        said, number = str(error).lower(), getattr(error.__cause__, "sqlstate", None)
        if number == POSTGRESQL_SAYS or any(words in said for words in SQLITE_SAYS):
            return full()
    return None


def percent_free() -> float:
    """Of the disk that the data lies on, what an ordinary account may still fill."""
    usage = shutil.disk_usage(settings.VAR_DIR)
    return 100 * usage.free / max(usage.total, 1)


def is_low() -> bool:
    """Whether the overview warns (DISK_WARNING, in percent)."""
    return percent_free() < settings.DISK_WARNING


def is_full(folder: Path | None = None) -> bool:
    """Whether writing stops before the disk does."""
    stat = os.statvfs(folder or settings.VAR_DIR)
    free, total = stat.f_bavail * stat.f_frsize, stat.f_blocks * stat.f_frsize
    return free < min(LEAST_BYTES, LEAST_SHARE * total)


def keep_open(database: Mapping[str, Any]) -> sqlite3.Connection | None:
    """A connection to SQLite's file that is only held: the last one to close takes the log's index with it, which the
    next reader then has to make again and cannot on a full disk. None on PostgreSQL, and where there is no file yet."""
    if not database["ENGINE"].endswith("sqlite3") or not Path(database["NAME"]).exists():
        return None
    held = sqlite3.connect(database["NAME"], check_same_thread=False)
    held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return held
