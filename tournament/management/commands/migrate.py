"""Django's own `migrate`, refused while a session is open."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import override

from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.operations.services import updating


class Command(migrate.Command):
    """`manage.py migrate [--force --reason WHY]`: exit 3 where it would change tables while a session is open. With
    nothing to change it is as ever, so that a server starts again in the middle of a session."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's own, and to insist."""
        super().add_arguments(parser)
        parser.add_argument("--force", action="store_true", help="change the tables although a session is open")
        parser.add_argument("--reason", default="", help="with --force: why it cannot wait; goes into the log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask who plays, then Django's act, then the log."""
        found = updating.open_session_codes_by_event() if changes_tables(**options) else {}
        try:
            reason = updating.require_no_open_session(found, force=options["force"], reason=options["reason"])
        except Refused as refusal:
            raise CommandError(in_both_languages(refusal), returncode=3) from None
        super().handle(*args, **options)
        updating.record_update_during_play(found, reason)


def changes_tables(
    *, database: str, app_label: str | None, plan: bool, check_unapplied: bool, prune: bool, **options: Any
) -> bool:
    """Whether tables of the database that serves, which has sessions, are to be changed."""
    if database != DEFAULT_DB_ALIAS or plan or check_unapplied or prune:
        return False
    connection = connections[database]
    if Session._meta.db_table not in connection.introspection.table_names():
        return False
    executor = MigrationExecutor(connection)
    return bool(app_label or executor.migration_plan(executor.loader.graph.leaf_nodes()))


def in_both_languages(refusal: Refused) -> str:
    """Whoever types it, whichever they read."""
    said = []
    for language, _name in settings.LANGUAGES:
        with override(language):
            said.append(str(refusal))
    return "\n".join(said)
