"""The database of a test process: a copy of one whose tables were made once, and that copy again after each test that
commits.

The original is kept for the next run until a line of the product changes: in var/test-databases as an SQLite file, in
the cluster as a template. Making the tables takes seconds, copying them a moment.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import TransactionTestCase

from scripts.migrated import migrate_database

ROOT = Path(__file__).resolve().parent.parent
ORIGINALS = ROOT / "var" / "test-databases"
SIDE_FILES = ("-wal", "-shm", "-journal")


def digest_of_product() -> str:
    """What the tables depend on, and more: every line of ours, and the pinned libraries'."""
    found = hashlib.sha256()
    for path in [*sorted((ROOT / "tournament").rglob("*.py")), ROOT / "requirements.txt"]:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """The processes of a run wait until one of them has made the original."""
    ORIGINALS.mkdir(parents=True, exist_ok=True)
    with (ORIGINALS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@dataclass
class SqliteCopy:
    """A file beside the original; other connections of this process open it too."""

    file: Path

    def original(self) -> Path:
        made = ORIGINALS / f"{digest_of_product()}.sqlite3"
        if not made.exists():
            for old in ORIGINALS.glob("*.sqlite3*"):
                old.unlink()
            unfinished = made.with_suffix(".new")
            unfinished.unlink(missing_ok=True)
            migrate_database(ORIGINALS, f"sqlite:///{unfinished}")
            unfinished.rename(made)
        return made

    def make(self) -> str:
        with one_at_a_time():
            self.source = self.original()
            self.renew()
        return str(self.file)

    def renew(self) -> None:
        self.remove()
        shutil.copyfile(self.source, self.file)

    def remove(self) -> None:
        connection.close()
        for end in ("", *SIDE_FILES):
            Path(f"{self.file}{end}").unlink(missing_ok=True)


@dataclass
class PostgresqlCopy:
    """A database of the cluster that DATABASE_URL names; the original is the template that it is made from."""

    name: str
    where: dict[str, Any]

    def original(self) -> str:
        made = f"template_{digest_of_product()}"
        if not self.run("SELECT FROM pg_database WHERE datname = %s", made):
            self.run(f"DROP DATABASE IF EXISTS {made}_new")
            self.run(f"CREATE DATABASE {made}_new")
            own = self.where
            address = f"postgres://{own['USER']}:{own['PASSWORD']}@{own['HOST']}:{own['PORT']}/{made}_new"
            migrate_database(ORIGINALS, address)
            self.run(f"ALTER DATABASE {made}_new RENAME TO {made}")
        return made

    def run(self, statement: str, *values: str) -> int:
        """Outside of any transaction, in the database that always is; how many rows there are."""
        keys = {"user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
        found = {key: str(self.where[name]) for key, name in keys.items() if self.where[name]}
        with psycopg.connect(dbname="postgres", autocommit=True, **found) as admin:
            return admin.execute(statement, values or None).rowcount

    def make(self) -> str:
        with one_at_a_time():
            self.source = self.original()
            self.renew()
        return self.name

    def renew(self) -> None:
        self.remove()
        self.run(f"CREATE DATABASE {self.name} TEMPLATE {self.source}")

    def remove(self) -> None:
        connection.close()
        connection.close_pool()
        self.run(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")


def copy_for_this_process() -> SqliteCopy | PostgresqlCopy:
    if connection.vendor == "sqlite":
        return SqliteCopy(Path(settings.DATABASES["default"]["TEST"]["NAME"]))
    return PostgresqlCopy(f"test_{os.getpid()}", dict(connection.settings_dict))


@contextmanager
def made_for_this_process(copy: SqliteCopy | PostgresqlCopy) -> Iterator[None]:
    """Every connection of this process goes to the copy; a test that commits leaves a new one."""
    before = connection.settings_dict["NAME"]
    flush = TransactionTestCase._fixture_teardown

    def renew(_case: TransactionTestCase) -> None:
        copy.renew()
        ContentType.objects.clear_cache()

    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = copy.make()
    TransactionTestCase._fixture_teardown = renew
    try:
        yield
    finally:
        TransactionTestCase._fixture_teardown = flush
        copy.remove()
        connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = before
