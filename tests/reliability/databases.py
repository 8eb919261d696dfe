"""The database of one figure: an SQLite file, or a durable PostgreSQL cluster of our own that may be killed."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from django.db import connection

from scripts.postgres_cluster import DURABLE_OPTIONS, Cluster

# Set by scripts/run_reliability.py beside DATABASE_URL, where the database is a cluster of ours.
CLUSTER_KEYS = ("CLUSTER_BINARIES", "CLUSTER_FOLDER", "CLUSTER_PORT", "CLUSTER_USER")


def cluster_environment(made: Cluster) -> dict[str, str]:
    """What another process needs to kill and restart it."""
    values = (str(made.binaries), str(made.folder), str(made.port), made.user or "")
    return dict(zip(CLUSTER_KEYS, values, strict=True))


def own_cluster() -> Cluster | None:
    """The cluster that this process was given; None on SQLite."""
    if CLUSTER_KEYS[0] not in os.environ:
        return None
    binaries, folder, port, user = (os.environ[key] for key in CLUSTER_KEYS)
    return Cluster(Path(binaries), Path(folder), int(port), user or None)


def postmaster_of(made: Cluster) -> int:
    """The process that the others of the cluster belong to."""
    return int((made.folder / "data" / "postmaster.pid").read_text().split()[0])


def processes_of(postmaster: int) -> list[int]:
    """The postmaster and its children; each child has a process group of its own."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == postmaster:
            children.append(int(stat.parent.name))
    return [postmaster, *children]


def kill_cluster(made: Cluster) -> None:
    """SIGKILL to every process of our own cluster, then start it again, so that it has to recover.

    The lock files go by hand: where nobody buries the dead, a killed postmaster's number still looks alive.
    """
    for process in processes_of(postmaster_of(made)):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    for lock in (made.folder / "data" / "postmaster.pid", *made.folder.glob(".s.PGSQL.*")):
        lock.unlink(missing_ok=True)
    made.start(("max_connections=200", *DURABLE_OPTIONS))


def database_url() -> str:
    """The test's own database, for another process."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    address, sign, options = os.environ["DATABASE_URL"].partition("?")
    return f"{address.rpartition('/')[0]}/{name}{sign}{options}"
