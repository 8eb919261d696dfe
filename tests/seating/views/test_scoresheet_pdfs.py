"""Scoresheets to print: one, a session's, all; by whom, and when there are none."""

from typing import Any

import pypdfium2
import pytest
import zxingcpp
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.conftest import account
from tests.seated import enter
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.core.services.one_at_a_time import exclusive_large_file
from tournament.entrants.models.people import Person
from tournament.seating.services import seating
from tournament.seating.views import scoresheet_pdfs
from tournament.tables.models import SheetPrint

ALL = "all_scoresheets_pdf"


def address(name: str, *args: int) -> str:
    return reverse(name, args=["hk-2026", *args])


def opened(response: Any) -> pypdfium2.PdfDocument:
    assert response.status_code == 200
    assert response["Content-Type"] == "application/pdf"
    return pypdfium2.PdfDocument(response.content)


@pytest.fixture
def desk(clerk: User, signed_in: Any) -> Client:
    return signed_in(clerk)


@pytest.fixture
def confirmed(event: Event, organiser: User) -> Stage:
    """Two sessions with confirmed seats, a third drawn only."""
    stage = event.stages.get()
    one, two, three = stage.sessions.all()[:3]
    account(event, Role.REFEREE, "馮婉𤧬")
    enter(one, 7, names={1: "陳𠮷"})
    enter(two, 8, first=101)
    enter(three, 4, first=201)
    seating.draw_all(stage, seed=1, by=organiser)
    seating.confirm_session_draw(one, revision=1, by=organiser)
    seating.confirm_session_draw(two, revision=1, by=organiser)
    return stage


def test_all_confirmed_sessions_are_printed_a_page_a_table(desk: Client, confirmed: Stage) -> None:
    response = desk.get(address(ALL))

    assert len(opened(response)) == 4
    assert response["Content-Disposition"] == 'inline; filename="scoresheets.pdf"'


def test_a_session_and_a_table_are_printed_alone(desk: Client, confirmed: Stage) -> None:
    session = desk.get(address("session_scoresheets_pdf", 1))
    table = desk.get(address("scoresheet_pdf", 1, 2))
    text = opened(table)[0].get_textpage().get_text_bounded()

    taken = AuditEntry.objects.filter(action="export_personal_data").values_list("actor__username", "reason")
    assert list(taken) == [("clerk", "scoresheets-0328-1.pdf: 7")]
    assert len(opened(session)) == 2
    assert session["Content-Disposition"] == 'inline; filename="scoresheets-0328-1.pdf"'
    assert len(opened(table)) == 1
    for printed in ("0328-1-02", "2026年3月28日（星期六）", "第一場 12:45–13:45", "馮婉𤧬", "空位"):
        assert printed in text
    everyone = "".join(page.get_textpage().get_text_bounded() for page in opened(session))
    assert "陳𠮷" in everyone


def test_the_qr_leads_to_the_typing_page_of_the_table(desk: Client, confirmed: Stage, settings: Any) -> None:
    def leads_to() -> list[str]:
        picture = opened(desk.get(address("scoresheet_pdf", 2, 1)))[0].render(scale=150 / 72).to_pil()
        return [code.text for code in zxingcpp.read_barcodes(picture)]

    asked = leads_to()
    settings.SITE_URL = "https://hall.example"

    assert asked == ["http://testserver/desk/hk-2026/scoresheets/2/1/"]
    assert leads_to() == ["https://hall.example/desk/hk-2026/scoresheets/2/1/"]


def test_printing_is_an_act_that_leads_to_the_file_of_the_new_papers(desk: Client, confirmed: Stage) -> None:
    sample = opened(desk.get(address("scoresheet_pdf", 1, 2)))[0].get_textpage().get_text_bounded()
    posted = desk.post(address("print_session_scoresheets", 1), {"request_key": "k"})
    first = desk.get(posted["Location"])
    again = desk.post(address("print_scoresheet", 1, 2), {"request_key": "l"})
    second = opened(desk.get(again["Location"]))
    picture = second[0].render(scale=150 / 72).to_pil()

    assert "SAMPLE" in sample
    assert len(opened(first)) == 2
    assert "SAMPLE" not in opened(first)[0].get_textpage().get_text_bounded()
    assert len(second) == 1
    assert "0328-1-02-2" in second[0].get_textpage().get_text_bounded()
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [
        "http://testserver/desk/hk-2026/scoresheets/1/2/?print=2"
    ]
    assert SheetPrint.objects.count() == 3


