"""A private link of a place that was accepted and is not held any more: its page says so, and why."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.finalists.invited import answered, holders, invited
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant
from tournament.finalists.domain.invitations import LinkState, PlaceEndedReason, invitation_page
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists
from tournament.finalists.services.invitations import answer_by_link, make_place_links, place_link_token
from tournament.publication.services.release import release_results
from tournament.releases.models import Release

pytestmark = [pytest.mark.django_db, pytest.mark.fault("X12")]


@pytest.fixture
def stages(first_session: Session, organiser: User) -> tuple[Stage, Stage]:
    """Preliminary and final; four advance."""
    return invited(first_session, organiser)


@pytest.fixture
def last(stages: tuple[Stage, Stage], organiser: User) -> Invitation:
    """The link of the last who holds a place and has accepted by it."""
    made = {one.entrant.number: one for one in make_place_links(stages[0], by=organiser)}[holders(stages[0])[-1]]
    answer_by_link(made, answer="accepted", seen=0)
    return made


def moved_out(stage: Stage, by: User) -> None:
    """By the next release the last of the four is a reserve."""
    Stage.objects.filter(pk=stage.pk).update(advance=3)
    release_results(Stage.objects.get(pk=stage.pk), by=by)


def shown(link: Invitation) -> tuple[LinkState, PlaceEndedReason | None, str]:
    """State, why it ended, and the page in English as text."""
    client = Client()
    client.cookies["django_language"] = "en"
    page = squeezed(client.get(f"/place/{place_link_token(link)}/").content.decode())
    found = invitation_page(
        Invitation.objects.select_related("entrant", "stage__event").get(pk=link.pk), timezone.now()
    )
    return found.state, found.why_ended, " ".join(page.split())


def test_moved_out_by_a_newer_release(stages: tuple[Stage, Stage], organiser: User, last: Invitation) -> None:
    moved_out(stages[0], organiser)
    state, why, page = shown(last)
    assert (state, why) == (LinkState.GONE, PlaceEndedReason.RELEASE)
    number = Release.objects.latest("number").number
    assert (
        "You hold no place in the final now" in page,
        "Accepted by this link on " in page,
        f"Results no. {number}, published on " in page,
        "called as a reserve" in page,
    ) == (True, True, True, False)


def test_withdrawn_at_the_desk_before_the_list_was_fixed(last: Invitation) -> None:
    Entrant.objects.filter(pk=last.entrant_id).update(status=EntrantStatus.WITHDRAWN)
    state, why, page = shown(last)
    assert (state, why) == (LinkState.GONE, PlaceEndedReason.RECORDED)
    assert ("Accepted by this link on " in page, "Recorded of you at the desk: withdrawn." in page) == (True, True)


def test_who_was_on_the_list_and_left_is_not_told_that_he_was_never_on_it(
    stages: tuple[Stage, Stage], organiser: User, last: Invitation
) -> None:
    for number in holders(stages[0]):
        answered(stages[0], organiser, number)
    finalists.freeze_finalists(stages[1], seen=finalists.finalists_seen_digest(live_places(stages[0])), by=organiser)
    assert shown(last)[0] == LinkState.LISTED
    Entrant.objects.filter(pk=last.entrant_id).update(status=EntrantStatus.WITHDRAWN)
    state, _why, page = shown(last)
    assert state == LinkState.LEFT
    assert (
        "You were on the list of finalists and do not play on" in page,
        "Recorded of you at the desk: withdrawn." in page,
        "you are not on it" in page,
    ) == (True, True, False)


def test_who_never_accepted_is_told_nothing_of_an_acceptance(stages: tuple[Stage, Stage], organiser: User) -> None:
    link = {one.entrant.number: one for one in make_place_links(stages[0], by=organiser)}[holders(stages[0])[-1]]
    moved_out(stages[0], organiser)
    state, why, page = shown(link)
    assert (state, why, "Accepted" in page) == (LinkState.GONE, None, False)
