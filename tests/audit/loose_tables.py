"""The guarded tables without any constraint, in memory, with the triggers as SQLite has them: what a guard refuses, and
nothing else, decides whether a statement is done. Only the tables of which rows are given are guarded."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.apps import apps

from tournament.audit.triggers import sqlite, trigger_rules
from tournament.releases.models import Release

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


class LooseTables:
    """Rows that are there before the guards are; then each statement says which guard refused it, "" where it is done.
    Every statement is taken back."""

    def __init__(self, rows: Rows) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.deserialize(empty_tables())
        for table, listed in rows.items():
            for row in listed:
                self.put(table, row)
        for text in guards_of(tuple(rows)):
            self.connection.execute(text)

    def put(self, table: str, row: Mapping[str, Any]) -> None:
        self.connection.execute(*insertion(table, row))

    def refusal(self, statement: str, values: Sequence[Any]) -> str:
        self.connection.execute("SAVEPOINT tried")
        try:
            self.connection.execute(statement, values)
        except sqlite3.IntegrityError as error:
            return sqlite.refusal_of_trigger(error) or "no guard"
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK TO tried")
                self.connection.execute("RELEASE tried")
        return ""

    def insert(self, table: str, /, **row: Any) -> str:
        return self.refusal(*insertion(table, row))

    def update(self, table: str, key: int = 1, /, **changed: Any) -> str:
        parts = ", ".join(f'"{column}" = ?' for column in changed)
        return self.refusal(f"UPDATE tournament_{table} SET {parts} WHERE id = ?", [*changed.values(), key])

    def delete(self, table: str, key: int = 1) -> str:
        return self.refusal(f"DELETE FROM tournament_{table} WHERE id = ?", [key])


def insertion(table: str, row: Mapping[str, Any]) -> tuple[str, list[Any]]:
    columns, marks = ", ".join(f'"{column}"' for column in row), ", ".join("?" for _ in row)
    return f"INSERT INTO tournament_{table} ({columns}) VALUES ({marks})", [*row.values()]


@cache
def empty_tables() -> bytes:
    """A database with every table."""
    made = sqlite3.connect(":memory:")
    for model in apps.get_models():
        others = [f'"{field.column}"' for field in model._meta.concrete_fields if not field.primary_key]
        made.execute(f"CREATE TABLE {model._meta.db_table} ({', '.join(['id PRIMARY KEY', *others])})")
    return made.serialize()


@cache
def guards_of(tables: tuple[str, ...]) -> list[str]:
    """The triggers of these tables."""
    columns = [field.column for field in Release._meta.concrete_fields]
    full = {f"tournament_{table}" for table in tables}
    own = [rule for rule in trigger_rules.all_trigger_rules(columns) if rule.table in full]
    return [text for _table, text in sqlite.expected_triggers(own, None).values()]
