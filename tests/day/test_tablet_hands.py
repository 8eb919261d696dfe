"""A tablet in Chromium from hand to hand: a PIN without network, another referee, another tablet, the next session."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.day.tablet_page import GAME, LONG, WINDOW, Hall, TabletPage, saves
from tests.tablets.tablet_caller import give_tables
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.services import devices
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import clock
from tournament.tables.models import Table

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The seconds count down while they are looked for: each wait is told by what only it can show.
FIVE_SECONDS = re.compile(r"(?<!\d)[1-5] 秒後")
FIFTEEN_SECONDS = re.compile(r"(?<!\d)([6-9]|1[0-5]) 秒後")
A_MINUTE = re.compile(r"(?<!\d)(1[6-9]|[2-5]\d|60) 秒後")


def test_after_three_idle_minutes_the_same_referee_opens_it_without_network(hall: Hall, browser: Browser) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install()
    tablet = TabletPage(context).open(hall.address())
    tablet.lose()
    context.clock.fast_forward("03:06")
    tablet.type_pin("1111")
    expect(tablet.screen).to_contain_text("與上次開啟此平板的 PIN 不符", timeout=LONG)
    tablet.type_pin()
    tablet.panel(1).game("rummikub", "B", GAME)
    assert saves() == []
    tablet.regain()
    context.clock.fast_forward("00:31")
    tablet.is_recorded([(1, 1)])


def test_handed_over_with_items_waiting_each_stands_in_the_name_of_who_made_it(hall: Hall, tablet: TabletPage) -> None:
    other = hall.account("other", Role.REFEREE)
    give_tables(hall.session(1), other, ())
    tablet.lose("tables/**")
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.menu("交給另一位評審員")
    tablet.press("other")
    tablet.type_pin()
    tablet.panel(2).game("rummikub", "A", GAME)
    expect(tablet.network).to_contain_text("2 項待送", timeout=LONG)
    tablet.regain("tables/**")
    tablet.is_recorded([(1, 1), (2, 1)])
    found = AuditEntry.objects.filter(action="save_scoresheet").values_list("actor__username", flat=True)
    assert sorted(found) == ["other", "referee"]


def test_another_tablet_takes_a_table_over_and_both_say_so(hall: Hall, tablet: TabletPage, browser: Browser) -> None:
    second = TabletPage(browser.new_context(**WINDOW)).open(hall.address((2,)), table=2)
    expect(second.screen).to_contain_text("枱 2 已由平板 1 轉到此平板")
    tablet.regain()
    expect(tablet.screen).to_contain_text("枱 2 已由平板 2 接手", timeout=LONG)
    assert tablet.page.locator("[data-table]").count() == 1
    second.press("知道了")
    expect(second.screen).not_to_contain_text("轉到此平板")


def test_a_tablet_that_is_cut_off_records_nothing_from_that_moment(hall: Hall, tablet: TabletPage) -> None:
    devices.revoke_tablet(Device.objects.get(), reason="遺失", by=hall.organiser)
    tablet.lose("state/")  # else the first touch asks, and there is no key left to press
    with tablet.page.expect_response("**/tables/1/save/") as answer:
        tablet.panel(1).game("rummikub", "B", GAME)
    expect(tablet.screen).to_contain_text("大會已停用這部平板", timeout=1000)
    assert (answer.value.status, Scoresheet.objects.count()) == (401, 0)


def test_what_an_expired_tablet_still_has_is_handed_over_and_held_once(tablet: TabletPage) -> None:
    tablet.lose()
    tablet.panel(1).game("rummikub", "B", GAME)
    Device.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    tablet.regain()
    expect(tablet.screen).to_contain_text("有 1 項未記錄", timeout=LONG)
    tablet.press("交予大會")
    expect(tablet.screen).to_contain_text("已交予大會：1 項", timeout=LONG)
    assert list(QuarantinedSubmission.objects.values_list("act", "table__number", "because")) == [("save", 1, "late")]
    assert Scoresheet.objects.count() == 0


@pytest.mark.parametrize("end", ["closed", "cut off"])
def test_in_the_players_hands_an_end_shows_words_and_the_way_back_to_the_referee_alone(
    hall: Hall, tablet: TabletPage, end: str
) -> None:
    hall.seat(2, (1,))
    hand_out(tablet)
    if end == "closed":
        clock.move_session(hall.session(1), "close", by=hall.organiser, request_key="close", reason="power cut")
    else:
        devices.revoke_tablet(Device.objects.get(), reason="lost", by=hall.organiser)
    tablet.regain()
    expect(tablet.screen).to_contain_text("請把平板交回評審員", timeout=LONG)
    seen = "button:visible, a:visible"
    assert [one.strip() for one in tablet.page.locator(seen).all_inner_texts()] == ["取回平板"]
    tablet.press("取回平板")
    if end == "closed":
        tablet.type_pin()
    expect(tablet.screen).to_contain_text("本場已完結" if end == "closed" else "大會已停用這部平板", timeout=LONG)
    expect(tablet.screen).not_to_contain_text("請把平板交回評審員")


def test_wrong_pins_without_network_wait_longer_each_time_and_the_right_one_opens_in_the_end(
    hall: Hall, browser: Browser
) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install()
    tablet = TabletPage(context).open(hall.address())
    tablet.lose()
    context.clock.fast_forward("03:06")
    said = tablet.page.locator(".pin .fault")
    for _wrong in range(2):
        tablet.type_pin("1111")
        expect(said).to_contain_text("與上次開啟此平板的 PIN 不符", timeout=LONG)
    tablet.type_pin("1111")
    expect(said).to_contain_text(FIVE_SECONDS, timeout=LONG)
    tablet.page.reload()  # which gains no try
    tablet.type_pin("1111")
    expect(said).to_contain_text("秒後", timeout=LONG)
    for longer in (FIFTEEN_SECONDS, A_MINUTE, A_MINUTE, A_MINUTE):
        context.clock.fast_forward("01:01")
        tablet.type_pin("1111")
        expect(said).to_contain_text(longer, timeout=LONG)
    context.clock.fast_forward("01:01")
    tablet.type_pin()
    expect(tablet.panel(1).element.locator(".how")).to_be_visible(timeout=LONG)


def hand_out(tablet: TabletPage) -> None:
    """Table 1 to its players, three games recorded."""
    panel = tablet.panel(1)
    for letter in "BAC":
        panel.game("rummikub", letter, GAME)
    tablet.waits_until(lambda: Scoresheet.objects.filter(revision=3).exists(), "three games are not recorded")
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    tablet.waits_until(lambda: Device.objects.get().handed_out_id is not None, "the server was not told")


def test_on_to_the_next_session_with_one_tap(hall: Hall, browser: Browser) -> None:
    hall.seat(2, (1,))
    tablet = TabletPage(browser.new_context(**WINDOW)).open(hall.address())
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.is_recorded([(1, 1)])
    tablet.menu("繼續第二場")
    expect(tablet.page.locator("[data-where]")).to_have_text("第二場·枱 1", timeout=LONG)
    tablet.panel(1).game("rummikub", "C", GAME)
    tablet.is_recorded([(1, 1), (1, 1)])
    found = Scoresheet.objects.order_by("id").values_list("table__session__number", "table__number", "revision")
    assert list(found) == [(1, 1, 1), (2, 1, 1)]


def test_a_pin_that_the_server_asks_for_is_asked_at_once(tablet: TabletPage) -> None:
    Device.objects.update(handed_out=Table.objects.get(session__number=1, number=1))  # taken back without network
    tablet.lose("state/")  # it is not the next look at the server's state that brings the question
    tablet.panel(2).game("rummikub", "B", GAME)
    expect(tablet.screen).to_contain_text("伺服器須先核對你的 PIN", timeout=LONG)
    tablet.regain("state/")
    expect(tablet.screen).to_contain_text("取回平板", timeout=LONG)
    tablet.type_pin()
    tablet.is_recorded([(2, 1)])


def test_an_address_typed_where_the_page_stands_open_already_pairs_it(hall: Hall, browser: Browser) -> None:
    tablet = TabletPage(browser.new_context(**WINDOW))
    tablet.page.goto(f"{hall.url}/tablet/{hall.event.slug}/")
    expect(tablet.page.locator("#code")).to_be_visible()
    tablet.open(hall.address())
    assert "#" not in tablet.page.url
