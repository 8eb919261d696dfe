"""Runs the server, or its PostgreSQL, under strace while one person writes; reads what was called in which order."""

import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection

from tests.reliability.clients import Person, Typist
from tests.reliability.clients_tablet import Referee
from tests.reliability.databases import own_cluster, postmaster_of
from tests.reliability.kills import sheet_path
from tests.reliability.server import Server
from tests.reliability.syncs import Trace, read_trace
from tests.reliability.world import PASSWORD, TabletWorld, World

CALLS = "trace=pwrite64,pwritev,pwritev2,write,writev,fdatasync,fsync,sendto,sendmsg"
UNSAFE = {"DJANGO_SETTINGS_MODULE": "tests.reliability.unsafe_settings"}

# SQLite: the server itself writes the log and replies, to a page with a redirect, to a tablet with 200 from an address
# that takes nothing but a POST. PostgreSQL: a backend writes the log and tells the server that it is committed.
SQLITE_LOG = re.compile(r"\.sqlite3-wal$")
PAGE_SAYS_YES = re.compile(r"HTTP/1\.1 302")
TABLET_HEARS_YES = re.compile(r"HTTP/1\.1 200 .*Allow: POST")
POSTGRESQL_LOG, COMMITTED = re.compile(r"/pg_wal/[0-9A-F]{24}$"), re.compile(r"COMMIT\\0")


def clerk_at(world: World) -> Callable[[str], Person]:
    """One person at one table's page; nothing is sent twice."""
    return lambda url: Typist(url, sheet_path(world, 0), world.clerks[0].username, PASSWORD, 1, repeats=0)


def tablet_at(world: TabletWorld) -> Callable[[str], Person]:
    """One tablet at one table; nothing is sent twice."""
    places = [(table.number, token) for table, token in world.places[0]]
    return lambda url: Referee(url, world.referee.pk, places, 1, repeats=0)


def trace_writes(person_at: Callable[[str], Person], yes: re.Pattern[str], replies: int, unsafe: bool) -> Trace:
    """One person writes until `replies` of them are acknowledged; what the traced calls say."""
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        output = Path(folder) / "calls"
        strace = ["strace", "-f", "-y", "-qq", "-s", "512", "-e", CALLS, "-o", str(output)]
        made = own_cluster()
        tracer = None
        if made:
            tracer = subprocess.Popen([*strace, "-p", str(postmaster_of(made))], stderr=subprocess.DEVNULL)
            time.sleep(1)
        server = Server("tournament.wsgi", UNSAFE if unsafe else {}, workers=1, wrapper=() if made else tuple(strace))
        try:
            server.start()
            write_until(person_at(server.url), replies)
        finally:
            server.kill(signal.SIGTERM)
            if tracer:
                tracer.send_signal(signal.SIGTERM)
                tracer.wait()
        log_file, reply = (SQLITE_LOG, yes) if connection.vendor == "sqlite" else (POSTGRESQL_LOG, COMMITTED)
        with open(output, encoding="utf-8", errors="replace") as lines:
            return read_trace(lines, log_file, reply)


def write_until(person: Person, replies: int) -> None:
    """Let the person write until so many are acknowledged."""
    person.start()
    until = time.monotonic() + 300
    while len(person.log.acknowledged) < replies and time.monotonic() < until and person.is_alive():
        time.sleep(0.1)
    person.stopping.set()
    person.join(60)
