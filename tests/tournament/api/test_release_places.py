"""Answers about a place of the next stage through the API."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from tests.small_event import small_fixtures
from tests.tournament.api.caller import Caller, code
from tournament.demo.stages import seed_event
from tournament.models import Event, PlaceAnswer


@pytest.fixture
def finished(db: None, tmp_path: Path) -> Event:
    """A small event that has been released once."""
    return seed_event("released", 2, small_fixtures(tmp_path))


def test_a_declined_place_calls_the_next_and_the_second_to_record_is_told(finished: Event) -> None:
    program = Caller(User.objects.get(username="organiser"), days=366)
    before = program.get("places/").json()
    number = before["holders"][0]["number"]
    assert (before["release"], {one["by"] for one in before["holders"]}) == (1, {"above_line"})
    address = f"places/{number}/answer/"
    assert code(program.change(address, {"answer": "declined", "seen": 0})) == (400, "reason_missing")
    body = {"answer": "declined", "reason": "away", "seen": 0}
    first = program.change(address, body, key="a")
    assert (first.status_code, first.json()["number"], first.json()["by"]) == (201, number, "organiser")
    assert program.change(address, body, key="a").content == first.content
    after = program.get("places/").json()
    assert [one["number"] for one in after["given_up"]] == [number]
    assert number not in [one["number"] for one in after["holders"]]
    late = program.change(address, {"answer": "accepted", "seen": 0})
    assert (code(late), late.json()["current"]["id"]) == ((412, "answer_changed"), first.json()["id"])
    assert PlaceAnswer.objects.count() == 1
    assert program.change("places/9999/answer/", body).status_code == 404
