"""A session's presses and a table's time: swapped from the state seen, recorded once, told in the audit log."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone, translation

from tests.core.finals import invented
from tests.sheets.drawing import tablet
from tests.sheets.sheets import lock_sheets
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import ClockKind, LifeStage, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.services.acting import ActingAccount
from tournament.operations.services.audit_verification import verify_events
from tournament.releases.models import Release
from tournament.sheets.domain import clock as bridge
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import clock as queries
from tournament.sheets.queries.session_life import session_life_of
from tournament.sheets.services import clock as services
from tournament.tables.models import Table
from tournament.weather.services import postponing


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Two tables with confirmed seats."""
    return settle(first_session, organiser, [4, 3])


def press(session: Session, kind: str, by: User, key: str = "", reason: str = "") -> Session:
    return services.move_session(session, kind, by=by, request_key=key or f"{kind} {reason}", reason=reason)


def rows() -> list[tuple[str, int | None]]:
    return list(ClockEvent.objects.order_by("id").values_list("kind", "table__number"))


def told() -> list[tuple[str, str, str]]:
    wanted = [move.action for move in services.CLOCK_TRANSITIONS.values()] + [
        "pause_table",
        "unpause_table",
        "give_overtime",
    ]
    found = AuditEntry.objects.filter(action__in=wanted).order_by("seq")
    return list(found.values_list("action", "subject", "reason"))


def refusal_of(act: object) -> tuple[int, str]:
    with pytest.raises(Refused) as refused:
        act()  # type: ignore[operator]
    return refused.value.status, refused.value.code


# --- The desk's presses ---------------------------------------------------------------------------------
def test_a_session_is_started_suspended_resumed_and_closed_each_press_once_in_the_log(
    tables: list[Table], first_session: Session, organiser: User
) -> None:
    states = [
        press(first_session, kind, organiser, reason=reason).state
        for kind, reason in (("start", ""), ("suspend", "amber rain"), ("resume", ""), ("close", "papers follow"))
    ]
    assert states == ["playing", "suspended", "playing", "closed"]
    assert rows() == [("start", None), ("suspend", None), ("resume", None), ("close", None)]
    assert told() == [
        ("start_session", f"session {first_session.code}", ""),
        ("suspend_session", f"session {first_session.code}", "amber rain"),
        ("resume_session", f"session {first_session.code}", ""),
        ("close_session", f"session {first_session.code}", "papers follow"),
    ]
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])


def test_a_press_sent_twice_is_one_press(tables: list[Table], first_session: Session, organiser: User) -> None:
    for _time in range(2):
        press(first_session, "start", organiser, "one key")
    assert (rows(), len(told())) == ([("start", None)], 1)
    assert refusal_of(lambda: press(first_session, "close", organiser, "one key", "why")) == (422, "key_reused")


def test_of_two_presses_the_second_finds_another_state_and_does_nothing(
    tables: list[Table], first_session: Session, organiser: User, chief_judge: User
) -> None:
    seen = Session.objects.select_related("stage__event").get(pk=first_session.pk)
    press(first_session, "start", organiser)
    assert refusal_of(lambda: press(seen, "start", chief_judge, "another")) == (409, "session_moved")
    assert (rows(), len(told())) == ([("start", None)], 1)


@pytest.mark.parametrize(
    ("state", "possible"),
    [
        (SessionState.PLANNED, ["start"]),
        (SessionState.CHECK_IN, ["start"]),
        (SessionState.SEATED, ["start"]),
        (SessionState.PLAYING, ["suspend", "close", "take_back"]),
        (SessionState.SUSPENDED, ["resume"]),
        (SessionState.ENTERING, ["close"]),
        (SessionState.CHECKING, ["close"]),
        (SessionState.CLOSED, ["reopen"]),
        (SessionState.POSTPONED, []),
        (SessionState.VOID, []),
    ],
)
def test_from_each_state_only_its_own_moves_lead_on(
    tables: list[Table], first_session: Session, organiser: User, state: SessionState, possible: list[str]
) -> None:
    assert [move.kind.value for move in services.moves_from(state)] == possible
    for kind in services.CLOCK_TRANSITIONS:
        Session.objects.filter(pk=first_session.pk).update(state=state)
        if kind in possible:
            assert press(first_session, kind, organiser, f"{state} {kind}", "why").state != state
        else:
            refused = refusal_of(lambda kind=kind: press(first_session, kind, organiser, f"{state} {kind}", "why"))
            assert refused == (409, "session_moved")


