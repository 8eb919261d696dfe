"""Bodies that nobody asked for, from people whom nobody knows: larger than any request of ours, told beforehand or in
pieces without an end; and as large as the largest of ours. Meanwhile others read.

Those that are too large never reach the program: the front says so. The control is the same front without its limits.
"""

import argparse
import base64
import secrets
import socket
import ssl
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection

from scripts.certificates import issue_hall_certificate
from tests.reliability.figures import Figure
from tests.reliability.slow_clients import PATIENCE, behind_front, read, trusting
from tests.reliability.world import make_world
from tournament.core.marker_middleware import MARKER_HEADER

PIECE = b"x" * 65536
MARKER = MARKER_HEADER.lower().encode()
SENDERS = 6
WITHIN = 60.0
TITLE = "bodies of strangers taken that are too large, left on the disk, or beside which a page was read late"


class Body(NamedTuple):
    """Where it goes, how long it says that it is (None: in pieces), how long it is; whether the front refuses it."""

    path: str
    told: int | None
    size: int
    too_large: bool


MOST = settings.MOST_BODY
BODIES = (
    Body("/sign-in/", 100_000, 100_000, True),
    Body("/sign-in/", None, 200_000, True),
    Body("/desk/", MOST + 1, MOST + 1, True),
    Body("/api/v1/events/", None, MOST + len(PIECE), True),
    Body("/desk/", 10 * MOST, 4 * MOST, True),
    Body("/api/v1/tablet/pair/", MOST - 1, MOST - 1, False),
    Body("/no-such-page/", None, MOST - len(PIECE), False),
)


class Answer(NamedTuple):
    """Status (0: none), and whether the program itself said it."""

    status: int
    ours: bool


def figures(options: argparse.Namespace) -> list[Figure]:
    """`n` bodies of each kind in turn, beside pages that are read all the time; with `control` without limits."""
    make_world(tables=1)
    key = base64.b64encode(secrets.token_bytes(32)).decode()
    pair, _new = issue_hall_certificate(Path(settings.VAR_DIR) / "lan", key, ["127.0.0.1"])
    bodies = [BODIES[number % len(BODIES)] for number in range(max(options.n, len(BODIES)))]
    with behind_front(pair, limits=not options.control) as (port, _end), reading(port) as pages:
        with ThreadPoolExecutor(SENDERS) as pool:
            answers = list(pool.map(lambda one: send(port, one), bodies))
        left = [path for path in (Path(settings.VAR_DIR) / "front" / "body").rglob("*") if path.is_file()]
    wrong = [f"{one.path} {one.size}: {told}" for one, told in zip(bodies, answers, strict=True) if is_taken(one, told)]
    late = [status for status, _seconds, _ours in pages if status != 200]
    failures = len(wrong) + len(left) + len(late)
    figure = Figure("Q36", TITLE, connection.vendor, len(bodies), failures, options.n, options.seed)
    slowest = round(max((seconds for _status, seconds, _ours in pages), default=0), 3)
    figure.facts = {"pages beside": len(pages), "slowest": slowest, "late": len(late), "wrong": wrong[:7]}
    return [figure]


def is_taken(body: Body, answer: Answer) -> bool:
    """Whether a body that is too large got through to the program, or another was not refused by it."""
    if body.too_large:
        return answer.ours or answer.status not in (0, 413)
    return not answer.ours or not 400 <= answer.status < 500


@contextmanager
def reading(port: int) -> Iterator[list[tuple[int, float, bool]]]:
    """Somebody who reads one page after another; what they were answered."""
    pages: list[tuple[int, float, bool]] = []
    done = threading.Event()

    def go_on() -> None:
        while not done.is_set():
            pages.append(read(port, "/sign-in/"))

    reader = threading.Thread(target=go_on)
    reader.start()
    try:
        yield pages
    finally:
        done.set()
        reader.join()


def send(port: int, body: Body) -> Answer:
    """As much of it as is taken; a front that has heard enough closes."""
    length = "Transfer-Encoding: chunked" if body.told is None else f"Content-Length: {body.told}"
    kind = "application/json" if body.path.startswith("/api/") else "application/x-www-form-urlencoded"
    head = (
        f"POST {body.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n{length}\r\nConnection: close\r\n\r\n"
    )
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    with trusting().wrap_socket(plain) as wire:
        wire.settimeout(WITHIN)
        with suppress(OSError):
            wire.sendall(head.encode())
            for piece in pieces(body):
                wire.sendall(piece)
        return heard(wire)


def pieces(body: Body) -> Iterator[bytes]:
    """The body as it goes over the wire."""
    for start in range(0, body.size, len(PIECE)):
        piece = PIECE[: body.size - start]
        yield piece if body.told is not None else b"%x\r\n%b\r\n" % (len(piece), piece)
    if body.told is None:
        yield b"0\r\n\r\n"


def heard(wire: ssl.SSLSocket) -> Answer:
    """The head of the answer; none where the connection was reset in the middle of the body."""
    text = b""
    with suppress(OSError):
        while b"\r\n\r\n" not in text and (more := wire.recv(65536)):
            text += more
    head = text.partition(b"\r\n\r\n")[0]
    status = int(head.split()[1]) if head.startswith(b"HTTP/") else 0
    return Answer(status, MARKER in head.lower())
