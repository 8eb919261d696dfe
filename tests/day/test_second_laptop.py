"""The page "if the laptop dies", followed to the letter: a real event dies in mid-play, and a second laptop goes on.

All that is typed stands on the page. The tablet is not touched: it saves at the new laptop what it recorded meanwhile.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tests.browser import CHROMIUM
from tests.laptops import WORLD, Laptop, commands_of, free_port, only
from tests.reliability.world import PASSWORD
from tests.tablets.js.pressing import Panel

pytestmark = [pytest.mark.long, pytest.mark.browser]
GAMES = ([(23, 4), (30, 5), (11, 2)], [(17, 3), (41, 6), (9, 1)])
LONG = 90_000


@pytest.fixture
def laptops(tmp_path: Path) -> Iterator[tuple[Laptop, Laptop]]:
    """Two, which have the same address one after the other."""
    port = free_port()
    both = Laptop(tmp_path / "first", port), Laptop(tmp_path / "second", port)
    yield both
    for one in both:
        one.end()


def tablet(kind: BrowserType, laptop: Laptop, folder: Path) -> BrowserContext:
    """A browser whose machine was shown the first laptop's authority."""
    store = folder / "home" / ".pki" / "nssdb"
    store.mkdir(parents=True)
    own = ["certutil", "-d", f"sql:{store}"]
    subprocess.run([*own, "-N", "--empty-password"], check=True)
    subprocess.run([*own, "-A", "-n", "desk", "-t", "C,,", "-i", str(laptop.authority)], check=True)
    settings = {**CHROMIUM, "viewport": {"width": 1024, "height": 768}, "locale": "en-GB", "has_touch": True}
    home = {**os.environ, "HOME": str(folder / "home")}
    return kind.launch_persistent_context(folder / "tablet", env=home, **settings)


def sign_in(page: Page, laptop: Laptop) -> None:
    """The organiser at the desk."""
    page.goto(f"{laptop.url}/sign-in/")
    page.locator('[name="username"]').fill("organiser")
    page.locator('[name="password"]').fill(PASSWORD)
    page.locator('form:has([name="password"]) [type="submit"]').click()
    page.wait_for_url("**/desk/**")


def paired(context: BrowserContext, laptop: Laptop) -> Page:
    """The first referee's tablet, opened with the PIN at its tables."""
    desk = context.new_page()
    sign_in(desk, laptop)
    desk.goto(f"{laptop.url}/desk/hk-2026/tablets/pair/1/")
    desk.locator("tbody button").first.click()
    address = desk.locator(".digest").inner_text()
    desk.close()
    page = context.new_page()
    page.goto(address)
    for digit in "7301":
        page.locator(".pin-keys").get_by_role("button", name=digit, exact=True).click()
    page.locator(".pin-keys .primary").click()
    page.wait_for_selector("[data-table]", timeout=LONG)
    return page


def played(page: Page, game: int) -> None:
    """A game at the first table; two alike would have to be confirmed."""
    panel = Panel(page, int(page.locator("[data-table]").first.get_attribute("data-table") or 0))
    start = panel.element.get_by_role("button", name="Enter results")
    if start.count():
        start.click(timeout=LONG)
    panel.element.locator(".how").wait_for(timeout=LONG)
    panel.game("rummikub", "B", GAMES[game])


def test_the_page_followed_to_the_letter_brings_a_real_event_to_the_next_save_of_a_tablet(
    laptops: tuple[Laptop, Laptop], chromium: Browser, tmp_path: Path
) -> None:
    first, second = laptops
    said = first.start("make event ORGANISER=head")
    assert "head" in said and "demo-" not in said
    first.python(WORLD)
    context = tablet(chromium.browser_type, first, tmp_path)
    page = paired(context, first)
    played(page, 0)
    expect(page.locator("[data-net]")).to_contain_text("everything recorded", timeout=LONG)

    # What the page says, before it happens: a backup, the key, both taken away.
    desk = context.new_page()
    desk.goto(f"{first.url}/desk/hk-2026/backup/")
    desk.get_by_role("button", name="Make a backup now").click()
    expect(desk.get_by_text("Backed up, restored once to try it, and verified.")).to_be_visible(timeout=LONG)
    expect(desk.get_by_text("No copy on another disk is known")).to_be_visible()
    commands = commands_of(desk.content())
    # The worker may have made one by itself as well; the newest is taken.
    kept = max((first.data / "backups").glob("*.backup"))
    stick = tmp_path / "stick"
    stick.mkdir()
    backup = kept.rename(stick / kept.name)
    shown = first.run(only(commands, "signature_key --show"))
    sealed = shown.stdout.split()[1]
    assert sealed in (first.data / "signature_key").read_text()
    desk.close()
    before = first.counts()
    first.die()

    # Meanwhile the tablet goes on.
    played(page, 1)
    expect(page.locator("[data-net]")).to_contain_text("1 to send", timeout=LONG)

    # When it has happened.
    restore = only(commands, "make restore")
    done = second.run(restore.replace("/media/stick/rummikub.backup", str(backup)), typed=f"{sealed}\n")
    assert (done.returncode, "clean" in done.stdout) == (0, True), done.stdout + done.stderr
    # The entry that a backup was made is younger than the backup; in its place stands the one that it was restored.
    assert second.counts() == before
    said = second.start(only(commands[commands.index(restore) :], "make event"))
    assert "only now" not in said and "只顯示這一次" not in said
    expect(page.locator("[data-net]")).to_contain_text("everything recorded", timeout=LONG)
    verify = second.run(only(commands, "audit verify"))
    assert (verify.returncode, "clean" in verify.stdout) == (0, True)
    context.close()
