"""After an erasure: nothing of it is left in the database's own files, as far as the database lets one see to it.

A deleted row stays in a file until its page is written over. SQLite writes its file anew without free pages and empties
its write-ahead log. PostgreSQL writes the tables anew; its own write-ahead log, kept for recovery and copied to
standbys and archives, holds old pages until it is recycled there. Its planner's statistics quote values of columns:
they are taken anew with the tables, and then written anew themselves.
"""

from typing import Any

from django.db import DatabaseError, connection
from django.db.models import Model

from tournament.accounts.models import Proposal
from tournament.core.models import request_key
from tournament.devices.models import device
from tournament.entrants.models import final, importing, people
from tournament.messages.models import Delivery, Notice
from tournament.operations.services.erasure_texts import CHANGEABLE_MODELS as TYPED
from tournament.releases.models import Release
from tournament.sheets.models import scan, signing
from tournament.tables.models import PrintedContent

MODELS_ERASED: tuple[type[Model], ...] = (
    Delivery,
    signing.Drawing,
    people.Entrant,
    importing.EntrantFile,
    people.Family,
    device.QuarantinedSubmission,
    final.Invitation,
    Notice,
    people.Person,
    PrintedContent,
    Proposal,
    Release,
    request_key.RequestKey,
    scan.Scan,
)
SWEPT_MODELS: tuple[type[Model], ...] = tuple(dict.fromkeys((*MODELS_ERASED, *TYPED)))
SWEPT_TABLES = tuple(model._meta.db_table for model in SWEPT_MODELS)
WAL_BUSY, NO_RIGHT = "write_ahead_log_busy", "no_right_to_vacuum"


def vacuum_database() -> list[str]:
    """Write the database's files anew; what could not be done, as codes. Harmless, outside a transaction."""
    if connection.in_atomic_block:
        raise RuntimeError("a database is swept outside every transaction")
    return sweep_sqlite() if connection.vendor == "sqlite" else sweep_postgresql()


def sweep_sqlite() -> list[str]:
    """Free pages are zeroed, the file is written anew, the write-ahead log is emptied unless somebody reads in it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy = cursor.fetchone()
    return [WAL_BUSY] if busy and busy[0] else []


def sweep_postgresql() -> list[str]:
    """The tables that an erasure touches are written anew, each under a lock of its own, and what the planner keeps of
    their values; then a checkpoint."""
    with connection.cursor() as cursor:
        empty = [model._meta.db_table for model in SWEPT_MODELS if not model._base_manager.exists()]
        forgotten = [statement for table in empty for statement in clear_table_statistics(cursor, table)]
    tables = [f"VACUUM (FULL, ANALYZE) {table}" for table in SWEPT_TABLES]
    left = []
    for statement in (*forgotten, *tables, "VACUUM (FULL) pg_catalog.pg_statistic", "CHECKPOINT"):
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement)
        except DatabaseError:
            left.append(NO_RIGHT)
    return sorted(set(left))


def clear_table_statistics(cursor: Any, table: str) -> list[str]:
    """What takes the statistics of an empty table away: ANALYZE leaves them there as they were, and PostgreSQL drops
    them where a column is given a type, be it its own."""
    cursor.execute(
        "SELECT quote_ident(attname), format_type(atttypid, atttypmod) FROM pg_attribute JOIN pg_statistic "
        "ON starelid = attrelid AND staattnum = attnum WHERE attrelid = %s::regclass AND attidentity = ''",
        [table],
    )
    return [f"ALTER TABLE {table} ALTER COLUMN {column} TYPE {kind}" for column, kind in cursor.fetchall()]
