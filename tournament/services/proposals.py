"""Acts of two people: proposed by one account, agreed to by another, or refused, withdrawn, lapsed.

The service that owns the act proposes and approves through these functions, inside its own transaction; it checks the
rights of both accounts itself. Refusing and withdrawing need no act and are done here.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import ProposalOutcome
from tournament.errors import BadInput, Forbidden, Missing, Refused, StaleVersion
from tournament.models import Event, Membership, Proposal
from tournament.services import audit
from tournament.services.keyed_digest import keyed_digest

LONGEST_REASON = 500
REASON = _("Write down why, in at most 500 characters: whoever agrees reads it, and it stays in the log.")
# By act: what ends with a proposal that is refused or withdrawn, in the same transaction; set by the act's service.
ENDED: dict[str, Callable[[Proposal, AbstractBaseUser], None]] = {}
OPEN_ALREADY = _(
    "This is proposed already and waits for a second person. Its proposer withdraws it, or an organiser or the chief "
    "judge refuses it, before it is proposed anew."
)
SAME_ACCOUNT = _("You proposed this. Another person agrees to it, in their own account.")
CLOSED = _("This proposal is closed already. See what became of it.")
UNKNOWN = _("There is no such proposal at this event.")
OUTDATED = _("What this was proposed for has changed since. Refuse it, look again, and propose anew.")
NO_LONGER = _("Who proposed this may not propose it any more. Refuse it; somebody who may proposes it anew.")
NOT_YOURS = _("Only who proposed this withdraws it. You may refuse it instead.")


@transaction.atomic
def propose(
    event: Event, *, act: str, subject: str, payload: Mapping[str, Any], seen: str, reason: str, by: AbstractBaseUser
) -> Proposal:
    """Open a proposal. The same again by the same account: that one. Refused `proposed_already` for another."""
    why = checked_reason(reason)
    facts = {"act": act, "subject": subject, "seen": seen, "reason": why, "proposed_by": by}
    digest = keyed_digest(dict(payload))
    try:
        with transaction.atomic():
            made = Proposal.objects.create(
                event=event, payload=dict(payload), digest=digest, proposed_at=timezone.now(), **facts
            )
    except IntegrityError:
        same = Proposal.objects.filter(event=event, outcome="", digest=digest, **facts).first()
        if same is None:
            raise Refused("proposed_already", OPEN_ALREADY) from None
        return same
    record(made, "propose_act", by, why)
    return made


def open_proposal(event: Event, number: int, act: str = "") -> Proposal:
    """One that is still open, its row locked until the transaction ends. Missing (404), Refused `proposal_closed`."""
    found = Proposal.objects.select_for_update(no_key=True).filter(event=event, pk=number).first()
    if found is None or (act and found.act != act):
        raise Missing("no_such_proposal", UNKNOWN)
    if found.outcome:
        raise Refused("proposal_closed", CLOSED, about=found)
    return found


def approve(proposal: Proposal, *, seen: str, by: AbstractBaseUser) -> None:
    """The second person's yes, before the act is done in the same transaction. `seen`: the subject's version now.

    Forbidden `proposer_cannot_approve`, StaleVersion `proposal_outdated`.
    """
    if proposal.proposed_by_id == by.pk:
        raise Forbidden("proposer_cannot_approve", SAME_ACCOUNT, about=proposal)
    if proposal.seen != seen:
        raise StaleVersion("proposal_outdated", OUTDATED, about=proposal)
    close(proposal, ProposalOutcome.APPROVED, by, "")


@transaction.atomic
def refuse(event: Event, number: int, *, reason: str, by: AbstractBaseUser) -> Proposal:
    """The second person's no, with a reason. Refused already by the same: nothing to do."""
    return end(event, number, ProposalOutcome.REFUSED, by, reason)


@transaction.atomic
def withdraw(event: Event, number: int, *, by: AbstractBaseUser) -> Proposal:
    """Its author takes it back. Withdrawn already: nothing to do."""
    return end(event, number, ProposalOutcome.WITHDRAWN, by, "")


def end(event: Event, number: int, outcome: ProposalOutcome, by: AbstractBaseUser, reason: str) -> Proposal:
    """Close it without its act; sent again it finds it closed in the same way."""
    ended = Proposal.objects.filter(event=event, pk=number, outcome=outcome, closed_by=by.pk).first()
    if ended is not None:
        return ended
    proposal = open_proposal(event, number)
    if outcome == ProposalOutcome.WITHDRAWN and proposal.proposed_by_id != by.pk:
        raise Refused("not_your_proposal", NOT_YOURS, about=proposal)
    close(proposal, outcome, by, checked_reason(reason) if outcome == ProposalOutcome.REFUSED else "")
    if proposal.act in ENDED:
        ENDED[proposal.act](proposal, by)
    return proposal


def proposer_holds(proposal: Proposal, roles: Collection[str]) -> bool:
    """Whether its author's account is open and has one of these roles in effect, at this moment."""
    held = Membership.objects.filter(event=proposal.event_id, user=proposal.proposed_by_id, role__in=roles)
    return held.filter(user__is_active=True).exists()


def require_proposer(proposal: Proposal, roles: Collection[str]) -> None:
    """Refused `proposer_lost_right` where its author could not propose it now: two who may are two at the end."""
    if not proposer_holds(proposal, roles):
        raise Refused("proposer_lost_right", NO_LONGER, about=proposal)


def close(proposal: Proposal, outcome: ProposalOutcome, by: AbstractBaseUser | None, reason: str) -> None:
    """Open to closed, once; the payload is emptied. Its entry in the log."""
    values = {"outcome": outcome, "closed_by": by, "closed_at": timezone.now(), "closing_reason": reason}
    if not Proposal.objects.filter(pk=proposal.pk, outcome="").update(payload={}, **values):
        raise Refused("proposal_closed", CLOSED, about=proposal)
    for name, value in values.items():
        setattr(proposal, name, value)
    record(proposal, ACTIONS[outcome], by, reason)


# The log's word for each outcome.
ACTIONS = {
    ProposalOutcome.APPROVED: "approve_proposal",
    ProposalOutcome.REFUSED: "refuse_proposal",
    ProposalOutcome.WITHDRAWN: "withdraw_proposal",
    ProposalOutcome.LAPSED: "lapse_proposal",
}


def record(proposal: Proposal, action: str, by: AbstractBaseUser | None, reason: str) -> None:
    """The entry: which act on what, the keyed digest of what was proposed, why."""
    said = f"{proposal.act}: {reason}" if reason else proposal.act
    audit.record(proposal.event, by, action, proposal.subject, digest=("", proposal.digest), reason=said[:500])


def checked_reason(reason: str) -> str:
    """Trimmed; none or too long is refused (R46)."""
    why = reason.strip()
    if not 0 < len(why) <= LONGEST_REASON or not why.isprintable():
        raise BadInput("reason_missing", REASON)
    return why
