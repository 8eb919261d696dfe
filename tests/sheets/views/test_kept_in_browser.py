"""What was typed stays: signed out, no network, the page closed, a photo beside a half-typed sheet, in Chromium."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session as SignIn
from django.test import Client
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser import window_of
from tests.sheets.correcting import handed_on
from tests.sheets.services.test_scoresheets_second import other_paper
from tests.sheets.tables import paper
from tests.sheets.typing_page import make_clerk, typing_page
from tournament.accounts.services import accounts
from tournament.core import storage
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import find_table_of_event
from tournament.sheets.services import double_entry, signing_disputes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_SECOND = 1500  # milliseconds: one, and the slowness of a shared machine
CELLS = {"games-0-A-points": "-14", "games-0-A-tiles": "3", "games-0-B-points": "-21", "totals-D-points": "43"}


@pytest.fixture
def clerk(db: None) -> User:
    """At the event, whose first session is drawn."""
    return make_clerk()


@pytest.fixture
def page(clerk: User, browser: Browser, live_server: Any) -> Iterator[Page]:
    """The typing page of table 1, the clerk signed in."""
    with typing_page(browser, live_server, clerk) as opened:
        yield opened


def type_cells(page: Page, cells: dict[str, str] = CELLS) -> None:
    for name, text in cells.items():
        page.fill(f"[id='{name}']", text)


def cells_of(page: Page) -> dict[str, str]:
    return {name: page.locator(f"[id='{name}']").input_value() for name in CELLS}


def stored(page: Page) -> list[str]:
    """The names of what this browser keeps of sheets."""
    return page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('sheet:'))")


def sign_in_again(page: Page, user: User, url: str) -> None:
    client = Client()
    client.force_login(user)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])


def test_a_sign_in_that_ends_is_said_within_a_second_and_beside_it_the_same_cells_go_on(
    page: Page, clerk: User, live_server: Any
) -> None:
    type_cells(page)
    expect(page.locator("[data-say=here]")).to_be_visible()
    SignIn.objects.all().delete()
    expect(page.locator("[data-say=out]")).to_be_visible(timeout=A_SECOND + 500)
    page.fill("[id='games-1-A-points']", "11.5")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-say=out]")).to_be_visible()
    assert (cells_of(page), page.locator("[id='games-1-A-points']").input_value()) == (CELLS, "11.5")
    assert "sign-in" in (page.locator("[data-say=out] a").get_attribute("href") or "")
    key = page.locator("#sheet > [name=request_key]").input_value()
    sign_in_again(page, clerk, live_server.url)
    expect(page.locator("[data-say=server]")).to_be_visible(timeout=5000)
    sheet = Scoresheet.objects.get()
    assert (sheet.typed["games"][0]["seats"]["A"]["points"], sheet.typed["games"][1]["seats"]["A"]["points"]) == (
        *("-14", "11.5"),
    )
    assert (page.locator("#sheet > [name=request_key]").input_value() != key, stored(page)) == (True, [])


def test_a_network_that_goes_is_said_at_once_and_back_again_the_cells_are_sent(page: Page) -> None:
    type_cells(page)
    page.context.set_offline(True)
    expect(page.locator("[data-say=away]")).to_be_visible(timeout=A_SECOND)
    page.fill("[id='games-1-A-points']", "11.5")
    page.get_by_role("button", name="暫存").last.click()
    expect(page.locator("[data-say=away]")).to_be_visible()
    assert cells_of(page) == CELLS
    page.context.set_offline(False)
    expect(page.locator("[data-say=server]")).to_be_visible(timeout=5000)
    assert Scoresheet.objects.get().typed["games"][1]["seats"]["A"]["points"] == "11.5"


@pytest.mark.fault("P4")
def test_a_server_whose_disk_is_full_gets_the_cells_by_itself_once_there_is_room(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.evaluate("Date.now = ((real) => () => real() + 60000)(Date.now)")  # so long typed: the next pause saves
    with monkeypatch.context() as full:
        full.setattr(storage, "is_storage_full", lambda: True)
        full.setattr(storage.StorageFull, "wait", 1)
        type_cells(page)
        expect(page.locator("[data-say=later]")).to_be_visible()
        page.wait_for_timeout(1500)
        expect(page.locator("[data-say=later]")).to_be_visible()
        assert (cells_of(page), Scoresheet.objects.exclude(typed={}).count()) == (CELLS, 0)
    expect(page.locator("[data-say=server]")).to_be_visible(timeout=5000)
    assert Scoresheet.objects.get().typed["games"][0]["seats"]["A"]["points"] == "-14"
    assert stored(page) == []


def test_packets_that_are_swallowed_are_said_within_a_second_and_an_answer_ends_it(page: Page) -> None:
    type_cells(page)
    expect(page.locator("[data-say=here]")).to_be_visible()
    page.wait_for_timeout(1500)  # some answers, as they come on this machine
    page.route(f"**{page.locator('[data-who]').get_attribute('data-who')}", lambda route: None)
    expect(page.locator("[data-say=away]")).to_be_visible(timeout=A_SECOND + 500)
    page.fill("[id='games-1-A-points']", "11.5")
    expect(page.locator("[data-say=away]")).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator("[data-say=server]")).to_be_visible(timeout=10000)
    assert Scoresheet.objects.get().typed["games"][1]["seats"]["A"]["points"] == "11.5"


@pytest.mark.parametrize("delays", [[800], [50, 50, 750], [300, 800]])
def test_a_server_that_is_slow_is_not_said_to_be_away(page: Page, delays: list[int]) -> None:
    page.evaluate(
        """(delays) => {
            const real = window.fetch;
            const away = document.querySelector("[data-say=away]");
            window.away = 0;
            new MutationObserver(() => { window.away += !away.hidden; }).observe(away, { attributes: true });
            let count = 0;
            window.fetch = async (url, ...rest) => {
                const found = await real(url, ...rest);
                if (String(url).includes("own-sign-in")) {
                    await new Promise((then) => setTimeout(then, delays[count++ % delays.length]));
                }
                return found;
            };
        }""",
        delays,
    )
    type_cells(page)
    page.wait_for_timeout(5000)
    assert page.evaluate("window.away") == 0


def test_a_page_that_was_closed_offers_its_cells_to_the_same_account_alone(
    page: Page, clerk: User, live_server: Any
) -> None:
    type_cells(page)
    page.close(run_before_unload=False)
    again = page.context.new_page()
    again.goto(f"{live_server.url}/desk/hk-2026/scoresheets/1/1/")
    box = again.locator("[data-offer-kept]")
    expect(box.locator("tbody tr")).to_have_count(len(CELLS))
    assert "-14" in box.inner_text()
    box.locator("[data-take]").click()
    expect(again.locator("[data-say=server]")).to_be_visible(timeout=5000)
    assert (cells_of(again), stored(again)) == (CELLS, [])
    assert Scoresheet.objects.get().typed["games"][0]["seats"]["A"]["points"] == "-14"


def test_to_type_on_before_the_offer_is_answered_drops_nothing_of_it(page: Page, live_server: Any) -> None:
    type_cells(page)
    page.select_option("[id='games-0-ended_by']", index=1)
    page.close(run_before_unload=False)
    second = page.context.new_page()
    second.goto(f"{live_server.url}/desk/hk-2026/scoresheets/1/1/")
    expect(second.locator("[data-offer-kept] tbody")).to_contain_text("魔力橋")
    second.fill("[id='games-1-A-points']", "11.5")
    second.get_by_role("button", name="暫存").last.click()
    expect(second.locator("[data-said=success]")).to_be_visible()
    third = page.context.new_page()
    third.goto(second.url)
    expect(third.locator("[data-offer-kept] tbody tr")).to_have_count(len(CELLS) + 1)
    third.locator("[data-drop]").click()
    assert (stored(third), third.locator("[id='games-1-A-points']").input_value()) == ([], "11.5")


def test_another_account_and_signing_out_find_nothing_of_it_and_no_name_is_kept(
    page: Page, clerk: User, live_server: Any
) -> None:
    type_cells(page)
    page.fill("[id='heading-serial']", "0328-1-01")
    page.locator(".heading details summary").click()
    page.fill("[name=heading-referee]", "Chan Tai Man")
    kept = page.evaluate("Object.values(localStorage).join()")
    assert ("-14" in kept, "Chan" in kept) == (True, False)
    event = Session.objects.get(number=1).stage.event
    other = accounts.create_account(event, "other", "unused-password", "other", [Role.CLERK])
    sign_in_again(page, other, live_server.url)
    expect(page.locator("[data-say=other]")).to_be_visible(timeout=A_SECOND + 500)
    page.fill("[id='games-1-A-points']", "11.5")
    assert (stored(page), Scoresheet.objects.count()) == ([], 0)
    sign_in_again(page, clerk, live_server.url)
    expect(page.locator("[data-say=server]")).to_be_visible(timeout=5000)
    type_cells(page, {"games-0-A-points": "-15"})
    assert len(stored(page)) == 1
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-sign-out] button").click()
    page.wait_for_url("**/sign-in/**")
    assert stored(page) == []


def test_handed_on_or_saved_nothing_is_left_in_the_browser(page: Page) -> None:
    type_cells(page)
    assert len(stored(page)) == 1
    page.get_by_role("button", name="暫存").last.click()
    expect(page.locator("[data-said=success]")).to_be_visible()
    assert (stored(page), Scoresheet.objects.count(), cells_of(page)) == ([], 1, CELLS)


# --- Where cells are decided -------------------------------------------------------------------------------
@pytest.fixture
def judge(clerk: User) -> User:
    """The chief judge of the clerk's event."""
    event = Session.objects.get(number=1).stage.event
    return accounts.create_account(event, "judge", "unused-password", "judge", [Role.CHIEF_JUDGE])


