"""A mailing as an organiser has it: confirmed with its count, paused, gone on with, stopped, failures tried again."""

from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail

from tests.messages.mailed import FIRST, begin, draft, enter, recipients
from tournament.audit.models import AuditEntry
from tournament.core.enums import DeliveryState, MailingKind, MailingState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.mail.services.mailings_sending import send_some
from tournament.messages.models import Delivery, Mailing
from tournament.messages.services import mailings


def acts() -> list[tuple[str, Any]]:
    """What the log has of mailings, with what it says."""
    entries = AuditEntry.objects.filter(action__endswith="_mailing").order_by("seq")
    return [(one.action, one.details or one.reason) for one in entries]


@pytest.fixture
def mailing(event: Event, organiser: User) -> Mailing:
    enter(event, 6)
    return begin(event, organiser)


def test_a_mailing_is_written_with_a_delivery_for_each_recipient(mailing: Mailing, organiser: User) -> None:
    rows = Delivery.objects.order_by("id")
    assert (mailing.state, mailing.count, mailing.asked_by, acts()) == (
        MailingState.SENDING,
        6,
        organiser,
        [("start_mailing", "notice 1, 6")],
    )
    assert [(row.entrant.number, row.address, row.state, row.tries) for row in rows] == [
        (number, f"family-{number}@families.example", DeliveryState.WAITING, 0) for number in range(FIRST, FIRST + 6)
    ]
    assert len({row.message_id for row in rows}) == 6


def test_another_count_than_the_confirmed_is_refused(event: Event, organiser: User) -> None:
    enter(event, 3)
    notice = draft(event, organiser)
    with pytest.raises(Refused) as refused:
        mailings.start_mailing(event, MailingKind.NOTICE, "notice 1", recipients(notice), confirmed=4, by=organiser)
    assert (refused.value.code, dict(refused.value.facts)) == ("count_differs", {"confirmed": 4, "count": 3})
    assert (Mailing.objects.count(), acts()) == (0, [])


def test_nobody_to_mail_is_refused(event: Event, organiser: User) -> None:
    with pytest.raises(Refused) as refused:
        mailings.start_mailing(event, MailingKind.SEATS, "session 1", (), confirmed=0, by=organiser)
    assert refused.value.code == "nobody_to_mail"


def test_a_stranger_among_the_recipients_is_our_fault(event: Event, organiser: User) -> None:
    enter(event, 2)
    to = recipients(draft(event, organiser))
    with pytest.raises(ValueError):
        mailings.start_mailing(event, MailingKind.SEATS, "session 1", (*to, to[0]), confirmed=3, by=organiser)


def test_pressed_twice_it_is_one_mailing(event: Event, organiser: User) -> None:
    enter(event, 2)
    to = recipients(draft(event, organiser))
    made = [
        mailings.start_mailing(event, MailingKind.SEATS, "session 1", to, confirmed=2, by=organiser).pk
        for _press in range(2)
    ]
    mailings.stop_mailing(Mailing.objects.get(), by=organiser)
    made.append(mailings.start_mailing(event, MailingKind.SEATS, "session 1", to, confirmed=2, by=organiser).pk)
    assert (len(set(made)), Delivery.objects.count()) == (1, 2)


def test_the_same_is_mailed_anew_by_who_has_seen_the_last(event: Event, organiser: User) -> None:
    enter(event, 2)
    to = recipients(draft(event, organiser))
    facts = {"confirmed": 2, "by": organiser}
    first = mailings.start_mailing(event, MailingKind.RESULTS, "release 1", to, **facts)
    with pytest.raises(Refused) as refused:
        mailings.start_mailing(event, MailingKind.RESULTS, "release 1", to, seen=first.pk, **facts)
    mailings.stop_mailing(first, by=organiser)
    second = mailings.start_mailing(event, MailingKind.RESULTS, "release 1", to, seen=first.pk, **facts)
    assert (refused.value.code, second.pk != first.pk, Delivery.objects.count()) == ("mailing_open", True, 4)


def test_paused_nothing_goes_out_until_it_goes_on(mailing: Mailing, organiser: User) -> None:
    mailings.pause_mailing(mailing, by=organiser)
    mailings.pause_mailing(mailing, by=organiser)
    assert (send_some("a", 5), len(mail.outbox)) == (False, 0)
    mailings.resume_mailing(mailing, by=organiser)
    mailings.resume_mailing(mailing, by=organiser)
    assert (send_some("a", 5), len(mail.outbox)) == (True, 6)
    assert [act for act, _said in acts()] == ["start_mailing", "pause_mailing", "resume_mailing", "finish_mailing"]


def test_stopped_what_waits_is_never_sent(mailing: Mailing, organiser: User) -> None:
    stopped = mailings.stop_mailing(mailing, by=organiser)
    mailings.stop_mailing(mailing, by=organiser)
    assert (send_some("a", 5), len(mail.outbox), stopped.state) == (False, 0, MailingState.STOPPED)
    assert Counter(Delivery.objects.values_list("state", flat=True)) == {"stopped": 6}
    assert acts()[1:] == [("stop_mailing", ""), ("finish_mailing", {"sent": 0, "failed": 0, "stopped": 6})]


@pytest.mark.parametrize("act", [mailings.pause_mailing, mailings.resume_mailing, mailings.stop_mailing])
def test_after_its_end_nothing_is_paused_or_stopped(act: object, mailing: Mailing, organiser: User) -> None:
    send_some("a", 5)
    with pytest.raises(Refused) as refused:
        act(mailing, by=organiser)
    assert refused.value.code == "mailing_ended"


def test_the_end_is_written_down_with_its_counts(mailing: Mailing) -> None:
    send_some("a", 5)
    mailing.refresh_from_db()
    entry = AuditEntry.objects.get(action="finish_mailing")
    assert (mailing.state, entry.details, entry.digest_after, entry.at) == (
        MailingState.DONE,
        {"sent": 6, "failed": 0, "stopped": 0},
        mailings.outcome_digest(mailing),
        mailing.finished_at,
    )


def test_failures_are_tried_again_and_only_they(mailing: Mailing, organiser: User) -> None:
    Delivery.objects.filter(entrant__number__in=[FIRST, FIRST + 2]).update(state="failed", answer="550", tries=3)
    send_some("a", 5)
    assert len(mail.outbox) == 4
    again = mailings.retry_failed_deliveries(mailing, by=organiser)
    assert (again.state, again.finished_at) == (MailingState.SENDING, None)
    send_some("a", 5)
    assert [one.to for one in mail.outbox[4:]] == [[f"family-{n}@families.example"] for n in (FIRST, FIRST + 2)]
    assert acts()[2:] == [
        ("retry_mailing", "2: 5001 5003"),
        ("finish_mailing", {"sent": 6, "failed": 0, "stopped": 0}),
    ]


def test_without_failures_there_is_nothing_to_try_again(mailing: Mailing, organiser: User) -> None:
    send_some("a", 5)
    assert (mailings.retry_failed_deliveries(mailing, by=organiser).state, len(acts())) == (MailingState.DONE, 2)


def test_a_stopped_mailing_is_not_tried_again(mailing: Mailing, organiser: User) -> None:
    Delivery.objects.filter(entrant__number=FIRST).update(state="failed")
    mailings.stop_mailing(mailing, by=organiser)
    with pytest.raises(Refused) as refused:
        mailings.retry_failed_deliveries(mailing, by=organiser)
    assert refused.value.code == "mailing_stopped"
