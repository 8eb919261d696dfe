"""A stage's ruleset and its line, as the rules take them."""

from scoring.rounds import ruleset_over
from scoring.ruleset import Ruleset, read_ruleset
from tournament.enums import StageKind
from tournament.models import Stage
from tournament.queries.finalists import rounds_in_order


def ruleset_of(stage: Stage) -> Ruleset:
    """The rules of this stage; its row holds a preset's name or an object over a base."""
    return read_ruleset(stage.ruleset)


def ruleset_over_stage(stage: Stage) -> Ruleset:
    """The same over all rounds of the stage: for its ranking and awards, never for a sheet (R38)."""
    return ruleset_over(ruleset_of(stage), stage.rounds)


def rounds_of(stage: Stage) -> tuple[list[int], int | None]:
    """The numbers of its sessions in order and the games of each where every one is a round for all; else none."""
    if stage.kind != StageKind.FINAL:
        return [], None
    return [one.number for one in rounds_in_order(stage)], ruleset_of(stage).games


def places_of(stage: Stage) -> int | None:
    """How many advance: the stage's own number, else the ruleset's (R37); 0: from a final nobody does."""
    if stage.kind == StageKind.FINAL:
        return 0
    return stage.advance if stage.advance is not None else ruleset_of(stage).advance


def ruleset_fields(ruleset: Ruleset) -> dict[str, object]:
    """Every field by its name as JSON data: what the engine of the pages takes (js/engine)."""
    return ruleset.fields_as_data()
