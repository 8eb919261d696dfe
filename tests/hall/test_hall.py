"""What the hall's clock is told: the plan and the clock of each session of the day, and nothing that is not public."""

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.conftest import event_data
from tests.hall.hall_day import note_clock, set_hours
from tests.recorded import recorded
from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.hall.views.hall_facts import hall_facts
from tournament.setup.services import setup
from tournament.sheets.domain.clock import read_session_clock
from tournament.sheets.queries.clock import clock_events_of_session
from tournament.sheets.services.clock import move_session
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db
ADDRESSES = ("/hall/hk-2026/", "/hall/hk-2026/en/", "/hall/hk-2026/now.json")


def clock_at(hour: str) -> datetime:
    """A moment of the first day, such as 12:45, or 12:45:30."""
    return datetime.fromisoformat(f"2026-03-28T{hour}+08:00")


def ms(hour: str) -> int:
    return int(clock_at(hour).timestamp() * 1000)


def first_at(event: Event, hour: str) -> dict[str, Any]:
    """What is told of the first session at this hour."""
    facts: dict[str, Any] = hall_facts(event, clock_at(hour))["sessions"][0]
    return facts


Step = tuple[str, str, int, int | None]
MINUTE = 60_000
# What has moved the time (kind, hour, number of the table or 0, minutes), at which hour, and what is told then.
CLOCKS: list[tuple[Sequence[Step], str, dict[str, Any], list[dict[str, Any]]]] = [
    ([], "12:10", {"started": None, "end": None, "left": None, "held": False}, []),
    ([("start", "12:46", 0, None)], "12:50", {"started": ms("12:46"), "end": ms("13:46"), "left": None}, []),
    (
        [("start", "12:46", 0, None), ("suspend", "13:00", 0, None)],
        "13:20",
        {"started": ms("12:46"), "end": None, "left": 46 * MINUTE},
        [],
    ),
    (
        [("start", "12:46", 0, None), ("suspend", "13:00", 0, None), ("resume", "13:10", 0, None)],
        "13:20",
        {"end": ms("13:56"), "left": None},
        [],
    ),
    (
        [("start", "12:45", 0, None), ("overtime", "13:00", 2, 3)],
        "13:20",
        {"end": ms("13:45")},
        [{"number": 2, "end": ms("13:48"), "left": None, "later": 3 * MINUTE, "paused": False}],
    ),
    (
        [("start", "12:45", 0, None), ("overtime", "13:00", 0, 5)],
        "13:20",
        {"end": ms("13:50")},
        [],
    ),
    (
        [("start", "12:45", 0, None), ("pause", "13:00", 1, None)],
        "13:20",
        {"end": ms("13:45")},
        [{"number": 1, "end": None, "left": 45 * MINUTE, "later": None, "paused": True}],
    ),
    ([("start", "12:45", 0, None), ("close", "13:46", 0, None)], "13:50", {"closed": ms("13:46"), "left": None}, []),
    ([("hold", "12:00", 0, None)], "12:10", {"started": None, "left": None}, []),
]


@pytest.mark.parametrize(("steps", "hour", "told", "own_times"), CLOCKS)
def test_each_state_of_a_sessions_clock_is_told_as_moments(
    event: Event,
    first_session: Session,
    tables: list[Table],
    organiser: User,
    steps: Sequence[Step],
    hour: str,
    told: dict[str, Any],
    own_times: list[dict[str, Any]],
) -> None:
    for kind, at, number, minutes in steps:
        table = tables[number - 1] if number else None
        note_clock(first_session, organiser, kind, clock_at(at), table, minutes)
    facts = first_at(event, hour)
    assert {name: facts[name] for name in told} == told
    assert facts["tables"] == own_times


def test_a_session_is_told_with_its_plan_and_its_name_in_both_languages(event: Event) -> None:
    facts = first_at(event, "09:00")
    assert {name: facts[name] for name in ("name", "day", "check_in", "seating", "play", "planned_end")} == {
        "name": {"zh": "初賽第一場", "en": "Preliminary, session 1"},
        "day": {"zh": "3 月 28 日（星期六）", "en": "Saturday 28 March"},
        "check_in": ms("12:00"),
        "seating": ms("12:30"),
        "play": ms("12:45"),
        "planned_end": ms("13:45"),
    }


