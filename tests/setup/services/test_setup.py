"""An event is made, changed by who has seen how it stands, copied without people; what play rests on is locked."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.conftest import account, event_data
from tests.seated import enter
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.enums import Role
from tournament.core.errors import BadInput, Locked, StaleVersion
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.events.domain import ruleset_of_stage
from tournament.releases.models import Release
from tournament.setup.queries import sessions_of_first_stage
from tournament.setup.services import changes as setup_changes
from tournament.setup.services import setup
from tournament.setup.services.plan import DayPace, hall_time, plan_day, planned_session_of


def facts_of(event: Event, **changes: Any) -> dict[str, Any]:
    """The facts as they stand, but for the changes."""
    return {name: getattr(event, name) for name in setup_changes.EVENT_FACT_FIELDS} | changes


def plan(event: Event) -> list[Any]:
    """The sessions as they are planned now."""
    return [planned_session_of(session) for session in sessions_of_first_stage(event)]


def entries(event: Event) -> list[tuple[str, str, Any, Any, str]]:
    """Action, thing, revisions and reason of each entry."""
    rows = AuditEntry.objects.filter(event=event).order_by("seq")
    return list(rows.values_list("action", "subject", "revision_before", "revision_after", "reason"))


@pytest.fixture
def director(db: None) -> User:
    """An account without an event."""
    return User.objects.create_user("director")


# Making


def test_who_makes_an_event_is_its_organiser_and_the_audit_says_so(director: User) -> None:
    event = setup.open_event(event_data(), by=director)
    assert list(event.memberships.values_list("user__username", "role")) == [("director", "organiser")]
    assert entries(event) == [
        ("create_event", "event hk-2026", None, None, ""),
        ("grant_role", f"account {director.pk} organiser", None, None, ""),
    ]


def test_an_event_sent_twice_is_made_once(director: User) -> None:
    made = [setup.open_event(event_data(), by=director).pk for _ in range(2)]
    assert made[0] == made[1]
    assert Event.objects.count() == 1


def test_nobody_becomes_organiser_of_an_event_that_is_there(event: Event, director: User) -> None:
    with pytest.raises(BadInput) as refused:
        setup.open_event(event_data(), by=director)
    assert refused.value.code == "slug_taken"
    assert not Membership.objects.filter(user=director).exists()


@pytest.mark.parametrize("slug", sorted(setup.RESERVED_SLUGS))
def test_an_address_that_is_a_page_of_the_house_is_no_events(director: User, slug: str) -> None:
    with pytest.raises(BadInput):
        setup.open_event(event_data() | {"slug": slug}, by=director)


def test_an_event_as_data_makes_the_same_event(event: Event) -> None:
    data = setup.event_as_data(event)
    assert data == setup.normalize_event_data(event_data())
    again = setup.create_event(data | {"slug": "again"})
    assert setup.event_as_data(again) == data | {"slug": "again"}


def test_a_day_of_sessions_from_its_pace_is_the_hong_kong_day(event: Event) -> None:
    pace = DayPace(count=4, first=time(12), every=105, seating=30, play=45, end=105)
    days = [date(2026, 3, 28), date(2026, 4, 6), date(2026, 4, 7)]
    planned = [session.values for day in days for session in plan_day(day, pace, table_count=25)]
    assert planned == [session.values for session in plan(event)]


# Facts


def test_a_change_is_saved_with_what_changed_and_the_digests_before_and_after(event: Event, organiser: User) -> None:
    before = setup.event_setup_digest(event)
    changed = setup_changes.change_event(event, revision=1, facts=facts_of(event, quota=1100), by=organiser)
    assert (changed.quota, changed.revision) == (1100, 2)
    entry = AuditEntry.objects.filter(event=event).latest("seq")
    assert (entry.action, entry.actor, entry.reason) == ("change_event", organiser, "quota: 1200 > 1100")
    assert (entry.digest_before, entry.digest_after) == (before, setup.event_setup_digest(changed))


def test_a_change_sent_twice_is_done_once(event: Event, organiser: User) -> None:
    for _ in range(2):
        setup_changes.change_event(event, revision=1, facts=facts_of(event, quota=1100), by=organiser)
    event.refresh_from_db()
    assert event.revision == 2
    assert [entry[0] for entry in entries(event)].count("change_event") == 1


def test_of_two_organisers_the_second_sees_who_was_first(event: Event, organiser: User) -> None:
    second = account(event, Role.ORGANISER, "second")
    setup_changes.change_event(event, revision=1, facts=facts_of(event, quota=1100), by=organiser)
    with pytest.raises(StaleVersion) as refused:
        setup_changes.change_event(event, revision=1, facts=facts_of(event, venue_en="Hall 2"), by=second)
    assert (refused.value.facts["who"], refused.value.current.quota) == ("organiser", 1100)
    assert Event.objects.get().venue_en == event.venue_en


def test_the_quota_is_never_less_than_the_places_taken(event: Event, organiser: User, first_session: Session) -> None:
    enter(first_session, 5)
    with pytest.raises(BadInput) as refused:
        setup_changes.change_event(event, revision=1, facts=facts_of(event, quota=4), by=organiser)
    assert refused.value.facts == {"taken": 5}
    setup_changes.change_event(event, revision=1, facts=facts_of(event, quota=5), by=organiser)


def test_while_a_release_stands_its_hour_stays(event: Event, organiser: User) -> None:
    head = AuditHead.objects.get(event=event)
    release = Release.objects.create(
        stage=event.stages.get(), number=1, digest="0", content={}, sheets=[], audit_seq=head.seq, audit_hash=head.hash,
        released_by=organiser, released_at=timezone.now(),
    )  # fmt: skip
    later = facts_of(event, results_at=event.results_at + timedelta(hours=1))
    with pytest.raises(Locked):
        setup_changes.change_event(event, revision=1, facts=later, by=organiser)
    setup_changes.change_event(event, revision=1, facts=facts_of(event, venue_en="Hall 2"), by=organiser)
    Release.objects.filter(pk=release.pk).update(withdrawn_at=timezone.now())
    changed = setup_changes.change_event(event, revision=2, facts=later | {"venue_en": "Hall 2"}, by=organiser)
    assert changed.results_at == event.results_at + timedelta(hours=1)


# Rules


def test_rules_are_kept_as_what_differs_and_read_by_the_rules(event: Event, organiser: User) -> None:
    ruleset = {"base": "hk-2026", "time_up_scoring": "raw"}
    setup_changes.change_rules(event, revision=1, ruleset=ruleset, advance=90, by=organiser)
    stage = event.stages.get()
    assert (stage.ruleset, stage.advance, ruleset_of_stage(stage).time_up_scoring) == (ruleset, 90, "raw")


@pytest.mark.parametrize(
    "ruleset", ["none", {"base": "hk-2026", "games": 0}, {"base": "hk-2026", "games": None}, {"base": "twist", "x": 1}]
)
def test_what_the_rules_cannot_read_is_refused(event: Event, organiser: User, ruleset: Any) -> None:
    with pytest.raises(BadInput):
        setup_changes.change_rules(event, revision=1, ruleset=ruleset, advance=120, by=organiser)
    assert event.stages.get().ruleset == "hk-2026"


def test_once_seats_are_confirmed_neither_rules_nor_the_number_that_advance_change(
    event: Event, organiser: User, first_session: Session
) -> None:
    settle(first_session, organiser, confirmed=False)
    setup_changes.change_rules(event, revision=1, ruleset="hk-2026", advance=100, by=organiser)
    first_session.draw.confirmed_at = timezone.now()
    first_session.draw.save()
    for ruleset, advance in (("school", 100), ("hk-2026", 101)):
        with pytest.raises(Locked):
            setup_changes.change_rules(event, revision=2, ruleset=ruleset, advance=advance, by=organiser)
    assert (event.stages.get().ruleset, event.stages.get().advance) == ("hk-2026", 100)


# Sessions


def test_a_day_is_added_in_its_place_and_all_are_numbered_anew(event: Event, organiser: User) -> None:
    pace = DayPace(count=2, first=time(10), every=120, seating=15, play=30, end=90)
    new = plan_day(date(2026, 4, 1), pace, table_count=5)
    setup_changes.change_sessions(event, revision=1, plan=[*plan(event), *new], by=organiser)
    sessions = sessions_of_first_stage(event)
    assert [session.number for session in sessions] == list(range(1, 15))
    assert [session.code for session in sessions][3:7] == ["0328-4", "0401-1", "0401-2", "0406-1"]
    assert (sessions[4].capacity, sessions[4].play_at) == (20, hall_time(date(2026, 4, 1), time(10, 30)))


def test_a_session_is_removed_and_the_rest_close_up(event: Event, organiser: User) -> None:
    setup_changes.change_sessions(event, revision=1, plan=plan(event)[1:], by=organiser)
    assert [session.code for session in sessions_of_first_stage(event)][:4] == ["0328-1", "0328-2", "0328-3", "0406-1"]


def test_sessions_sent_twice_are_added_once(event: Event, organiser: User) -> None:
    new = plan_day(date(2026, 4, 8), DayPace(1, time(10), 60, 15, 30, 60), table_count=5)
    wanted = [*plan(event), *new]
    for _ in range(2):
        setup_changes.change_sessions(event, revision=1, plan=wanted, by=organiser)
    assert len(sessions_of_first_stage(event)) == 13


def refused_fields(event: Event, organiser: User, wanted: list[Any]) -> list[tuple[int | None, str]]:
    """Row and field of each fault; nothing was changed."""
    before = plan(event)
    with pytest.raises(BadInput) as refused:
        setup_changes.change_sessions(event, revision=event.revision, plan=wanted, by=organiser)
    assert plan(event) == before
    return [(fault.row, fault.field) for fault in refused.value.about]


def test_every_fault_of_a_plan_is_told_at_once(event: Event, organiser: User) -> None:
    first, second, *rest = plan(event)
    wrong = replace(first, ends_at=first.play_at, capacity=101)
    late = replace(second, ends_at=second.ends_at + timedelta(days=1))
    assert refused_fields(event, organiser, [wrong, late, *rest]) == [
        (0, "ends_at"),
        (0, "capacity"),
        (1, "ends_at"),
    ]
    assert refused_fields(event, organiser, []) == [(None, "")]


def test_nobodys_day_place_or_session_is_taken_from_under_them(
    event: Event, organiser: User, first_session: Session
) -> None:
    enter(first_session, 5)
    first, *rest = plan(event)
    day = timedelta(days=1)
    moved = replace(
        first,
        check_in_at=first.check_in_at + day,
        seating_at=first.seating_at + day,
        play_at=first.play_at + day,
        ends_at=first.ends_at + day,
    )
    assert refused_fields(event, organiser, rest) == [(None, "remove")]
    assert refused_fields(event, organiser, [moved, *rest]) == [(0, "day")]
    assert refused_fields(event, organiser, [replace(first, capacity=4), *rest]) == [(0, "capacity")]
    earlier = plan_day(date(2026, 3, 28), DayPace(1, time(9), 60, 15, 30, 60), table_count=5)
    assert refused_fields(event, organiser, [*earlier, first, *rest]) == [(1, "check_in_at")]
    later = replace(first, seating_at=first.seating_at + timedelta(minutes=5), capacity=5)
    setup_changes.change_sessions(event, revision=1, plan=[later, *rest], by=organiser)
    assert plan(event)[0] == later


def test_a_session_with_confirmed_seats_keeps_day_hours_and_tables_and_the_others_may_change(
    event: Event, organiser: User
) -> None:
    settled = sessions_of_first_stage(event)[4]
    settle(settled, organiser)
    sessions = plan(event)
    hour = timedelta(minutes=5)
    late = replace(sessions[4], ends_at=sessions[4].ends_at + hour, table_count=26)
    assert refused_fields(event, organiser, [*sessions[:4], late, *sessions[5:]]) == [
        (4, "ends_at"),
        (4, "table_count"),
    ]
    assert refused_fields(event, organiser, sessions[1:]) == [(3, "check_in_at")]
    roomier = replace(sessions[4], capacity=96)
    other = replace(sessions[5], ends_at=sessions[5].ends_at + hour)
    wanted = [*sessions[:4], roomier, other, *sessions[6:]]
    setup_changes.change_sessions(event, revision=1, plan=wanted, by=organiser)
    assert plan(event) == wanted


def test_the_sessions_ask_one_query_however_many(event: Event, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert len(sessions_of_first_stage(event)) == 12


# Copying


def test_a_copy_has_the_structure_and_nobody(event: Event, organiser: User, first_session: Session) -> None:
    enter(first_session, 5)
    copy = setup.copy_event(
        event, slug="hk-2027", name_zh="新", name_en="New", first_day=date(2027, 3, 27), by=organiser
    )
    assert [session.code for session in sessions_of_first_stage(copy)][::4] == ["0327-1", "0405-1", "0406-1"]
    assert (copy.results_at, copy.retention_on) == (datetime.fromisoformat("2027-04-08T00:00+08:00"), date(2027, 7, 30))
    assert (copy.entrants.count(), copy.memberships.count(), copy.revision) == (0, 1, 1)
    assert ruleset_of_stage(copy.stages.get()) == ruleset_of_stage(event.stages.get())
    assert event.entrants.count() == 5
