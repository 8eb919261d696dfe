"""A made-up Observatory for rehearsals and training: serves a day of fixtures/weather by the clock on the wall.

    python -m scripts.observatory fixtures/weather/black_rain_ends_before.json --check-in 2026-11-28T12:00+08:00

With `OBSERVATORY_URL=http://127.0.0.1:8090/` the program reads it in place of the true one. The day's times are moved
so that its first check-in is the one given: what happened five minutes before the line happens so again.
"""

import argparse
import json
import re
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FEED_TIME_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?\+08:00")


@dataclass(frozen=True)
class FeedReply:
    """What the feed says from `at` on: a payload, or how it is `broken`."""

    at: datetime
    payload: Mapping[str, Any] | None
    broken: str


@dataclass(frozen=True)
class FeedDay:
    """A day of the feed, and what is to come of it: `expect` as the file has it."""

    what: str
    first_check_in: datetime
    looks: tuple[FeedReply, ...]
    expect: tuple[Mapping[str, Any], ...]

    def at(self, now: datetime) -> FeedReply | None:
        """What the feed says at a moment; None before the day begins."""
        return next((said for said in reversed(self.looks) if said.at <= now), None)


def read_feed_day(path: Path, check_in: datetime | None = None) -> FeedDay:
    """A fixture day, moved to the first check-in given."""
    text = path.read_text(encoding="utf-8")
    if check_in is not None:
        by = check_in - datetime.fromisoformat(json.loads(text)["first_check_in"])
        text = FEED_TIME_PATTERN.sub(lambda found: shift_feed_time(found.group(), by), text)
    data = json.loads(text)
    return FeedDay(
        data["what"],
        datetime.fromisoformat(data["first_check_in"]),
        tuple(
            FeedReply(datetime.fromisoformat(one["at"]), one.get("payload"), one.get("broken", ""))
            for one in data["looks"]
        ),
        tuple(data["expect"]),
    )


def shift_feed_time(text: str, by: timedelta) -> str:
    """A time as later as that."""
    return (datetime.fromisoformat(text) + by).isoformat()


def feed_response(said: FeedReply | None) -> tuple[int, str, bytes]:
    """Status, type and body; whatever is broken is broken as a 500."""
    if said is None:
        return 200, "application/json", b"{}"
    if said.broken:
        return 500, "text/html", b"<h1>500</h1>"
    return 200, "application/json; charset=utf-8", json.dumps(said.payload, ensure_ascii=False).encode()


def make_feed_server(day: FeedDay, port: int) -> ThreadingHTTPServer:
    """On the loopback interface; it says on standard output whatever it answers anew."""
    told: list[bytes] = []

    class Answer(BaseHTTPRequestHandler):
        """By the clock on the wall."""

        def do_GET(self) -> None:
            """The same answer whatever the path."""
            status, kind, body = feed_response(day.at(datetime.now(UTC)))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            if told[-1:] != [body]:
                told.append(body)
                print(f"{datetime.now():%H:%M:%S} {status} {body.decode()}", flush=True)

        def log_message(self, *_given: object) -> None:
            """What is the same as before is not told again."""

    return ThreadingHTTPServer(("127.0.0.1", port), Answer)


def main(given: list[str]) -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("day", type=Path)
    parser.add_argument("--check-in", type=datetime.fromisoformat, help="the rehearsal's first check-in, with +08:00")
    parser.add_argument("--port", type=int, default=8090)
    asked = parser.parse_args(given)
    day = read_feed_day(asked.day, asked.check_in)
    print(
        f"{day.what}\nFirst check-in {day.first_check_in}. OBSERVATORY_URL=http://127.0.0.1:{asked.port}/", flush=True
    )
    for said in day.looks:
        print(f"  {said.at:%m-%d %H:%M} {said.broken or ', '.join(said.payload or {}) or 'clear'}", flush=True)
    # Also where a shell has had it ignored, in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(KeyboardInterrupt), make_feed_server(day, asked.port) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
