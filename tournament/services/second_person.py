"""Decisions between equals that take a second person: those whose figures somebody compares, and those made again.

A play-off and lots drawn by hand are compared with the paper by another account before they count. Whatever was
announced or decided about the same equals before makes the next one take two: nobody alone draws until it pleases.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext_noop as _

from tournament.enums import Role, TieMethod
from tournament.errors import Refused
from tournament.models import Proposal, Stage
from tournament.queries.lots import announcements_about, decisions_about, prefix
from tournament.services import audit, proposals

COMPARED = frozenset({TieMethod.PLAY_OFF, TieMethod.HAND_LOTS})
LONGEST_SUBJECT = 80
NO_LONGER_JUDGE = _("Who proposed this is no longer chief judge here. Refuse it; a chief judge proposes it anew.")


@dataclass(frozen=True, slots=True)
class Second:
    """The second person's yes: to which proposal, by whom."""

    proposal: Proposal
    by: AbstractBaseUser


def takes_two(stage: Stage, of: str, ids: Collection[str], method: str) -> bool:
    """Whether a decision by this method is one of two people; a draw that was announced is not decided again by it."""
    if method in COMPARED:
        return True
    return method != TieMethod.LOTS and is_again(stage, of, ids)


def is_again(stage: Stage, of: str, ids: Collection[str]) -> bool:
    """Whether something was announced or decided about exactly these before."""
    return bool(announcements_about(stage, of, ids) or decisions_about(stage, of, ids))


def subject_of(stage: Stage, of: str, ids: Collection[str]) -> str:
    """Which equals: a contest is known by its first."""
    return f"{prefix(stage, of)}{min(ids)}"[:LONGEST_SUBJECT]


def seen_of(stage: Stage, of: str, ids: Collection[str], places: int) -> str:
    """What a proposal was based on: the tie, and what was announced and decided about it."""
    found = (
        [one.pk for one in rows] for rows in (decisions_about(stage, of, ids), announcements_about(stage, of, ids))
    )
    return audit.digest_of([sorted(ids), places, *found])


def propose(
    stage: Stage,
    act: str,
    of: str,
    given: Mapping[str, Any],
    *,
    ids: Collection[str],
    by: AbstractBaseUser,
    order: Sequence[str] = (),
) -> Proposal:
    """Keep the decision until another account agrees to it; nothing of it counts before. `order`: what it would give,
    to be shown."""
    return proposals.propose(
        stage.event,
        act=act,
        subject=subject_of(stage, of, ids),
        payload={"of": of, "ids": sorted(ids), "order": list(order), "given": dict(given)},
        seen=seen_of(stage, of, ids, given["places"]),
        reason=given["reason"],
        by=by,
    )


def agreed(stage: Stage, of: str, second: Second, *, ids: Collection[str], places: int) -> None:
    """The second person's yes, in the transaction of the decision; the first must still be a chief judge."""
    if not proposals.proposer_holds(second.proposal, {Role.CHIEF_JUDGE}):
        raise Refused("proposer_not_chief_judge", NO_LONGER_JUDGE, about=second.proposal)
    proposals.approve(second.proposal, seen=seen_of(stage, of, ids, places), by=second.by)
