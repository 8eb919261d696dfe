"""Warnings, incidents, calls: recorded once, two warnings at most, the first answer stands, each in the audit log."""

import pytest
from django.contrib.auth.models import User

from tests.guards_lifted import lifted
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import IncidentKind
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.models.conduct import Incident, JudgeCall, Warning
from tournament.tables.models import Table
from tournament.tablets.queries import conduct as queries
from tournament.tablets.services import conduct as services
from tournament.weather.services import postponing


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """A table of three, 0301 to 0303."""
    return settle(first_session, organiser, [3])[0]


def refusal_of(act: object) -> tuple[int, str]:
    with pytest.raises(Refused) as refused:
        act()  # type: ignore[operator]
    return refused.value.status, refused.value.code


def warn(table: Table, by: User, key: str, letter: str = "B") -> None:
    services.warn_entrant(table, letter=letter, game=2, reason="spoke to a neighbour", acting=ActingAccount(by, key))


def test_nothing_is_noted_of_the_games_of_a_postponed_session(
    table: Table, first_session: Session, organiser: User, referee: User
) -> None:
    postponing.postpone_sessions([first_session], reason="typhoon", by=organiser)
    incident = {"kind": IncidentKind.ABSENT, "game": 1, "letter": "A", "acting": ActingAccount(referee, "i")}
    assert [
        refusal_of(lambda: warn(table, referee, "w")),
        refusal_of(lambda: services.record_incident(table, **incident)),
    ] == [(409, "session_not_played")] * 2
    assert (Warning.objects.count(), Incident.objects.count()) == (0, 0)
    services.call_judge(table, reason="who tells the families?", acting=ActingAccount(referee, "c"))


def told(*actions: str) -> list[tuple[str, str, str]]:
    found = AuditEntry.objects.filter(action__in=actions).order_by("seq")
    return list(found.values_list("action", "subject", "reason"))


# --- Warnings -------------------------------------------------------------------------------------------
def test_two_warnings_and_the_third_breach_is_the_chief_judge_s(table: Table, referee: User) -> None:
    for key in ("one", "one", "two"):
        warn(table, referee, key)
    assert refusal_of(lambda: warn(table, referee, "three")) == (409, "third_breach")
    assert list(Warning.objects.values_list("entrant__number", "number", "by")) == [
        (302, 1, referee.pk),
        (302, 2, referee.pk),
    ]
    assert told("warn_entrant") == [
        ("warn_entrant", "entrant 0302", "1: spoke to a neighbour"),
        ("warn_entrant", "entrant 0302", "2: spoke to a neighbour"),
    ]
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])


def test_a_warning_is_held_to_its_entry(table: Table, referee: User) -> None:
    warn(table, referee, "one")
    assert verify_events(files=False).findings == []
    with lifted():
        Warning.objects.update(reason="ate at the table")
    found = [(one.code, one.subject) for one in verify_events(files=False).findings]
    assert found == [("row_altered", f"entrant 0302, warning {Warning.objects.get().pk} reason")]


def test_warnings_count_through_the_event_not_through_a_table(
    table: Table, first_session: Session, referee: User
) -> None:
    warn(table, referee, "one")
    assert dict(queries.warnings_by_entrant(first_session, [table])) == {
        table.seats.get(letter="B").entrant_id: 1,
    }


def test_a_warning_has_a_seat_with_somebody_and_a_reason(table: Table, referee: User) -> None:
    given = ActingAccount(referee, "x")
    assert refusal_of(lambda: warn(table, referee, "x", "D")) == (400, "no_such_seat")
    assert refusal_of(lambda: services.warn_entrant(table, letter="A", game=1, reason=" ", acting=given)) == (
        400,
        "reason_missing",
    )
    assert (Warning.objects.count(), told("warn_entrant")) == (0, [])


