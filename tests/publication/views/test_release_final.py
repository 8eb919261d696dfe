"""Both stages on the release page, and the certificates: who may, what is refused, what is logged."""

from datetime import timedelta
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.api.caller import Caller, code
from tests.core.finals import add_final, final_played, preliminary_played
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.publication.services.release import release_results
from tournament.releases.models import Release

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/releases/"
CERTIFICATES = "/desk/hk-2026/final/certificates/"


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """A final of twelve in one round, stamped, announced for a moment ago."""
    final = final_played(first_session, organiser)
    Event.objects.update(results_at=timezone.now() - timedelta(minutes=1))
    final.event.refresh_from_db()
    return final


def preliminary_of(final: Stage) -> Stage:
    return final.event.stages.get(kind="preliminary")


def pages_of(answer: Any) -> list[str]:
    document = pypdfium2.PdfDocument(answer.content)
    try:
        return [one.get_textpage().get_text_bounded() for one in document]
    finally:
        document.close()


def test_each_stage_has_its_form_and_is_released_by_it(final: Stage, organiser: User, signed_in: Any) -> None:
    client = signed_in(organiser)
    shown = squeezed(client.get(PAGE).content.decode())
    assert [f'name="stage" value="{kind}"' in shown for kind in ("preliminary", "final")] == [True, True]
    # Before anybody releases it the organiser reads who would be named, and how.
    assert ["冠軍" in shown, "亞軍" in shown, "季軍" in shown, "子女" in shown] == [True] * 4
    assert [shown.count(f'id="{kind}_count"') for kind in ("preliminary", "final")] == [1, 1]
    for number, kind in ((1, "preliminary"), (2, "final")):
        answer = client.post(PAGE, {"stage": kind, "number": str(number), "count": "12"})
        assert answer.headers["Location"] == f"{PAGE}{number}/"
    assert list(Release.objects.order_by("number").values_list("number", "stage__kind")) == [
        (1, "preliminary"),
        (2, "final"),
    ]
    # Neither replaces the other.
    listed = squeezed(client.get(PAGE).content.decode())
    assert (listed.count("現行"), listed.count("已取代")) == (2, 0)


def test_a_wrong_count_is_said_at_its_own_stage(final: Stage, organiser: User, signed_in: Any) -> None:
    answer = signed_in(organiser).post(PAGE, {"stage": "final", "number": "1", "count": "11"})
    assert (answer.status_code, Release.objects.exists()) == (400, False)
    assert squeezed(answer.content.decode()).count("final_count_fault") > 0


@pytest.mark.parametrize("kind", ["semifinal", ""])
def test_a_stage_that_there_is_not_is_404(final: Stage, organiser: User, signed_in: Any, kind: str) -> None:
    assert signed_in(organiser).post(PAGE, {"stage": kind, "number": "1", "count": "12"}).status_code == 404


