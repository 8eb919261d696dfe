"""The whole of a SQLite database as it is, put back later: what a restore does to those who knew what came after."""

import sqlite3

from django.db import connection


def copied() -> sqlite3.Connection:
    """All of it, as it is."""
    connection.ensure_connection()
    made = sqlite3.connect(":memory:", check_same_thread=False)
    connection.connection.backup(made)
    return made


def put_back(content: sqlite3.Connection) -> None:
    """As it was."""
    connection.ensure_connection()
    content.backup(connection.connection)