def handed_on_to_be_decided(clerk: User, second: str) -> str:
    """Table 1's sheet, handed on and disputed, or typed a second time otherwise; the page on which that is decided."""
    stage = Session.objects.get(number=1).stage
    if second == "third":
        double_entry.set_double_entry_percent(stage, percent=100, by=clerk)
    table = find_table_of_event(stage.event, 1, 1)
    assert table is not None
    if second == "dispute":
        handed_on(table, paper(), clerk)
        signing_disputes.raise_dispute(table, revision=2, reason="game 1", by=clerk, request_key="d")
        return "dispute"
    handed_on(table, paper(), clerk)
    other = accounts.create_account(stage.event, "other", "unused-password", "other", [Role.CLERK])
    typed = other_paper()
    double_entry.save_second_entry(table, revision=0, typed=typed, done=True, by=other, request_key="a")
    return "again"


@pytest.mark.parametrize("kind", ["dispute", "third"])
def test_what_is_decided_cell_by_cell_is_kept_in_the_browser_as_a_typed_sheet_is(
    clerk: User, judge: User, browser: Browser, live_server: Any, kind: str
) -> None:
    address = f"{live_server.url}/desk/hk-2026/scoresheets/1/1/{handed_on_to_be_decided(clerk, kind)}/"
    page = window_of(browser, live_server.url, judge)
    page.goto(address)
    if kind == "dispute":
        page.fill("[name=games-0-A-points]", "-15")
        page.fill("[name=reason]", "as Chan Tai Man says")
    else:
        page.locator("table.choose tbody tr").first.locator("input[type=radio]").nth(1).check()
    expect(page.locator("[data-say=here]")).to_be_visible()
    kept = page.evaluate("Object.values(localStorage).join()")
    assert ("-15" in kept or kind == "third", "Chan" in kept) == (True, False)
    page.context.set_offline(True)
    expect(page.locator("[data-say=away]")).to_be_visible(timeout=A_SECOND)
    page.context.set_offline(False)
    SignIn.objects.all().delete()
    expect(page.locator("[data-say=out]")).to_be_visible(timeout=A_SECOND + 500)
    page.locator(f"button[value={'decide' if kind == 'dispute' else 'settle'}]").click()
    expect(page.locator("[data-say=out]")).to_be_visible()  # the page is still here
    sign_in_again(page, judge, live_server.url)
    page.close(run_before_unload=False)
    again = page.context.new_page()
    again.goto(address)
    box = again.locator("[data-offer-kept]")
    expect(box.locator("tbody tr")).to_have_count(1)
    box.locator("[data-take]").click()
    if kind == "dispute":
        expect(again.locator("[name=games-0-A-points]")).to_have_value("-15")
        again.locator("[data-offer-kept]").wait_for(state="hidden")
        again.fill("[name=games-0-A-points]", "-14")
        again.fill("[name=reason]", "as on the paper")
        again.locator("button[value=decide]").click()
    else:
        rows = again.locator("table.choose tbody tr")
        expect(rows.first.locator("input[type=radio]").nth(1)).to_be_checked()
        for number in range(rows.count()):
            rows.nth(number).locator("input[type=radio]").first.check()
        again.locator("button[value=settle]").click()
    expect(again.locator("[data-said=success]")).to_be_visible()
    again.wait_for_load_state()
    assert (stored(again), Scoresheet.objects.get().state) == ([], "ready")
    page.context.close()


