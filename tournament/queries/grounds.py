"""The grounds of what pages say of a stage: whether it is finished or settled, and what is still open. Overview,
ranking, cut, podium and release ask here, so that no two of them differ at one moment. A fixed number of queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.enums import SessionState, StageKind
from tournament.models import Session, Stage
from tournament.queries.devices import items_held, tablets_waiting
from tournament.queries.release import UNSTAMPED, OpenTable, open_tables, sessions_of
from tournament.queries.session_life import still_stopped
from tournament.queries.standings import unplayed

STOPPED = (SessionState.POSTPONED, SessionState.SUSPENDED)


@dataclass(frozen=True, slots=True)
class StillOpen:
    """What a stage waits for: rounds without a session; sessions with somebody to play and no seats, or stopped by the
    weather; tables whose sheet is not locked, or locked and not stamped; entrants who take part and have no result,
    asked for once no sheet is waited for; items of tablets that wait for a person, and tablets that say that something
    waits on them."""

    rounds_missing: int
    undrawn: Sequence[Session]
    stopped: Sequence[Session]
    unlocked: Sequence[OpenTable]
    unstamped: Sequence[OpenTable]
    unplayed: Sequence[int]
    held: int = 0
    tablets: Sequence[int] = ()

    @property
    def sheets_are_in(self) -> bool:
        """Every sheet that is waited for is locked."""
        return not (self.rounds_missing or self.undrawn or self.stopped or self.unlocked)

    @property
    def is_finished(self) -> bool:
        """The ranking waits for nothing. A correction, a disqualification or a replay can still change it."""
        return self.sheets_are_in and not self.unplayed

    @property
    def is_official(self) -> bool:
        """Finished, and every sheet that counts is stamped."""
        return self.is_finished and not self.unstamped

    def is_settled(self, *, contested: bool) -> bool:
        """Official, all that tablets brought is recorded or put aside, and no tie that only a person may part is left:
        nothing but its hour is missing for a release. A correction, a disqualification or a replay unsettles it."""
        return self.is_official and not (self.held or self.tablets or contested)


def still_open(stage: Stage) -> StillOpen:
    """At this moment, by what is committed."""
    tables, sessions = open_tables(stage), sessions_of(stage)
    stopped = [one for one in sessions if one.drawn and one.state in STOPPED]
    found = StillOpen(
        rounds_missing=max(stage.rounds - len(sessions), 0) if stage.kind == StageKind.FINAL else 0,
        undrawn=[one for one in sessions if one.playing and not one.drawn],
        stopped=still_stopped(stopped) if stopped else [],
        unlocked=[one for one in tables if one.state != UNSTAMPED],
        unstamped=[one for one in tables if one.state == UNSTAMPED],
        unplayed=(),
        held=items_held(stage),
        tablets=tablets_waiting(stage),
    )
    return replace(found, unplayed=unplayed(stage)) if found.sheets_are_in else found
