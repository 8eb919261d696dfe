"""The desk's pages of mailings: what may be mailed, the typed count, who is told, how far it is, what failed."""

import io
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from tests.finalists.invited import invited
from tests.mail.mails import give_addresses, mail_results
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import DeliveryState, MailingState, SessionState
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Person
from tournament.finalists.services import invitations
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.recipients import for_notice
from tournament.messages.services import mailings
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db
LIST = "/desk/hk-2026/mailings/"
SEATS = f"{LIST}new/seats/1/"
WHOLE = re.compile(r"family\d+@example\.org")


def words(response: Any) -> str:
    """A page's text, spaces folded."""
    return " ".join(squeezed(response.content.decode()).split())


@pytest.fixture
def client(organiser: User, signed_in: Any) -> Client:
    return signed_in(organiser)


@pytest.fixture
def seated(first_session: Session, organiser: User) -> Session:
    """Eleven with confirmed seats, each with an address; 0302 writes English."""
    settle(first_session, organiser, [4, 4, 3])
    give_addresses(first_session.stage.event, english=(302,))
    return first_session


@pytest.fixture
def released(first_session: Session, organiser: User, settings: Any) -> Stage:
    """Twelve with a released ranking, each with an address; the server is known from outside."""
    settings.SITE_URL = "https://rummikub.example.org"
    stage = invited(first_session, organiser)[0]
    give_addresses(stage.event)
    return stage


@pytest.fixture
def mailing(released: Stage, organiser: User) -> Mailing:
    """The results, confirmed, nothing of it sent yet."""
    return mail_results(released.event, organiser)


def test_before_the_first_mailing_the_list_says_what_will_stand_there(
    event: Any, auditor: User, signed_in: Any
) -> None:
    said = words(signed_in(auditor).get(LIST))
    assert ("尚未發過電郵" in said, "發座位及計時器使用方法" in said) == (True, False)


def test_what_may_be_mailed_is_offered_with_what_was_mailed_before(client: Client, mailing: Mailing) -> None:
    said = words(client.get(LIST))
    assert [one in said for one in (f"{LIST}new/results/1/", "已發 0／12", "現時沒有可寄出的專用連結")] == [True] * 3


def test_seats_are_offered_once_they_are_confirmed(client: Client, seated: Session) -> None:
    assert SEATS in words(client.get(LIST))


