"""How soon a press on a table's panel is drawn: touches in a row of ten, in Chromium, over a store in memory.

    python benchmarks/tablet_presses.py [--rows N] [--slow N]

A finger is down for 60 ms and the next comes 120 ms after the one before. The figure is milliseconds from the moment
the click reaches the page until the frame that shows the new figure has been made: median and worst, at most 50.
`--slow` slows the processor by that factor, as a cheap tablet's is.
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="presses-"))

import django

django.setup()

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from tests.browser import SHELL  # noqa: E402
from tests.tablets.js.panel_page import panel_page, state, table  # noqa: E402
from tests.tablets.js.pressing import Panel  # noqa: E402

LIMIT_MS = 50.0
DOWN, BETWEEN = 60, 120
WATCH = """() => {
    window.took = [];
    document.addEventListener("click", (event) => {
        const at = event.timeStamp;
        requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - at), 0));
    }, true);
}"""


def tap(page: Page, session: Any, selector: str) -> None:
    """A finger on the middle of it."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.wait_for_timeout(DOWN)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(BETWEEN - DOWN)


def measure(rows: int, slow: int) -> list[float]:
    """How long each press took, in milliseconds."""
    with sync_playwright() as playwright:
        page = panel_page(playwright.chromium.launch(**SHELL), state(table(5), table(6)))
        Panel(page, 5).press("end", how="rummikub", letter="D")
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
        page.evaluate(WATCH)
        for _row in range(rows):
            for act in ('digit"][data-figure="1', 'digit"][data-figure="2', "erase", "erase", "erase") * 2:
                tap(page, session, f'[data-table="5"] [data-act="{act}"]')
        found: list[float] = page.evaluate("took")
        return found


def main() -> None:
    """Measure and say so; exit 1 above the limit."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rows", type=int, default=10)
    asked.add_argument("--slow", type=int, default=1)
    given = asked.parse_args()
    took = measure(given.rows, given.slow)
    median = statistics.median(took)
    print(f"{len(took)} presses: median {median:.1f} ms, worst {max(took):.1f} ms, limit {LIMIT_MS:.0f} ms")
    sys.exit(median > LIMIT_MS)


if __name__ == "__main__":
    main()
