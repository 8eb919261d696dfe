"""Each session's state and hours against the log: the state is the one that its acts led to, and a session that was
moved has the hours that its last move gave it."""

from collections import defaultdict
from typing import Any

from tournament.enums import ClockKind, SessionState
from tournament.models import Event
from tournament.queries import audit as queries
from tournament.services.audit_chain import Act, Chain
from tournament.services.clock import MOVES
from tournament.services.postponing import ACTIONS
from tournament.services.postponing_times import digest_of_times, texts

Facts = dict[str, list[Any]]

AFTER = {
    **{move.action: move.leads_to for move in MOVES.values()},
    ACTIONS[ClockKind.HOLD]: SessionState.SUSPENDED,
    ACTIONS[ClockKind.UNHOLD]: SessionState.PLANNED,
    ACTIONS[ClockKind.POSTPONE]: SessionState.POSTPONED,
    ACTIONS[ClockKind.BRING_BACK]: SessionState.PLANNED,
    ACTIONS[ClockKind.NEW_TIMES]: SessionState.PLANNED,
    ACTIONS[ClockKind.STAND]: SessionState.CHECKING,
    ACTIONS[ClockKind.REPLAY]: SessionState.VOID,
    ACTIONS[ClockKind.UNDECIDE]: SessionState.VOID,
}
# What is taken back of these was decided about the session itself; otherwise the session is the replay, given up.
DECIDED = frozenset({ACTIONS[ClockKind.STAND], ACTIONS[ClockKind.REPLAY]})
STOPPED = (SessionState.SUSPENDED, SessionState.POSTPONED, SessionState.VOID)


def sessions(event: Event, using: str) -> Facts:
    """State, and the digest of the last move as the hours now make it, of every session that something has moved."""
    last = {move.session_id: move for move in queries.moves_of(event, using)}
    pressed = {row.session_id for row in queries.clock_of(event, using) if row.table_id is None}
    found: Facts = {}
    for row in queries.sessions_of(event, using):
        if row.pk in pressed or row.state in STOPPED:
            move = last.get(row.pk)
            hours = digest_of_times(move.before, texts(row), move.reason) if move else ""
            found[f"session {row.code}"] = [[str(row.state), hours]]
    return found


def sessions_said(chain: Chain) -> Facts:
    """The same, from the acts in their order."""
    acts: dict[str, list[Act]] = defaultdict(list)
    for action in AFTER:
        for act in chain.by_action[action]:
            acts[act.thing].append(act)
    return {thing: [said_of(sorted(told, key=lambda act: act.seq))] for thing, told in acts.items()}


def said_of(acts: list[Act]) -> list[str]:
    """Where one session's acts led to, and the digest of its last move."""
    state, decided, hours = SessionState.PLANNED, False, ""
    for act in acts:
        state = AFTER[act.action]
        if act.action == ACTIONS[ClockKind.UNDECIDE] and decided:
            state, decided = SessionState.SUSPENDED, False
        decided = decided or act.action in DECIDED
        if act.action == ACTIONS[ClockKind.NEW_TIMES]:
            hours = act.digest
    return [state.value, hours]
