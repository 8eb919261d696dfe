"""What the public ranking and a tablet's page cost on a bad network: files asked for, seconds until they are of use.

    python benchmarks/page_loads.py [--runs N] [--port N]

`make lan` serves a released event over https from a folder of its own. Chromium, with an empty cache each time, has
1 Mbit/s and 300 ms before each answer (its own emulation, without the set-up of connections), over HTTP/2 as it is
served and over HTTP/1.1. The ranking may ask for 5 files at most; the tablet's first screen stands in 2 seconds over
HTTP/2, in the median.
"""

import argparse
import os
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.browser import SHELL  # noqa: E402

NETWORK = {"offline": False, "latency": 300, "downloadThroughput": 125_000, "uploadThroughput": 125_000}
# A page, and what stands in it once it is of use.
PAGES = {"ranking": ("/p/hk-2026/", "table.rank tbody tr"), "tablet": ("/tablet/hk-2026/", "#page > *")}
MOST_FILES, MOST_SECONDS = 5, 2.0
PATIENCE_SECONDS = 600


def serve(folder: str, port: int) -> subprocess.Popen[bytes]:
    """`make lan` in this folder, once it answers."""
    environment = {**os.environ, "VAR_DIR": f"{folder}/demo"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "-m", "scripts.lan", "--stage", "released", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and server.poll() is None:
        with suppress(OSError):
            for page, _shown in PAGES.values():  # each worker's first answer takes longer than all that follow
                for _worker in range(4):
                    urllib.request.urlopen(
                        f"https://localhost:{port}{page}", context=ssl._create_unverified_context(), timeout=20
                    ).read()
            return server
        time.sleep(0.5)
    raise RuntimeError("make lan does not answer")


def load(browser: Browser, address: str, shown: str) -> tuple[float, int, int]:
    """Seconds until it is of use, files asked for and bytes that came until the page was whole."""
    context = browser.new_context(ignore_https_errors=True, locale="zh-HK")
    page = context.new_page()
    session = context.new_cdp_session(page)
    asked, came = set[str](), list[float]()
    session.on("Network.requestWillBeSent", lambda event: asked.add(event["request"]["url"]))
    session.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    page.goto(address, wait_until="commit")
    page.wait_for_selector(shown, timeout=60_000)
    seconds = page.evaluate("performance.now()") / 1000
    page.wait_for_load_state("networkidle")
    context.close()
    return seconds, len(asked), round(sum(came))


def measure(port: int, runs: int) -> bool:
    """Print a line for each page and protocol; whether the limits are kept."""
    kept = True
    with sync_playwright() as playwright:
        for protocol, own in (("HTTP/2", []), ("HTTP/1.1", ["--disable-http2"])):
            settings: dict[str, Any] = {**SHELL, "args": [*SHELL["args"], *own]}
            browser = playwright.chromium.launch(**settings)
            for name, (path, shown) in PAGES.items():
                found = [load(browser, f"https://localhost:{port}{path}", shown) for _run in range(runs)]
                seconds, files = statistics.median(one[0] for one in found), max(one[1] for one in found)
                print(f"{name} over {protocol}: {files} files, {found[-1][2] / 1000:.0f} KB, of use in {seconds:.2f} s")
                kept &= files <= MOST_FILES if name == "ranking" else protocol != "HTTP/2" or seconds <= MOST_SECONDS
            browser.close()
    print(f"at most {MOST_FILES} files for the ranking, {MOST_SECONDS} s for the tablet")
    return kept


def main() -> int:
    """Serve, measure; the server is ended whatever happens."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--port", type=int, default=18444)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="page-loads-") as folder:
        server = serve(folder, given.port)
        try:
            return 0 if measure(given.port, given.runs) else 1
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
