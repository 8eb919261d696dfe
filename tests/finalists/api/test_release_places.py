"""Answers about a place of the next stage through the API."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.api.caller import Caller, code
from tests.sheets.sheets import mirrored_tables
from tests.small_event import small_fixtures
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.demo.stages import seed_event
from tournament.finalists.services.release_places import record_place_answer
from tournament.publication.services.release import release_results
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import PlaceAnswer

DECISIONS = "places/decisions/"
CALLED = {"tied": [3, 7], "places": 1, "method": "pick", "order": [7, 3], "reason": "0007 won the game"}


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


@pytest.fixture
def declined(first_session: Session, organiser: User) -> None:
    """0001, 0002 and 0006 hold places; 0003 and 0007 share the reserve place that 0005 has left to be filled."""
    mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now())
    first_session.stage.event.refresh_from_db()
    release_results(first_session.stage, by=organiser)
    record_place_answer(first_session.stage, number=5, answer="declined", reason="away", by=organiser)


def test_the_chief_judge_decides_which_sharer_of_a_reserve_place_is_called(
    declined: None, organiser: User, chief_judge: User
) -> None:
    program = Caller(chief_judge)
    before = program.get("places/").json()
    assert (before["undecided"], before["decisions"]) == ({"places": 1, "numbers": [3, 7]}, [])
    assert code(Caller(organiser).change(DECISIONS, CALLED)) == (403, "not_your_role")
    made = program.change(DECISIONS, CALLED, key="d")
    told = made.json()
    assert (made.status_code, told["undecided"], told["waiting"]) == (201, None, [3, 4, 8])
    assert [one["number"] for one in told["holders"]] == [1, 2, 6, 7]
    assert [(one["tied"], one["order"], one["by"]) for one in told["decisions"]] == [([3, 7], [7, 3], "chief_judge")]
    assert program.change(DECISIONS, CALLED, key="d").content == made.content
    assert code(program.change(DECISIONS, CALLED | {"order": [3]}, key="d")) == (422, "key_reused")
    assert TieBreak.objects.count() == 1


def test_a_reserve_place_that_is_shared_by_others_is_412_with_the_places_as_they_are(
    declined: None, chief_judge: User
) -> None:
    refused = Caller(chief_judge).change(DECISIONS, CALLED | {"tied": [4, 8], "order": [4]})
    assert code(refused) == (412, "tie_changed")
    assert refused.json()["current"]["undecided"] == {"places": 1, "numbers": [3, 7]}


def test_another_order_replaces_the_one_it_has_seen_unless_the_called_has_accepted(
    declined: None, organiser: User, chief_judge: User
) -> None:
    program = Caller(chief_judge)
    first = program.change(DECISIONS, CALLED).json()["decisions"][0]["id"]
    other = CALLED | {"order": [3, 7], "reason": "the game was counted wrongly"}
    assert code(program.change(DECISIONS, other)) == (409, "already_decided")
    program_of_desk = Caller(organiser)
    assert program_of_desk.change("places/7/answer/", {"answer": "accepted", "seen": 0}).status_code == 201
    assert code(program.change(DECISIONS, other | {"replaces": first})) == (409, "place_accepted")
