"""Tablets without a browser: they follow static/js/tablet/outbox.js, requests.js and sync.js rule for rule.

An act is in the outbox before it is sent; first in, first out at each sheet, one on its way; the same key until it is
recorded; 1, 2, 4 ... 30 s and up to a fifth more between tries; recorded is only what comes back as JSON with the
item's own key. The careless ones break one rule each.
"""

import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

# The page waits 30 s for an answer. No delay of the proxy is as long as this.
PATIENCE = 15
FIRST_WAIT, LONGEST_WAIT = 1, 30
ASKED_EVERY = 10
TABLET = "/api/v1/tablet/"
WHOLE = ("save", "package")


class Care(StrEnum):
    """How well a tablet keeps the rules."""

    CAREFUL = "careful"
    NEW_KEYS = "a new key with every try"
    TRUSTING = "any 200 is taken for recorded"


class Told(NamedTuple):
    """Status 0: no answer. `body` None: no JSON."""

    status: int
    body: Any
    cookie: str = ""


@dataclass
class Item:
    """One act of the outbox."""

    act: str
    body: dict[str, Any]
    match: bool
    revision: int | None
    key: str = field(default_factory=lambda: uuid.uuid4().hex)
    tries: int = 0
    state: str = "waiting"
    receipt: str = ""
    recorded_at: float = 0


def back_off(tries: int, chance: float) -> float:
    """Seconds until the next try."""
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** max(0, tries - 1)) * (1 + chance / 5))


def meaning_of(told: Told, key: str, care: Care) -> str:
    """What an answer says of an item, as requests.js has it."""
    if care is Care.TRUSTING and told.status == 200:
        return "recorded"
    if not told.status or not isinstance(told.body, dict):
        return "again"
    if told.status < 300:
        return "recorded" if told.body.get("key") == key else "again"
    if not isinstance(told.body.get("code"), str) or not isinstance(told.body.get("detail"), str):
        return "again"
    if told.status == 429 or told.status >= 500:
        return "again"
    return "held" if told.body["code"] == "signed_conflict" else "refused"


class Lane:
    """One sheet's items, sent one after another until the tablet is stopped."""

    def __init__(self, tablet: "Tablet", table: int, seed: int) -> None:
        self.tablet, self.table, self.random = tablet, table, Random(seed)
        self.items: list[Item] = []
        self.awake = threading.Event()
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def add(self, act: str, body: dict[str, Any]) -> None:
        """Into the outbox; what builds on an open one learns its revision when that is recorded."""
        match = act in WHOLE
        with self.lock:
            chained = match and any(item.match for item in self.open())
            said = {**body, "referee": self.tablet.referee, "made_at": "2026-03-28T03:00:00Z"}
            self.items.append(Item(act, said, match, self.revision() if match and not chained else None))
        self.awake.set()

    def open(self) -> list[Item]:
        return [item for item in self.items if item.state != "recorded"]

    def revision(self) -> int:
        """The server's, as it was told last."""
        return int(self.tablet.revisions[self.table])

    def next(self) -> Item | None:
        """The first that waits; what builds on a refused one does not go."""
        blocked = False
        for item in list(self.items):
            if item.match and item.state in ("refused", "held"):
                blocked = True
            if item.state == "waiting" and not (item.match and (blocked or item.revision is None)):
                return item
        return None

    def run(self) -> None:
        while not self.tablet.stopping.is_set():
            self.awake.clear()
            item = self.next()
            pause = self.send(item) if item else 60
            if pause:
                self.awake.wait(pause)

    def send(self, item: Item) -> float:
        """Once; seconds until it is tried again, 0 where it is done."""
        path = f"tables/{self.table}/{item.act}/"
        if item.tries and self.tablet.care is Care.NEW_KEYS:
            item.key = uuid.uuid4().hex
        told = self.tablet.ask("POST", path, item.body, item.key, item.revision)
        meaning = meaning_of(told, item.key, self.tablet.care)
        item.tries += 1
        self.tablet.hears(told.status > 0 and meaning != "again", told.body)
        if meaning == "recorded":
            with self.lock:
                self.record(item, told.body or {})
            return 0
        if meaning == "again":
            return back_off(item.tries, self.random.random())
        item.state = meaning
        return 0

    def record(self, item: Item, body: dict[str, Any]) -> None:
        """And what builds on it gets its revision."""
        item.state, item.receipt, item.recorded_at = "recorded", body.get("receipt", ""), time.monotonic()
        if not item.match or item.revision is None:
            return
        after = item.revision + 1 if item.act == "save" else self.revision()
        self.tablet.revisions[self.table] = max(after, self.revision())
        later = self.items[self.items.index(item) + 1 :]
        for follower in later:
            if follower.match and follower.state == "waiting" and follower.revision is None:
                follower.revision = after
                return


