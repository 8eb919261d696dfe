"""The list of entrants and one entrant: found in every way, contacts for those who write to people, acts by right."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.entrant_lists import csv_of, sound_row
from tests.seated import enter
from tests.sheets.sheets import GAMES, lock_sheets
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus, Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Ruling
from tournament.registration.services import importing
from tournament.sheets.services import registration

LIST = "/desk/hk-2026/entrants/"
ROWS = [
    sound_row(1, name_zh="關詠峯", name_en="KWAN Wing Fung", phone="9123 4567", email="kwan@example.com", family="F-1",
              family_role="子女", birth_date="2014-05-06", consent_guardian="是", school="白田小學"),
    sound_row(2, name_zh="關大文", name_en="KWAN Tai Man", phone="6123 0002", family="F-1", family_role="家長"),
    sound_row(3, name_en="D'SOUZA Maria", session="2"),
]  # fmt: skip


@pytest.fixture
def entrants(event: Event, organiser: User) -> list[Entrant]:
    """Three entrants, two of them a pair."""
    kept = importing.read_file(event, name="a.csv", content=csv_of(ROWS), by=organiser)
    importing.import_file(kept, by=organiser)
    return list(Entrant.objects.order_by("number"))


def as_role(request: pytest.FixtureRequest, role: Role) -> Client:
    """Somebody of this role, in English."""
    client: Client = request.getfixturevalue("signed_in")(request.getfixturevalue(role.value))
    client.cookies["django_language"] = "en"
    return client


def found(client: Client, query: str) -> list[int]:
    """The numbers on the list."""
    return [entrant.number for entrant in client.get(f"{LIST}{query}").context["page"].object_list]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [1, 2, 3]),
        ("?q=2", [2]),
        ("?q=0002", [2]),
        ("?q=關詠峰", [1]),
        ("?q=kwan", [1, 2]),
        ("?q=D’souza", [3]),
        ("?q=4567", [1]),
        ("?q=567", []),
        ("?q=234567", [1]),
        ("?q=91234567", [1]),
        ("?q=9123+4567", [1]),
        ("?q=%2B852+9123-4567", [1]),
        ("?q=0085261230002", [2]),
        ("?session=2", [3]),
        ("?q=kwan&session=2", []),
        ("?status=withdrawn", []),
        ("?session=99&status=nonsense", [1, 2, 3]),
        ("?q=%00", [1, 2, 3]),
    ],
)
def test_entrants_are_found(
    request: pytest.FixtureRequest, entrants: list[Entrant], query: str, numbers: list[int]
) -> None:
    assert found(as_role(request, Role.ORGANISER), query) == numbers


def test_phones_are_no_way_to_find_people_for_those_who_may_not_see_them(
    request: pytest.FixtureRequest, entrants: list[Entrant]
) -> None:
    auditor = as_role(request, Role.AUDITOR)
    assert [found(auditor, query) for query in ("?q=4567", "?q=234567", "?q=%2B85291234567")] == [[]] * 3


@pytest.mark.parametrize(
    ("role", "seen"),
    [(Role.ORGANISER, True), (Role.CLERK, True), (Role.CHIEF_JUDGE, False), (Role.AUDITOR, False)],
)
def test_contacts_are_shown_only_to_organiser_and_clerk(
    request: pytest.FixtureRequest, entrants: list[Entrant], role: Role, seen: bool
) -> None:
    client = as_role(request, role)
    pages = squeezed(client.get(f"{LIST}1/").content.decode()) + squeezed(client.get(f"{LIST}?q=kwan").content.decode())
    private = ("+85291234567", "4567", "kwan@example.com", "2014-05-06")
    assert [text in pages for text in private] == [seen] * 4
    assert ("關詠峯" in pages, "關*峯" in pages, "F-1" in pages) == (True, True, True)


@pytest.mark.parametrize(
    ("role", "everybody"),
    [(Role.ORGANISER, True), (Role.CLERK, False), (Role.CHIEF_JUDGE, False), (Role.AUDITOR, False)],
)
def test_the_list_shows_school_and_family_where_somebody_is_searched_for(
    request: pytest.FixtureRequest, entrants: list[Entrant], role: Role, everybody: bool
) -> None:
    client = as_role(request, role)
    pages = [squeezed(client.get(f"{LIST}{asked}").content.decode()) for asked in ("", "?session=1", "?q=kwan", "?q=1")]
    seen = [("白田小學" in page, "F-1" in page) for page in pages]
    assert seen == [(everybody, everybody)] * 2 + [(True, True)] * 2


def test_a_referee_has_no_business_with_the_list(request: pytest.FixtureRequest, entrants: list[Entrant]) -> None:
    client = as_role(request, Role.REFEREE)
    assert [client.get(address).status_code for address in (LIST, f"{LIST}1/")] == [403, 403]


def test_nobody_has_that_number(request: pytest.FixtureRequest, entrants: list[Entrant]) -> None:
    assert as_role(request, Role.ORGANISER).get(f"{LIST}9/").status_code == 404


def test_the_list_asks_as_many_queries_for_three_as_for_one(
    request: pytest.FixtureRequest, entrants: list[Entrant], django_assert_num_queries: Any
) -> None:
    client = as_role(request, Role.ORGANISER)
    for query, numbers in (("?q=3", [3]), ("", [1, 2, 3])):
        with django_assert_num_queries(7):
            assert found(client, query) == numbers


def test_an_empty_list_says_what_will_come(request: pytest.FixtureRequest, event: Event) -> None:
    client = as_role(request, Role.CLERK)
    assert "Nobody is entered yet" in squeezed(client.get(LIST).content.decode())
    assert "Nobody is found" in squeezed(client.get(f"{LIST}?q=x").content.decode())


def test_an_absence_is_recorded_with_a_reason_and_taken_back(
    request: pytest.FixtureRequest, entrants: list[Entrant]
) -> None:
    client = as_role(request, Role.CLERK)
    form = {"status": "forfeited", "reason": "not there at 12:30", "seen": "ok"}
    missing = client.post(f"{LIST}1/absence/", {**form, "reason": ""})
    assert (missing.status_code, "Say in a few words why" in squeezed(missing.content.decode())) == (400, True)
    for _ in range(2):
        assert client.post(f"{LIST}1/absence/", form)["Location"] == f"{LIST}1/"
    page = squeezed(client.get(f"{LIST}1/").content.decode())
    assert ("not there at 12:30" in page, "Takes part again" in page) == (True, True)
    assert client.post(f"{LIST}1/readmit/", {"reason": "came in time", "seen": "forfeited"}).status_code == 302
    assert list(Ruling.objects.values_list("kind", flat=True)) == ["readmitted", "forfeited"]


def test_only_the_chief_judge_disqualifies_and_takes_it_back(
    request: pytest.FixtureRequest, entrants: list[Entrant]
) -> None:
    clerk, judge = as_role(request, Role.CLERK), as_role(request, Role.CHIEF_JUDGE)
    form = {"status": "disqualified", "reason": "aids found", "seen": "ok"}
    assert clerk.post(f"{LIST}1/absence/", form).status_code == 403
    assert judge.post(f"{LIST}1/absence/", form).status_code == 302
    assert clerk.post(f"{LIST}1/readmit/", {"reason": "x", "seen": "disqualified"}).status_code == 403
    assert "Takes part again" not in squeezed(clerk.get(f"{LIST}1/").content.decode())
    assert judge.post(f"{LIST}1/readmit/", {"reason": "x", "seen": "disqualified"}).status_code == 302


def test_what_changed_meanwhile_is_shown_and_the_reason_is_kept(
    request: pytest.FixtureRequest, entrants: list[Entrant]
) -> None:
    Entrant.objects.filter(number=1).update(status=EntrantStatus.FORFEITED)
    client = as_role(request, Role.CHIEF_JUDGE)
    response = client.post(f"{LIST}1/absence/", {"status": "disqualified", "reason": "aids found", "seen": "ok"})
    page = squeezed(response.content.decode())
    assert (response.status_code, "meanwhile recorded as no-show" in page, "aids found" in page) == (412, True, True)


def test_an_auditor_reads_and_records_nothing(request: pytest.FixtureRequest, entrants: list[Entrant]) -> None:
    client = as_role(request, Role.AUDITOR)
    assert "Record an absence" not in squeezed(client.get(f"{LIST}1/").content.decode())
    assert client.post(f"{LIST}1/absence/", {"status": "withdrawn", "reason": "x", "seen": "ok"}).status_code == 403
    assert client.get(f"{LIST}1/absence/").status_code == 405


# --- What belongs to one entrant ------------------------------------------------------------------------
def test_the_page_leads_to_sheets_and_results_and_shows_rulings_as_such(
    request: pytest.FixtureRequest, first_session: Session, organiser: User
) -> None:
    lock_sheets(settle(first_session, organiser), [GAMES], organiser)
    entrant = Entrant.objects.get(number=302)
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="fell ill", by=organiser)
    page = as_role(request, Role.AUDITOR).get(f"{LIST}302/")
    html = squeezed(page.content.decode())
    ways = ("/scoresheets/1/1/?version=1", "/preliminary/ranking/302/", "0328-1-01", 'id="rulings"', "fell ill")
    assert [way in html for way in ways] == [True] * 5
    assert [(str(word), ruling.reason) for word, ruling in page.context["rulings"]] == [
        (str(EntrantStatus.WITHDRAWN.label), "fell ill")
    ]


def test_before_play_the_page_leads_to_the_sheet_that_has_not_come(
    request: pytest.FixtureRequest, first_session: Session, organiser: User
) -> None:
    settle(first_session, organiser)
    html = squeezed(as_role(request, Role.ORGANISER).get(f"{LIST}302/").content.decode())
    assert ("/scoresheets/1/1/" in html, 'id="rulings"' in html, "Entered by" in html) == (True, False, False)


def test_the_page_names_the_file_that_entered_the_entrant_and_no_other(
    request: pytest.FixtureRequest, event: Event, organiser: User, entrants: list[Entrant]
) -> None:
    later = importing.read_file(event, name="later.csv", content=csv_of([sound_row(4), sound_row(9)]), by=organiser)
    importing.import_file(later, by=organiser)
    client = as_role(request, Role.ORGANISER)
    names = [client.get(f"{LIST}{number}/").context["file"].name for number in (1, 3, 4, 9)]
    assert names == ["a.csv", "a.csv", "later.csv", "later.csv"]
    link = f"/import/{later.pk}/"
    readers = [
        squeezed(as_role(request, role).get(f"{LIST}9/").content.decode()) for role in (Role.CLERK, Role.AUDITOR)
    ]
    assert [(link in html, "later.csv" in html) for html in readers] == [(True, True), (False, True)]
    enter(Session.objects.get(stage__event=event, number=1), 1, first=50)
    assert client.get(f"{LIST}1/").context["file"] is None
