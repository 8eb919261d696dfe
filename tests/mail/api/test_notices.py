"""Notices through the API: drafted, changed, counted, published once with mail, put aside, a banner taken down."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.caller import Caller, code
from tests.mail.noticed import told
from tests.messages.mailed import enter
from tournament.core.models.event import Event
from tournament.messages.models import Delivery, Notice

WORDS: dict[str, Any] = {
    "kind": "pending",
    "day": "2026-03-28",
    "sessions": [1, 2],
    "title_zh": "比賽待定",
    "title_en": "Pending",
    "body_zh": "請先留在家中。",
    "body_en": "Please stay at home.",
    "tone": "wait",
}


@pytest.fixture
def program(event: Event, organiser: User) -> Caller:
    return Caller(organiser)


@pytest.fixture
def draft(program: Caller) -> str:
    """The address of a draft."""
    return f"notices/{program.change('notices/', WORDS).json()['id']}/"


def test_a_draft_is_made_from_its_words_and_read(program: Caller) -> None:
    made = program.change("notices/", WORDS, key="one")
    again = program.change("notices/", WORDS, key="one")
    body = made.json()
    assert (made.status_code, made["ETag"], again["Idempotent-Replay"]) == (201, '"v1"', "true")
    assert (again.json(), Notice.objects.count()) == (body, 1)
    assert {name: body[name] for name in WORDS} == WORDS
    unpublished = {"number": None, "banner": True, "corrects": None, "published_at": None, "mailing": None}
    assert {name: body[name] for name in unpublished} == unpublished
    assert program.get(f"notices/{body['id']}/").json() == body


def test_texts_are_made_from_a_day(program: Caller) -> None:
    texts = program.get("notice-texts/?kind=pending&day=2026-03-28").json()
    assert (texts["sessions"], texts["tone"], "10:00" in texts["body_en"]) == ([1, 2, 3, 4], "wait", True)
    assert program.get("notice-texts/?kind=general").json()["sessions"] == []


def test_what_the_event_has_not_is_refused_at_its_field(program: Caller) -> None:
    for more, place in (({"sessions": [1, 99]}, "sessions"), ({"day": "2026-03-27"}, "day"), ({"mood": 1}, "mood")):
        refused = program.change("notices/", WORDS | more)
        assert (code(refused), refused.json()["faults"][0]["where"]) == ((400, "fields_not_valid"), place)
    assert code(program.change("notices/", WORDS | {"corrects": 3})) == (404, "not_found")
    assert code(program.change("notices/", WORDS | {"title_zh": " "})) == (400, "notice_empty")
    assert Notice.objects.count() == 0


def test_who_comes_second_is_shown_what_stands(program: Caller, draft: str) -> None:
    first = program.change(draft, WORDS | {"title_en": "Wait"}, method="PUT", seen=1)
    second = program.change(draft, WORDS | {"title_en": "Stay"}, method="PUT", seen=1)
    assert (first.status_code, first["ETag"], code(second)) == (200, '"v2"', (412, "notice_changed"))
    assert (second.json()["current"]["title_en"], second.json()["differences"]) == (
        "Wait",
        [{"where": "revision", "mine": 1, "theirs": 2}],
    )
    assert code(program.change(draft, WORDS, method="PUT")) == (428, "if_match_missing")


def test_a_notice_is_counted_published_once_and_mailed(program: Caller, event: Event, draft: str) -> None:
    enter(event, 3)
    reached = program.get(f"{draft}recipients/").json()
    assert reached == {"revision": 1, "count": 3, "told": 3, "english": 2, "missing": []}
    wrong = program.change(f"{draft}publish/", {"mail": True, "confirmed": 4}, seen=1)
    sent = program.change(f"{draft}publish/", {"mail": True, "confirmed": 3}, seen=1).json()
    again = program.change(f"{draft}publish/", {"mail": True, "confirmed": 3}, seen=1).json()
    assert (code(wrong), again, sent["number"], Delivery.objects.count()) == ((409, "count_differs"), sent, 1, 3)
    assert sent["mailing"] == Delivery.objects.all()[0].mailing_id
    assert code(program.change(draft, WORDS, method="PUT", seen=1)) == (409, "notice_published")
    lowered = [program.change(f"{draft}banner-down/").json()["banner_down_at"] for _time in range(2)]
    assert (lowered[0] is not None, lowered[0]) == (True, lowered[1])


def test_a_draft_is_put_aside_however_often_it_is_sent(program: Caller, draft: str) -> None:
    first = program.change(f"{draft}discard/", seen=1)
    again = program.change(f"{draft}discard/", seen=1)
    assert (first.status_code, again.json()["discarded_at"]) == (200, first.json()["discarded_at"])
    assert (program.get(draft).status_code, program.get("notices/").json()["count"]) == (404, 0)


def test_the_list_is_told_in_parts(program: Caller, event: Event, organiser: User) -> None:
    first = told(event, organiser)
    told(event, organiser, corrects=first)
    part = program.get("notices/?limit=1").json()
    rest = program.get(f"notices/?limit=1&after={part['next']}").json()
    assert ([one["number"] for one in part["notices"]], part["count"], rest["next"]) == ([1], 2, None)
    assert [(one["number"], one["corrects"]) for one in rest["notices"]] == [(2, 1)]


def test_the_list_asks_as_many_queries_for_three_as_for_one(program: Caller, event: Event, organiser: User) -> None:
    program.get("notices/")  # The token is noted as used.
    counts = []
    for more in (1, 2):
        for _each in range(more):
            told(event, organiser)
        with CaptureQueriesContext(connection) as asked:
            program.get("notices/")
        counts.append(len(asked))
    assert counts == [counts[0]] * 2


def test_a_clerk_reads_and_does_not_publish(event: Event, draft: str, clerk: User) -> None:
    program = Caller(clerk)
    assert [program.get(one).status_code for one in ("notices/", draft, f"{draft}recipients/")] == [200, 200, 403]
    assert program.change(f"{draft}publish/", {"mail": False}, seen=1).status_code == 403
