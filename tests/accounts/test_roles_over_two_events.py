"""Who is one thing here and another there: what an address answers depends on the roles at its own event alone."""

from collections.abc import Collection
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from tests.conftest import account
from tests.core.test_permissions_matrix import (
    MATRIX,
    METHODS,
    NOWHERE,
    addresses,
    ask,
    client_of,
    give_tablet,
    made,
    parts_of,
    propose_something,
    values,
    world,
)
from tests.mail.noticed import drafted
from tests.seated import enter
from tournament.accounts.models import Proposal
from tournament.core.enums import MailingKind, Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, Pairing, QuarantinedSubmission
from tournament.entrants.models.importing import EntrantFile
from tournament.messages.models import Mailing, Notice
from tournament.seating.services import seating
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.tables.models import Table

__all__ = ["made", "world"]

HERE, THERE = "here", "there"
# Roles at the event that is asked, and at the other.
MIXED = {
    "organiser_there": ((Role.REFEREE,), tuple(Role)),
    "organiser_here": ((Role.ORGANISER,), (Role.REFEREE,)),
    "low_and_high_here": ((Role.REFEREE, Role.CHIEF_JUDGE), (Role.ORGANISER,)),
    "clerk_here": ((Role.CLERK,), (Role.ORGANISER, Role.CHIEF_JUDGE)),
    "auditor_here": ((Role.AUDITOR,), (Role.CHIEF_JUDGE,)),
    "judge_here": ((Role.CHIEF_JUDGE,), (Role.ORGANISER, Role.AUDITOR)),
    "two_here": ((Role.REFEREE, Role.AUDITOR), (Role.CLERK,)),
    "nothing_here": ((), tuple(Role)),
}
# The parameters that are a row's key, and where the other event's row is.
KEYS = {
    "file": EntrantFile,
    "proposal": Proposal,
    "replay": Proposal,
    "question": Proposal,
    "pairing": Pairing,
    "held": QuarantinedSubmission,
    "call": JudgeCall,
    "mark": Incident,
    "mailing": Mailing,
    "notice": Notice,
}


def people(world: Event) -> Event:
    """The mixed accounts, and one with every role at both; the other event."""
    other = Event.objects.get(slug="other-2026")
    for name, (here, there) in MIXED.items():
        for event, roles in ((world, here), (other, there)):
            for role in roles:
                account(event, role, name)
    for role in Role:
        account(world, role, "all_of_both")
        account(other, role, "all_of_both")
    return other


def of_one_event() -> list[tuple[str, set[str]]]:
    """The addresses that are somebody's right at an event."""
    found = [(name, own) for name, own in addresses() if "event" in own and name not in NOWHERE]
    return [(name, own) for name, own in found if not {"all", "of_no_event"} & set(MATRIX[name])]


def wrong_answers(world: Event, who: str, here: Collection[Role]) -> tuple[int, list[str]]:
    """How many answers this account was given at the event, and those that its roles `here` do not explain."""
    given, client, wrong, tried = values(world), client_of(who), [], 0
    for name, parameters in of_one_event():
        address = reverse(name, kwargs=parts_of(name, parameters, given))
        for method in METHODS:
            may = set(MATRIX[name].get(method, "").split()) & {role.value for role in here}
            status = ask(client, method, address).status_code
            refused, tried = {403, 405} if here else {404, 405}, tried + 1
            if (status in refused) == bool(may) and not (may and status == 403):
                wrong.append(f"{who} {method} {name}: {status}")
    return tried, wrong


@pytest.mark.long
@pytest.mark.once
def test_an_answer_depends_on_the_roles_at_its_own_event_alone(world: Event) -> None:
    people(world)
    assert [wrong for who, (here, _there) in MIXED.items() for wrong in wrong_answers(world, who, here)[1]] == []


@pytest.mark.once
def test_a_row_of_another_event_is_not_there_for_who_has_every_right_at_both(world: Event) -> None:
    other = people(world)
    given = values(world) | rows_of(other)
    client, wrong, tried = client_of("all_of_both"), [], 0
    for name, parameters in of_one_event():
        for key in parameters & ({*KEYS, "account"}):
            at = {each: given[each] for each in parameters} | {"event": world.slug}
            assert key in rows_of(other)
            for method in METHODS:
                if method in MATRIX[name]:
                    status = ask(client, method, reverse(name, kwargs=at)).status_code
                    tried += 1
                    if status != 404:
                        wrong.append(f"{method} {name} {key}: {status}")
    assert wrong == []
    assert tried > 25


def rows_of(other: Event) -> dict[str, Any]:
    """One row of the other event for each key; made once."""
    if not Pairing.objects.filter(session__stage__event=other).exists():
        make_rows(other)
    asked = Proposal.objects.filter(event=other)
    return {
        "file": EntrantFile.objects.get(event=other).pk,
        "account": User.objects.get(username="other_organiser").pk,
        "proposal": asked.exclude(act="grant_role")[0].pk,
        "replay": asked.get(act="replay_session").pk,
        "question": asked.filter(act="grant_role")[0].pk,
        "pairing": Pairing.objects.get(session__stage__event=other).pk,
        "held": QuarantinedSubmission.objects.get(event=other).pk,
        "call": JudgeCall.objects.get(table__session__stage__event=other).pk,
        "mark": Incident.objects.get(table__session__stage__event=other).pk,
        "mailing": Mailing.objects.get(event=other).pk,
        "notice": Notice.objects.get(event=other).pk,
    }


def make_rows(other: Event) -> None:
    """A session with confirmed seats, and of each kind of row one."""
    by, now = User.objects.get(username="clerk"), timezone.now()
    session = Session.objects.get(stage__event=other, number=1)
    enter(session, 4, first=3001)
    seating.draw_session(session, seed=1, by=by)
    seating.confirm_session_draw(session, revision=1, by=by)
    table = Table.objects.get(session=session)
    Pairing.objects.update(digest="1")
    Device.objects.update(digest="1")
    give_tablet(table, by)
    JudgeCall.objects.create(table=table, reason="x", raised_by=by, raised_at=now)
    Incident.objects.create(table=table, game=1, kind="left", letter="A", by=by, at=now)
    propose_something(other)
    drafted(other, by)
    Mailing.objects.create(
        event=other, kind=MailingKind.SEATS, subject="session 0328-1", count=1, digest="0", asked_by=by, asked_at=now
    )
