"""A stage's ruleset and its line, as the rules take them."""

from scoring.rounds import ruleset_over
from scoring.ruleset import Ruleset, read_ruleset
from tournament.core.models.stage import Stage
from tournament.events.queries import rounds_in_order

STAGE_MAX_ROUNDS = 6


def ruleset_of_stage(stage: Stage) -> Ruleset:
    """The rules of this stage; its row holds a preset's name or an object over a base."""
    return read_ruleset(stage.ruleset)


def ruleset_over_stage(stage: Stage) -> Ruleset:
    """The same over all rounds of the stage: for its ranking and awards, never for a sheet (R38)."""
    return ruleset_over(ruleset_of_stage(stage), stage.rounds)


def rounds_of_stage(stage: Stage) -> tuple[list[int], int | None]:
    """The numbers of its sessions in order and the games of each where every one is a round for all; else none."""
    if not stage.has_rounds_for_all:
        return [], None
    return [one.number for one in rounds_in_order(stage)], ruleset_of_stage(stage).games


def advancing_places_of_stage(stage: Stage) -> int | None:
    """How many advance: the stage's own number, else the ruleset's (R37); 0: from the last stage nobody does."""
    if stage.is_last:
        return 0
    return stage.advance if stage.advance is not None else ruleset_of_stage(stage).advance


def ruleset_fields(ruleset: Ruleset) -> dict[str, object]:
    """Every field by its name as JSON data: what the engine of the pages takes (js/engine)."""
    return ruleset.fields_as_data()
