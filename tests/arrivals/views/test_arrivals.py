"""The desk's page of arrivals: who is here and who is missing, checked in by hand, forfeits listed and pressed."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.arrivals.domain import read_arrivals_board
from tournament.arrivals.models import Arrival, DoorCheck
from tournament.arrivals.services import check_in
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.tables.models import Table


@pytest.fixture
def hall(tables: list[Table], first_session: Session) -> Session:
    """301 to 311 at tables 1 to 3; 301 is called 龍一一, two of table 2 are a family."""
    Person.objects.filter(entrant__number=301).update(
        name_zh="龍一一",
        name_en="LUNG Yat Yat",
        name_key="龍一一|lung yat yat",
        phone="+85261234567",
        guardian="LUNG Ma",
    )
    family = Family.objects.create(event=first_session.stage.event, code="F-1")
    Entrant.objects.filter(number__in=(305, 306)).update(family=family)
    return first_session


@pytest.fixture
def desk(organiser: User, signed_in: Any) -> Client:
    return signed_in(organiser)


def at(name: str, session: Session, query: str = "") -> str:
    return reverse(name, args=["hk-2026", session.number]) + query


def page(client: Client, session: Session, query: str = "", language: str = "en") -> str:
    answer = client.get(at("session_arrivals", session, query), headers={"Accept-Language": language})
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_the_page_says_how_many_of_how_many_are_here_and_which_tables_miss_whom(
    hall: Session, desk: Client, organiser: User
) -> None:
    check_in.check_in(hall, [305, 306, 307, 308, 309], acting=ActingAccount(organiser, ""))
    shown = desk.get(at("session_arrivals", hall)).context
    assert (len(shown["board"].here), shown["board"].expected, len(shown["board"].absent)) == (5, 11, 6)
    assert (shown["full"], shown["short"]) == (1, 2)
    # Where the rules let two play, a table of two stays.
    hall.stage.ruleset = "twist"
    hall.stage.save(update_fields=["ruleset"])
    assert [table.least for table in read_arrivals_board(Session.objects.get(pk=hall.pk)).tables] == [2, 2, 2]
    assert [(one.number, one.missing) for one in shown["tables"]] == [(1, 4), (2, 0), (3, 2)]
    by_missing = desk.get(at("session_arrivals", hall, "?by=missing")).context
    assert [one.number for one in by_missing["tables"]] == [1, 3, 2]


@pytest.mark.parametrize(("language", "words"), [("en", "Check-in"), ("zh-hant", "報到")])
def test_the_page_opens_in_both_languages(hall: Session, desk: Client, language: str, words: str) -> None:
    assert words in page(desk, hall, language=language)


@pytest.mark.parametrize("text", ["301", "龍一一", "yat yat", "4567"])
def test_one_is_found_by_number_name_or_telephone_and_checked_in_with_one_press(
    hall: Session, desk: Client, text: str
) -> None:
    found = desk.get(at("session_arrivals", hall, f"?q={text}")).context
    assert [one.entrant.number for one, _family in found["found_here"]] == [301]
    answer = desk.post(at("check_in", hall), {"numbers": "301", "request_key": "k"})
    assert (answer.status_code, Arrival.objects.get().entrant.number) == (302, 301)


def test_a_family_of_the_session_is_offered_as_one_press(hall: Session, desk: Client) -> None:
    [(_one, family)] = desk.get(at("session_arrivals", hall, "?q=305")).context["found_here"]
    assert [each.entrant.number for each in family] == [305, 306]
    desk.post(at("check_in", hall), {"numbers": "305 306 ", "request_key": "k"})
    assert list(Arrival.objects.values_list("entrant__number", flat=True)) == [305, 306]
    [(_one, family)] = desk.get(at("session_arrivals", hall, "?q=305")).context["found_here"]
    assert family == []


def test_who_plays_elsewhere_is_found_and_not_checked_in(hall: Session, desk: Client, event: Event) -> None:
    settle(Session.objects.get(stage__event=event, number=2), User.objects.get(username="organiser"), [4], first=401)
    found = desk.get(at("session_arrivals", hall, "?q=401")).context
    assert ([row.number for row in found["found_elsewhere"]], found["found_here"]) == ([401], [])
    answer = desk.post(at("check_in", hall), {"numbers": "401", "request_key": "k"})
    assert (answer.status_code, answer.context["refusal"].code) == (409, "other_session")


def test_ticks_of_a_paper_are_typed_with_their_time(hall: Session, desk: Client) -> None:
    day = timezone.localtime(hall.check_in_at)
    desk.post(at("check_in", hall), {"numbers": "0301, 302、303", "came_at": "12:05", "request_key": "k"})
    claimed = day.replace(hour=12, minute=5)
    assert list(Arrival.objects.values_list("entrant__number", "claimed_at")) == [
        (number, claimed) for number in (301, 302, 303)
    ]


@pytest.mark.parametrize(
    ("numbers", "came_at", "code"),
    [
        ("", "", "numbers_not_readable"),
        ("30l", "", "numbers_not_readable"),
        ("301", "25:00", "form_incomplete"),
        ("301 999", "", "no_such_entrant"),
    ],
)
def test_what_cannot_be_read_checks_nobody_in_and_stays_in_the_form(
    hall: Session, desk: Client, numbers: str, came_at: str, code: str
) -> None:
    answer = desk.post(at("check_in", hall), {"numbers": numbers, "came_at": came_at, "request_key": "k"})
    assert (answer.status_code, answer.context["refusal"].code, Arrival.objects.count()) == (400, code, 0)
    assert answer.context["form"]["numbers"].value() == numbers


def test_a_check_in_is_undone_and_what_was_seen_is_noted_and_taken_back(hall: Session, desk: Client) -> None:
    desk.post(at("check_in", hall), {"numbers": "301", "request_key": "a"})
    desk.post(at("undo_check_in", hall), {"number": "301", "reason": "the sister", "request_key": "b"})
    for undo in ("", "on"):
        desk.post(at("door_check", hall), {"number": "301", "kind": "age", "undo": undo, "request_key": f"c{undo}"})
    assert list(Arrival.objects.values_list("undone_reason", flat=True)) == ["the sister"]
    assert [one.undone_at is None for one in DoorCheck.objects.all()] == [False]


def test_the_press_lists_whom_it_is_about_and_is_there_only_after_the_minute_of_the_seating_time(
    hall: Session, desk: Client, organiser: User
) -> None:
    check_in.check_in(hall, list(range(303, 312)), acting=ActingAccount(organiser, "", claimed_at=hall.check_in_at))
    Session.objects.filter(pk=hall.pk).update(seating_at=timezone.now())
    early = desk.get(at("session_arrivals", hall)).context
    Session.objects.filter(pk=hall.pk).update(seating_at=timezone.now() - timedelta(minutes=2))
    over = desk.get(at("session_arrivals", hall)).context
    assert [(one["too_early"], one["may_press"]) for one in (early, over)] == [(True, False), (False, True)]
    assert [one.entrant.number for one in over["board"].forfeits] == [301, 302]
    desk.post(at("check_in", hall), {"numbers": "302", "came_at": "12:00", "request_key": "k"}, follow=True)
    answer = desk.post(at("forfeit_absent", hall), {"numbers": "301 302 ", "request_key": "f"}, follow=True)
    said = [str(one) for one in answer.context["messages"]]
    assert len(said) == 2
    assert Entrant.objects.get(number=301).status == EntrantStatus.FORFEITED
    assert Entrant.objects.get(number=302).status == EntrantStatus.OK
    desk.post(at("revert_forfeits", hall), {"request_key": "r"})
    assert Entrant.objects.get(number=301).status == EntrantStatus.OK


def test_the_list_of_telephones_is_the_organisers_alone_and_the_log_has_that_it_was_opened(
    hall: Session, desk: Client, clerk: User, signed_in: Any
) -> None:
    assert signed_in(clerk).get(at("phone_list", hall)).status_code == 403
    text = squeezed(desk.get(at("phone_list", hall)).content.decode())
    assert ("+85261234567" in text, "LUNG Ma" in text) == (True, True)
    said = AuditEntry.objects.filter(action="export_personal_data").values_list("reason", flat=True)
    assert list(said) == [f"telephones: 11, absent {hall.code}"]
    assert "+85261234567" not in page(desk, hall)


def test_a_reader_sees_the_page_and_no_press(hall: Session, auditor: User, signed_in: Any) -> None:
    text = page(signed_in(auditor), hall, "?q=301")
    assert 'method="post" action="/desk' not in text
    assert "arrivals/1/check-in" not in text


def test_a_session_that_nobody_is_entered_for_says_what_comes(event: Event, desk: Client) -> None:
    session = Session.objects.get(stage__event=event, number=2)
    assert "Nobody is expected at this session yet" in page(desk, session)


def test_the_page_asks_no_more_for_a_hundred_than_for_eleven(
    first_session: Session, organiser: User, desk: Client, django_assert_max_num_queries: Any
) -> None:
    settle(first_session, organiser, [4] * 25)
    check_in.check_in(first_session, list(range(301, 381)), acting=ActingAccount(organiser, ""))
    with django_assert_max_num_queries(30):
        text = page(desk, first_session, "?q=chan")
    assert "More are found than are shown" in text


def test_the_first_address_leads_to_a_session(hall: Session, desk: Client) -> None:
    assert desk.get(reverse("arrivals", args=["hk-2026"])).status_code == 302