def test_a_session_held_back_before_its_start_is_told_so(event: Event, first_session: Session) -> None:
    with recorded(event):
        Session.objects.filter(pk=first_session.pk).update(state=SessionState.SUSPENDED)
    assert first_at(event, "12:10")["held"] is True


def test_the_day_is_told_with_the_next_days_first_session_and_without_what_has_no_hours(
    event: Event, first_session: Session
) -> None:
    days = [row.original_date for row in Session.objects.filter(stage__event=event).order_by("play_at")]
    today = days.count(date(2026, 3, 28))
    assert len(hall_facts(event, clock_at("23:00"))["sessions"]) == today + 1
    with recorded(event):
        Session.objects.filter(pk=first_session.pk).update(state=SessionState.POSTPONED)
    assert len(hall_facts(event, clock_at("23:00"))["sessions"]) == today
    assert hall_facts(event, clock_at("12:00") + timedelta(days=400)) == {
        "sessions": [],
        "announcements": [],
        "calls": [],
    }


def test_the_hall_ends_at_the_moment_that_tablets_are_told(
    event: Event, first_session: Session, tables: list[Table], organiser: User
) -> None:
    note_clock(first_session, organiser, "start", clock_at("12:46:07"))
    note_clock(first_session, organiser, "overtime", clock_at("13:00"), tables[1], 4)
    events, now = clock_events_of_session(first_session), clock_at("13:20")
    own = [row for row in events if row.table_id is None]
    ends = [read_session_clock(first_session, own, now).ends_at]
    ends.append(read_session_clock(first_session, events, now, tables[1]).ends_at)
    facts = first_at(event, "13:20")
    assert [facts["end"], facts["tables"][0]["end"]] == [int(end.timestamp() * 1000) for end in ends if end]


def test_anybody_reads_it_without_a_cookie_and_no_page_of_it_is_kept(event: Event) -> None:
    answers = {address: Client().get(address) for address in ADDRESSES}
    assert {address: answer.status_code for address, answer in answers.items()} == dict.fromkeys(ADDRESSES, 200)
    assert [answer.cookies for answer in answers.values() if answer.cookies] == []
    kept = [answer["Cache-Control"] for answer in answers.values()]
    assert (["no-store" in each for each in kept], kept[-1]) == ([True, True, False], "public, max-age=1")


@pytest.mark.parametrize(("address", "lang"), [(ADDRESSES[0], "zh-Hant-HK"), (ADDRESSES[1], "en")])
def test_the_page_has_its_sentences_in_both_languages_whatever_the_browser_asks_for(
    event: Event, address: str, lang: str
) -> None:
    page = Client().get(address, headers={"Accept-Language": "en" if lang != "en" else "zh-HK"}).content.decode()
    assert f'<html lang="{lang}">' in page
    assert ("比賽進行中" in page, "Play in progress" in page, "style=" in page) == (True, True, False)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_event_that_there_is_not_has_no_hall(event: Event, address: str) -> None:
    setup.create_event(event_data() | {"slug": "other-2026"})
    assert Client().get(address.replace("hk-2026", "nowhere")).status_code == 404
    assert Client().get(address.replace("hk-2026", "other-2026")).status_code == 200


def test_no_name_no_reason_and_no_escort_is_told(
    event: Event, first_session: Session, tables: list[Table], organiser: User
) -> None:
    note_clock(first_session, organiser, "start", clock_at("12:45"))
    note_clock(first_session, organiser, "overtime", clock_at("13:00"), tables[0], 3)
    note_clock(first_session, organiser, "pause", clock_at("13:01"), tables[1])
    told = json.dumps(hall_facts(event, clock_at("13:10")), ensure_ascii=False)
    assert '"number": 1' in told
    assert [word for word in ("CHAN", "陳", "lift", "Ms Ho", organiser.username, "301") if word in told] == []


def test_many_phones_cost_one_query_each_and_an_act_is_seen_at_once(
    first_session: Session, tables: list[Table], organiser: User
) -> None:
    set_hours(first_session, timezone.now())
    client = Client()
    client.get(ADDRESSES[2])
    with CaptureQueriesContext(connection) as asked:
        before = client.get(ADDRESSES[2]).json()
    assert (len(asked), before["sessions"][0]["started"]) == (1, None)
    move_session(first_session, "start", by=organiser, request_key="start")
    after = client.get(ADDRESSES[2]).json()
    assert before["now"] <= after["sessions"][0]["started"] <= after["now"]
