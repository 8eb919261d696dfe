"""Every kind of equals by one name, and the second person's yes to what a chief judge proposed about them: only then it
is recorded, and counts."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.audit.models import AuditHead
from tournament.core.enums import DecisionOf
from tournament.core.errors import Forbidden, NotFoundRefused
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.services import lots, tie_breaks
from tournament.stages.services.podium import OfAPlace
from tournament.stages.services.qualification import AcrossTheCutOff
from tournament.stages.services.second_person import SecondPerson
from tournament.stages.services.tie_breaks import TieBreakGiven, TieBreakRules

RecordedDecision = TieBreak | LotsAnnouncement
RULES: dict[str, TieBreakRules] = {}


def register_rules(rules: TieBreakRules) -> None:
    """Let equals of this kind be parted; called once for each kind when the app starts."""
    RULES[rules.of] = rules


register_rules(AcrossTheCutOff())
register_rules(OfAPlace(DecisionOf.PODIUM))
register_rules(OfAPlace(DecisionOf.AWARD))


@transaction.atomic
def decide_tie(
    stage: Stage,
    *,
    of: str,
    by: User,
    second: SecondPerson | None = None,
    now: datetime | None = None,
    **given: Any,
) -> TieBreak | Proposal:
    """Record who of these equals stands before whom, or propose it where it takes two; `given` as TieBreakGiven."""
    asked = TieBreakGiven(**given)
    return tie_breaks.decide(RULES[of], stage, asked, by=by, second=second, now=now or timezone.now())


@transaction.atomic
def announce_tie_lots(
    stage: Stage,
    *,
    of: str,
    by: User,
    second: SecondPerson | None = None,
    now: datetime | None = None,
    **given: Any,
) -> LotsAnnouncement | Proposal:
    """Announce lots for these equals, or propose it where it takes two; `given` as services.lots.LotsGiven."""
    return tie_breaks.announce(RULES[of], stage, lots.LotsInput(**given), by=by, second=second, now=now)


DECISION_ACTS: dict[str, Callable[..., Any]] = {
    tie_breaks.DECIDE_TIE_ACT: decide_tie,
    lots.ANNOUNCE_LOTS_ACT: announce_tie_lots,
}
PROPOSABLE_DECISION_ACTS = frozenset(DECISION_ACTS)


@transaction.atomic
def agree_decision(event: Event, number: int, *, by: User, now: datetime | None = None) -> RecordedDecision:
    """Record what was proposed, as of its proposer and with `by` as the second person.

    1. The proposal is open (409). 2. All that the decision itself asks, of this moment: what has changed since is
    refused (412). 3. Not by who proposed it (403). 4. In one transaction the proposal is closed and the row written.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    proposal = lock_decision_proposal(event, number)
    if proposal.proposed_by_id == by.pk:
        raise Forbidden("proposer_cannot_approve", proposals.PROPOSAL_SAME_ACCOUNT, about=proposal)
    of = proposal.payload["of"]
    stage = Stage.objects.select_related("event").get(event=event, kind=proposal.payload["stage"])
    given = decision_arguments(proposal)
    made: RecordedDecision = DECISION_ACTS[proposal.act](
        stage, of=of, by=proposal.proposed_by, second=SecondPerson(proposal, by), now=now, **given
    )
    return made


def lock_decision_proposal(event: Event, number: int) -> Proposal:
    """An open proposal about equals; Missing (404) for one of another act."""
    proposal = proposals.open_proposal(event, number)
    if proposal.act not in PROPOSABLE_DECISION_ACTS:
        raise NotFoundRefused("no_such_proposal", proposals.PROPOSAL_UNKNOWN)
    return proposal


def decision_arguments(proposal: Proposal) -> dict[str, Any]:
    """What its act is given."""
    given = dict(proposal.payload["given"])
    if "known_from" in given:
        given["known_from"] = datetime.fromisoformat(given["known_from"])
    return given
