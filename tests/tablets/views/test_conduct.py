"""The chief judge's queue: calls appear, are taken and answered; the list alone, and 304 while it is the same."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.scoresheets.views.test_scoresheets import at
from tests.sheets import drawing
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import IncidentKind
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.conduct import Incident, JudgeCall, Warning
from tournament.tables.models import Table
from tournament.tablets.services import conduct, conduct_notes


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """A table of three, 0301 to 0303."""
    return settle(first_session, organiser, [3])[0]


def call(table: Table, by: User, key: str = "c", reason: str = "a rack is disputed") -> JudgeCall:
    return conduct.call_judge(table, reason=reason, game=2, letter="B", acting=ActingAccount(by, key))


def page(client: Client, language: str = "en", **headers: str) -> Any:
    sent = {"Accept-Language": language, **{name.replace("_", "-"): text for name, text in headers.items()}}
    return client.get(at("judge_queue"), headers=sent)


def test_a_call_is_seen_taken_and_answered(table: Table, referee: User, chief_judge: User, signed_in: Any) -> None:
    row = call(table, referee)
    judge = signed_in(chief_judge)
    html = squeezed(page(judge).content.decode())
    assert ("a rack is disputed" in html, "seat B" in html, "0302" in html, "<title>(1) " in html) == (True,) * 4
    assert judge.post(at("take_call", row.pk), {"request_key": "t"}).status_code == 302
    assert judge.post(at("answer_call", row.pk), {"request_key": "a", "answer": "it stands"}).status_code == 302
    row.refresh_from_db()
    assert (row.taken_by, row.answered_by, row.answer) == (chief_judge, chief_judge, "it stands")
    html = squeezed(page(judge).content.decode())
    assert ("it stands" in html, 'name="answer"' in html, "<title>(" in html) == (True, False, False)


def test_an_answer_says_whether_the_table_s_tablet_gets_it_as_far_as_the_server_knows(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    judge = signed_in(chief_judge)
    assert (
        told_after_answer(judge, call(table, referee, "1"))
        == "Answered. Table 1 has no tablet: tell the table in person."
    )
    held = drawing.tablet(table, referee, chief_judge)
    heard = timezone.now()
    Device.objects.filter(pk=held.pk).update(last_seen_at=heard)
    at_hour = f"{timezone.localtime(heard):%H:%M}"
    said = told_after_answer(judge, call(table, referee, "2"))
    assert said == f"Answered. Tablet {held.number}, heard at {at_hour}, gets the ruling."
    Device.objects.filter(pk=held.pk).update(last_seen_at=heard - timedelta(minutes=12))
    said = told_after_answer(judge, call(table, referee, "3"))
    assert said.startswith(f"Answered. Tablet {held.number} was last heard at") and said.endswith(
        "tell table 1 in person."
    )


def told_after_answer(judge: Client, row: JudgeCall) -> str:
    """What the page says once the call is answered."""
    given = {"request_key": f"a{row.pk}", "answer": "it stands"}
    answer = judge.post(at("answer_call", row.pk), given, headers={"Accept-Language": "en"}, follow=True)
    return " ".join(str(message) for message in answer.context["messages"])


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
    assert (changed.status_code, f'data-waiting="1" data-newest="{row.pk}"' in squeezed(changed.content.decode())) == (
        200,
        True,
    )


def test_who_reads_sees_the_queue_and_answers_nothing(
    table: Table, referee: User, organiser: User, signed_in: Any
) -> None:
    row, desk = call(table, referee), signed_in(organiser)
    html = squeezed(page(desk).content.decode())
    assert ("a rack is disputed" in html, 'name="answer"' in html) == (True, False)
    assert desk.post(at("answer_call", row.pk), {"answer": "x"}).status_code == 403
    assert page(signed_in(referee)).status_code == 403


def test_the_overview_says_first_that_a_table_calls(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    call(table, referee)
    html = squeezed(signed_in(chief_judge).get(at("overview"), headers={"Accept-Language": "en"}).content.decode())
    first, link = html.index("1 table calls the chief judge."), html.rindex(at("judge_queue"))
    assert html.index('<ul class="queue">') < first < link < html.index("</li>", first)


def test_an_entrant_s_page_has_warnings_and_incidents_of_that_seat_alone(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    acting = ActingAccount(referee, "w")
    conduct.warn_entrant(table, letter="B", game=1, reason="spoke to a neighbour", acting=acting)
    given = {"kind": IncidentKind.PUSHED_OVER, "game": 2, "note": "by an elbow"}
    conduct.record_incident(table, letter="B", tiles=7, acting=ActingAccount(referee, "i"), **given)
    conduct.record_incident(table, letter="C", tiles=9, acting=ActingAccount(referee, "j"), **given)
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
        conduct.warn_entrant(table, letter="B", game=1, reason="x", acting=ActingAccount(referee, f"w{place}"))
        call(table, referee, f"c{place}")
        mark(table, referee, "left", "A")
        with CaptureQueriesContext(connection) as asked:
            html = squeezed(page(judge, "zh-hant").content.decode())
        counts.append(len(asked))
    assert (counts[0], "總評判" in html) == (counts[2], True)


# --- Marks of the tables --------------------------------------------------------------------------------
def mark(table: Table, by: User, kind: str = "absent", letter: str = "B") -> Incident:
    conduct.record_incident(
        table, kind=kind, game=1, letter=letter, note="not there", acting=ActingAccount(by, f"{kind}{table.pk}")
    )
    return Incident.objects.latest("pk")


def test_a_table_s_mark_stands_in_the_queue_and_one_press_records_it(
    table: Table, referee: User, clerk: User, signed_in: Any
) -> None:
    row, desk = mark(table, referee), signed_in(clerk)
    html = squeezed(page(desk).content.decode())
    assert ("Record the no-show" in html, "not there" in html, "0302" in html, "<title>(1) " in html) == (True,) * 4
    assert desk.post(at("confirm_mark", row.pk), {"request_key": "c"}).status_code == 302
    assert Entrant.objects.get(number=302).status == "forfeited"
    html = squeezed(page(desk).content.decode())
    assert ("Record the no-show" in html, "<title>(" in html) == (False, False)
    again = desk.post(at("confirm_mark", row.pk), {"request_key": "d"}, headers={"Accept-Language": "en"})
    assert (again.status_code, "settled already" in squeezed(again.content.decode())) == (409, True)


def test_a_mark_that_is_not_recorded_needs_a_reason_and_the_reason_typed_is_kept(
    table: Table, referee: User, clerk: User, signed_in: Any
) -> None:
    row, desk = mark(table, referee), signed_in(clerk)
    assert desk.post(at("dismiss_mark", row.pk), {"request_key": "e", "reason": " "}).status_code == 400
    assert desk.post(at("dismiss_mark", row.pk), {"request_key": "f", "reason": "came"}).status_code == 302
    late = desk.post(at("dismiss_mark", row.pk), {"request_key": "g", "reason": "he came at once"})
    assert (late.status_code, Entrant.objects.get(number=302).status) == (409, "ok")


def test_a_disqualification_is_recorded_by_the_chief_judge_alone(
    table: Table, referee: User, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    row = mark(table, referee, "disqualified")
    desk, judge = signed_in(clerk), signed_in(chief_judge)
    assert "Record the disqualification" not in squeezed(page(desk).content.decode())
    assert desk.post(at("confirm_mark", row.pk), {"request_key": "c"}).status_code == 403
    assert "Record the disqualification" in squeezed(page(judge).content.decode())
    assert judge.post(at("confirm_mark", row.pk), {"request_key": "d"}).status_code == 302
    assert Entrant.objects.get(number=302).status == "disqualified"


def test_the_overview_says_that_a_table_s_note_is_to_be_recorded(
    table: Table, referee: User, clerk: User, signed_in: Any
) -> None:
    mark(table, referee)
    html = squeezed(signed_in(clerk).get(at("overview"), headers={"Accept-Language": "en"}).content.decode())
    assert "1 note of a table is still to be recorded." in html


def test_an_entrant_s_page_says_what_became_of_a_note(
    table: Table, referee: User, chief_judge: User, signed_in: Any
) -> None:
    conduct.warn_entrant(table, letter="B", game=1, reason="talked", acting=ActingAccount(referee, "w"))
    [warning] = Warning.objects.all()
    conduct_notes.withdraw_note(table, note=warning, reason="the wrong child", acting=ActingAccount(referee, "x"))
    html = signed_in(chief_judge).get(reverse("entrant", args=["hk-2026", 302]), headers={"Accept-Language": "en"})
    assert "note taken back" in squeezed(html.content.decode())
