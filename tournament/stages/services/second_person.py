"""Decisions between equals that take a second person: those whose figures somebody compares, and those made again.

A play-off and lots drawn by hand are compared with the paper by another account before they count. Whatever was
announced or decided about the same equals before makes the next one take two: nobody alone draws until it pleases.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.core import canonical
from tournament.core.acts import ACTS
from tournament.core.enums import TieMethod
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.ranking.queries.lots import announcements_about, decisions_about, proposal_subject_prefix

METHODS_NEEDING_TWO = frozenset({TieMethod.PLAY_OFF, TieMethod.HAND_LOTS})
PROPOSAL_SUBJECT_MAX_LENGTH = 80
NO_LONGER_JUDGE = _("Who proposed this is no longer chief judge here. Refuse it; a chief judge proposes it anew.")


@dataclass(frozen=True, slots=True)
class SecondPerson:
    """The second person's yes: to which proposal, by whom."""

    proposal: Proposal
    by: User


def decision_needs_two(stage: Stage, of: str, ids: Collection[str], method: str) -> bool:
    """Whether a decision by this method is one of two people; a draw that was announced is not decided again by it."""
    if method in METHODS_NEEDING_TWO:
        return True
    return method != TieMethod.LOTS and is_decided_again(stage, of, ids)


def is_decided_again(stage: Stage, of: str, ids: Collection[str]) -> bool:
    """Whether something was announced or decided about exactly these before."""
    return bool(announcements_about(stage, of, ids) or decisions_about(stage, of, ids))


def tie_subject_ref(stage: Stage, of: str, ids: Collection[str]) -> str:
    """Which equals: a contest is known by its first."""
    return f"{proposal_subject_prefix(stage, of)}{min(ids)}"[:PROPOSAL_SUBJECT_MAX_LENGTH]


def tie_basis_digest(stage: Stage, of: str, ids: Collection[str], places: int) -> str:
    """What a proposal was based on: the tie, and what was announced and decided about it."""
    found = (
        [one.pk for one in rows] for rows in (decisions_about(stage, of, ids), announcements_about(stage, of, ids))
    )
    return canonical.digest_of([sorted(ids), places, *found])


def propose_decision(
    stage: Stage,
    act: str,
    of: str,
    given: Mapping[str, Any],
    *,
    ids: Collection[str],
    by: User,
    order: Sequence[str] = (),
) -> Proposal:
    """Keep the decision until another account agrees to it; nothing of it counts before. `order`: what it would give,
    to be shown."""
    return proposals.open_new_proposal(
        stage.event,
        act=act,
        subject=tie_subject_ref(stage, of, ids),
        payload={"of": of, "stage": stage.kind, "ids": sorted(ids), "order": list(order), "given": dict(given)},
        seen=tie_basis_digest(stage, of, ids, given["places"]),
        reason=given["reason"],
        by=by,
    )


def approve_decision(stage: Stage, of: str, second: SecondPerson, *, ids: Collection[str], places: int) -> None:
    """The second person's yes, in the transaction of the decision; the first must still be a chief judge."""
    if not proposals.proposer_holds(second.proposal, ACTS["decide_tie"].roles):
        raise Refused("proposer_not_chief_judge", NO_LONGER_JUDGE, about=second.proposal)
    proposals.approve_proposal(second.proposal, seen=tie_basis_digest(stage, of, ids, places), by=second.by)
