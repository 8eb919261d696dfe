"""The events of a bad day in other orders than were thought of: at a tablet in Chromium and at the desk beside it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Route, expect

from tests.day.tablet_page import GAME, LONG, WINDOW, Hall, TabletPage
from tests.day.test_tablet_hands import hand_out
from tests.day.test_tablet_locked import leave, settled, sign_all
from tests.day.test_tablet_mess import absent
from tests.day.test_tablet_restored import state_of_sheet
from tests.day.test_tablet_says import FULL
from tests.snapshots import copied, put_back
from tests.tablets.tablet_caller import PIN
from tournament.core.enums import Role
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.services import epochs, pins
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.conduct import Incident, NoteEnd
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press_at_desk(hall: Hall, mark: Incident, how: str = "confirm", **sent: str) -> int:
    """One press in the desk's queue, as a page of before would send it."""
    desk = Client()
    desk.force_login(hall.organiser)
    address = f"/desk/{hall.event.slug}/queue/marks/{mark.pk}/{how}/"
    return desk.post(address, {"request_key": f"{how}-{mark.pk}", **sent}).status_code


def note(tablet: TabletPage, kind: str, seat: int, confirm: str) -> None:
    """A note of table 1 about a seat."""
    tablet.panel(1).press("notes")
    notes = tablet.page.locator("dialog[open]")
    notes.get_by_role("button", name=kind, exact=True).click()
    notes.locator(".choice button").nth(seat).click()
    notes.get_by_role("button", name=confirm).click()


# --- A restore under a signed tablet, then on to the next session, then paired again ----------------------
@pytest.mark.parametrize("first", ["turn over", "pair again"])
def test_what_was_signed_before_a_restore_reaches_the_desk_whatever_the_tablet_does_before_it_hears_of_it(
    hall: Hall, tablet: TabletPage, first: str
) -> None:
    hall.seat(2, (1, 2))
    backup = copied()
    hand_out(tablet)
    sign_all(tablet)
    tablet.waits_until(lambda: state_of_sheet() == ("signed", 6), "it is not signed")
    tablet.press("交回評審員")
    tablet.type_pin()
    tablet.page.wait_for_selector('[data-table="1"]')
    if first == "turn over":
        tablet.menu("繼續第二場")
        tablet.waits_until(lambda: Device.objects.count() == 2, "it has not gone on")
    tablet.lose()
    put_back(backup)
    epochs.renew_epoch()
    again = hall.address((1, 2), 1 if first == "pair again" else 2)
    tablet.regain()
    tablet.page.goto("about:blank")
    tablet.page.goto(again)
    tablet.type_pin()
    if first == "pair again":
        tablet.waits_until(lambda: state_of_sheet() == ("signed", 6), "it was not sent again")
        assert not QuarantinedSubmission.objects.exists()
    else:
        acts = {"save", "package"}
        tablet.waits_until(
            lambda: acts <= set(QuarantinedSubmission.objects.values_list("act", flat=True)), "the desk has nothing"
        )
        expect(tablet.network).not_to_contain_text("全部已記錄")


# --- The old page of a session is still open on two tablets ---------------------------------------------------
def test_two_tablets_of_a_referee_go_on_each_with_its_own_tables_and_what_the_old_page_made_is_of_its_session(
    hall: Hall, browser: Browser
) -> None:
    hall.seat(2, (1, 2))
    one = TabletPage(browser.new_context(**WINDOW)).open(hall.address((1,)))
    other = TabletPage(browser.new_context(**WINDOW)).open(hall.address((2,)), table=2)
    one.menu("繼續第二場")
    expect(one.page.locator("[data-where]")).to_have_text("第二場·枱 1", timeout=LONG)
    one.page.wait_for_selector('[data-table="1"] .how')
    other.panel(2).game("rummikub", "B", GAME)
    one.panel(1).game("rummikub", "A", GAME)
    other.waits_until(lambda: Scoresheet.objects.filter(table__session__number=1).exists(), "it is not recorded")
    expect(other.network).to_contain_text("全部已記錄", timeout=LONG)
    other.menu("繼續第二場")
    expect(other.page.locator("[data-where]")).to_have_text("第二場·枱 2", timeout=LONG)
    other.panel(2).game("rummikub", "C", GAME)
    expect(one.page.locator('[data-table="1"]')).to_be_visible()
    found = Scoresheet.objects.order_by("table__session__number", "table__number")
    sheets = found.values_list("table__session__number", "table__number", "revision")
    wanted = [(1, 2, 1), (2, 1, 1), (2, 2, 1)]
    other.waits_until(lambda: list(sheets.all()) == wanted, f"the server has not the sheets {wanted}")
    assert not QuarantinedSubmission.objects.exists()


