"""The second person where a session with locked sheets leaves the ranking or comes back into it: a replay, its end.

Until a sheet is locked nothing counts, and one organiser decides alone, as on any day of bad weather.
"""

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser

from tournament.enums import ClockKind, Role
from tournament.errors import Missing
from tournament.models import Event, Proposal, Session
from tournament.queries.clock import last_kinds
from tournament.queries.postponing import Locked, locked_of, replay_of
from tournament.queries.proposals import proposals_of
from tournament.services import audit, proposals
from tournament.services.postponing import ACTIONS

REPLAY, UNDECIDE = ACTIONS[ClockKind.REPLAY], ACTIONS[ClockKind.UNDECIDE]
ACTS = frozenset({REPLAY, UNDECIDE})
# Who may propose it, and must still when another agrees.
PROPOSES = frozenset({Role.ORGANISER})


@dataclass(frozen=True, slots=True)
class Shown:
    """What a proposal about a session would do now: the session, its locked sheets and games, which stop counting, or
    count again where `returns`; `outdated`: something of it has changed since."""

    proposal: Proposal
    session: Session
    locked: Locked
    returns: bool
    outdated: bool


def subject_of(session: Session) -> str:
    """As the log names it."""
    return f"session {session.code}"


def takes_two(session: Session) -> bool:
    """Whether a locked sheet of the session counts, or would again."""
    return locked_of(session).sheets > 0


def seen_of(session: Session) -> str:
    """What a proposal is based on: where the session stands, what moved it last, its replay, its locked sheets."""
    made = replay_of(session)
    facts = [session.state, last_kinds([session]).get(session.pk, ""), made.pk if made else None]
    return audit.digest_of([*facts, list(locked_of(session).keys)])


def propose(session: Session, act: str, *, seen: str, reason: str, by: AbstractBaseUser) -> Proposal:
    """Keep it until another account agrees; nothing of it is done before."""
    return proposals.propose(
        session.stage.event,
        act=act,
        subject=subject_of(session),
        payload={"session": session.pk},
        seen=seen,
        reason=reason,
        by=by,
    )


def agreed(proposal: Proposal, *, seen: str, by: AbstractBaseUser) -> None:
    """The second person's yes, in the transaction of the act; the first must still be an organiser."""
    proposals.require_proposer(proposal, PROPOSES)
    proposals.approve(proposal, seen=seen, by=by)


def proposed_session(proposal: Proposal) -> Session:
    """The session that an open proposal is about. Missing (404) for a proposal of another kind or answered."""
    if proposal.act not in ACTS or "session" not in proposal.payload:
        raise Missing("no_such_proposal", proposals.UNKNOWN)
    return Session.objects.select_related("stage__event").get(pk=proposal.payload["session"])


def find(event: Event, number: int) -> Proposal | None:
    """A proposal of the event about a session, answered or not."""
    return proposals_of(event).filter(pk=number, act__in=ACTS).first()


def shown(proposal: Proposal) -> Shown:
    """Reads only: what the second person looks at before the yes."""
    session = proposed_session(proposal)
    outdated = proposal.seen != seen_of(session)
    return Shown(proposal, session, locked_of(session), proposal.act == UNDECIDE, outdated)
