"""How each engine gives and takes a whole database: SQLite by its backup API, PostgreSQL by pg_dump and pg_restore.

A plain copy of SQLite's file would miss what stands in the write-ahead log and still look sound (M14).
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.connection import ConnectionDoesNotExist
from django.utils.translation import gettext_noop as _

from tournament.audit.models import AuditHead
from tournament.core.errors import Refused

BackupManifest = dict[str, Any]
BACKUP_FORMAT = 1
# What a manifest has, whatever its form.
MANIFEST_FIELDS: dict[str, type] = {
    **{"format": int, "engine": str, "at": str, "migrations": list, "sha256": str},
    **{"rows": dict, "heads": dict, "scans": list, "signature_keys": list},
}
# Browsers' sessions: whoever had the file could go on as somebody who is signed in.
EXCLUDED_TABLE = "django_session"
# What every migrated database has, however empty.
BOOKKEEPING_TABLES = frozenset({"django_migrations", "django_content_type", "auth_permission"})
POSTGRESQL_PROGRAMS_DIR = Path("/usr/lib/postgresql")

BACKUP_OF_OTHER_ENGINE = _("This backup is of %(theirs)s; this installation uses %(ours)s. Nothing was changed.")
BACKUP_OF_OTHER_FORMAT = _(
    "This backup has the form %(theirs)s; this program reads form %(ours)s. Nothing was changed."
)
BACKUP_OF_NEWER_VERSION = _(
    "This backup is of a newer version (%(names)s). Install that version first; nothing was changed."
)
NO_PROGRAM = _("PostgreSQL's program %(name)s is not here. It comes with: apt-get install postgresql-client")
BACKUP_DATABASE_DAMAGED = _("The database in this file is damaged: %(said)s.")
POSTGRESQL_FAILED = _("PostgreSQL could not do it: %(said)s")


class BackupDamaged(Refused):
    """A file that is not, byte for byte, a backup as it was made."""


class NotRestorable(Refused):
    """A good backup, but not for this database."""


def atomic_on_default() -> Any:
    """One transaction on this installation's database."""
    return transaction.atomic()


def manifest_of(connection: Any, copy: Path, at: datetime) -> BackupManifest:
    """What the file says of itself; the rows are counted in the snapshot, not in the database that has gone on."""
    manifest: BackupManifest = {
        "format": BACKUP_FORMAT,
        "engine": connection.vendor,
        "at": at.isoformat(timespec="seconds"),
        "migrations": sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()),
        "sha256": sha256_of_file(copy),
    }
    with scratch_database(connection, manifest, copy) as using:
        manifest["rows"] = row_counts(using)
        heads = AuditHead.objects.using(using).order_by("event__slug").values_list("event__slug", "seq", "hash")
        manifest["heads"] = {slug: {"seq": seq, "hash": digest} for slug, seq, digest in heads}
    return manifest


def sha256_of_file(path: Path) -> str:
    """The SHA-256 of a whole file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def row_counts(using: str) -> dict[str, int]:
    """How many rows each table has."""
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = sorted(connection.introspection.table_names(cursor))
        counts = {}
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
            counts[table] = cursor.fetchone()[0]
    return counts


def is_database_empty(connection: Any) -> bool:
    """No table has a row of ours; before or after the first migration."""
    counts = row_counts(connection.alias)
    return not any(count for table, count in counts.items() if table not in BOOKKEEPING_TABLES)


def check_manifest_fits(connection: Any, manifest: BackupManifest) -> None:
    """Another form of backup, another engine, or a schema that this program does not know yet."""
    if manifest["format"] != BACKUP_FORMAT:
        raise NotRestorable("other_form", BACKUP_OF_OTHER_FORMAT, theirs=manifest["format"], ours=BACKUP_FORMAT)
    if manifest["engine"] != connection.vendor:
        raise NotRestorable("other_engine", BACKUP_OF_OTHER_ENGINE, theirs=manifest["engine"], ours=connection.vendor)
    if newer := sorted({*manifest["migrations"]} - known_migrations()):
        raise NotRestorable("newer_schema", BACKUP_OF_NEWER_VERSION, names=", ".join(newer))


def has_unapplied_migrations(connection: Any) -> bool:
    """Whether this program has migrations that its own database has not seen."""
    applied = MigrationRecorder(connection).applied_migrations()
    return bool(known_migrations() - {f"{app}.{name}" for app, name in applied})


def is_backup_schema_older(manifest: BackupManifest) -> bool:
    """Whether this program has migrations that the backup has not seen."""
    return bool(known_migrations() - {*manifest["migrations"]})


def known_migrations() -> set[str]:
    """Every migration of this program."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


