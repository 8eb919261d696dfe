"""Bad Wi-Fi on a wire: a proxy on 127.0.0.1 that loses, delays, cuts, repeats and reorders what passes through it.

One request a connection; which fault meets it is drawn from a seed. Whoever asks sees what a browser in the hall would.
"""

import socket
import struct
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import StrEnum
from random import Random
from typing import NamedTuple

PATIENCE = 60
AT_ONCE = 65536
RESET = struct.pack("ii", 1, 0)
LONGEST_DELAY, LATEST = 2.0, 3.0
PORTAL = "<!doctype html><title>Wi-Fi</title><p>Please accept the terms of this network.</p>"


class Weather(StrEnum):
    """What the network is like."""

    CLEAR = "clear"
    STORM = "storm"
    OUT = "out"
    # Pages, PINs and the state pass; nothing that was recorded at a table does.
    TABLES_OUT = "tables out"


class Fault(StrEnum):
    """What happens to one request."""

    NONE = "none"
    DROP_REQUEST = "request dropped"
    DROP_REPLY = "reply dropped"
    DELAY = "delayed"
    CUT_REQUEST = "request cut in the middle"
    CUT_REPLY = "reply cut in the middle"
    TWICE = "delivered twice"
    # Whoever asked knows nothing of it; it arrives after what is sent later.
    LATE = "delivered late"
    PORTAL = "answered by a captive portal"
    BAD_GATEWAY = "502"


# Of fifty requests. A captive portal answers one of them.
STORM = {
    Fault.NONE: 25,
    Fault.DROP_REQUEST: 4,
    Fault.DROP_REPLY: 6,
    Fault.DELAY: 4,
    Fault.CUT_REQUEST: 1,
    Fault.CUT_REPLY: 2,
    Fault.TWICE: 3,
    Fault.LATE: 2,
    Fault.PORTAL: 1,
    Fault.BAD_GATEWAY: 2,
}


class Asked(NamedTuple):
    """A whole request: its path, and its bytes with `Connection: close`."""

    path: str
    content: bytes


def said(status: str, kind: str, body: str) -> bytes:
    """An answer of somebody else's."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return (head + body).encode()


class Proxy:
    """One tablet's network between it and the server at `target`, a port of 127.0.0.1."""

    def __init__(self, target: int, seed: int = 0, weather: Weather = Weather.CLEAR) -> None:
        self.target, self.weather, self.random = target, weather, Random(seed)
        self.met: Counter[Fault] = Counter()
        self.lock = threading.Lock()
        self.late: set[threading.Thread] = set()
        self.door = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self.door.getsockname()[1])
        threading.Thread(target=self.admit, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Nobody is admitted any more; what is delivered late has been."""
        with suppress(OSError):
            self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()
        for thread in list(self.late):
            thread.join()

    def admit(self) -> None:
        """Each connection in a thread of its own."""
        while True:
            try:
                wire, _address = self.door.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(wire,), daemon=True).start()

    # --- One request ------------------------------------------------------------------------------------
    def serve(self, wire: socket.socket) -> None:
        """Read it whole, then let happen what the weather brings."""
        with wire, suppress(OSError):
            wire.settimeout(PATIENCE)
            asked = read_request(wire)
            if asked is None:
                return
            fault, share = self.draw(asked.path)
            reply = self.meet(fault, share, asked)
            if reply is None:
                wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            else:
                wire.sendall(reply)

    def draw(self, path: str) -> tuple[Fault, float]:
        """The next fault, and a number from 0 to 1 that says how bad it is."""
        with self.lock:
            fault, share = Fault.NONE, self.random.random()
            if self.weather is Weather.STORM:
                fault = self.random.choices(list(STORM), list(STORM.values()))[0]
            elif self.weather is Weather.OUT or (self.weather is Weather.TABLES_OUT and "/tables/" in path):
                fault = Fault.DROP_REQUEST
            self.met[fault] += 1
            return fault, share

    def meet(self, fault: Fault, share: float, asked: Asked) -> bytes | None:
        """What is answered; None: the connection breaks."""
        if fault is Fault.DROP_REQUEST:
            return None
        if fault is Fault.PORTAL:
            return said("200 OK", "text/html", PORTAL)
        if fault is Fault.BAD_GATEWAY:
            return said("502 Bad Gateway", "text/html", "<h1>502</h1>")
        if fault is Fault.CUT_REQUEST:
            self.deliver(asked.content[: cut_at(asked.content, share)])
            return None
        if fault is Fault.LATE:
            self.deliver_late(asked, share * LATEST)
            return None
        if fault is Fault.DELAY:
            time.sleep(share * LONGEST_DELAY / 2)
        reply = self.twice(asked) if fault is Fault.TWICE else self.deliver(asked.content)
        if fault is Fault.DELAY:
            time.sleep(share * LONGEST_DELAY / 2)
        if fault is Fault.CUT_REPLY:
            return reply[: cut_at(reply, share)]
        return None if fault is Fault.DROP_REPLY else reply or None

    def deliver(self, content: bytes) -> bytes:
        """To the server and back; nothing where it does not answer."""
        parts = []
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.target), timeout=PATIENCE) as wire:
            wire.sendall(content)
            wire.shutdown(socket.SHUT_WR)
            while part := wire.recv(AT_ONCE):
                parts.append(part)
        return b"".join(parts)

    def twice(self, asked: Asked) -> bytes:
        """Both at once; the answer to either."""
        with ThreadPoolExecutor(2) as pool:
            first, second = pool.map(self.deliver, [asked.content] * 2)
        return second or first

    def deliver_late(self, asked: Asked, after: float) -> None:
        """When nobody waits for it any more."""

        def run() -> None:
            time.sleep(after)
            self.deliver(asked.content)
            self.late.discard(thread)

        thread = threading.Thread(target=run, daemon=True)
        self.late.add(thread)
        thread.start()


def cut_at(content: bytes, share: float) -> int:
    """A place in the middle, after the head where there is a body."""
    body = content.find(b"\r\n\r\n") + 4
    return body + int((len(content) - body) * share) if body < len(content) else int(len(content) * share)


def read_request(wire: socket.socket) -> Asked | None:
    """All of it; None where whoever asks has gone."""
    content = b""
    while b"\r\n\r\n" not in content:
        part = wire.recv(AT_ONCE)
        if not part:
            return None
        content += part
    head, _, body = content.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    headers = {line.partition(b":")[0].strip().lower(): line.partition(b":")[2].strip() for line in lines}
    length = int(headers.get(b"content-length", b"0"))
    while len(body) < length:
        part = wire.recv(AT_ONCE)
        if not part:
            return None
        body += part
    kept = [line for line in lines if not line.lower().startswith(b"connection:")]
    whole = b"\r\n".join([first, *kept, b"Connection: close"]) + b"\r\n\r\n" + body
    return Asked(first.split(b" ")[1].decode(), whole)
