"""A whole small event by each of the other rule texts, in Debian's Chromium: from the workbook to the public's page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import assert_no_wider
from tests.day import preliminary
from tests.day.hall import PHONE, Hall
from tests.small_event import league_data, write_fixtures
from tournament.core.models.stage import Session
from tournament.demo.day import play_day
from tournament.demo.desk import record_absences
from tournament.demo.final import decide_demo_tie_breaks
from tournament.demo.stages import make_accounts
from tournament.events.domain import ruleset_of_stage
from tournament.events.queries import rounds_in_order
from tournament.ranking.domain.standings import live_ranking
from tournament.setup.services import setup

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ENTRANTS = 8
# Each rule text, and in how many rounds everybody plays.
LEAGUES = (("twist", 2), ("school", 1), ("french", 1), ("word", 1))


@pytest.fixture
def hall(request: pytest.FixtureRequest, browser: Browser, live_server: Any, tmp_path: Path) -> Iterator[Hall]:
    """The event with its accounts and nobody in it yet; its workbook lies in `tmp_path`."""
    data = league_data(request.param[0], ENTRANTS, request.param[1])
    write_fixtures(tmp_path, data)
    event = setup.create_event(data)
    hall = Hall(event, make_accounts(event), live_server.url, browser)
    yield hall
    assert hall.faults == []


@pytest.mark.parametrize("hall", LEAGUES, indirect=True, ids=[name for name, _rounds in LEAGUES])
def test_a_whole_event_by_another_rule_text(hall: Hall, tmp_path: Path) -> None:
    import_workbook(hall, tmp_path / "entrants.xlsx")
    for session in rounds_in_order(hall.stage):
        draw_seats(hall)
        day = play_day(hall.stage, ruleset_of_stage(hall.stage), preliminary.SEED, 0)
        record_absences(session, day, hall.people)
        preliminary.type_session(hall, session, day)
        preliminary.check_session(hall, session)
        preliminary.stamp_session(hall, session)
    decide_demo_tie_breaks(hall.stage, hall.people)
    ranked = len(live_ranking(hall.stage).ranked)
    preliminary.release_ranking(hall, ranked)
    read_on_a_phone(hall, ranked)


def import_workbook(hall: Hall, workbook: Path) -> None:
    """The clerk hands the workbook in, the organiser imports it."""
    clerk = hall.signed_in("clerk")
    clerk.goto(hall.desk("import/"))
    clerk.locator("input[type=file]").set_input_files(workbook)
    clerk.locator("form[enctype] button[type=submit]").click()
    clerk.wait_for_url("**/import/*/")
    organiser = hall.signed_in("organiser")
    organiser.goto(clerk.url)
    organiser.get_by_role("button", name=f"匯入 {ENTRANTS}").click()
    expect(organiser.get_by_role("heading", level=1)).to_be_visible()
    assert hall.event.entrants.count() == ENTRANTS


def draw_seats(hall: Hall) -> None:
    """The organiser draws what can be drawn, and confirms it."""
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk("seating/"))
    organiser.locator("input[name=seed]").fill(str(preliminary.SEED))
    organiser.locator("form[action$='seating/draw/'] button").click()
    organiser.locator("form[action$='seating/confirm/'] button").click()
    organiser.wait_for_url("**/seating/")
    assert Session.objects.filter(draw__confirmed_at__isnull=False).exists()


def read_on_a_phone(hall: Hall, ranked: int) -> None:
    """The winners, then everybody in order, in both languages."""
    phone = hall.window(viewport=PHONE, locale="zh-HK", has_touch=True)
    for language in ("", "en/"):
        phone.goto(f"{hall.url}/p/{hall.event.slug}/{language}")
        expect(phone.locator("h1")).to_be_visible()
        assert_no_wider(phone, PHONE["width"])
        phone.goto(f"{hall.url}/p/{hall.event.slug}/1/{language}")
        expect(phone.locator("table.rank tbody tr")).to_have_count(ranked)
        assert_no_wider(phone, PHONE["width"])
