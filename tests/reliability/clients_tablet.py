"""Referees at tablets: they save, hand on, draw signatures, take back, deliver a whole sheet, and note what they heard.

An answer is a yes only if it is JSON with the request's own key, as the tablet's page has it.
"""

import http.client
import json
import uuid
from collections.abc import Sequence
from copy import deepcopy
from typing import Any
from urllib.parse import urlsplit

from tests.reliability.clients import PATIENCE, Answer, Person
from tests.sheets.drawing import racks, strokes

MADE_AT = "2026-03-28T03:00:00Z"
LETTERS = "ABCD"
RACKS, STROKES = racks(), [strokes(shift) for shift in range(len(LETTERS))]
# How often a sheet that may be locked is: it takes no more writes.
LOCKS = 0.12


class Wire:
    """A tablet's address on one server."""

    def __init__(self, url: str, token: str) -> None:
        self.host, self.token = urlsplit(url).netloc, token

    def post(self, path: str, body: dict[str, Any], key: str, revision: int) -> Answer:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key, "If-Match": f'"v{revision}"'}
        return self.ask("POST", path, json.dumps(body), headers, key)

    def ask(self, method: str, path: str, body: str | None, headers: dict[str, str], key: str = "") -> Answer:
        """One request on a connection of its own; what is no JSON is no answer."""
        own = {"X-Client-Schema": "1", "Cookie": f"tablet={self.token}"}
        wire = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            wire.request(method, f"/api/v1/tablet/{path}", body, headers | own)
            reply = wire.getresponse()
            text = reply.read().decode()
            return Answer(reply.status, text, taken=reply.status == 200 and json.loads(text).get("key") == key)
        except (OSError, ValueError, http.client.HTTPException):
            return Answer(0)
        finally:
            wire.close()


class Referee(Person):
    """One table after another, in the order of the sessions; the last one's sheet is never locked."""

    def __init__(
        self, url: str, referee: int, places: Sequence[tuple[int, str]], seed: int, repeats: float = 0.1
    ) -> None:
        super().__init__(seed, repeats)
        self.places = [(number, Wire(url, token)) for number, token in places]
        self.referee = referee
        self.sheet: dict[str, Any] = {}
        self.saved: dict[str, Any] = {}

    def begin(self) -> None:
        """What the server has of the first table."""
        number, wire = self.places[0]
        while not (self.sheet or self.stopping.is_set()):
            answer = wire.ask("GET", "state/", None, {})
            if answer.status == 200:
                self.hear(number, json.loads(answer.body))
            else:
                self.pause()

    def hear(self, number: int, state: dict[str, Any]) -> None:
        """The sheet of one table."""
        [self.sheet] = [table["sheet"] for table in state["tables"] if table["number"] == number]

    def write(self) -> None:
        """What may come next at a sheet in this state."""
        if self.sheet["state"] == "signed":
            self.places.pop(0)
            self.sheet, self.saved = {}, {}
            if not self.places:  # only where a careless server has locked the last
                return self.stopping.set()
            return self.begin()
        wanting = [letter for letter in LETTERS if letter not in self.sheet["signed"]]
        may_lock = len(self.places) > 1
        if self.sheet["state"] != "ready":
            chance = self.random.random()
            if chance < LOCKS and may_lock:
                # The figures that were shown for signing: those that were saved last.
                self.act(
                    "package",
                    {**(self.saved or self.values()), "signatures": [self.drawn(letter) for letter in LETTERS]},
                )
            elif chance < 0.6 or self.sheet["state"] == "open":
                self.saved = self.values()
                self.act("save", self.saved)
            else:
                self.act("ready", {"confirmations": {}})
        elif self.random.random() < 0.3 or (len(wanting) == 1 and not may_lock):
            self.act("reopen", {})
        else:
            drawn = {
                "letter": wanting[0],
                "strokes": STROKES[LETTERS.index(wanting[0])],
                "digest": self.sheet["digest"],
            }
            self.act("sign", drawn)

    def act(self, act: str, body: dict[str, Any]) -> None:
        """Sent until it is known; what the answer says of the sheet is what the next one builds on."""
        number, wire = self.places[0]
        key, revision = uuid.uuid4().hex, self.sheet["revision"]
        said = {"referee": self.referee, "made_at": MADE_AT, **body}
        answer = self.insist(key, act, lambda: wire.post(f"tables/{number}/{act}/", said, key, revision))
        if 0 < answer.status < 500 and "state" in (told := json.loads(answer.body)):
            self.hear(number, told["state"])

    def values(self) -> dict[str, Any]:
        """A sheet with another figure each time."""
        typed = deepcopy(RACKS)
        typed["games"][0]["seats"]["B"]["face_value"] = str(self.random.randrange(4, 39))
        return {"typed": typed, "confirmations": {}}

    def drawn(self, letter: str) -> dict[str, Any]:
        """A signature in a package."""
        return {"letter": letter, "strokes": STROKES[LETTERS.index(letter)], "made_at": MADE_AT}
