"""New times for postponed sessions: all or some, together or not at all; numbers, names, seats and ages stay."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.core.finals import add_final
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, StageKind
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.events.models import SessionMove
from tournament.events.queries import sessions_of_event
from tournament.operations.services.audit_verification import verify_events
from tournament.registration.services import changes as registration_changes
from tournament.registration.services import seating_leaving
from tournament.setup.services import changes as setup_changes
from tournament.setup.services import later_stage
from tournament.setup.services.plan import planned_session_of
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.services import registration
from tournament.tables.models import Seat
from tournament.weather.services import postponing
from tournament.weather.services import postponing_times as services
from tournament.weather.services.postponing_times import NewTimes, set_times, times_on_day

NOW = datetime(2026, 3, 28, 2, 0, tzinfo=UTC)
LATER = date(2026, 4, 5)
WHY = "the hall is free"


@pytest.fixture
def day(event: Event, organiser: User) -> list[Session]:
    """The four sessions of the first day, postponed."""
    sessions = list(Session.objects.filter(stage__event=event, number__lte=4).order_by("number"))
    postponing.postpone_sessions(sessions, reason="black rain", by=organiser, now=NOW)
    return list(Session.objects.filter(stage__event=event, number__lte=4).order_by("number"))


def give(event: Event, wanted: Sequence[NewTimes], by: User, **more: Any) -> list[Session]:
    return set_times(event, wanted, reason=WHY, by=by, now=NOW, **more)


def hours(number: int) -> tuple[Any, ...]:
    row = Session.objects.get(number=number)
    return (row.state, row.original_date, *(timezone.localtime(at) for at in (row.check_in_at, row.ends_at)))


def faults(act: Callable[[], Any]) -> list[tuple[int | None, str]]:
    with pytest.raises(BadInput) as refused:
        act()
    assert refused.value.code == "times_refused"
    return [(fault.row, fault.field) for fault in refused.value.about]


def test_a_whole_day_moves_to_another_at_the_same_hours(event: Event, day: list[Session], organiser: User) -> None:
    was = Session.objects.get(number=2)
    changed = give(event, [times_on_day(session, LATER) for session in day], organiser)
    assert [row.number for row in changed] == [1, 2, 3, 4]
    now = Session.objects.get(number=2)
    assert now.check_in_at - was.check_in_at == timedelta(days=8)
    assert (now.state, now.original_date, now.number_of_day, now.code) == ("planned", date(2026, 3, 28), 2, "0328-2")
    moves = list(SessionMove.objects.order_by("pk").values_list("session__number", "reason", "at"))
    assert moves == [(number, WHY, NOW) for number in (1, 2, 3, 4)]
    assert SessionMove.objects.first().before["check_in_at"] == "2026-03-28T12:00:00+08:00"  # type: ignore[union-attr]
    assert SessionMove.objects.first().after["check_in_at"] == "2026-04-05T12:00:00+08:00"  # type: ignore[union-attr]
    assert list(ClockEvent.objects.filter(kind="new_times").values_list("at", flat=True)) == [NOW] * 4
    assert AuditEntry.objects.filter(action="set_session_times", at=NOW).count() == 4
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])


def test_some_of_a_day_move_and_the_others_wait(event: Event, day: list[Session], organiser: User) -> None:
    give(event, [times_on_day(day[1], LATER)], organiser)
    states = Session.objects.order_by("number").values_list("state", flat=True)[:4]
    assert list(states) == ["postponed", "planned", "postponed", "postponed"]


def test_sent_twice_it_is_done_once(event: Event, day: list[Session], organiser: User) -> None:
    wanted = [times_on_day(session, LATER) for session in day]
    assert (len(give(event, wanted, organiser)), give(event, wanted, organiser)) == (4, [])
    assert SessionMove.objects.count() == 4


def test_only_what_is_postponed_gets_new_times_here(event: Event, day: list[Session], organiser: User) -> None:
    planned = Session.objects.get(number=5)
    with pytest.raises(Refused) as refused:
        give(event, [times_on_day(day[0], LATER), times_on_day(planned, LATER)], organiser)
    assert (refused.value.code, SessionMove.objects.count()) == ("not_postponed", 0)


def test_every_fault_is_told_at_once_and_nothing_is_changed(event: Event, day: list[Session], organiser: User) -> None:
    one = times_on_day(day[0], LATER)
    wanted = [
        NewTimes(one.session, one.check_in_at, one.play_at, one.seating_at, one.ends_at),
        times_on_day(day[1], date(2026, 3, 27)),
        times_on_day(day[2], date(2026, 4, 9)),
    ]
    assert faults(lambda: give(event, wanted, organiser)) == [
        (0, "ends_at"),
        (1, "check_in_at"),
        (2, "ends_at"),
    ]
    assert SessionMove.objects.count() == 0
    with pytest.raises(BadInput) as refused:
        set_times(event, [one], reason=" ", by=organiser, now=NOW)
    assert refused.value.code == "reason_missing"


def test_the_preliminary_does_not_move_behind_the_final(event: Event, day: list[Session], organiser: User) -> None:
    Event.objects.filter(pk=event.pk).update(results_at=datetime(2026, 5, 1, tzinfo=UTC))
    event.refresh_from_db()
    final = add_final(event).sessions.get()
    late = [times_on_day(day[0], date(2026, 4, 12))]
    assert faults(lambda: give(event, late, organiser)) == [(0, "day")]
    postponing.postpone_sessions([final], reason="a final after its preliminary", by=organiser, now=NOW)
    assert len(give(event, late, organiser)) == 1
    assert faults(lambda: give(event, [times_on_day(final, date(2026, 4, 12))], organiser)) == [(0, "day")]
    with pytest.raises(Refused) as refused:
        postponing.bring_back_sessions([final], by=organiser, now=NOW)
    assert refused.value.code == "final_too_early"
    assert len(give(event, [times_on_day(final, date(2026, 4, 18))], organiser)) == 1
    assert verify_events(files=False).findings == []


def test_rounds_of_a_final_do_not_overlap(event: Event, organiser: User) -> None:
    final = add_final(event, rounds=2)
    first, second = final.sessions.order_by("number")
    postponing.postpone_sessions([first, second], reason="TC9", by=organiser, now=NOW)
    moved = [times_on_day(first, date(2026, 4, 18)), times_on_day(first, date(2026, 4, 18))]
    moved[1] = NewTimes(second.pk, **moved[1].moments)
    assert faults(lambda: give(event, moved, organiser)) == [(1, "seating_at")]


def test_a_moved_session_keeps_its_number_and_name_whatever_else_is_planned(
    event: Event, day: list[Session], organiser: User
) -> None:
    before = {row.pk: (row.number, row.number_of_day, row.code) for row in Session.objects.all()}
    give(event, [times_on_day(session, LATER) for session in day], organiser)
    sessions = list(sessions_of_event(event))
    plan = [planned_session_of(session) for session in sessions]
    extra = services.times_on_day(sessions[-1], LATER)
    more = planned_session_of(sessions[-1])
    new = type(more)(**extra.moments, table_count=5, capacity=20)
    setup_changes.change_sessions(event, revision=event.revision, plan=[*plan, new], by=organiser)
    after = {row.pk: (row.number, row.number_of_day, row.code) for row in Session.objects.all()}
    added = set(after) - set(before)
    # Before the moved ones in number as in time; those of a later day that nobody is entered for follow.
    assert [after[pk][2] for pk in added] == ["0405-1"]
    moved = [session.pk for session in day]
    assert {pk: after[pk] for pk in moved} == {pk: before[pk] for pk in moved}
    assert len({number for number, _of_day, _code in after.values()}) == 13


def test_the_hours_of_a_moved_session_are_no_matter_of_the_set_up(
    event: Event, day: list[Session], organiser: User
) -> None:
    give(event, [times_on_day(day[0], LATER)], organiser)
    sessions = sessions_of_event(event)
    plan = [planned_session_of(session) for session in sessions]
    changed = [type(one)(*one.values, session=one.session) for one in plan]
    place = next(index for index, one in enumerate(plan) if one.session == day[0].pk)
    earlier = {name: at - timedelta(hours=1) for name, at in times_on_day(day[0], LATER).moments.items()}
    changed[place] = type(plan[0])(**earlier, table_count=25, capacity=100, session=day[0].pk)
    with pytest.raises(BadInput) as refused:
        setup_changes.change_sessions(event, revision=event.revision, plan=changed, by=organiser)
    assert {fault.row for fault in refused.value.about} == {place}


def test_the_same_plan_sent_back_after_a_move_changes_nothing(
    event: Event, day: list[Session], organiser: User
) -> None:
    give(event, [times_on_day(session, LATER) for session in day], organiser)
    plan = [planned_session_of(session) for session in sessions_of_event(event)]
    kept = setup_changes.change_sessions(event, revision=event.revision, plan=plan, by=organiser)
    assert kept.revision == event.revision


def test_ages_are_judged_on_the_original_date(event: Event, day: list[Session], organiser: User) -> None:
    give(event, [times_on_day(session, LATER) for session in day], organiser)
    person = Person.objects.create(name_en="CHAN A", name_key="chan a", birth_date=date(2019, 4, 1))
    later = Session.objects.get(number=5)
    entrant = Entrant.objects.create(event=event, number=1, person=person, session=later)
    with pytest.raises(BadInput) as refused:
        registration_changes.move_to_session(entrant, session=1, revision=1, reason="why", by=organiser)
    assert refused.value.code == "too_young"


def test_who_cannot_come_withdraws_or_moves_out_of_confirmed_seats(
    event: Event, day: list[Session], organiser: User
) -> None:
    from_rows = settle(day[0], organiser, [4, 4])
    Person.objects.update(consent_guardian=True, birth_date=date(1990, 1, 1))
    Person.objects.update(name_en="CHAN", name_key="chan")
    assert len(from_rows) == 2
    with pytest.raises(Refused) as refused:
        missing = Entrant.objects.order_by("number")[0]
        registration.record_absence(missing, status=EntrantStatus.FORFEITED, reason="not there", by=organiser)
    assert refused.value.code == "session_postponed"
    one, two = Entrant.objects.order_by("number")[:2]
    registration.record_absence(one, status=EntrantStatus.WITHDRAWN, reason="cannot come", by=organiser)
    seating_leaving.move_entrant_and_seat(two, session=6, seat="1B", revision=1, reason="cannot come", by=organiser)
    two.refresh_from_db()
    assert (two.session.number, Seat.objects.filter(entrant=two).count()) == (6, 0)
    give(event, [times_on_day(session, LATER) for session in day], organiser)
    assert Seat.objects.filter(session=day[0]).count() == 7
    assert verify_events(files=False).findings == []


def test_a_final_s_plan_in_the_log_is_the_one_it_has_after_a_move(event: Event, organiser: User) -> None:
    at = [Session.objects.get(number=1)]
    times = times_on_day(at[0], date(2026, 4, 11)).moments
    planned = type(planned_session_of(at[0]))(**times, table_count=30, capacity=120)
    plan = later_stage.StagePlan("hk-2026", 1, (planned,))
    current = later_stage.set_up_stage(event, revision=event.revision, plan=plan, by=organiser)
    final = Session.objects.get(stage__event=event, stage__kind=StageKind.FINAL)
    postponing.postpone_sessions([final], reason="TC9", by=organiser, now=NOW)
    give(current, [times_on_day(final, date(2026, 4, 12))], organiser)
    assert AuditEntry.objects.filter(action="set_up_final").count() == 2
    assert verify_events(files=False).findings == []
