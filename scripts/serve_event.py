"""`make event`: a real event from one laptop, over https in the hall's network, without the internet. `make restore`:
the same on the second laptop, from a backup and the sealed key.

A database that is still empty gets its first organiser, whose password is printed once; everything else is set up on
pages.
"""

import argparse
import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from scripts import lan, serving, system_packages
from tournament.folder import DEMO, EVENT, KINDS, OWN, VAR, is_served

HEAD = b"rummikub-backup-2 "
BACKUP_MINUTES = "5"


def put_aside(data: Path) -> None:
    """A folder that was begun but has no event yet makes way; nothing in it is removed."""
    if is_served(data):
        sys.exit(f"{data} is being served. Stop that server first: Ctrl-C where it was started.")
    if serving.has_event(data):
        sys.exit(
            f"{data} has an event already; a backup is restored only where none is. If that one is no longer wanted: "
            f"mv {data} {data}-before, then the same again. Nothing was changed."
        )
    if (data / serving.DATABASE).exists():
        aside = data.with_name(f"{data.name}-{datetime.now():%Y%m%d-%H%M%S}")
        data.rename(aside)
        data.mkdir(mode=0o700)
        if (aside / OWN).exists():
            shutil.copy2(aside / OWN, data / OWN)
        print(f"The folder {data} had no event; it is {aside} now.", flush=True)


def mark_of(backup: Path) -> str:
    """The mark of the key that a backup was sealed with."""
    try:
        with backup.open("rb") as file:
            head = file.readline(200)
    except OSError as error:
        sys.exit(f"The backup cannot be read: {error}")
    if not head.startswith(HEAD):
        sys.exit(f"{backup} does not begin as a backup. Nothing was changed.")
    return head.split()[1].decode("ascii", "replace")


def marks_here(env: dict[str, str]) -> list[str]:
    """The marks of the keys in the folder."""
    command = [sys.executable, "manage.py", "signature_key", "--show"]
    done = subprocess.run(command, cwd=serving.ROOT, env=env, capture_output=True, text=True)
    return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


def restore(backup: Path, kind: str) -> None:
    """The sealed key first, then the backup."""
    backup = backup.resolve()
    mark = mark_of(backup)
    put_aside(Path(os.environ.get("VAR_DIR") or VAR / kind))
    data = serving.begin(kind)
    env = serving.environment(data, kind)
    if mark not in marks_here(env):
        print(f"The sealed key {mark} (44 characters, as it was printed): ", end="", flush=True)
        serving.run(env, "manage.py", "signature_key", "--add", shown=True, typed=sys.stdin.readline())
    serving.run(env, "manage.py", "restore", str(backup), shown=True)
    serving.run(env, "manage.py", "audit", "verify", shown=True)
    print(f"Restored. Now: make {'lan' if kind == DEMO else 'event'}", flush=True)


def main() -> None:
    """Serve, or restore."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8443)
    parser.add_argument("--organiser", default="organiser", help="the first account, where there is none")
    parser.add_argument("--restore", metavar="FILE", help="a backup, into a folder without an event")
    parser.add_argument("--kind", choices=KINDS, default=EVENT, help="what is restored: an event, or a demo")
    options = parser.parse_args()
    os.chdir(serving.ROOT)
    if options.restore is not None:
        if not options.restore:
            sys.exit("Say which backup: make restore FILE=/media/stick/rummikub-....backup")
        restore(Path(options.restore), options.kind)
        return
    serving.refuse_taken(options.port, "event")
    system_packages.install(["nginx-light"])
    data = serving.begin(EVENT)
    env = serving.secure(serving.environment(data, EVENT), options.port)
    env.setdefault("BACKUP_MINUTES", BACKUP_MINUTES)
    serving.prepare(env)
    serving.run(env, "manage.py", "begin_event", options.organiser, shown=True)
    lan.serve_hall(data, env, options.port)


if __name__ == "__main__":
    main()
