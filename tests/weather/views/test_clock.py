"""The desk's presses on a session's clock, in both languages, and what a close would leave behind."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.core.finals import invented
from tests.scoresheets.views.test_scoresheets import at
from tests.sheets.drawing import tablet
from tests.sheets.sheets import lock_sheets
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.services import clock
from tournament.tables.models import Table

# The pages that have a session's clock.
WHERE: list[tuple[Any, ...]] = [("session_scoresheets", 1), ("session_clock", 1), ("clocks",)]


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables with confirmed seats."""
    return settle(first_session, organiser, [4, 4, 3])


def press(client: Client, kind: str, reason: str = "") -> Any:
    return client.post(at("session_clock", 1), {"do": kind, "reason": reason, "request_key": f"{kind} {reason}"})


def page(client: Client, name: str, *args: int, language: str = "en") -> str:
    answer = client.get(at(name, *args), headers={"Accept-Language": language})
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_one_press_starts_a_session_from_its_board_and_the_board_counts_down(
    tables: list[Table], organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    assert 'value="start"' in page(desk, "session_scoresheets", 1)
    answer = press(desk, "start")
    assert (answer.status_code, answer["Location"]) == (302, at("session_scoresheets", 1))
    html = page(desk, "session_scoresheets", 1)
    assert ("data-ends=" in html, 'value="start"' in html, 'value="suspend"' in html) == (True, False, True)
    assert (press(desk, "suspend").status_code, press(desk, "resume").status_code) == (302, 302)
    assert list(ClockEvent.objects.values_list("kind", flat=True)) == ["start", "suspend", "resume"]


def test_a_press_of_an_old_page_does_nothing_and_says_where_the_session_stands(
    tables: list[Table], organiser: User, chief_judge: User, signed_in: Any
) -> None:
    press(signed_in(organiser), "start")
    other = signed_in(chief_judge).post(at("session_clock", 1), {"do": "start", "request_key": "another"})
    assert (other.status_code, ClockEvent.objects.count()) == (409, 1)


def test_a_close_lists_the_tablets_that_hold_items_and_asks_why(
    tables: list[Table], organiser: User, referee: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    press(desk, "start")
    device = tablet(tables[1], referee, organiser)
    Device.objects.filter(pk=device.pk).update(waiting=3)
    refused = desk.post(at("session_clock", 1), {"do": "close"}, headers={"Accept-Language": "en"})
    html = squeezed(refused.content.decode())
    assert (refused.status_code, "3 items not sent·tables 2" in html, "3 tables without a signed" in html) == (
        409,
        True,
        True,
    )
    assert press(desk, "close", "the battery is flat").status_code == 302
    told = page(desk, "session_clock", 1)
    assert ("the battery is flat" in told, 'value="reopen"' in told) == (True, True)


def test_the_page_of_a_session_that_is_stamped_to_its_last_sheet_offers_no_start_and_says_why(
    tables: list[Table], organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    lock_sheets(tables, invented(tables, seed=1), organiser)
    seen = [page(desk, *where, language="zh-hant") for where in WHERE]
    assert ['value="start"' in html for html in seen] == [False] * 3
    assert "本場的計分紙已全部蓋印或作廢，即已比賽完畢" in seen[1]
    refused = desk.post(at("session_clock", 1), {"do": "start"}, headers={"Accept-Language": "en"})
    assert refused.status_code == 409
    assert "All scoresheets of this session are stamped or void: it has been played" in squeezed(
        refused.content.decode()
    )


def test_who_only_reads_sees_the_clock_and_no_press(
    tables: list[Table], first_session: Session, organiser: User, clerk: User, signed_in: Any
) -> None:
    press(signed_in(organiser), "start")
    reader = signed_in(clerk)
    assert ['name="do"' in page(reader, *where) for where in WHERE] == [False] * 3
    assert press(reader, "suspend").status_code == 403


def test_the_day_has_every_session_with_its_next_press_in_both_languages(
    tables: list[Table], organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    assert page(desk, "clocks").count('value="start"') == 1
    press(desk, "start")
    chinese, english = (page(desk, "clocks", language=language) for language in ("zh-hant", "en"))
    assert ("暫停" in chinese, "Suspend" in english, chinese.count("<tr>")) == (True, True, 13)


def shown(client: Client, where: tuple[Any, ...]) -> str:
    """A page's text without its marks, each space once."""
    return " ".join(re.sub(r"<[^>]+>", " ", page(client, *where)).split())


def test_a_table_s_running_pause_and_its_overtime_stand_wherever_the_desk_looks_at_its_time(
    tables: list[Table], first_session: Session, organiser: User, referee: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    press(desk, "start")
    clock.give_overtime(tables[1], minutes=4, reason="late start", acting=ActingAccount(referee, "overtime"))
    clock.pause_table(tables[2], letter="B", escort="Ms Ho", acting=ActingAccount(referee, "pause"))
    tablet(tables[1], referee, organiser)
    tablet(tables[2], referee, organiser)
    started, _overtime, paused_at = ClockEvent.objects.order_by("id").values_list("at", flat=True)
    ends_at = started + (first_session.ends_at - first_session.play_at) + timedelta(minutes=4)
    later, since = (f"{timezone.localtime(at):%H:%M}" for at in (ends_at, paused_at))
    own = f"left; ends at {later}, 4:00 after the session Overtime 4 min·late start"
    paused_since = f"Pause since {since}·B·with Ms Ho"
    for where in (("session_clock", 1), ("session_scoresheets", 1)):
        text = shown(desk, where)
        assert (own in text, f"left; stands still since {since}" in text, paused_since in text) == (True, True, True), (
            text
        )
        assert "Tables with a time of their own" in text
    sheets = [shown(desk, ("scoresheet", 1, number)) for number in (1, 2, 3)]
    assert ["Overtime 4 min·late start" in text for text in sheets] == [False, True, False]
    assert [paused_since in text for text in sheets] == [False, False, True]
    board = shown(desk, ("tablets",))
    assert (f"table 2 ends at {later}" in board, f"table 3 paused since {since}" in board) == (True, True)

    clock.unpause_table(tables[2], acting=ActingAccount(referee, "unpause"))
    assert "stands still" not in shown(desk, ("session_clock", 1))
    press(desk, "close", "all done")
    assert "Tables with a time of their own" not in shown(desk, ("session_clock", 1))


def test_the_clock_s_pages_ask_as_many_queries_for_three_tables_as_for_one(
    event: object, first_session: Session, organiser: User, referee: User, signed_in: Any
) -> None:
    second = Session.objects.select_related("stage__event").get(number=2)
    for session, sizes, first in ((first_session, [4], 301), (second, [4, 4, 3], 401)):
        for n, table in enumerate(settle(session, organiser, sizes, first=first)):
            if n == 0:
                clock.move_session(session, "start", by=organiser, request_key=session.code)
            clock.give_overtime(table, minutes=2, reason="why", acting=ActingAccount(referee, f"{session.code} {n}"))
            Device.objects.filter(pk=tablet(table, referee, organiser).pk).update(waiting=1)
    desk = signed_in(organiser)
    page(desk, "session_clock", 1)
    counts = []
    for number in (1, 2):
        with CaptureQueriesContext(connection) as asked:
            page(desk, "session_clock", number)
        counts.append(len(asked))
    assert counts[0] == counts[1]
