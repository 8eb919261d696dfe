"""Runs the server, or its PostgreSQL, under strace while one person saves, and reads what was called in which order."""

import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from django.db import connection

from tests.reliability.clients import Typist
from tests.reliability.databases import own_cluster, postmaster_of
from tests.reliability.kills import sheet_path
from tests.reliability.server import Server
from tests.reliability.syncs import Trace, read_trace
from tests.reliability.world import PASSWORD, World

CALLS = "trace=pwrite64,pwritev,pwritev2,write,writev,fdatasync,fsync,sendto,sendmsg"
UNSAFE = {"DJANGO_SETTINGS_MODULE": "tests.reliability.unsafe_settings"}

# SQLite: the server itself writes the log and replies to the browser. PostgreSQL: a backend writes the log and tells
# the server that the transaction is committed.
SQLITE = (re.compile(r"\.sqlite3-wal$"), re.compile(r"HTTP/1\.1 302"))
POSTGRESQL = (re.compile(r"/pg_wal/[0-9A-F]{24}$"), re.compile(r"COMMIT\\0"))


def trace_saves(world: World, replies: int, unsafe: bool) -> Trace:
    """One person saves until `replies` of them are acknowledged; what the traced calls say."""
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        output = Path(folder) / "calls"
        strace = ["strace", "-f", "-y", "-qq", "-s", "64", "-e", CALLS, "-o", str(output)]
        made = own_cluster()
        tracer = None
        if made:
            tracer = subprocess.Popen([*strace, "-p", str(postmaster_of(made))], stderr=subprocess.DEVNULL)
            time.sleep(1)
        server = Server("tournament.wsgi", UNSAFE if unsafe else {}, workers=1, wrapper=() if made else tuple(strace))
        try:
            server.start()
            person = Typist(server.url, sheet_path(world, 0), world.clerks[0].username, PASSWORD, 1, repeats=0)
            save_until(person, replies)
        finally:
            server.kill(signal.SIGTERM)
            if tracer:
                tracer.send_signal(signal.SIGTERM)
                tracer.wait()
        log_file, reply = SQLITE if connection.vendor == "sqlite" else POSTGRESQL
        with open(output, encoding="utf-8", errors="replace") as lines:
            return read_trace(lines, log_file, reply)


def save_until(person: Typist, replies: int) -> None:
    """Let the person write until so many are acknowledged."""
    person.start()
    until = time.monotonic() + 300
    while len(person.log.acknowledged) < replies and time.monotonic() < until and person.is_alive():
        time.sleep(0.1)
    person.stopping.set()
    person.join(60)
