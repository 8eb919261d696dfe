"""The second person where a session with locked sheets leaves the ranking or comes back into it: a replay, its end.

Until a sheet is locked nothing counts, and one organiser decides alone, as on any day of bad weather.
"""

from dataclasses import dataclass

from django.contrib.auth.models import User

from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import proposals_of
from tournament.accounts.services import proposals
from tournament.core import acts, canonical
from tournament.core.enums import ClockKind
from tournament.core.errors import NotFoundRefused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.sheets.queries.clock import last_clock_kinds
from tournament.weather.queries.postponing import LockedSheets, locked_sheets_of_session, replay_of
from tournament.weather.services.postponing import SESSION_CLOCK_ACTS

REPLAY_ACT, REVERT_DECISION_ACT = SESSION_CLOCK_ACTS[ClockKind.REPLAY], SESSION_CLOCK_ACTS[ClockKind.UNDECIDE]
REPLAY_PROPOSAL_ACTS = frozenset({REPLAY_ACT, REVERT_DECISION_ACT})
# Who may propose it, and must still when another agrees.
REPLAY_PROPOSING_ROLES = acts.ACTS[REPLAY_ACT].roles


@dataclass(frozen=True, slots=True)
class ReplayEffect:
    """What a proposal about a session would do now: the session, its locked sheets and games, which stop counting, or
    count again where `returns`; `outdated`: something of it has changed since."""

    proposal: Proposal
    session: Session
    locked: LockedSheets
    returns: bool
    outdated: bool


def session_subject_ref(session: Session) -> str:
    """As the log names it."""
    return f"session {session.code}"


def session_act_needs_two(session: Session) -> bool:
    """Whether a locked sheet of the session counts, or would again."""
    return locked_sheets_of_session(session).sheets > 0


def replay_basis_digest(session: Session) -> str:
    """What a proposal is based on: where the session stands, what moved it last, its replay, its locked sheets."""
    made = replay_of(session)
    facts = [session.state, last_clock_kinds([session]).get(session.pk, ""), made.pk if made else None]
    return canonical.digest_of([*facts, list(locked_sheets_of_session(session).keys)])


def propose_session_act(session: Session, act: str, *, seen: str, reason: str, by: User) -> Proposal:
    """Keep it until another account agrees; nothing of it is done before."""
    return proposals.open_new_proposal(
        session.stage.event,
        act=act,
        subject=session_subject_ref(session),
        payload={"session": session.pk},
        seen=seen,
        reason=reason,
        by=by,
    )


def approve_session_act(proposal: Proposal, *, seen: str, by: User) -> None:
    """The second person's yes, in the transaction of the act; the first must still be an organiser."""
    proposals.require_proposer(proposal, REPLAY_PROPOSING_ROLES)
    proposals.approve_proposal(proposal, seen=seen, by=by)


def proposed_session(proposal: Proposal) -> Session:
    """The session that an open proposal is about. Missing (404) for a proposal of another kind or answered."""
    if proposal.act not in REPLAY_PROPOSAL_ACTS or "session" not in proposal.payload:
        raise NotFoundRefused("no_such_proposal", proposals.PROPOSAL_UNKNOWN)
    return Session.objects.select_related("stage__event").get(pk=proposal.payload["session"])


def find_replay_proposal(event: Event, number: int) -> Proposal | None:
    """A proposal of the event about a session, answered or not."""
    return proposals_of(event).filter(pk=number, act__in=REPLAY_PROPOSAL_ACTS).first()


def replay_effect(proposal: Proposal) -> ReplayEffect:
    """Reads only: what the second person looks at before the yes."""
    session = proposed_session(proposal)
    outdated = proposal.seen != replay_basis_digest(session)
    return ReplayEffect(
        proposal, session, locked_sheets_of_session(session), proposal.act == REVERT_DECISION_ACT, outdated
    )