def test_to_type_on_beside_an_offer_on_the_page_of_a_dispute_drops_nothing_of_it(
    clerk: User, judge: User, browser: Browser, live_server: Any
) -> None:
    address = f"{live_server.url}/desk/hk-2026/scoresheets/1/1/{handed_on_to_be_decided(clerk, 'dispute')}/"
    context = window_of(browser, live_server.url, judge).context
    for cell, rows in (("games-0-A-points", 0), ("games-1-A-points", 1), ("", 2)):
        page = context.new_page()
        page.goto(address)
        expect(page.locator("[data-offer-kept] tbody tr")).to_have_count(rows)
        if cell:
            page.fill(f"[name={cell}]", "-15")
            expect(page.locator("[data-say=here]")).to_be_visible()
        page.close(run_before_unload=False)
    context.close()


# --- A photo beside a half-typed sheet ---------------------------------------------------------------------
def photo(size: tuple[int, int] = (4000, 3000)) -> bytes:
    """A photo of over a megabyte, as a phone makes it."""
    written = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(written, "JPEG", quality=60)
    return written.getvalue()


def choose(page: Page, content: bytes, kind: str = "image/jpeg") -> None:
    page.set_input_files("#scan-file", {"name": "paper.jpg", "mimeType": kind, "buffer": content})
    page.locator("[data-attach]").click()


