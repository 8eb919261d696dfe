"""`make screenshots`: the README's pictures, taken in Debian's Chromium from demos of their own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser import CHROMIUM, with_hong_kong_fonts
from tests.reliability.server import Server

SCREENSHOTS_PROJECT_ROOT = Path(__file__).resolve().parent.parent
IMAGES_FOLDER = SCREENSHOTS_PROJECT_ROOT / "docs" / "images"
DESK_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
PHONE_VIEWPORT: ViewportSize = {"width": 390, "height": 844}


@contextmanager
def demo_at_stage(stage: str) -> Iterator[str]:
    """The address of a demo at this stage; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        own = {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/demo.sqlite3"}
        environment = {**os.environ, **own}
        for command in (["migrate", "--verbosity", "0"], ["seed", "--stage", stage], ["collectstatic", "--noinput"]):
            manage = [sys.executable, "manage.py", *command]
            subprocess.run(manage, cwd=SCREENSHOTS_PROJECT_ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        server = Server("tournament.wsgi", own)
        server.start()
        try:
            yield server.url
        finally:
            server.kill()


def sign_in(page: Page, url: str, who: str) -> None:
    page.goto(f"{url}/sign-in/")
    page.fill("input[name=username]", who)
    page.fill("input[name=password]", f"demo-{who}")
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/desk/**")


def take_screenshot(page: Page, address: str, name: str) -> None:
    """One picture of what fits the window."""
    page.goto(address)
    page.screenshot(path=IMAGES_FOLDER / f"{name}.png")
    print(f"docs/images/{name}.png", flush=True)


def main() -> None:
    """Each picture from the stage that shows it best."""
    with_hong_kong_fonts()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        with demo_at_stage("playing") as url:
            page = browser.new_page(viewport=DESK_VIEWPORT, locale="zh-HK")
            sign_in(page, url, "clerk")
            take_screenshot(page, f"{url}/desk/hk-2026/scoresheets/7/", "room")
            take_screenshot(page, f"{url}/desk/hk-2026/scoresheets/7/16/", "sheet")
        with demo_at_stage("released") as url:
            page = browser.new_page(viewport=DESK_VIEWPORT, locale="en")
            sign_in(page, url, "judge")
            take_screenshot(page, f"{url}/desk/hk-2026/preliminary/qualification/#line", "standings")
            phone = browser.new_page(viewport=PHONE_VIEWPORT, device_scale_factor=2, locale="zh-HK")
            take_screenshot(phone, f"{url}/p/hk-2026/", "phone")
        browser.close()


if __name__ == "__main__":
    main()