# --- Two absent children, one of whom comes late --------------------------------------------------------------
def test_of_two_absent_offline_one_comes_late_and_the_desk_presses_in_the_wrong_order(
    hall: Hall, tablet: TabletPage
) -> None:
    tablet.lose()
    for seat in (2, 3):
        absent(tablet, seat)
    note(tablet, "遲到", 2, "此局進行中到達")
    tablet.regain()
    tablet.waits_until(lambda: Incident.objects.count() == 3, "the notes have not come")
    marks = list(Incident.objects.order_by("pk"))
    assert [(one.kind, one.letter) for one in marks] == [("absent", "C"), ("absent", "D"), ("late", "C")]
    assert [press_at_desk(hall, marks[place]) for place in (2, 1, 0)] == [302, 302, 409]
    assert list(Entrant.objects.exclude(status="ok").values_list("number", "status")) == [(104, "forfeited")]
    assert press_at_desk(hall, marks[0], "dismiss", reason="came late") == 302


def test_a_note_taken_back_at_the_table_is_not_recorded_by_a_queue_of_before(hall: Hall, tablet: TabletPage) -> None:
    absent(tablet, 2)
    tablet.waits_until(lambda: Incident.objects.exists(), "the note has not come")
    mark = Incident.objects.get()
    tablet.panel(1).press("notes")
    notes = tablet.page.locator("dialog[open]")
    notes.get_by_role("button", name="已有記事").click()
    notes.get_by_role("button", name="收回").first.click()
    notes.get_by_role("button", name="按錯").click()
    tablet.waits_until(lambda: NoteEnd.objects.exists(), "it was not taken back")
    assert (press_at_desk(hall, mark), Entrant.objects.exclude(status="ok").count()) == (409, 0)


# --- Clocks and locks ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("hours", [-5, 5])
def test_what_is_signed_after_a_lock_is_held_whatever_the_tablet_s_clock_says(
    hall: Hall, browser: Browser, hours: int
) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install(time=timezone.now() + timedelta(hours=hours))
    tablet = TabletPage(context).open(hall.address())
    hand_out(tablet)
    tablet.lose()
    leave(tablet)
    sign_all(tablet)
    tablet.press("交回評審員")
    tablet.type_pin()
    tablet.panel(2).game("rummikub", "B", GAME)
    tablet.regain()
    settled(tablet, [("package", "locked")], [(1, 3, "draft"), (2, 1, "draft")])


def test_a_lock_while_an_item_is_on_its_way_holds_nothing_that_was_made_before_it(hall: Hall, browser: Browser) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install()
    tablet = TabletPage(context).open(hall.address())
    waiting: list[Route] = []
    tablet.answer_with(lambda route: waiting.append(route), "tables/1/save/")
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.waits_until(lambda: bool(waiting), "nothing is on its way")
    leave(tablet)
    expect(tablet.screen).to_contain_text("PIN", timeout=LONG)
    tablet.waits_until(lambda: Device.objects.get().locked_at is not None, "the server was not told of the lock")
    for one in waiting:
        one.continue_()
    tablet.regain("tables/1/save/")
    settled(tablet, [], [(1, 1, "draft")])


def test_what_failed_just_before_another_table_was_heard_is_sent_again_at_once(hall: Hall, browser: Browser) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install()
    tablet = TabletPage(context).open(hall.address())
    tried: list[Route] = []
    tablet.answer_with(lambda route: [tried.append(route), route.abort()], "tables/1/save/")
    tablet.panel(1).game("rummikub", "B", GAME)
    for tries, wait in enumerate((2, 3, 5, 10, 20), start=1):  # after them it waits for half a minute
        tablet.waits_until(lambda wanted=tries: len(tried) >= wanted, "it was not tried again")
        context.clock.fast_forward(1000 * wait)
    tablet.waits_until(lambda: len(tried) > 5, "it was not tried again")
    waiting: dict[str, Route] = {}
    tablet.context.unroute("**/api/v1/tablet/tables/1/save/")
    tablet.answer_with(lambda route: waiting.update({route.request.url.split("/")[-3]: route}), "tables/*/save/")
    tablet.panel(2).game("rummikub", "B", GAME)
    context.clock.fast_forward("00:40")
    tablet.waits_until(lambda: sorted(waiting) == ["1", "2"], "they are not on their way")
    waiting["1"].abort()
    waiting["2"].continue_()
    tablet.context.unroute("**/api/v1/tablet/tables/*/save/")
    expect(tablet.network).to_contain_text("全部已記錄", timeout=10_000)


