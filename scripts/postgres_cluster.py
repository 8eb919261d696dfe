"""A PostgreSQL of one's own for as long as a command runs: `postgres_cluster.py [--durable] COMMAND ...`.

A fresh cluster in a temporary folder, on a free port of 127.0.0.1, as user postgres when root; DATABASE_URL is set for
the command, and the cluster is removed after it. A PostgreSQL that already runs here is never touched. Without
--durable nothing is synced to disk, which is right for tests and wrong for anything else.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# No statistics are taken: of rows that a test has not committed, and never does, they would say that there are none.
FAST_OPTIONS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
DURABLE_OPTIONS = ("fsync=on", "synchronous_commit=on", "full_page_writes=on")


@dataclass(frozen=True)
class Cluster:
    """A running cluster: its binaries, its folder, its port and the account it runs as."""

    binaries: Path
    folder: Path
    port: int
    user: str | None

    @property
    def url(self) -> str:
        """The value of DATABASE_URL for this cluster."""
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str, check: bool = True) -> None:
        """One of PostgreSQL's programs, quietly, as the cluster's account."""
        command = [str(self.binaries / program), *arguments]
        errors = None if check else subprocess.DEVNULL
        account: dict[str, Any] = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        subprocess.run(command, check=check, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=errors, **account)

    def start(self, settings: tuple[str, ...]) -> None:
        """Start and wait until it answers."""
        options = [
            f"port={self.port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.folder}",
            *settings,
        ]
        flags = " ".join(f"-c {option}" for option in options)
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-s", "-l", log, "-o", flags, "start")

    def keep(self, copy: Path) -> None:
        """Stop in peace, everything on the disk, and copy its data there, whose they are and all."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-s", "-m", "fast", "stop")
        subprocess.run(["cp", "-a", str(self.folder / "data"), str(copy)], check=True)

    def stop(self) -> None:
        """Stop at once, if it runs; there is nothing to keep."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-s", "-m", "immediate", "stop", check=False)


def find_binaries() -> Path | None:
    """The newest installed PostgreSQL's programs, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent if found else None


def find_free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_cluster(durable: bool = False, kept: Path | None = None) -> Iterator[Cluster]:
    """A fresh cluster, or a copy of the data that one kept, running; removed at the end whatever happened."""
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("Missing: PostgreSQL\nIt comes with: apt-get install postgresql")
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    if user:
        shutil.chown(folder, user, user)
    made = Cluster(binaries, folder, find_free_port(), user)
    try:
        data = str(folder / "data")
        if kept:
            subprocess.run(["cp", "-a", str(kept), data], check=True)
        else:
            made.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        made.start(("max_connections=200", *(DURABLE_OPTIONS if durable else FAST_OPTIONS)))
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main(arguments: list[str]) -> int:
    """Run the command beside a cluster; its exit status is ours."""
    durable = arguments[:1] == ["--durable"]
    command = arguments[1:] if durable else arguments
    with running_cluster(durable) as made:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": made.url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
