"""Programs that a command of the house runs: none of them outlives it, whatever ends it.

Each runs in a session of its own, so that Ctrl-C reaches it through us alone, and has a token in its environment, by
which also what it started, and what that started, is found in /proc and ended.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

TOKEN_VARIABLE = "RUN_TOKEN"
# How long a suite that is interrupted may take to stop its servers.
SECONDS_TO_END = 8.0


def processes_with(token: str) -> list[int]:
    """Process ids whose environment holds the token, and who are not ended already."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if token.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:  # it ended meanwhile, or is another account's
            continue
    return found


def end_processes_with(token: str) -> None:
    """Ask all of them to end, wait, and kill whatever is left."""
    for sent, seconds in ((signal.SIGINT, SECONDS_TO_END), (signal.SIGTERM, SECONDS_TO_END / 4), (signal.SIGKILL, 1.0)):
        for process in processes_with(token):
            try:
                os.kill(process, sent)
            except OSError:
                continue
        until = time.monotonic() + seconds
        while processes_with(token) and time.monotonic() < until:
            time.sleep(0.05)


@contextmanager
def no_program_outlives() -> Iterator[dict[str, str]]:
    """The environment for every program inside. SIGTERM ends us as Ctrl-C does, and Ctrl-C also where a shell has had
    us ignore it in the background, which what we start would inherit."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    token = f"{TOKEN_VARIABLE}={uuid4().hex}"
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    # Hundreds of programs start in a run: without what Python compiled before, each would compile Django anew.
    compiled = {"PYTHONDONTWRITEBYTECODE": ""}
    try:
        yield {TOKEN_VARIABLE: token.partition("=")[2], **compiled}
    finally:
        # A second Ctrl-C must not leave what the first was about to end.
        interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)
        end_processes_with(token)
        signal.signal(signal.SIGINT, interrupted)
        signal.signal(signal.SIGTERM, before)


def run_shown(command: Sequence[str], log: Path, environment: Mapping[str, str], folder: Path) -> int:
    """Run it with its output on the screen and in the file as it comes; its exit status."""
    with log.open("wb") as out:
        program = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert program.stdout is not None
        # As it comes, not by lines: the dots of a suite are its progress.
        while piece := os.read(program.stdout.fileno(), 65_536):
            sys.stdout.buffer.write(piece)
            sys.stdout.flush()
            out.write(piece)
            out.flush()
        return program.wait()