def test_what_hangs_since_before_the_network_came_back_is_asked_again_at_once(hall: Hall, browser: Browser) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install()
    tablet = TabletPage(context).open(hall.address())
    hanging: list[Route] = []
    is_back: list[bool] = []
    tablet.answer_with(lambda route: route.continue_() if is_back else hanging.append(route))
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.waits_until(lambda: bool(hanging), "nothing is on its way")
    context.clock.fast_forward("00:05")
    is_back.append(True)
    tablet.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(tablet.network).to_contain_text("全部已記錄", timeout=15_000)


# --- A full disk while signing ------------------------------------------------------------------------------
def test_a_disk_that_is_full_while_players_sign_loses_nothing_and_signs_once(tablet: TabletPage) -> None:
    hand_out(tablet)
    panel = tablet.panel(1)
    for letter in "ABC":
        panel.sign(letter)
    tablet.page.evaluate(FULL)
    panel.sign("D")
    expect(tablet.screen).to_contain_text("此平板未能儲存", timeout=LONG)
    expect(panel.element.locator(".sign.ok")).to_have_count(3)
    assert Scoresheet.objects.get().state == "draft"
    tablet.page.evaluate("window.room()")
    panel.sign("D")
    tablet.waits_until(lambda: state_of_sheet() == ("signed", 6), "it is not signed")
    assert Signature.objects.filter(superseded_at=None, present=True).count() == 4


def test_a_disk_that_is_full_neither_leaves_the_tablet_open_nor_locks_its_referee_out(
    hall: Hall, browser: Browser
) -> None:
    context = browser.new_context(**WINDOW)
    context.clock.install()
    tablet = TabletPage(context).open(hall.address())
    hand_out(tablet)
    tablet.page.evaluate(FULL)
    tablet.press("交回評審員")
    tablet.type_pin()
    expect(tablet.panel(1).element).to_be_visible(timeout=LONG)
    expect(tablet.screen).to_contain_text("此平板未能儲存", timeout=LONG)
    tablet.menu("交給另一位評審員")
    expect(tablet.page.locator(".pin-keys")).to_be_visible(timeout=LONG)
    tablet.waits_until(lambda: Device.objects.get().locked_at is not None, "the server was not told of the lock")
    tablet.type_pin()
    expect(tablet.panel(1).element).to_be_visible(timeout=LONG)
    leave(tablet)
    expect(tablet.page.locator(".pin-keys")).to_be_visible(timeout=LONG)
    tablet.type_pin()
    expect(tablet.panel(1).element).to_be_visible(timeout=LONG)


# --- While a PIN is typed -------------------------------------------------------------------------------------
def test_digits_stay_when_the_keys_are_drawn_anew_and_none_are_typed_for_the_pairing_before(
    hall: Hall, tablet: TabletPage
) -> None:
    tablet.lose("pair/")
    tablet.page.goto("about:blank")
    tablet.page.goto(hall.address())
    expect(tablet.screen).to_contain_text("配對中…")
    assert not tablet.page.locator(".pin-keys").count()
    tablet.regain("pair/")
    keys = tablet.page.locator(".pin-keys")
    for digit in PIN[:2]:
        keys.get_by_role("button", name=digit, exact=True).click()
    pins.set_pin(hall.event, hall.account("second", Role.REFEREE), pin="8264", by=hall.organiser)
    expect(tablet.page.get_by_role("button", name="我是另一位")).to_be_visible(timeout=LONG)
    for digit in PIN[2:]:
        keys.get_by_role("button", name=digit, exact=True).click()
    keys.locator(".primary").click()
    tablet.page.wait_for_selector('[data-table="1"] .how')
