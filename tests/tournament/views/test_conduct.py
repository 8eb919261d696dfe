"""The chief judge's queue: calls appear, are taken and answered; the list alone, and 304 while it is the same."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament.tables import settle
from tests.tournament.views.test_scoresheets import at
from tournament.enums import IncidentKind
from tournament.models import JudgeCall, Session, Table
from tournament.services import conduct
from tournament.services.acting import Acting


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """A table of three, 0301 to 0303."""
    return settle(first_session, organiser, [3])[0]


def call(table: Table, by: User, key: str = "c", reason: str = "a rack is disputed") -> JudgeCall:
    return conduct.call_judge(table, reason=reason, game=2, letter="B", acting=Acting(by, key))


def page(client: Client, language: str = "en", **headers: str) -> Any:
    sent = {"Accept-Language": language, **{name.replace("_", "-"): text for name, text in headers.items()}}
    return client.get(at("judge_queue"), headers=sent)


def test_a_call_is_seen_taken_and_answered(table: Table, referee: User, chief_judge: User, signed_in: Any) -> None:
    row = call(table, referee)
    judge = signed_in(chief_judge)
    html = page(judge).content.decode()
    assert ("a rack is disputed" in html, "seat B" in html, "0302" in html, "<title>(1) " in html) == (True,) * 4
    assert judge.post(at("take_call", row.pk), {"request_key": "t"}).status_code == 302
    assert judge.post(at("answer_call", row.pk), {"request_key": "a", "answer": "it stands"}).status_code == 302
    row.refresh_from_db()
    assert (row.taken_by, row.answered_by, row.answer) == (chief_judge, chief_judge, "it stands")
    html = page(judge).content.decode()
    assert ("it stands" in html, 'name="answer"' in html, "<title>(" in html) == (True, False, False)


def test_an_answer_too_late_or_empty_is_refused_and_what_was_typed_is_kept(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    row, judge = call(table, referee), signed_in(chief_judge)
    empty = judge.post(at("answer_call", row.pk), {"request_key": "e", "answer": " "})
    assert empty.status_code == 400
    judge.post(at("answer_call", row.pk), {"request_key": "a", "answer": "it stands"})
    late = judge.post(at("answer_call", row.pk), {"request_key": "b", "answer": "play again"})
    assert (late.status_code, JudgeCall.objects.get().answer) == (409, "it stands")


def test_the_list_alone_is_304_until_something_changes(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    judge = signed_in(chief_judge)
    first = page(judge, X_Live="1")
    assert (first.status_code, b"<html" in first.content) == (200, False)
    again = page(judge, X_Live="1", If_None_Match=first["ETag"])
    assert (again.status_code, again.content) in ((304, b""), (200, first.content))
    row = call(table, referee)
    changed = page(judge, X_Live="1", If_None_Match=first["ETag"])
    assert (changed.status_code, f'data-waiting="1" data-newest="{row.pk}"' in changed.content.decode()) == (200, True)


def test_who_reads_sees_the_queue_and_answers_nothing(
    table: Table, referee: User, organiser: User, signed_in: Any
) -> None:
    row, desk = call(table, referee), signed_in(organiser)
    html = page(desk).content.decode()
    assert ("a rack is disputed" in html, 'name="answer"' in html) == (True, False)
    assert desk.post(at("answer_call", row.pk), {"answer": "x"}).status_code == 403
    assert page(signed_in(referee)).status_code == 403


def test_the_overview_says_first_that_a_table_calls(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    call(table, referee)
    html = signed_in(chief_judge).get(at("overview"), headers={"Accept-Language": "en"}).content.decode()
    first, link = html.index("1 table calls the chief judge."), html.rindex(at("judge_queue"))
    assert html.index('<ul class="queue">') < first < link < html.index("</li>", first)


def test_an_entrant_s_page_has_warnings_and_incidents_of_that_seat_alone(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    acting = Acting(referee, "w")
    conduct.warn(table, letter="B", game=1, reason="spoke to a neighbour", acting=acting)
    given = {"kind": IncidentKind.PUSHED_OVER, "game": 2, "note": "by an elbow"}
    conduct.record_incident(table, letter="B", tiles=7, acting=Acting(referee, "i"), **given)
    conduct.record_incident(table, letter="C", tiles=9, acting=Acting(referee, "j"), **given)
    judge = signed_in(chief_judge)
    found = []
    for number in (301, 302):
        html = judge.get(reverse("entrant", args=["hk-2026", number]), headers={"Accept-Language": "en"}).content
        found.append(["Verbal warning 1" in html.decode(), "7 tiles" in html.decode(), "9 tiles" in html.decode()])
    assert found == [[False, False, False], [True, True, False]]


def test_the_queue_stands_in_both_languages_and_asks_as_many_queries_for_three_as_for_one(
    first_session: Session, organiser: User, referee: User, chief_judge: User, signed_in: Any
) -> None:
    tables, judge = settle(first_session, organiser, [4, 4, 4]), signed_in(chief_judge)
    counts = []
    for place, table in enumerate(tables):
        conduct.warn(table, letter="B", game=1, reason="x", acting=Acting(referee, f"w{place}"))
        call(table, referee, f"c{place}")
        with CaptureQueriesContext(connection) as asked:
            html = page(judge, "zh-hant").content.decode()
        counts.append(len(asked))
    assert (counts[0], "總評判" in html) == (counts[2], True)
