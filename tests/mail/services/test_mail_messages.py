"""A mail as a message: one recipient, headers that nobody's name can reach into, nothing of anybody else."""

import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from tests.finalists.invited import invited
from tests.guards_lifted import lifted
from tests.mail.mails import give_addresses, html_of
from tests.sheets.tables import settle
from tournament.core.enums import MailingKind, NoticeKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.finalists.services import invitations
from tournament.mail.domain.recipients import recipients_of_places, recipients_of_results, recipients_of_seats
from tournament.mail.services.mail_texts import build_sample_message, message_of
from tournament.messages.models import Delivery, Notice
from tournament.messages.queries.recipients import Recipients, for_notice, is_mail_address
from tournament.messages.services import mailings
from tournament.releases.models import Release
from tournament.sheets.models.signing import Stamp

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def known_from_outside(settings: Any) -> None:
    """The server's address, and the sender's."""
    settings.SITE_URL = "https://rummikub.example.org"
    settings.DEFAULT_FROM_EMAIL, settings.MAIL_REPLY_TO = "desk@rummikub.example.org", ""


@pytest.fixture
def seated(first_session: Session, organiser: User) -> Session:
    """Four with confirmed seats: 0301 to 0304."""
    settle(first_session, organiser, [4])
    give_addresses(first_session.stage.event)
    return first_session


@pytest.fixture
def released(first_session: Session, organiser: User) -> Stage:
    """Twelve with a released ranking of whom four advance and have links."""
    stage = invited(first_session, organiser)[0]
    give_addresses(stage.event, english=(2,))
    invitations.make_place_links(stage, by=organiser)
    return stage


def seat_mail(session: Session, number: int = 301) -> EmailMultiAlternatives:
    """The mail of one seat."""
    recipient = next(one for one in recipients_of_seats(session).found if one.number == number)
    return build_sample_message(MailingKind.SEATS, recipient, event=session.stage.event)


def parsed(message: EmailMultiAlternatives) -> EmailMessage:
    """As a reader's program has it."""
    return message_from_bytes(message.message().as_bytes(), policy=policy.default)  # type: ignore[return-value]


def delivery_of(session: Session, by: User) -> Delivery:
    """The first row of a mailing of the session's seats."""
    found, event = recipients_of_seats(session).found, session.stage.event
    subject = f"session {session.code}"
    made = mailings.start_mailing(event, MailingKind.SEATS, subject, found, confirmed=len(found), by=by)
    return made.deliveries.select_related("mailing__event", "mailing__notice", "entrant__person")[0]


def test_a_message_has_one_recipient_and_says_that_a_program_wrote_it(
    seated: Session, organiser: User, settings: Any
) -> None:
    settings.MAIL_REPLY_TO = "organiser@example.org"
    delivery = delivery_of(seated, organiser)
    message = message_of(delivery)
    read = parsed(message)
    heads = ("To", "Cc", "Bcc", "From", "Reply-To", "Message-ID", "Auto-Submitted", "Content-Language")
    assert message.recipients() == ["family301@example.org"]
    assert [read[head] for head in heads] == [
        "family301@example.org",
        None,
        None,
        "desk@rummikub.example.org",
        "organiser@example.org",
        delivery.message_id,
        "auto-generated",
        "zh-Hant-HK",
    ]
    assert [part.get_content_type() for part in read.iter_parts()] == ["text/plain", "text/html"]
    assert message.message().as_bytes().isascii()
    assert [part.get_content().replace("\r\n", "\n").strip() for part in read.iter_parts()] == [
        message.body.strip(),
        html_of(message).strip(),
    ]
    assert "回覆此電郵，大會會收到。" in message.body


def test_the_same_row_gives_the_same_words_each_time(seated: Session, organiser: User) -> None:
    delivery = delivery_of(seated, organiser)
    first, second = message_of(delivery), message_of(delivery)
    assert (first.subject, first.body, html_of(first)) == (second.subject, second.body, html_of(second))


@pytest.mark.parametrize(
    "name", ["CHAN\r\nBcc: all@example.org", "CHAN\u2028Tai", "<script>alert(1)</script>", "陳\x1f大文", "O'BRIEN &co"]
)
def test_an_odd_name_reaches_no_header_and_stays_a_name_in_the_page(seated: Session, name: str) -> None:
    plain = parsed(seat_mail(seated))
    Person.objects.filter(entrant__number=301).update(name_en=name)
    message = seat_mail(seated)
    read = parsed(message)
    assert [(head, read[head]) for head in ("Subject", "To", "Cc", "Bcc")] == [
        (head, plain[head]) for head in ("Subject", "To", "Cc", "Bcc")
    ]
    assert "<script>" not in html_of(message)


@pytest.mark.parametrize("title", ["停賽\r\nBcc: all@example.org", "停賽\u2028\u202eTo: x@example.org", "停賽\x00"])
def test_a_notice_s_title_breaks_out_of_no_header(seated: Session, title: str) -> None:
    words = {"title_zh": title, "title_en": title, "body_zh": "二", "body_en": "Two"}
    notice = Notice(event=seated.stage.event, kind=NoticeKind.GENERAL, **words)
    recipient = for_notice(notice).found[0]
    read = parsed(build_sample_message(MailingKind.NOTICE, recipient, event=notice.event, notice=notice))
    assert (read["Bcc"], read["To"]) == (None, "family301@example.org")
    subject = read["Subject"].strip()
    assert (subject.startswith("停賽"), subject.endswith(f"·{notice.event.name_zh}")) == (True, True)


