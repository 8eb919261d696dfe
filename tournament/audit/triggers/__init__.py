"""The guards in the database: put there, compared with what they must be, and their refusals as the house's own.

They are put back after every migration, since SQLite loses a table's triggers when it rebuilds the table. Whoever owns
the database can still drop them: `audit verify` finds what was done meanwhile.
"""

from types import ModuleType
from typing import Any

from django.db import IntegrityError, connections, transaction
from django.utils.translation import gettext_noop as _

from tournament.audit.triggers import postgresql, sqlite
from tournament.audit.triggers.trigger_rules import all_trigger_rules, tables_with_triggers
from tournament.audit.triggers.trigger_sql import ERASURE_TABLE, RELEASE_TABLE
from tournament.core.errors import Locked, Refused, Unavailable

TRIGGER_ENGINES: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgresql}
LOCKED_RECORD_MESSAGE = _(
    "This is locked, or a record that is only ever added to, so it is not changed in place. A locked scoresheet is "
    "corrected by two people."
)
TRIGGERS_MISSING_MESSAGE = _(
    "The database's own guards against changes of locked sheets are missing, so nothing is written. Whoever looks "
    "after the installation runs: manage.py migrate"
)
_databases_with_triggers: set[str] = set()


def install_triggers(using: str = "default") -> list[str]:
    """Put every guard where it is not as it must be; the names of those that were put. Harmless when called again."""
    connection = connections[using]
    engine = TRIGGER_ENGINES[connection.vendor]
    wanted, there = _expected_triggers(connection), engine.installed_triggers(connection, tables_with_triggers())
    wrong = [name for name, text in wanted.items() if there.get(name) != text]
    with transaction.atomic(using=using):
        for name in wrong:
            engine.install_trigger(connection, name, *wanted[name], there)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA legacy_alter_table = OFF")
    _databases_with_triggers.discard(using)
    return wrong


def prepare_triggers_for_migration(using: str = "default", *, backwards: bool = False) -> None:
    """Before a migration; the guards themselves stay, so that no migration rewrites what is locked. SQLite rebuilds a
    table under another name and, left as it is, would refuse to give it its own name back while a guard of another
    table speaks of it. On the way back it also refuses to drop a column of which a guard speaks, so that there they
    are lifted until `install_triggers`; meanwhile nothing is written, see `require_triggers`. PostgreSQL needs nothing.
    """
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA legacy_alter_table = ON")
        for name in sqlite.installed_triggers(connection, tables_with_triggers()) if backwards else ():
            cursor.execute(f"DROP TRIGGER {name}")
    if backwards:
        _databases_with_triggers.discard(using)


def trigger_faults(using: str = "default") -> list[str]:
    """Each guard that is missing or not as it must be, and each strange trigger on a guarded table, by name."""
    connection = connections[using]
    wanted, there = (
        _expected_triggers(connection),
        TRIGGER_ENGINES[connection.vendor].installed_triggers(connection, tables_with_triggers()),
    )
    missing = [name for name, text in wanted.items() if there.get(name) != text]
    return sorted({*missing, *(name for name in there if name not in wanted)})


def count_installed_triggers(using: str = "default") -> tuple[int, int]:
    """How many guards are there as they must be, of how many for the tables that are made."""
    connection = connections[using]
    wanted, there = (
        _expected_triggers(connection),
        TRIGGER_ENGINES[connection.vendor].installed_triggers(connection, tables_with_triggers()),
    )
    return sum(there.get(name) == text for name, text in wanted.items()), len(wanted)


def are_tables_made(using: str = "default") -> bool:
    """Whether the tables to be guarded are there: before the first migration they are not."""
    return bool(_expected_triggers(connections[using]))


def require_triggers(using: str = "default") -> None:
    """Refuse with 503 while a guard is missing. Looked up until they stand, then never again by this process."""
    if using in _databases_with_triggers:
        return
    if not are_tables_made(using) or trigger_faults(using):
        raise Unavailable("guard_missing", TRIGGERS_MISSING_MESSAGE)
    _databases_with_triggers.add(using)


def trigger_refusal_of(error: BaseException) -> Refused | None:
    """The 423 of a database error that was a guard's refusal; None for every other."""
    if not isinstance(error, IntegrityError):
        return None
    because = next((text for engine in TRIGGER_ENGINES.values() if (text := engine.refusal_of_trigger(error))), "")
    return Locked("locked_scoresheet", LOCKED_RECORD_MESSAGE, about=because) if because else None


def _expected_triggers(connection: Any) -> dict[str, tuple[str, str]]:
    """The guards of the tables that are there."""
    with connection.cursor() as cursor:
        made = set(connection.introspection.table_names(cursor))
        columns = []
        if RELEASE_TABLE in made:
            columns = [column.name for column in connection.introspection.get_table_description(cursor, RELEASE_TABLE)]
    own = [rule for rule in all_trigger_rules(columns, erasures=ERASURE_TABLE in made) if rule.table in made]
    found: dict[str, tuple[str, str]] = TRIGGER_ENGINES[connection.vendor].expected_triggers(own, connection)
    return found
