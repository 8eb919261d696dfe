"""A migration that rebuilds a guarded table on SQLite, and so loses its guards for a moment, says so itself (G2)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import ConnectionHandler, connection, connections, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.test.utils import CaptureQueriesContext

from tests import older
from tournament.audit.triggers.trigger_rules import tables_with_triggers
from tournament.core.models.event import Event

FIRST_GUARDS = "0001_initial"
pytestmark = pytest.mark.django_db


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[str]:
    """A database of an early version beside the one that serves, as a backup is tried out in one."""
    older.write(tmp_path / "older.sqlite3")
    own = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / "older.sqlite3")}
    given = ConnectionHandler({"default": own})["default"].settings_dict
    connections["scratch"] = ConnectionHandler({"default": own, "scratch": given})["scratch"]
    yield "scratch"
    connections["scratch"].close()
    del connections["scratch"]


@pytest.fixture(scope="module")
def sqlite() -> Iterator[ConnectionHandler]:
    """A database in memory, only to ask what SQL it would be given."""
    yield (made := ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}))
    made.close_all()


def rebuilt(sqlite: ConnectionHandler, loader: MigrationLoader, migration: Migration) -> set[str]:
    """The guarded tables, already there, that this migration makes anew under another name."""
    before = loader.project_state((migration.app_label, migration.name), at_end=False)
    with sqlite["default"].schema_editor(collect_sql=True, atomic=False) as editor:
        migration.apply(before, editor, collect_sql=True)
        sql = "\n".join(map(str, editor.collected_sql))
    made_here = {
        f"tournament_{one.name}".lower() for one in migration.operations if isinstance(one, migrations.CreateModel)
    }
    return {table for table in tables_with_triggers() if f'CREATE TABLE "new__{table}"' in sql} - made_here


def unmarked(sqlite: ConnectionHandler, loader: MigrationLoader) -> dict[str, tuple[set[str], set[str]]]:
    """Each later migration whose mark `rebuilds_guarded` is not what it does: what it does, what it says."""
    names = sorted(name for app, name in loader.disk_migrations if app == "tournament" and name > FIRST_GUARDS)
    found = {}
    for name in names:
        migration = loader.get_migration("tournament", name)
        does, says = rebuilt(sqlite, loader, migration), set(getattr(migration, "rebuilds_guarded", ()))
        if does != says:
            found[name] = (does, says)
    return found


@pytest.mark.fault("G2")
def test_whoever_rebuilds_a_guarded_table_has_marked_it(sqlite: ConnectionHandler) -> None:
    assert unmarked(sqlite, MigrationLoader(None)) == {}


def test_a_rebuilding_operation_without_the_mark_is_found(sqlite: ConnectionHandler) -> None:
    loader = MigrationLoader(None)
    last = max(key for key in loader.disk_migrations if key[0] == "tournament")
    field = loader.project_state(last).models["tournament", "game"].fields["starter"].clone()
    field.max_length = 9
    rebuilding = Migration("9999_rebuilding", "tournament")
    rebuilding.operations = [migrations.AlterField("game", "starter", field)]
    loader.disk_migrations["tournament", rebuilding.name] = rebuilding
    loader.graph.add_node(("tournament", rebuilding.name), rebuilding)
    loader.graph.add_dependency(rebuilding, ("tournament", rebuilding.name), last)
    assert "tournament_game" in unmarked(sqlite, loader)[rebuilding.name][0]


def test_an_older_event_beside_the_one_that_serves_is_brought_up_to_date_and_this_one_is_left_alone(
    scratch: str, event: Event
) -> None:
    announced = Event.objects.get().announced_at
    with CaptureQueriesContext(connection) as asked_here:
        call_command("migrate", database=scratch, verbosity=0, interactive=False)
    assert [query["sql"] for query in asked_here.captured_queries] == []
    assert Event.objects.get().announced_at == announced
    assert [one.announced_at is None for one in Event.objects.using(scratch)] == [False]