# --- Out and in -----------------------------------------------------------------------------------------
def dump_database(connection: Any, copy: Path) -> None:
    """One snapshot of the database in a file, without browsers' sessions."""
    if connection.vendor == "sqlite":
        # A reader of its own: the backup API would wait for ever on a connection that is itself writing.
        with closing(sqlite3.connect(database_name(connection))) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute(f"DELETE FROM {EXCLUDED_TABLE}")  # noqa: S608
            target.commit()
            target.execute("VACUUM")
        return
    options = ["-Fc", "-Z0", "--no-owner", "--no-privileges", f"--exclude-table-data={EXCLUDED_TABLE}"]
    run_postgresql_program("pg_dump", connection, *options, f"--file={copy}", database_name(connection))


def load_database(connection: Any, copy: Path) -> None:
    """Put the file's database in the place of this one, all of it or nothing."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(copy)) as source:
            source.backup(connection.connection)
        connection.close()
        return
    with connection.cursor() as cursor:
        made = connection.introspection.table_names(cursor)
    connection.close()
    clean = ["--clean", "--if-exists"] if made else []
    restore_postgresql(connection, copy, database_name(connection), *clean)


def restore_postgresql(connection: Any, copy: Path, into: str, *more: str) -> None:
    """Run pg_restore in one transaction; the first error ends it."""
    options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", *more]
    run_postgresql_program("pg_restore", connection, *options, f"--dbname={into}", str(copy))


@contextmanager
def scratch_database(connection: Any, manifest: BackupManifest, copy: Path) -> Iterator[str]:
    """The file's database under an alias of its own, removed afterwards."""
    name = alias = f"scratch_{uuid.uuid4().hex[:12]}"
    sqlite = manifest["engine"] == "sqlite"
    if sqlite:
        name = str(copy)
    else:
        run_postgresql_program("createdb", connection, "--template=template0", name)
    try:
        if not sqlite:
            restore_postgresql(connection, copy, name)
        options = {key: value for key, value in connection.settings_dict["OPTIONS"].items() if key != "pool"}
        connections[alias] = type(connections[connection.alias])(
            {**connection.settings_dict, "NAME": name, "OPTIONS": options}, alias
        )
        if sqlite:
            check_integrity(alias)
        yield alias
    finally:
        with suppress(ConnectionDoesNotExist):
            connections[alias].close()
            del connections[alias]
        if not sqlite:
            run_postgresql_program("dropdb", connection, "--if-exists", "--force", name)


def check_integrity(alias: str) -> None:
    """SQLite's own look at every page."""
    try:
        with connections[alias].cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            said = cursor.fetchone()[0]
    except DatabaseError as error:
        said = str(error)
    if said != "ok":
        raise BackupDamaged("backup_damaged", BACKUP_DATABASE_DAMAGED, said=said)


# --- PostgreSQL's programs ------------------------------------------------------------------------------
def database_name(connection: Any) -> str:
    """The name of the database that this connection is at."""
    return str(connection.settings_dict["NAME"])


def find_postgresql_program(name: str) -> str:
    """The newest of PostgreSQL's programs of that name: an older one refuses a newer server."""
    found = sorted(POSTGRESQL_PROGRAMS_DIR.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        raise NotRestorable("no_program", NO_PROGRAM, name=name)
    return path


def run_postgresql_program(name: str, connection: Any, *arguments: str) -> None:
    """One program against the server of this connection; its password goes by the environment, never by the command."""
    own = connection.settings_dict
    environment = {**os.environ, "PGCONNECT_TIMEOUT": "10"}
    for variable, key in (("PGHOST", "HOST"), ("PGPORT", "PORT"), ("PGUSER", "USER"), ("PGPASSWORD", "PASSWORD")):
        if own.get(key):
            environment[variable] = str(own[key])
    done = subprocess.run(
        [find_postgresql_program(name), *arguments],
        env=environment,
        cwd=settings.VAR_DIR,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise NotRestorable("postgresql_failed", POSTGRESQL_FAILED, said=done.stderr.strip()[-400:])
