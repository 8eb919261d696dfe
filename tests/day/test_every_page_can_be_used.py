"""Every page zoomed to 200 %, on a phone, by keyboard and by weak eyes, in Chromium: both languages, light and dark.

The pages come from Django's resolver, so that a new one cannot be forgotten; what is looked at stands in page_probe.js.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page

from tests.browser import window_of
from tests.core.test_permissions_matrix import USERNAMES
from tests.day.page_world import Seen, make_pages
from tests.day.tablet_page import TabletPage

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROBE = Path(__file__).parent / "page_probe.js"
# 1280 x 800 at 200 % in CSS pixels, and the smallest phone.
ZOOMED = {"width": 640, "height": 400}
PHONE = {"width": 320, "height": 640}
ALL = "async () => [...await probe.fit(), ...await probe.focus(), ...await probe.paint()]"
LANGUAGES = {"zh-hant": "zh-Hant-HK", "en": "en"}


def windows(browser: Browser, url: str, language: str) -> Callable[[str], Page]:
    """A function: the window of a role, opened when it is first asked for; everybody has one without an account."""
    opened: dict[str, Page] = {}

    def window(who: str) -> Page:
        if who not in opened:
            options: dict[str, Any] = {"viewport": ZOOMED, "reduced_motion": "reduce", "locale": "zh-HK"}
            if who in USERNAMES:
                opened[who] = window_of(browser, url, User.objects.get(username=USERNAMES[who]), **options)
            else:
                opened[who] = browser.new_context(**options).new_page()
            opened[who].context.add_init_script(path=PROBE)
            opened[who].context.add_cookies([{"name": "django_language", "value": language, "url": url}])
        return opened[who]

    return window


def looked_at(page: Page, lang: str) -> list[str]:
    """What is wrong with the page that is open in either language: its names, its size zoomed and on a phone, what
    has focus while it is zoomed."""
    page.evaluate("probe.open()")
    found: list[str] = page.evaluate("(lang) => probe.document(lang)", lang)
    # A ring shows to whom goes by keyboard: the first press tells the browser so.
    page.keyboard.press("Tab")
    page.set_viewport_size(PHONE)
    found += [f"phone: {fault}" for fault in page.evaluate("probe.fit()")]
    page.set_viewport_size(ZOOMED)
    found += [
        f"zoomed: {fault}" for fault in page.evaluate("async () => [...await probe.fit(), ...await probe.focus()]")
    ]
    return found


def painted(page: Page) -> list[str]:
    """What cannot be read, or does not show its focus, in light or dark; colours are the same in both languages."""
    found: list[str] = page.evaluate("probe.paint()")
    page.emulate_media(color_scheme="dark")
    found += [
        f"dark: {fault}" for fault in page.evaluate("async () => [...await probe.paint(), ...await probe.rings()]")
    ]
    page.emulate_media(color_scheme="light")
    return found


def tabbed_through(page: Page) -> list[str]:
    """What the Tab key, pressed to the page's end, does not come to, or comes to out of order.

    A window that the browser has not yet given the focus hears no key: then it is begun once more.
    """
    found: list[str] = []
    for _try in range(2):
        page.bring_to_front()
        for _press in range(page.evaluate("probe.beginTabbing()")):
            page.keyboard.press("Tab")
        found = page.evaluate("probe.endTabbing()")
        if not found:
            break
    return found


@pytest.fixture
def pages(settings: Any, tmp_path: Path, db: None) -> list[Seen]:
    """Every page, with something on it."""
    settings.VAR_DIR = tmp_path
    return make_pages(tmp_path)


@pytest.mark.parametrize(("language", "lang"), LANGUAGES.items())
def test_every_page_fits_is_reached_by_keyboard_and_can_be_read(
    browser: Browser, live_server: Any, pages: list[Seen], language: str, lang: str
) -> None:
    found, window = list[str](), windows(browser, live_server.url, language)
    for seen in pages:
        page = window(seen.who)
        page.goto(live_server.url + seen.in_language(language))
        faults = looked_at(page, lang)
        # The order of the stops is the same in both languages, as the colours are.
        faults += tabbed_through(page) if language == "en" else painted(page)
        found += [f"{seen.name} {seen.address} ({seen.who}): {fault}" for fault in faults]
    assert found == []
    assert len({seen.name for seen in pages}) > 50


def test_a_tablet_fits_is_reached_by_keyboard_and_can_be_read_while_a_game_is_typed(tablet: TabletPage) -> None:
    page, found = tablet.page, list[str]()
    page.evaluate(PROBE.read_text(encoding="utf-8"))
    for name, size in (("tablet", page.viewport_size), ("phone", PHONE)):
        page.set_viewport_size(size)
        page.keyboard.press("Tab")
        found += [f"{name}: {fault}" for fault in page.evaluate(ALL)]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for fault in page.evaluate("probe.paint()")]
    found += page.evaluate("(lang) => probe.document(lang)", "zh-Hant-HK")
    assert found == []
