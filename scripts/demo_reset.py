"""`make demo-reset`: the demo is played anew beside the one that is there, and takes its place when it is whole.

Both lie in the demo's own folder, whose lock is held meanwhile. Interrupted, it leaves the demo as it was before.
Killed while the one takes the other's place, the next make command ends what was begun: back where the new one was not
yet to be taken, forward where it was.
"""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.core.installation_folder import KIND_FILE_NAME, SERVING_LOCK_NAME

# In their order: the new one being played; the old one put aside; the new one, whole, while it is moved in.
PLAYED_NAME, ASIDE_NAME, WHOLE_NAME = ".anew", ".before", ".whole"
STAYING_NAMES = (SERVING_LOCK_NAME, KIND_FILE_NAME, PLAYED_NAME, ASIDE_NAME, WHOLE_NAME)


def replace_demo(data: Path, play: Callable[[Path], None]) -> None:
    """Have `play` fill an empty folder, then put it in the place of the demo in `data`."""
    settle_replacement(data)
    played = data / PLAYED_NAME
    played.mkdir(mode=0o700)
    try:
        play(played)
        with signals_held_back():
            (data / ASIDE_NAME).mkdir(mode=0o700)
            move_contents(data, data / ASIDE_NAME)
            played.rename(data / WHOLE_NAME)
            settle_replacement(data)
    finally:
        shutil.rmtree(played, ignore_errors=True)


def settle_replacement(data: Path) -> None:
    """End what a killed reset has begun; where there was none, nothing changes."""
    shutil.rmtree(data / PLAYED_NAME, ignore_errors=True)
    whole, aside = data / WHOLE_NAME, data / ASIDE_NAME
    if whole.exists():
        move_contents(whole, data)
        # First the old one: while the new one's folder is there, it is still known that it is the one to keep.
        shutil.rmtree(aside, ignore_errors=True)
        whole.rmdir()
    elif aside.exists():
        move_contents(aside, data)
        aside.rmdir()


def move_contents(source: Path, target: Path) -> None:
    """All but the lock, the word that it is a demo's, and the folders of a reset."""
    for path in list(source.iterdir()):
        if path.name not in STAYING_NAMES:
            os.replace(path, target / path.name)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait until the block has ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
