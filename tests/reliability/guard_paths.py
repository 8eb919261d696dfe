"""Q16: on every way that a database comes to be as it is, each table that is to be guarded is; and none goes round."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.db import connection, migrations, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from tests.guards_lifted import lift, settle_constraints
from tests.reliability import bypasses
from tests.reliability.drill import beside, bring_key
from tests.reliability.figures import Figure
from tests.reliability.server import ROOT
from tests.reliability.tampering import drop_guard, undone
from tests.small_event import small_fixtures
from tournament.audit import triggers
from tournament.audit.triggers.trigger_rules import tables_with_triggers
from tournament.demo.stages import seed_event
from tournament.operations.services import backup

FIRST_GUARDS = "0001_initial"
COUNT = "from tournament.audit import triggers; print(*triggers.count_installed_triggers())"
Counts = dict[str, tuple[int, int]]


def figures(seed: int) -> list[Figure]:
    """Guards counted on every path; then SQL that would go round them, beside the same without them."""
    counts = guarded_on_every_path()
    with tempfile.TemporaryDirectory(prefix="fixtures-") as folder:
        seed_event("released", 2, small_fixtures(Path(folder)))
    counts["restored"] = guarded_after_restore()
    short = {path: f"{there} of {wanted}" for path, (there, wanted) in counts.items() if there != wanted}
    must, there = (sum(pair[place] for pair in counts.values()) for place in (1, 0))
    title = "guards missing after a path of migrations or a restore"
    paths = Figure("Q16", title, connection.vendor, must, must - there, must, seed, len(set(tables_with_triggers())))
    paths.control_failures = sum(is_missing_seen(table) for table in set(tables_with_triggers()))
    paths.facts = {
        "paths": len(counts),
        "short": short,
        "guards": counts["restored"][1],
        "tables": len(tables_with_triggers()),
    }
    tried, passed = bypasses.let_through()
    with without_guards():
        control = bypasses.done_anyway()
    title = "SQL that changes what is locked or recorded, let through"
    round_them = Figure(
        "Q16", title, connection.vendor, tried, len(passed), tried, seed, len(bypasses.by_anybody()), control
    )
    round_them.facts = {"let through": passed}
    return [paths, round_them]


def is_missing_seen(table: str) -> bool:
    """The control: whether the count is short where one table's guard is gone."""
    with undone():
        settle_constraints()
        drop_guard(table)()
        standing, wanted = triggers.count_installed_triggers()
    return standing < wanted


@contextmanager
def without_guards() -> Iterator[None]:
    """None inside; then all is taken back."""
    with transaction.atomic():
        settle_constraints()
        lift()
        yield
        transaction.set_rollback(True)


def later_migrations() -> list[str]:
    """Those after the first guards, in order."""
    names = (name for app, name in MigrationLoader(None).disk_migrations if app == "tournament")
    return sorted(name for name in names if name > FIRST_GUARDS)


def guarded_on_every_path() -> Counts:
    """Of each path the guards that stand and those that must, from an empty migrated database back to one."""
    counts = {
        "fresh": triggers.count_installed_triggers(),
        "fresh, tables": (len(guarded_tables()), len(tables_with_triggers())),
    }
    counts |= {f"back to {name}": triggers.count_installed_triggers() for name in backwards()}
    counts |= {f"on to {name}": triggers.count_installed_triggers() for name in forwards()}
    for name in [FIRST_GUARDS, *later_migrations()][-2:]:
        migrate(name)
        counts[f"one back and on again, {name}"] = triggers.count_installed_triggers()
    for label, table in rebuilds():
        counts[f"{label} {table}"] = triggers.count_installed_triggers()
    return counts


def guarded_tables() -> set[str]:
    """The tables that have a trigger of ours."""
    engine = triggers.TRIGGER_ENGINES[connection.vendor]
    return {table for table, _text in engine.installed_triggers(connection, tables_with_triggers()).values()}


def migrate(name: str) -> None:
    """To this migration, on or back, as the command does it."""
    call_command("migrate", "tournament", name, verbosity=0, interactive=False)


def backwards() -> Iterator[str]:
    """One migration less each time, to the first guards."""
    names = [FIRST_GUARDS, *later_migrations()]
    for name in reversed(names[:-1]):
        migrate(name)
        yield name


def forwards() -> Iterator[str]:
    """One more each time, to the newest."""
    for name in later_migrations():
        migrate(name)
        yield name


def rebuilds() -> Iterator[tuple[str, str]]:
    """On each guarded table an operation that SQLite rebuilds it for, with what stands around a migration."""
    state = ProjectState.from_apps(apps)
    for model in apps.get_app_config("tournament").get_models():
        if model._meta.db_table in tables_with_triggers():
            operation = migrations.AddField(model.__name__, "more", models.CharField(max_length=5, default=""))
            after = state.clone()
            operation.state_forwards("tournament", after)
            for label, there, back in (("column added to", state, after), ("column taken from", after, state)):
                run_operation(operation, there, back, label.startswith("column added"))
                yield label, model._meta.db_table


def run_operation(operation: Any, state: ProjectState, after: ProjectState, forwards: bool) -> None:
    """As a migration of its own; the signals that stand around each are sent as `migrate` sends them."""
    triggers.prepare_triggers_for_migration()
    with connection.schema_editor() as editor:
        move = operation.database_forwards if forwards else operation.database_backwards
        move("tournament", editor, state, after)
    triggers.install_triggers()


def guarded_after_restore() -> tuple[int, int]:
    """In another database, once this one's backup was restored there."""
    with tempfile.TemporaryDirectory(prefix="guards-") as folder, beside("restored") as restored:
        made = backup.create_backup(Path(folder))
        bring_key(os.environ["VAR_DIR"], restored["VAR_DIR"])
        command = [sys.executable, "manage.py"]
        given = {"cwd": ROOT, "env": restored, "check": True, "capture_output": True, "text": True}
        subprocess.run([*command, "restore", str(made.path)], **given)
        said = subprocess.run([*command, "shell", "--no-imports", "-c", COUNT], **given).stdout
    standing, wanted = said.split()
    return int(standing), int(wanted)
