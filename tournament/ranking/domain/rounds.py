"""The rounds of a stage that all play: how far they have come, and an entrant's games round by round (R38)."""

from dataclasses import dataclass

from tournament.core.models.stage import Stage
from tournament.events.domain import rounds_of_stage, ruleset_of_stage
from tournament.ranking.domain.reasons import games_by_session, games_in_order
from tournament.ranking.queries.standings import PlayedGame, SessionCount, games_of_entrant, session_counts


@dataclass(frozen=True, slots=True)
class RoundsProgress:
    """How far the rounds have come: `played` are whole, `running` is the one that is coming in."""

    of: int
    counts: tuple[SessionCount, ...]

    @property
    def played(self) -> list[SessionCount]:
        """Those of which every sheet is in."""
        return [one for one in self.counts if one.locked and not one.waiting]

    @property
    def running(self) -> SessionCount | None:
        """The last with a sheet of which others are still to come."""
        return next((one for one in reversed(self.counts) if one.locked and one.waiting), None)

    @property
    def last(self) -> SessionCount | None:
        """The last that is whole."""
        return next(reversed(self.played), None)

    def after(self, asked: str) -> SessionCount | None:
        """The whole round that is asked for by its place; None for all that is in."""
        return next((one for one in self.played if str(one.place) == asked), None)


def rounds_played(stage: Stage) -> RoundsProgress:
    """How far the stage has come; of one round nothing is counted."""
    return RoundsProgress(stage.rounds, tuple(session_counts(stage)) if stage.rounds > 1 else ())


def games_by_round(stage: Stage, number: int) -> list[tuple[int, list[PlayedGame | int]]]:
    """An entrant's games that count, as `games_by_session` has them; one round where each plays one session."""
    played = games_of_entrant(stage, number)
    sessions, games = rounds_of_stage(stage)
    if stage.has_rounds_for_all:
        return games_by_session(played, sessions, games)
    return [(1, games_in_order(played, ruleset_of_stage(stage).games))]
