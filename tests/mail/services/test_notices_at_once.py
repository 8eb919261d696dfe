"""Two people publish at the same moment, on connections of their own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.conftest import event_data
from tests.mail.noticed import drafted
from tests.sheets.sheets import add_entrants
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.mail.services import notices
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.setup.services import setup

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(db: None) -> list[User]:
    """Two organisers of an event with two families."""
    event = setup.create_event(event_data())
    add_entrants(Session.objects.get(number=1), (1, 2))
    for number in (1, 2):
        Person.objects.filter(entrant__number=number).update(email=f"family{number}@example.org")
    return [accounts.create_account(event, f"organiser{n}", "unused-password", "", [Role.ORGANISER]) for n in (1, 2)]


def at_once(acts: Sequence[Callable[[], Any]]) -> list[str]:
    """What came of each act, all begun at the same moment."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> str:
        barrier.wait()
        try:
            return str(act())
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def publish(notice: Notice, by: User) -> Notice:
    return notices.publish_notice(notice, revision=1, confirmed=2, mail=True, by=by)


def test_one_notice_published_by_two_is_one_number_and_one_mailing(people: list[User]) -> None:
    draft = drafted(Event.objects.get(), people[0])
    answers = at_once([lambda by=by: publish(draft, by) for by in people])
    assert answers == ["notice 1", "notice 1"]
    assert (Mailing.objects.count(), Delivery.objects.count()) == (1, 2)


def test_two_notices_at_once_have_numbers_of_their_own_and_one_banner(people: list[User]) -> None:
    drafts = [drafted(Event.objects.get(), by) for by in people]
    answers = at_once([lambda one=one, by=by: publish(one, by) for one, by in zip(drafts, people, strict=True)])
    assert sorted(answers) == ["notice 1", "notice 2"]
    assert list(Notice.objects.filter(banner_down_at=None).values_list("number", flat=True)) == [2]
    assert (Mailing.objects.count(), Delivery.objects.count()) == (2, 4)
