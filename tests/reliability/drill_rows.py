"""Every row and every scan of this installation as texts, so that what came back can be compared with what was."""

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

RESTORED = "restore_backup"
Rows = dict[str, list[str]]


def rows_there() -> Rows:
    """Of each table its rows, of the folder of scans its files. Browsers' sessions are in no backup.

    The entry that a restore leaves in each log is left out, and the head is told as it was before it.
    """
    found: Rows = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table != "django_session":
                cursor.execute(f"SELECT * FROM {table}")
                names = [column[0] for column in cursor.description or ()]
                found[table] = sorted(told(dict(zip(names, row, strict=True))) for row in cursor.fetchall())
        found["tournament_auditentry"] = [row for row in found["tournament_auditentry"] if f"'{RESTORED}'" not in row]
        cursor.execute(
            "SELECT event_id, seq, hash FROM tournament_auditentry AS one WHERE action <> %s AND seq = (SELECT max(seq)"
            " FROM tournament_auditentry WHERE event_id = one.event_id AND action <> %s)",
            [RESTORED, RESTORED],
        )
        found["tournament_audithead"] = sorted(repr(row) for row in cursor.fetchall())
    scans = Path(settings.VAR_DIR) / "scans"
    files = sorted(scans.glob("*")) if scans.is_dir() else []
    found["scans"] = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files]
    return found


def told(row: dict[str, Any]) -> str:
    """One row as text; bytes as what they are on either database."""
    return repr({name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()})


def differing(one: Rows, other: Rows) -> int:
    """Rows and files that only one of the two has."""
    return sum(len({*one.get(table, ())} ^ {*other.get(table, ())}) for table in one.keys() | other.keys())
