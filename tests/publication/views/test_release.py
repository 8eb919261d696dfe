"""The release's page: every reason with its way out, a typed confirmation, the list, the withdrawal."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.guards_lifted import lifted
from tests.sheets.sheets import add_entrants, draw, mirrored_tables
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.publication.services.release import release_results
from tournament.releases.models import Release
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Stamp

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/releases/"


@pytest.fixture
def session(first_session: Session, organiser: User) -> Session:
    """Eight entrants, all stamped, announced for a moment ago."""
    mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now() - timedelta(minutes=1))
    return first_session


def test_every_reason_is_listed_with_a_link_to_where_it_is_mended(
    session: Session, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    Event.objects.update(results_at=timezone.now() + timedelta(hours=1))
    second, third = session.stage.sessions.get(number=2), session.stage.sessions.get(number=3)
    tables = draw(second, [add_entrants(second, range(20, 24)), add_entrants(second, range(24, 28))], organiser)
    add_entrants(third, [30])
    Scoresheet.objects.create(table=tables[1], state="ready")
    with lifted():
        Stamp.objects.filter(scoresheet__table__number=2).delete()
    session.stage.advance = 3
    session.stage.save()
    answer = signed_in(organiser).get(PAGE)
    page = squeezed(answer.content.decode())
    assert "有 6 項未妥" in page
    links = [
        "/desk/hk-2026/seating/3/",
        "/desk/hk-2026/scoresheets/2/1/",
        "/desk/hk-2026/scoresheets/2/2/",
        "/desk/hk-2026/scoresheets/1/2/",
        "/desk/hk-2026/preliminary/qualification/",
    ]
    assert [link for link in links if f'href="{link}"' not in page] == []
    assert 'name="count"' not in page


def test_an_organiser_releases_by_typing_how_many_are_ranked(
    session: Session, organiser: User, signed_in: Any, django_capture_on_commit_callbacks: Any
) -> None:
    client = signed_in(organiser)
    assert 'name="count"' in squeezed(client.get(PAGE).content.decode())
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(PAGE, {"number": "1", "count": " ８ "})
    assert answer.headers["Location"] == f"{PAGE}1/"
    page = squeezed(client.get(f"{PAGE}1/").content.decode())
    assert "第 1 號結果已公佈" in page
    assert [
        name for name in ("ranking.xlsx", "ranking.csv", "ranking.pdf") if f'href="/p/hk-2026/1/{name}"' not in page
    ] == []
    assert client.get("/p/hk-2026/1/").status_code == 200


def test_the_form_lists_whose_name_is_printed_as_a_number_and_stops_nobody(
    session: Session, organiser: User, signed_in: Any
) -> None:
    client = signed_in(organiser)
    assert "by-number" not in squeezed(client.get(PAGE).content.decode())
    Person.objects.filter(entrant__number=2).update(name_zh="\U00020000大文")
    page = squeezed(client.get(PAGE).content.decode())
    assert ("有 1 個姓名無法列印" in page, '<a class="no" href="/desk/hk-2026/entrants/2/">0002</a>' in page) == (
        True,
        True,
    )
    assert client.post(PAGE, {"number": "1", "count": "8"}).status_code == 302


@pytest.mark.parametrize("count", ["", "7", "eight"])
def test_a_wrong_count_releases_nothing(session: Session, organiser: User, signed_in: Any, count: str) -> None:
    answer = signed_in(organiser).post(PAGE, {"number": "1", "count": count})
    assert (answer.status_code, Release.objects.exists()) == (400, False)


def test_two_organisers_at_once_the_second_is_told(session: Session, organiser: User, signed_in: Any) -> None:
    client = signed_in(organiser)
    assert client.post(PAGE, {"number": "1", "count": "8"}).status_code == 302
    answer = client.post(PAGE, {"number": "1", "count": "8"})
    assert (answer.status_code, "已有人公佈" in squeezed(answer.content.decode())) == (409, True)
    assert Release.objects.count() == 1


def test_blocked_a_post_releases_nothing(session: Session, organiser: User, signed_in: Any) -> None:
    with lifted():
        Stamp.objects.all().delete()
    answer = signed_in(organiser).post(PAGE, {"number": "1", "count": "8"})
    assert (answer.status_code, "未有公佈：有 1 項未妥" in squeezed(answer.content.decode())) == (409, True)


@pytest.mark.parametrize("username", ["chief_judge", "auditor"])
def test_others_read_and_do_not_release_or_withdraw(
    session: Session, organiser: User, signed_in: Any, request: Any, username: str
) -> None:
    client = signed_in(request.getfixturevalue(username))
    page = client.get(PAGE)
    assert (page.status_code, 'name="count"' in squeezed(page.content.decode())) == (200, False)
    assert client.post(PAGE, {"number": "1", "count": "8"}).status_code == 403
    release_results(session.stage, by=organiser)
    assert 'name="reason"' not in squeezed(client.get(f"{PAGE}1/").content.decode())
    assert client.post(f"{PAGE}1/", {"reason": "No."}).status_code == 403


def test_a_referee_and_a_clerk_see_nothing_of_it(session: Session, referee: User, clerk: User, signed_in: Any) -> None:
    assert [signed_in(user).get(PAGE).status_code for user in (referee, clerk)] == [403, 403]


def test_an_organiser_withdraws_with_a_reason(
    session: Session, organiser: User, signed_in: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        release_results(session.stage, by=organiser)
    client = signed_in(organiser)
    assert client.post(f"{PAGE}1/", {"reason": ""}).status_code == 400
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"{PAGE}1/", {"reason": "Typed wrongly."}).status_code == 302
    page = squeezed(client.get(f"{PAGE}1/").content.decode())
    assert "已撤回" in page and "Typed wrongly." in page
    assert client.get("/p/hk-2026/1/").status_code == 410


def test_after_a_release_the_page_says_that_there_is_nothing_new(
    session: Session, organiser: User, signed_in: Any
) -> None:
    release_results(session.stage, by=organiser)
    assert "第 1 號結果已是最新。" in squeezed(signed_in(organiser).get(PAGE).content.decode())


def test_a_change_makes_the_next_number_free(session: Session, organiser: User, signed_in: Any) -> None:
    release_results(session.stage, by=organiser)
    Entrant.objects.filter(number=8).update(status="withdrawn")
    client = signed_in(organiser)
    assert "公佈第 2 號結果" in squeezed(client.get(PAGE).content.decode())
    client.post(PAGE, {"number": "2", "count": "7"})
    assert "由第 2 號取代" in squeezed(client.get(f"{PAGE}1/").content.decode())


def test_a_release_that_is_not_there_is_404(event: Event, organiser: User, signed_in: Any) -> None:
    assert signed_in(organiser).get(f"{PAGE}7/").status_code == 404
