"""A final is set up with rules, rounds and hours of its own, or with its date to be announced (R38); what play rests on
is locked, and its sessions are numbered after the preliminary's whatever is added there."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.conftest import event_data
from tests.core.finals import freeze, preliminary_played
from tests.seated import enter
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import StageKind
from tournament.core.errors import BadInput, Locked, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.queries import final_of
from tournament.operations.services.audit_verification import verify_events
from tournament.setup.queries import sessions_of_first_stage, sessions_of_later_stage
from tournament.setup.services import changes, setup
from tournament.setup.services.later_stage import StagePlan, plan_of_stage, plan_over_existing_rows, set_up_stage
from tournament.setup.services.plan import DayPace, PlannedSession, plan_day, planned_session_of
from tournament.setup.services.rehearsal import make_rehearsal

DAY = date(2026, 4, 18)
PACE = DayPace(count=3, first=time(10), every=90, seating=15, play=30, end=90)
UNDATED = StagePlan("hk-2026", 1)


def rounds_on(day: date = DAY, count: int = 3) -> tuple[PlannedSession, ...]:
    return tuple(plan_day(day, replace(PACE, count=count), table_count=30))


THREE = StagePlan("hk-2026", 3, rounds_on())


def places(event: Event) -> list[tuple[int, str]]:
    """Number and code of every session of the event."""
    rows = Session.objects.filter(stage__event=event).order_by("number")
    return [(session.number, session.code) for session in rows]


def test_a_final_whose_date_is_to_be_announced_has_rounds_and_no_session(event: Event, organiser: User) -> None:
    changed = set_up_stage(event, revision=1, plan=StagePlan("school", 3), by=organiser)
    final = final_of(event)
    assert final is not None
    assert (final.ruleset, final.rounds, final.advance, final.sessions.count()) == ("school", 3, None, 0)
    entry = AuditEntry.objects.filter(event=event).latest("seq")
    assert (entry.action, entry.subject, entry.revision_after, changed.revision) == (
        "set_up_final",
        "event hk-2026",
        2,
        2,
    )
    assert entry.reason == "rounds: - > 3; base: - > school"
    assert (entry.digest_before, entry.digest_after) == ("", setup.plan_digest(final, []))


def test_rounds_are_numbered_after_the_preliminary_and_counted_on_their_day(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    assert places(event)[11:] == [(12, "0407-4"), (13, "0418-1"), (14, "0418-2"), (15, "0418-3")]
    assert [planned_session_of(session).values for session in sessions_of_later_stage(event)] == [
        each.values for each in THREE.sessions
    ]


def test_a_final_on_the_preliminarys_last_day_goes_on_counting_its_sessions(event: Event, organiser: User) -> None:
    evening = plan_day(date(2026, 4, 7), DayPace(1, time(20), 90, 15, 30, 90), table_count=30)
    set_up_stage(event, revision=1, plan=StagePlan("hk-2026", 1, tuple(evening)), by=organiser)
    assert places(event)[11:] == [(12, "0407-4"), (13, "0407-5")]


def test_sent_twice_it_is_set_up_once(event: Event, organiser: User) -> None:
    for _ in range(2):
        set_up_stage(event, revision=1, plan=THREE, by=organiser)
    event.refresh_from_db()
    assert (event.revision, event.stages.count(), len(sessions_of_later_stage(event))) == (2, 2, 3)


def test_of_two_organisers_the_second_sees_who_was_first(event: Event, organiser: User, second_organiser: User) -> None:
    set_up_stage(event, revision=1, plan=UNDATED, by=organiser)
    with pytest.raises(StaleVersion) as refused:
        set_up_stage(event, revision=1, plan=THREE, by=second_organiser)
    assert refused.value.facts["who"] == "organiser"
    assert plan_of_stage(event) == UNDATED


def test_the_share_of_second_typings_is_the_preliminarys(event: Event, organiser: User) -> None:
    event.stages.update(second_typing_percent=30)
    set_up_stage(event, revision=1, plan=UNDATED, by=organiser)
    assert event.stages.get(kind=StageKind.FINAL).second_typing_percent == 30


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (StagePlan("none", 1), "ruleset_refused"),
        (StagePlan({"base": "hk-2026", "games": None}, 3), "ruleset_refused"),
        (StagePlan("hk-2026", 0), "ruleset_refused"),
        (StagePlan("hk-2026", 7), "rounds_refused"),
        (StagePlan("hk-2026", 2, rounds_on()), "rounds_refused"),
        (StagePlan("hk-2026", 1, rounds_on(date(2026, 4, 7), 1)), "sessions_refused"),
    ],
)
def test_what_cannot_be_is_refused_and_no_final_is_there(
    event: Event, organiser: User, plan: StagePlan, code: str
) -> None:
    with pytest.raises(BadInput) as refused:
        set_up_stage(event, revision=1, plan=plan, by=organiser)
    assert (refused.value.code, final_of(event)) == (code, None)


def test_a_round_does_not_begin_while_its_entrants_still_play(event: Event, organiser: User) -> None:
    first, second, third = THREE.sessions
    early = replace(
        second,
        check_in_at=second.check_in_at - timedelta(minutes=20),
        seating_at=first.ends_at - timedelta(minutes=1),
    )
    with pytest.raises(BadInput) as refused:
        set_up_stage(event, revision=1, plan=StagePlan("hk-2026", 3, (first, early, third)), by=organiser)
    assert [(fault.row, fault.field) for fault in refused.value.about] == [(1, "seating_at")]


def test_hours_are_given_once_the_date_is_known_and_taken_back_when_it_is_not(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=StagePlan("hk-2026", 3), by=organiser)
    set_up_stage(event, revision=2, plan=THREE, by=organiser)
    assert AuditEntry.objects.latest("seq").reason == (
        "sessions: - > 2026-04-18 10:00, 2026-04-18 11:30, 2026-04-18 13:00"
    )
    rows = [session.pk for session in sessions_of_later_stage(event)]
    later = replace(
        THREE, sessions=plan_over_existing_rows(rounds_on(date(2026, 4, 19)), sessions_of_later_stage(event))
    )
    set_up_stage(event, revision=3, plan=later, by=organiser)
    assert [session.pk for session in sessions_of_later_stage(event)] == rows
    assert {session.code[:4] for session in sessions_of_later_stage(event)} == {"0419"}
    set_up_stage(event, revision=4, plan=StagePlan("hk-2026", 3), by=organiser)
    assert sessions_of_later_stage(event) == []


def test_sessions_added_to_the_preliminary_push_the_finals_numbers_on(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    new = plan_day(date(2026, 4, 8), DayPace(2, time(10), 120, 15, 30, 90), table_count=25)
    plan = [*map(planned_session_of, sessions_of_first_stage(event)), *new]
    changes.change_sessions(event, revision=2, plan=plan, by=organiser)
    assert places(event)[12:] == [(13, "0408-1"), (14, "0408-2"), (15, "0418-1"), (16, "0418-2"), (17, "0418-3")]
    changes.change_sessions(event, revision=3, plan=plan[:12], by=organiser)
    assert places(event)[12:] == [(13, "0418-1"), (14, "0418-2"), (15, "0418-3")]


def test_once_the_final_s_seats_are_confirmed_no_preliminary_session_is_added_before_it(
    event: Event, organiser: User
) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    settle(sessions_of_later_stage(event)[0], organiser)
    new = plan_day(date(2026, 4, 8), DayPace(1, time(10), 120, 15, 30, 90), table_count=25)
    before = places(event)
    with pytest.raises(BadInput) as refused:
        plan = [*map(planned_session_of, sessions_of_first_stage(event)), *new]
        changes.change_sessions(event, revision=2, plan=plan, by=organiser)
    assert [(fault.row, fault.field, fault.facts) for fault in refused.value.about] == [
        (None, "check_in_at", {"session": "0418-1"})
    ]
    assert places(event) == before


def test_a_preliminary_session_is_not_moved_behind_the_final(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    new = plan_day(date(2026, 4, 19), DayPace(1, time(10), 120, 15, 30, 90), table_count=25)
    with pytest.raises(BadInput) as refused:
        plan = [*map(planned_session_of, sessions_of_first_stage(event)), *new]
        changes.change_sessions(event, revision=2, plan=plan, by=organiser)
    [fault] = refused.value.about
    assert (fault.row, fault.field, fault.facts) == (12, "day", {"at": "2026-04-18 10:00"})


def test_with_confirmed_seats_rules_and_rounds_stay_and_later_rounds_may_move(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    settle(sessions_of_later_stage(event)[0], organiser)
    standing = plan_of_stage(event)
    assert standing is not None
    for wanted in (replace(standing, ruleset="school"), replace(standing, rounds=2, sessions=standing.sessions[:2])):
        with pytest.raises(Locked):
            set_up_stage(event, revision=2, plan=wanted, by=organiser)
    first, second, third = standing.sessions
    moved = replace(first, ends_at=first.ends_at - timedelta(minutes=5))
    with pytest.raises(BadInput) as refused:
        set_up_stage(event, revision=2, plan=replace(standing, sessions=(moved, second, third)), by=organiser)
    assert [fault.field for fault in refused.value.about] == ["ends_at"]
    later = replace(third, ends_at=third.ends_at + timedelta(minutes=30))
    set_up_stage(event, revision=2, plan=replace(standing, sessions=(first, second, later)), by=organiser)
    assert plan_of_stage(event) == replace(standing, sessions=(first, second, later))


def test_the_preliminary_s_rules_are_its_own(event: Event, organiser: User, first_session: Session) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    settle(first_session, organiser)
    changed = StagePlan({"base": "hk-2026", "minutes": 90}, 3, THREE.sessions)
    set_up_stage(event, revision=2, plan=replace(changed, sessions=plan_of_stage(event).sessions), by=organiser)
    assert AuditEntry.objects.latest("seq").reason == "minutes: 60 > 90"
    assert event.stages.get(kind=StageKind.PRELIMINARY).ruleset == "hk-2026"


def test_every_finalist_of_the_frozen_list_has_a_place_in_every_round(
    event: Event, organiser: User, first_session: Session
) -> None:
    preliminary_played(first_session, organiser)
    set_up_stage(event, revision=1, plan=UNDATED, by=organiser)
    freeze(final_of(event), organiser)
    small = tuple(plan_day(DAY, replace(PACE, count=1), table_count=2))
    with pytest.raises(BadInput) as refused:
        set_up_stage(event, revision=2, plan=StagePlan("hk-2026", 1, small), by=organiser)
    [fault] = refused.value.about
    assert (fault.field, fault.facts) == ("capacity", {"finalists": 12})


def test_an_event_with_a_final_as_data_makes_the_same_event(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    data = setup.event_as_data(Event.objects.get())
    assert (data["stages"][1]["rounds"], "rounds" in data["stages"][0]) == (3, False)
    again = setup.create_event(data | {"slug": "again"})
    assert setup.event_as_data(again) == data | {"slug": "again"}
    assert places(again) == places(event)
    assert setup.normalize_event_data(data) == data


def test_a_copy_and_a_rehearsal_have_the_plan_of_the_final(event: Event, organiser: User) -> None:
    enter(Session.objects.get(stage__event=event, number=12), 4)
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    copy = setup.copy_event(
        event, slug="hk-2027", name_zh="新", name_en="New", first_day=date(2027, 3, 27), by=organiser
    )
    assert places(copy)[12:] == [(13, "0417-1"), (14, "0417-2"), (15, "0417-3")]
    rehearsal = make_rehearsal(Event.objects.get(pk=event.pk), by=organiser)
    assert places(rehearsal) == places(event)
    assert final_of(rehearsal).rounds == 3


def test_the_log_verifies_after_every_change_of_the_final(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=UNDATED, by=organiser)
    set_up_stage(event, revision=2, plan=THREE, by=organiser)
    copy = setup.copy_event(event, slug="copy", name_zh="新", name_en="New", first_day=date(2027, 3, 27), by=organiser)
    assert [verify_events(slug=one.slug, files=False).findings for one in (event, copy)] == [[], []]


def test_the_rounds_ask_one_query_however_many(event: Event, organiser: User, django_assert_num_queries: Any) -> None:
    set_up_stage(event, revision=1, plan=THREE, by=organiser)
    with django_assert_num_queries(1):
        assert len(sessions_of_later_stage(event)) == 3


def test_an_event_made_from_data_with_an_undated_final_is_made(db: None) -> None:
    data = event_data()
    data["stages"].append({"kind": "final", "ruleset": "hk-2026", "advance": None, "rounds": 3, "sessions": []})
    event = setup.create_event(data)
    assert plan_of_stage(event) == StagePlan("hk-2026", 3)
    assert datetime.fromisoformat(data["results_at"]) == event.results_at
