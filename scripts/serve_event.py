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

from scripts import lan, preflight, serving, system_packages
from tournament.core.installation_folder import (
    DEMO_KIND,
    EVENT_KIND,
    FOLDER_KINDS,
    OWN_ENVIRONMENT_NAME,
    VAR_FOLDER,
    is_folder_served,
)

SEALED_BACKUP_HEAD = b"rummikub-backup-2 "
EVENT_BACKUP_MINUTES = "5"


def move_eventless_folder_away(data: Path) -> None:
    """A folder that was begun but has no event yet makes way; nothing in it is removed."""
    if is_folder_served(data):
        sys.exit(f"{data} is being served. Stop that server first: Ctrl-C where it was started.")
    if serving.has_event_in_folder(data):
        sys.exit(
            f"{data} has an event already; a backup is restored only where none is. If that one is no longer wanted: "
            f"mv {data} {data}-before, then the same again. Nothing was changed."
        )
    if (data / serving.DATABASE_FILE_NAME).exists():
        aside = data.with_name(f"{data.name}-{datetime.now():%Y%m%d-%H%M%S}")
        data.rename(aside)
        data.mkdir(mode=0o700)
        if (aside / OWN_ENVIRONMENT_NAME).exists():
            shutil.copy2(aside / OWN_ENVIRONMENT_NAME, data / OWN_ENVIRONMENT_NAME)
        print(f"The folder {data} had no event; it is {aside} now.", flush=True)


def key_mark_of_backup(backup: Path) -> str:
    """The mark of the key that a backup was sealed with."""
    try:
        with backup.open("rb") as file:
            head = file.readline(200)
    except OSError as error:
        sys.exit(f"The backup cannot be read: {error}")
    if not head.startswith(SEALED_BACKUP_HEAD):
        sys.exit(f"{backup} does not begin as a backup. Nothing was changed.")
    return head.split()[1].decode("ascii", "replace")


def folder_key_marks(env: dict[str, str]) -> list[str]:
    """The marks of the keys in the folder."""
    command = [sys.executable, "manage.py", "signature_key", "--show"]
    done = subprocess.run(command, cwd=serving.SERVING_PROJECT_ROOT, env=env, capture_output=True, text=True)
    return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


def restore_sealed_backup(backup: Path, kind: str) -> None:
    """The sealed key first, then the backup."""
    backup = backup.resolve()
    mark = key_mark_of_backup(backup)
    move_eventless_folder_away(Path(os.environ.get("VAR_DIR") or VAR_FOLDER / kind))
    data = serving.begin_data_folder(kind)
    env = serving.server_environment(data, kind)
    if mark not in folder_key_marks(env):
        print(f"The sealed key {mark} (44 characters, as it was printed): ", end="", flush=True)
        serving.run_step_before_serving(
            env, "manage.py", "signature_key", "--add", shown=True, typed=sys.stdin.readline()
        )
    serving.run_step_before_serving(env, "manage.py", "restore", str(backup), shown=True)
    serving.run_step_before_serving(env, "manage.py", "audit", "verify", shown=True)
    print(f"Restored. Now: make {'lan' if kind == DEMO_KIND else 'event'}", flush=True)


def refuse_restore(backup: str, kind: str) -> None:
    """End with words where FILE or KIND is none."""
    if not backup:
        sys.exit("Say which backup: make restore FILE=/media/stick/rummikub-....backup")
    if kind not in FOLDER_KINDS:
        sys.exit(f"KIND={kind} is neither of: {', '.join(FOLDER_KINDS)}. Nothing was changed.")


def main() -> None:
    parser = argparse.ArgumentParser()
    preflight.add_request_options(parser)
    parser.add_argument("--organiser", default="organiser", help="the first account, where there is none")
    parser.add_argument("--restore", metavar="FILE", help="a backup, into a folder without an event")
    parser.add_argument("--kind", default=EVENT_KIND, help="what is restored: an event, or a demo")
    options = parser.parse_args()
    os.chdir(serving.SERVING_PROJECT_ROOT)
    if options.restore is not None:
        refuse_restore(options.restore, options.kind)
        restore_sealed_backup(Path(options.restore), options.kind)
        return
    request = preflight.request_of(options, "event")
    serving.refuse_faults(request, preflight.data_folder_of(request.target))
    system_packages.install_packages(["nginx-light"])
    data = serving.begin_data_folder(EVENT_KIND)
    with serving.held_folder(data, request, f"https://localhost:{request.chosen_port}/"):
        own = serving.server_environment(data, EVENT_KIND, request.host)
        env = serving.https_environment(own, request.chosen_port)
        env.setdefault("BACKUP_MINUTES", EVENT_BACKUP_MINUTES)
        serving.prepare_installation(env)
        serving.run_step_before_serving(env, "manage.py", "begin_event", options.organiser, shown=True)
        lan.serve_hall(data, env, request)


if __name__ == "__main__":
    main()
