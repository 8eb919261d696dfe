"""`make screenshots`: the README's pictures, taken in Debian's Chromium from demos of their own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import CHROMIUM, with_hong_kong_fonts
from tests.reliability.server import Server

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@contextmanager
def demo(stage: str) -> Iterator[str]:
    """The address of a demo at this stage; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        own = {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/demo.sqlite3"}
        environment = {**os.environ, **own}
        for command in (["migrate", "--verbosity", "0"], ["seed", "--stage", stage], ["collectstatic", "--noinput"]):
            manage = [sys.executable, "manage.py", *command]
            subprocess.run(manage, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        server = Server("tournament.wsgi", own)
        server.start()
        try:
            yield server.url
        finally:
            server.kill()


def sign_in(page: Page, url: str, who: str) -> None:
    """Through the page."""
    page.goto(f"{url}/sign-in/")
    page.fill("input[name=username]", who)
    page.fill("input[name=password]", f"demo-{who}")
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/desk/**")


def take(page: Page, address: str, name: str) -> None:
    """One picture of what fits the window."""
    page.goto(address)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png", flush=True)


def main() -> None:
    """Each picture from the stage that shows it best."""
    with_hong_kong_fonts()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        with demo("playing") as url:
            page = browser.new_page(viewport=DESK, locale="zh-HK")
            sign_in(page, url, "clerk")
            take(page, f"{url}/desk/hk-2026/scoresheets/7/", "room")
            take(page, f"{url}/desk/hk-2026/scoresheets/7/16/", "sheet")
        with demo("released") as url:
            page = browser.new_page(viewport=DESK, locale="en")
            sign_in(page, url, "judge")
            take(page, f"{url}/desk/hk-2026/qualification/#line", "standings")
            phone = browser.new_page(viewport=PHONE, device_scale_factor=2, locale="zh-HK")
            take(phone, f"{url}/p/hk-2026/", "phone")
        browser.close()


if __name__ == "__main__":
    main()
