"""Private links: one for each who holds a place, opened by nothing that the database has, revoked for good."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import serializers
from django.utils import timezone

from tests.finalists.invited import answered, holders, invited
from tests.recorded import altered_rows
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.errors import BadInput, Gone, NotFoundRefused, Refused, TooManyRequests
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation, LinkTry
from tournament.entrants.models.people import Entrant
from tournament.finalists import queries
from tournament.finalists.domain.invitations import LinkState, invitation_page
from tournament.finalists.services import invitations as services
from tournament.finalists.services.release_places import set_answers_until
from tournament.publication.services.release import withdraw_release
from tournament.releases.models import PlaceAnswer, Release

pytestmark = pytest.mark.django_db
HERE = {"source": "203.0.113.7"}


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    return invited(first_session, organiser)[0]


@pytest.fixture
def links(stage: Stage, organiser: User) -> list[Invitation]:
    """One for each of the four, by their place."""
    made = {one.entrant.number: one for one in services.make_place_links(stage, by=organiser)}
    return [made[number] for number in holders(stage)]


def state(link: Invitation) -> LinkState:
    return invitation_page(services.find_link(services.place_link_token(link), **HERE), timezone.now()).state


def test_everyone_who_holds_a_place_has_one_link_and_no_more(stage: Stage, organiser: User) -> None:
    first = services.make_place_links(stage, by=organiser)
    assert sorted(one.entrant.number for one in first) == sorted(holders(stage))
    assert services.make_place_links(stage, by=organiser) == []
    assert AuditEntry.objects.filter(action="make_link").count() == len(first) == 4


def test_a_reserve_who_is_called_gets_a_link_of_their_own(
    stage: Stage, organiser: User, links: list[Invitation]
) -> None:
    answered(stage, organiser, links[0].entrant.number, "declined")
    [made] = services.make_place_links(stage, by=organiser)
    assert made.entrant.number == holders(stage)[-1]
    assert (invitation_page(made, timezone.now()).called, invitation_page(links[1], timezone.now()).called) == (
        True,
        False,
    )


def test_a_link_is_read_as_people_type_it(links: list[Invitation]) -> None:
    token = services.place_link_token(links[0])
    id, _, secret = token.partition("-")
    assert [len(group) for group in secret.split("-")] == [5] * 5
    typed = [token.upper(), secret.replace("-", "").replace("1", "l").replace("0", "O"), f" {token} "]
    found = [services.find_link(text if "-" in text else f"{id}-{text}", **HERE) for text in typed]
    assert found == [links[0]] * 3


def test_links_differ_and_nothing_in_the_database_holds_one(links: list[Invitation]) -> None:
    tokens = [services.place_link_token(link) for link in links]
    assert len(set(tokens)) == 4
    rows = serializers.serialize("json", [*Invitation.objects.all(), *AuditEntry.objects.all()])
    secrets = [services.secret_of(link) for link in links]
    assert [one for one in (*secrets, *tokens) if one in rows] == []


def test_another_key_of_the_installation_makes_other_links(links: list[Invitation], settings: Any) -> None:
    token = services.place_link_token(links[0])
    settings.SECRET_KEY = "another " * 5
    assert services.place_link_token(links[0]) != token
    with pytest.raises(NotFoundRefused):
        services.find_link(token, **HERE)


@pytest.mark.parametrize("change", ["nonce", "entrant", "stage"])
def test_a_link_belongs_to_its_row_as_it_was_made(links: list[Invitation], change: str) -> None:
    """A row whose nonce or holder somebody exchanged opens nothing."""
    first, second = links[0], links[1]
    token = services.place_link_token(first)
    Invitation.objects.filter(pk=second.pk).update(revoked_at=timezone.now())
    exchanged = {"nonce": second.nonce, "entrant": second.entrant, "stage": Stage.objects.get(kind="final")}
    Invitation.objects.filter(pk=first.pk).update(**{change: exchanged[change]})
    with pytest.raises(NotFoundRefused):
        services.find_link(token, **HERE)


def test_an_answer_by_link_has_no_account_and_needs_no_reason(stage: Stage, links: list[Invitation]) -> None:
    made = services.answer_by_link(links[0], answer="declined", seen=0)
    assert (made.by, made.invitation, made.reason, made.answer) == (None, links[0], "", "declined")
    assert holders(stage)[0] == links[1].entrant.number
    entry = AuditEntry.objects.get(action="record_answer")
    assert (entry.actor, entry.subject, entry.details) == (None, f"entrant {links[0].entrant}", {"answer": "declined"})
    assert altered_rows() == []


def test_one_may_change_ones_mind_and_the_same_twice_is_one_answer(links: list[Invitation]) -> None:
    first = services.answer_by_link(links[0], answer="accepted", seen=0)
    assert services.answer_by_link(links[0], answer="accepted", seen=0) == first
    second = services.answer_by_link(links[0], answer="declined", seen=first.pk)
    assert state(links[0]) == LinkState.DECLINED
    third = services.answer_by_link(links[0], answer="accepted", seen=second.pk)
    assert (state(links[0]), PlaceAnswer.objects.count(), third.answer) == (LinkState.ACCEPTED, 3, "accepted")


def test_an_answer_at_the_desk_that_the_page_has_not_seen_is_not_overruled(
    stage: Stage, organiser: User, links: list[Invitation]
) -> None:
    answered(stage, organiser, links[0].entrant.number)
    with pytest.raises(Refused) as refused:
        services.answer_by_link(links[0], answer="declined", seen=0)
    assert (refused.value.code, refused.value.status) == ("answer_changed", 412)


def test_a_revoked_link_opens_nothing_and_a_new_one_does(
    stage: Stage, organiser: User, links: list[Invitation]
) -> None:
    number = links[0].entrant.number
    made = services.replace_place_link(stage, number=number, reason="sent to another", by=organiser, seen=links[0].pk)
    again = services.replace_place_link(stage, number=number, reason="sent to another", by=organiser, seen=links[0].pk)
    assert again == made
    for act in (
        lambda: services.find_link(services.place_link_token(links[0]), **HERE),
        lambda: services.answer_by_link(links[0], answer="accepted", seen=0),
    ):
        with pytest.raises(Gone):
            act()
    assert state(made) == LinkState.ASKED
    assert services.revoke_place_link(stage, number=number, reason="lost", by=organiser) == made
    assert services.revoke_place_link(stage, number=number, reason="lost", by=organiser) is None
    assert (queries.links_in_force(stage).get(number), altered_rows()) == (None, [])


def test_a_link_is_revoked_for_a_reason_alone(stage: Stage, organiser: User, links: list[Invitation]) -> None:
    with pytest.raises(BadInput):
        services.revoke_place_link(stage, number=links[0].entrant.number, reason=" ", by=organiser)
    assert Invitation.objects.filter(revoked_at=None).count() == 4


def test_nobody_without_a_place_is_invited(stage: Stage, organiser: User) -> None:
    [outside] = Entrant.objects.exclude(number__in=holders(stage)).order_by("number")[:1]
    with pytest.raises(Refused) as refused:
        services.replace_place_link(stage, number=outside.number, reason="", by=organiser)
    assert refused.value.code == "no_place"


def test_after_ten_links_that_nobody_made_the_next_waits_and_a_right_one_opens(links: list[Invitation]) -> None:
    now, token = timezone.now(), services.place_link_token(links[0])
    wrong = [f"{links[0].pk}-00000-00000-00000-00000-00000", "nonsense", "999999-aaaaa", "", "1-" + "é" * 25] * 2
    for text in wrong:
        with pytest.raises(NotFoundRefused):
            services.find_link(text, **HERE, now=now)
    with pytest.raises(TooManyRequests) as refused:
        services.find_link("nonsense", **HERE, now=now + timedelta(minutes=5))
    assert refused.value.wait == 600
    assert services.find_link(token, **HERE, now=now + timedelta(minutes=5)) == links[0]
    assert LinkTry.objects.count() == 10
    assert services.find_link(token, source="203.0.113.8", now=now) == links[0]
    assert services.find_link(token, **HERE, now=now + timedelta(minutes=15, seconds=1)) == links[0]
    assert {HERE["source"] in row.source for row in LinkTry.objects.all()} == {False}


def test_tries_long_past_are_forgotten(links: list[Invitation]) -> None:
    now = timezone.now()
    for minutes in (0, 61):
        with pytest.raises(NotFoundRefused):
            services.find_link("nonsense", **HERE, now=now + timedelta(minutes=minutes))
    assert LinkTry.objects.count() == 1


def test_a_link_says_how_its_place_stands(stage: Stage, organiser: User, links: list[Invitation]) -> None:
    first, second, third, last = links
    said = [state(first)]
    declined = services.answer_by_link(first, answer="declined", seen=0)
    answered(stage, organiser, holders(stage)[-1])
    said.append(state(first))
    Entrant.objects.filter(pk=second.entrant_id).update(status=EntrantStatus.WITHDRAWN)
    said.append(state(second))
    set_answers_until(stage, until=timezone.now() - timedelta(minutes=1), seen=None, by=organiser)
    said.append(state(third))
    withdraw_release(Release.objects.get(), reason="Wrong.", by=organiser)
    said.append(state(last))
    assert declined.answer == "declined"
    assert said == [LinkState.ASKED, LinkState.TAKEN, LinkState.GONE, LinkState.CLOSED, LinkState.NOTHING]


def test_links_that_leave_in_a_file_are_written_down(stage: Stage, organiser: User) -> None:
    with pytest.raises(Refused):
        services.export_place_links(stage, what="letters", by=organiser)
    services.make_place_links(stage, by=organiser)
    taken = services.export_place_links(stage, what="letters", by=organiser)
    assert [one.entrant.number for one in taken] == sorted(holders(stage))
    assert AuditEntry.objects.get(action="take_out_links").details == {"what": "letters", "links": 4}


@pytest.mark.parametrize(
    ("values", "named"),
    [({"nonce": "another"}, " nonce"), ({"revoked_at": timezone.now()}, " revoked_at"), (None, "")],
)
def test_a_link_that_was_altered_behind_the_log_is_found(
    links: list[Invitation], values: dict[str, Any] | None, named: str
) -> None:
    row = Invitation.objects.filter(pk=links[0].pk)
    if values is None:
        row.delete()
    else:
        row.update(**values)
    assert altered_rows() == [f"invitation {links[0].pk}{named}"]
