"""A stage's ruleset and its line, as the rules take them."""

from scoring.ruleset import Ruleset, read_ruleset
from tournament.models import Stage


def ruleset_of(stage: Stage) -> Ruleset:
    """The rules of this stage; its row holds a preset's name or an object over a base."""
    return read_ruleset(stage.ruleset)


def places_of(stage: Stage) -> int | None:
    """How many advance: the stage's own number, else the ruleset's (R37)."""
    return stage.advance if stage.advance is not None else ruleset_of(stage).advance


def ruleset_fields(ruleset: Ruleset) -> dict[str, object]:
    """Every field by its name as JSON data: what the engine of the pages takes (js/engine)."""
    return ruleset.fields_as_data()
