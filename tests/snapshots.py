"""The whole of a database as it is, put back later: what a restore does to those who knew what came after."""

import sqlite3
from dataclasses import dataclass

from django.db import connection, transaction

# Without guards and foreign keys, which pg_restore too meets only once all rows are there.
IN_NO_ORDER = "SET LOCAL session_replication_role = replica"
SEQUENCES = "SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename), last_value FROM pg_sequences"
FURNITURE = ("django_migrations", "django_content_type", "auth_permission")


@dataclass(frozen=True)
class Rows:
    """PostgreSQL's: each table as COPY writes it, and how far each sequence has counted."""

    tables: dict[str, bytes]
    sequences: list[tuple[str, int | None]]


Content = sqlite3.Connection | Rows


def copied() -> Content:
    """All of it, as it is."""
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        return rows()
    made = sqlite3.connect(":memory:", check_same_thread=False)
    connection.connection.backup(made)
    return made


def put_back(content: Content) -> None:
    connection.ensure_connection()
    if isinstance(content, Rows):
        put_rows_back(content)
    else:
        content.backup(connection.connection)


def rows() -> Rows:
    """One moment of every table."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        names = set(connection.introspection.table_names(cursor)) - {*FURNITURE}
        found = {}
        for name in sorted(names):
            with cursor.copy(f'COPY "{name}" TO STDOUT') as out:
                found[name] = b"".join(bytes(part) for part in out)
        cursor.execute(SEQUENCES)
        return Rows(found, cursor.fetchall())


def put_rows_back(content: Rows) -> None:
    """All at once; a sequence gives out again what was given out since."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(IN_NO_ORDER)
        for name in content.tables:
            cursor.execute(f'DELETE FROM "{name}"')
        for name, body in content.tables.items():
            if body:
                with cursor.copy(f'COPY "{name}" FROM STDIN') as into:
                    into.write(body)
        for name, last in content.sequences:
            cursor.execute("SELECT setval(%s, %s, %s)", [name, last or 1, last is not None])
