"""What somebody who owns the database might do with the guards lifted (reliability 3.9), and what must name it.

KINDS change a seeded and released event; GUARD_KINDS the guards themselves. ANCHORED need an anchor to show; OUTSIDE
are not in the exported evidence, so that the second implementation cannot see them.
"""

from django.db import connection

from tests.guards_lifted import lifted, settle_constraints
from tests.reliability import (
    tamper_conduct,
    tamper_drawings,
    tamper_finalists,
    tamper_mailings,
    tamper_notices,
    tamper_postponing,
    tamper_records,
    tamper_sheets,
    tamper_tables,
    tamper_weather,
)
from tests.reliability.tamper_kinds import ANCHORED, CONDUCT, KINDS, OUTSIDE, Tamper
from tournament.guards.rules import TABLES

__all__ = ["ANCHORED", "CONDUCT", "FILES", "GUARD_KINDS", "KINDS", "OUTSIDE", "do"]

# Where the kinds are; the one that is about the disk is not undone with the database.
SOURCES = (
    tamper_sheets,
    tamper_records,
    tamper_conduct,
    tamper_drawings,
    tamper_tables,
    tamper_finalists,
    tamper_notices,
    tamper_mailings,
    tamper_weather,
    tamper_postponing,
)
FILES = tamper_records.change_a_published_file.__name__


# --- The guards -----------------------------------------------------------------------------------------
def drop_a_guard(table: str) -> Tamper:
    """Leave out a guard of one table after the others were put back."""

    def drop() -> str:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER guard_{table}_update")
                return f"guard_{table}_update"
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER guard_each_{table}")
        return f"guard_{table}"

    return drop


def hollow_out_a_guard() -> str:
    """A trigger of the right name that does nothing."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER guard_tournament_line_update")
            cursor.execute(
                "CREATE TRIGGER guard_tournament_line_update BEFORE UPDATE ON tournament_line FOR EACH ROW"
                " BEGIN SELECT 1; END"
            )
            return "guard_tournament_line_update"
        cursor.execute(
            "CREATE OR REPLACE FUNCTION guard_tournament_line() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN RETURN NEW; END'"
        )
    return "guard_tournament_line"


GUARD_KINDS: dict[str, Tamper] = {
    **{f"drop_the_guard_of_{table}": drop_a_guard(table) for table in dict.fromkeys(TABLES)},
    "hollow_out_a_guard": hollow_out_a_guard,
}


def do(kind_name: str) -> str:
    """Tamper, with the guards lifted and put back where that is not the tampering itself."""
    if kind_name in GUARD_KINDS:
        settle_constraints()
        return GUARD_KINDS[kind_name]()
    with lifted():
        return KINDS[kind_name]()
