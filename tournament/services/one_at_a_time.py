"""Costly answers one at a time: an account makes one, and all together no more than leave the others their threads.

A lock on a file of this machine: held by every process of the service alike, and gone with the process that had it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext_noop as _

from tournament.errors import TooMany

AT_ONCE = 2
WAIT = 5  # seconds; 300 papers take three

OWN_RUNS = _("A file for your account is being made. Wait for it, or try again in %(wait)s seconds.")
ALL_RUN = _("Others are making large files. Try again in %(wait)s seconds.")


@contextmanager
def one_at_a_time(what: str, by: AbstractBaseUser) -> Iterator[None]:
    """Within it no second `what` of this account is made; TooMany (429) where one is, or where others fill it."""
    own = lock(f"{what}-of-{by.pk}")
    if own is None:
        raise TooMany("one_at_a_time", OWN_RUNS, WAIT)
    try:
        place = next((held for number in range(AT_ONCE) if (held := lock(f"{what}-{number}")) is not None), None)
        if place is None:
            raise TooMany("too_many_at_once", ALL_RUN, WAIT)
        try:
            yield
        finally:
            os.close(place)
    finally:
        os.close(own)


def lock(name: str) -> int | None:
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
