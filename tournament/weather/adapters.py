"""The Observatory's list of signals in force (`warnsum`), read with a time-out, a limit and no trust.

A look ends within `FEED_TIMEOUT` whatever the other side does, and gives `ok` with every entry, or says by a code why
it says nothing. Nothing here knows what a signal means.
"""

import hashlib
import json
import re
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from typing import Any
from urllib.parse import urlsplit

from tournament.core.enums import FeedState

FEED_TIMEOUT = 5.0
MAX_FEED_BYTES = 256 * 1024
FEED_DATE_STALE_AFTER = timedelta(minutes=10)
OBSERVATORY_TIMEZONE = timezone(timedelta(hours=8))
PLAUSIBLE_YEARS = range(1990, 2100)
FEED_CODE_PATTERN = re.compile(r"[A-Z0-9_.-]{1,20}")
FEED_THREAD_NAME = "look at the Observatory"
JSON_TYPES = ("application/json", "text/json")
# Whoever runs the feed can tell who asks.
FEED_USER_AGENT = "rummikub-tournament/1 (weather decision)"
FEED_REQUEST_HEADERS = {"Accept": "application/json", "Connection": "close", "User-Agent": FEED_USER_AGENT}


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """What the feed lists of one family; a time that is missing or cannot be read is None."""

    family: str
    code: str
    action: str
    issued: datetime | None
    updated: datetime | None
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class FeedListing:
    """One look. `why` is a code wherever the state is not `ok`; `digest` is SHA-256 of what came, if all of it came.

    Of a `broken` one the entries are those that could be read all the same; of a `stale` one there are none.
    """

    state: FeedState
    why: str = ""
    digest: str = ""
    entries: tuple[FeedEntry, ...] = field(default=())


class FeedUnreadable(Exception):
    """The feed did not give what it must; `why` is the code."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_observatory_feed(url: str, now: datetime, timeout: float = FEED_TIMEOUT) -> FeedListing:
    """Look once. Never raises for what the other side does, and never takes longer than the time-out for it.

    `why`: not_set, no_answer, too_slow, cut_short, status_NNN, wrong_type, too_large, not_utf8, not_json,
    not_an_object, entry_unreadable; of a stale one: no_date, old_date, date_ahead.
    """
    if not url:
        return FeedListing(FeedState.BROKEN, "not_set")
    try:
        body, date = _fetch(url, timeout)
        payload = _parse(body)
    except FeedUnreadable as broken:
        return FeedListing(FeedState.BROKEN, broken.why)
    digest = hashlib.sha256(body).hexdigest()
    late = _staleness(date, now)
    if late:
        return FeedListing(FeedState.STALE, late, digest)
    entries = [_read_feed_entry(family, said) for family, said in payload.items()]
    read_ones = tuple(sorted((entry for entry in entries if entry), key=lambda entry: entry.family))
    if len(read_ones) < len(entries):
        return FeedListing(FeedState.BROKEN, "entry_unreadable", digest, read_ones)
    return FeedListing(FeedState.OK, "", digest, read_ones)


# --- The connection -------------------------------------------------------------------------------------
class _FeedRequest(threading.Thread):
    """One request in a thread of its own: neither a name that does not resolve nor a trickle can hold up a look."""

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(name=FEED_THREAD_NAME, daemon=True)
        at = urlsplit(url)
        makes = HTTPSConnection if at.scheme == "https" else HTTPConnection
        self.connection = makes(at.hostname or "", at.port, timeout=timeout)
        self.path = f"{at.path or '/'}?{at.query}" if at.query else at.path or "/"
        self.sock: socket.socket | None = None
        self.given: tuple[bytes, str | None] | None = None
        self.why = "no_answer"

    def run(self) -> None:
        """Leaves what was given, or why nothing was."""
        try:
            self.given = self.ask()
        except FeedUnreadable as broken:
            self.why = broken.why
        except TimeoutError:
            self.why = "too_slow"
        except IncompleteRead:
            self.why = "cut_short"
        except (OSError, HTTPException, ValueError):
            self.why = "no_answer"
        finally:
            self.connection.close()

    def ask(self) -> tuple[bytes, str | None]:
        """The body and the Date header of a 200 that is JSON by its own account; no redirect is followed."""
        self.connection.connect()
        self.sock = self.connection.sock
        self.connection.request("GET", self.path, headers=FEED_REQUEST_HEADERS)
        answer = self.connection.getresponse()
        if answer.status != 200:
            raise FeedUnreadable(f"status_{answer.status}")
        kind = answer.headers.get_content_type()
        if kind not in JSON_TYPES:
            raise FeedUnreadable("wrong_type")
        if (answer.length or 0) > MAX_FEED_BYTES:
            raise FeedUnreadable("too_large")
        body = answer.read(MAX_FEED_BYTES + 1)
        if len(body) > MAX_FEED_BYTES:
            raise FeedUnreadable("too_large")
        if answer.length:
            raise FeedUnreadable("cut_short")
        return body, answer.headers.get("Date")

    def give_up(self) -> None:
        """End the connection under it, so that the thread ends too."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def _fetch(url: str, timeout: float) -> tuple[bytes, str | None]:
    try:
        asking = _FeedRequest(url, timeout)
    except (ValueError, HTTPException) as wrong:
        raise FeedUnreadable("no_answer") from wrong
    asking.start()
    asking.join(timeout)
    if asking.is_alive():
        asking.give_up()
        raise FeedUnreadable("too_slow")
    if asking.given is None:
        raise FeedUnreadable(asking.why)
    return asking.given