# --- Incidents ------------------------------------------------------------------------------------------
def test_a_rack_pushed_over_is_kept_with_its_count(table: Table, referee: User) -> None:
    for _time in range(2):
        services.record_incident(
            table,
            kind=IncidentKind.PUSHED_OVER,
            game=2,
            letter="C",
            tiles=7,
            note="by an elbow",
            acting=ActingAccount(referee, "i"),
        )
    assert list(Incident.objects.values_list("kind", "game", "letter", "tiles", "note")) == [
        ("pushed_over", 2, "C", 7, "by an elbow")
    ]
    assert [reason for _action, _thing, reason in told("record_incident")] == ["by an elbow"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"kind": "tea"}, "no_such_incident"),
        ({"kind": "pushed_over", "letter": "A"}, "tiles_missing"),
        ({"kind": "pushed_over", "letter": "A", "tiles": 107}, "tiles_missing"),
        ({"kind": "exposed_tile"}, "seat_missing"),
        ({"kind": "new_deal", "game": None}, "no_such_game"),
        ({"kind": "new_deal", "game": 13}, "no_such_game"),
        ({"kind": "left", "letter": "D"}, "no_such_seat"),
    ],
)
def test_an_incident_that_says_too_little_is_refused(
    table: Table, referee: User, given: dict[str, object], code: str
) -> None:
    whole = {"game": 1, **given}
    assert refusal_of(lambda: services.record_incident(table, acting=ActingAccount(referee, "i"), **whole)) == (
        400,
        code,
    )
    assert Incident.objects.count() == 0


# --- Calls ----------------------------------------------------------------------------------------------
def test_a_call_is_taken_by_one_and_answered_once(
    table: Table, referee: User, chief_judge: User, organiser: User
) -> None:
    call = services.call_judge(
        table, reason="a rack is disputed", game=2, letter="A", acting=ActingAccount(referee, "c")
    )
    assert list(queries.open_calls(table.session.stage.event)) == [call]
    services.take_judge_call(call, by=chief_judge, request_key="t")
    services.take_judge_call(call, by=chief_judge, request_key="t")
    assert refusal_of(lambda: services.take_judge_call(call, by=organiser, request_key="u")) == (409, "call_taken")
    services.answer_judge_call(call, answer="the rack stands", by=chief_judge, request_key="a")
    refused = refusal_of(lambda: services.answer_judge_call(call, answer="no", by=chief_judge, request_key="b"))
    assert refused == (409, "call_answered")
    assert refusal_of(lambda: services.answer_judge_call(call, answer="", by=chief_judge, request_key="d")) == (
        400,
        "reason_missing",
    )
    kept = JudgeCall.objects.get()
    assert (kept.taken_by, kept.answer, kept.answered_by) == (chief_judge, "the rack stands", chief_judge)
    assert list(queries.open_calls(table.session.stage.event)) == []
    assert [(action, reason) for action, _thing, reason in told("call_judge", "take_call", "answer_call")] == [
        ("call_judge", "a rack is disputed"),
        ("take_call", ""),
        ("answer_call", "the rack stands"),
    ]


def test_of_two_open_calls_only_the_one_that_is_meant_is_taken_and_answered(
    table: Table, referee: User, chief_judge: User
) -> None:
    first, second = (
        services.call_judge(table, reason="why", letter=letter, acting=ActingAccount(referee, letter))
        for letter in "AB"
    )
    services.take_judge_call(second, by=chief_judge, request_key="t")
    services.answer_judge_call(second, answer="play on", by=chief_judge, request_key="a")
    assert list(queries.open_calls(table.session.stage.event)) == [first]
    first.refresh_from_db()
    assert (first.taken_by, first.answer, first.answered_by) == (None, "", None)


def test_an_answered_call_is_not_taken_any_more(table: Table, referee: User, chief_judge: User) -> None:
    call = services.call_judge(table, reason="why", acting=ActingAccount(referee, "c"))
    services.answer_judge_call(call, answer="play on", by=chief_judge, request_key="a")
    assert refusal_of(lambda: services.take_judge_call(call, by=chief_judge, request_key="t")) == (409, "call_taken")