def test_a_subject_says_no_name_number_rank_or_seat(released: Stage, seated_subjects: list[str]) -> None:
    event = released.event
    subjects = [
        build_sample_message(kind, one, event=event).subject
        for kind, found in (
            (MailingKind.RESULTS, recipients_of_results(released.releases.get())),
            (MailingKind.PLACES, recipients_of_places(released)),
        )
        for one in found.found
    ]
    allowed = {
        f"{title}·{name}" for titles, name in ((CHINESE, event.name_zh), (ENGLISH, event.name_en)) for title in titles
    }
    assert set(subjects) | set(seated_subjects) <= allowed


def seats_before_release(stage: Stage) -> Recipients:
    """Who would have been mailed the seats of the first session before it was stamped and released."""
    with transaction.atomic():
        with lifted():
            Stamp.objects.all().delete()
            Release.objects.all().delete()
        found = recipients_of_seats(Session.objects.select_related("stage__event").get(stage=stage, number=1))
        transaction.set_rollback(True)
    return found


CHINESE = ("你的座位及計時器使用方法", "你的初賽成績", "你的決賽席位")
ENGLISH = ("Your seat and how the timer is used", "Your result in the preliminary", "Your place in the final")


@pytest.fixture
def seated_subjects(released: Stage) -> list[str]:
    """The subjects of the seats' mails of the same event."""
    found = seats_before_release(released).found
    return [build_sample_message(MailingKind.SEATS, one, event=released.event).subject for one in found]


def test_nobody_reads_of_another_entrant(released: Stage) -> None:
    event = released.event
    people = {
        entrant.number: {entrant.person.name_en, f"{entrant.number:04d}", entrant.person.email, secret_of(entrant)}
        for entrant in Entrant.objects.select_related("person")
    }
    told = []
    for kind, found in (
        (MailingKind.SEATS, seats_before_release(released)),
        (MailingKind.RESULTS, recipients_of_results(released.releases.get())),
        (MailingKind.PLACES, recipients_of_places(released)),
    ):
        for one in found.found:
            message = build_sample_message(kind, one, event=event)
            text = f"{message.subject} {message.body} {html_of(message)} {message.message().items()}"
            others = {word for number, words in people.items() if number != one.number for word in words if word}
            told += [(kind, one.number, word) for word in others if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
    assert told == []


def secret_of(entrant: Entrant) -> str:
    """What opens the entrant's own page; nothing where there is no link."""
    link = entrant.invitations.first()
    return invitations.place_link_token(link) if link else ""


def test_a_private_link_stands_in_no_row_and_a_new_one_is_the_one_that_is_mailed(
    released: Stage, organiser: User
) -> None:
    found = recipients_of_places(released).found
    made = mailings.start_mailing(
        released.event, MailingKind.PLACES, "stage preliminary", found, confirmed=4, by=organiser
    )
    delivery = made.deliveries.select_related("mailing__event", "entrant__person")[0]
    link = delivery.entrant.invitations.get()
    newer = invitations.replace_place_link(
        released, number=delivery.entrant.number, reason="lost", by=organiser, seen=link.pk
    )
    kept = str([list(Delivery.objects.values_list()), list(Event.objects.values_list())])
    text = message_of(delivery).body
    tokens = [invitations.place_link_token(one) for one in (link, newer)]
    assert ([one in kept for one in tokens], [one in text for one in tokens]) == ([False, False], [False, True])


def test_a_place_without_a_link_in_force_is_refused_in_words(released: Stage, organiser: User) -> None:
    one = recipients_of_places(released).found[0]
    invitations.revoke_place_link(released, number=one.number, reason="lost", by=organiser)
    with pytest.raises(Refused) as refused:
        build_sample_message(MailingKind.PLACES, one, event=released.event)
    assert (refused.value.code, "先製作連結" in str(refused.value)) == ("no_link", True)


@pytest.mark.parametrize("kind", [MailingKind.RESULTS, MailingKind.PLACES])
def test_links_are_written_only_where_it_is_known_where_they_lead(released: Stage, kind: str, settings: Any) -> None:
    settings.SITE_URL = ""
    found = (
        recipients_of_places(released) if kind == MailingKind.PLACES else recipients_of_results(released.releases.get())
    )
    with pytest.raises(Refused) as refused:
        build_sample_message(kind, found.found[0], event=released.event)
    assert refused.value.code == "no_site_url"


@pytest.mark.parametrize(
    ("address", "envelope"),
    [("ming@例子.香港", "ming@xn--fsqu00a.xn--j6w193g"), ("MING.Chan+rk@Example.ORG", "MING.Chan+rk@Example.ORG")],
)
def test_an_address_of_a_domain_in_chinese_is_written_as_the_mail_servers_know_it(
    seated: Session, address: str, envelope: str
) -> None:
    Person.objects.filter(entrant__number=301).update(email=address)
    message = seat_mail(seated)
    assert (message.recipients(), message.message()["To"]) == ([address], envelope)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nobody",
        "a@example.org, b@example.org",
        "a@example.org\nBcc: b@example.org",
        "Ming <a@example.org>",
        "陳@example.org",
        "a b@example.org",
    ],
)
def test_what_is_no_single_address_gets_no_mail(seated: Session, address: str) -> None:
    found = recipients_of_seats(seated)
    Person.objects.filter(entrant__number=301).update(email=address)
    assert (is_mail_address(address), recipients_of_seats(seated).missing) == (False, (301,))
    with pytest.raises(Refused) as refused:
        build_sample_message(MailingKind.SEATS, replace(found.found[0], address=address), event=seated.stage.event)
    assert refused.value.code == "no_address"
