"""Entrants through the API: found, contacts for whom they are, absences."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.api.caller import Caller, code
from tests.sheets.sheets import add_entrants, draw
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Family, Person, Ruling


@pytest.fixture
def entrants(first_session: Session, organiser: User) -> list[Entrant]:
    """Eight of the first session, two tables."""
    made = add_entrants(first_session, range(1, 9))
    draw(first_session, [made[:4], made[4:]], organiser)
    return made


def numbers(response: object) -> list[int]:
    return [entrant["number"] for entrant in response.json()["entrants"]]


def test_an_entrant_is_told_with_seat_and_names(entrants: list[Entrant], clerk: User) -> None:
    found = Caller(clerk).get("entrants/6/").json()
    assert (found["number"], found["session"], found["status"], found["seat"]) == (6, 1, "ok", "2B")
    assert found["name_en"] == "CHAN Tai6 Man"
    assert found["contact"] == {
        "phone": "+85291234567",
        "email": "parent6@example.org",
        "language": "zh-hant",
        "guardian": "",
        "birth_date": "2014-01-01",
    }


def test_contacts_are_for_organisers_and_clerks_alone(
    entrants: list[Entrant], organiser: User, clerk: User, chief_judge: User, auditor: User
) -> None:
    told = {
        user.username: Caller(user).get("entrants/1/").json()["contact"]
        for user in (organiser, clerk, chief_judge, auditor)
    }
    assert {name: bool(contact) for name, contact in told.items()} == {
        "organiser": True,
        "clerk": True,
        "chief_judge": False,
        "auditor": False,
    }
    listed = Caller(auditor).get("entrants/").content.decode()
    assert "+852" not in listed and "example.org" not in listed and "2014-01-01" not in listed


def test_nobody_is_found_by_a_phone_whose_phone_they_may_not_see(
    entrants: list[Entrant], clerk: User, auditor: User
) -> None:
    assert len(numbers(Caller(clerk).get("entrants/?text=4567"))) == 8
    assert numbers(Caller(auditor).get("entrants/?text=4567")) == []


def test_entrants_are_filtered_and_read_a_part_at_a_time(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    Entrant.objects.filter(number__in=[2, 5]).update(status=EntrantStatus.WITHDRAWN)
    assert numbers(program.get("entrants/?status=withdrawn")) == [2, 5]
    assert numbers(program.get("entrants/?text=7")) == [7]
    assert numbers(program.get("entrants/?session=2")) == []
    first = program.get("entrants/?limit=3")
    assert (numbers(first), first.json()["next"], first.json()["count"]) == ([1, 2, 3], 3, 8)
    last = program.get("entrants/?limit=3&after=6")
    assert (numbers(last), last.json()["next"]) == ([7, 8], None)
    assert numbers(program.get("entrants/?limit=8"))[-1] == 8


def test_more_entrants_than_a_search_finds_are_an_entry_of_the_log_for_each_part(
    entrants: list[Entrant], first_session: Session, clerk: User
) -> None:
    program = Caller(clerk)
    assert len(numbers(program.get("entrants/?limit=200"))) == 8
    add_entrants(first_session, range(9, 41))
    program.get("entrants/?text=12")
    for part in ("entrants/?limit=30", "entrants/?limit=30&after=30", "entrants/?limit=1&after=40"):
        assert program.get(part).status_code == 200
    taken = AuditEntry.objects.filter(action="export_personal_data").order_by("seq")
    assert [(one.actor, one.reason) for one in taken] == [
        (clerk, "api entrants: 30, from 0001, of 40"),
        (clerk, "api entrants: 10, from 0031, of 40"),
    ]


def test_a_list_tells_school_and_family_to_who_may_take_out_people_or_searches_for_a_few(
    entrants: list[Entrant], event: Event, first_session: Session, organiser: User, clerk: User, chief_judge: User
) -> None:
    add_entrants(first_session, range(9, 31))
    Person.objects.update(name_key="chan")
    family = Family.objects.create(event=event, code="F-1")
    Entrant.objects.filter(number=7).update(family=family, family_role="child")
    Person.objects.filter(entrant__number=7).update(school="Lily Road School")
    known, hidden = ("Lily Road School", "F-1", "child"), (None, None, None)

    def seventh(user: User, asked: str) -> tuple[str | None, str | None, str | None]:
        listed = Caller(user).get(f"entrants/?limit=200&{asked}").json()["entrants"]
        return next((one["school"], one["family"], one["family_role"]) for one in listed if one["number"] == 7)

    assert seventh(organiser, "") == known
    for user in (clerk, chief_judge):
        told = [seventh(user, asked) for asked in ("", "session=1", "text=chan", "text=%20", "text=7")]
        assert told == [hidden] * 4 + [known]
        alone = Caller(user).get("entrants/7/").json()
        assert (alone["school"], alone["family"], alone["family_role"]) == known


def test_an_absence_is_recorded_once_with_reason_ruling_and_log(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    body = {"status": "forfeited", "reason": "did not come"}
    first = program.change("entrants/3/absence/", body, seen=1, key="a")
    again = program.change("entrants/3/absence/", body, seen=1, key="a")
    assert (first.status_code, first.json()) == (
        200,
        {"number": 3, "revision": 2, "status": "forfeited", "session": 1, "family": None, "family_role": ""},
    )
    assert (again.content, again["Idempotent-Replay"]) == (first.content, "true")
    assert Ruling.objects.filter(entrant__number=3).count() == 1
    assert AuditEntry.objects.filter(subject="entrant 0003").count() == 1


def test_who_comes_second_is_told_what_was_recorded_meanwhile(entrants: list[Entrant], clerk: User) -> None:
    Caller(clerk).change("entrants/3/absence/", {"status": "withdrawn", "reason": "is ill"}, seen=1)
    response = Caller(clerk).change("entrants/3/absence/", {"status": "forfeited", "reason": "x"}, seen=1)
    assert code(response) == (412, "entrant_changed")
    assert (response.json()["current"]["status"], response.json()["current"]["revision"]) == ("withdrawn", 2)
    assert response.json()["differences"] == [{"where": "revision", "mine": 1, "theirs": 2}]


def test_the_chief_judge_alone_disqualifies_and_takes_it_back(
    entrants: list[Entrant], organiser: User, chief_judge: User
) -> None:
    body = {"status": "disqualified", "reason": "ruling 4"}
    back = {"reason": "appeal upheld"}
    assert code(Caller(organiser).change("entrants/3/absence/", body, seen=1)) == (403, "not_your_role")
    assert Caller(chief_judge).change("entrants/3/absence/", body, seen=1).status_code == 200
    assert code(Caller(organiser).change("entrants/3/readmit/", back, seen=2)) == (403, "not_your_role")
    assert Caller(chief_judge).change("entrants/3/readmit/", back, seen=2).json()["status"] == "ok"


def test_a_reason_is_needed_and_an_absence_is_no_ok(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    wrong = [
        {"status": "forfeited"},
        {"status": "forfeited", "reason": " "},
        {"status": "ok", "reason": "x"},
        {"status": "forfeited", "reason": "x" * 501},
    ]
    assert [program.change("entrants/3/absence/", body, seen=1).status_code for body in wrong] == [400] * 4
    assert Entrant.objects.get(number=3).status == "ok"


def test_no_name_and_no_contact_is_kept_with_a_request_s_key(entrants: list[Entrant], clerk: User) -> None:
    Caller(clerk).change("entrants/3/absence/", {"status": "forfeited", "reason": "CHAN"}, seen=1)
    assert "CHAN" not in str(list(RequestKey.objects.values_list("answer", flat=True)))


def test_one_who_is_not_there_is_the_same_404_for_reading_and_recording(event: Event, clerk: User) -> None:
    program = Caller(clerk)
    answers = [
        program.get("entrants/9999/"),
        program.change("entrants/9999/absence/"),
        program.change("entrants/9999/readmit/"),
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}


def test_many_entrants_ask_no_more_than_one(
    entrants: list[Entrant], clerk: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    program = Caller(clerk)
    program.get("entrants/")
    for limit in (1, 3, 8):
        with django_assert_num_queries(5):
            assert len(numbers(program.get(f"entrants/?limit={limit}"))) == limit
