"""What a proposed version would do: both rankings side by side, who changes rank and who crosses the line (R42)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.podium import PODIUM_PLACES
from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records
from scoring.tie_break import settle_qualification
from scoring.values import Ranking, Standing
from tournament.core.models.stage import Stage
from tournament.events.domain import advancing_places_of_stage, ruleset_over_stage
from tournament.ranking.domain.standings import ranking_entrant_id, tally_entrants
from tournament.ranking.domain.tie_breaks import decision_value, line_in_force
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.standings import EntrantRow, PlayedSheet, entrant_rows, played_sheets
from tournament.scoresheets.queries import cutoff_tie_decisions, played_by_version
from tournament.sheets.models.scoresheet import Scoresheet

CUTOFF_IN, CUTOFF_TIED, CUTOFF_OUT, CUTOFF_UNRANKED = "in", "tied", "out", "unranked"


@dataclass(frozen=True, slots=True)
class CutoffPosition:
    """Where an entrant stands: the rank, shared or not, and on which side of the line (in, tied, out, unranked)."""

    rank: int | None
    tied: bool
    side: str


@dataclass(frozen=True, slots=True)
class RankMove:
    """One entrant's place as it counts now and as it would be."""

    entrant: EntrantRow
    before: CutoffPosition
    after: CutoffPosition

    @property
    def crosses(self) -> bool:
        """Whether the side of the line is another."""
        return self.before.side != self.after.side


@dataclass(frozen=True, slots=True)
class CorrectionEffect:
    """Every move by the rank that it would come to; an entrant who would not move is not in it.

    From a final nobody advances: there the line is the podium's (`podium`).
    """

    moves: tuple[RankMove, ...]
    places: int | None
    podium: bool = False

    @property
    def crossing(self) -> tuple[RankMove, ...]:
        """Those who would change the side of the line."""
        return tuple(move for move in self.moves if move.crosses)

    @property
    def crossing_numbers(self) -> tuple[int, ...]:
        """Their numbers, ascending: what an agreement was given for."""
        return tuple(sorted(move.entrant.number for move in self.crossing))


def correction_effect(stage: Stage, counted: Scoresheet, proposed: Scoresheet) -> CorrectionEffect:
    """What would change if `proposed` counted in place of `counted`; both have their games and lines. Five queries."""
    entrants, played, decisions = entrant_rows(stage), played_sheets(stage), cutoff_tie_decisions(stage)
    others = [row for row in played if row.sheet != counted.pk]
    before = cutoff_positions_by_number(stage, entrants, played, decisions)
    after = cutoff_positions_by_number(stage, entrants, [*others, *played_by_version(proposed)], decisions)
    moves = [
        RankMove(entrant, before[entrant.number], after[entrant.number])
        for entrant in entrants
        if before[entrant.number] != after[entrant.number]
    ]
    moves.sort(key=lambda move: (move.after.rank is None, move.after.rank or 0, move.entrant.number))
    return CorrectionEffect(tuple(moves), places_above_cutoff(stage), stage.is_last)


def places_above_cutoff(stage: Stage) -> int | None:
    """The places above the line: those that advance, of a final those of the podium."""
    return PODIUM_PLACES if stage.is_last else advancing_places_of_stage(stage)


def cutoff_positions_by_number(
    stage: Stage, entrants: Sequence[EntrantRow], played: Iterable[PlayedSheet], decisions: Sequence[TieBreak]
) -> dict[int, CutoffPosition]:
    """Everybody's place under these sheets, with the decision of a tie where it holds for this very tie."""
    ruleset = ruleset_over_stage(stage)
    ranking = rank_records(ruleset, tally_entrants(entrants, played))
    line = qualify_by_rank(ruleset, ranking, places_above_cutoff(stage))
    holding = line_in_force(decisions, line)
    advancing = set(settle_qualification(ranking, line, decision_value(holding) if holding else None).advancing)
    tied = set(line.unresolved.ids) if line.unresolved and not holding else set()
    standings = _standings_by_id(ranking)
    return {
        entrant.number: _cutoff_position(ranking_entrant_id(entrant.number), standings, advancing, tied)
        for entrant in entrants
    }


def _standings_by_id(ranking: Ranking) -> dict[str, Standing]:
    return {standing.id: standing for standing in ranking.standings}


def _cutoff_position(name: str, standings: dict[str, Standing], advancing: set[str], tied: set[str]) -> CutoffPosition:
    standing = standings.get(name)
    if standing is None:
        return CutoffPosition(None, False, CUTOFF_UNRANKED)
    side = CUTOFF_TIED if name in tied else CUTOFF_IN if name in advancing else CUTOFF_OUT
    return CutoffPosition(standing.rank, standing.tied, side)