class Tablet:
    """Paired, opened with a PIN, two tables; asks for its state every ten seconds."""

    def __init__(self, port: int, tables: Sequence[int], referee: int, care: Care, seed: int) -> None:
        self.port, self.referee, self.care = port, referee, care
        self.random = Random(seed)
        self.cookie, self.heard = "", True
        self.revisions = dict.fromkeys(tables, 0)
        self.stopping = threading.Event()
        self.lanes = [Lane(self, table, seed * 10 + place) for place, table in enumerate(tables)]
        self.asking = threading.Thread(target=self.keep_asking, daemon=True)

    def begin(self, event: str, code: str, pin: str) -> None:
        """Paired and opened, each tried with one key until it is so."""
        paired = self.insist("pair/", {"event": event, "code": code})
        self.cookie = paired.cookie
        self.insist("pin/", {"referee": self.referee, "pin": pin})
        for thread in (self.asking, *(lane.thread for lane in self.lanes)):
            thread.start()

    def insist(self, path: str, body: dict[str, Any]) -> Told:
        """The same request until it is answered with yes."""
        key = uuid.uuid4().hex
        for _try in range(60):
            told = self.ask("POST", path, body, key, None)
            if meaning_of(told, key, Care.CAREFUL) == "recorded":
                return told
            time.sleep(0.2)
        raise TimeoutError(f"{path} {told}")

    def ask(self, method: str, path: str, body: Any, key: str, revision: int | None) -> Told:
        """One request on a connection of its own."""
        headers = {"Content-Type": "application/json", "X-Client-Schema": "1", "Connection": "close"}
        headers |= {"Idempotency-Key": key} if key else {"X-Waiting": str(self.waiting)}
        headers |= {} if revision is None else {"If-Match": f'"v{revision}"'}
        headers |= {"Cookie": f"tablet={self.cookie}"} if self.cookie else {}
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            wire.request(method, TABLET + path, json.dumps(body) if method == "POST" else None, headers)
            reply = wire.getresponse()
            content = reply.read()
            if reply.getheader("X-Tournament") != "1" and self.care is not Care.TRUSTING:
                return Told(0, None)  # a portal's or a proxy's
            cookie = (reply.getheader("Set-Cookie") or "").partition(";")[0].removeprefix("tablet=")
            return Told(reply.status, read_json(content), cookie)
        except (OSError, http.client.HTTPException):
            return Told(0, None)
        finally:
            wire.close()

    def keep_asking(self) -> None:
        """Every ten seconds, not all tablets together: when the server answers again, everything is tried at once."""
        while not self.stopping.wait(ASKED_EVERY * (0.8 + 0.4 * self.random.random())):
            told = self.ask("GET", "state/", None, "", None)
            ours = told.status == 200 and isinstance(told.body, dict) and "device" in told.body
            before = self.heard
            self.hears(ours, {"state": told.body} if ours else None)
            if ours and not before:
                for lane in self.lanes:
                    lane.awake.set()

    def hears(self, now: bool, body: Any) -> None:
        """Whether the server answers, and what it says of the sheets."""
        self.heard = now
        state = body.get("state") if isinstance(body, dict) else None
        for table in state["tables"] if state else []:
            number, revision = table["number"], table["sheet"]["revision"]
            self.revisions[number] = max(revision, self.revisions[number])

    @property
    def waiting(self) -> int:
        """How many are not recorded."""
        return sum(len(lane.open()) for lane in self.lanes)

    @property
    def done(self) -> bool:
        """Nothing is left that it could send."""
        return all(lane.next() is None for lane in self.lanes)

    @property
    def recorded_at(self) -> float:
        """When the last of its items was."""
        return max((item.recorded_at for lane in self.lanes for item in lane.items), default=0)

    def stop(self) -> None:
        """Nothing is sent any more."""
        self.stopping.set()
        for lane in self.lanes:
            lane.awake.set()
        for thread in (self.asking, *(lane.thread for lane in self.lanes)):
            thread.join(PATIENCE)


def read_json(content: bytes) -> Any:
    """The body read, None where it is none."""
    try:
        return json.loads(content)
    except ValueError:
        return None


def wait_for(reached: Callable[[], bool], patience: float) -> bool:
    """Whether it is so before the patience is over."""
    until = time.monotonic() + patience
    while not reached():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
