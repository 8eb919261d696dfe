"""The proxy does to a request what it says, and a tablet without a browser takes an answer for what the page would."""

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.reliability.proxy import Fault, Proxy, Weather
from tests.reliability.tablets import Care, Told, back_off, meaning_of, wait_for

BODY = "recorded" * 50


class Recorder(BaseHTTPRequestHandler):
    """Notes the bodies that arrive whole."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) == length:
            self.server.arrived.append(body.decode())  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY.encode())

    def log_message(self, *args: Any) -> None:
        """Keeps requests out of the test output."""


@pytest.fixture
def server() -> Iterator[Any]:
    """A server that notes what arrives."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    made.arrived = []  # type: ignore[attr-defined]
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


class Always(Proxy):
    """One fault for every request."""

    def __init__(self, target: int, fault: Fault) -> None:
        self.fault = fault
        super().__init__(target)

    def draw(self, path: str) -> tuple[Fault, float]:
        """That one, of middling badness."""
        return self.fault, 0.1


def ask(proxy: Proxy) -> tuple[int, str] | str:
    """What whoever sends one act is told."""
    wire = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=10)
    try:
        wire.request("POST", "/tables/1/save/", "one act")
        reply = wire.getresponse()
        return reply.status, reply.read().decode()
    except (OSError, http.client.HTTPException):
        return "nothing"
    finally:
        wire.close()


@pytest.mark.parametrize(
    ("fault", "told", "arrived"),
    [
        (Fault.NONE, (200, BODY), 1),
        (Fault.DROP_REQUEST, "nothing", 0),
        (Fault.DROP_REPLY, "nothing", 1),
        (Fault.DELAY, (200, BODY), 1),
        (Fault.CUT_REQUEST, "nothing", 0),
        (Fault.CUT_REPLY, "nothing", 1),
        (Fault.TWICE, (200, BODY), 2),
        (Fault.LATE, "nothing", 1),
    ],
)
def test_each_fault_does_what_its_name_says(server: Any, fault: Fault, told: object, arrived: int) -> None:
    proxy = Always(server.server_port, fault)
    assert ask(proxy) == told
    proxy.close()
    assert wait_for(lambda: len(server.arrived) == arrived, 5)
    assert server.arrived == ["one act"] * arrived


def test_a_captive_portal_and_a_gateway_answer_in_the_servers_place(server: Any) -> None:
    answers = [ask(Always(server.server_port, fault)) for fault in (Fault.PORTAL, Fault.BAD_GATEWAY)]
    assert [(status, text.startswith("<")) for status, text in answers] == [(200, True), (502, True)]
    assert server.arrived == []


def test_the_same_seed_brings_the_same_storm() -> None:
    storms = [Proxy(1, seed=7, weather=Weather.STORM) for _time in range(2)]
    first, second = ([storm.draw("/") for _request in range(200)] for storm in storms)
    assert first == second
    assert {fault for fault, _share in first} == set(Fault)


@pytest.mark.fault("C3")
@pytest.mark.parametrize(
    ("told", "meaning"),
    [
        (Told(200, {"key": "mine", "state": {}}), "recorded"),
        (Told(200, {"key": "another's"}), "again"),
        (Told(200, None), "again"),
        (Told(0, None), "again"),
        (Told(502, None), "again"),
        (Told(503, {"code": "busy", "detail": "Busy."}), "again"),
        (Told(412, {"code": "scoresheet_changed", "detail": "Changed."}), "refused"),
        (Told(409, {"code": "signed_conflict", "detail": "Held."}), "held"),
    ],
)
def test_an_item_is_recorded_only_by_an_answer_with_its_own_key(told: Told, meaning: str) -> None:
    assert meaning_of(told, "mine", Care.CAREFUL) == meaning


def test_the_time_between_tries_doubles_to_half_a_minute_and_a_fifth() -> None:
    assert [back_off(tries, 0) for tries in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert back_off(9, 1) == 36
