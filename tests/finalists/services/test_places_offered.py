"""A place that falls to a reserve is offered, not given: until it is accepted nobody has it twice, and who was called
and not told waits for a person."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone, translation

from tests.finalists.invited import answered, holders, invited
from tests.mail.mails import give_addresses
from tests.messages.mailed import send_all
from tests.squeezed import squeezed
from tournament.core.enums import MailingKind
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Person
from tournament.finalists.domain.invitations import LinkState, invitation_page
from tournament.finalists.domain.release_places import live_places, reserves_not_yet_mailed
from tournament.finalists.services import invitations
from tournament.finalists.services.invitations import answer_by_link, make_place_links, place_link_token
from tournament.finalists.services.release_places import set_answers_until
from tournament.mail.domain.recipients import recipients_of_places
from tournament.messages.services import mailings
from tournament.releases.models import PlaceAnswer

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    return invited(first_session, organiser)[0]


@pytest.fixture
def first(stage: Stage, organiser: User) -> Invitation:
    """The link of the first, who has given the place up."""
    link = {one.entrant.number: one for one in make_place_links(stage, by=organiser)}[holders(stage)[0]]
    answer_by_link(link, answer="declined", seen=0)
    return link


def called_link(stage: Stage, by: User) -> Invitation:
    """The link of the reserve who was called."""
    [made] = make_place_links(stage, by=by)
    assert made.entrant.number == holders(stage)[-1]
    return made


def state(link: Invitation) -> LinkState:
    return invitation_page(link, timezone.now()).state


def text(link: Invitation, asked: str = "", language: str = "en") -> str:
    client = Client()
    client.cookies["django_language"] = language
    return " ".join(squeezed(client.get(f"/place/{place_link_token(link)}/{asked}").content.decode()).split())


def refusal(act: Any) -> tuple[str, str]:
    with pytest.raises(Refused) as refused, translation.override("en"):
        act()
    with translation.override("en"):
        return refused.value.code, str(refused.value)


@pytest.mark.fault("X10")
def test_to_a_reserve_the_place_is_offered_until_it_is_accepted(
    first: Invitation, stage: Stage, organiser: User
) -> None:
    reserve = called_link(stage, organiser)
    said = text(reserve)
    assert (
        "A place in the final is offered to you as a reserve" in said,
        "Offered to you until the list of finalists is fixed; it is yours once you accept." in said,
        "is yours</b>" in said,
    ) == (True, True, False)
    set_answers_until(stage, until=timezone.now() + timedelta(days=1), seen=None, by=organiser)
    reserve.refresh_from_db()
    assert "Offered to you until " in text(Invitation.objects.get(pk=reserve.pk))
    assert "你接受後，席位才屬於你" in text(Invitation.objects.get(pk=reserve.pk), language="zh-hant")


@pytest.mark.fault("X10")
def test_who_gave_a_place_up_does_not_take_it_back_from_the_reserve_it_was_offered_to(
    first: Invitation, stage: Stage, organiser: User
) -> None:
    assert (state(first), "I will play after all" in text(first)) == (LinkState.DECLINED, True)
    reserve = called_link(stage, organiser)
    declined = PlaceAnswer.objects.get()
    given, number = {"answer": "accepted", "seen": declined.pk}, first.entrant.number
    assert (state(first), "I will play after all" in text(first)) == (LinkState.OFFERED, False)
    assert refusal(lambda: answer_by_link(first, **given)) == (
        "place_offered",
        f"The place that entrant {number:04d} gave up was offered to reserve {reserve.entrant.number:04d}, who has a "
        "link for it. It is free again only when that reserve declines.",
    )
    assert refusal(lambda: answered(stage, organiser, number))[0] == "place_offered"
    assert (holders(stage)[-1], state(reserve)) == (reserve.entrant.number, LinkState.ASKED)
    answer_by_link(reserve, answer="accepted", seen=0)
    assert (state(first), refusal(lambda: answer_by_link(first, **given))[0]) == (LinkState.TAKEN, "place_taken")


@pytest.mark.fault("X10")
def test_before_the_press_the_page_says_that_giving_up_is_final(stage: Stage, organiser: User) -> None:
    link = make_place_links(stage, by=organiser)[0]
    assert "From then on giving it up is final: you cannot take it back." in text(link, "?answer=declined")


@pytest.mark.fault("X10")
def test_when_the_reserve_declines_and_the_next_was_not_told_the_place_may_be_taken_back(
    first: Invitation, stage: Stage, organiser: User
) -> None:
    answer_by_link(called_link(stage, organiser), answer="declined", seen=0)
    assert state(first) == LinkState.DECLINED
    declined = PlaceAnswer.objects.filter(invitation=first).get()
    assert answer_by_link(first, answer="accepted", seen=declined.pk).answer == "accepted"


# --- Called and not told --------------------------------------------------------------------------------
def untold(stage: Stage) -> list[int]:
    return reserves_not_yet_mailed(stage, live_places(stage))


@pytest.mark.fault("X9")
def test_a_reserve_who_was_called_is_told_by_a_mail_with_the_link_or_has_answered(
    first: Invitation, stage: Stage, organiser: User, settings: Any
) -> None:
    settings.SITE_URL = "https://rummikub.example.org"
    give_addresses(stage.event)
    reserve = holders(stage)[-1]
    assert untold(stage) == [reserve]
    invitations.make_place_links(stage, by=organiser)
    assert untold(stage) == [reserve]
    found = recipients_of_places(stage).found
    mailings.start_mailing(
        stage.event, MailingKind.PLACES, "stage preliminary", found, confirmed=len(found), by=organiser
    )
    assert untold(stage) == [reserve]
    send_all()
    assert untold(stage) == []
    link = Invitation.objects.get(entrant__number=reserve, revoked_at=None)
    invitations.replace_place_link(stage, number=reserve, reason="lost", by=organiser, seen=link.pk)
    assert untold(stage) == [reserve]
    answered(stage, organiser, reserve)
    assert untold(stage) == []


@pytest.mark.fault("X9")
def test_the_overview_names_who_was_called_and_leads_to_where_the_telephone_is(
    first: Invitation, stage: Stage, organiser: User, auditor: User, signed_in: Any
) -> None:
    reserve = holders(stage)[-1]
    Person.objects.filter(entrant__number=reserve, entrant__event=stage.event).update(phone="+85261234567")
    client = signed_in(organiser)
    client.cookies["django_language"] = "en"
    overview = squeezed(client.get("/desk/hk-2026/").content.decode())
    said = "1 reserve was called: no mail with the link was taken, and no answer is recorded"
    assert f"{said}: {reserve:04d}." in overview
    page = "/desk/hk-2026/final/finalists/"
    assert f'href="{page}"' in overview
    shown, hidden = (squeezed(one.get(page).content.decode()) for one in (client, signed_in(auditor)))
    assert ("tel:+85261234567" in shown, "61234567" in hidden, f"{reserve:04d}" in hidden) == (True, False, True)
    answered(stage, organiser, reserve)
    assert "no mail with the link" not in squeezed(client.get("/desk/hk-2026/").content.decode())
