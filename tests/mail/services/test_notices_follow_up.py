"""The next word to exactly those whom a mail reached that counts no more: drafted once, told by mail."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail

from tests.finalists.invited import invited
from tests.mail.mails import mail_results
from tests.messages.mailed import send, send_all
from tests.recorded import altered_rows
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.mail.services import notices
from tournament.mail.services.notices_follow_up import draft_follow_up
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries.recipients import for_notice
from tournament.publication.services.release import withdraw_release
from tournament.releases.models import Release

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User, settings: Any) -> Stage:
    """Twelve with a released ranking; the server is known from outside."""
    settings.SITE_URL = "https://rummikub.example.org"
    return invited(first_session, organiser)[0]


@pytest.fixture
def results(stage: Stage, organiser: User) -> Mailing:
    """The results to twelve, nothing sent yet."""
    return mail_results(stage.event, organiser)


def refusal(act: Any) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def verify_words() -> list[str]:
    """What the verifier finds wrong."""
    return altered_rows()


def test_the_next_word_is_drafted_once_to_exactly_those_who_had_got_it(
    results: Mailing, stage: Stage, organiser: User
) -> None:
    send(5)
    had_it = sorted(Delivery.objects.filter(state="sent").values_list("entrant__number", flat=True))
    assert refusal(lambda: draft_follow_up(results, by=organiser)) == "subject_in_force"
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    made = draft_follow_up(results, by=organiser)
    assert draft_follow_up(results, by=organiser) == made
    assert (list(for_notice(made).numbers), made.banner, made.title_en) == (
        had_it,
        False,
        "The results that we mailed no longer count",
    )
    row = notices.publish_notice(made, revision=1, confirmed=5, mail=True, by=organiser)
    send_all()
    assert (row.mailings.get().count, len(mail.outbox), sorted(verify_words())) == (5, 10, [])


def test_where_nobody_was_reached_there_is_no_next_word(results: Mailing, organiser: User) -> None:
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    assert refusal(lambda: draft_follow_up(results, by=organiser)) == "nobody_reached"


def test_those_who_have_gone_are_still_told_what_counts_no_more(
    results: Mailing, stage: Stage, organiser: User
) -> None:
    send(2)
    first = Delivery.objects.filter(state="sent").order_by("pk")[0].entrant
    Entrant.objects.filter(pk=first.pk).update(status="withdrawn")
    Person.objects.filter(entrant=first).update(email="mended@example.org")
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    found = for_notice(draft_follow_up(results, by=organiser)).found
    assert {one.number: one.address for one in found}[first.number] == "mended@example.org"
