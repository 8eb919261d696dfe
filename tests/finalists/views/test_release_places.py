"""The page of places: everybody sees it, an organiser records, a refusal keeps the reason."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.publication.services.release import release_results
from tournament.releases.models import PlaceAnswer

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/preliminary/places/"


@pytest.fixture
def released(first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now())
    first_session.stage.event.refresh_from_db()
    release_results(first_session.stage, by=organiser)


def test_before_a_release_it_says_when_there_are_places(event: Event, auditor: User, signed_in: Any) -> None:
    assert "尚未公佈" in squeezed(signed_in(auditor).get(PAGE).content.decode())


def test_an_organiser_records_answers_and_the_next_are_called(released: None, organiser: User, signed_in: Any) -> None:
    client = signed_in(organiser)
    assert client.post(f"{PAGE}1/answer/", {"answer": "accepted", "seen": "0"}).headers["Location"] == f"{PAGE}#n0001"
    for number in (5, 6):
        given = {"answer": "declined", "reason": "去旅行", "seen": "0"}
        assert client.post(f"{PAGE}{number}/answer/", given).status_code == 302
    page = squeezed(client.get(PAGE).content.decode())
    holders = page.split("</table>")[0]
    assert [part[:4] for part in holders.split('<tr id="n')[1:]] == ["0001", "0002", "0003", "0007"]
    assert (holders.count("候補補上"), holders.count('done">已接受'), page.count("去旅行")) == (2, 1, 2)
    assert "4 席中 1 席已接受" in page


def test_a_refusal_is_said_and_keeps_what_was_typed(released: None, organiser: User, signed_in: Any) -> None:
    client = signed_in(organiser)
    answer = client.post(f"{PAGE}1/answer/", {"answer": "declined", "reason": "", "seen": "0"})
    assert (answer.status_code, "請寫下放棄的理由。" in squeezed(answer.content.decode())) == (400, True)
    client.post(f"{PAGE}1/answer/", {"answer": "accepted", "seen": "0"})
    late = client.post(f"{PAGE}1/answer/", {"answer": "declined", "reason": "病倒了", "seen": "0"})
    assert (late.status_code, "病倒了" in squeezed(late.content.decode())) == (412, True)
    assert client.post(f"{PAGE}1/answer/", {"answer": "perhaps", "seen": "0"}).status_code == 400
    assert PlaceAnswer.objects.count() == 1


def test_sharers_of_a_reserve_place_are_shown_as_undecided(released: None, organiser: User, signed_in: Any) -> None:
    client = signed_in(organiser)
    client.post(f"{PAGE}5/answer/", {"answer": "declined", "reason": "去旅行", "seen": "0"})
    assert "候補同列一位" in squeezed(client.get(PAGE).content.decode())


def test_the_chief_judge_decides_the_reserve_place_on_the_page(
    released: None, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    signed_in(organiser).post(f"{PAGE}5/answer/", {"answer": "declined", "reason": "去旅行", "seen": "0"})
    judge = signed_in(chief_judge)
    assert "2 名候補同列一位，各項全同，須補 1 席。" in squeezed(judge.get(PAGE).content.decode())
    given = {
        "tied": "3,7",
        "places": "1",
        "replaces": "",
        "method": "pick",
        "order": "0007 0003",
        "reason": "選定 0007",
    }
    kept = judge.post(f"{PAGE}decide/", {**given, "order": "0008"})
    assert (kept.status_code, "選定 0007" in squeezed(kept.content.decode())) == (400, True)
    assert judge.post(f"{PAGE}decide/", {**given, "tied": "3,8"}).status_code == 412
    assert judge.post(f"{PAGE}decide/", given).headers["Location"] == PAGE
    page = squeezed(judge.get(PAGE).content.decode())
    assert 'id="n0007"' in page.split("</table>")[0]
    assert "候補同分的決定" in squeezed(judge.get("/desk/hk-2026/preliminary/qualification/").content.decode())


def test_the_last_moment_is_set_and_shown(released: None, organiser: User, signed_in: Any) -> None:
    client = signed_in(organiser)
    assert client.post(f"{PAGE}until/", {"until": "nonsense", "seen": ""}).status_code == 400
    assert client.post(f"{PAGE}until/", {"until": "2026-04-12T18:00", "seen": ""}).status_code == 302
    assert "回覆已截止" in squeezed(client.get(PAGE).content.decode())
    assert f"{Stage.objects.get().answers_until:%Y-%m-%d %H:%M}" == "2026-04-12 10:00"
    client.cookies["django_language"] = "en"
    assert "answers closed" in squeezed(client.get(PAGE).content.decode())


def test_an_auditor_reads_and_records_nothing(released: None, auditor: User, signed_in: Any) -> None:
    client = signed_in(auditor)
    assert "<form method" not in squeezed(client.get(PAGE).content.decode()).split("</header>")[1]
    assert client.post(f"{PAGE}1/answer/", {"answer": "accepted", "seen": "0"}).status_code == 403
