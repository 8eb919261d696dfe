"""Minutes added at the desk: for one table, for each of a session's, and what is refused."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.scoresheets.views.test_scoresheets import at
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.services.clock import move_session
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Two tables of a session that is being played."""
    made = settle(first_session, organiser, [4, 4])
    move_session(first_session, "start", by=organiser, request_key="start")
    return made


def add(client: Client, minutes: str, table: str = "", reason: str = "the lift stuck") -> Any:
    given = {"do": "overtime", "minutes": minutes, "table": table, "reason": reason}
    return client.post(at("session_clock", 1), {**given, "request_key": f"{minutes} {table} {reason}"})


def overtimes() -> list[tuple[int | None, int | None]]:
    """Number of the table, or None for all, and minutes."""
    return list(ClockEvent.objects.filter(kind="overtime").order_by("pk").values_list("table__number", "minutes"))


def test_minutes_are_for_one_table_or_for_each_and_the_log_says_which(
    tables: list[Table], organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    answers = [add(desk, "3", "2"), add(desk, "5"), add(desk, "5")]
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    # The third is the second sent again.
    assert overtimes() == [(2, 3), (None, 5)]
    entries = AuditEntry.objects.filter(action__in=("give_overtime", "extend_session")).order_by("seq")
    assert list(entries.values_list("action", "subject", "reason")) == [
        ("give_overtime", "table 0328-1-02", "3: the lift stuck"),
        ("extend_session", "session 0328-1", "5: the lift stuck"),
    ]


@pytest.mark.parametrize(
    ("minutes", "table", "reason"),
    [
        *(("0", "", "why"), ("61", "", "why"), ("five", "", "why"), ("", "1", "why"), ("5", "", " ")),
        *(("5", "9", "why"), ("5", "x", "why"), ("٣", "", "why")),
    ],
)
def test_what_is_no_minutes_no_table_or_has_no_reason_is_refused_and_stays_typed(
    tables: list[Table], organiser: User, signed_in: Any, minutes: str, table: str, reason: str
) -> None:
    refused = add(signed_in(organiser), minutes, table, reason)
    assert (refused.status_code, overtimes()) == (400, [])
    page = refused.content.decode()
    assert [f'value="{typed}"' in page for typed in (minutes, table, reason)] == [True, True, True]


def test_a_session_that_is_not_being_played_has_no_more_minutes(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    settle(first_session, organiser, [4])
    desk = signed_in(organiser)
    assert 'value="overtime"' not in desk.get(at("session_clock", 1)).content.decode()
    assert (add(desk, "5").status_code, overtimes()) == (409, [])


def test_whoever_may_not_move_the_clock_is_not_offered_minutes(
    tables: list[Table], organiser: User, clerk: User, signed_in: Any
) -> None:
    pages = {user.username: signed_in(user).get(at("session_clock", 1)).content.decode() for user in (organiser, clerk)}
    assert {name: 'value="overtime"' in page for name, page in pages.items()} == {"organiser": True, "clerk": False}
    assert (add(signed_in(clerk), "5").status_code, overtimes()) == (403, [])
