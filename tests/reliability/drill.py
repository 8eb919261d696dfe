"""Q18: a backup damaged in every way is refused and leaves the target as it was; the whole one comes back, row for row.

The target is this process's database, empty; the source is another that `drill_source` has filled.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.management import CommandError, call_command
from django.db import connection

from tests.reliability.damages import damages, taken_without_care
from tests.reliability.drill_rows import Rows, differing, rows_there
from tests.reliability.drill_source import AGREEING, LATER, PASSWORD
from tests.reliability.server import ROOT
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.operations.services import backup, backup_engines
from tournament.operations.services.audit_verification import read_anchors
from tournament.operations.services.backup_anchors import Acknowledgement

EPOCH = "tournament_epoch"
ACCOUNTS = [name.replace(" ", "_") for name in AGREEING]
BOTH = [Acknowledgement(name, PASSWORD) for name in ACCOUNTS]
# Nobody; one; one twice; a clerk whom the backup does not know; a wrong password.
NOT_ENOUGH: dict[str, list[Acknowledgement]] = {
    "nobody": [],
    "one person": BOTH[:1],
    "one person twice": [BOTH[0], BOTH[0]],
    "a stranger": [BOTH[0], Acknowledgement(LATER[0].replace(" ", "_"), PASSWORD)],
    "a wrong password": [BOTH[0], Acknowledgement(ACCOUNTS[1], "another password")],
    "three people": [*BOTH, BOTH[0]],
}


@dataclass
class Drill:
    """What was tried, what went wrong in words, and what a reader without care would have taken."""

    refused: int = 0
    tried: int = 0
    problems: list[str] = field(default_factory=list)
    careless: int = 0
    rows: int = 0
    rows_differing: int = 0
    seconds_to_restore: float = 0.0


def run() -> Drill:
    drill = Drill()
    with tempfile.TemporaryDirectory(prefix="drill-") as name, beside("source") as source:
        folder = Path(name)
        command = [sys.executable, "-m", "tests.reliability.drill_source", name]
        said = subprocess.run(command, cwd=ROOT, env=source, check=True, capture_output=True, text=True).stdout
        made = json.loads(said.splitlines()[-1])
        drill.problems += made["findings"]
        whole = Path(made["path"])
        empty = rows_there()
        refuse_without_key(drill, whole, empty)
        bring_key(source["VAR_DIR"], os.environ["VAR_DIR"])
        refuse_damaged(drill, whole.read_bytes(), folder / "damaged.backup", empty)
        refuse_behind(drill, whole, folder, empty)
        come_back(drill, whole, folder)
        come_back_acknowledged(drill, whole, folder, source["VAR_DIR"])
    return drill


def bring_key(source: str, target: str) -> None:
    """What `signature_key --add` does with the sealed key."""
    shutil.copyfile(Path(source) / "signature_key", Path(target) / "signature_key")


def refuse_without_key(drill: Drill, whole: Path, empty: Rows) -> None:
    """The whole one, where the key that sealed it was not brought."""
    statuses = [exit_status("backup", "verify", str(whole)), exit_status("restore", str(whole))]
    judge(drill, "without the key", statuses == [3, 3], str(statuses), empty)


def refuse_damaged(drill: Drill, whole: bytes, path: Path, empty: Rows) -> None:
    """Each damage: `backup verify` and `restore` exit with 2 or 3, and nothing is there afterwards."""
    for name, body in damages(whole):
        path.write_bytes(body)
        statuses = [exit_status("backup", "verify", str(path)), exit_status("restore", str(path))]
        drill.careless += taken_without_care(body)
        judge(drill, name, set(statuses) <= {2, 3}, str(statuses), empty)


def refuse_behind(drill: Drill, whole: Path, folder: Path, empty: Rows) -> None:
    """A backup below the last anchor comes back for two people only, one of another log for nobody."""
    later, _unread = read_anchors(folder / "later")
    for name, given in NOT_ENOUGH.items():
        judge(drill, f"below the anchor, {name}", is_refused(whole, later, given), "restored", empty)
    other = [anchor._replace(seq=anchor.seq - len(LATER)) for anchor in later]
    judge(drill, "another log", is_refused(whole, other, BOTH), "restored", empty)


def judge(drill: Drill, name: str, refused: bool, said: str, empty: Rows) -> None:
    """Count one refusal, and look at the target."""
    untouched = differing(empty, rows_there()) == 0
    drill.tried += 1
    drill.refused += refused and untouched
    if not (refused and untouched):
        drill.problems.append(f"{name}: {said}{'' if untouched else ', target touched'}")


def is_refused(path: Path, anchors: Sequence[Any], given: Sequence[Acknowledgement]) -> bool:
    """Whether the service says no."""
    try:
        backup.restore_backup(path, anchors=anchors, acknowledged=given)
    except backup_engines.NotRestorable:
        return True
    return False


def exit_status(*command: str) -> int:
    """Of a command in this process; whatever it raises that is no refusal is a crash."""
    try:
        call_command(*command, stdout=StringIO(), stderr=StringIO())
    except CommandError as refusal:
        return refusal.returncode
    except Exception as crash:
        print(f"{command}: {crash!r}", file=sys.stderr)
        return 1
    return 0


def come_back(drill: Drill, whole: Path, folder: Path) -> None:
    """The whole command into this empty database, timed; then every row and scan against what was."""
    started = time.monotonic()
    done = restore_command(whole, "--anchors", str(folder / "anchors"))
    drill.seconds_to_restore = round(time.monotonic() - started, 1)
    was = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    there = rows_there()
    # A restored database begins another life: the only row that has to be another.
    same_life = was.pop(EPOCH) == there.pop(EPOCH)
    drill.rows, drill.rows_differing = sum(map(len, was.values())), differing(was, there)
    entries = AuditEntry.objects.filter(action="restore_backup").count()
    drill.tried += 1
    if done.returncode or drill.rows_differing or entries != Event.objects.count():
        drill.problems.append(f"the whole one: {done.returncode}, {drill.rows_differing} rows differ: {done.stderr}")
    if same_life:
        drill.problems.append("the whole one: tablets take it for the database that was lost")


def come_back_acknowledged(drill: Drill, whole: Path, folder: Path, source: str) -> None:
    """Below the anchor, into another empty database, with two people's passwords at the prompt."""
    asked = [part for name in ACCOUNTS for part in ("--acknowledge", name)]
    with beside("second") as second:
        bring_key(source, second["VAR_DIR"])
        done = restore_command(whole, "--anchors", str(folder / "later"), *asked, environment=second, said=PASSWORD)
        read = "from tournament.models import AuditEntry as A; print(A.objects.latest('seq').reason)"
        shell = [sys.executable, "manage.py", "shell", "--no-imports", "-c", read]
        entry = subprocess.run(shell, cwd=ROOT, env=second, capture_output=True, text=True).stdout
    drill.tried += 1
    if done.returncode or f"{len(LATER)} entries missing, acknowledged by accounts" not in entry:
        drill.problems.append(f"acknowledged: {done.returncode}, {entry!r}: {done.stderr}")


def restore_command(
    path: Path, *more: str, environment: dict[str, str] | None = None, said: str = ""
) -> "subprocess.CompletedProcess[str]":
    """`manage.py restore`, without a terminal: passwords come from its input."""
    connection.close()
    command = [sys.executable, "manage.py", "restore", str(path), *more]
    own, answers = environment or dict(os.environ), f"{said}\n" * len(ACCOUNTS)
    return subprocess.run(
        command, cwd=ROOT, env=own, input=answers, capture_output=True, text=True, start_new_session=True
    )


@contextmanager
def beside(name: str) -> Iterator[dict[str, str]]:
    """The environment of another empty database of the same kind, with a folder of its own."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as folder:
        url = f"sqlite:///{Path(folder) / 'tournament.sqlite3'}"
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"CREATE DATABASE drill_{name} TEMPLATE template0")
            url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/drill_{name}").geturl()
        yield {**os.environ, "VAR_DIR": folder, "DATABASE_URL": url}
