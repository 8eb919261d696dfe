"""The page of postponed sessions: what is stopped, what an organiser may do, new times for a day in one form."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.core.finals import invented
from tests.sheets.sheets import add_entrants, draw, lock_sheets
from tests.sheets.tables import paper, settle
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.models import SessionMove
from tournament.sheets.queries.scoresheets import find_table_of_event
from tournament.sheets.services import clock, scoresheets
from tournament.weather.services import postponing

URL = "/desk/hk-2026/postponed/"
DAY = URL + "2026-03-28/"
NOW = datetime(2026, 3, 28, 2, 0, tzinfo=UTC)


@pytest.fixture
def day(event: Event) -> list[Session]:
    """The four sessions of the first day."""
    return list(Session.objects.filter(stage__event=event, number__lte=4).select_related("stage__event"))


@pytest.fixture
def broken(first_session: Session, organiser: User) -> Session:
    """The first session broken off with one sheet of two signed."""
    entrants = add_entrants(first_session, range(1, 9))
    tables = draw(first_session, [entrants[:4], entrants[4:]], organiser)
    clock.move_session(first_session, "start", by=organiser, request_key="s")
    lock_sheets(tables[:1], invented(tables[:1], seed=5), organiser)
    clock.move_session(first_session, "suspend", by=organiser, request_key="p")
    return first_session


def text_of(page: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", squeezed(page.content.decode())))


def typed(sessions: list[Session], day: str, **more: str) -> dict[str, str]:
    """The form as it comes, with a date."""
    data = {"day": day, "reason": "the hall is free"}
    hours = {"check_in": "12:00", "seating": "12:30", "play": "12:45", "ends": "13:45"}
    for session in sessions:
        data |= {f"s{session.pk}-{name}": value for name, value in {"take": "on", **hours}.items()}
    return data | more


def test_before_anything_is_stopped_the_page_says_what_will_stand_there(signed_in: Any, organiser: User) -> None:
    page = signed_in(organiser).get(URL)
    assert (page.status_code, "沒有延期場次" in text_of(page)) == (200, True)


def test_a_postponed_day_has_its_sessions_their_seats_and_no_time(
    day: list[Session], signed_in: Any, organiser: User, auditor: User
) -> None:
    settle(day[0], organiser, [4, 3])
    postponing.postpone_sessions(day, reason="black rain", by=organiser)
    said = text_of(signed_in(auditor).get(URL))
    assert (said.count("容後公佈"), "2 枱 7 座" in said, "black rain" in said) == (4, True, True)
    assert "定新時間" not in said
    assert "為 4 場定新時間" in text_of(signed_in(organiser).get(URL))


@time_machine.travel(NOW, tick=False)
def test_one_form_moves_a_day_at_the_same_hours(day: list[Session], signed_in: Any, organiser: User) -> None:
    postponing.postpone_sessions(day, reason="black rain", by=organiser)
    client = signed_in(organiser)
    assert client.get(DAY).status_code == 200
    data = typed(day[:2], "2026-04-05", **{f"s{day[1].pk}-day": "2026-04-04"})
    assert [client.post(DAY, data).status_code for _time in range(2)] == [302, 302]
    moved = SessionMove.objects.order_by("pk").values_list("session__number", "after")
    assert [(number, after["check_in_at"]) for number, after in moved] == [
        (1, "2026-04-05T12:00:00+08:00"),
        (2, "2026-04-04T12:00:00+08:00"),
    ]
    said = text_of(client.get(URL))
    assert ("4 月 5 日" in said, "4 月 4 日" in said, said.count("容後公佈")) == (True, True, 2)


@time_machine.travel(NOW, tick=False)
def test_what_is_wrong_stands_at_its_cell(day: list[Session], signed_in: Any, organiser: User) -> None:
    postponing.postpone_sessions(day, reason="black rain", by=organiser)
    client = signed_in(organiser)
    past = client.post(DAY, typed(day[:1], "2026-03-27"))
    late = client.post(DAY, typed(day[:1], "2026-04-09"))
    none = client.post(DAY, typed(day[:1], ""))
    assert [page.status_code for page in (past, late, none)] == [400, 400, 400]
    assert ("此時間已過。" in text_of(past), "成績於" in text_of(late)) == (True, True)
    assert SessionMove.objects.count() == 0


def test_what_a_decision_about_an_interrupted_session_causes_stands_before_it(
    broken: Session, signed_in: Any, organiser: User, chief_judge: User
) -> None:
    client = signed_in(organiser)
    said = text_of(client.get(URL))
    assert ("已完成 3 局，2 張計分紙已簽署 1 張" in said, "已完成的 3 局全部不計" in said) == (True, True)
    press = {"session": "1", "do": "replay", "reason": "TC8"}
    assert signed_in(chief_judge).post(URL, press).status_code == 403
    assert client.post(URL, press | {"reason": ""}).status_code == 400
    asked = client.post(URL, press)
    assert (asked.status_code, agreed(client, asked.url), agreed(signed_in(chief_judge), asked.url)) == (302, 403, 302)
    said = text_of(client.get(URL))
    assert ("重賽：3 月 28 日第一場（重賽）" in said, "3 月 28 日第一場的重賽" in said) == (True, True)
    assert client.post(URL, {"session": "1", "do": "undecide"}).status_code == 400
    asked = client.post(URL, {"session": "1", "do": "undecide", "reason": "they may stand"})
    assert agreed(signed_in(chief_judge), asked.url) == 302
    assert client.post(URL, {"session": "1", "do": "let_stand", "reason": "most are done"}).status_code == 302
    assert "已完成的局有效，其餘計分紙照常填妥" in text_of(client.get(URL))
    assert client.post(URL, {"session": "99", "do": "replay"}).status_code == 400


def agreed(client: Any, address: str) -> int:
    return int(client.post(address).status_code)


def test_a_second_person_sees_how_many_signed_sheets_stop_counting_and_count_again(
    broken: Session, signed_in: Any, organiser: User, chief_judge: User, auditor: User
) -> None:
    client, judge = signed_in(organiser), signed_in(chief_judge)
    said = text_of(client.get(URL))
    assert ("提出作廢重賽" in said, "作廢重賽須由兩人決定" in said) == (True, True)
    address = client.post(URL, {"session": "1", "do": "replay", "reason": "TC8"}).url
    assert "1 張已簽署的計分紙（共 3 局）將不再計算" in text_of(judge.get(address))
    assert ("同意並執行" in text_of(client.get(address)), "同意並執行" in text_of(judge.get(address))) == (False, True)
    assert (signed_in(auditor).get(address).status_code, agreed(signed_in(auditor), address)) == (200, 403)
    assert "此事項等待另一位職員同意" in text_of(judge.get(URL))
    assert address in squeezed(judge.get("/desk/hk-2026/proposals/").content.decode())
    assert (agreed(judge, address), "此項提議已有結果" in text_of(judge.get(address))) == (302, True)
    assert "提出，chief_judge同意" in text_of(client.get(URL))
    address = client.post(URL, {"session": "1", "do": "undecide", "reason": "they may stand"}).url
    assert "1 張已簽署的計分紙（共 3 局）將重新計算" in text_of(judge.get(address))


def test_a_session_is_held_after_all_or_postponed_again(day: list[Session], signed_in: Any, organiser: User) -> None:
    client = signed_in(organiser)
    with time_machine.travel(NOW, tick=False):
        postponing.hold_sessions(day[:1], reason="TC8", by=organiser)
        postponing.postpone_sessions(day[1:2], reason="TC8", by=organiser)
        page = text_of(client.get(URL))
        assert ("開賽前暫緩" in page, "仍於 3 月 28 日 13:45 舉行" in page) == (True, True)
        client.post(URL, {"session": "1", "do": "unhold"})
        client.post(URL, {"session": "2", "do": "bring_back"})
    states = Session.objects.order_by("number").values_list("state", flat=True)[:2]
    assert list(states) == ["planned", "planned"]


def test_the_page_asks_as_often_for_one_session_as_for_three(
    day: list[Session], signed_in: Any, organiser: User
) -> None:
    client, counts = signed_in(organiser), []
    settle(day[0], organiser, [4])
    for sessions in (day[:1], day[1:3]):
        postponing.postpone_sessions(sessions, reason="TC8", by=organiser)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            client.get(URL)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_session_that_has_begun_without_its_clock_is_offered_the_two_decisions_apart_from_the_stopped(
    first_session: Session, signed_in: Any, organiser: User, clerk: User
) -> None:
    settle(first_session, organiser, [4, 4])
    table = find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    scoresheets.save_scoresheet(table, revision=0, form="paper", typed=paper(), by=clerk, request_key="s")
    client = signed_in(organiser)
    said = text_of(client.get(URL))
    assert ("1 場已開始。是否有一場中途停止？" in said, "2 張計分紙已收到 1 張" in said) == (True, True)
    assert client.post(URL, {"session": "1", "do": "postpone", "reason": "rain"}).status_code == 409
    assert client.post(URL, {"session": "1", "do": "let_stand", "reason": "rain"}).status_code == 302
    assert "是否有一場中途停止" not in text_of(client.get(URL))
