"""The desk's page of finalists: links for organisers alone, letters and a list that leave with a word in the log, the
list fixed, opened and changed."""

import io
import re
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.test import Client
from openpyxl import load_workbook

from tests.finalists.invited import answered, holders, invited
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist, Invitation
from tournament.entrants.models.people import Person
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import invitations
from tournament.publication.services.release import withdraw_release
from tournament.releases.models import PlaceAnswer, Release

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/final/finalists/"


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """Four advance of twelve; there is a final."""
    return invited(first_session, organiser)[0]


@pytest.fixture
def client(stage: Stage, organiser: User, signed_in: Any) -> Client:
    return signed_in(organiser)


def page(client: Client) -> str:
    return squeezed(client.get(PAGE).content.decode())


def seen(client: Client) -> str:
    return re.findall(r'name="seen" value="([0-9a-f]{64})"', page(client))[0]


def pdf_text(content: bytes) -> list[str]:
    with pypdfium2.PdfDocument(content) as document:
        return [sheet.get_textpage().get_text_bounded() for sheet in document]


def test_before_a_release_the_page_says_what_will_come(event: Any, auditor: User, signed_in: Any) -> None:
    said = squeezed(signed_in(auditor).get(PAGE).content.decode())
    assert ("未有公佈" in said or "尚未公佈" in said, "<form method" in said.split("</header>")[1]) == (True, False)


def test_links_are_made_once_and_stand_beside_their_holders(client: Client, stage: Stage) -> None:
    assert "製作 4 條連結" in page(client)
    assert client.post(f"{PAGE}links/").headers["Location"] == PAGE
    client.post(f"{PAGE}links/")
    said = page(client)
    wanted = [f"/place/{invitations.place_link_token(one)}/" for one in Invitation.objects.all()]
    assert ([said.count(one) for one in wanted], "4 人中 4 人有連結" in said) == ([1] * 4, True)


def test_nobody_but_an_organiser_sees_a_link(client: Client, stage: Stage, auditor: User, signed_in: Any) -> None:
    client.post(f"{PAGE}links/")
    said = page(signed_in(auditor))
    tokens = [invitations.secret_of(one)[:5] for one in Invitation.objects.all()]
    assert (
        [one for one in tokens if one in said],
        "/place/" in said,
        "<form method" in said.split("</header>")[1],
    ) == (
        [],
        False,
        False,
    )


