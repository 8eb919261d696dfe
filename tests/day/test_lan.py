"""`make lan` as a whole: a browser that trusts its authority pairs a tablet, which opens again where no server is."""

import os
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tests.browser import CHROMIUM
from tests.tablets.js.pressing import Panel

pytestmark = [pytest.mark.long, pytest.mark.browser]

ROOT = Path(__file__).resolve().parent.parent.parent
PIN = "7301"
GAME = [(23, 4), (30, 5), (11, 2)]
LONG = 60_000
PATIENCE = 900


@dataclass
class Lan:
    """The command in a folder of its own; ended and begun again it keeps authority, data and port."""

    folder: Path
    port: int
    process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """What it prints, when it answers."""
        env = {**os.environ, "VAR_DIR": str(self.folder / "demo")}
        said = self.folder / "said.txt"
        command = [sys.executable, "-m", "scripts.lan", "--stage", "seated", "--port", str(self.port)]
        with said.open("w", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=out, stderr=out, text=True, start_new_session=True
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            if "Stop with Ctrl-C." in (text := said.read_text(encoding="utf-8")):
                assert self.read("localhost") == 200
                return text
            time.sleep(0.2)
        raise AssertionError(said.read_text(encoding="utf-8"))

    def stop(self) -> None:
        """Ends the whole process group: server and worker."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()

    def read(self, host: str, trusting: bool = True) -> int:
        """The sign-in page, asked for by a program that trusts the authority, or nobody new."""
        context = ssl.create_default_context(cafile=str(self.authority) if trusting else None)
        with urllib.request.urlopen(f"https://{host}:{self.port}/sign-in/", context=context, timeout=10) as reply:
            return int(reply.status)

    @property
    def authority(self) -> Path:
        """What a tablet is to trust."""
        return self.folder / "demo" / "lan" / "authority.crt"


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    """Not begun yet; ended with the test."""
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        made = Lan(tmp_path, int(probe.getsockname()[1]))
    yield made
    if made.process is not None:
        made.stop()


def tablet(kind: BrowserType, lan: Lan) -> BrowserContext:
    """A browser whose machine trusts the authority, as an iPad does that was shown it once."""
    home = lan.folder / "home"
    store = home / ".pki" / "nssdb"
    if not store.exists():
        store.mkdir(parents=True)
        own = ["certutil", "-d", f"sql:{store}"]
        subprocess.run([*own, "-N", "--empty-password"], check=True)
        subprocess.run([*own, "-A", "-n", "desk", "-t", "C,,", "-i", str(lan.authority)], check=True)
    settings = {**CHROMIUM, "viewport": {"width": 1024, "height": 768}, "locale": "en-GB", "has_touch": True}
    return kind.launch_persistent_context(lan.folder / "tablet", env={**os.environ, "HOME": str(home)}, **settings)


def code_of_the_desk(page: Page, lan: Lan) -> str:
    """The organiser shows a code for the first referee of the first session; the address under it."""
    page.goto(f"https://localhost:{lan.port}/sign-in/")
    page.locator('[name="username"]').fill("organiser")
    page.locator('[name="password"]').fill("demo-organiser")
    page.locator('form:has([name="password"]) [type="submit"]').click()
    page.wait_for_url("**/desk/**")
    page.goto(f"https://localhost:{lan.port}/desk/hk-2026/tablets/pair/1/")
    page.locator("tbody button").first.click()
    return page.locator(".digest").inner_text()


def first_table(page: Page) -> Panel:
    """The panel of the first of the tablet's tables, its results being entered though the desk has not begun."""
    page.wait_for_selector("[data-table]", timeout=LONG)
    panel = Panel(page, int(page.locator("[data-table]").first.get_attribute("data-table") or 0))
    panel.element.get_by_role("button", name="Enter results").click(timeout=LONG)
    panel.element.locator(".how").wait_for(timeout=LONG)
    return panel


def test_over_https_of_make_lan_a_tablet_opens_without_network_and_its_records_come_through_later(
    lan: Lan, chromium: Browser
) -> None:
    said = lan.start()
    for words in (
        f"https://localhost:{lan.port}/",
        str(lan.authority),
        "憑證信任設定",
        "Certificate",
        "報到",
        "the desk",
    ):
        assert words in said
    lies = lan.folder / "demo" / "lan"
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in lies.glob("*.key")} == {"server.key": 0o600}
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        lan.read("localhost", trusting=False)

    paired = tablet(chromium.browser_type, lan)
    address = code_of_the_desk(paired.new_page(), lan)
    page = paired.new_page()
    page.goto(address)
    for digit in PIN:
        page.locator(".pin-keys").get_by_role("button", name=digit, exact=True).click()
    page.locator(".pin-keys .primary").click()
    first_table(page)
    [cookie] = [one for one in paired.cookies() if one["name"] == "tablet"]
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")
    page.evaluate("navigator.serviceWorker.ready.then(() => new Promise((done) => setTimeout(done, 500)))")
    home = page.url
    paired.close()
    lan.stop()

    # Nobody answers at this address any more.
    alone = tablet(chromium.browser_type, lan)
    page = alone.new_page()
    page.goto(home)
    panel = first_table(page)
    panel.game("rummikub", "B", GAME)
    expect(page.locator("[data-net]")).to_contain_text("Offline·1 to send", timeout=LONG)

    # Begun again it has another certificate of the same authority.
    lan.start()
    expect(page.locator("[data-net]")).to_contain_text("everything recorded", timeout=2 * LONG)
    alone.close()
