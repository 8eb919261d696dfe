"""What other pages say of stopped sessions: ranking, cut, overview, release, clock, seats, papers, entrants, set-up."""

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import SessionState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.services.release import judge_release
from tournament.seating.services.print import print_session
from tournament.sheets.services import clock
from tournament.tables.queries.seating import papers_of_stage
from tournament.weather.services import postponing
from tournament.weather.services.postponing_replay import replay_session
from tournament.weather.services.postponing_times import set_times, times_on_day

DESK = "/desk/hk-2026/"
NOW = datetime(2026, 3, 28, 2, 0, tzinfo=UTC)


def text_of(page: Any) -> str:
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", squeezed(page.content.decode())))


@pytest.fixture
def stopped(event: Event, organiser: User) -> list[Session]:
    """The first postponed, the second moved to 5 April, the third to be played anew as number 13, the fourth held
    back."""
    found = list(Session.objects.filter(stage__event=event, number__lte=4).select_related("stage__event"))
    for place, session in enumerate(found):
        settle(session, organiser, [4], first=100 * place + 101)
    postponing.postpone_sessions(found[:2], reason="black rain", by=organiser, now=NOW)
    set_times(event, [times_on_day(found[1], date(2026, 4, 5))], reason="free", by=organiser, now=NOW)
    for kind in ("start", "suspend"):
        clock.move_session(found[2], kind, by=organiser, request_key=kind)
    replay_session(found[2], reason="TC8", by=organiser)
    postponing.hold_sessions(found[3:], reason="TC8", by=organiser)
    return found


def test_ranking_and_cut_say_which_sessions_they_wait_for(
    stopped: list[Session], organiser: User, signed_in: Any
) -> None:
    for page in ("preliminary/ranking/", "preliminary/qualification/"):
        said = text_of(signed_in(organiser).get(DESK + page))
        waits = said[said.index("排名等候以下場次") :]
        assert "3 月 28 日第一場 新時間待公佈" in waits
        assert "3 月 28 日第二場 4 月 5 日（星期日） 14:30–15:30" in waits
        parts = waits.replace("·", " · ").replace("  ", " ")
        assert "3 月 28 日第三場（重賽） 3 月 28 日第三場的重賽 · 新時間待公佈" in parts
        assert "3 月 28 日第三場 新時間" not in waits


def test_a_ranking_that_nothing_was_stopped_of_waits_for_nothing(event: Event, organiser: User, signed_in: Any) -> None:
    assert "排名等候" not in text_of(signed_in(organiser).get(DESK + "preliminary/ranking/"))


def test_the_overview_says_what_waits_for_a_person(stopped: list[Session], organiser: User, signed_in: Any) -> None:
    said = text_of(signed_in(organiser).get(DESK))
    assert ("1 場暫停。" in said, "2 場延期，未定新時間。" in said) == (True, True)


def test_nothing_is_released_before_what_was_stopped_is_played_or_decided(stopped: list[Session]) -> None:
    verdict = judge_release(stopped[0].stage, datetime(2026, 5, 1, tzinfo=UTC))
    blocked = [(block.code, block.facts["session"].number) for block in verdict.blocks if "session" in block.facts]
    assert blocked[:3] == [("session_stopped", 1), ("session_stopped", 4), ("session_stopped", 13)]


def test_a_session_held_back_goes_on_from_its_clock_too(
    stopped: list[Session], organiser: User, signed_in: Any
) -> None:
    client, address = signed_in(organiser), DESK + "scoresheets/4/clock/"
    page = client.get(address)
    assert (
        'value="unhold"' in squeezed(page.content.decode()),
        'value="resume"' in squeezed(page.content.decode()),
    ) == (True, False)
    assert client.post(address, {"do": "unhold", "request_key": "k"}).status_code == 302
    assert Session.objects.get(pk=stopped[3].pk).state == SessionState.PLANNED


def test_papers_of_a_postponed_session_wait_for_its_day(stopped: list[Session], organiser: User) -> None:
    with pytest.raises(Refused) as refused:
        print_session(stopped[0], by=organiser)
    assert refused.value.code == "session_postponed"
    assert len(print_session(stopped[1], by=organiser)) == 1
    # The held-back one's; neither the postponed ones' nor the void one's.
    assert papers_of_stage(stopped[0].stage).to_print == 1


def test_a_moved_session_shows_its_new_day_where_its_hours_stand(
    stopped: list[Session], organiser: User, signed_in: Any
) -> None:
    client = signed_in(organiser)
    for page in (
        "setup/",
        "setup/sessions/",
        "clock/",
        "seating/",
        "entrants/0201/",
        "scoresheets/2/1/",
        "scoresheets/",
    ):
        assert "4 月 5 日" in text_of(client.get(DESK + page)), page
    assert "新時間待公佈" in text_of(client.get(DESK + "entrants/0101/"))
    seating = text_of(client.get(DESK + "seating/"))
    assert seating.count("3 月 28 日第三場") == seating.count("3 月 28 日第三場（重賽）") == 1
