"""Panels with what takes the most room, long names and messages, at the size of a tablet: nothing scrolls, nothing is
cut off."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tablets.js.panel_page import panel_page, state, table
from tests.tablets.js.pressing import Panel
from tests.tablets.js.test_panel import ABLE, OVER, SMALL, three_games

pytestmark = pytest.mark.browser

LONG = ["PAPADIMITROPOULOU-WONG Anastasia Wilhelmina", "D'SOUZA Maria-Francesca", "SZETO CHAN Mei Ling Josephine"]
RULED = {"id": 1, "game": 1, "reason": "違規", "at": "2026-04-06T08:20:00Z", "taken_by": None, "answer": "收回該牌。"}
PAUSE = {"since": "2026-04-06T08:30:00Z", "letter": "A", "escort": "義工"}
RIGHT = [[False, False], []]


def long_named(number: int, **changed: Any) -> Any:
    """A table at which three have long names."""
    told = table(number, **changed)
    for seat, name in zip(told["seats"], LONG, strict=False):
        seat["name_en"] = seat["name_zh"] = name
    return told


def room(page: Page) -> list[Any]:
    """Whether the page scrolls, and what is too small to be pressed."""
    return [page.evaluate(OVER), page.evaluate(SMALL)]


def test_long_names_are_typed_and_sign_without_scrolling(chromium: Browser) -> None:
    page = panel_page(chromium, state(long_named(5), long_named(6)), language="en")
    panel = Panel(page, 5)
    panel.press("end", how="rummikub", letter="B")
    found = [room(page)]
    for letter in "ACD":
        panel.press("cell", letter=letter, cell="face_value")
        panel.rack(60, 2)
    found.append(room(page))
    panel = Panel(page, 6)
    three_games(panel)
    panel.press("agree")
    panel.element.get_by_role("button", name="Hand to the players").click()
    found.append(room(page))
    panel.open_field("A")
    found.append(room(page))
    assert found == [RIGHT] * len(found)


def test_a_pause_and_a_suspension_leave_the_keys_their_room(chromium: Browser) -> None:
    suspended = state(table(5, pause=PAUSE, calls=[RULED]), table(6), state="suspended")
    page = panel_page(chromium, suspended)
    panel = Panel(page, 5)
    expect(panel.element.locator(".note")).to_have_count(3)
    panel.press("end", how="pool", letter="")
    assert room(page) == RIGHT
    panel.element.get_by_role("button", name="暫停中").click()
    page.get_by_role("dialog").get_by_role("button", name="完結").click()
    page.wait_for_function("store.items(5).length")
    assert panel.items[0]["act"] == "unpause"


def test_a_ruling_stands_beside_its_own_game_alone(chromium: Browser) -> None:
    panel = Panel(panel_page(chromium, state(table(5, calls=[RULED]))), 5)
    expect(panel.element).to_contain_text("收回該牌。")
    panel.press("game", place=1)
    expect(panel.element).not_to_contain_text("收回該牌。")


def test_a_rack_without_tiles_says_what_is_missing_and_a_ruling_takes_the_verdict_s_place(chromium: Browser) -> None:
    panel = Panel(panel_page(chromium, state(table(5))), 5)
    panel.press("end", how="rummikub", letter="B")
    panel.press("ice", letter="D")
    use = panel.element.locator(".judge-foot .primary")
    expect(use).to_have_text("請先按 D 的牌")
    panel.tap(*ABLE)
    panel.element.get_by_role("button", name="評審員另作裁決").click()
    expect(panel.element.get_by_role("dialog")).to_contain_text("裁定不足以破冰：−100")
    panel.element.get_by_role("button", name="總評判如此裁定").click()
    expect(panel.element.locator(".verdict p")).to_have_text(["另作裁決：總評判如此裁定"])
    expect(use).to_have_text("採用 −100，返回枱 5")


def test_numbers_are_noted_when_each_has_drawn_one(chromium: Browser) -> None:
    panel = Panel(panel_page(chromium, state(table(5))), 5)
    panel.press("draw")
    dialog = panel.page.get_by_role("dialog")
    note = dialog.get_by_role("button", name="記下")
    expect(note).to_have_attribute("aria-disabled", "true")
    for letter, number in zip("ABCD", (3, 12, 7, 1), strict=True):
        dialog.get_by_label(letter).select_option(str(number))
    expect(dialog).to_contain_text("B 先出牌")
    note.click()
    panel.page.wait_for_function("store.items(5).length")
    assert panel.items[0]["body"]["note"] == "A 3, B 12, C 7, D 1"


# What is held of a refused item, over a store of one table whose sheet the server has ruled otherwise.
COMPARED = """async ([mine, theirs]) => {
  const { makeItems } = await import("/js/tablet/items.js");
  const sheet = (ruling) => ({ games: [{ ended_by: "pool", ruling }] });
  const body = { made_at: "2026-04-06T08:20:00Z", typed: sheet(mine) };
  const item = { key: "k", act: "save", table: 5, state: "refused", body };
  const store = {
    tables: () => [5],
    getTable: () => ({ sheet: { revision: 1, typed: sheet(theirs) }, locked: false }),
    standsOf: ({ state }) => state,
  };
  const dialog = document.body.appendChild(document.createElement("dialog"));
  makeItems({ dialog, outbox: { all: () => [item] }, store, onwake: () => {} }).show();
}"""


def test_two_rulings_on_one_game_are_compared_in_words(chromium: Browser) -> None:
    page = panel_page(chromium, state(table(5), ruleset="twist"))
    page.evaluate(COMPARED, ["fewest_tiles", ""])
    expect(page.locator("dialog .differs li")).to_have_text("第 1 局 裁決：此平板 剩牌最少者勝，伺服器 —。")
