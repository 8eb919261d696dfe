"""Events and their sessions through the API."""

from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.api.caller import Caller
from tests.conftest import event_data
from tests.core.finals import add_final
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.setup.services import setup


def test_an_account_sees_its_own_events_with_its_roles_there(event: Event, organiser: User) -> None:
    setup.create_event(event_data() | {"slug": "other"})
    accounts.create_account(event, "organiser", "", "", [Role.CHIEF_JUDGE])
    [found] = Caller(organiser).get("/api/v1/events/").json()["events"]
    assert (found["slug"], found["roles"], found["quota"]) == ("hk-2026", ["organiser", "chief_judge"], 1200)
    [stage] = found["stages"]
    assert (stage["kind"], stage["rounds"], stage["frozen_at"]) == ("preliminary", 1, None)
    assert found["results_at"] == "2026-04-09T00:00:00+08:00"


def test_one_event_is_answered_as_in_the_list(event: Event, referee: User) -> None:
    program = Caller(referee)
    [listed] = program.get("/api/v1/events/").json()["events"]
    assert program.get("").json() == listed


def test_sessions_are_in_order_with_their_times_in_the_event_s_zone(event: Event, referee: User) -> None:
    sessions = Caller(referee).get("sessions/").json()["sessions"]
    assert [session["number"] for session in sessions] == list(range(1, 13))
    assert {session["state"] for session in sessions} == {"planned"}
    assert all(session["play_at"].endswith("+08:00") for session in sessions)
    assert sessions[0]["code"] == f"{sessions[0]['date'][5:7]}{sessions[0]['date'][8:]}-{sessions[0]['number_of_day']}"


def test_the_sessions_of_a_final_follow_those_of_the_preliminary(event: Event, referee: User) -> None:
    add_final(event, rounds=2)
    program = Caller(referee)
    sessions = program.get("sessions/").json()["sessions"]
    assert [(session["number"], session["stage"]) for session in sessions[11:]] == [
        (12, "preliminary"),
        (13, "final"),
        (14, "final"),
    ]
    assert [(stage["kind"], stage["rounds"]) for stage in program.get("").json()["stages"]] == [
        ("preliminary", 1),
        ("final", 2),
    ]


def test_many_events_ask_no_more_than_one(
    event: Event, organiser: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    program = Caller(organiser)
    program.get("/api/v1/events/")
    with django_assert_num_queries(4):
        assert len(program.get("/api/v1/events/").json()["events"]) == 1
    for slug in ("other", "third"):
        accounts.create_account(setup.create_event(event_data() | {"slug": slug}), "organiser", "", "", [Role.CLERK])
    with django_assert_num_queries(4):
        assert len(program.get("/api/v1/events/").json()["events"]) == 3
