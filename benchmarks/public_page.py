"""The public page's requests a second under gunicorn, against a static file of the same bytes from the same gunicorn.

    python benchmarks/public_page.py [--seconds S] [--rounds N]

A release of 1,200 entrants is made in a database and a folder of their own; the page's own bytes, plain and gzipped,
are put beside the collected static files, where WhiteNoise serves them. One gunicorn with one worker answers both on
127.0.0.1; four connections that stay open ask for gzip, in turn for the page and for the file. The figure is the
ratio of the medians: at least 0.7, aim 1.0. Client and server share the machine.
"""

import argparse
import gzip
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
VAR = tempfile.mkdtemp(prefix="public-page-")
# A database of its own, whatever the environment says, and as in production otherwise.
os.environ.update(
    DJANGO_SETTINGS_MODULE="tournament.settings", VAR_DIR=VAR, DEBUG="0", PLAIN_STATIC="1", ALLOWED_HOSTS="127.0.0.1"
)
os.environ.pop("DATABASE_URL", None)

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from tests.conftest import event_data  # noqa: E402
from tests.sheets.sheets import play_event  # noqa: E402
from tournament.publication.services.release import release_results  # noqa: E402
from tournament.setup.services.setup import create_event  # noqa: E402

PAGE, FILE = "/p/hk-2026/", "/static/page.html"
CONNECTIONS = 4
LIMIT, AIM = 0.7, 1.0
PATIENCE_SECONDS = 20


def publish() -> None:
    """Twelve sessions of 25 sheets, released; the page's bytes as a static file beside the others."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    event = create_event(event_data())
    stage = event.stages.get(kind="preliminary")
    organiser = User.objects.create(username="organiser")
    play_event(list(stage.sessions.all()), organiser)
    release_results(stage, by=organiser)
    page = Client().get(PAGE, headers={"host": "127.0.0.1"}).content
    beside = Path(settings.STATIC_ROOT) / "page.html"
    beside.write_bytes(page)
    beside.with_name("page.html.gz").write_bytes(gzip.compress(page, 9, mtime=0))
    packed = beside.with_name("page.html.gz").stat().st_size
    print(f"page of {page.count(b'<tr id=')} entrants, {len(page)} bytes, {packed} gzipped")


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def connect(port: int) -> socket.socket:
    """A connection, as soon as the server listens."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=5)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def ask(connection: socket.socket, request: bytes) -> bytes:
    """One answer, heads and body; its length is in its heads."""
    connection.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    heads, _, body = answer.partition(b"\r\n\r\n")
    length = int(heads.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65536)
    if not heads.startswith(b"HTTP/1.1 200") or b"content-encoding: gzip" not in heads.lower():
        raise RuntimeError(heads.decode())
    return body


def request_of(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\nConnection: keep-alive\r\n\r\n".encode()


def requests_a_second(port: int, path: str, seconds: float) -> float:
    """How many answers the open connections get in this time."""
    request, counts, until = request_of(path), [0] * CONNECTIONS, time.monotonic() + seconds

    def client(place: int) -> None:
        with closing(connect(port)) as connection:
            while time.monotonic() < until:
                ask(connection, request)
                counts[place] += 1

    clients = [threading.Thread(target=client, args=(place,)) for place in range(CONNECTIONS)]
    begun = time.monotonic()
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    return sum(counts) / (time.monotonic() - begun)


def measure(port: int, seconds: float, rounds: int) -> bool:
    """Print the figures; whether both answer the same bytes and the limit is kept."""
    with closing(connect(port)) as connection:
        same = ask(connection, request_of(PAGE)) == ask(connection, request_of(FILE))
    measured: dict[str, list[float]] = {PAGE: [], FILE: []}
    for _warming in (PAGE, FILE):
        requests_a_second(port, _warming, seconds / 2)
    for turn in range(rounds):
        for path in (PAGE, FILE) if turn % 2 else (FILE, PAGE):
            measured[path].append(requests_a_second(port, path, seconds))
    page, file = statistics.median(measured[PAGE]), statistics.median(measured[FILE])
    print(f"the public page {page:.0f} requests a second, the static file {file:.0f}; same bytes: {same}")
    print(f"ratio {page / file:.2f} (at least {LIMIT}, aim {AIM})")
    return same and page / file >= LIMIT


def main() -> int:
    """Publish, serve, measure; the server is ended whatever happens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    publish()
    port = free_port()
    command = ["-m", "gunicorn", "tournament.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
    threads = ["--worker-class", "gthread", "--threads", "4", "--keep-alive", "30", "--log-level", "error"]
    server = subprocess.Popen([sys.executable, *command, *threads], cwd=ROOT)
    try:
        return 0 if measure(port, given.seconds, given.rounds) else 1
    finally:
        server.terminate()
        server.wait(PATIENCE_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
