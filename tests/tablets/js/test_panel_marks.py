"""A table's mess on its panel: marks for the desk, notes undone and taken back, ten presses in a row each drawn."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tablets.js.panel_page import panel_page, state, table
from tests.tablets.js.pressing import Panel

pytestmark = pytest.mark.browser

# What the server tells of seat D, noted as absent from the first game on.
ABSENT = {
    **{"id": 1, "kind": "absent", "game": 1, "letter": "D", "tiles": None, "note": "", "at": "2026-04-06T08:20:00Z"}
}


@pytest.fixture
def page(chromium: Browser) -> Page:
    """Two tables of four, nothing typed."""
    return panel_page(chromium, state(table(5), table(6)))


@pytest.fixture
def panel(page: Page) -> Panel:
    """The first of the two."""
    return Panel(page, 5)


def note(panel: Panel, act: str, seat: int, word: str) -> None:
    """What the notes offer: an act, whose it is, and a press."""
    panel.press("notes")
    dialog = panel.page.locator("dialog[open]")
    dialog.get_by_role("button", name=act, exact=True).click()
    dialog.locator(".choice button").nth(seat).click()
    dialog.get_by_role("button", name=word).click()


def incidents(panel: Panel) -> list[tuple[str, int, str]]:
    bodies = [item["body"] for item in panel.items if item["act"] == "incident"]
    return [(body["kind"], body["game"], body["letter"]) for body in bodies]


def test_two_who_did_not_come_are_marked_and_the_game_is_recorded(panel: Panel) -> None:
    note(panel, "缺席", 2, "由第 1 局起不參賽")
    note(panel, "缺席", 3, "由第 1 局起不參賽")
    expect(panel.element.locator(".is-away")).to_have_count(2)
    panel.game("rummikub", "B", [(23, 4)])
    save = panel.items[-1]
    seats = save["body"]["typed"]["games"][0]["seats"]
    assert (save["act"], [seats[letter]["absent"] for letter in "ABCD"]) == ("save", [False, False, True, True])
    assert incidents(panel) == [("absent", 1, "C"), ("absent", 1, "D")]


def test_a_leaver_s_game_is_recorded_with_the_rack_frozen_and_signing_waits_for_the_desk(panel: Panel) -> None:
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    note(panel, "離場", 3, "牌架封存")
    panel.press("end", how="pool", letter="")
    for value, tiles in ((10, 2), (20, 3), (30, 4), (40, 5)):
        panel.rack(value, tiles)
    expect(panel.element.locator(".lines .mark")).to_contain_text("離場，待大會記錄")
    panel.press("record")
    panel.press("end", how="not_played", letter="")
    panel.press("record")
    panel.press("agree")
    expect(panel.element).to_contain_text("D 離場：尚待大會記錄。")
    hand_out = panel.element.get_by_role("button", name="交給參賽者簽署")
    expect(hand_out).to_have_attribute("aria-disabled", "true")
    panel.page.evaluate("store.online(false)")
    expect(hand_out).to_have_attribute("aria-disabled", "false")
    expect(panel.element).to_contain_text("計分紙才會鎖定")


def test_once_the_desk_has_recorded_it_the_sheet_is_signed_by_those_who_stay(panel: Panel) -> None:
    note(panel, "缺席", 3, "由第 1 局起不參賽")
    panel.game("rummikub", "B", [(23, 4), (30, 5)])
    for _game in (2, 3):
        panel.press("end", how="not_played", letter="")
        panel.press("record")
    told = panel.items[-1]["body"]
    seats = table(5)["seats"]
    seats[3] |= {"status": "forfeited", "signs": False}
    end = {"outcome": "confirmed", "reason": "", "by": "大會"}
    sheet = {"typed": told["typed"], "revision": 3, "state": "draft"}
    panel.page.evaluate(
        "(told) => store.tell(5, told)", {"seats": seats, "incidents": [ABSENT | {"end": end}], "sheet": sheet}
    )
    panel.press("agree")
    hand_out = panel.element.get_by_role("button", name="交給參賽者簽署")
    expect(hand_out).to_have_attribute("aria-disabled", "false")


def test_what_the_desk_did_not_record_is_said_with_its_reason_and_the_game_is_recorded_all_the_same(
    panel: Panel,
) -> None:
    note(panel, "缺席", 3, "由第 1 局起不參賽")
    end = {"outcome": "dismissed", "reason": "在洗手間", "by": "大會"}
    panel.page.evaluate("(told) => store.tell(5, told)", {"incidents": [ABSENT | {"end": end}]})
    expect(panel.element.locator(".note.wait").first).to_contain_text("大會沒有記錄 D 缺席。在洗手間")
    panel.game("rummikub", "B", [(23, 4), (30, 5)])
    assert panel.items[-1]["act"] == "save"


def test_one_recorded_as_a_no_show_who_came_late_is_typed(chromium: Browser) -> None:
    told = table(5)
    told["seats"][3] |= {"status": "forfeited", "signs": False}
    panel = Panel(panel_page(chromium, state(told)), 5)
    expect(panel.element.locator(".is-away")).to_have_count(1)
    note(panel, "遲到", 3, "此局進行中到達")
    expect(panel.element.locator(".is-away")).to_have_count(0)
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    assert (panel.items[-1]["act"], incidents(panel)) == ("save", [("late", 1, "D")])


def test_a_rack_counted_wrong_is_recorded_with_its_mark_though_its_figures_cannot_be(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    panel.rack(60, 3)
    panel.rack(30, 5)
    panel.rack(11, 2)
    expect(panel.element.locator('[data-act="record"]')).to_have_count(0)
    note(panel, "牌架點算有誤", 0, "點算前牌已混在一起")
    panel.press("record")
    assert ([item["act"] for item in panel.items], incidents(panel)) == (["incident", "save"], [("miscount", 1, "A")])


def test_a_disqualified_entrant_s_rack_is_frozen_and_the_reason_goes_to_the_desk(panel: Panel) -> None:
    note(panel, "取消資格", 1, "發現輔助工具")
    body = panel.items[-1]["body"]
    assert (body["kind"], body["letter"], body["note"]) == ("disqualified", "B", "發現輔助工具")
    assert panel.page.evaluate("store.draft(5).typed.games[0].seats.B.left") is True


def test_a_note_is_undone_within_five_seconds_with_all_that_it_marked(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    panel.rack(23, 4)
    note(panel, "缺席", 3, "由第 1 局起不參賽")
    assert [item["act"] for item in panel.items] == ["incident"]
    panel.press("digit", figure=7)
    panel.page.locator(".undo-strip button").click()
    expect(panel.page.locator(".undo-strip")).to_have_count(0)
    seats = panel.page.evaluate("store.draft(5).typed.games[0].seats")
    assert panel.items == []
    assert (seats["D"]["absent"], seats["A"]["face_value"], seats["C"]["face_value"]) == (False, "23", "7")


def test_after_five_seconds_it_is_taken_back_with_a_reason(chromium: Browser) -> None:
    warned = {"id": 4, "letter": "B", "game": 1, "reason": "交談或打手勢", "at": "2026-04-06T08:20:00Z", "end": None}
    panel = Panel(panel_page(chromium, state(table(5, warnings=[warned]))), 5)
    panel.press("notes")
    dialog = panel.page.locator("dialog[open]")
    dialog.get_by_role("button", name="已有記事：1 項").click()
    dialog.get_by_role("button", name="收回").click()
    dialog.get_by_role("button", name="是另一位參賽者").click()
    [item] = panel.items
    assert (item["act"], item["body"]) == ("withdraw", {"kind": "warning", "note": 4, "reason": "是另一位參賽者"})
    panel.press("notes")
    expect(panel.page.locator("dialog[open]")).not_to_contain_text("已有記事")


def test_overtime_and_a_dispute_are_taken_back_with_a_reason_too(chromium: Browser) -> None:
    longer = {"id": 9, "minutes": 5, "reason": "洗手間", "at": "2026-04-06T08:20:00Z"}
    raised = {"id": 7, "by": 7, "reason": "B：數字有誤", "decision": "", "at": "2026-04-06T08:25:00Z"}
    told = table(5, overtimes=[longer], overtime=5)
    told["sheet"] |= {"state": "disputed", "revision": 4, "dispute": raised}
    panel = Panel(panel_page(chromium, state(told)), 5)
    for text in ("爭議", "加時"):
        panel.press("notes")
        dialog = panel.page.locator("dialog[open]")
        dialog.get_by_role("button", name="已有記事").click()
        expect(dialog.locator("li b").first).to_contain_text(text)
        dialog.get_by_role("button", name="收回").first.click()
        dialog.get_by_role("button", name="按錯").click()
    reason = panel.items[0]["body"]["reason"]
    assert [(item["act"], item["body"], item["match"]) for item in panel.items] == [
        ("withdraw", {"kind": "dispute", "note": 7, "reason": reason}, True),
        ("withdraw", {"kind": "overtime", "note": 9, "reason": reason}, False),
    ]


def test_a_dispute_that_another_has_raised_is_not_offered_to_be_taken_back(chromium: Browser) -> None:
    raised = {"id": 7, "by": 8, "reason": "B：數字有誤", "decision": "", "at": "2026-04-06T08:25:00Z"}
    told = table(5)
    told["sheet"] |= {"state": "disputed", "revision": 4, "dispute": raised}
    panel = Panel(panel_page(chromium, state(told)), 5)
    expect(panel.element).to_contain_text("爭議中")
    panel.press("notes")
    expect(panel.page.locator("dialog[open]")).not_to_contain_text("已有記事")


def test_a_pause_is_undone_within_five_seconds(panel: Panel) -> None:
    panel.press("notes")
    dialog = panel.page.locator("dialog[open]")
    dialog.get_by_role("button", name="洗手間", exact=True).click()
    dialog.locator(".choice button").nth(1).click()
    dialog.locator("input").fill("主任")
    dialog.get_by_role("button", name="開始：此枱停鐘").click()
    panel.page.locator(".undo-strip button").click()
    expect(panel.page.locator(".undo-strip")).to_have_count(0)
    assert [item["act"] for item in panel.items] == ["pause", "unpause"]


def test_a_dispute_in_the_players_hands_is_undone_and_the_signatures_are_there_again(panel: Panel) -> None:
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    for _game in (2, 3):
        panel.press("end", how="not_played", letter="")
        panel.press("record")
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.sign("A")
    panel.element.get_by_role("button", name="有人拒簽或爭議").click()
    panel.page.locator("dialog[open]").get_by_role("button", name="數字有誤").click()
    expect(panel.element).to_contain_text("爭議中")
    panel.page.locator(".undo-strip button").click()
    expect(panel.element.locator(".sign.ok")).to_have_count(1)
    assert [item["act"] for item in panel.items] == ["save"] * 3


def tap(page: Page, session: Any, selector: str) -> None:
    """A finger, 60 ms down."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.wait_for_timeout(60)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_each_of_ten_presses_in_a_row_is_drawn_before_the_next(page: Page, panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="D")
    session = page.context.new_cdp_session(page)
    page.evaluate("""() => {
        const cells = '[data-table="5"] [data-cell="face_value"][data-letter="A"]';
        window.seen = [];
        const look = () => seen.push(document.querySelector(cells).textContent);
        document.addEventListener("click", () => setTimeout(look, 0));
    }""")
    for figure in "1234":
        tap(page, session, f'[data-table="5"] [data-act="digit"][data-figure="{figure}"]')
        page.wait_for_timeout(60)
        if figure == "3":
            tap(page, session, '[data-table="5"] [data-act="erase"]')
            page.wait_for_timeout(60)
    for _time in range(5):
        tap(page, session, '[data-table="5"] [data-act="erase"]')
        page.wait_for_timeout(60)
    page.wait_for_timeout(100)
    assert page.evaluate("seen") == ["1", "12", "123", "12", "124", "12", "1", "", "", ""]