def test_the_list_asks_as_many_queries_for_one_mailing_as_for_three(
    client: Client, mailing: Mailing, organiser: User, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(100) as one:
        client.get(LIST)
    for _ in range(2):
        mailings.stop_mailing(Mailing.objects.latest("pk"), by=organiser)
        last = Mailing.objects.latest("pk")
        Mailing.objects.create(**{name: getattr(last, name) for name in COPIED}, asked_by=organiser)
    with django_assert_max_num_queries(100) as three:
        client.get(LIST)
    assert len(one) == len(three)


COPIED = ("event", "kind", "subject", "count", "digest", "asked_at")


def test_the_page_before_shows_the_count_five_masked_addresses_and_the_whole_text_in_both_languages(
    client: Client, seated: Session
) -> None:
    said = squeezed(client.get(SEATS).content.decode())
    assert (len(re.findall(r"f\*\*\*@example\.org", said)), WHOLE.findall(said)) == (5, [])
    wanted = (
        "發給 11 人",
        "其中 1 封英文",
        "你的座位及計時器使用方法·",
        "Your seat and how the timer is used·",
        "第 1 枱 A 座",
    )
    assert [one for one in wanted if one not in said] == []


def test_a_count_that_is_not_theirs_mails_nothing(client: Client, seated: Session) -> None:
    response = client.post(SEATS, {"count": "12", "seen": 0})
    assert (response.status_code, "收件人是 11 位" in words(response), Mailing.objects.count()) == (400, True, 0)


def test_the_typed_count_begins_it_once_however_often_it_is_sent(client: Client, seated: Session) -> None:
    first = client.post(SEATS, {"count": "１１", "seen": 0})
    again = client.post(SEATS, {"count": "11", "seen": 0})
    made = Mailing.objects.get()
    assert (first.headers["Location"], again.headers["Location"], made.subject, made.count) == (
        f"{LIST}{made.pk}/",
        f"{LIST}{made.pk}/",
        "session 0328-1",
        11,
    )


def test_what_is_being_mailed_is_not_begun_a_second_time(client: Client, seated: Session) -> None:
    client.post(SEATS, {"count": "11", "seen": 0})
    said = words(client.get(SEATS))
    assert ("此內容正在寄出" in said, 'name="count"' in said) == (True, False)
    refused = client.post(SEATS, {"count": "11", "seen": Mailing.objects.get().pk})
    assert (refused.status_code, Mailing.objects.count()) == (409, 1)


def mailed(client: Client, but: int) -> Mailing:
    """The seats have been mailed to all but this entrant, whose address was wrong."""
    client.post(SEATS, {"count": "11", "seen": 0})
    made = Mailing.objects.get()
    made.deliveries.filter(entrant__number=but).update(state=DeliveryState.FAILED)
    sent(made, 10)
    mailings.finish_mailing(made)
    return made


def test_begun_anew_it_goes_to_those_whom_it_has_not_reached_or_for_whom_it_has_changed(
    client: Client, seated: Session
) -> None:
    made = mailed(client, 303)
    assert ("發給 1 人" in words(client.get(SEATS)), "發給 11 人" in words(client.get(f"{SEATS}?all=1"))) == (
        True,
        True,
    )
    Table.objects.filter(session=seated, number=3).update(number=9)
    said = words(client.get(SEATS))
    assert ("發給 4 人" in said, "以下只列未獲發此內容的人" in said) == (True, True)
    client.post(SEATS, {"count": "4", "seen": made.pk})
    again = Mailing.objects.latest("pk").deliveries.values_list("entrant__number", flat=True)
    assert sorted(again) == [303, 309, 310, 311]


def test_whoever_has_got_it_gets_it_again_only_when_it_is_asked_for(client: Client, seated: Session) -> None:
    made = mailed(client, 303)
    Delivery.objects.filter(entrant__number=303).update(state=DeliveryState.SENT, sent_at=timezone.now())
    said = words(client.get(SEATS))
    assert ("此內容已全部交郵件伺服器發出" in said, 'name="count"' in said) == (True, False)
    assert client.post(f"{SEATS}?all=1", {"count": "11", "seen": made.pk}).status_code == 302


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (SessionState.POSTPONED, "此場已延期"),
        (SessionState.VOID, "此場已完結或作廢"),
        (SessionState.CLOSED, "此場已完結或作廢"),
    ],
)
def test_seats_that_nobody_should_go_to_are_not_mailed(
    client: Client, seated: Session, state: str, sentence: str
) -> None:
    Session.objects.filter(pk=seated.pk).update(state=state)
    said = [client.get(SEATS), client.post(SEATS, {"count": "11", "seen": 0})]
    assert [(one.status_code, sentence in words(one)) for one in said] == [(200, True), (409, True)]
    assert Mailing.objects.count() == 0


def test_seats_that_are_not_confirmed_are_not_mailed(client: Client, first_session: Session, organiser: User) -> None:
    settle(first_session, organiser, [4], confirmed=False)
    assert "此場座位尚未確認" in words(client.get(SEATS))


def test_whoever_has_no_address_is_listed_and_in_a_file_with_telephones(client: Client, seated: Session) -> None:
    Person.objects.filter(entrant__number=303).update(email="", phone="+85291234567")
    Person.objects.filter(entrant__number=304).update(email="no address")
    assert "發給 9 人" in words(client.get(SEATS))
    response = client.get(f"{SEATS}?file=missing")
    rows = [[cell.value for cell in row] for row in load_workbook(io.BytesIO(response.content)).active.iter_rows()]
    assert rows[1:] == [
        ["0303", "陳大文", "CHAN Tai R", "+85291234567", None],
        ["0304", "陳大文", "CHAN Tai S", None, "no address"],
    ]


def test_nobody_with_an_address_is_an_empty_page_without_a_button(client: Client, seated: Session) -> None:
    Person.objects.update(email="")
    said = words(client.get(SEATS))
    assert ("沒有收件人" in said, 'name="count"' in said) == (True, False)


def test_the_mail_is_seen_as_a_mail_program_shows_it_under_a_policy_of_its_own(client: Client, seated: Session) -> None:
    response = client.get(f"{SEATS}?html=en")
    policy = response.headers["Content-Security-Policy"]
    assert (b"Table 1, seat A" in response.content, "style-src 'sha256-" in policy, "unsafe" in policy) == (
        True,
        True,
        False,
    )


