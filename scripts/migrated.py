"""An empty database of each kind with its tables made: once for a run, of which every figure has a copy of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Lock

from scripts import postgres_cluster

MIGRATED_PROJECT_ROOT = Path(__file__).resolve().parent.parent


class MigratedDatabases:
    """Made when the first copy is asked for; the lanes ask side by side. All of it is gone when the run ends."""

    def __init__(self) -> None:
        self.locks = {"sqlite": Lock(), "postgresql": Lock()}
        self.made: dict[str, Path] = {}

    def __enter__(self) -> "MigratedDatabases":
        self.folder = Path(tempfile.mkdtemp(prefix="migrated-"))
        return self

    def __exit__(self, *_error: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def sqlite(self) -> Path:
        """A migrated database file, closed and ready to be copied."""
        with self.locks["sqlite"]:
            if "sqlite" not in self.made:
                file = self.folder / "tournament.sqlite3"
                migrate_database(self.folder, f"sqlite:///{file}")
                self.made["sqlite"] = file
        return self.made["sqlite"]

    def postgresql(self) -> Path:
        """The data of a cluster that was stopped in peace."""
        with self.locks["postgresql"]:
            if "postgresql" not in self.made:
                data = self.folder / "data"
                with postgres_cluster.running_cluster() as cluster:
                    migrate_database(self.folder, cluster.url)
                    cluster.keep(data)
                self.made["postgresql"] = data
        return self.made["postgresql"]


def migrate_database(var: Path, url: str) -> None:
    """The project's tables, guards and all, as `manage.py migrate` makes them."""
    environment = {**os.environ, "VAR_DIR": str(var), "DATABASE_URL": url}
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=MIGRATED_PROJECT_ROOT,
        env=environment,
        check=True,
    )