def test_a_site_s_own_address_stands_in_the_links(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://finals.example.org"
    client.post(f"{PAGE}links/")
    assert page(client).count('value="https://finals.example.org/place/') == 4


def test_answers_say_who_and_by_what(client: Client, stage: Stage, organiser: User) -> None:
    client.post(f"{PAGE}links/")
    first, second, *_rest = holders(stage)
    answered(stage, organiser, first)
    link = Invitation.objects.get(entrant__number=second)
    invitations.answer_by_link(link, answer="accepted", seen=0)
    rows = {row[:4]: row.split("</tr>")[0] for row in page(client).split('<tr id="n')[1:]}
    assert ("經連結" in rows[f"{first:04d}"], "經連結" in rows[f"{second:04d}"]) == (False, True)
    assert organiser.first_name in rows[f"{first:04d}"]
    assert "經連結" in squeezed(client.get("/desk/hk-2026/preliminary/places/").content.decode())


def test_a_link_is_replaced_and_revoked_with_a_reason(client: Client, stage: Stage) -> None:
    client.post(f"{PAGE}links/")
    link = Invitation.objects.order_by("entrant__number")[0]
    number = link.entrant.number
    refused = client.post(f"{PAGE}{number}/link/", {"seen": link.pk, "reason": ""})
    assert (refused.status_code, "請寫下理由" in squeezed(refused.content.decode())) == (400, True)
    made = client.post(f"{PAGE}{number}/link/", {"seen": link.pk, "reason": "寄錯了"})
    assert made.headers["Location"] == f"{PAGE}#n{number:04d}"
    client.post(f"{PAGE}{number}/link/revoke/", {"reason": "不再需要"})
    assert Invitation.objects.filter(entrant__number=number, revoked_at=None).count() == 0
    assert Invitation.objects.filter(entrant__number=number).count() == 2


def test_letters_have_a_page_each_with_name_link_and_both_languages(client: Client, stage: Stage) -> None:
    Person.objects.filter(entrant__number=holders(stage)[0]).update(name_zh="陳𠮷𨋢")
    client.post(f"{PAGE}links/")
    answer = client.get(f"{PAGE}letters.pdf")
    sheets = pdf_text(answer.content)
    assert (answer.headers["Content-Type"], len(sheets)) == ("application/pdf", 4)
    first = Invitation.objects.select_related("entrant__person").get(entrant__number=holders(stage)[0])
    wanted = [
        "陳𠮷𨋢",
        first.entrant.person.name_en,
        invitations.place_link_token(first),
        "決賽邀請",
        "Invitation to the final",
    ]
    assert [one for one in (*wanted, "請盡快回覆", "Please answer soon") if one not in sheets[0]] == []
    assert AuditEntry.objects.get(action="take_out_links").details == {"what": "letters", "links": 4}


def test_a_letter_is_printed_again_alone_and_reminders_go_to_who_has_not_answered(
    client: Client, stage: Stage, organiser: User
) -> None:
    client.post(f"{PAGE}links/")
    first = holders(stage)[0]
    answered(stage, organiser, first)
    one = pdf_text(client.get(f"{PAGE}letters.pdf", {"number": first}).content)
    others = pdf_text(client.get(f"{PAGE}letters.pdf", {"unanswered": 1}).content)
    assert (len(one), len(others), [f"{first:04d}" in sheet for sheet in others]) == (1, 3, [False] * 3)
    assert client.get(f"{PAGE}letters.pdf", {"number": "x"}).status_code == 404


def test_letters_without_a_link_are_refused_in_words(client: Client) -> None:
    for name in ("letters.pdf", "invitations.xlsx"):
        refused = client.get(PAGE + name)
        assert (refused.status_code, "未有連結" in squeezed(refused.content.decode())) == (409, True)


def test_the_list_for_a_mail_merge_has_the_address_and_the_link_as_texts(
    client: Client, stage: Stage, organiser: User
) -> None:
    client.post(f"{PAGE}links/")
    first = holders(stage)[0]
    Person.objects.filter(entrant__number=first).update(name_en="=CHAN", email="a@example.org", language="en")
    answered(stage, organiser, first)
    sheet = load_workbook(io.BytesIO(client.get(f"{PAGE}invitations.xlsx").content)).active
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    token = invitations.place_link_token(Invitation.objects.get(entrant__number=first))
    assert (len(rows), rows[1][0], rows[1][2:5]) == (5, f"{first:04d}", ["=CHAN", "en", "a@example.org"])
    assert (rows[1][-2], rows[1][-1], sheet["C2"].data_type) == ("accepted", f"http://testserver/place/{token}/", "s")
    assert AuditEntry.objects.get(action="take_out_links").details == {"what": "list", "links": 4}


def test_the_list_is_fixed_changed_and_opened_on_the_page(client: Client, stage: Stage, organiser: User) -> None:
    first, second, third, _last = holders(stage)
    for number in (first, second, third):
        answered(stage, organiser, number)
    refused = client.post(f"{PAGE}freeze/", {"seen": seen(client)})
    assert (refused.status_code, "有 1 名持席位者未回覆" in squeezed(refused.content.decode())) == (409, True)
    kept = client.post(f"{PAGE}freeze/", {"seen": "0" * 64, "strike": "on", "reason": "限期已過"})
    assert (kept.status_code, 'value="限期已過"' in squeezed(kept.content.decode())) == (412, True)
    client.post(f"{PAGE}freeze/", {"seen": seen(client), "strike": "on", "reason": "限期已過"})
    assert "名單上有 3 人" in page(client)
    assert "名單上的人不再在此記錄回覆" in squeezed(client.get("/desk/hk-2026/preliminary/places/").content.decode())
    reserve = holders(stage)[-1]
    given = {"number": first, "reserve": reserve, "reason": "生病", "seen": seen(client), "request_key": "exchange"}
    assert client.post(f"{PAGE}exchange/", given).headers["Location"] == PAGE
    assert client.post(f"{PAGE}exchange/", given).headers["Location"] == PAGE
    assert sorted(Finalist.objects.values_list("entrant__number", flat=True)) == sorted([second, third, reserve])
    stale = client.post(f"{PAGE}exchange/", {**given, "number": second, "request_key": "another"})
    told = squeezed(stale.content.decode())
    assert (stale.status_code, f"{first:04d} 放棄" in told or f"{first:04d}" in told, "生病" in told) == (
        412,
        True,
        True,
    )
    assert sorted(Finalist.objects.values_list("entrant__number", flat=True)) == sorted([second, third, reserve])
    older = client.post(f"{PAGE}thaw/", {"reason": "重新安排", "seen": given["seen"]})
    assert (older.status_code, 'value="重新安排"' in squeezed(older.content.decode()), Finalist.objects.count()) == (
        412,
        True,
        3,
    )
    assert client.post(f"{PAGE}thaw/", {"reason": "", "seen": seen(client)}).status_code == 400
    assert client.post(f"{PAGE}thaw/", {"reason": "重新安排", "seen": seen(client)}).status_code == 302
    assert Finalist.objects.count() == 0
    assert PlaceAnswer.objects.filter(reason="限期已過").count() == 1


def test_a_list_that_differs_from_the_places_of_now_says_so(client: Client, stage: Stage, organiser: User) -> None:
    for number in holders(stage):
        answered(stage, organiser, number)
    client.post(f"{PAGE}freeze/", {"seen": seen(client)})
    assert "名單確定後席位有變" not in page(client)
    row = Finalist.objects.order_by("rank")[0]
    outside = int(live_places(stage).places.waiting[-1])
    Finalist.objects.filter(pk=row.pk).update(entrant=stage.event.entrants.get(number=outside))
    assert "名單上有 1 人沒有席位" in page(client)


def test_the_fixed_list_stays_readable_when_its_release_is_withdrawn(
    client: Client, stage: Stage, organiser: User
) -> None:
    numbers = holders(stage)
    for number in numbers:
        answered(stage, organiser, number)
    client.post(f"{PAGE}freeze/", {"seen": seen(client)})
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    said = page(client)
    assert [number for number in numbers if f"{number:04d}" not in said] == []


def test_without_a_final_nothing_is_fixed_and_the_page_says_so(client: Client, stage: Stage) -> None:
    Stage.objects.get(kind="final").sessions.all().delete()
    Stage.objects.get(kind="final").delete()
    assert "未設決賽" in page(client)
    for act in ("freeze", "thaw", "exchange"):
        refused = client.post(f"{PAGE}{act}/", {"reason": "x", "seen": "0" * 64})
        assert (refused.status_code, "未設決賽" in squeezed(refused.content.decode())) == (409, True)


def test_the_page_is_whole_in_english(client: Client, stage: Stage, organiser: User) -> None:
    client.cookies["django_language"] = "en"
    client.post(f"{PAGE}links/")
    answered(stage, organiser, holders(stage)[0])
    text = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<tbody>.*?</tbody>|<ol.*?</ol>|<title>.*?</title>", " ", page(client)))
    assert set(re.findall("[\u4e00-\u9fff]+", text)) <= {"中文"}