def test_no_start_before_the_draw_is_confirmed_and_no_opening_again_without_a_reason(
    first_session: Session, organiser: User
) -> None:
    settle(first_session, organiser, [4], confirmed=False)
    assert refusal_of(lambda: press(first_session, "start", organiser)) == (409, "draw_not_confirmed")
    assert refusal_of(lambda: press(first_session, "reopen", organiser)) == (400, "reason_missing")
    assert refusal_of(lambda: press(first_session, "stop", organiser)) == (400, "no_such_move")
    assert (rows(), told()) == ([], [])


def test_a_start_is_taken_back_until_a_sheet_is_begun(
    tables: list[Table], first_session: Session, organiser: User
) -> None:
    press(first_session, "start", organiser)
    assert press(first_session, "take_back", organiser).state == SessionState.PLANNED
    press(first_session, "start", organiser, "start again")
    Scoresheet.objects.create(table=tables[0], version=1)
    assert refusal_of(lambda: press(first_session, "take_back", organiser, "late")) == (409, "session_begun")
    now = timezone.now() + timedelta(minutes=1)
    reading = bridge.read_session_clock(first_session, queries.clock_events_of_session(first_session), now)
    assert reading.started_at == ClockEvent.objects.filter(kind=ClockKind.START).latest("id").at


@pytest.mark.parametrize(("state", "kind"), [("planned", "start"), ("playing", "suspend"), ("suspended", "resume")])
def test_the_clock_of_a_session_that_is_stamped_to_its_last_sheet_is_not_pressed_for_play(
    tables: list[Table], first_session: Session, organiser: User, state: str, kind: str
) -> None:
    lock_sheets(tables, invented(tables, seed=1), organiser)
    Session.objects.filter(pk=first_session.pk).update(state=state)
    first_session.refresh_from_db()
    assert session_life_of(first_session).stage == LifeStage.STAMPED
    assert refusal_of(lambda: press(first_session, kind, organiser)) == (409, "session_stamped")
    Release.objects.create(
        stage=first_session.stage,
        number=1,
        content={"ranking": []},
        sheets=[],
        audit_seq=0,
        released_by=organiser,
        released_at=timezone.now(),
    )
    assert session_life_of(first_session).stage == LifeStage.RELEASED
    assert refusal_of(lambda: press(first_session, kind, organiser, "again")) == (409, "session_stamped")
    assert (Session.objects.get(pk=first_session.pk).state, rows()) == (state, [])


def test_a_session_that_is_over_is_closed_and_opened_again(
    tables: list[Table], first_session: Session, organiser: User
) -> None:
    press(first_session, "start", organiser)
    lock_sheets(tables, invented(tables, seed=1), organiser)
    assert press(first_session, "close", organiser).state == SessionState.CLOSED
    assert press(first_session, "reopen", organiser, reason="too early").state == SessionState.CHECKING


def test_a_session_with_a_tablet_that_holds_items_is_closed_only_with_a_reason(
    tables: list[Table], first_session: Session, organiser: User, referee: User
) -> None:
    press(first_session, "start", organiser)
    device = tablet(tables[0], referee, organiser)
    Device.objects.filter(pk=device.pk).update(waiting=3)
    with pytest.raises(Refused) as refused:
        press(first_session, "close", organiser)
    behind = refused.value.about
    found = (
        [(each.device.number, each.numbers) for each in behind.devices],
        list(behind.held),
        [each.number for each in behind.tables],
    )
    assert (refused.value.code, found) == ("session_behind", ([(1, [1])], [], [1, 2]))
    assert press(first_session, "close", organiser, reason="the battery is flat").state == SessionState.CLOSED


