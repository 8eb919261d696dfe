"""What becomes of a table's notes: recorded by one press at the desk, or not; taken back by the referee; each once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.guards_lifted import lifted
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, IncidentKind, NoteKind
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.people import Entrant, Ruling
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.domain.clock import read_session_clock
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.queries import clock as clock_queries
from tournament.sheets.services import clock, registration
from tournament.tables.models import Table
from tournament.tablets.queries import conduct as queries
from tournament.tablets.services import conduct
from tournament.tablets.services import conduct_notes as services


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """A table of four, 0301 to 0304."""
    return settle(first_session, organiser, [4])[0]


@pytest.fixture
def mark(table: Table, referee: User) -> Callable[..., Incident]:
    """A function: what the referee marks at seat B."""

    def make(kind: str, game: int = 1, letter: str = "B", note: str = "") -> Incident:
        acting = ActingAccount(referee, f"mark-{kind}-{game}-{letter}")
        conduct.record_incident(table, kind=kind, game=game, letter=letter, note=note, acting=acting)
        return Incident.objects.latest("pk")

    return make


def refusal_of(act: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.status, refused.value.code


def status_of(number: int) -> str:
    return Entrant.objects.get(number=number).status


@pytest.mark.parametrize(
    ("kind", "game", "status", "action"),
    [
        ("absent", 1, EntrantStatus.FORFEITED, "record_no_show"),
        ("absent", 2, EntrantStatus.WITHDRAWN, "record_withdrawal"),
        ("left", 1, EntrantStatus.WITHDRAWN, "record_withdrawal"),
        ("disqualified", 3, EntrantStatus.DISQUALIFIED, "disqualify_entrant"),
    ],
)
def test_one_press_records_what_the_table_has_marked_once(
    mark: Any, chief_judge: User, kind: str, game: int, status: str, action: str
) -> None:
    row = mark(kind, game, note="said the parent")
    for _time in range(2):
        services.confirm_desk_mark(row, by=chief_judge, request_key="c")
    ruling = Ruling.objects.get()
    assert (status_of(302), ruling.kind, ruling.by) == (status, status, chief_judge)
    assert ruling.reason == f"0328-1-01 B, {game}: said the parent"
    actions = [action, "confirm_mark"]
    assert list(AuditEntry.objects.filter(action__in=actions).order_by("seq").values_list("action", "subject")) == [
        (action, "entrant 0302"),
        ("confirm_mark", f"incident 0328-1-01 {row.pk}"),
    ]
    assert refusal_of(lambda: services.confirm_desk_mark(row, by=chief_judge, request_key="d")) == (409, "note_ended")
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])


def test_one_who_came_late_is_admitted_by_one_press_even_if_recorded_as_a_no_show(
    mark: Any, table: Table, organiser: User
) -> None:
    entrant = table.seats.get(letter="B").entrant
    registration.record_absence(entrant, status=EntrantStatus.FORFEITED, reason="not there", by=organiser)
    services.confirm_desk_mark(mark("late"), by=organiser, request_key="c")
    assert (status_of(302), list(Ruling.objects.order_by("pk").values_list("kind", flat=True))) == (
        "ok",
        ["forfeited", "readmitted"],
    )


def test_a_status_that_the_desk_recorded_meanwhile_stands_and_the_mark_is_settled(
    mark: Any, table: Table, organiser: User
) -> None:
    entrant = table.seats.get(letter="B").entrant
    row = mark("left", 2)
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="ill", by=organiser)
    services.confirm_desk_mark(row, by=organiser, request_key="c")
    assert (Ruling.objects.count(), list(queries.unsettled_marks(entrant.event))) == (1, [])


@pytest.mark.parametrize(
    ("first", "then", "status"),
    [("absent", "late", "ok"), ("late", "left", "withdrawn"), ("late", "disqualified", "disqualified")],
)
def test_an_older_note_does_not_undo_a_later_one_of_its_seat_that_is_recorded(
    mark: Any, organiser: User, chief_judge: User, first: str, then: str, status: str
) -> None:
    older, elsewhere, later = mark(first), mark("left", letter="C"), mark(then)
    services.confirm_desk_mark(elsewhere, by=organiser, request_key="e")
    services.confirm_desk_mark(later, by=chief_judge, request_key="l")
    assert refusal_of(lambda: services.confirm_desk_mark(older, by=organiser, request_key="o")) == (409, "later_note")
    assert (status_of(302), queries.note_end_of(NoteKind.INCIDENT, older.pk)) == (status, None)
    services.dismiss_desk_mark(older, reason="came after all", by=organiser, request_key="d")
    assert list(queries.unsettled_marks(older.table.session.stage.event)) == []


def test_a_late_note_does_not_take_a_disqualification_back(mark: Any, table: Table, chief_judge: User) -> None:
    entrant = table.seats.get(letter="B").entrant
    row = mark("late")
    registration.record_absence(entrant, status=EntrantStatus.DISQUALIFIED, reason="hid a tile", by=chief_judge)
    assert refusal_of(lambda: services.confirm_desk_mark(row, by=chief_judge, request_key="c")) == (409, "disqualified")
    assert status_of(302) == "disqualified"


def test_a_rack_counted_wrong_is_noted_and_changes_no_entrant(mark: Any, organiser: User) -> None:
    services.confirm_desk_mark(mark("miscount"), by=organiser, request_key="c")
    assert (status_of(302), Ruling.objects.count(), NoteEnd.objects.get().outcome) == ("ok", 0, "confirmed")


def test_a_mark_that_is_not_recorded_has_a_reason_and_is_settled_once(mark: Any, organiser: User) -> None:
    row = mark("left")
    refused = [
        refusal_of(lambda: services.dismiss_desk_mark(row, reason=" ", by=organiser, request_key="a")),
        (services.dismiss_desk_mark(row, reason="is back", by=organiser, request_key="b"), "done")[1],
        refusal_of(lambda: services.confirm_desk_mark(row, by=organiser, request_key="c")),
    ]
    assert refused == [(400, "reason_missing"), "done", (409, "note_ended")]
    assert (status_of(302), NoteEnd.objects.values_list("outcome", "reason").get()) == ("ok", ("dismissed", "is back"))
    assert verify_events(files=False).findings == []


def test_what_is_no_mark_is_not_the_desk_s_to_record(mark: Any, organiser: User) -> None:
    row = mark("exposed_tile")
    assert refusal_of(lambda: services.confirm_desk_mark(row, by=organiser, request_key="c")) == (409, "no_mark")
    assert refusal_of(lambda: services.dismiss_desk_mark(row, reason="x", by=organiser, request_key="d")) == (
        409,
        "no_mark",
    )


def test_the_queue_has_marks_alone_and_each_until_it_is_settled(mark: Any, table: Table, organiser: User) -> None:
    mark("exposed_tile")
    rows = [
        mark(kind, letter=letter) for kind, letter in zip(("absent", "late", "left", "miscount"), "ABCD", strict=True)
    ]
    event = table.session.stage.event
    assert list(queries.unsettled_marks(event)) == rows
    services.dismiss_desk_mark(rows[0], reason="x", by=organiser, request_key="d")
    assert list(queries.unsettled_marks(event)) == rows[1:]


# --- Taken back -----------------------------------------------------------------------------------------
def warn(table: Table, by: User, key: str) -> Warning:
    conduct.warn_entrant(table, letter="B", game=1, reason="talked", acting=ActingAccount(by, key))
    return Warning.objects.latest("pk")


def test_a_warning_taken_back_counts_no_more_and_stays_in_the_log(table: Table, referee: User) -> None:
    first, _second = warn(table, referee, "1"), warn(table, referee, "2")
    assert refusal_of(lambda: warn(table, referee, "3")) == (409, "third_breach")
    for _time in range(2):
        services.withdraw_note(table, note=first, reason="the wrong child", acting=ActingAccount(referee, "w"))
    assert warn(table, referee, "4").number == 3
    assert refusal_of(lambda: warn(table, referee, "5")) == (409, "third_breach")
    assert dict(queries.warnings_by_entrant(table.session, [table])) == {first.entrant_id: 2}
    entry = AuditEntry.objects.get(action="withdraw_note")
    assert (entry.subject, entry.reason) == (f"warning 0328-1-01 {first.pk}", "the wrong child")
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])


def test_a_call_taken_back_waits_no_more_and_is_not_answered(table: Table, referee: User, chief_judge: User) -> None:
    call = conduct.call_judge(table, reason="why", acting=ActingAccount(referee, "c"))
    services.withdraw_note(table, note=call, reason="settled", acting=ActingAccount(referee, "w"))
    assert list(queries.open_calls(table.session.stage.event)) == []
    assert refusal_of(lambda: conduct.take_judge_call(call, by=chief_judge, request_key="t")) == (409, "call_withdrawn")
    answer = {"answer": "play on", "by": chief_judge, "request_key": "a"}
    assert refusal_of(lambda: conduct.answer_judge_call(call, **answer)) == (409, "call_withdrawn")
    assert JudgeCall.objects.get().answer == ""


def test_overtime_taken_back_gives_no_minutes_and_stays_in_the_log(
    table: Table, referee: User, organiser: User
) -> None:
    clock.move_session(table.session, "start", by=organiser, request_key="start")
    for minutes in (5, 2):
        clock.give_overtime(table, minutes=minutes, reason="a tile fell", acting=ActingAccount(referee, f"o{minutes}"))
    wrong = ClockEvent.objects.get(minutes=5)
    for _time in range(2):
        services.withdraw_note(table, note=wrong, reason="the other table", acting=ActingAccount(referee, "w"))
    events = clock_queries.clock_events_of_session(table.session)
    now = timezone.now()
    longer = (
        read_session_clock(table.session, events, now, table).ends_at
        - read_session_clock(table.session, events, now).ends_at
    )  # type: ignore[operator]
    assert longer == timedelta(minutes=2)
    entry = AuditEntry.objects.get(action="withdraw_note")
    assert (entry.subject, entry.reason) == (f"overtime 0328-1-01 {wrong.pk}", "the other table")
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])


def test_what_the_desk_has_settled_or_the_judge_answered_is_not_taken_back(
    mark: Any, table: Table, referee: User, chief_judge: User
) -> None:
    row, call = mark("left"), conduct.call_judge(table, reason="why", acting=ActingAccount(referee, "c"))
    services.confirm_desk_mark(row, by=chief_judge, request_key="c")
    conduct.answer_judge_call(call, answer="play on", by=chief_judge, request_key="a")
    refused = []
    for one in (row, call):
        acting = ActingAccount(referee, f"w{one.pk}{one}")
        refused.append(refusal_of(lambda: services.withdraw_note(table, note=one, reason="x", acting=acting)))  # noqa: B023
    assert refused == [(409, "note_ended"), (409, "call_answered")]


def test_another_table_s_note_is_not_taken_back_here(mark: Any, table: Table, referee: User) -> None:
    row, other = mark("left"), Table.objects.create(session=table.session, number=9)
    acting = ActingAccount(referee, "w")
    assert refusal_of(lambda: services.withdraw_note(other, note=row, reason="x", acting=acting)) == (
        400,
        "no_such_note",
    )


def test_the_database_ends_a_note_once_and_never_changes_an_end(mark: Any, table: Table, referee: User) -> None:
    services.withdraw_note(table, note=mark("left"), reason="x", acting=ActingAccount(referee, "w"))
    end = NoteEnd.objects.get()
    again = NoteEnd(table=table, kind=end.kind, note=end.note, outcome="confirmed", by=referee, at=end.at)
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        NoteEnd.objects.update(outcome="confirmed")


def test_an_end_is_held_to_its_entry(mark: Any, table: Table, referee: User) -> None:
    services.withdraw_note(table, note=mark("left"), reason="x", acting=ActingAccount(referee, "w"))
    with lifted():
        NoteEnd.objects.update(reason="another")
    assert [one.code for one in verify_events(files=False).findings] == ["row_altered"]


def test_every_kind_of_mark_is_an_incident_with_a_seat() -> None:
    assert queries.MARK_KINDS <= conduct.INCIDENTS_WITH_SEAT <= set(IncidentKind)
