"""The second person's yes to what a chief judge proposed about equals: only then it is recorded, and counts."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from tournament.enums import ContestOf, DecisionOf, StageKind
from tournament.errors import Forbidden, Missing
from tournament.models import AuditHead, ContestDecision, Event, LotsAnnouncement, Proposal, Stage, TieDecision
from tournament.services import lots, podium, proposals, qualification, release_ties
from tournament.services.second_person import Second

Made = TieDecision | ContestDecision | LotsAnnouncement
Act = Callable[..., Any]
ACTS: dict[tuple[str, str], tuple[StageKind, Act]] = {
    (qualification.DECIDE, DecisionOf.LINE): (StageKind.PRELIMINARY, qualification.decide_tie),
    (qualification.DECIDE, DecisionOf.RESERVE): (StageKind.PRELIMINARY, release_ties.decide_reserve_tie),
    (lots.ANNOUNCE, DecisionOf.LINE): (StageKind.PRELIMINARY, qualification.announce_line_lots),
    (lots.ANNOUNCE, DecisionOf.RESERVE): (StageKind.PRELIMINARY, release_ties.announce_reserve_lots),
    **{
        (podium.DECIDE, of): (StageKind.FINAL, partial(podium.decide_contest, of=of))
        for of in (ContestOf.PODIUM, ContestOf.AWARD)
    },
    **{
        (lots.ANNOUNCE, of): (StageKind.FINAL, partial(podium.announce_contest_lots, of=of))
        for of in (ContestOf.PODIUM, ContestOf.AWARD)
    },
}
PROPOSED = frozenset(act for act, _of in ACTS)


@transaction.atomic
def agree(event: Event, number: int, *, by: AbstractUser, now: datetime | None = None) -> Made:
    """Record what was proposed, as of its proposer and with `by` as the second person.

    1. The proposal is open (409). 2. All that the decision itself asks, of this moment: what has changed since is
    refused (412). 3. Not by who proposed it (403). 4. In one transaction the proposal is closed and the row written.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    proposal = proposed(event, number)
    if proposal.proposed_by_id == by.pk:
        raise Forbidden("proposer_cannot_approve", proposals.SAME_ACCOUNT, about=proposal)
    kind, act = ACTS[proposal.act, proposal.payload["of"]]
    stage = Stage.objects.select_related("event").get(event=event, kind=kind)
    given = given_of(proposal)
    made: Made = act(stage, by=proposal.proposed_by, second=Second(proposal, by), now=now, **given)
    return made


def proposed(event: Event, number: int) -> Proposal:
    """An open proposal about equals; Missing (404) for one of another act."""
    proposal = proposals.open_proposal(event, number)
    if proposal.act not in PROPOSED:
        raise Missing("no_such_proposal", proposals.UNKNOWN)
    return proposal


def given_of(proposal: Proposal) -> dict[str, Any]:
    """What its act is given."""
    given = dict(proposal.payload["given"])
    if "known_from" in given:
        given["known_from"] = datetime.fromisoformat(given["known_from"])
    return given
