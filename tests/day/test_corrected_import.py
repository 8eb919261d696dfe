"""A corrected list, in Chromium: what it changes is read before anything changes, then it is imported by a worker."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_fits, window_of
from tests.conftest import event_data
from tests.entrant_lists import csv_of, sound_row
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.services import jobs
from tournament.entrants.models.people import Entrant, Person
from tournament.registration.services import importing
from tournament.setup.services import setup

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def rows(**changed: Any) -> list[dict[str, Any]]:
    """Two hundred and twenty entrants in three sessions; the first with these cells."""
    made = [sound_row(number, session=str(number % 3 + 1)) for number in range(1, 221)]
    return [{**made[0], **changed}, *made[1:]]


@pytest.fixture
def organiser(db: None) -> User:
    """An organiser whose list was imported once."""
    event = setup.create_event(event_data())
    user = accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    kept = importing.read_file(event, name="first.csv", content=csv_of(rows()), by=user)
    importing.import_file(kept, by=user)
    return user


@pytest.fixture
def page(organiser: User, browser: Browser, live_server: Any) -> Page:
    return window_of(browser, live_server.url, organiser)


def test_a_corrected_list_is_read_before_it_changes_anything(page: Page, live_server: Any, tmp_path: Path) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    corrected = tmp_path / "corrected.csv"
    corrected.write_bytes(csv_of([*rows(phone="9123 4567", session="5"), sound_row(500, session="6")]))

    page.goto(f"{live_server.url}/desk/hk-2026/import/")
    page.get_by_label("參賽者名單").set_input_files(corrected)
    page.get_by_role("button", name="讀取").press("Enter")
    changes = page.locator("#changes tbody tr")
    expect(changes).to_have_count(1)
    expect(changes.locator("del")).to_have_text(["0328-2", "（空白）"])
    expect(changes.locator("ins")).to_have_text(["0406-1", "+85291234567"])
    assert_fits(page)
    assert (Person.objects.get(entrant__number=1).phone, Entrant.objects.count()) == ("", 220)

    # A worker has just given a sign of life, so the list waits for it; then it comes.
    jobs.record_worker_heartbeat("worker")
    page.get_by_role("button", name="匯入 1 人、更改 1 人").press("Enter")
    expect(page.locator("#progress")).to_contain_text("匯入正在輪候")
    assert_fits(page)
    call_command("work", "--once")
    expect(page.get_by_text("此檔案已匯入")).to_be_visible(timeout=15_000)
    assert Entrant.objects.count() == 221

    page.goto(f"{live_server.url}/desk/hk-2026/entrants/1/")
    expect(page.locator("#history")).to_contain_text("更改資料 場次、電話")
    assert_fits(page)
    page.get_by_label("轉往場次").select_option("7")
    page.locator("#move_reason").fill("學校活動")
    page.locator("#move_reason").press("Enter")
    expect(page.locator("#history")).to_contain_text("學校活動")
    assert Entrant.objects.select_related("session").get(number=1).session.number == 7
    page.get_by_role("link", name="更正").press("Enter")
    page.wait_for_url("**/entrants/1/change/")
    assert_fits(page)
    assert faults == []