def test_links_are_not_mailed_while_it_is_not_known_where_they_lead(
    client: Client, released: Stage, settings: Any
) -> None:
    settings.SITE_URL = ""
    said = words(client.get(f"{LIST}new/results/1/"))
    assert ("SITE_URL" in said, '<form method="post" class="stack">' in said) == (True, False)


def test_finalists_links_are_offered_once_they_are_made(client: Client, released: Stage, organiser: User) -> None:
    invitations.make_place_links(released, by=organiser)
    assert f"{LIST}new/places/" in words(client.get(LIST))
    assert client.post(f"{LIST}new/places/", {"count": "4", "seen": 0}).status_code == 302


def test_a_release_or_session_of_no_event_is_not_there(client: Client, event: Any) -> None:
    pages = (f"{LIST}new/results/9/", f"{LIST}new/seats/99/", f"{LIST}9/")
    assert [client.get(page).status_code for page in pages] == [404, 404, 404]


# --- One mailing ----------------------------------------------------------------------------------------
def page_of(mailing: Mailing) -> str:
    return f"{LIST}{mailing.pk}/"


def sent(mailing: Mailing, count: int) -> None:
    """The first so many are with their owners, two a second, the last just now."""
    now = timezone.now()
    rows = mailing.deliveries.exclude(state=DeliveryState.FAILED).order_by("pk")
    for place, row in enumerate(rows[:count]):
        moment = now - timedelta(milliseconds=500 * (count - 1 - place))
        Delivery.objects.filter(pk=row.pk).update(state=DeliveryState.SENT, sent_at=moment)


def test_a_mailing_says_how_far_and_how_fast_it_is(client: Client, mailing: Mailing) -> None:
    sent(mailing, 5)
    said = words(client.get(page_of(mailing)))
    wanted = ("5 / 12", "每秒約 2 封", "data-poll", "約 ")
    assert [one for one in wanted if one not in said] == []


def test_the_progress_is_sent_anew_only_when_it_has_changed(client: Client, mailing: Mailing) -> None:
    with time_machine.travel(timezone.now(), tick=False):  # it tells how many a second
        sent(mailing, 5)
        first = client.get(f"{page_of(mailing)}progress/")
        same = client.get(f"{page_of(mailing)}progress/", headers={"If-None-Match": first.headers["ETag"]})
        sent(mailing, 6)
        other = client.get(f"{page_of(mailing)}progress/", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, same.status_code, other.status_code) == (200, 304, 200)


def test_it_is_paused_gone_on_with_and_stopped(client: Client, mailing: Mailing) -> None:
    states = []
    for act in ("pause", "resume", "stop"):
        client.post(page_of(mailing), {"act": act})
        mailing.refresh_from_db()
        states.append(mailing.state)
    assert states == [MailingState.PAUSED, MailingState.SENDING, MailingState.STOPPED]
    response = client.post(page_of(mailing), {"act": "pause"})
    assert (response.status_code, 'role="alert"' in words(response)) == (409, True)


def test_no_worker_and_a_silent_server_are_said(client: Client, mailing: Mailing) -> None:
    assert "沒有背景程式在運行" in words(client.get(page_of(mailing)))
    trouble = "The mail server does not answer, or takes no mail from here. It is asked again by itself."
    Mailing.objects.filter(pk=mailing.pk).update(trouble=trouble, wait_until=timezone.now())
    said = words(client.get(page_of(mailing)))
    assert ("沒有背景程式在運行" in said, "再試。郵件伺服器已確認接收的不會重寄" in said) == (False, True)


def failed(mailing: Mailing) -> Delivery:
    """One whose address the server knows nothing of, as the others are done."""
    row = mailing.deliveries.get(entrant__number=7)
    answer = f"550 5.1.1 <{row.address}>: user unknown"
    Delivery.objects.filter(pk=row.pk).update(state=DeliveryState.FAILED, answer=answer, tries=1)
    sent(mailing, 11)
    Mailing.objects.filter(pk=mailing.pk).update(state=MailingState.DONE, finished_at=timezone.now())
    return row


