"""The rules as SQLite's triggers: one a table and operation, INSERT among them, or OR REPLACE would slip past."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournament.audit.triggers.trigger_rules import DELETE, INSERT, UPDATE, TriggerRule

SQLITE_TRIGGER_MARK = "locked_scoresheet"


def expected_triggers(rules: Sequence[TriggerRule], connection: Any) -> dict[str, tuple[str, str]]:
    """Table and text of each trigger by its name."""
    texts = {}
    for table in dict.fromkeys(rule.table for rule in rules):
        for operation in (INSERT, UPDATE, DELETE):
            own = [rule for rule in rules if (rule.table, rule.operation) == (table, operation)]
            name = f"guard_{table}_{operation.lower()}"
            texts[name] = (table, trigger_text(name, table, operation, own))
    return texts


def trigger_text(name: str, table: str, operation: str, rules: Sequence[TriggerRule]) -> str:
    """One trigger's text, as the database keeps it."""
    lines = "\n".join(
        f"SELECT RAISE(ABORT, '{SQLITE_TRIGGER_MARK}: {rule.because}') WHERE {rule.refused_when};" for rule in rules
    )
    return f"CREATE TRIGGER {name} BEFORE {operation} ON {table} FOR EACH ROW\nBEGIN\n{lines}\nEND"


def installed_triggers(connection: Any, tables: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The triggers that these tables have."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {name: (table, text) for name, table, text in cursor.fetchall() if table in tables}


def install_trigger(connection: Any, name: str, table: str, text: str, there: Mapping[str, tuple[str, str]]) -> None:
    """Create one, in place of another of that name."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        cursor.execute(text)


def refusal_of_trigger(error: BaseException) -> str:
    """The guard's words, where it was a guard that refused."""
    text = str(error)
    return text.partition(": ")[2] if text.startswith(f"{SQLITE_TRIGGER_MARK}: ") else ""
