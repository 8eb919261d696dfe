"""The rules asked on a tablet in Chromium: tiles pressed, the verdict at once, no network, no scrolling."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from scoring.ruleset import PRESETS
from tests.browser import assert_no_wider
from tournament.core.models.event import Event

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
    """Choose a part and press tiles on its keys, each found by its name."""
    choice = page.locator(f"[data-choose={part}]")
    if choice.count():
        choice.click()
    keys = page.locator(f"[data-part={part}] .board, [data-part={part}] .board-foot")
    for tile in tiles:
        keys.get_by_role("button", name=re.compile(f"^{tile}[,，]")).click()


def test_a_rack_that_could_open_is_told_at_once_with_its_sets_and_without_network(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 1024, 768, complaints)
    page.context.set_offline(True)
    press(page, "rack", ABLE)
    verdict = page.locator("[data-part=rack] .verdict")
    expect(verdict.get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")
    expect(verdict.locator(".flat")).to_have_text("−200")
    expect(verdict.locator(".set .tile")).to_have_text(["10 紅", "11 紅", "12 紅"])
    expect(page.locator("[data-part=rack] .rack .found .tile")).to_have_text(["10", "11", "12"])
    expect(page.locator("[data-part=rack] .rack .tile")).to_have_count(14)
    scrolls = (
        "() => [document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth]"
    )
    assert page.evaluate(scrolls) == [False, False]


def test_a_rack_that_could_not_says_the_most_it_reaches(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 1024, 768, complaints)
    press(page, "rack", ABLE)
    page.locator("[data-part=rack] .rack .tile").first.click()
    verdict = page.locator("[data-part=rack] .verdict")
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
    press(page, "set", ["紅 12", "紅 13", "百搭"])
    verdict = page.locator("[data-part=set] .verdict")
    expect(verdict).to_have_text("不成立順牌超出 13；13 之後不接 1。")
    page.get_by_role("button", name="清空").click()
    press(page, "set", ["紅 12", "百搭", "藍 12"])
    expect(verdict.get_by_role("heading")).to_have_text("組牌，合共 36。")
    expect(verdict.locator("p")).to_have_text(["百搭代黑 12 或橙 12。"])


TWIST = {
    "中文": (("橙 2", "雙人百搭", "橙 5"), "成立順牌，合共 14。雙人百搭代橙 3 及橙 4。14", "這組牌成立嗎？"),
    "English": (
        ("orange 2", "double joker", "orange 5"),
        "ValidRun, 14 in all.Double joker: orange 3 and orange 4.14",
        "Is this set legal?",
    ),
}


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (390, 844)])
def test_every_part_is_asked_of_every_kind_of_tile_in_either_language_without_network(
    browser: Browser, live_server: Any, event: Event, width: int, height: int
) -> None:
    event.stages.update(ruleset="twist")
    # The language is told to the server as well, which is not there: the console says so.
    page = opened(browser, live_server.url, width, height, [], "/tablet/ice/hk-2026/")
    page.context.set_offline(True)
    for language, (tiles, said, title) in TWIST.items():
        if language == "English":
            page.get_by_role("button", name=language).click()
        expect(page.locator("main h2").first).to_have_text(title)
        press(page, "set", [*tiles])
        expect(page.locator(".verdict")).to_have_text(said)
        page.locator("[data-act=clear]").click()
        press(page, "move", [*tiles])
        page.locator("[data-as-before]").click()
        press(page, "move", [tiles[0].replace("2", "6")])
        expect(page.locator(".verdict .badge")).to_have_class("badge stop")
        page.locator("[data-act=clear]").click()
        press(page, "rack", [*tiles])
        expect(page.locator(".verdict .set .tile")).to_have_count(3)
        page.locator("[data-act=clear]").click()
        page.locator("[data-choose=rules]").click()
        expect(page.locator("article:visible")).to_have_count(2)
        page.locator("[data-choose=set]").click()
        assert_no_wider(page, width)


def test_on_a_phone_nothing_is_wider_than_the_screen_and_every_target_is_48(
    browser: Browser, live_server: Any, complaints: list[str]
) -> None:
    page = opened(browser, live_server.url, 390, 844, complaints)
    press(page, "rack", ABLE)
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
    press(page, "rack", ABLE)
    verdict = page.locator("[data-part=rack] .verdict")
    expect(verdict.get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")
    expect(verdict.locator(".flat")).not_to_have_text("−200")
    page.locator("[data-choose=rules]").click()
    expect(page.locator("article:visible")).to_have_count(2)
    expect(page.locator("article:visible").first).to_contain_text("不限時")
    page.locator("[data-rules]").select_option(label="WORD")
    expect(page.locator("[data-choose]")).to_have_text(["破冰", "賽規"])
    page.locator("[data-choose=rack]").click()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.django_db
def test_an_event_s_tablet_has_the_rules_of_its_stages_and_a_choice_only_where_they_differ(
    client: Client, event: Event
) -> None:
    stage = event.stages.get()
    stage.ruleset = {"base": "hk-2026", "opening_minimum": 24}
    stage.save()
    page = client.get("/tablet/ice/hk-2026/", headers={"Accept-Language": "en"})
    assert [one["ruleset"]["opening_minimum"] for one in page.context["data"]["rulesets"]] == [24]
    assert "together 24 or more" in page.content.decode()
    event.stages.create(kind="final", order=2, ruleset="school")
    page = client.get("/tablet/ice/hk-2026/", headers={"Accept-Language": "en"})
    books = page.context["data"]["books"]
    assert {lang: book["names"] for lang, book in books.items()} == {
        "zh-Hant-HK": ["初賽", "決賽"],
        "en": ["preliminary", "final"],
    }
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
    page.get_by_role("link", name="查問規則").click()
    expect(page).to_have_url(f"{live_server.url}/tablet/ice/hk-2026/")
    press(page, "rack", ABLE)
    expect(page.locator("[data-part=rack] .verdict").get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")


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
    page.get_by_role("link", name="查問規則").click()
    press(page, "rack", ABLE)
    expect(page.locator("[data-part=rack] .verdict").get_by_role("heading")).to_have_text("可以破冰：10 + 11 + 12 = 33")


def test_the_page_asks_no_database_and_no_account_and_has_the_rules_in_both_languages(client: Client) -> None:
    text = client.get("/tablet/ice/").content.decode()
    assert text.count("data-card=") == 2 * len(PRESETS)
    assert [one in text for one in ("破冰行動", "Breaking the ice", "60 秒", "60 seconds")] == [True] * 4
