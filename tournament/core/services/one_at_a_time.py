"""Costly answers one at a time: an account makes one, and all together no more than leave the others their threads.

A lock on a file of this machine: held by every process of the service alike, and gone with the process that had it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.core.errors import TooManyRequests

MAX_LARGE_FILES_AT_ONCE = 2
LARGE_FILE_RETRY_SECONDS = 5  # seconds; 300 papers take three

OWN_FILE_RUNNING = _("A file for your account is being made. Wait for it, or try again in %(wait)s seconds.")
ALL_FILE_SLOTS_BUSY = _("Others are making large files. Try again in %(wait)s seconds.")


@contextmanager
def exclusive_large_file(what: str, by: User) -> Iterator[None]:
    """Within it no second `what` of this account is made; TooMany (429) where one is, or where others fill it."""
    own = try_file_lock(f"{what}-of-{by.pk}")
    if own is None:
        raise TooManyRequests("one_at_a_time", OWN_FILE_RUNNING, LARGE_FILE_RETRY_SECONDS)
    try:
        place = next(
            (
                held
                for number in range(MAX_LARGE_FILES_AT_ONCE)
                if (held := try_file_lock(f"{what}-{number}")) is not None
            ),
            None,
        )
        if place is None:
            raise TooManyRequests("too_many_at_once", ALL_FILE_SLOTS_BUSY, LARGE_FILE_RETRY_SECONDS)
        try:
            yield
        finally:
            os.close(place)
    finally:
        os.close(own)


def try_file_lock(name: str) -> int | None:
    """The open file that holds the lock until it is closed; None where somebody has it."""
    folder = Path(settings.VAR_DIR) / "locks"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle
