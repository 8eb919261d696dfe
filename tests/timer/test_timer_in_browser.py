"""The turn timer in Chromium: pressed, overrun, paused, undone, loaded anew, loaded anew without network."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import SIZES, assert_no_wider
from tournament.core.models.event import Event

pytestmark = pytest.mark.browser

SMALL = """() => [...document.querySelectorAll("button, select, a")].filter((one) => one.offsetParent)
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
KEPT = """async (path) => {
    await navigator.serviceWorker.ready;
    while (!(await caches.match(path))) await new Promise((done) => setTimeout(done, 50));
}"""


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the console says; nothing, at the end of every test."""
    found: list[str] = []
    yield found
    assert found == []


def opened(browser: Browser, url: str, complaints: list[str], path: str = "/timer/", language: str = "zh-HK") -> Page:
    """The page on a phone, with a clock that the test moves on."""
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale=language, has_touch=True).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.clock.install(time="2026-04-06T12:00:00")
    page.goto(f"{url}{path}")
    expect(page.locator("body")).to_have_attribute("data-state", "ready")
    # From here on time stands but where the test moves it.
    page.clock.pause_at("2026-04-06T13:00:00")
    return page


def press(page: Page, name: str = "press") -> None:
    """A press, and the moment in which a second one would be the same finger."""
    page.locator(f"[data-{name}]").click()
    page.clock.run_for(500)


def shown(page: Page) -> list[str]:
    """State, seat, figures and head."""
    page.clock.run_for(100)
    texts = [page.locator(f"[data-{name}]").text_content() or "" for name in ("figures", "head")]
    seat = page.locator("[data-seats] [aria-current]").text_content() or ""
    return [page.locator("body").get_attribute("data-state") or "", seat, *texts]


def test_a_turn_is_pressed_warned_overrun_and_passed_with_what_it_costs_and_each_once_sounded(
    browser: Browser, live_server: Any, event: Event, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, complaints, "/timer/hk-2026/")
    page.evaluate(
        """() => { window.heard = []; addEventListener("sounded", ({ detail }) => heard.push(detail), true); }"""
    )
    page.locator("[data-seats] button").nth(1).click()
    assert shown(page) == ["ready", "B", "60", "B 的一輪"]
    press(page)
    page.clock.run_for(16_000)
    assert shown(page) == ["running", "B", "44", "B 的一輪"]
    expect(page.locator("[data-rule]")).to_have_text("完成就說「完成」，按一下百搭，輪到 C。")
    page.clock.run_for(35_000)
    assert shown(page) == ["warn", "B", "09", "最後十秒"]
    page.clock.run_for(15_000)
    assert shown(page) == ["over", "B", "+06", "B 超時"]
    expect(page.locator("[data-rule]")).to_have_text("超時：收回剛出的牌並還原枱面，罰抽 1 隻；不能還原的牌收回牌架。")
    assert page.evaluate("heard") == ["warn", "over"]
    press(page)
    assert shown(page) == ["ready", "C", "60", "C 的一輪"]
    page.locator("[data-settings]").click()
    expect(page.locator("[data-overtime]")).to_have_text("本局超時：B 1 次，共 6 秒")


def test_a_pause_keeps_what_is_left_a_hand_waits_for_the_referee_and_undo_takes_a_press_back(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, complaints, language="en-GB")
    press(page)
    page.clock.run_for(28_000)
    press(page, "pause")
    page.clock.run_for(134_500)
    assert shown(page)[:3] == ["held", "A", "02:15"]
    expect(page.locator("[data-rule]")).to_contain_text("A has 32 seconds left. The others may cover their racks")
    press(page, "hand")
    assert shown(page)[3] == "Hand raised, paused"
    press(page, "resume")
    assert shown(page)[:3] == ["running", "A", "31"]
    press(page)
    assert shown(page)[:3] == ["ready", "B", "60"]
    press(page, "undo")
    assert shown(page)[:3] == ["running", "A", "31"]


def test_a_finger_that_presses_twice_passes_once(browser: Browser, live_server: Any, complaints: list[str]) -> None:
    page = opened(browser, live_server.url, complaints)
    page.locator("[data-press]").dblclick()
    assert shown(page)[:2] == ["running", "A"]


def test_a_reload_keeps_seat_time_seats_and_sound_and_waits_in_a_pause(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, complaints)
    page.locator("[data-settings]").click()
    page.get_by_role("group", name="人數").get_by_role("button", name="3").click()
    page.get_by_role("group", name="聲音").get_by_role("button", name="關").click()
    page.get_by_role("button", name="關閉").click()
    page.locator("[data-seats] button").nth(2).click()
    press(page)
    page.clock.run_for(20_000)
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-state", "held")
    assert shown(page)[1:] == ["C", "00:00", "重新開啟·暫停"]
    expect(page.locator("[data-rule]")).to_contain_text("C 尚餘 40 秒。")
    expect(page.locator("[data-seats] button")).to_have_count(3)
    press(page)
    assert shown(page)[:3] == ["running", "C", "39"]
    page.locator("[data-settings]").click()
    expect(page.get_by_role("group", name="聲音").locator("[aria-pressed=true]")).to_have_text("關")


def test_a_device_that_slept_is_told_by_the_wall_clock_and_the_turn_waits_in_a_pause(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, complaints)
    press(page)
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    # Out of sight the clock goes on: nothing else happens.
    page.evaluate(hide, True)
    page.clock.run_for(5000)
    page.evaluate(hide, False)
    assert shown(page)[:2] == ["running", "A"]
    # Asleep only the wall clock does.
    page.evaluate(hide, True)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 600000; }")
    page.evaluate(hide, False)
    assert shown(page)[3] == "裝置曾休眠·暫停"
    expect(page.locator("[data-rule]")).to_contain_text("A 尚餘 55 秒。休眠的時間沒有計算。")


def test_rules_without_a_limit_say_so_and_offer_to_choose_the_seconds(
    browser: Browser, live_server: Any, event: Event, complaints: list[str]
) -> None:
    event.stages.update(ruleset="french")
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
    page.goto(f"{live_server.url}/timer/hk-2026/")
    expect(page.locator("[data-head]")).to_have_text("No time limit")
    page.locator("[data-press]").click()
    page.get_by_role("group", name="Seconds a turn").get_by_role("button", name="90").click()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("[data-figures]")).to_have_text("90")
    expect(page.locator("body")).to_have_attribute("data-state", "ready")


@pytest.mark.parametrize("language", ["zh-HK", "en-GB"])
def test_nothing_is_wider_than_the_screen_too_small_for_a_finger_or_below_the_edge(
    browser: Browser, live_server: Any, complaints: list[str], language: str
) -> None:
    page = opened(browser, live_server.url, complaints, language=language)
    press(page)
    page.clock.run_for(61_000)
    for width, height in (*SIZES, (320, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert_no_wider(page, width)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (width, height)
    assert page.evaluate(SMALL) == []
    page.locator("[data-intime]").click()
    page.locator("[data-settings]").click()
    assert page.evaluate(SMALL) == []
    assert_no_wider(page, 844)


def test_once_it_was_open_it_opens_without_network_in_both_languages(
    browser: Browser, live_server: Any, event: Event
) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="zh-HK").new_page()
    page.goto(f"{live_server.url}/timer/hk-2026/")
    page.evaluate(KEPT, "/timer/hk-2026/")
    page.locator("[data-press]").click()
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("[data-head]")).to_have_text("重新開啟·暫停")
    page.locator("[data-press]").click()
    expect(page.locator("body")).to_have_attribute("data-state", "running")
    page.locator("[data-settings]").click()
    expect(page.locator("[data-abilities]")).to_contain_text("離線時亦可開啟。")
    page.get_by_role("button", name="English").click()
    expect(page.locator("[data-head]")).to_have_text("A's turn")
