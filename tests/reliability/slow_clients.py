"""Phones that leave the Wi-Fi in mid-sentence: half hand-shakes, half requests and half bodies held open while others
read. Behind the front nobody notices; the control is gunicorn alone, as `make lan` once served the hall. The program is
then killed: static and public files go on.
"""

import argparse
import base64
import re
import secrets
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

from scripts import front
from scripts.certificates import issue_hall_certificate
from tests.reliability.figures import Figure
from tests.reliability.server import ROOT, Server, free_port
from tests.reliability.world import make_world
from tournament.core.marker_middleware import MARKER_HEADER
from tournament.publication.services.files import write_index

HALF = 120
PATIENCE = 5.0
STYLE = "/static/css/base.css"
HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
REQUEST = b"GET /p/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: a phone that has le"
BODY = b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 40000\r\n\r\nusername="
PUBLIC = ("/p/", "/p/en/", STYLE)


def figures(options: argparse.Namespace) -> list[Figure]:
    """`n` pages read on connections of their own, behind the front or of gunicorn alone; and three that must go on."""
    make_world(tables=1)
    write_index(anew=True)
    style = Path(settings.STATIC_ROOT) / "css" / "base.css"
    style.parent.mkdir(parents=True, exist_ok=True)
    style.write_text("body { margin: 0 }\n", encoding="utf-8")
    pair, _new = issue_hall_certificate(Path(settings.VAR_DIR) / "lan", a_key(), ["127.0.0.1"])
    serve = alone if options.control else behind_front
    title = "pages read late or not at all beside 120 half hand-shakes, 120 half requests and 60 half bodies"
    figure = Figure("slow", title, connection.vendor, 0, 0, options.n, options.seed)
    with serve(pair) as (port, end):
        quiet = [read(port, "/sign-in/")[1] for _each in range(3)]
        with ExitStack() as held:
            opened = [held.enter_context(one) for one in half_open(port)]
            answers = [read(port, "/sign-in/") for _each in range(options.n)]
        end()
        left = [status_of(read(port, path)) for path in PUBLIC]
        away = read(port, "/sign-in/")
    wrong = sum(status != 200 for status, _time, _ours in answers)
    figure.n, figure.failures = len(answers) + len(left), wrong + sum(status != 200 for status in left)
    figure.facts = {
        "half open": len(opened),
        "slowest before": round(max(quiet), 3),
        "slowest beside them": round(max(seconds for _status, seconds, _ours in answers), 3),
        "program killed": dict(zip(PUBLIC, left, strict=True)),
        "a page then": {"status": away[0], "as a page of ours": away[2]},
    }
    return [figure]


def a_key() -> str:
    """A key of backups, from which the authority's is drawn."""
    return base64.b64encode(secrets.token_bytes(32)).decode()


def status_of(answer: tuple[int, float, bool]) -> int:
    """The first of the three."""
    return answer[0]


def read(port: int, path: str) -> tuple[int, float, bool]:
    """Status (0: none in time), seconds and whether the program itself said it; a connection of its own."""
    started = time.monotonic()
    try:
        with urllib.request.urlopen(f"https://127.0.0.1:{port}{path}", context=trusting(), timeout=PATIENCE) as reply:
            reply.read()
            status, ours = int(reply.status), MARKER_HEADER in reply.headers
    except urllib.error.HTTPError as refused:
        status, ours = refused.code, MARKER_HEADER in refused.headers
    except (OSError, ssl.SSLError):
        status, ours = 0, False
    return status, time.monotonic() - started, ours


def trusting() -> ssl.SSLContext:
    """Of a client that does not look whom it speaks to."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def half_open(port: int) -> list[socket.socket]:
    """Connections that have begun to say something and say no more."""
    begun: Sequence[tuple[bytes, bool]] = [(HELLO, False)] * HALF + [(REQUEST, True)] * HALF + [(BODY, True)] * 60
    with ThreadPoolExecutor(60) as pool:
        made = list(pool.map(lambda one: begin(port, *one), begun))
    return [one for one in made if one is not None]


def begin(port: int, said: bytes, after_hand_shake: bool) -> socket.socket | None:
    """One of them; None where nobody even takes the connection."""
    try:
        wire: socket.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    except OSError:
        return None
    with suppress(OSError):
        if after_hand_shake:
            wire = trusting().wrap_socket(wire)
        wire.sendall(said)
    return wire


@contextmanager
def behind_front(pair: tuple[Path, Path], *, limits: bool = True) -> Iterator[tuple[int, object]]:
    """As `make lan`, `make event` and a server have it; or without its limits of bodies."""
    server, port = Server("tournament.wsgi"), free_port()
    server.start()
    command = front.prepare_nginx_command(Path(settings.VAR_DIR), f"127.0.0.1:{port}", f"127.0.0.1:{server.port}", pair)
    if not limits:
        site = Path(settings.VAR_DIR) / "front" / "site.conf"
        text, lifted = re.subn(
            r"client_max_body_size \w+;", "client_max_body_size 0;", site.read_text(encoding="utf-8")
        )
        assert lifted
        site.write_text(text, encoding="utf-8")
    nginx = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        for path in PUBLIC:
            read(port, path)
        yield port, server.kill
    finally:
        nginx.terminate()
        nginx.wait()
        with suppress(AssertionError):
            server.kill()


@contextmanager
def alone(pair: tuple[Path, Path]) -> Iterator[tuple[int, object]]:
    """gunicorn with the certificate, 2 x 4 threads, and nothing before it."""
    port = free_port()
    own = ["--certfile", str(pair[0]), "--keyfile", str(pair[1]), "--workers", "2", "--threads", "4"]
    command = [sys.executable, "-m", "gunicorn", "tournament.wsgi", "--bind", f"127.0.0.1:{port}", *own]
    environment = {**Server("tournament.wsgi").environment}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, "--no-control-socket"], cwd=ROOT, env=environment, **quiet)
    try:
        wait_for(port)
        yield port, process.kill
    finally:
        process.kill()
        process.wait()


def wait_for(port: int, patience: float = 60) -> None:
    """Waits until pages are answered; TimeoutError where they never are."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        if read(port, "/sign-in/")[0] == 200:
            return
        time.sleep(0.1)
    raise TimeoutError("the server did not answer")
