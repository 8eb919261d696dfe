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
from collections.abc import Callable
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
        """Follows no redirect: its status is the answer."""


@dataclass
class Answer:
    """Status 0: nobody knows. `taken`: the server says that it is done, in the way of whom it says it to."""

    status: int
    body: str = ""
    taken: bool = False

    @property
    def unknown(self) -> bool:
        """No answer, or the server's own fault: send the same again."""
        return self.status == 0 or self.status >= 500


class Browser:
    def __init__(self, url: str) -> None:
        self.url = url
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), KeepRedirects())

    def ask(self, path: str, data: dict[str, str] | None = None) -> Answer:
        body = urllib.parse.urlencode(data).encode() if data is not None else None
        try:
            with self.opener.open(f"{self.url}{path}", body, timeout=PATIENCE) as reply:
                return Answer(reply.status, reply.read().decode())
        except urllib.error.HTTPError as refusal:
            # A page that has done something sends its reader on.
            return Answer(refusal.code, taken=300 <= refusal.code < 400)
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
    """What one client knows: its keys with what was asked, those it was told are done, answers of neither kind."""

    sent: dict[str, str] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)
    refused: dict[int, int] = field(default_factory=dict)
    server_faults: int = 0


class Person(threading.Thread):
    """Writes again and again until told to stop; one in ten acknowledged requests is sent a second time.

    What a kind of person is: `begin`, once, and `write`, one act by `insist`.
    """

    def __init__(self, seed: int, repeats: float = 0.1) -> None:
        super().__init__(daemon=True)
        self.random, self.repeats = Random(seed), repeats
        self.log = Log()
        self.stopping = threading.Event()
        self.problem: Exception | None = None

    def begin(self) -> None:
        """Called once before the first write."""

    def write(self) -> None:
        raise NotImplementedError

    def run(self) -> None:
        """Write until stopped; an exception is kept for the test to see."""
        try:
            self.begin()
            while not self.stopping.is_set():
                self.write()
        except Exception as problem:
            self.problem = problem

    def pause(self) -> None:
        """A moment, so that a server that is down is not asked thousands of times."""
        self.stopping.wait(0.05 + self.random.random() * 0.2)

    def insist(self, key: str, act: str, ask: Callable[[], Answer]) -> Answer:
        """Note before, send, note after; an unknown answer is asked again with the same key."""
        self.log.sent[key] = act
        answer = self.noted(key, ask())
        while answer.unknown and not self.stopping.is_set():
            self.pause()
            answer = self.noted(key, ask())
        if key in self.log.acknowledged and self.random.random() < self.repeats:
            self.noted(key, ask())
        return answer

    def noted(self, key: str, answer: Answer) -> Answer:
        if answer.taken:
            self.log.acknowledged.add(key)
        elif answer.status >= 500:
            self.log.server_faults += 1
        elif answer.status:
            self.log.refused[answer.status] = self.log.refused.get(answer.status, 0) + 1
        return answer


class Typist(Person):
    """Saves one table's sheet at its page."""

    def __init__(self, url: str, path: str, username: str, password: str, seed: int, repeats: float = 0.1) -> None:
        super().__init__(seed, repeats)
        self.browser = Browser(url)
        self.path, self.account = path, (username, password)

    def begin(self) -> None:
        self.browser.sign_in(*self.account)

    def write(self) -> None:
        """Open the page, change a figure, save."""
        page = self.browser.ask(self.path)
        if page.status != 200:
            self.pause()
            return
        request = self.filled(Forms(page.body).with_field("revision"))
        self.insist(request["request_key"], "save", lambda: self.browser.ask(self.path, request))

    def filled(self, fields: dict[str, str]) -> dict[str, str]:
        """The form with a new figure in its first cell of points, a key of our own, and the act of saving."""
        cell = next(name for name in fields if name.endswith("points"))
        return {**fields, cell: str(self.random.randrange(10**6)), "request_key": str(uuid.uuid4()), "do": "save"}
