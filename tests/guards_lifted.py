"""The guards taken out of the database for a moment, as its owner could: the product has no such door."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from tournament.audit import triggers
from tournament.audit.triggers.trigger_rules import tables_with_triggers


def lift() -> None:
    """Drop every trigger of the guarded tables."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            drops = [f"DROP TRIGGER {name}" for (name,) in cursor.fetchall()]
        else:
            cursor.execute(
                "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                " WHERE NOT t.tgisinternal AND c.relname = ANY(%s)",
                [list(tables_with_triggers())],
            )
            drops = [f"DROP TRIGGER {name} ON {table}" for name, table in cursor.fetchall()]
        for drop in drops:
            cursor.execute(drop)


def settle_constraints() -> None:
    """Judge now what waits for the commit: PostgreSQL touches no trigger of a table while something waits."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


@contextmanager
def lifted() -> Iterator[None]:
    """No guards inside, all of them again after it; what was done inside was not refused, and shows to a verifier."""
    with transaction.atomic():
        settle_constraints()
        lift()
        yield
        settle_constraints()
        triggers.install_triggers()
