"""Releases and the audit log through the API."""

from itertools import pairwise
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from tests.api.caller import Caller, code
from tests.small_event import small_fixtures
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.demo.stages import seed_event
from tournament.releases.models import Release


@pytest.fixture
def finished(db: None, tmp_path: Path) -> Event:
    """A small event that has been released once."""
    return seed_event("released", 2, small_fixtures(tmp_path))


@pytest.fixture
def program(finished: Event) -> Caller:
    return Caller(User.objects.get(username="organiser"), days=366)


def test_a_release_is_listed_read_and_withdrawn_and_the_next_made(finished: Event, program: Caller) -> None:
    listed = program.get("releases/").json()
    assert ([one["number"] for one in listed["releases"]], listed["next"]) == ([1], 2)
    one = program.get("releases/1/").json()
    assert (one["digest"], one["content"]["number"]) == (Release.objects.get().digest, 1)
    gone = program.change("releases/1/withdraw/", {"reason": "a sheet was missing"}).json()
    assert (gone["withdrawn_by"], gone["withdrawn_reason"]) == ("organiser", "a sheet was missing")


def test_a_second_release_that_says_the_same_is_409(finished: Event, program: Caller) -> None:
    assert code(program.change("releases/", {"number": 2})) == (409, "already_released")


def test_after_a_withdrawal_the_next_is_released_once(
    finished: Event, program: Caller, django_capture_on_commit_callbacks: object
) -> None:
    program.change("releases/1/withdraw/", {"reason": "x"})
    assert program.get("releases/").json()["blocks"] == []
    with django_capture_on_commit_callbacks(execute=True):
        made = program.change("releases/", {"number": 2}, key="r")
    again = program.change("releases/", {"number": 2}, key="r")
    assert (made.status_code, made["Location"]) == (201, "/api/v1/events/hk-2026/releases/2/")
    assert (again.status_code, again.content, again["Location"]) == (201, made.content, made["Location"])
    assert Release.objects.count() == 2
    assert Client().get("/p/hk-2026/2/").status_code == 200


def test_before_its_hour_everything_that_blocks_is_named(event: Event, organiser: User) -> None:
    with time_machine.travel("2026-03-01T10:00:00+08:00", tick=False):
        program = Caller(organiser)
        response = program.change("releases/", {"number": 1})
        blocks = program.get("releases/").json()["blocks"]
    assert code(response) == (409, "release_blocked")
    assert response.json()["blocks"] == blocks
    assert [block["code"] for block in blocks] == ["embargo", "nothing_to_release"]


def test_a_release_that_is_not_there_is_404(finished: Event, program: Caller) -> None:
    assert [program.get("releases/9/").status_code, program.change("releases/9/withdraw/").status_code] == [404, 404]


def test_the_log_is_read_a_part_at_a_time_and_holds_no_name(finished: Event, program: Caller) -> None:
    everything, after = [], 0
    while after is not None:
        part = program.get(f"audit/?limit=200&after={after}").json()
        everything += part["entries"]
        after = part["next"]
    assert [one["seq"] for one in everything] == list(range(1, AuditEntry.objects.filter(event=finished).count() + 1))
    assert all(one["prev"] == before["hash"] for before, one in pairwise(everything))
    released = program.get("audit/?thing=release 1").json()
    assert ([one["action"] for one in released["entries"]], released["count"]) == (["release"], 1)


def test_the_log_is_for_organiser_chief_judge_and_auditor(finished: Event) -> None:
    names = ("organiser", "judge", "auditor", "clerk", "referee01")
    found = {name: Caller(User.objects.get(username=name)).get("audit/").status_code for name in names}
    assert found == {"organiser": 200, "judge": 200, "auditor": 200, "clerk": 403, "referee01": 403}
