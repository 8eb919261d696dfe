"""Debian's Chromium for tests and pictures: how it is started, with which fonts, and a window of an account."""

import os
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.test import Client
from playwright.sync_api import Browser, Page

FONTS = Path(__file__).resolve().parent.parent / "tournament" / "fonts"
QUIETLY = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The whole browser, for what it keeps on its disk when it is killed, trusts or is looked at.
CHROMIUM: dict[str, Any] = {"executable_path": "/usr/bin/chromium", "args": QUIETLY}
# The same engine of the same version without the browser's own window, which nobody sees here: a page costs half.
SHELL: dict[str, Any] = {"executable_path": "/usr/bin/chromium-headless-shell", "args": QUIETLY}
# The sizes of the house: a desk, a tablet, a phone.
SIZES = ((1280, 800), (1024, 768), (390, 844))
# Asked until there is a whole document: while one page gives way to the next there is none, or half of one.
WIDTH = "() => document.readyState === 'complete' && document.documentElement?.scrollWidth"


def with_hong_kong_fonts() -> None:
    """Let the browsers started from now on see the fonts that come with the project, and no others."""
    folder = Path(tempfile.gettempdir()) / f"fonts-of-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    (folder / "fonts.conf").write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
        f"<fontconfig><dir>{FONTS}</dir><cachedir>{folder / 'cache'}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    os.environ["FONTCONFIG_FILE"] = str(folder / "fonts.conf")


def window_of(browser: Browser, url: str, user: Any, **options: Any) -> Page:
    """An empty window in which the account is signed in at the server's address; 1280 x 800 unless told."""
    client = Client()
    client.force_login(user)
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "zh-HK"} | options)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])
    return context.new_page()


def assert_no_wider(page: Page, width: int) -> None:
    """The document that is loaded stands within this width. Who pressed for another page waits for that page first."""
    found = page.wait_for_function(WIDTH).json_value()
    assert found <= width, (page.url, found, width)


def assert_fits(page: Page, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    """The same in windows of each of these sizes; the first of them stays."""
    for width, height in (*sizes, sizes[0]):
        page.set_viewport_size({"width": width, "height": height})
        assert_no_wider(page, width)


def kill_browser_of(profile: Path) -> None:
    """SIGKILL to the browser of this profile, as a flat battery would."""
    lock = profile / "SingletonLock"
    os.kill(int(os.readlink(lock).rsplit("-", 1)[1]), signal.SIGKILL)
    lock.unlink(missing_ok=True)
