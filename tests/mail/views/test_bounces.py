"""Pages of mail that came back: the mailing, the list to telephone with its file, the overview, the mailbox's state."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from tests.mail.noticed import drafted
from tests.messages.bounced import RETURN, mailed
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import BounceKind
from tournament.core.models.event import Event
from tournament.entrants.models.people import Person
from tournament.mail.services import bounces
from tournament.messages.models import BounceReading, Delivery

pytestmark = [pytest.mark.django_db, pytest.mark.fault("X5")]
LIST = "/desk/hk-2026/mailings/"
TELEPHONE, FILE = f"{LIST}telephone/", f"{LIST}to-telephone.xlsx"
WORDS = "550 5.1.1 <family-5001@families.example>: <b>no such user</b>"


def words(response: Any) -> str:
    """A page's text, spaces folded."""
    return " ".join(squeezed(response.content.decode()).split())


@pytest.fixture
def client(organiser: User, signed_in: Any, settings: Any) -> Client:
    settings.MAIL_BOUNCES = RETURN
    return signed_in(organiser)


@pytest.fixture
def rows(event: Event, organiser: User, client: Client) -> list[Delivery]:
    """Three mails that the server took; the first came back, the second is late."""
    found = mailed(event, organiser)[1]
    bounces.record_bounce(found[0], BounceKind.HARD, code="5.1.1", words=WORDS)
    bounces.record_bounce(found[1], BounceKind.SOFT, code="4.2.2", words="452 later")
    return found


def test_the_mailing_says_what_the_server_took_and_what_came_back_with_the_report_s_words_as_text(
    client: Client, rows: list[Delivery]
) -> None:
    said = words(client.get(f"{LIST}{rows[0].mailing_id}/", headers={"Accept-Language": "en"}))
    for one in (
        "The mail server took all mails; 1 came back.",
        "came back <b>1</b>",
        "delayed <b>1</b>",
        "550 5.1.1 &lt;family-5001@families.example&gt;: &lt;b&gt;no such user&lt;/b&gt;",
        TELEPHONE,
    ):
        assert one in said
    assert "The mail server has taken all mails." not in said


def test_who_may_only_look_sees_neither_address_nor_words_of_a_report(
    auditor: User, signed_in: Any, rows: list[Delivery]
) -> None:
    said = words(signed_in(auditor).get(f"{LIST}{rows[0].mailing_id}/"))
    assert ("family-5001@" in said, "no such user" in said, "f***@families.example" in said) == (False, False, True)
    assert TELEPHONE not in said


def test_the_list_of_mailings_has_a_column_for_what_came_back(client: Client, rows: list[Delivery]) -> None:
    said = words(client.get(LIST, headers={"Accept-Language": "en"}))
    assert ("Came back</th>" in said, '<td class="n"><span class="badge stop">1</span></td>' in said) == (True, True)


def test_the_list_to_telephone_names_who_lacks_which_word_and_why(
    client: Client, rows: list[Delivery], event: Event
) -> None:
    Person.objects.filter(entrant__number=5003).update(email="")
    said = words(client.get(TELEPHONE, headers={"Accept-Language": "en"}))
    assert [one in said for one in ("5001", "5002", "5003")] == [True, False, True]
    assert [one in said for one in ("Going ahead", "mail came back", "no address")] == [True] * 3


def test_the_file_has_the_telephones_and_its_taking_is_in_the_log(client: Client, rows: list[Delivery]) -> None:
    Person.objects.filter(entrant__number=5001).update(phone="+852 6123 4567")
    sheet = load_workbook(io.BytesIO(client.get(FILE, headers={"Accept-Language": "en"}).content)).active
    lines = [[cell.value for cell in line] for line in sheet.iter_rows()]
    assert lines[0][-1] == "未收到 lacks"
    assert lines[1:] == [
        [
            "5001",
            "參5001",
            "CHAN 5001",
            "+852 6123 4567",
            "family-5001@families.example",
            "Notice 1: Going ahead (mail came back)",
        ]
    ]
    assert AuditEntry.objects.get(action="export_personal_data").reason == "to-telephone.xlsx: 1"


def test_an_empty_list_says_what_will_stand_there(client: Client, event: Event) -> None:
    said = words(client.get(TELEPHONE, headers={"Accept-Language": "en"}))
    assert ("Nobody is on this list" in said, FILE in said) == (True, False)


def test_a_long_list_is_paged(client: Client, event: Event, organiser: User) -> None:
    for row in mailed(event, organiser, count=101)[1]:
        bounces.record_bounce(row, BounceKind.HARD)
    assert (words(client.get(TELEPHONE)).count("CHAN"), words(client.get(f"{TELEPHONE}?page=2")).count("CHAN")) == (
        100,
        1,
    )


def test_the_overview_asks_to_telephone_until_the_address_is_mended(client: Client, rows: list[Delivery]) -> None:
    wanted = "Mail to 1 entrant came back: telephone."
    overview = "/desk/hk-2026/"
    assert wanted in words(client.get(overview, headers={"Accept-Language": "en"}))
    Person.objects.filter(entrant__number=5001).update(email="mended@families.example")
    assert wanted not in words(client.get(overview, headers={"Accept-Language": "en"}))


def test_a_mailing_begun_anew_goes_past_an_address_that_takes_no_mail_and_says_so(
    client: Client, rows: list[Delivery]
) -> None:
    said = words(client.get(f"{LIST}new/notice/1/", headers={"Accept-Language": "en"}))
    assert "Mail to 1 address came back or was reported as unwanted: telephone, or mend it" in said
    again = words(client.get(f"{LIST}new/notice/1/?all=1", headers={"Accept-Language": "en"}))
    assert "Mail to 1 of these addresses came back before, or was reported as unwanted" in again


def test_before_a_notice_is_published_the_page_warns_of_addresses_that_mail_came_back_from(
    client: Client, rows: list[Delivery], event: Event, organiser: User
) -> None:
    draft = drafted(event, organiser)
    said = words(client.get(f"/desk/hk-2026/notices/{draft.pk}/publish/", headers={"Accept-Language": "en"}))
    assert "Mail to 1 of these addresses came back before, or was reported as unwanted" in said


def test_the_page_says_how_the_mailbox_is_read_and_what_could_not_be_placed(
    client: Client, event: Event, settings: Any
) -> None:
    english = {"Accept-Language": "en"}
    assert "No mailbox and no provider's reports are set up" in words(client.get(LIST, headers=english)).replace(
        "&#x27;", "'"
    )
    settings.MAIL_BOUNCES_BOX = "imaps://a:b@127.0.0.1:1/INBOX"
    assert "The mailbox has not been read yet." in words(client.get(LIST, headers=english))
    read = BounceReading.objects.filter(pk=1)
    read.update(read_at=timezone.now() - timedelta(minutes=9), recorded=3, unknown=1, unreadable=2)
    said = words(client.get(LIST, headers=english))
    assert ("3 recorded" in said, "1 about no mail from here, 2 not understood" in said) == (True, True)
    read.update(trouble="no_answer")
    said = words(client.get(LIST, headers=english))
    assert ("The server of the mailbox does not answer." in said, "until then it is not known here" in said) == (
        True,
        True,
    )
