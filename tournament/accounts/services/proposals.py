"""Acts of two people: proposed by one account, agreed to by another, or refused, withdrawn, lapsed.

The service that owns the act proposes and approves through these functions, inside its own transaction; it checks the
rights of both accounts itself. Refusing and withdrawing need no act and are done here.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.audit import services
from tournament.core.enums import ProposalOutcome
from tournament.core.errors import BadInput, Forbidden, NotFoundRefused, Refused, StaleVersion
from tournament.core.models.event import Event, Membership
from tournament.core.services.keyed_digest import keyed_digest

PROPOSAL_REASON_MAX_LENGTH = 500
PROPOSAL_REASON_MISSING = _(
    "Write down why, in at most 500 characters: whoever agrees reads it, and it stays in the log."
)
# By act: what ends with a proposal that is refused or withdrawn, in the same transaction; set by the act's service.
PROPOSAL_END_HOOKS: dict[str, Callable[[Proposal, User], None]] = {}
OPEN_ALREADY = _(
    "This is proposed already and waits for a second person. Its proposer withdraws it, or an organiser or the chief "
    "judge refuses it, before it is proposed anew."
)
PROPOSAL_SAME_ACCOUNT = _("You proposed this. Another person agrees to it, in their own account.")
PROPOSAL_CLOSED = _("This proposal is closed already. See what became of it.")
PROPOSAL_UNKNOWN = _("There is no such proposal at this event.")
PROPOSAL_OUTDATED = _("What this was proposed for has changed since. Refuse it, look again, and propose anew.")
PROPOSER_LOST_RIGHT = _("Who proposed this may not propose it any more. Refuse it; somebody who may proposes it anew.")
PROPOSAL_OF_ANOTHER = _("Only who proposed this withdraws it. You may refuse it instead.")


@transaction.atomic
def open_new_proposal(
    event: Event, *, act: str, subject: str, payload: Mapping[str, Any], seen: str, reason: str, by: User
) -> Proposal:
    """Open a proposal. The same again by the same account: that one. Refused `proposed_already` for another."""
    why = check_proposal_reason(reason)
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
    record_proposal_entry(made, "propose_act", by, why)
    return made


def open_proposal(event: Event, number: int, act: str = "") -> Proposal:
    """One that is still open, its row locked until the transaction ends. Missing (404), Refused `proposal_closed`."""
    found = Proposal.objects.select_for_update(no_key=True).filter(event=event, pk=number).first()
    if found is None or (act and found.act != act):
        raise NotFoundRefused("no_such_proposal", PROPOSAL_UNKNOWN)
    if found.outcome:
        raise Refused("proposal_closed", PROPOSAL_CLOSED, about=found)
    return found


def approve_proposal(proposal: Proposal, *, seen: str, by: User) -> None:
    """The second person's yes, before the act is done in the same transaction. `seen`: the subject's version now.

    Forbidden `proposer_cannot_approve`, StaleVersion `proposal_outdated`.
    """
    if proposal.proposed_by_id == by.pk:
        raise Forbidden("proposer_cannot_approve", PROPOSAL_SAME_ACCOUNT, about=proposal)
    if proposal.seen != seen:
        raise StaleVersion("proposal_outdated", PROPOSAL_OUTDATED, about=proposal)
    close_proposal(proposal, ProposalOutcome.APPROVED, by, "")


@transaction.atomic
def refuse_proposal(event: Event, number: int, *, reason: str, by: User) -> Proposal:
    """The second person's no, with a reason. Refused already by the same: nothing to do."""
    return end_proposal(event, number, ProposalOutcome.REFUSED, by, reason)


@transaction.atomic
def withdraw_proposal(event: Event, number: int, *, by: User) -> Proposal:
    """Its author takes it back. Withdrawn already: nothing to do."""
    return end_proposal(event, number, ProposalOutcome.WITHDRAWN, by, "")


def end_proposal(event: Event, number: int, outcome: ProposalOutcome, by: User, reason: str) -> Proposal:
    """Close it without its act; sent again it finds it closed in the same way."""
    ended = Proposal.objects.filter(event=event, pk=number, outcome=outcome, closed_by=by.pk).first()
    if ended is not None:
        return ended
    proposal = open_proposal(event, number)
    if outcome == ProposalOutcome.WITHDRAWN and proposal.proposed_by_id != by.pk:
        raise Refused("not_your_proposal", PROPOSAL_OF_ANOTHER, about=proposal)
    close_proposal(proposal, outcome, by, check_proposal_reason(reason) if outcome == ProposalOutcome.REFUSED else "")
    if proposal.act in PROPOSAL_END_HOOKS:
        PROPOSAL_END_HOOKS[proposal.act](proposal, by)
    return proposal


def proposer_holds(proposal: Proposal, roles: Collection[str]) -> bool:
    """Whether its author's account is open and has one of these roles in effect, at this moment."""
    held = Membership.objects.filter(event=proposal.event_id, user=proposal.proposed_by_id, role__in=roles)
    return held.filter(user__is_active=True).exists()


def require_proposer(proposal: Proposal, roles: Collection[str]) -> None:
    """Refused `proposer_lost_right` where its author could not propose it now: two who may are two at the end."""
    if not proposer_holds(proposal, roles):
        raise Refused("proposer_lost_right", PROPOSER_LOST_RIGHT, about=proposal)


def close_proposal(proposal: Proposal, outcome: ProposalOutcome, by: User | None, reason: str) -> None:
    """Open to closed, once; the payload is emptied. Its entry in the log."""
    values = {"outcome": outcome, "closed_by": by, "closed_at": timezone.now(), "closing_reason": reason}
    if not Proposal.objects.filter(pk=proposal.pk, outcome="").update(payload={}, **values):
        raise Refused("proposal_closed", PROPOSAL_CLOSED, about=proposal)
    for name, value in values.items():
        setattr(proposal, name, value)
    record_proposal_entry(proposal, PROPOSAL_OUTCOME_ACTS[outcome], by, reason)


# The log's word for each outcome.
PROPOSAL_OUTCOME_ACTS = {
    ProposalOutcome.APPROVED: "approve_proposal",
    ProposalOutcome.REFUSED: "refuse_proposal",
    ProposalOutcome.WITHDRAWN: "withdraw_proposal",
    ProposalOutcome.LAPSED: "lapse_proposal",
}


def record_proposal_entry(proposal: Proposal, action: str, by: User | None, reason: str) -> None:
    """The entry: which act on what, the keyed digest of what was proposed, why."""
    digest, details = ("", proposal.digest), {"act": proposal.act}
    services.append_audit_entry(
        proposal.event, by, action, proposal.subject, digest=digest, reason=reason[:500], details=details
    )


def check_proposal_reason(reason: str) -> str:
    """Trimmed; none or too long is refused (R46)."""
    why = reason.strip()
    if not 0 < len(why) <= PROPOSAL_REASON_MAX_LENGTH or not why.isprintable():
        raise BadInput("reason_missing", PROPOSAL_REASON_MISSING)
    return why
