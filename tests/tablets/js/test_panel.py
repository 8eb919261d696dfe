"""A table's panel in Chromium over a store in memory: entry, the ice, agreeing, signing, what the rules say of it."""

import copy
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.ruleset import PRESETS
from tests.tablets.js.panel_page import panel_page, state, table
from tests.tablets.js.pressing import Panel
from tournament.core.enums import EntrantStatus
from tournament.entrants.models.people import Entrant
from tournament.sheets.domain import scoresheets as bridge
from tournament.tables.models import Seat

pytestmark = pytest.mark.browser

ABLE = ["R10", "R11", "R12", "R3", "B1", "B1", "B6", "B7", "K2", "K4", "K9", "K13", "O4", "O5", "O10"]
SMALL = """() => [...document.querySelectorAll("button, select, input")]
    .filter((one) => one.offsetParent)
    .map((one) => [one.getAttribute("aria-label") || one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 47.5 || box.height < 47.5)
    .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
OVER = (
    """() => [document.documentElement.scrollHeight > innerHeight, document.documentElement.scrollWidth > innerWidth]"""
)


@pytest.fixture
def page(chromium: Browser) -> Page:
    """Two tables of four, nothing typed."""
    return panel_page(chromium, state(table(5), table(6)))


@pytest.fixture
def panel(page: Page) -> Panel:
    """The first of the two."""
    return Panel(page, 5)


def checked(body: dict[str, Any], ruleset: str = "hk-2026") -> Any:
    """What the server's rules say of a sheet for four who are all there."""
    seats = [Seat(letter=letter, entrant=Entrant(status=EntrantStatus.OK)) for letter in "ABCD"]
    return bridge.check_typed_sheet(PRESETS[ruleset], "rack", bridge.clean_typed(body["typed"]), seats)


def points(panel: Panel) -> list[str]:
    """The column of points, as it is read aloud."""
    return panel.element.locator(".lines tbody td:last-child").all_text_contents()