# --- What came ------------------------------------------------------------------------------------------
def _parse(body: bytes) -> Mapping[str, Any]:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise FeedUnreadable("not_utf8") from wrong
    try:
        payload = json.loads(text, object_pairs_hook=_refuse_repeated_names)
    except (ValueError, RecursionError) as wrong:
        raise FeedUnreadable("not_json") from wrong
    if not isinstance(payload, dict):
        raise FeedUnreadable("not_an_object")
    return payload


def _refuse_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a name that stands twice one signal would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _staleness(date: str | None, now: datetime) -> str:
    """Why what came may be old; nothing if it is not. A date ahead of ours says that one of the clocks is wrong."""
    try:
        made = parsedate_to_datetime(date or "")
    except (ValueError, OverflowError):
        return "no_date"
    made = made if made.tzinfo else made.replace(tzinfo=UTC)
    if now - made > FEED_DATE_STALE_AFTER:
        return "old_date"
    return "date_ahead" if made - now > FEED_DATE_STALE_AFTER else ""


def _read_feed_entry(family: str, said: Any) -> FeedEntry | None:
    """An entry by its words, whatever they are; None: it has no code that can be kept."""
    if not isinstance(said, dict):
        return None
    family, code = _read_feed_code(family), _read_feed_code(said.get("code"))
    if not family or not code:
        return None
    times = [_read_feed_time(said.get(name)) for name in ("issueTime", "updateTime", "expireTime")]
    return FeedEntry(family, code, _read_feed_code(said.get("actionCode")), *times)


def _read_feed_code(said: Any) -> str:
    """A code, without case; anything else is none."""
    word = said.strip().upper() if isinstance(said, str) else ""
    return word if FEED_CODE_PATTERN.fullmatch(word) else ""


def _read_feed_time(said: Any) -> datetime | None:
    """A time of the Observatory's, which is Hong Kong's where it does not say."""
    try:
        at = datetime.fromisoformat(said) if isinstance(said, str) else None
    except ValueError:
        return None
    if at is None or at.year not in PLAUSIBLE_YEARS:
        return None
    return at if at.utcoffset() is not None else at.replace(tzinfo=OBSERVATORY_TIMEZONE)
