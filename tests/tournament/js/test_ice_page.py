"""Questions during play in Chromium: tiles pressed, the verdict at once, no network, no scrolling on a tablet."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from scoring.ruleset import PRESETS
from tests.browser import assert_no_wider
from tournament.models import Event

pytestmark = pytest.mark.browser

ABLE = [
    "紅 10",
    "紅 11",
    "紅 12",
    "紅 3",
    "藍 1",
    "藍 6",
    "藍 7",
    "黑 2",
    "黑 4",
    "黑 9",
    "黑 13",
    "橙 4",
    "橙 5",
    "橙 10",
]


def opened(
    browser: Browser, url: str, width: int, height: int, complaints: list[str], path: str = "/tablet/ice/"
) -> Page:
    """The page on a tablet or a phone; what its console complains of would be a breach of the content policy."""
    page = browser.new_context(viewport={"width": width, "height": height}, locale="zh-HK").new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{url}{path}", wait_until="networkidle")
    return page


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the console says; nothing, at the end of every test."""
    found: list[str] = []
    yield found
    assert found == []


def press(page: Page, part: str, tiles: list[str]) -> None:
    """Press tiles on the board of a part, each found by its name."""
    board = page.locator(f"[data-part={part}] .board, [data-part={part}] .board-foot")
    for tile in tiles:
        board.get_by_role("button", name=f"{tile}，").first.click()


def test_a_rack_that_could_open_is_told_at_once_with_its_sets_and_without_network(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 1024, 768, complaints)
    page.context.set_offline(True)
    press(page, "ice", ABLE)
    verdict = page.locator("[data-part=ice] .verdict")
    expect(verdict.get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")
    expect(verdict.locator(".flat")).to_have_text("−200")
    expect(verdict.locator(".set .tile")).to_have_text(["10 紅", "11 紅", "12 紅"])
    expect(page.locator("[data-part=ice] .rack .found .tile")).to_have_text(["10", "11", "12"])
    expect(page.locator("[data-part=ice] .rack .tile")).to_have_count(14)
    scrolls = (
        "() => [document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth]"
    )
    assert page.evaluate(scrolls) == [False, False]


def test_a_rack_that_could_not_says_the_most_it_reaches(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 1024, 768, complaints)
    press(page, "ice", ABLE)
    page.locator("[data-part=ice] .rack .tile").first.click()
    verdict = page.locator("[data-part=ice] .verdict")
    expect(verdict.get_by_role("heading")).to_have_text("不足以破冰：沒有組合達到 30")
    expect(verdict.locator("p")).to_have_text(
        ["牌架上沒有任何組合。不足以破冰，整副牌計負 100 分。", "未破冰的牌架最少有 14 隻牌，現時只按了 13 隻。"]
    )
    page.get_by_role("button", name="還原一隻").first.click()
    expect(verdict.locator(".flat")).to_have_text("−200")


def test_a_set_is_judged_with_its_reasons_and_the_tile_its_joker_stands_for(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 1024, 768, complaints)
    page.get_by_role("button", name="組合").click()
    press(page, "set", ["紅 12", "紅 13", "百搭"])
    verdict = page.locator("[data-part=set] .verdict")
    expect(verdict).to_have_text("121313不合規順牌超出 13；13 之後不接 1。".replace("121313", "12 紅13 紅"))
    page.get_by_role("button", name="清空").last.click()
    press(page, "set", ["紅 12", "百搭", "藍 12"])
    expect(verdict.get_by_role("heading")).to_have_text("合規：組牌，共 36")
    expect(verdict.locator("p")).to_have_text(["第 2 隻的百搭代表黑 12或橙 12。"])


def test_on_a_phone_nothing_is_wider_than_the_screen_and_every_target_is_48(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 390, 844, complaints)
    press(page, "ice", ABLE)
    small = """() => [...document.querySelectorAll("button")]
        .filter((one) => one.offsetParent)
        .map((one) => [one.getAttribute("aria-label") || one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 47.5 || box.height < 47.5)
        .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
    assert page.evaluate(small) == []
    assert_no_wider(page, 390)


def test_another_game_s_rules_are_chosen_without_network_and_judge_the_same_tiles_anew(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 1024, 768, complaints)
    page.context.set_offline(True)
    page.locator("[data-rules]").select_option(label="法國版")
    press(page, "ice", ABLE)
    verdict = page.locator("[data-part=ice] .verdict")
    expect(verdict.get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")
    expect(verdict.locator(".flat")).not_to_have_text("−200")
    page.locator("[data-choose=rules]").click()
    expect(page.locator("article:visible")).to_have_count(2)
    expect(page.locator("article:visible").first).to_contain_text("不限時")
    page.locator("[data-rules]").select_option(label="WORD")
    expect(page.get_by_text("牌板沒有此玩法的牌")).to_be_visible()
    expect(page.locator("[data-choose=ice]")).to_be_disabled()


@pytest.mark.django_db
def test_an_event_s_tablet_has_the_rules_of_its_stages_and_a_choice_only_where_they_differ(
    client: Client, event: Event
) -> None:
    stage = event.stages.get()
    stage.ruleset = {"base": "hk-2026", "opening_minimum": 24}
    stage.save()
    page = client.get("/tablet/ice/hk-2026/", headers={"Accept-Language": "en"})
    assert [one["ruleset"]["opening_minimum"] for one in page.context["data"]["rulesets"]] == [24]
    assert ("data-rules" in page.content.decode(), "together 24 or more" in page.content.decode()) == (False, True)
    event.stages.create(kind="final", ruleset="school")
    page = client.get("/tablet/ice/hk-2026/", headers={"Accept-Language": "en"})
    assert page.context["names"] == ["preliminary", "final"]
    assert page.content.decode().count("<option") == 2
    assert client.get("/tablet/ice/another/").status_code == 404


def test_an_event_s_tablet_opens_it_without_network_though_it_was_never_opened_before(
    browser: Browser, live_server: Any, complaints: list[str], event: Event
) -> None:
    page = opened(browser, live_server.url, 1024, 768, [], "/tablet/hk-2026/")
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            while (!(await caches.match("/tablet/ice/hk-2026/"))) await new Promise((done) => setTimeout(done, 50));
        }"""
    )
    page.context.set_offline(True)
    page.on("console", lambda message: complaints.append(message.text))
    page.get_by_role("link", name="比賽中查詢").click()
    expect(page).to_have_url(f"{live_server.url}/tablet/ice/hk-2026/")
    press(page, "ice", ABLE)
    expect(page.locator("[data-part=ice] .verdict").get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")


def test_a_tablet_without_a_code_opens_it_without_network_once_its_page_was_open(
    browser: Browser, live_server: Any
) -> None:
    page = opened(browser, live_server.url, 1024, 768, [], "/tablet/")
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            while (!(await caches.match("/tablet/ice/"))) await new Promise((done) => setTimeout(done, 50));
        }"""
    )
    page.context.set_offline(True)
    page.goto(f"{live_server.url}/tablet/")
    page.get_by_role("link", name="比賽中查詢").click()
    press(page, "ice", ABLE)
    expect(page.locator("[data-part=ice] .verdict").get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")


def test_the_page_asks_no_database_and_no_account_and_has_the_rules_in_both_languages(client: Client) -> None:
    text = client.get("/tablet/ice/").content.decode()
    assert text.count("data-card=") == 2 * len(PRESETS)
    assert [one in text for one in ("破冰行動", "Breaking the ice", "60 秒", "60 seconds")] == [True] * 4
