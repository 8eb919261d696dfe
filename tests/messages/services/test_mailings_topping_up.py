"""Mail is told against what should be told now: a mended address and a late entrant get the newest word, once."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail

from tests.mail.mails import give_addresses
from tests.mail.noticed import drafted, told
from tests.recorded import altered_rows
from tests.sheets.sheets import add_entrants
from tests.sheets.tables import settle
from tournament.core.enums import MailingKind, NoticeKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.mail.domain.recipients import MailingPlan, notice_plan, seats_plan
from tournament.mail.services import notices
from tournament.mail.services.mailings_sending import send_some
from tournament.messages.domain.told import NoticeReach, notice_reach, recipients_not_yet_mailed
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.mailing_counts import last_mailed_by_number
from tournament.messages.queries.mailings import newest_mailing_about
from tournament.messages.queries.recipients import for_notice
from tournament.messages.services import mailings

pytestmark = pytest.mark.django_db


@pytest.fixture
def notice(first_session: Session, organiser: User) -> Notice:
    """Mailed to seven of the first session; 0303's server says no, 0307 had no address."""
    settle(first_session, organiser, [4, 4])
    event = first_session.stage.event
    give_addresses(event)
    Person.objects.filter(entrant__number=307).update(email="")
    draft = drafted(event, organiser, sessions=[1])
    made = notices.publish_notice(draft, revision=1, confirmed=7, mail=True, by=organiser)
    Delivery.objects.filter(entrant__number=303).update(state="failed", answer="550 nobody of that name")
    send_some("a", 30)
    mail.outbox.clear()
    return made


def left(plan: MailingPlan, event: Event) -> list[int]:
    """Whom a mail would go to now, by number."""
    found = recipients_not_yet_mailed(plan.gather(), last_mailed_by_number(event, plan.kind, plan.subject))
    return [one.number for one in found.found]


def top_up(notice: Notice, by: User, *, seen: int | None = None) -> Mailing:
    """As the page does it that has seen the last mailing."""
    plan, event = notice_plan(notice), notice.event
    last = newest_mailing_about(event, plan.kind, plan.subject)
    found = recipients_not_yet_mailed(plan.gather(), last_mailed_by_number(event, plan.kind, plan.subject)).found
    asked = {"confirmed": len(found), "by": by, "notice": notice, "seen": last.pk if last and seen is None else seen}
    return mailings.start_mailing(event, plan.kind, plan.subject, found, **asked)


def addresses() -> list[str]:
    return sorted(one.to[0] for one in mail.outbox)


@pytest.mark.fault("X4")
def test_a_mended_address_and_a_late_entrant_get_the_notice_once(
    notice: Notice, first_session: Session, organiser: User
) -> None:
    assert (left(notice_plan(notice), notice.event), notice_reach(notice)) == ([303], NoticeReach(told=6, of=7))
    Person.objects.filter(entrant__number=303).update(email="mended@example.org")
    Person.objects.filter(entrant__number=307).update(email="given@example.org")
    add_entrants(first_session, [900])
    Person.objects.filter(entrant__number=900).update(email="late@example.org")
    assert left(notice_plan(notice), notice.event) == [303, 307, 900]
    last = Mailing.objects.get()
    first = top_up(notice, organiser)
    again = top_up(notice, organiser, seen=last.pk)
    send_some("a", 30)
    assert (first, addresses()) == (again, ["given@example.org", "late@example.org", "mended@example.org"])
    assert (left(notice_plan(notice), notice.event), notice_reach(notice)) == ([], NoticeReach(told=9, of=9))
    with pytest.raises(Refused) as refused:
        top_up(notice, organiser)
    assert (refused.value.code, altered_rows()) == (
        "nobody_to_mail",
        [],
    )


@pytest.mark.fault("X4")
def test_who_has_it_at_an_address_that_counts_no_more_gets_it_at_the_new_one(notice: Notice, organiser: User) -> None:
    Person.objects.filter(entrant__number=301).update(email="Family302@example.org")
    Person.objects.filter(entrant__number=302).update(email="FAMILY302@EXAMPLE.ORG")
    assert left(notice_plan(notice), notice.event) == [301, 303]


@pytest.mark.fault("X4")
def test_a_replaced_notice_is_not_mailed_any_more(notice: Notice, organiser: User) -> None:
    told(notice.event, organiser, sessions=[1], kind=NoticeKind.STOPPED)
    with pytest.raises(Refused) as refused:
        top_up(notice, organiser)
    assert (refused.value.code, dict(refused.value.facts)) == ("notice_replaced", {"number": 1, "newest": 2})


def test_parents_of_two_are_told_again_when_the_second_was_entered_late(notice: Notice, first_session: Session) -> None:
    add_entrants(first_session, [900])
    Person.objects.filter(entrant__number=900).update(email="family301@example.org", language="zh-hant")
    found = recipients_not_yet_mailed(
        for_notice(notice), last_mailed_by_number(notice.event, MailingKind.NOTICE, "notice 1")
    )
    assert [(one.number, one.also) for one in found.found] == [(301, (900,)), (303, ())]


@pytest.mark.fault("X4")
def test_seats_go_to_a_mended_address_too(first_session: Session, organiser: User) -> None:
    settle(first_session, organiser, [4])
    event: Any = first_session.stage.event
    give_addresses(event)
    plan = seats_plan(first_session)
    found = plan.gather().found
    mailings.start_mailing(event, plan.kind, plan.subject, found, confirmed=4, by=organiser)
    send_some("a", 30)
    Person.objects.filter(entrant__number=302).update(email="mended@example.org")
    assert left(plan, event) == [302]
