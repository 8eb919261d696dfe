"""The rules as PostgreSQL's triggers: a function a table, for each row, and one statement trigger against TRUNCATE.

A plain RAISE would come back as a programming error; ERRCODE 23514 with a constraint name comes back as what it is.
A row under a sheet holds that sheet's row while it is judged, so that nothing slips in while the sheet is being locked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tournament.audit.triggers.trigger_rules import DELETE, INSERT, UPDATE, TriggerRule
from tournament.audit.triggers.trigger_sql import (
    DOUBLE_ENTRY_TABLE,
    GAME_TABLE,
    LINE_TABLE,
    SHEET_TABLE,
    SIGNATURE_TABLE,
)

POSTGRESQL_TRIGGER_MARK = "locked_scoresheet"
PARENTS = {
    GAME_TABLE: "{row}.scoresheet_id",
    SIGNATURE_TABLE: "{row}.scoresheet_id",
    DOUBLE_ENTRY_TABLE: "{row}.scoresheet_id",
    LINE_TABLE: f"(SELECT scoresheet_id FROM {GAME_TABLE} WHERE id = {{row}}.game_id)",  # noqa: S608
}


def expected_triggers(rules: Sequence[TriggerRule], connection: Any) -> dict[str, tuple[str, str]]:
    """Table and text of each function with its triggers, by the function's name."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        schema = cursor.fetchone()[0]
    tables = dict.fromkeys(rule.table for rule in rules)
    return {
        f"guard_{table}": (table, function_and_triggers_text(function_source(table, rules), schema, table))
        for table in tables
    }


def function_source(table: str, rules: Sequence[TriggerRule]) -> str:
    """The PL/pgSQL body of the table's trigger function."""
    parts = ["BEGIN", "IF TG_OP = 'TRUNCATE' THEN", raise_statement("a guarded table is not emptied"), "END IF;"]
    for operation, row in ((INSERT, "NEW"), (UPDATE, "NEW"), (DELETE, "OLD")):
        parts.append(f"IF TG_OP = '{operation}' THEN")
        if table in PARENTS:
            parent = PARENTS[table].format(row=row)
            parts.append(f"PERFORM 1 FROM {SHEET_TABLE} WHERE id = {parent} FOR SHARE;")
        for rule in rules:
            if (rule.table, rule.operation) == (table, operation):
                parts += [f"IF {rule.refused_when} THEN", raise_statement(rule.because), "END IF;"]
        parts += [f"RETURN {row};", "END IF;"]
    return "\n".join([*parts, "RETURN NULL;", "END"])


def raise_statement(because: str) -> str:
    """The statement that ends the act."""
    mark = POSTGRESQL_TRIGGER_MARK
    return f"RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = '{mark}', MESSAGE = '{mark}: {because}';"


def function_and_triggers_text(source: str, schema: str, table: str) -> str:
    """Source, search path and both triggers as one text, which `present` reads back in the same shape."""
    return f"{source}\nsearch_path={schema}, pg_temp\nguard_each_{table} 31 O\nguard_truncate_{table} 34 O"


# tgtype 31: before, for each row, insert, update, delete; 34: before a truncate, once. O: fires in every session but a
# replica's.
INSTALLED_TRIGGERS_QUERY = """
SELECT t.tgname, c.relname, p.proname, p.prosrc, p.proconfig, t.tgtype, t.tgenabled::text,
       t.tgqual IS NULL AND cardinality(t.tgattr::int2[]) = 0
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%s)
ORDER BY c.relname, t.tgname
"""


def installed_triggers(connection: Any, tables: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The triggers that these tables have, by their function's name."""
    with connection.cursor() as cursor:
        cursor.execute(INSTALLED_TRIGGERS_QUERY, [list(tables)])
        found = cursor.fetchall()
    texts: dict[str, tuple[str, str]] = {}
    for name, table, function, source, config, kind, enabled, whole in found:
        before = texts.get(function, (table, f"{source}\n{', '.join(config or [])}"))[1]
        line = f"{name} {kind} {enabled}" if whole else f"{name} {kind} {enabled} in part"
        texts[function] = (table, f"{before}\n{line}")
    return texts


def install_trigger(connection: Any, name: str, table: str, text: str, there: Mapping[str, tuple[str, str]]) -> None:
    """Create the function and its triggers, in place of others of that name."""
    source, path, *_triggers = text.rsplit("\n", 3)
    each, truncate = f"guard_each_{table}", f"guard_truncate_{table}"
    setting = path.replace("search_path=", "search_path = ")
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET {setting} AS $guard$"
            f"{source}$guard$"
        )
        for trigger in (each, truncate):
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger} ON {table}")
        cursor.execute(
            f"CREATE TRIGGER {each} BEFORE INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
        )
        cursor.execute(
            f"CREATE TRIGGER {truncate} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )


def refusal_of_trigger(error: BaseException) -> str:
    """The guard's words, where it was a guard that refused."""
    facts = getattr(error.__cause__, "diag", None)
    if facts is None or facts.constraint_name != POSTGRESQL_TRIGGER_MARK:
        return ""
    return str(facts.message_primary).partition(": ")[2]
