"""People at browsers: they sign in, open a sheet, type, send, and note what they were told.

A client keeps its own log: a key before it is sent, and after the answer whether it was taken. An answer that never
came is "unknown", and the same request is sent again.
"""

import http.client
import http.cookiejar
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from typing import Any

PATIENCE = 20


class Forms(HTMLParser):
    """The fields of every form of a page, as a browser would send them; buttons are not among them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = [{}]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the inputs of the form that is open."""
        values: dict[str, Any] = dict(attrs)
        if tag == "form":
            self.forms.append({})
        elif tag == "input" and "name" in values:
            sent = values.get("type") not in ("checkbox", "radio", "submit") or "checked" in values
            self.forms[-1] |= {values["name"]: values.get("value") or ""} if sent else {}

    def with_field(self, name: str) -> dict[str, str]:
        """The first form with a field of this name; empty where there is none."""
        return next((form for form in self.forms if name in form), {})


class KeepRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer to look at, not to follow."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Never."""


@dataclass
class Answer:
    """Status 0: nobody knows."""

    status: int
    body: str = ""

    @property
    def taken(self) -> bool:
        """The server says that it is done."""
        return 300 <= self.status < 400

    @property
    def unknown(self) -> bool:
        """No answer, or the server's own fault: send the same again."""
        return self.status == 0 or self.status >= 500


class Browser:
    """One signed-in account."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), KeepRedirects())

    def ask(self, path: str, data: dict[str, str] | None = None) -> Answer:
        """One request."""
        body = urllib.parse.urlencode(data).encode() if data is not None else None
        try:
            with self.opener.open(f"{self.url}{path}", body, timeout=PATIENCE) as reply:
                return Answer(reply.status, reply.read().decode())
        except urllib.error.HTTPError as refusal:
            return Answer(refusal.code)
        except (OSError, http.client.HTTPException):
            return Answer(0)

    def sign_in(self, username: str, password: str) -> None:
        """Through the page, until it says yes."""
        while True:
            form = Forms(self.ask("/sign-in/").body).with_field("password")
            if self.ask("/sign-in/", {**form, "username": username, "password": password}).taken:
                return
            time.sleep(0.2)


@dataclass
class Log:
    """What one client knows: keys it sent, keys it was told are done, answers that were neither yes nor unknown."""

    sent: set[str] = field(default_factory=set)
    acknowledged: set[str] = field(default_factory=set)
    refused: dict[int, int] = field(default_factory=dict)
    server_faults: int = 0


class Typist(threading.Thread):
    """Saves one table's sheet again and again until told to stop; one in ten saved ones is sent a second time."""

    def __init__(self, url: str, path: str, username: str, password: str, seed: int, repeats: float = 0.1) -> None:
        super().__init__(daemon=True)
        self.repeats = repeats
        self.browser = Browser(url)
        self.path, self.account = path, (username, password)
        self.random = Random(seed)
        self.log = Log()
        self.stopping = threading.Event()
        self.problem: Exception | None = None

    def run(self) -> None:
        """Sign in, then write until stopped; an exception is kept for the test to see."""
        try:
            self.browser.sign_in(*self.account)
            while not self.stopping.is_set():
                self.write()
        except Exception as problem:
            self.problem = problem

    def write(self) -> None:
        """Open the page, change a figure, save; an unknown answer is asked again with the same key."""
        page = self.browser.ask(self.path)
        if page.status != 200:
            self.stopping.wait(0.05 + self.random.random() * 0.2)
            return
        request = self.filled(Forms(page.body).with_field("revision"))
        while not self.stopping.is_set():
            answer = self.send(request)
            if not answer.unknown:
                break
            self.stopping.wait(0.05 + self.random.random() * 0.2)
        if request["request_key"] in self.log.acknowledged and self.random.random() < self.repeats:
            self.send(request)

    def filled(self, fields: dict[str, str]) -> dict[str, str]:
        """The form with a new figure in its first cell of points, a key of our own, and the act of saving."""
        cell = next(name for name in fields if name.endswith("points"))
        return {**fields, cell: str(self.random.randrange(10**6)), "request_key": str(uuid.uuid4()), "do": "save"}

    def send(self, request: dict[str, str]) -> Answer:
        """Note before, send, note after."""
        key = request["request_key"]
        self.log.sent.add(key)
        answer = self.browser.ask(self.path, request)
        if answer.taken:
            self.log.acknowledged.add(key)
        elif answer.status >= 500:
            self.log.server_faults += 1
        elif answer.status:
            self.log.refused[answer.status] = self.log.refused.get(answer.status, 0) + 1
        return answer
