"""What a tablet in Chromium makes of answers: replays, a page that is too old, a portal; what the desk is told."""

import pytest
from playwright.sync_api import Browser, Response, Route, expect

from tests.browser import window_of
from tests.day.tablet_page import GAME, LONG, Hall, TabletPage, saves
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, Warning

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PORTAL = "<!doctype html><title>Free Wi-Fi</title><p>Accept our terms."
COUNT_TONES = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) { window.tones += 1; return start.apply(this, given); };
"""


def test_what_a_wifi_s_own_page_answers_is_not_taken_for_recorded(tablet: TabletPage) -> None:
    given = []

    def portal(route: Route) -> None:
        kind, body = [("text/html", PORTAL), ("application/json", '{"key": "a guess"}')][len(given) % 2]
        given.append(kind)
        route.fulfill(status=200, content_type=kind, body=body)

    tablet.answer_with(portal, "tables/**")
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.waits_until(lambda: len(given) >= 2, "the portal was asked once at most: the item is not sent again")
    expect(tablet.network).to_contain_text("1 項待送")
    assert saves() == []
    tablet.regain("tables/**")
    tablet.is_recorded([(1, 1)])


def test_the_word_at_a_game_follows_it_from_the_tablet_s_disk_to_the_server(tablet: TabletPage) -> None:
    held: list[Route] = []
    word = tablet.panel(1).element.locator('[data-act="game"] small').first
    tablet.lose()
    tablet.panel(1).game("rummikub", "B", GAME)
    expect(word).to_have_text("存於此機", timeout=LONG)
    expect(tablet.panel(1).element.locator(".mini th").last).to_have_text("第 1 局·存於此機")
    tablet.answer_with(lambda route: held.append(route), "tables/**")
    tablet.regain()
    expect(word).to_have_text("已送出", timeout=LONG)
    assert saves() == []
    held[0].continue_()
    expect(word).to_have_text("已記錄", timeout=LONG)
    tablet.is_recorded([(1, 1)])


def test_a_page_that_is_too_old_keeps_its_outbox_over_the_reload(tablet: TabletPage) -> None:
    tablet.answer_with(lambda route: route.continue_(headers={**route.request.headers, "x-client-schema": "0"}))
    tablet.panel(1).game("rummikub", "B", GAME)
    expect(tablet.screen).to_contain_text("有較新的頁面", timeout=LONG)
    expect(tablet.network).to_contain_text("1 項待送")
    assert saves() == []
    tablet.context.unroute_all()
    tablet.press("重新載入")
    tablet.is_recorded([(1, 1)])


def test_all_that_was_recorded_is_sent_again_and_answered_as_before(tablet: TabletPage) -> None:
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.panel(2).game("rummikub", "A", GAME)
    tablet.is_recorded([(1, 1), (2, 1)])
    seen: list[tuple[int, str | None]] = []

    def note(answer: Response) -> None:
        if answer.url.endswith("/save/"):
            seen.append((answer.status, answer.header_value("Idempotent-Replay")))

    tablet.page.on("response", note)
    tablet.menu("全部重新傳送")
    expect(tablet.page.locator("#dialog")).to_contain_text("正重新傳送 2 項")
    tablet.waits_until(lambda: len(seen) >= 2, "what was recorded was not sent again, both items of it")
    tablet.is_recorded([(1, 1), (2, 1)])
    assert seen == [(200, "true"), (200, "true")]
    assert AuditEntry.objects.filter(action="save_scoresheet").count() == 2


def test_a_pause_overtime_a_warning_and_a_note_reach_the_desk(tablet: TabletPage) -> None:
    panel, page = tablet.panel(1), tablet.page
    dialog = page.locator("dialog[open]")

    def note(act: str, letter: str = "") -> None:
        panel.press("notes")
        dialog.get_by_role("button", name=act, exact=True).click()
        if letter:
            dialog.locator(".choice button", has_text=letter).first.click()

    note("口頭警告", "B")
    dialog.locator(".reasons button").first.click()
    note("亮牌", "C")
    dialog.get_by_role("textbox").fill("第三輪")
    dialog.locator(".primary").click()
    note("加時")
    dialog.get_by_role("textbox").fill("遲開始")
    dialog.locator(".primary").click()
    note("洗手間", "A")
    dialog.get_by_role("textbox").fill("義工")
    dialog.locator(".primary").click()
    expect(page.locator("[data-until]")).to_contain_text("枱 1：暫停", timeout=LONG)
    assert list(Warning.objects.values_list("entrant__number", "game")) == [(102, 1)]
    assert list(Incident.objects.values_list("kind", "letter", "note")) == [("exposed_tile", "C", "第三輪")]
    told = (
        ClockEvent.objects.exclude(table=None)
        .order_by("id")
        .values_list("kind", "letter", "escort", "minutes", "reason")
    )
    assert list(told) == [("overtime", "", "", 2, "遲開始"), ("pause", "A", "義工", None, "")]


def test_a_call_is_heard_and_seen_at_the_desk_while_the_referee_waits(
    hall: Hall, tablet: TabletPage, browser: Browser
) -> None:
    judge = hall.account("judge", Role.CHIEF_JUDGE)
    queue = window_of(browser, hall.url, judge)
    queue.add_init_script(COUNT_TONES)
    queue.goto(f"{hall.url}/desk/{hall.event.slug}/queue/")
    queue.get_by_role("button", name="開啟聲音").click()
    before = queue.evaluate("window.tones")
    tablet.panel(2).press("call")
    tablet.page.locator("dialog[open] .reasons button").first.click()
    expect(tablet.screen).to_contain_text("已召總評判", timeout=LONG)
    call = JudgeCall.objects.get()
    expect(queue.locator(f"#call-{call.pk}")).to_contain_text(call.reason, timeout=LONG)
    assert (call.table.number, queue.evaluate("window.tones") > before) == (2, True)
