"""What a proposed version would do: both rankings side by side, who changes rank and who crosses the line (R42)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.decision import settle
from scoring.podium import PLACES
from scoring.qualification import cut
from scoring.ranking import rank
from scoring.values import Ranking, Standing
from tournament.bridge.rulesets import places_of, ruleset_over_stage
from tournament.bridge.standings import entrant_id, tallies
from tournament.bridge.standings_decision import decision_value, in_force
from tournament.enums import StageKind
from tournament.models import Scoresheet, Stage, TieDecision
from tournament.queries.corrections import decisions_of, played_by_version
from tournament.queries.standings import EntrantRow, PlayedSheet, entrant_rows, played_sheets

IN, TIED, OUT, UNRANKED = "in", "tied", "out", "unranked"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entrant stands: the rank, shared or not, and on which side of the line (in, tied, out, unranked)."""

    rank: int | None
    tied: bool
    side: str


@dataclass(frozen=True, slots=True)
class Move:
    """One entrant's place as it counts now and as it would be."""

    entrant: EntrantRow
    before: Place
    after: Place

    @property
    def crosses(self) -> bool:
        """Whether the side of the line is another."""
        return self.before.side != self.after.side


@dataclass(frozen=True, slots=True)
class Effect:
    """Every move by the rank that it would come to; an entrant who would not move is not in it.

    From a final nobody advances: there the line is the podium's (`podium`).
    """

    moves: tuple[Move, ...]
    places: int | None
    podium: bool = False

    @property
    def crossing(self) -> tuple[Move, ...]:
        """Those who would change the side of the line."""
        return tuple(move for move in self.moves if move.crosses)

    @property
    def crossing_numbers(self) -> tuple[int, ...]:
        """Their numbers, ascending: what an agreement was given for."""
        return tuple(sorted(move.entrant.number for move in self.crossing))


def effect_of(stage: Stage, counted: Scoresheet, proposed: Scoresheet) -> Effect:
    """What would change if `proposed` counted in place of `counted`; both have their games and lines. Five queries."""
    entrants, played, decisions = entrant_rows(stage), played_sheets(stage), decisions_of(stage)
    others = [row for row in played if row.sheet != counted.pk]
    before = places_by_number(stage, entrants, played, decisions)
    after = places_by_number(stage, entrants, [*others, *played_by_version(proposed)], decisions)
    moves = [
        Move(entrant, before[entrant.number], after[entrant.number])
        for entrant in entrants
        if before[entrant.number] != after[entrant.number]
    ]
    moves.sort(key=lambda move: (move.after.rank is None, move.after.rank or 0, move.entrant.number))
    return Effect(tuple(moves), line_of(stage), stage.kind == StageKind.FINAL)


def line_of(stage: Stage) -> int | None:
    """The places above the line: those that advance, of a final those of the podium."""
    return PLACES if stage.kind == StageKind.FINAL else places_of(stage)


def places_by_number(
    stage: Stage, entrants: Sequence[EntrantRow], played: Iterable[PlayedSheet], decisions: Sequence[TieDecision]
) -> dict[int, Place]:
    """Everybody's place under these sheets, with the decision of a tie where it holds for this very tie."""
    ruleset = ruleset_over_stage(stage)
    ranking = rank(ruleset, tallies(entrants, played))
    line = cut(ruleset, ranking, line_of(stage))
    holding = in_force(decisions, line)
    advancing = set(settle(ranking, line, decision_value(holding) if holding else None).advancing)
    tied = set(line.unresolved.ids) if line.unresolved and not holding else set()
    standings = _standings(ranking)
    return {entrant.number: _place(entrant_id(entrant.number), standings, advancing, tied) for entrant in entrants}


def _standings(ranking: Ranking) -> dict[str, Standing]:
    return {standing.id: standing for standing in ranking.standings}


def _place(name: str, standings: dict[str, Standing], advancing: set[str], tied: set[str]) -> Place:
    standing = standings.get(name)
    if standing is None:
        return Place(None, False, UNRANKED)
    side = TIED if name in tied else IN if name in advancing else OUT
    return Place(standing.rank, standing.tied, side)
