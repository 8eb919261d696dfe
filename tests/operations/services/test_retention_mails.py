"""A worker reminds the organisers by mail that the day of erasing personal data is near, once for each day."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from tests.seated import enter
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.operations.services import retention_mails
from tournament.operations.services.audit_verification import verify_events

NEAR = timedelta(days=13)
DESK = "desk@example.org"


@pytest.fixture
def near(event: Event, first_session: Session, settings: Any) -> Event:
    """Somebody is entered, the day is near, a mail server is set."""
    settings.EMAIL_URL, settings.SITE_URL = "smtp://mail.example.org", "https://desk.example.org"
    enter(first_session, 4)
    event.retention_on = timezone.localdate() + NEAR
    event.save(update_fields=["retention_on"])
    return event


def reminded() -> list[tuple[str, str]]:
    """Of each reminder in the log its thing and reason."""
    return list(AuditEntry.objects.filter(action="remind_of_erasure").values_list("subject", "reason"))


def test_each_organiser_with_an_address_is_mailed_once_however_often_a_worker_looks(
    near: Event, organiser: User, second_organiser: User, clerk: User
) -> None:
    User.objects.filter(pk=organiser.pk).update(email="one@example.org")
    User.objects.filter(pk=second_organiser.pk).update(email="two@example.org")
    User.objects.filter(pk=clerk.pk).update(email="clerk@example.org")
    assert [retention_mails.remind_due() for _again in range(3)] == [[near], [], []]
    assert [message.to for message in mail.outbox] == [["one@example.org"], ["two@example.org"]]
    assert reminded() == [("event hk-2026", f"{near.retention_on}: 2 of 2 mails")]
    assert verify_events(files=False).exit_code == 0


def test_the_mail_says_in_both_languages_what_happens_and_where_and_names_nobody(
    near: Event, organiser: User, settings: Any
) -> None:
    settings.MAIL_REPLY_TO = DESK
    retention_mails.remind_due()
    [message] = mail.outbox
    assert (message.to, message.extra_headers["Auto-Submitted"]) == ([DESK], "auto-generated")
    assert all(part in message.subject for part in (near.name_zh, near.name_en, "個人資料保留至"))
    assert all(part in message.body for part in ("其後由主辦刪除", "Then an organiser erases it"))
    assert message.body.count("https://desk.example.org/desk/hk-2026/privacy/") == 2
    assert "CHAN" not in message.body


def test_another_day_is_reminded_of_anew_and_a_far_one_not(near: Event, organiser: User, settings: Any) -> None:
    settings.MAIL_REPLY_TO = DESK
    retention_mails.remind_due()
    for days, mails in ((12, 2), (40, 2)):
        Event.objects.filter(pk=near.pk).update(retention_on=timezone.localdate() + timedelta(days=days))
        retention_mails.remind_due()
        assert len(mail.outbox) == mails


def test_while_no_server_answers_nothing_is_written_and_it_is_tried_again_in_an_hour(
    near: Event, organiser: User, settings: Any
) -> None:
    settings.MAIL_REPLY_TO, works = DESK, settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    now = timezone.now()
    assert (retention_mails.remind_due(now), reminded()) == ([], [])
    settings.EMAIL_BACKEND = works
    assert retention_mails.remind_due(now + timedelta(minutes=59)) == []
    assert retention_mails.remind_due(now + timedelta(minutes=61)) == [near]
    assert (len(mail.outbox), len(reminded())) == (1, 1)


@pytest.mark.parametrize(
    ("server", "reply_to", "own", "mailed"),
    [
        ("smtp://mail.example.org", DESK, "", True),
        ("smtp://mail.example.org", "", "one@example.org", True),
        ("smtp://mail.example.org", "", "", False),
        ("", DESK, "one@example.org", False),
    ],
)
def test_where_no_mail_can_go_the_overview_says_so(
    near: Event, organiser: User, signed_in: Any, settings: Any, server: str, reply_to: str, own: str, mailed: bool
) -> None:
    settings.EMAIL_URL, settings.MAIL_REPLY_TO = server, reply_to
    User.objects.filter(pk=organiser.pk).update(email=own)
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/").content.decode())
    assert ("個人資料保留至" in page, "沒有人會收到電郵提醒" in page) == (True, not mailed)
    assert bool(retention_mails.remind_due()) == mailed
