"""A migration that rebuilds a guarded table on SQLite, and so loses its guards for a moment, says so itself (G2)."""

from collections.abc import Iterator

import pytest
from django.db import ConnectionHandler, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration

from tournament.guards.rules import TABLES

FIRST_GUARDS = "0002_guards"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def sqlite() -> Iterator[ConnectionHandler]:
    """A database in memory, only to ask what SQL it would be given."""
    yield (made := ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}))
    made.close_all()


def rebuilt(connections: ConnectionHandler, loader: MigrationLoader, migration: Migration) -> set[str]:
    """The guarded tables, already there, that this migration makes anew under another name."""
    before = loader.project_state((migration.app_label, migration.name), at_end=False)
    with connections["default"].schema_editor(collect_sql=True, atomic=False) as editor:
        migration.apply(before, editor, collect_sql=True)
        sql = "\n".join(map(str, editor.collected_sql))
    made_here = {
        f"tournament_{one.name}".lower() for one in migration.operations if isinstance(one, migrations.CreateModel)
    }
    return {table for table in TABLES if f'CREATE TABLE "new__{table}"' in sql} - made_here


def unmarked(connections: ConnectionHandler, loader: MigrationLoader) -> dict[str, tuple[set[str], set[str]]]:
    """Each later migration whose mark `rebuilds_guarded` is not what it does: what it does, what it says."""
    names = sorted(name for app, name in loader.disk_migrations if app == "tournament" and name > FIRST_GUARDS)
    found = {}
    for name in names:
        migration = loader.get_migration("tournament", name)
        does, says = rebuilt(connections, loader, migration), set(getattr(migration, "rebuilds_guarded", ()))
        if does != says:
            found[name] = (does, says)
    return found


@pytest.mark.fault("G2")
def test_whoever_rebuilds_a_guarded_table_has_marked_it(sqlite: ConnectionHandler) -> None:
    assert unmarked(sqlite, MigrationLoader(None)) == {}


def test_a_rebuilding_operation_without_the_mark_is_found(sqlite: ConnectionHandler) -> None:
    loader = MigrationLoader(None)
    name = max(name for app, name in loader.disk_migrations if app == "tournament")
    last = loader.get_migration("tournament", name)
    state = loader.project_state(("tournament", name))
    field = state.models["tournament", "game"].fields["starter"].clone()
    field.max_length = 9
    last.operations = [*last.operations, migrations.AlterField("game", "starter", field)]
    assert "tournament_game" in unmarked(sqlite, loader)[name][0]
