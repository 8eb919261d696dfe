"""Plain SQL that somebody might try on what is locked or recorded, and what the role that serves might try besides.

Each meets a locked and stamped sheet and an audit log with entries.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction

from tests.guards_lifted import settle_constraints
from tournament.audit import triggers
from tournament.audit.triggers.trigger_rules import tables_with_triggers

ROLES = Path(__file__).resolve().parents[2] / "deploy" / "roles.sql"
REFUSED = (
    "UPDATE tournament_scoresheet SET digest = 'x'",
    "UPDATE tournament_scoresheet SET state = 'ready'",
    "DELETE FROM tournament_signature",
    "UPDATE tournament_signature SET digest = 'x'",
    "UPDATE tournament_line SET tiles = 1",
    "DELETE FROM tournament_line",
    "UPDATE tournament_game SET starter = 'A'",
    "DELETE FROM tournament_game",
    "UPDATE tournament_seat SET letter = 'X' WHERE letter = 'A'",
    "DELETE FROM tournament_officialsheet",
    "DELETE FROM tournament_stamp",
    "UPDATE tournament_auditentry SET reason = 'x'",
    "DELETE FROM tournament_auditentry",
    "UPDATE tournament_audithead SET seq = 0",
    "DELETE FROM tournament_audithead",
    "INSERT INTO tournament_game (scoresheet_id, number, ended_by, starter)"
    " SELECT id, 9, 'time', '' FROM tournament_scoresheet",
    "UPDATE tournament_scoresheet SET id = id + 1000",
    "UPDATE tournament_auditentry SET id = id + 1000",
    "UPDATE tournament_line SET tiles = 1 FROM tournament_game WHERE tournament_game.id = tournament_line.game_id",
    "WITH chosen AS (SELECT id FROM tournament_line)"
    " UPDATE tournament_line SET tiles = 1 WHERE id IN (SELECT id FROM chosen)",
    "INSERT INTO tournament_officialsheet SELECT * FROM tournament_officialsheet WHERE 1 = 1"
    " ON CONFLICT (id) DO UPDATE SET scoresheet_id = excluded.scoresheet_id",
)
# `OR REPLACE` is SQLite's own (M8).
SQLITE_ONLY = (
    "INSERT OR REPLACE INTO tournament_game SELECT * FROM tournament_game",
    "INSERT OR REPLACE INTO tournament_line SELECT * FROM tournament_line",
    "INSERT OR REPLACE INTO tournament_scoresheet SELECT * FROM tournament_scoresheet",
    "INSERT OR REPLACE INTO tournament_stamp SELECT * FROM tournament_stamp",
    "UPDATE OR REPLACE tournament_auditentry SET seq = 1",
)
POSTGRESQL_ONLY = (
    *(f"TRUNCATE {table} CASCADE" for table in dict.fromkeys(tables_with_triggers())),
    "WITH gone AS (DELETE FROM tournament_line RETURNING id) SELECT id FROM gone",
    "MERGE INTO tournament_line AS line USING tournament_game AS game ON game.id = line.game_id"
    " WHEN MATCHED THEN UPDATE SET tiles = 1",
)
# What the owner may do and the role that serves may not (M10).
BY_APP = (
    "SET session_replication_role = 'replica'",
    *(f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in tables_with_triggers()),
    *(f"ALTER TABLE {table} DISABLE TRIGGER guard_each_{table}" for table in tables_with_triggers()),
    *(f"DROP TRIGGER guard_each_{table} ON {table}" for table in tables_with_triggers()),
    *(f"TRUNCATE {table} CASCADE" for table in tables_with_triggers()),
    *(f"DROP FUNCTION guard_{table}() CASCADE" for table in tables_with_triggers()),
    "CREATE OR REPLACE FUNCTION guard_tournament_line() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
    "ALTER TABLE tournament_line OWNER TO tournament_app",
    "ALTER TABLE tournament_line RENAME TO lines",
    "ALTER TABLE tournament_line ADD COLUMN more int",
    "CREATE TRIGGER zz BEFORE UPDATE ON tournament_line FOR EACH ROW EXECUTE FUNCTION guard_tournament_line()",
    "CREATE RULE aside AS ON DELETE TO tournament_auditentry DO INSTEAD NOTHING",
    "CREATE TABLE mine (id int)",
    "DROP TABLE tournament_auditentry CASCADE",
    "SET ROLE tournament_owner",
    "ALTER ROLE tournament_app SUPERUSER",
    "COPY tournament_line FROM PROGRAM 'echo'",
)
# What opens a door, and who people are.
READ_BY_NO_AUDITOR = (
    "SELECT password FROM auth_user",
    "SELECT session_data FROM django_session",
    "SELECT hash FROM tournament_refereepin",
    "SELECT nonce FROM tournament_invitation",
    "SELECT digest FROM tournament_apitoken",
    "SELECT name_zh, birth_date, phone FROM tournament_person",
    "SELECT rows FROM tournament_entrantfile",
    "SELECT strokes FROM tournament_drawing",
    "SELECT answer FROM tournament_requestkey",
    "UPDATE tournament_auditentry SET reason = 'x'",
)
READ_BY_AUDITOR = (
    "SELECT id, username, is_active FROM auth_user",
    "SELECT * FROM tournament_auditentry",
    "SELECT * FROM tournament_line",
    "SELECT id, entrant_id, revoked_at FROM tournament_invitation",
)
COPIED = {"tournament_game": "scoresheet_id, number, ended_by, starter", "tournament_line": "", "tournament_stamp": ""}


def by_anybody() -> list[str]:
    """What is tried on the database at hand, whoever sends it."""
    return [*REFUSED, *(SQLITE_ONLY if connection.vendor == "sqlite" else POSTGRESQL_ONLY)]


def done_anyway() -> int:
    """The control: how many of these are simply done where no guard stands."""
    return sum(fate(statement) == "done" for statement in by_anybody())


def let_through() -> tuple[int, list[str]]:
    """How many were tried on the database at hand, and each that was not refused as it must be."""
    tried = by_anybody()
    passed = [statement for statement in tried if fate(statement) != "guard"]
    if connection.vendor == "postgresql":
        passed += [f"COPY {table}" for table in COPIED if not copy_refused(table)]
        with as_role("tournament_auditor"):
            passed += [f"as auditor: {statement}" for statement in READ_BY_NO_AUDITOR if fate(statement) == "done"]
            passed += [f"as auditor: not {statement}" for statement in READ_BY_AUDITOR if fate(statement) != "done"]
        with as_role("tournament_app"):
            everything = (*REFUSED, *BY_APP)
            passed += [f"as app: {statement}" for statement in everything if fate(statement) == "done"]
            passed += [f"as app: COPY {table}" for table in COPIED if not copy_refused(table)]
        tried += [*COPIED, *everything, *COPIED]
    return len(tried), passed


def fate(statement: str) -> str:
    """`guard`: refused by one, so that its sender reads a 423; `error`: refused otherwise; `done`, and taken back."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
            transaction.set_rollback(True)
    except DatabaseError as error:
        refusal = triggers.trigger_refusal_of(error)
        return "guard" if refusal is not None and refusal.status == 423 else "error"
    return "done"


def copy_refused(table: str) -> bool:
    """Rows of the table's own by PostgreSQL's COPY, which is no INSERT."""
    columns = COPIED[table] or "*"
    into = f"{table} ({COPIED[table]})" if COPIED[table] else table
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SELECT {columns} FROM {table} LIMIT 3")
            rows: list[Any] = cursor.fetchall()
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
    except IntegrityError as error:
        return triggers.trigger_refusal_of(error) is not None
    return False


@contextmanager
def as_role(name: str) -> Iterator[None]:
    """As one of the roles of deploy/roles.sql, in a transaction that is taken back with the roles themselves."""
    with transaction.atomic():
        settle_constraints()
        with connection.cursor() as cursor:
            cursor.execute(ROLES.read_text(encoding="utf-8"))
            cursor.execute(f"SET LOCAL SESSION AUTHORIZATION {name}")
        yield
        with connection.cursor() as cursor:
            cursor.execute("RESET SESSION AUTHORIZATION")
        transaction.set_rollback(True)