def test_reading_the_file_writes_nothing_and_shows_the_paper_as_it_was_printed(
    desk: Client, confirmed: Stage, organiser: User, first_session: Session
) -> None:
    desk.post(address("print_session_scoresheets", 1))
    before = desk.get(address("session_scoresheets_pdf", 1)).content
    seating.exchange_two_seats(first_session, revision=1, first=1, second=2, by=organiser)

    assert desk.get(address("session_scoresheets_pdf", 1)).content == before
    assert SheetPrint.objects.count() == 2


def test_printing_all_prints_what_is_missing_and_says_when_nothing_is(desk: Client, confirmed: Stage) -> None:
    first = desk.post(address("print_all_scoresheets"))
    second = desk.post(address("print_all_scoresheets"))

    assert len(opened(desk.get(first["Location"]))) == 4
    assert second.status_code == 409
    assert desk.post(address("print_session_scoresheets", 99)).status_code == 404
    assert desk.post(address("print_scoresheet", 1, 99)).status_code == 404


def test_unconfirmed_seats_are_not_printed(desk: Client, confirmed: Stage) -> None:
    assert desk.get(address("session_scoresheets_pdf", 3)).status_code == 409
    assert desk.get(address("scoresheet_pdf", 3, 1)).status_code == 409


def test_what_is_not_there_is_not_found(desk: Client, confirmed: Stage) -> None:
    assert desk.get(address("session_scoresheets_pdf", 4)).status_code == 409
    assert desk.get(address("session_scoresheets_pdf", 99)).status_code == 404
    assert desk.get(address("scoresheet_pdf", 1, 25)).status_code == 404


def test_before_any_confirmation_all_says_what_is_missing(desk: Client, event: Event) -> None:
    response = desk.get(address(ALL))

    assert response.status_code == 409
    assert "確認座位後才可列印" in squeezed(response.content.decode())


def test_a_name_with_a_character_of_no_font_stops_nobody_s_paper(desk: Client, confirmed: Stage) -> None:
    Person.objects.filter(entrant__number=101).update(name_zh="陳😀")

    assert desk.get(address(ALL)).status_code == 200


def test_printing_asks_as_little_for_many_as_for_few(
    desk: Client, confirmed: Stage, organiser: User, first_session: Session
) -> None:
    with CaptureQueriesContext(connection) as few:
        desk.get(address("session_scoresheets_pdf", 1))
    fourth = confirmed.sessions.get(number=4)
    enter(fourth, 40, first=301)
    seating.draw_session(fourth, seed=1, by=organiser)
    seating.confirm_session_draw(fourth, revision=1, by=organiser)
    with CaptureQueriesContext(connection) as many:
        desk.get(address("session_scoresheets_pdf", 4))

    assert len(many) == len(few)


@pytest.mark.parametrize("role", [Role.REFEREE, Role.CHIEF_JUDGE, Role.AUDITOR])
def test_others_print_nothing(event: Event, confirmed: Stage, signed_in: Any, role: Role) -> None:
    client = signed_in(account(event, role, f"a_{role}"))
    urls = [address(ALL), address("session_scoresheets_pdf", 1), address("scoresheet_pdf", 1, 1)]

    assert [client.get(url).status_code for url in urls] == [403] * 3


# --- One at a time --------------------------------------------------------------------------------------
@pytest.mark.fault("X20")
def test_a_second_file_of_many_papers_waits_until_the_first_of_the_account_is_made(
    desk: Client, confirmed: Stage, clerk: User, second_clerk: User, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoresheet_pdfs, "FEW_TABLES", 1)
    with exclusive_large_file("papers", clerk):
        refused = desk.get(address(ALL))
        others = signed_in(second_clerk).get(address(ALL))
        with exclusive_large_file("papers", second_clerk):
            third = signed_in(account(confirmed.event, Role.CLERK, "third")).get(address(ALL))
    assert [one.status_code for one in (refused, others, third)] == [429, 200, 429]
    assert (refused["Retry-After"], "正在為你的帳戶製作檔案" in squeezed(refused.content.decode())) == ("5", True)
    assert len(opened(desk.get(address(ALL)))) == 4


def test_a_few_papers_wait_for_nobody(desk: Client, confirmed: Stage, clerk: User) -> None:
    with exclusive_large_file("papers", clerk):
        assert len(opened(desk.get(address("scoresheet_pdf", 1, 1)))) == 1
