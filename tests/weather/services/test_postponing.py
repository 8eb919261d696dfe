"""Sessions held back, postponed and brought back: each act once, all or none, in the clock's rows and in the log."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import SessionState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.services import clock
from tournament.tables.models import Seat
from tournament.weather.services import postponing

NOW = datetime(2026, 3, 28, 2, 0, tzinfo=UTC)
WHY = "black rain"


@pytest.fixture
def day(event: Event) -> list[Session]:
    """The four sessions of the first day."""
    return list(Session.objects.filter(stage__event=event, number__lte=4).order_by("number"))


def states(sessions: list[Session]) -> list[str]:
    return [Session.objects.get(pk=session.pk).state for session in sessions]


def rows() -> list[tuple[str, int, str]]:
    return list(ClockEvent.objects.order_by("id").values_list("kind", "session__number", "reason"))


def told() -> list[tuple[str, str, str]]:
    acts = AuditEntry.objects.filter(action__in=postponing.SESSION_CLOCK_ACTS.values()).order_by("seq")
    return list(acts.values_list("action", "subject", "reason"))


def refusal_of(act: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.status, refused.value.code


def clean() -> bool:
    report = verify_events(files=False)
    return (report.findings, report.incomplete) == ([], [])


def test_a_day_is_postponed_once_however_often_it_is_sent(day: list[Session], organiser: User) -> None:
    first = postponing.postpone_sessions(day, reason=WHY, by=organiser, now=NOW)
    again = postponing.postpone_sessions(day, reason=WHY, by=organiser, now=NOW)
    assert ([row.number for row in first], again) == ([1, 2, 3, 4], [])
    assert states(day) == [SessionState.POSTPONED] * 4
    assert rows() == [("postpone", number, WHY) for number in (1, 2, 3, 4)]
    assert told() == [("postpone_session", f"session {one.code}", WHY) for one in day]
    assert set(ClockEvent.objects.values_list("at", flat=True)) == {NOW}
    assert clean()


def test_what_a_postponed_session_has_stays_with_it(day: list[Session], organiser: User) -> None:
    settle(day[0], organiser, [4, 3])
    before = list(Seat.objects.order_by("pk").values()), list(Entrant.objects.order_by("pk").values())
    was = Session.objects.filter(pk=day[0].pk).values().get()
    postponing.postpone_sessions(day, reason=WHY, by=organiser)
    now = Session.objects.filter(pk=day[0].pk).values().get()
    assert now == {**was, "state": "postponed"}
    assert (list(Seat.objects.order_by("pk").values()), list(Entrant.objects.order_by("pk").values())) == before


def test_a_postponed_session_is_brought_back_as_it_was(day: list[Session], organiser: User) -> None:
    was = list(Session.objects.order_by("pk").values())
    postponing.postpone_sessions(day, reason=WHY, by=organiser)
    for _time in range(2):
        postponing.bring_back_sessions(day, reason="cancelled at 09:50", by=organiser)
    assert list(Session.objects.order_by("pk").values()) == was
    assert [action for action, _thing, _why in told()] == ["postpone_session"] * 4 + ["bring_back_session"] * 4
    assert clean()


def test_sessions_are_held_back_and_held_back_no_more(day: list[Session], organiser: User) -> None:
    for _time in range(2):
        postponing.hold_sessions(day[1:], reason="TC8NE", by=organiser)
    assert states(day) == ["planned", "suspended", "suspended", "suspended"]
    for _time in range(2):
        postponing.unhold_sessions(day[1:3], by=organiser)
    assert states(day) == ["planned", "planned", "planned", "suspended"]
    assert [kind for kind, _number, _why in rows()] == ["hold"] * 3 + ["unhold"] * 2
    assert clean()


def test_a_session_held_back_is_postponed_in_the_end(day: list[Session], organiser: User) -> None:
    postponing.hold_sessions(day, reason="TC8NE", by=organiser)
    postponing.postpone_sessions(day, reason="TC9", by=organiser)
    assert states(day) == ["postponed"] * 4
    assert refusal_of(lambda: postponing.unhold_sessions(day, by=organiser)) == (409, "not_held_back")


def test_a_session_held_back_is_not_resumed_as_if_it_had_been_played(day: list[Session], organiser: User) -> None:
    settle(day[0], organiser)
    postponing.hold_sessions(day[:1], reason="TC8NE", by=organiser)
    for kind, code in (("resume", "session_held_back"), ("start", "session_moved")):
        press = lambda kind=kind: clock.move_session(day[0], kind, by=organiser, request_key=kind)  # noqa: E731
        assert refusal_of(press) == (409, code)
    postponing.unhold_sessions(day[:1], by=organiser)
    assert clock.move_session(day[0], "start", by=organiser, request_key="s").state == "playing"


def test_a_postponed_session_does_not_start(day: list[Session], organiser: User) -> None:
    settle(day[0], organiser)
    postponing.postpone_sessions(day, reason=WHY, by=organiser)
    press = clock.move_session
    assert refusal_of(lambda: press(day[0], "start", by=organiser, request_key="s")) == (409, "session_moved")


def test_what_has_begun_is_neither_held_back_nor_postponed_and_then_nothing_is(
    day: list[Session], organiser: User
) -> None:
    settle(day[0], organiser)
    clock.move_session(day[0], "start", by=organiser, request_key="s")
    acts = (postponing.hold_sessions, postponing.postpone_sessions)
    refused = [refusal_of(lambda act=act: act(day, reason=WHY, by=organiser)) for act in acts]
    clock.move_session(day[0], "suspend", by=organiser, request_key="p")
    refused += [refusal_of(lambda act=act: act(day, reason=WHY, by=organiser)) for act in acts]
    refused += [refusal_of(lambda: postponing.unhold_sessions(day[:1], by=organiser))]
    assert refused == [(409, "play_has_begun")] * 4 + [(409, "not_held_back")]
    assert states(day) == ["suspended", "planned", "planned", "planned"]
    assert told() == []


def test_a_reason_is_asked_for(day: list[Session], organiser: User) -> None:
    acts = (postponing.hold_sessions, postponing.postpone_sessions)
    refused = [refusal_of(lambda act=act: act(day, reason="  ", by=organiser)) for act in acts]
    assert refused == [(400, "reason_missing")] * 2
