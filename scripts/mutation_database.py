"""The test database in memory, so that a child has a copy of its own of what its parent made."""

import sqlite3

from django.db import connection

from tests.database_copy import SqliteCopy


def database_in_memory() -> None:
    """From now on the database of this process is a copy of the original in memory; closing it closes nothing."""
    for name, function in (("make", make_in_memory), ("remove", keep)):
        setattr(SqliteCopy, name, function)


def make_in_memory(copy: SqliteCopy) -> str:
    connection.close()
    connection.settings_dict["NAME"] = ":memory:"
    connection.ensure_connection()
    with sqlite3.connect(copy.original()) as source:
        source.backup(connection.connection)
    return ":memory:"


def keep(copy: SqliteCopy) -> None:
    """It ends with the process."""
