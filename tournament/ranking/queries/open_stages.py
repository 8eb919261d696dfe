"""The grounds of what pages say of a stage: whether it is finished or settled, and what is still open. Overview,
ranking, cut, podium and release ask here, so that no two of them differ at one moment. A fixed number of queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.core.enums import SessionState
from tournament.core.models.stage import Session, Stage
from tournament.devices.queries import count_unresolved_submissions, tablets_with_waiting_items
from tournament.ranking.queries.open_tables import UNSTAMPED_STATE, OpenTable, open_tables, sessions_with_playing
from tournament.ranking.queries.standings import numbers_without_games
from tournament.sheets.queries.session_life import sessions_still_stopped

STATES_STOPPED_BY_WEATHER = (SessionState.POSTPONED, SessionState.SUSPENDED)


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
    tables, sessions = open_tables(stage), sessions_with_playing(stage)
    stopped = [one for one in sessions if one.drawn and one.state in STATES_STOPPED_BY_WEATHER]
    found = StillOpen(
        rounds_missing=max(stage.rounds - len(sessions), 0) if stage.has_rounds_for_all else 0,
        undrawn=[one for one in sessions if one.playing and not one.drawn],
        stopped=sessions_still_stopped(stopped) if stopped else [],
        unlocked=[one for one in tables if one.state != UNSTAMPED_STATE],
        unstamped=[one for one in tables if one.state == UNSTAMPED_STATE],
        unplayed=(),
        held=count_unresolved_submissions(stage),
        tablets=tablets_with_waiting_items(stage),
    )
    return replace(found, unplayed=numbers_without_games(stage)) if found.sheets_are_in else found
