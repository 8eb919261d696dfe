"""nginx before the program: its file is good, for a laptop and for a server, and says what it must while the program is
away. Slow clients have a figure of their own (tests/reliability/slow_clients.py)."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from scripts import front
from tests.reliability.server import free_port
from tournament.core.marker_middleware import MARKER_HEADER

ROOT = Path(__file__).resolve().parent.parent
STYLE = "base.0123456789ab.css"
Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """nginx with nobody behind it, and one static file."""
    static = tmp_path / "static" / "css"
    static.mkdir(parents=True)
    (static / STYLE).write_text("body { margin: 0 }")
    (static / "plain.css").write_text("body { margin: 1px }")
    own = free_port()
    process = subprocess.Popen(
        front.prepare_nginx_command(tmp_path, f"127.0.0.1:{own}", f"127.0.0.1:{free_port()}", None)
    )
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with suppress(OSError):
            ask(own, "GET", "/")
            break
        time.sleep(0.05)
    yield own
    process.terminate()
    process.wait()


def ask(port: int, method: str, path: str, body: bytes | None = None) -> Answer:
    """One request on a connection of its own."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    wire.request(method, path, body)
    reply = wire.getresponse()
    answer = reply.status, dict(reply.getheaders()), reply.read()
    wire.close()
    return answer


def test_while_the_program_is_away_a_page_says_so_and_is_not_taken_for_one_of_its_own(port: int) -> None:
    for path in ("/desk/", "/sign-in/", "/place/secret/", "/p/hk-2026/"):
        status, heads, body = ask(port, "GET", path)
        assert (status, heads["Retry-After"], heads["Cache-Control"]) == (503, "5", "no-store"), path
        assert MARKER_HEADER not in heads
        assert "程式正在重新啟動".encode() in body and b"The program is being started again" in body


def test_a_program_is_told_so_by_code(port: int) -> None:
    status, heads, body = ask(port, "POST", "/api/v1/tablet/state/", b"{}")
    assert (status, heads["Content-Type"], json.loads(body)["code"]) == (503, "application/problem+json", "restarting")
    assert MARKER_HEADER not in heads


def test_static_files_go_on_named_by_digest_for_a_year_and_others_for_a_minute(port: int) -> None:
    for name, kept in ((STYLE, "public, max-age=31536000, immutable"), ("plain.css", "max-age=60")):
        status, heads, body = ask(port, "GET", f"/static/css/{name}")
        assert (status, body[:4], heads[MARKER_HEADER]) == (200, b"body", "1")
        assert heads["Cache-Control"] == kept
    assert ask(port, "GET", "/static/css/none.css")[0] == 503


@pytest.mark.parametrize(("path", "most"), [("/desk/", 17 << 20), ("/sign-in/", 64 << 10)])
def test_a_body_beyond_the_limit_is_refused_before_the_program_hears_of_it(port: int, path: str, most: int) -> None:
    assert ask(port, "POST", path, b"x" * most)[0] == 503
    with suppress(ConnectionError):  # it need not listen to the end
        status, heads, body = ask(port, "POST", path, b"x" * (most + 1))
        assert (status, MARKER_HEADER in heads, "檔案太大".encode() in body) == (413, False, True)


def test_the_site_of_a_server_is_one_that_nginx_takes(tmp_path: Path) -> None:
    for name in ("one.crt", "one.key"):
        (tmp_path / name).touch()
    command = [sys.executable, "-m", "scripts.front", "--names", "tournament.example", "--var", str(tmp_path)]
    pair = ["--certificate", str(tmp_path / "one.crt"), "--key", str(tmp_path / "one.key")]
    site = subprocess.run([*command, *pair], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for words in (
        "listen 443 ssl http2;",
        "server_name tournament.example;",
        "without_secrets",
        "/var/lib/nginx/cache",
    ):
        assert words in site
    assert "@" not in site.replace("@away", "").replace("@application", "").replace("at signs", "")
