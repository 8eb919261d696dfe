"""A made-up Observatory on the loopback interface: a real HTTP server that gives what it is told to, or misbehaves."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event as Flag
from threading import Thread
from typing import Any, Self

JSON = "application/json; charset=utf-8"
FIFTY_MB = 50 * 1024 * 1024


class Observatory:
    """Serves while it is entered. `mode` is one of `MODES`; `now` is what its Date header says; `asked` counts."""

    def __init__(self) -> None:
        self.payload: Mapping[str, Any] = {}
        self.mode = "payload"
        self.now: datetime | None = None
        self.asked = 0
        self.agents: list[str] = []
        self.over = Flag()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/opendata/weather.php?dataType=warnsum&lang=en"

    def __enter__(self) -> Self:
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_given: object) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


class Answering(BaseHTTPRequestHandler):
    """One request; the parts that the modes are made of."""

    observatory: Observatory
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """As the mode says; that the other side hangs up is what some modes are for."""
        self.observatory.asked += 1
        self.observatory.agents.append(self.headers["User-Agent"] or "")
        self.close_connection = True
        with suppress(OSError):
            MODES[self.observatory.mode](self)

    def log_message(self, *_given: object) -> None:
        """Keeps requests out of the test output."""

    def head(self, status: int = 200, kind: str = JSON, late: timedelta | None = timedelta(0), **more: str) -> None:
        """Status and headers; `late`: how old the Date is, None: there is none."""
        self.send_response_only(status)
        if late is not None:
            self.send_header("Date", format_datetime((self.observatory.now or datetime.now(UTC)) - late))
        self.send_header("Content-Type", kind)
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def whole(self, body: bytes | None = None, **head: Any) -> None:
        """A whole answer; without a body the payload."""
        told = json.dumps(self.observatory.payload).encode() if body is None else body
        self.head(**head, Content_Length=str(len(told)))
        self.wfile.write(told)

    def trickle(self) -> None:
        """A byte now and then, each before a time-out that only looks at the last one."""
        self.head()
        while not self.observatory.over.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()

    def trickle_headers(self) -> None:
        """The same before the body has begun."""
        while not self.observatory.over.wait(0.05):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n"[:1])
            self.wfile.flush()

    def hang(self) -> None:
        """Sends the headers and nothing of the body."""
        self.head(Content_Length="100")
        self.wfile.flush()
        self.observatory.over.wait(30)

    def hang_at_once(self) -> None:
        self.observatory.over.wait(30)

    def half(self) -> None:
        """Half of a document, though the whole was announced."""
        body = json.dumps(self.observatory.payload or {"WRAIN": {"code": "WRAINB"}}).encode()
        self.head(Content_Length=str(len(body)))
        self.wfile.write(body[: len(body) // 2])

    def half_unannounced(self) -> None:
        """Half of a document, and the end of it is the end of the connection."""
        body = json.dumps(self.observatory.payload or {"WRAIN": {"code": "WRAINB"}}).encode()
        self.head()
        self.wfile.write(body[: len(body) // 2])

    def large(self) -> None:
        """Fifty megabytes that do not say so, as fast as they are taken."""
        self.head()
        for _part in range(FIFTY_MB // 65536):
            self.wfile.write(b" " * 65536)


MODES: Mapping[str, Callable[[Answering], None]] = {
    "payload": Answering.whole,
    "trickle": Answering.trickle,
    "trickle_headers": Answering.trickle_headers,
    "hang": Answering.hang,
    "hang_at_once": Answering.hang_at_once,
    "hang_up": lambda one: None,
    "500": lambda one: one.whole(status=500),
    "204": lambda one: one.head(204),
    "redirect": lambda one: one.head(302, Location="http://127.0.0.1:9/", Content_Length="0"),
    "half": Answering.half,
    "half_unannounced": Answering.half_unannounced,
    "wrong_type": lambda one: one.whole(kind="text/html"),
    "large": Answering.large,
    "large_announced": lambda one: one.head(Content_Length=str(FIFTY_MB)),
    "list": lambda one: one.whole(b"[]"),
    "null": lambda one: one.whole(b"null"),
    "empty": lambda one: one.whole(b""),
    "not_utf8": lambda one: one.whole('{"WRAIN": {"code": "WRAINB", "name": "暴雨"}}'.encode("big5")),
    "deep": lambda one: one.whole(b'{"a":' * 20000 + b"1" + b"}" * 20000),
    "long_number": lambda one: one.whole(b'{"WRAIN": ' + b"9" * 10000 + b"}"),
    "twice": lambda one: one.whole(b'{"WRAIN": {"code": "WRAINB"}, "WRAIN": {"code": "WRAINA"}}'),
    "old_date": lambda one: one.whole(late=timedelta(minutes=11)),
    "date_ahead": lambda one: one.whole(late=-timedelta(minutes=11)),
    "no_date": lambda one: one.whole(late=None),
    "odd_date": lambda one: one.whole(late=None, Date="soon"),
}


def handler_of(observatory: Observatory) -> type[Answering]:
    """The class that the server makes one of for each request."""
    return type("Handler", (Answering,), {"observatory": observatory})