def test_a_photo_attached_to_a_half_typed_sheet_costs_no_cell_and_is_made_smaller_before_it_is_sent(page: Page) -> None:
    type_cells(page)
    content = photo()
    with page.expect_request("**/scan/") as asked:
        choose(page, content)
    expect(page.locator("[data-progress]")).to_contain_text("掃描檔已保存", timeout=20000)
    expect(page.locator(".scan-view img")).to_be_visible()
    assert cells_of(page) == CELLS
    assert Scan.objects.count() == 1
    assert 0 < int(asked.value.all_headers()["content-length"]) < len(content)


def test_a_refused_photo_says_why_beside_the_cells(page: Page) -> None:
    type_cells(page)
    choose(page, b"no picture at all", "image/png")
    expect(page.locator("[data-progress]")).to_contain_text("JPEG", timeout=10000)
    assert (cells_of(page), Scan.objects.count()) == (CELLS, 0)


def test_without_script_the_cells_go_with_the_photo_and_are_saved_first(
    page: Page, clerk: User, browser: Browser, live_server: Any
) -> None:
    plain = window_of(browser, live_server.url, clerk, java_script_enabled=False)
    plain.goto(page.url)
    type_cells(plain)
    choose(plain, photo((400, 300)))
    plain.wait_for_url("**/scoresheets/1/1/")
    assert (cells_of(plain), Scan.objects.count(), Scoresheet.objects.get().revision) == (CELLS, 1, 1)
    plain.fill("[id='games-0-A-points']", "-15")
    choose(plain, b"no picture at all")
    expect(plain.get_by_role("link", name="返回計分紙")).to_be_visible()
    assert Scoresheet.objects.get().typed["games"][0]["seats"]["A"]["points"] == "-15"
    plain.context.close()


@pytest.mark.parametrize("script", [True, False])
def test_a_photo_from_a_second_browser_costs_the_first_none_of_its_cells(
    page: Page, clerk: User, browser: Browser, live_server: Any, script: bool
) -> None:
    type_cells(page)
    event = Session.objects.get(number=1).stage.event
    other = accounts.create_account(event, "beside", "unused-password", "beside", [Role.CLERK])
    second = window_of(browser, live_server.url, other, java_script_enabled=script)
    second.goto(page.url)
    choose(second, photo((400, 300)))
    expect(second.locator(".scan-view img").first).to_be_visible(timeout=20000)
    page.get_by_role("button", name="暫存").last.click()
    expect(page.locator("[data-said=success]")).to_be_visible()
    assert (cells_of(page), Scan.objects.count(), stored(page)) == (CELLS, 1, [])
    second.context.close()
