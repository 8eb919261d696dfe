"""Acts that wait for their second person, and what became of those that no longer do."""

from django.db.models import QuerySet

from tournament.accounts.models import Proposal
from tournament.core.acts.results import ABOUT_EQUALS
from tournament.core.models.event import Event


def proposals_of(event: Event) -> QuerySet[Proposal]:
    """All of an event, the newest first, with both accounts."""
    return Proposal.objects.filter(event=event).select_related("proposed_by", "closed_by")


def proposals_readable_by(rows: QuerySet[Proposal], *, sees_ranks: bool) -> QuerySet[Proposal]:
    """Without those about equals for who may not see ranks: that some are level, and who, is the unreleased ranking."""
    return rows if sees_ranks else rows.exclude(act__in=ABOUT_EQUALS)


def open_proposals(event: Event) -> QuerySet[Proposal]:
    """Those that nobody has answered yet."""
    return proposals_of(event).filter(outcome="")


def proposal_for(event: Event, act: str, subject: str) -> Proposal | None:
    """The open one for this act on this subject; there is at most one."""
    return open_proposals(event).filter(act=act, subject=subject).first()