def test_a_final_that_is_not_over_says_why_beside_a_preliminary_that_may_be_released(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    add_final(preliminary_played(first_session, organiser).event, rounds=3)
    Stage.objects.filter(kind="final").update(rounds=4)
    Event.objects.update(results_at=timezone.now() - timedelta(minutes=1))
    shown = squeezed(signed_in(organiser).get(PAGE).content.decode())
    assert ("決賽共 4 輪，已定場次的有 3 輪。" in shown, 'id="preliminary_count"' in shown) == (True, True)


def test_the_page_of_a_final_s_release_shows_the_winners_and_leads_to_theirs(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    made = release_results(final, by=organiser)
    shown = squeezed(signed_in(organiser).get(f"{PAGE}1/").content.decode())
    names = [holder["name_en"] for holder in made.content["podium"]["holders"]]
    links = ['href="/p/hk-2026/1/winners/"', f'href="{CERTIFICATES}"']
    assert [one for one in (*names, *links, "冠軍", "亞軍", "季軍") if one not in shown] == []
    assert "<dt>晉級</dt>" not in shown


def test_a_program_sees_both_stages_and_releases_the_final(final: Stage, organiser: User) -> None:
    program = Caller(organiser)
    listed = program.get("releases/").json()
    assert (listed["next"], listed["blocks"], listed["final"]) == (1, [], {"blocks": []})
    made = program.change("releases/", {"number": 1, "stage": "final"})
    assert (made.status_code, made.json()["stage"]) == (201, "final")
    assert [one["place"] for one in made.json()["content"]["podium"]["holders"]] == [1, 2, 3]
    assert code(program.change("releases/", {"number": 2, "stage": "final"})) == (409, "already_released")


def test_without_a_final_a_program_is_told_so(first_session: Session, organiser: User) -> None:
    preliminary_played(first_session, organiser)
    program = Caller(organiser)
    assert program.get("releases/").json()["final"] is None
    assert program.change("releases/", {"number": 1, "stage": "final"}).status_code == 404


def test_before_the_release_the_certificates_page_says_when_they_come(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    release_results(preliminary_of(final), by=organiser)
    client = signed_in(organiser)
    assert "尚未有證書" in squeezed(client.get(CERTIFICATES).content.decode())
    answer = client.post(CERTIFICATES, {"kind": "podium"})
    assert (answer.status_code, "現時未有" in squeezed(answer.content.decode())) == (409, True)


def test_certificates_have_full_names_and_are_logged_without_any(final: Stage, organiser: User, signed_in: Any) -> None:
    made = release_results(final, by=organiser)
    Person.objects.update(consent_name=False)
    client = signed_in(organiser)
    shown = squeezed(client.get(CERTIFICATES).content.decode())
    assert [f'value="{kind}"' in shown for kind in ("podium", "award", "finalists")] == [True] * 3
    answer = client.post(CERTIFICATES, {"kind": "podium"})
    assert (answer.headers["Content-Type"], "no-store" in answer.headers["Cache-Control"]) == ("application/pdf", True)
    pages = pages_of(answer)
    people = {entrant.number: entrant.person for entrant in Entrant.objects.select_related("person")}
    for page, holder in zip(pages, made.content["podium"]["holders"], strict=True):
        assert people[holder["number"]].name_en in page
        assert people[holder["number"]].name_zh in page
    assert len(pages_of(client.post(CERTIFICATES, {"kind": "award"}))) == 1
    assert len(pages_of(client.post(CERTIFICATES, {"kind": "finalists"}))) == 12
    (alone,) = pages_of(client.post(CERTIFICATES, {"kind": "finalists", "number": "7"}))
    assert ("0007" in alone, people[7].name_en in alone) == (True, True)
    entries = AuditEntry.objects.filter(action="print_certificates").order_by("seq")
    assert [(entry.subject, entry.reason) for entry in entries] == [
        ("release 1", "podium: 3"),
        ("release 1", "award: 1"),
        ("release 1", "finalists: 12"),
        ("release 1", "finalists: 1, entrant 0007"),
    ]


def test_who_left_the_final_is_given_none(final: Stage, organiser: User, signed_in: Any) -> None:
    Entrant.objects.filter(number=7).update(status="withdrawn")
    release_results(final, by=organiser)
    client = signed_in(organiser)
    answer = client.post(CERTIFICATES, {"kind": "finalists", "number": "7"})
    assert (answer.status_code, AuditEntry.objects.filter(action="print_certificates").exists()) == (409, False)
    assert client.post(CERTIFICATES, {"kind": "everyone"}).status_code == 400


@pytest.mark.parametrize("username", ["clerk", "chief_judge", "auditor", "referee"])
def test_only_an_organiser_prints_them(final: Stage, signed_in: Any, request: Any, username: str) -> None:
    client = signed_in(request.getfixturevalue(username))
    assert [client.get(CERTIFICATES).status_code, client.post(CERTIFICATES, {"kind": "podium"}).status_code] == [
        403
    ] * 2