def test_a_button_under_a_finger_stays_what_it_was_when_the_table_changes(page: Page, panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    for value, tiles in ((23, 4), (30, 5), (11, 2)):
        panel.rack(value, tiles)
    session = page.context.new_cdp_session(page)
    box = panel.element.locator('[data-act="record"]').bounding_box()
    assert box is not None
    at = {"x": box["x"] + 20, "y": box["y"] + 20}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.evaluate(
        "(told) => store.tell(5, told)",
        {"calls": [{"id": 1, "reason": "x", "at": "2026-04-06T08:20:00Z", "answer": ""}]},
    )
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("store.items(5).length > 0")
    assert [item["act"] for item in panel.items] == ["save"]
    expect(panel.element.locator(".note.wait")).to_contain_text("x")


def test_a_value_that_no_tiles_make_is_refused_without_saying_that_it_lies_within_the_bounds(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    panel.rack(60, 3)
    expect(panel.element.locator(".sum")).to_contain_text("不論有多少隻百搭，3 隻牌都不可能值 60。")
    expect(panel.element.locator(".sum")).not_to_contain_text("之間")


def test_tiles_tapped_for_the_ice_are_there_again_after_the_page_was_closed(page: Page, panel: Panel) -> None:
    panel.press("end", how="pool", letter="")
    panel.element.locator('[data-act="ice"]').first.click()
    panel.tap("R10", "R11", "R12")
    kept = page.evaluate("store.draft(5).board")
    assert kept == {"letter": "A", "place": 0, "opened": False, "tiles": ["R10", "R11", "R12"]}
    page.evaluate("store.remount(5)")
    expect(panel.element.locator(".rack .tile")).to_have_count(3)
    panel.element.get_by_role("button", name="返回枱 5", exact=True).click()
    page.evaluate("store.remount(5)")
    expect(panel.element.locator(".lines")).to_be_visible()


def test_on_a_phone_one_player_s_part_of_the_sheet_stands_at_a_time(chromium: Browser) -> None:
    panel = Panel(panel_page(chromium, state(table(5)), width=390, height=844), 5)
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    for _game in (2, 3):
        panel.press("end", how="not_played", letter="")
        panel.press("record")
    panel.press("agree")
    seen = []
    for _step in range(2):
        names = panel.element.locator(".paper th.name")
        seen.append([name.text_content() for name in names.all() if name.is_visible()])
        panel.element.get_by_role("button", name="下一位").click()
    assert [len(one) for one in seen] == [1, 1]
    assert seen[0] != seen[1]
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.sign("A")
    expect(panel.element.locator(".sign:visible")).to_have_attribute("data-letter", "B")
    assert panel.page.evaluate("document.documentElement.scrollWidth <= innerWidth") is True


def test_after_one_has_signed_the_next_field_opens_only_once_the_tablet_was_passed_on(panel: Panel) -> None:
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    for _game in (2, 3):
        panel.press("end", how="not_played", letter="")
        panel.press("record")
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.sign("A")
    panel.element.locator('.sign[data-letter="B"] button.box').click()
    confirm = panel.element.locator(".sign.now .primary")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    expect(confirm).to_have_text("請把平板交給 B")
    expect(confirm).to_have_text("是 B 本人", timeout=4000)
