"""The QR codes of a tablet's outbox as its page makes them: the series that the desk's reader is held to."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.tablets.js.panel_page import panel_page, state, table
from tournament.core.models.event import Event
from tournament.tablets.api.outbox import read_outbox, seal_of
from tournament.tablets.readers import read_outbox_series

pytestmark = pytest.mark.browser

SERIES = json.loads((Path(__file__).parents[2] / "data" / "outbox_codes.json").read_text(encoding="utf-8"))
FILE = json.dumps(SERIES["file"], ensure_ascii=False, separators=(",", ":")).encode()
CODES = "async (file) => (await import('/js/tablet/export.js')).codesOf(file)"


@pytest.fixture
def page(chromium: Browser) -> Page:
    """A page that may import the modules."""
    return panel_page(chromium, state(table(5)))


def codes(page: Page, file: Any) -> list[str]:
    """What it shows one after the other."""
    found: list[str] = page.evaluate(CODES, file)
    return found


def test_the_page_makes_the_series_that_the_desk_reads(page: Page) -> None:
    compressed = codes(page, SERIES["file"])
    assert [line.split(".")[4] for line in compressed] == ["z"] * len(compressed)
    assert read_outbox_series("\n".join(reversed(compressed)), len(FILE)) == FILE
    page.evaluate("() => { delete window.CompressionStream; }")
    assert codes(page, SERIES["file"]) == SERIES["plain"]


def test_the_desk_reads_the_seal_that_the_page_puts_on_what_it_gives(page: Page) -> None:
    file = {
        **SERIES["file"],
        "items": [{"key": "k", "body": {"note": '魔力橋 \u2028\t\n\x1f\x7f "/\\ 🐰', "n": -3, "b": True}}],
    }
    seal = page.evaluate(
        "async ([file, key]) => (await import('/js/tablet/export.js')).sealOf(file, key)", [file, "5f"]
    )
    outbox = read_outbox(json.dumps({**file, "seal": seal}).encode(), Event(slug=file["event"]))
    assert (outbox.seal, outbox.items) == (seal_of(outbox.text, "5f"), file["items"])