def test_an_ordinary_game_of_four_takes_eleven_touches_and_its_points_are_there_as_it_is_typed(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    panel.rack(23, 4)
    panel.press("digit", figure=3)
    assert points(panel) == ["−23", "+23…", "…", "…"]
    panel.press("digit", figure=0)
    panel.press("count", figure=5)
    panel.rack(11, 2)
    assert points(panel) == ["−23", "+64", "−30", "−11"]
    panel.press("record")
    assert panel.presses == 11
    expect(panel.element.locator(".note.live")).to_contain_text("第 2 局由 B 何栢熙 先出牌")
    assert [item["act"] for item in panel.items] == ["save"]
    total = [seat.points for seat in checked(panel.items[0]["body"]).games[0].seats.values()]
    assert total == [-23, 64, -30, -11]


def test_two_tables_stand_side_by_side_without_scrolling_while_one_is_typed(page: Page, panel: Panel) -> None:
    panel.press("end", how="pool", letter="")
    assert page.evaluate(OVER) == [False, False]
    assert page.evaluate(SMALL) == []
    first, second = (page.locator(f'[data-table="{number}"]').bounding_box() for number in (5, 6))
    assert first is not None and second is not None
    assert first["y"] == second["y"] and first["x"] + first["width"] < second["x"]


@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_on_a_phone_nothing_is_too_wide_or_too_small(chromium: Browser, language: str) -> None:
    page = panel_page(chromium, state(table(5), table(6)), width=390, height=844, language=language)
    panel = Panel(page, 5)
    panel.press("end", how="rummikub", letter="B")
    panel.press("ice", letter="D")
    panel.tap(*ABLE)
    found = [page.evaluate(SMALL), page.evaluate(OVER)[1]]
    panel.element.locator(".judge-foot .primary").click()
    assert [*found, page.evaluate(SMALL), page.evaluate(OVER)[1]] == [[], False, [], False]


def test_equally_low_racks_share_in_exact_fractions(panel: Panel) -> None:
    panel.press("end", how="pool", letter="")
    for value, tiles in [(8, 3), (8, 1), (20, 2), (19, 4)]:
        panel.rack(value, tiles)
    assert points(panel) == ["+11 1/2", "+11 1/2", "−12", "−11"]
    expect(panel.element.locator(".sum")).to_have_text("總和 0·A、B 同為最低，平分 23 分；B 剩牌較少，勝此局。")


def test_a_figure_that_cannot_be_is_told_at_its_cell_and_stops_the_recording(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    panel.rack(90, 2)
    panel.rack(30, 5)
    panel.rack(11, 2)
    expect(panel.element.locator(".cell.bad")).to_have_text(["90"])
    expect(panel.element.locator(".sum")).to_contain_text("2")
    expect(panel.element.locator(".acts .primary")).to_have_attribute("aria-disabled", "true")
    panel.press("cell", letter="A", cell="face_value")
    panel.rack(19, 2)
    assert points(panel)[0] == "−19"


def test_while_a_slow_disk_is_written_no_press_is_taken_and_the_next_one_counts(panel: Panel) -> None:
    panel.page.evaluate("store.slow(1000)")
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    panel.press("end", how="rummikub", letter="A")
    expect(panel.element.locator('[data-act="digit"][data-figure="2"]')).to_be_visible()


def test_what_was_pressed_is_taken_back_step_by_step(panel: Panel) -> None:
    panel.press("end", how="time", letter="")
    panel.rack(8, 3)
    panel.press("undo")
    panel.press("undo")
    expect(panel.element.locator('[data-act="cell"][data-letter="A"]').first).to_have_text("")
    panel.press("undo")
    expect(panel.element.locator('.how [aria-pressed="true"]')).to_have_count(0)


def test_an_unopened_rack_is_judged_by_its_tiles_and_ruled_otherwise_with_a_reason(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    panel.rack(23, 4)
    panel.press("ice", letter="D")
    panel.tap(*ABLE)
    expect(panel.element.locator(".verdict h2")).to_have_text("可以破冰：10 + 11 + 12 = 33")
    assert panel.page.evaluate(OVER) == [False, False]
    panel.element.get_by_role("button", name="評審員另作裁決").click()
    panel.element.get_by_role("button", name="總評判如此裁定").click()
    expect(panel.element.locator(".verdict .flat")).to_have_text("−100")
    panel.element.locator(".judge-foot .primary").click()
    panel.rack(30, 5)
    assert points(panel) == ["−23", "+153", "−30", "−100"]
    panel.press("record")
    body = panel.items[0]["body"]
    check = checked(body)
    assert [problem.code for problem in check.look] == ["could_open_overruled"]
    assert list(body["confirmations"].values()) == ["總評判如此裁定"]
    assert bridge.unconfirmed_problems(check, body["confirmations"]) == ()


def test_what_is_unusual_is_confirmed_under_the_key_that_the_server_makes(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="A")
    panel.rack(60, 2)
    panel.rack(30, 5)
    panel.rack(11, 2)
    panel.press("record")
    panel.page.get_by_role("button", name="屬實").click()
    panel.page.wait_for_function("store.items(5).length")
    body = panel.items[0]["body"]
    check = checked(body)
    assert [problem.code for problem in check.look] == ["both_jokers"]
    assert bridge.unconfirmed_problems(check, body["confirmations"]) == ()


def test_a_tie_that_the_rules_leave_open_is_recorded_as_the_chief_judge_ruled_it(chromium: Browser) -> None:
    panel = Panel(panel_page(chromium, state(table(5), table(6), ruleset="twist")), 5)
    panel.press("end", how="pool", letter="")
    for value, tiles in ((8, 3), (8, 1), (20, 2), (19, 4)):
        panel.rack(value, tiles)
    expect(panel.element.locator(".sum")).to_contain_text("由總評判裁決")
    assert panel.page.evaluate(SMALL) == []
    panel.press("rule", ruling="fewest_tiles")
    assert points(panel) == ["+11 1/2", "+11 1/2", "−12", "−11"]
    panel.press("record")
    dialog = panel.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("陳總評判：剩牌最少者勝")
    dialog.get_by_role("button", name="屬實").click()
    panel.page.wait_for_function("store.items(5).length")
    body = panel.items[0]["body"]
    check = checked(body, "twist")
    assert [game.ruling for game in check.games] == ["fewest_tiles", "", ""]
    assert [one.where for one in check.mend] == ["games[1].ended_by", "games[2].ended_by"]
    assert [check.games[0].seats[letter].win for letter in "ABCD"] == [0, 1, 0, 0]
    assert bridge.unconfirmed_problems(check, body["confirmations"]) == ()
    panel.press("game", place=1)
    assert panel.element.locator("[data-act=rule]").count() == 0


def three_games(panel: Panel) -> None:
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    panel.game("pool", "", [(8, 3), (8, 1), (20, 2), (19, 4)])
    panel.game("rummikub", "D", [(14, 3), (21, 5), (9, 2)])


def test_a_sheet_is_agreed_signed_by_four_and_shows_its_receipt_only_when_the_server_gives_it(panel: Panel) -> None:
    three_games(panel)
    panel.press("agree")
    expect(panel.element.locator(".paper .total td")).to_have_text(
        ["0", "−25 1/2", "10", "2", "+54 1/2", "6", "0", "−51", "9", "1", "+22", "6"]
    )
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    assert panel.page.evaluate(SMALL) == []
    for letter in "ABC":
        panel.sign(letter)
    field = panel.open_field("D")
    panel.draw(field, high=0)
    expect(panel.element.locator(".sign.now .primary")).to_have_attribute("aria-disabled", "true")
    panel.draw(field)
    assert panel.page.evaluate(OVER) == [False, False]
    panel.element.locator(".sign.now .primary").click()
    expect(panel.element.locator(".verdict h2")).to_have_text("已在此簽署，尚未記錄")
    package = panel.items[-1]
    assert package["act"] == "package" and package["match"] is True
    assert [signature["letter"] for signature in package["body"]["signatures"]] == ["A", "B", "C", "D"]
    assert checked(package["body"]).problems == ()
    panel.page.evaluate("store.tell(5, {sheet: {state: 'signed', receipt: 'K7M42QXD'}})")
    expect(panel.element.locator(".code")).to_have_text("K7M4-2QXD")


def test_what_a_player_has_drawn_stays_while_the_network_comes_and_goes(panel: Panel) -> None:
    three_games(panel)
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.draw(panel.open_field("A"))
    ink = panel.element.locator(".sign.now path")
    drawn = ink.get_attribute("d")
    for online in ("false", "true"):
        panel.page.evaluate(f"store.online({online})")
        assert (bool(drawn), ink.get_attribute("d")) == (True, drawn)
    panel.element.get_by_role("button", name="交回評審員").click()
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.open_field("A")
    expect(ink).to_have_attribute("d", "")


def test_a_tap_counts_though_the_network_comes_while_the_finger_is_down(panel: Panel) -> None:
    three_games(panel)
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.page.evaluate("store.online(false)")
    panel.draw(panel.open_field("A"))
    signed = panel.element.locator(".sign.now .primary")
    signed.hover()
    panel.page.mouse.down()
    panel.page.evaluate("store.online(true)")
    panel.page.mouse.up()
    expect(panel.element.locator(".sign.ok")).to_have_count(1)


def test_a_change_after_a_signature_voids_it_and_says_so(panel: Panel) -> None:
    three_games(panel)
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    panel.sign("A")
    panel.element.get_by_role("button", name="交回評審員").click()
    panel.press("game", place=0)
    panel.press("cell", letter="A", cell="tiles")
    panel.press("count", figure=5)
    panel.press("record")
    panel.press("agree")
    expect(panel.element.locator(".note.wait")).to_contain_text("簽名作廢，全部重簽")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    expect(panel.element.locator(".sign.ok")).to_have_count(0)


def test_while_the_players_hold_it_there_is_no_way_to_a_figure(panel: Panel) -> None:
    three_games(panel)
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    expect(panel.element.locator("[data-act]")).to_have_count(0)
    assert panel.page.locator('[data-table="6"]').is_visible() is False


def test_a_dispute_goes_to_the_chief_judge_before_signing(panel: Panel) -> None:
    three_games(panel)
    panel.press("agree")
    panel.element.get_by_role("button", name="有人拒簽或爭議").click()
    panel.element.get_by_role("button", name="數字有誤").click()
    panel.page.wait_for_function("store.items(5).length === 4")
    assert (panel.items[-1]["act"], panel.items[-1]["body"]) == ("dispute", {"reason": "數字有誤"})


def test_notes_are_acts_in_the_outbox_and_what_concerns_the_result_stands_on_the_sheet(panel: Panel) -> None:
    dialog = panel.page.get_by_role("dialog")
    panel.press("notes")
    dialog.get_by_role("button", name="口頭警告").click()
    dialog.get_by_role("button", name="C WONG Ka Yan").click()
    dialog.get_by_role("button", name="交談或打手勢").click()
    panel.press("call")
    dialog.get_by_role("button", name="規則疑問").click()
    panel.press("notes")
    dialog.get_by_role("button", name="推倒牌架").click()
    dialog.get_by_role("button", name="A 陳曉").click()
    dialog.get_by_role("button", name="9", exact=True).click()
    dialog.get_by_role("button", name="記下：推倒，剩 9 隻").click()
    expect(dialog).to_have_count(0)
    assert [(item["act"], item["body"]) for item in panel.items] == [
        ("warning", {"letter": "C", "game": 1, "reason": "交談或打手勢"}),
        ("call", {"reason": "規則疑問", "game": 1}),
        ("incident", {"kind": "pushed_over", "game": 1, "letter": "A", "tiles": 9}),
    ]
    seat = panel.page.evaluate("store.draft(5)")["typed"]["games"][0]["seats"]["A"]
    assert (seat["pushed_over"], seat["tiles"]) == (True, "9")


def test_a_third_breach_is_the_chief_judge_s(chromium: Browser) -> None:
    warned = table(5)
    warned["seats"][2]["warnings"] = 2
    panel = Panel(panel_page(chromium, state(warned)), 5)
    panel.press("notes")
    dialog = panel.page.get_by_role("dialog")
    dialog.get_by_role("button", name="口頭警告").click()
    dialog.get_by_role("button", name="C WONG").click()
    dialog.get_by_role("button", name="立即召總評判").click()
    panel.page.wait_for_function("store.items(5).length")
    assert panel.items[0]["body"] == {"reason": "C 第三次違規", "game": 1, "letter": "C"}


def test_a_table_of_three_is_typed_and_signed_by_three(chromium: Browser) -> None:
    three = table(5)
    three["seats"][3] |= {"status": "forfeited", "signs": False}
    panel = Panel(panel_page(chromium, state(three)), 5)
    panel.game("rummikub", "B", [(23, 4), (30, 5)])
    for _game in range(2):
        panel.press("end", how="not_played", letter="")
        panel.press("record")
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    for letter in "ABC":
        panel.sign(letter)
    panel.page.wait_for_function("store.items(5).at(-1).act === 'package'")
    assert [one["letter"] for one in panel.items[-1]["body"]["signatures"]] == ["A", "B", "C"]


def signed(**changed: Any) -> dict[str, Any]:
    """A table whose sheet stands otherwise."""
    told = copy.deepcopy(table(5))
    told["sheet"] |= changed
    return told


@pytest.mark.parametrize(
    ("told", "session", "said"),
    [
        (table(5), {"state": "seated"}, "本場未開始"),
        (table(5), {"state": "suspended"}, "本場暫停"),
        (table(5), {"state": "closed"}, "本場已完結"),
        (signed(state="signed", receipt="K7M42QXD"), {}, "大會已收妥並鎖定此計分紙"),
        (signed(state="disputed", dispute={"reason": "A", "decision": ""}), {}, "爭議中：A"),
        (signed(state="ready", dispute={"reason": "A", "decision": "維持原判"}), {}, "總評判已裁決維持原判"),
        (signed(state="void"), {}, "此計分紙已作廢"),
        (signed(state="draft", form="paper"), {}, "此計分紙由服務枱按紙本輸入"),
    ],
)
def test_a_panel_says_how_its_table_stands(chromium: Browser, told: Any, session: Any, said: str) -> None:
    told_state = state(told, **session)
    if session.get("state") == "seated":
        told_state["clock"]["started_at"] = None
    page = panel_page(chromium, told_state)
    expect(page.locator(".seatplan > .note").first).to_contain_text(said)


def test_what_the_server_refuses_or_holds_stays_and_is_said(panel: Panel) -> None:
    panel.game("rummikub", "B", [(23, 4), (30, 5), (11, 2)])
    panel.page.evaluate("store.refuse(5, {state: 'refused', sentence: '此枱的計分紙已變更。'})")
    expect(panel.element.locator(".note.stop")).to_contain_text("伺服器沒有接納此枱的計分紙已變更。")
    for because, said in (("conflict", "服務枱有此計分紙的另一版本"), ("locked", "此項在平板鎖定期間輸入")):
        panel.page.evaluate("(because) => store.refuse(5, {state: 'held', code: 'signed_conflict', because})", because)
        expect(panel.element.locator(".note.stop b")).to_have_text(said)


def test_figures_that_were_changed_elsewhere_are_never_merged_by_the_machine(panel: Panel) -> None:
    panel.press("end", how="rummikub", letter="B")
    other = table(5)["sheet"]["typed"]
    other["games"][0]["ended_by"] = "pool"
    panel.page.evaluate("(typed) => store.tell(5, {sheet: {state: 'draft', revision: 1, typed}})", other)
    expect(panel.element.locator(".note.wait")).to_contain_text("計分紙在別處被更改")
    panel.press("theirs")
    panel.press("game", place=0)
    expect(panel.element.locator('.how [aria-pressed="true"]')).to_contain_text("牌抽完")


def test_a_sheet_of_the_final_says_so_and_which_round_it_is_of(chromium: Browser) -> None:
    panel = Panel(panel_page(chromium, state(table(5), stage="final", round=2, rounds=3)), 5)
    three_games(panel)
    panel.press("agree")
    expect(panel.element.locator("h1")).to_have_text("決賽計分紙")
    expect(panel.element.locator("h1 + p")).to_have_text("決賽第二輪·枱 5·評審員 馮婉𤧬·計分紙編號 0406-3-05")