@pytest.mark.fault("X34")
def test_a_close_names_the_tablets_that_were_not_heard_and_says_since_when(
    tables: list[Table], first_session: Session, organiser: User, referee: User
) -> None:
    press(first_session, "start", organiser)
    device = tablet(tables[0], referee, organiser)
    heard = timezone.now() - timedelta(minutes=3)
    Device.objects.filter(pk=device.pk).update(paired_at=heard - timedelta(hours=1), last_seen_at=heard)
    with pytest.raises(Refused) as refused:
        press(first_session, "close", organiser)
    [silent] = refused.value.about.silent
    assert (silent.device.number, silent.numbers, silent.since, silent.minutes) == (1, [1], heard, 3)
    with translation.override("en"):
        assert "1 were not heard for a minute and may hold some" in str(refused.value)
    press(first_session, "close", organiser, reason="the hall closes")
    events = queries.clock_events_of_session(first_session)
    assert [one.device.number for one in queries.tablets_unheard_since_close(first_session, events)] == [1]
    Device.objects.filter(pk=device.pk).update(last_seen_at=timezone.now())
    assert queries.tablets_unheard_since_close(first_session, events) == []


# --- A table's time -------------------------------------------------------------------------------------
def acting(by: User, key: str) -> ActingAccount:
    return ActingAccount(by, key)


def test_a_table_pauses_with_an_escort_and_gets_its_time_back(
    tables: list[Table], first_session: Session, organiser: User, referee: User
) -> None:
    press(first_session, "start", organiser)
    for _time in range(2):
        services.pause_table(tables[0], letter="B", escort="WONG", acting=acting(referee, "p"))
    again = acting(referee, "p2")
    refused = refusal_of(lambda: services.pause_table(tables[0], letter="B", escort="WONG", acting=again))
    assert refused == (409, "already_paused")
    now = timezone.now() + timedelta(minutes=5)
    events = queries.clock_events_of_session(first_session)
    paused, other = (bridge.read_session_clock(first_session, events, now, table) for table in tables)
    assert (paused.ends_at, paused.running, other.running) == (None, False, True)
    services.unpause_table(tables[0], acting=acting(referee, "u"))
    assert refusal_of(lambda: services.unpause_table(tables[0], acting=acting(referee, "u2"))) == (409, "not_paused")
    assert rows() == [("start", None), ("pause", 1), ("unpause", 1)]
    assert [action for action, _thing, _reason in told()] == ["start_session", "pause_table", "unpause_table"]


def test_overtime_moves_the_table_s_end_alone(
    tables: list[Table], first_session: Session, organiser: User, referee: User
) -> None:
    press(first_session, "start", organiser)
    services.give_overtime(tables[1], minutes=5, reason="a dispute", acting=acting(referee, "o"))
    now = timezone.now() + timedelta(seconds=1)
    events = queries.clock_events_of_session(first_session)
    first, second = (bridge.read_session_clock(first_session, events, now, table).ends_at for table in tables)
    assert second - first == timedelta(minutes=5)  # type: ignore[operator]
    entry = AuditEntry.objects.get(action="give_overtime")
    assert (entry.reason, entry.actor) == ("5: a dispute", referee)


@pytest.mark.parametrize("held_back", [False, True])
def test_a_table_has_no_time_of_its_own_before_play(
    tables: list[Table], first_session: Session, organiser: User, referee: User, held_back: bool
) -> None:
    if held_back:
        postponing.hold_sessions([first_session], reason="amber rain", by=organiser)
    given = acting(referee, "x")
    assert [
        refusal_of(lambda: services.pause_table(tables[0], letter="A", escort="WONG", acting=given)),
        refusal_of(lambda: services.unpause_table(tables[0], acting=given)),
        refusal_of(lambda: services.give_overtime(tables[0], minutes=5, reason="why", acting=given)),
    ] == [(409, "session_not_playing")] * 3
    with pytest.raises(BadInput):
        services.pause_table(tables[0], letter="E", escort="WONG", acting=given)
    assert refusal_of(lambda: services.give_overtime(tables[0], minutes=0, reason="why", acting=given)) == (
        400,
        "overtime_minutes",
    )
