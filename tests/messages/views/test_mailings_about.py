"""What an act ends, at the desk: before it what is stopped, after it whom it reached, and who has not got a notice."""

import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from tests.finalists.invited import invited
from tests.mail.mails import give_addresses, mail_results
from tests.mail.noticed import drafted
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import DeliveryState
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.mail.domain.recipients import recipients_of_seats
from tournament.mail.services import notices
from tournament.mail.services.mailings_sending import send_some
from tournament.messages.models import Mailing, Notice
from tournament.messages.services import mailings
from tournament.weather.services import postponing

pytestmark = pytest.mark.django_db
LIST = "/desk/hk-2026/mailings/"


def words(response: Any) -> str:
    """A page's text, spaces folded."""
    return " ".join(squeezed(response.content.decode()).split())


@pytest.fixture
def client(organiser: User, signed_in: Any) -> Client:
    return signed_in(organiser)


@pytest.fixture
def seated(first_session: Session, organiser: User) -> Session:
    """Eleven with confirmed seats, each with an address."""
    settle(first_session, organiser, [4, 4, 3])
    give_addresses(first_session.stage.event)
    return first_session


@pytest.fixture
def mailing(first_session: Session, organiser: User, settings: Any) -> Mailing:
    """The results of twelve, confirmed, nothing of it sent yet; the server is known from outside."""
    settings.SITE_URL = "https://rummikub.example.org"
    return mail_results(invited(first_session, organiser)[0].event, organiser)


@pytest.mark.fault("X1")
def test_the_mailing_of_a_withdrawn_release_says_so_and_offers_the_next_word_to_whom_it_reached(
    client: Client, mailing: Mailing, organiser: User
) -> None:
    mailing.deliveries.filter(entrant__number__lte=6).update(state=DeliveryState.SENT, sent_at=timezone.now())
    release = "/desk/hk-2026/releases/1/"
    gone = mailing.deliveries.filter(state=DeliveryState.SENT).count()
    assert f"已發 {gone}／12 封。 其餘 {12 - gone} 封停止發出。" in words(client.get(release))
    client.post(release, {"reason": "a wrong sheet"})
    assert f"已發 {gone}／12 封。" in words(client.get(release))
    page = f"{LIST}{mailing.pk}/"
    said = words(client.get(page))
    assert (f"已停止：第 1 次公佈已撤回；停止前已發 {gone}／12 封" in said, "待下次公佈後再發成績電郵。" in said) == (
        True,
        True,
    )
    book = load_workbook(io.BytesIO(client.get(f"{page}reached.xlsx").content))
    assert len(list(book.active.rows)) == 1 + gone
    first, again = (client.post(f"{page}next/").headers["Location"] for _press in range(2))
    made = Notice.objects.get()
    assert (first, again, made.readers_of) == (f"/desk/hk-2026/notices/{made.pk}/", first, mailing)
    assert "只發給先前已獲發電郵的人" in words(client.get(f"{first}publish/"))


def test_the_next_word_is_refused_while_the_subject_is_in_force(client: Client, mailing: Mailing) -> None:
    said = words(client.post(f"{LIST}{mailing.pk}/next/", follow=True))
    assert ("沒有需要收回的" in said, Notice.objects.count()) == (True, 0)


@pytest.mark.fault("X4")
def test_a_published_notice_is_mailed_to_those_who_have_not_got_it(
    client: Client, seated: Session, organiser: User
) -> None:
    draft = drafted(seated.stage.event, organiser, sessions=[1])
    notices.publish_notice(draft, revision=1, confirmed=11, mail=True, by=organiser)
    send_some("a", 30)
    Person.objects.filter(entrant__number=303).update(email="mended@example.org")
    page = words(client.get(f"/desk/hk-2026/notices/{draft.pk}/"))
    assert ("電郵已發 10／11 封" in page, f"{LIST}new/notice/1/" in page) == (True, True)
    asked = f"{LIST}new/notice/1/"
    assert "m***@example.org" in words(client.get(asked))
    seen = Mailing.objects.get().pk
    for _press in range(2):
        client.post(asked, {"count": "1", "seen": seen})
    send_some("a", 30)
    assert ([one.count for one in Mailing.objects.order_by("pk")], mail.outbox[-1].to) == (
        [11, 1],
        ["mended@example.org"],
    )
    assert "此內容已全部交郵件伺服器發出" in words(client.get(asked))
    assert client.get(f"{LIST}new/notice/2/").status_code == 404


def test_the_page_of_stopped_sessions_says_how_many_mails_its_presses_stop(
    client: Client, seated: Session, organiser: User
) -> None:
    postponing.hold_sessions([seated], reason="red rain", by=organiser)
    found = recipients_of_seats(seated).found
    row = mailings.start_mailing(
        seated.stage.event, "seats", f"session {seated.code}", found, confirmed=len(found), by=organiser
    )
    row.deliveries.filter(entrant__number__lte=304).update(state=DeliveryState.SENT, sent_at=timezone.now())
    sent = row.deliveries.filter(state=DeliveryState.SENT).count()
    told = f"已發 {sent}／11 封。 其餘 {11 - sent} 封停止發出。"
    page = "/desk/hk-2026/postponed/"
    assert words(client.get(page)).count(told) == 1
    client.post(page, {"session": "1", "do": "postpone", "reason": "black rain"})
    assert told not in words(client.get(page))
