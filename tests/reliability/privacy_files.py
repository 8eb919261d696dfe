"""Q20 over the database's own files: what the bytes on the disk still hold after an erasure."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from tests.reliability import privacy
from tests.reliability.databases import own_cluster
from tests.reliability.privacy_names import Planted
from tests.reliability.tampering import by_script
from tournament.operations.services import erasure_kinds
from tournament.operations.services.audit_verification import verify_events

# PostgreSQL's write-ahead log and what it keeps beside the tables hold old pages until they are recycled there: that
# nothing is left in them is not promised (docs/privacy.md), and it is told how much was.
TABLES = "base"
# The file of a list is read, not kept.
UNKEPT_DOOR = "list"
# A call and its answer, each with its entry.
STAYS_BY_DESIGN = 4


@dataclass
class Outcome:
    """How many values were planted and found before; which were left in what is promised; how many in what is not, and
    how many rows and entries name somebody for good, by the dry run."""

    planted: int = 0
    found_before: int = 0
    left: list[str] = field(default_factory=list)
    left_in_postgresql_log: int = 0
    stays_by_design: int = 0
    unseen_doors: list[str] = field(default_factory=list)
    kinds: int = 0
    forgotten: list[str] = field(default_factory=list)
    findings: int = 0


def run(folder: Path, seed: int) -> Outcome:
    """Plant, look, forget one kind after another as the control, erase, look again."""
    var = Path(settings.VAR_DIR)
    for name, value in privacy.settings_of(var).items():
        setattr(settings, name, value)
    events, planted = privacy.plant(folder, seed)
    outcome = Outcome(planted=len(planted))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as an installation does by itself: a planner's statistics quote values
    before = privacy.found_in(everything(var), planted)
    outcome.found_before = len(before)
    outcome.unseen_doors = sorted({one.door for one in planted} - {one.door for one in before} - {UNKEPT_DOOR})
    outcome.stays_by_design = privacy.stays_by_design(events)
    names = [kind.name for kind in erasure_kinds.ERASURE_KINDS]
    outcome.kinds = len(names)
    outcome.forgotten = [name for name in names if privacy.forgotten(events, planted, name)]
    privacy.erase_all(events)
    outcome.left = told(privacy.found_in(everything(var), planted))
    outcome.left_in_postgresql_log = len(privacy.found_in(write_ahead_log(), planted))
    outcome.findings = len(verify_events().findings) + bool(by_script([])[0])
    return outcome


def told(found: set[Planted]) -> list[str]:
    """Where each came in, and what it was."""
    return sorted(f"{one.door}: {one.text!r}" for one in found)


def everything(var: Path) -> list[bytes]:
    """Every row, every file of the installation, the database's own files."""
    return [*privacy.rows(), *privacy.files(var), *tables()]


def tables() -> list[bytes]:
    """PostgreSQL's table files after a checkpoint, and its dump; SQLite's file and log lie in the installation."""
    made = own_cluster()
    if made is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
    base = made.folder / "data" / TABLES
    dump: Any = subprocess.run(
        [str(made.binaries / "pg_dump"), "--dbname", database()], capture_output=True, check=True
    ).stdout
    return [dump, *(path.read_bytes() for path in base.rglob("*") if path.is_file())]


def database() -> str:
    """Connection string of the database for pg_dump."""
    facts = connection.get_connection_params()
    names = {"host": "host", "port": "port", "user": "user", "dbname": "dbname"}
    return " ".join(f"{name}={facts[key]}" for key, name in names.items() if facts.get(key))


def write_ahead_log() -> list[bytes]:
    """PostgreSQL's log files; empty where the cluster is not ours."""
    made = own_cluster()
    folder = made.folder / "data" / "pg_wal" if made else None
    return [path.read_bytes() for path in folder.iterdir() if path.is_file()] if folder else []
