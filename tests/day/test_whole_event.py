"""A whole event through pages and API, in Debian's Chromium: from the workbook to the winners' page.

1,200 entrants and twelve sessions; one session's 25 sheets are typed by keyboard, checked and stamped through the
pages, the other 275 through the services. A tie across the line, declines and calls, a final of three rounds whose
sheets come by the API, a podium with a play-off, an award level on its first key, a correction after the release. Every
figure is compared with the independent re-scorer.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import event_data
from tests.day import final, preliminary
from tests.day.hall import Hall
from tournament.core.models.stage import Session
from tournament.demo.day import DemoDay, play_day
from tournament.demo.desk import finish_session, record_absences
from tournament.demo.stages import make_accounts
from tournament.events.domain import ruleset_of_stage
from tournament.ranking.domain.standings import live_ranking
from tournament.releases.models import Release
from tournament.setup.services import setup
from tournament.sheets.models.signing import Stamp

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hall(browser: Browser, live_server: Any) -> Iterator[Hall]:
    """The event with its accounts and nobody in it yet."""
    event = setup.create_event(event_data())
    hall = Hall(event, make_accounts(event), live_server.url, browser)
    yield hall
    assert hall.faults == []


def test_a_whole_event_from_the_workbook_to_the_winners_page(hall: Hall, tmp_path: Path) -> None:
    preliminary.import_workbook(hall)
    preliminary.draw_and_print(hall, tmp_path)
    day = play_day(hall.stage, ruleset_of_stage(hall.stage), preliminary.SEED, 120)
    stars = final.join_families(hall, day)
    play_preliminary(hall, day)
    release = release_preliminary(hall)
    final.preliminary_is_as_rescored(release, day)

    final.set_up_final(hall, when="open")
    finalists = final.everybody_answers(hall)
    final.read_link_on_a_phone(hall, finalists[0])
    final.set_up_final(hall, when="dated")
    final.freeze(hall, finalists)
    final.draw_rounds(hall, finalists)
    tables = final.play_rounds(hall, stars)
    final.decide_podium(hall, tables, stars)
    made = final.release_final(hall, tables, stars)
    final.winners_on_a_phone(hall, made)
    corrected = final.correct_a_sheet(hall, tables, stars)
    final.replaced_in_public(hall, made, final.release_final(hall, corrected, stars))


def play_preliminary(hall: Hall, day: DemoDay) -> None:
    """Every sheet of twelve sessions typed, certified and stamped."""
    ruleset = ruleset_of_stage(hall.stage)
    first, *others = Session.objects.filter(stage=hall.stage).select_related("stage__event").order_by("number")
    record_absences(first, day, hall.people)
    preliminary.type_session(hall, first, day)
    preliminary.check_session(hall, first)
    preliminary.stamp_session(hall, first)
    for session in others:
        finish_session(session, ruleset, day, hall.people)
    assert Stamp.objects.count() == 300


def release_preliminary(hall: Hall) -> Release:
    """Blocked while the tie is undecided; then released and read on a phone."""
    ranking = live_ranking(hall.stage)
    auditor = hall.signed_in("auditor")
    auditor.goto(hall.desk("preliminary/ranking/"))
    expect(auditor.get_by_text(f"{ranking.ranked[0].number:04d}").first).to_be_visible()
    assert ranking.line.unresolved is not None
    preliminary.see_blocked_release(hall)
    preliminary.decide_tie(hall)
    release = preliminary.release_ranking(hall, len(ranking.ranked))
    assert len(release.content["ranking"]) == len(ranking.ranked)
    preliminary.read_on_a_phone(hall, release, len(ranking.ranked))
    return release
