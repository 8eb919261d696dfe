"""The public page "Ask the rules" in Chromium: a set, a turn, an opening, words; without network, in both languages."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import assert_fits
from tournament.core.models.event import Event
from tournament.publication.services.files import write_public_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDERS = {"zh": "/p/hk-2026/ask/", "en": "/p/hk-2026/ask/en/"}
BLOCKED = "Service Worker registration blocked by Playwright"
SIZES = ((390, 844), (1024, 768), (320, 568))


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the console says; nothing, at the end of every test."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def ask(browser: Browser, live_server: Any, event: Event, complaints: list[str]) -> Any:
    """Opens the page of an event with this ruleset, at a question, and takes the network away."""

    def opened(ruleset: Any, question: str = "", *, language: str = "zh", width: int = 390) -> Page:
        event.stages.filter(kind="preliminary").update(ruleset=ruleset)
        write_public_files(event)
        context = browser.new_context(viewport={"width": width, "height": 844}, service_workers="block")
        page = context.new_page()
        page.on("console", lambda message: message.text != BLOCKED and complaints.append(message.text))
        page.goto(f"{live_server.url}{FOLDERS[language]}#{question}", wait_until="networkidle")
        context.set_offline(True)
        return page

    return opened


def press(page: Page, *tiles: str) -> None:
    """Press keys of the box, each found by the name of its tile."""
    for tile in tiles:
        key_of(page, tile).click()


def key_of(page: Page, tile: str) -> Locator:
    keys = page.locator(".board, .board-foot")
    return keys.get_by_role("button", name=re.compile(f"^{re.escape(tile)}[,，]"))


def verdict(page: Page) -> Locator:
    return page.locator(".verdict")


MIRROR = {
    "zh": (
        ("藍 4", "鏡射百搭", "藍 4", "藍 3"),
        "未對稱順牌，合共 16。鏡射百搭代藍 5。下一個移動這組牌的人須補回對稱。賽規中的例子16",
    ),
    "en": (
        ("blue 4", "mirror joker", "blue 4", "blue 3"),
        "Not evenRun, 16 in all.Mirror joker: blue 5.Whoever next moves this set evens it out."
        "Examples in the rules of play16",
    ),
}


@pytest.mark.parametrize("language", MIRROR)
def test_a_set_is_judged_as_it_is_laid_and_is_there_again_when_the_page_is_loaded_anew(ask: Any, language: str) -> None:
    page = ask("twist", language=language)
    tiles, said = MIRROR[language]
    press(page, *tiles)
    expect(verdict(page)).to_have_text(said)
    expect(page).to_have_url(re.compile("#ask=set&set=B4.JM.B4.B3$"))
    page.context.set_offline(False)
    page.reload()
    expect(verdict(page)).to_have_text(said)
    page.locator("header a[hreflang]").click()
    expect(verdict(page)).to_have_text(MIRROR["en" if language == "zh" else "zh"][1])
    assert_fits(page, SIZES)


def test_a_press_in_the_rack_takes_a_tile_away_and_a_third_double_joker_says_why_it_is_not_laid(ask: Any) -> None:
    page = ask("twist")
    press(page, "雙人百搭", "雙人百搭")
    key_of(page, "雙人百搭").dispatch_event("click")
    expect(page.locator(".said")).to_have_text("雙人百搭：整副牌只有 2 隻，已全部擺出。")
    expect(page.locator(".rack .tile")).to_have_count(2)
    page.locator(".rack .tile").first.click()
    expect(page.locator(".said")).to_have_text("")
    press(page, "橙 2", "橙 5")
    page.get_by_role("button", name="清空").click()
    expect(page.locator(".rack .tile")).to_have_count(0)
    page.get_by_role("button", name="還原一隻").click()
    expect(page.locator(".rack .tile")).to_have_count(3)


@pytest.mark.parametrize(
    ("laid", "said"),
    [
        ("R5.JC.R7", "變色百搭只用於順牌，而且它兩邊的牌須不同色。"),
        ("B4.JM.B6", "由鏡射百搭向外讀，兩邊的號碼須相同；同組不可另有鏡射或變色百搭。"),
        ("JD.B2.B3", "順牌會由 1 以下開始。"),
        ("R5.B6.J", "既不是同色連號（順牌），也不是同號異色（組牌）。"),
    ],
)
def test_a_set_that_is_none_says_why_by_the_joker_that_lies_in_it(ask: Any, laid: str, said: str) -> None:
    page = ask("twist", f"set={laid}")
    expect(verdict(page)).to_have_text(f"不成立{said}賽規中的例子")


def test_the_other_readings_of_a_set_are_told_on_request(ask: Any) -> None:
    page = ask("twist", "set=B4.JM.B4", language="en")
    expect(verdict(page).get_by_role("heading")).to_have_text("Run, 13 in all.")
    page.get_by_text("It can also be read otherwise: 2").click()
    expect(verdict(page).locator("li")).to_have_text(
        ["Group, 12 in all. Mirror joker: red 4, black 4 or orange 4.", "Run, 11 in all. Mirror joker: blue 3."]
    )


@pytest.mark.parametrize(
    ("set_asked", "anchor"),
    [("B3.B4.B5", "sets"), ("B5.J.B7", "joker-J"), ("O2.JD.O5", "joker-JD"), ("R5.JC.R7", "joker-JC")],
    ids=["without a joker", "plain joker", "double joker", "a wrong set"],
)
def test_a_set_leads_to_the_examples_of_its_kind_and_these_back_to_such_a_set(
    ask: Any, set_asked: str, anchor: str
) -> None:
    page = ask("twist", f"ask=set&set={set_asked}")
    page.context.set_offline(False)
    verdict(page).locator("a").click()
    page.wait_for_url(f"**/rules/#{anchor}")
    examples = page.locator(f"[id={anchor}]")
    expect(examples).to_be_in_viewport()
    examples.get_by_role("link").first.click()
    page.wait_for_url("**/ask/#ask=set&set=*")
    expect(verdict(page).locator("a")).to_have_attribute("href", re.compile(f"#{anchor}$"))


def test_examples_of_a_later_stage_are_those_of_its_own_rules_where_they_differ(
    ask: Any, event: Event, live_server: Any
) -> None:
    event.stages.create(kind="final", order=2, ruleset={"base": "hk-2026", "joker_value": 25})
    page = ask("hk-2026", "by=final&ask=set&set=B5.J.B7")
    expect(verdict(page).locator("a")).to_have_attribute("href", re.compile("/rules/#final-joker-J$"))
    rules = page.request.get(f"{live_server.url}/p/hk-2026/rules/").text()
    assert 'id="final-joker-J"' in rules
    assert "#by=final&amp;ask=set&amp;set=" in rules


def test_a_turn_is_laid_table_by_table_and_what_is_new_came_from_the_rack(ask: Any) -> None:
    page = ask("twist", "ask=move")
    press(page, "紅 5", "紅 6")
    expect(verdict(page)).to_contain_text("第 1 組：組合最少要有 3 隻牌。")
    press(page, "雙人百搭")
    before, after = (page.locator(f"[data-table={name}]") for name in ("before", "after"))
    after.get_by_role("button", name="照出牌前的枱面開始").click()
    expect(verdict(page)).to_have_text("不可以沒有打出自己的牌。")
    after.get_by_role("button", name="移走雙人百搭").click()
    press(page, "紅 7", "紅 8")
    expect(verdict(page)).to_contain_text("枱上的牌須留在枱上，百搭不可收回牌架。")
    after.get_by_role("button", name="擺新一組").click()
    after.get_by_role("button", name="放下雙人百搭").click()
    press(page, "藍 3", "藍 6")
    expect(verdict(page)).to_contain_text("第 2 組：")
    after.get_by_role("group", name="第 2 組").get_by_role("button", name="移走雙人百搭").click()
    after.get_by_role("group", name="第 2 組").get_by_role("button", name="移走藍 6").click()
    press(page, "雙人百搭", "藍 6")
    expect(verdict(page)).to_have_text("可以由牌架打出：紅 7、紅 8、藍 3、藍 6。")
    expect(before.locator(".tile:not(.gone)")).to_have_count(3)
    page.get_by_role("button", name="這一回合才破冰").click()
    expect(verdict(page)).to_contain_text("破冰之前不可移動枱上的牌。")
    assert_fits(page, SIZES)


def test_an_opening_is_said_with_its_sum_and_what_it_lacks(ask: Any) -> None:
    page = ask("twist", "ask=move&opened=no&before=R1.R2.R3&after=R1.R2.R3_B9.K9", language="en")
    expect(verdict(page)).to_contain_text("Set 2: A set has at least 3 tiles.")
    press(page, "orange 9")
    page.get_by_role("button", name="Take away orange 9").click()
    page.get_by_role("button", name="Lay into set 2").last.click()
    press(page, "orange 9")
    expect(verdict(page)).to_have_text("Not allowed27 in all, less than 30.From the rack: blue 9, black 9, orange 9.")
    press(page, "red 9")
    expect(verdict(page)).to_contain_text("Opens with 36.")


def test_a_rack_is_judged_with_jokers_of_every_kind_at_what_they_stand_for(ask: Any) -> None:
    page = ask("twist", "ask=rack&rack=B4.JM.B4.JD.R13", language="en")
    press(page, "orange 13")
    expect(verdict(page).get_by_role("heading")).to_have_text("Could open: 4 + 5 + 4 + 13 + 13 + 13 + 13 = 65")
    expect(page.locator("[data-count]")).to_have_text("6 tiles, face value 94")
    assert_fits(page, SIZES)


def test_words_of_a_list_are_checked_against_a_rack_of_letters(ask: Any) -> None:
    page = ask("word", language="en")
    press(page, *"CARPET", "joker")
    page.get_by_label("Words to be checked").fill("carpet, Carpets cat café carrot")
    expect(verdict(page).get_by_role("heading")).to_have_text("Could open: 2 of 5 words")
    expect(verdict(page).locator("li")).to_have_text(["CARPETS: 7 letters, 1 of them by jokers", "CARPET: 6 letters"])
    expect(verdict(page).locator("p")).to_have_text(
        [
            "Not with 2: shorter than 6 letters, or letters are missing on the rack.",
            "Word 4, café: é is no letter of the box.",
        ]
    )
    press(page, "Q")
    key_of(page, "Q").dispatch_event("click")
    expect(page.locator(".said")).to_have_text("Q: the box has only 1, and they are laid already.")
    assert_fits(page, SIZES)


@pytest.mark.parametrize(
    ("ruleset", "question", "refused"),
    [
        ("hk-2026", "set=B4.JM.B4", "The set, tile 2: mirror joker is not in the box of these rules."),
        ("hk-2026", "ask=rack&rack=R1.A", "The rack, tile 2: A is not in the box of these rules."),
        ("twist", "set=JD.JD.B3.JD", "The set, tile 4: double joker: the box has only 2, and they are laid already."),
        (
            "french",
            "ask=move&before=R1.R2.R3_B4.JC",
            "The table before, set 2, tile 2: colour-change joker is not in the box of these rules.",
        ),
        (
            "school",
            "ask=move&after=R1.R1.R1",
            "The table after, set 1, tile 3: red 1: the box has only 2, and they are laid already.",
        ),
        ("word", "rack=A.R7", "The rack, tile 2: red 7 is not in the box of these rules."),
    ],
)  # fmt: skip
def test_an_address_with_what_the_box_has_not_is_refused_with_its_place_and_stays_until_a_tile_is_laid(
    ask: Any, ruleset: str, question: str, refused: str
) -> None:
    page = ask(ruleset, question, language="en")
    expect(page.get_by_role("alert")).to_have_text(f"This question cannot be laid{refused}")
    expect(page.locator("[data-take]")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"#{re.escape(question)}$"))
    press(page, "A" if ruleset == "word" else "red 1")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_link_within_the_page_leaves_the_question_and_another_address_asks_another(ask: Any) -> None:
    page = ask("hk-2026", "set=R1.R2.R3", language="en")
    page.locator("a.skip").press("Enter")
    expect(page).to_have_url(re.compile("#ask=set&set=R1.R2.R3$"))
    expect(verdict(page).get_by_role("heading")).to_have_text("Run, 6 in all.")
    page.evaluate("location.hash = 'set=R7.B7.K7'")
    expect(verdict(page).get_by_role("heading")).to_have_text("Group, 21 in all.")


def test_of_stages_with_different_rules_one_is_chosen_and_keeps_what_its_box_holds(ask: Any, event: Event) -> None:
    event.stages.create(kind="final", order=2, ruleset="twist")
    page = ask("hk-2026", "by=final&set=B4.JM.B4", language="en")
    expect(verdict(page).get_by_role("heading")).to_have_text("Run, 13 in all.")
    page.get_by_label("By which rules").select_option(label="preliminary")
    expect(page.get_by_role("alert")).to_contain_text("The set, tile 2: mirror joker is not in the box of these rules.")


def test_once_it_was_open_the_page_opens_without_network_where_a_worker_may_keep_it(
    browser: Browser, live_server: Any, event: Event
) -> None:
    write_public_files(event)
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{live_server.url}{FOLDERS['zh']}#set=R1.R2.R3")
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            while (!(await caches.match("/p/hk-2026/ask/en/"))) await new Promise((done) => setTimeout(done, 50));
        }"""
    )
    page.context.set_offline(True)
    page.reload()
    expect(verdict(page).get_by_role("heading")).to_have_text("順牌，合共 6。")
    page.locator("header a[hreflang]").click()
    expect(verdict(page).get_by_role("heading")).to_have_text("Run, 6 in all.")