def test_failures_are_listed_with_the_server_s_words_and_tried_again(client: Client, mailing: Mailing) -> None:
    row = failed(mailing)
    said = words(client.get(page_of(mailing)))
    assert (WHOLE.findall(said), "user unknown" in said) == (["family7@example.org"] * 2, True)
    client.post(page_of(mailing), {"act": "retry", "number": 7})
    row.refresh_from_db()
    mailing.refresh_from_db()
    assert (row.state, mailing.state) == (DeliveryState.WAITING, MailingState.SENDING)


def test_nobody_but_an_organiser_reads_an_address(mailing: Mailing, auditor: User, signed_in: Any) -> None:
    failed(mailing)
    said = words(signed_in(auditor).get(page_of(mailing)))
    assert (WHOLE.findall(said), said.count("f***@example.org: user unknown") > 0 or "f***@example.org" in said) == (
        [],
        True,
    )
    assert 'value="retry"' not in said


def test_a_mailing_leads_to_what_it_is_about(client: Client, seated: Session, organiser: User) -> None:
    client.post(SEATS, {"count": "11", "seen": 0})
    assert "/desk/hk-2026/seating/1/" in words(client.get(page_of(Mailing.objects.get())))
    about = {"event": seated.stage.event, "made_by": organiser, "made_at": timezone.now(), "kind": "general"}
    texts = {"title_zh": "停賽", "title_en": "Called off", "body_zh": "二", "body_en": "Two"}
    published = {"number": 1, "published_at": timezone.now(), "published_by": organiser}
    notice = Notice.objects.create(**about, **texts, **published)
    found = for_notice(notice).found
    made = mailings.start_mailing(
        seated.stage.event, "notice", "notice 1", found, confirmed=11, by=organiser, notice=notice
    )
    said = words(client.get(page_of(made)))
    assert ("通告第 1 號：停賽" in said, f"/desk/hk-2026/notices/{notice.pk}/" in said) == (True, True)


def test_recipients_are_shown_by_state(client: Client, mailing: Mailing) -> None:
    failed(mailing)
    found = [words(client.get(f"{page_of(mailing)}?state={state}")) for state in ("failed", "sent", "stopped", "odd")]
    rows = [one.split('id="recipients"')[1].count('<td class="long">') for one in found]
    assert rows == [1, 11, 0, 12]


def test_one_mailing_asks_as_many_queries_for_one_failure_as_for_three(
    client: Client, mailing: Mailing, django_assert_max_num_queries: Any
) -> None:
    asked = []
    for count in (1, 3):
        rows = mailing.deliveries.order_by("pk")[:count].values_list("pk", flat=True)
        Delivery.objects.filter(pk__in=list(rows)).update(state=DeliveryState.FAILED, answer="550 unknown")
        with django_assert_max_num_queries(100) as found:
            client.get(page_of(mailing))
        asked.append(len(found))
    assert asked[0] == asked[1]


def test_a_long_mailing_is_shown_a_page_at_a_time(client: Client, mailing: Mailing, monkeypatch: Any) -> None:
    monkeypatch.setattr("tournament.mail.views.mailings.DELIVERIES_A_PAGE", 5)
    said = words(client.get(f"{page_of(mailing)}?page=3"))
    assert (said.split('id="recipients"')[1].count('<td class="long">'), "0012" in said) == (2, True)


def test_in_english_every_page_is_english(client: Client, mailing: Mailing) -> None:
    client.cookies["django_language"] = "en"
    wanted = {
        LIST: "Mail results",
        page_of(mailing): "Results: release no. 1",
        f"{LIST}new/results/1/": "This is being mailed already",
    }
    assert [page for page, one in wanted.items() if one not in words(client.get(page))] == []


def test_a_mailing_of_which_single_mails_were_stopped_does_not_say_that_all_were_taken(
    client: Client, mailing: Mailing
) -> None:
    gone, *others = mailing.deliveries.order_by("id").values_list("pk", flat=True)
    Delivery.objects.filter(pk__in=others).update(state=DeliveryState.SENT, sent_at=timezone.now())
    Delivery.objects.filter(pk=gone).update(state=DeliveryState.STOPPED)
    assert mailings.finish_mailing(mailing)
    said = words(client.get(page_of(mailing), headers={"Accept-Language": "en"}))
    ended = f"Ended: the mail server has taken {len(others)} of {len(others) + 1}; the others are not sent any more"
    assert (ended in said, "has taken all mails" in said) == (True, False)
