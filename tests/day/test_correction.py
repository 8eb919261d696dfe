"""A correction after a release, in Chromium: begun, typed, its effect read, agreed by two, released under a new
number."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.browser import assert_fits, window_of
from tests.conftest import event_data
from tests.sheets.correcting import locked, slipped
from tests.sheets.tables import paper, settle
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.services.release import release_results
from tournament.releases.models import Release
from tournament.setup.services import setup
from tournament.sheets.models.signing import OfficialSheet
from tournament.sheets.services import signing

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What the paper of table 1 has where the sheet was typed with a slip.
CELLS = {
    "games-0-A-points": "-14",
    "games-0-A-tiles": "3",
    "games-0-B-points": "-21",
    "games-0-B-tiles": "5",
    "totals-A-points": "8.17",
    "totals-A-tiles": "8",
    "totals-B-points": "-41.5",
    "totals-B-tiles": "15",
}


def other_table() -> Any:
    """Table 2: its B stands between the two readings of table 1's B."""
    typed = paper()
    typed["games"][0]["seats"]["A"]["points"] = "-18"
    typed["games"][0]["seats"]["B"]["points"] = "-17"
    typed["totals"]["A"]["points"], typed["totals"]["B"]["points"] = "4.17", "-37.5"
    return typed


@pytest.fixture
def people(db: None) -> dict[str, User]:
    """Two tables, both sheets stamped, five of eight advance, and release 1 is out."""
    event = setup.create_event(event_data())
    roles = {"organiser": Role.ORGANISER, "clerk": Role.CLERK, "other": Role.CLERK, "judge": Role.CHIEF_JUDGE}
    found = {
        name: accounts.create_account(event, name, "unused-password", name, [role]) for name, role in roles.items()
    }
    session = Session.objects.select_related("stage__event").get(number=1)
    session.stage.advance = 5
    session.stage.save(update_fields=["advance"])
    settle(session, found["organiser"], [4, 4])
    locked(session, 1, found["clerk"], found["other"], slipped())
    locked(session, 2, found["clerk"], found["other"], other_table())
    signing.stamp_session(session, by=found["organiser"])
    Event.objects.update(results_at=timezone.now())
    session.stage.event.refresh_from_db()
    release_results(session.stage, by=found["organiser"])
    return found


def test_a_correction_after_a_release(browser: Browser, live_server: Any, people: dict[str, User]) -> None:
    desk = f"{live_server.url}/desk/hk-2026"
    organiser, judge = (window_of(browser, live_server.url, people[name]) for name in ("organiser", "judge"))
    faults: list[str] = []
    for page in (organiser, judge):
        page.on("pageerror", lambda fault: faults.append(str(fault)))

    organiser.goto(f"{desk}/scoresheets/1/1/")
    organiser.get_by_role("link", name="更正…").click()
    organiser.get_by_label("鎖定的一版錯在哪裡").fill("第 1 局 A、B 的得分和剩牌對調了")
    organiser.get_by_role("button", name="開新版本…").press("Enter")
    organiser.wait_for_url("**/scoresheets/1/1/")
    organiser.locator("#heading-serial").fill("0328-1-01")
    for name, text in CELLS.items():
        organiser.locator(f"[id='{name}']").fill(text)
    with organiser.expect_navigation():
        organiser.keyboard.press("Control+Enter")
    # A total that is read anew is looked at anew.
    for _look in range(4):
        if organiser.url.endswith("/correction/"):
            break
        organiser.keyboard.press("F8")
        organiser.keyboard.press("Space")
        with organiser.expect_navigation():
            organiser.keyboard.press("Control+Enter")

    rows = organiser.locator("section.card", has=organiser.get_by_role("heading", name="跨過晉級線")).locator(
        "tbody tr"
    )
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("不晉級 → 晉級")
    expect(rows.nth(0)).to_contain_text("0306")
    expect(rows.nth(1)).to_contain_text("0302")
    assert_fits(organiser)
    with organiser.expect_navigation():
        organiser.get_by_role("button", name="提出這個版本").press("Enter")
    expect(organiser.get_by_role("button", name="同意：以新版本計算")).to_have_count(0)
    assert OfficialSheet.objects.get(table__number=1).scoresheet.version == 1

    judge.goto(f"{desk}/scoresheets/1/1/correction/")
    judge.get_by_role("button", name="同意：以新版本計算").press("Enter")
    expect(judge.get_by_text("須重新公佈")).to_be_visible()
    assert_fits(judge)
    assert OfficialSheet.objects.get(table__number=1).scoresheet.version == 2

    organiser.goto(f"{desk}/scoresheets/1/1/?version=1")
    expect(organiser.get_by_text("現以另一版本計算")).to_be_visible()
    organiser.goto(f"{desk}/scoresheets/1/1/")
    with organiser.expect_navigation():
        organiser.get_by_role("button", name="蓋印").press("Enter")
    organiser.goto(f"{desk}/releases/")
    organiser.locator("input[name=count]").fill("8")
    organiser.locator("form:has(input[name=count]) button[type=submit]").click()
    expect(organiser.locator("input[name=count]")).to_have_count(0)
    assert [row.number for row in Release.objects.order_by("number")] == [1, 2]
    judge.goto(f"{live_server.url}/p/hk-2026/")
    expect(judge.locator("tr#line + tr")).to_contain_text("0302")
    judge.goto(f"{desk}/scoresheets/1/1/correction/")
    expect(judge.get_by_text("須重新公佈")).to_have_count(0)
    assert faults == []
