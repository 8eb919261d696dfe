"""In which form a table's sheet is typed, and how much of it a page shows: by the stage's rules."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from tournament.events.domain import ruleset_of_stage
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.fields import TURN_FIELD
from tournament.sheets.forms.sheet_grid import TURN_LINES_ADDED, TURN_LINES_SHOWN
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

MORE_TURNS = "more_turns"


def chosen_form(table: Table, asked_for: str | None, sheet: Scoresheet | None = None) -> str:
    """The paper's cells or the racks: as asked for, else as last typed; turns where the stage's rules count turns."""
    forms = bridge.sheet_forms(ruleset_of_stage(table.session.stage))
    wanted = (asked_for, sheet.form if sheet else None)
    return str(next((form for form in wanted if form in forms), forms[0]))


def empty_sheet(table: Table) -> dict[str, Any]:
    """The table's sheet with nothing on it: as many games as are played there."""
    ruleset = ruleset_of_stage(table.session.stage)
    turns = TURN_LINES_SHOWN if ruleset.counts_turns else 0
    return bridge.empty_typed_sheet(bridge.games_to_play(ruleset, list(table.seats.select_related("entrant"))), turns)


def sent_games(sent: Mapping[str, str], table: Table) -> int:
    """As many games as the ruleset has; where it fixes none, as many as the page showed."""
    fixed = ruleset_of_stage(table.session.stage).games
    return fixed or sum(name.startswith("games-") and name.endswith("-ended_by") for name in sent)


def turn_lines_shown(request: HttpRequest) -> int:
    """How many lines of turns the page shows: as many as it had, and more where it was asked for them."""
    had = [int(found[3]) + 1 for name in request.POST if (found := TURN_FIELD.fullmatch(name))]
    more = TURN_LINES_ADDED if request.POST.get("do") == MORE_TURNS else 0
    return min(max([TURN_LINES_SHOWN, *had]) + more, bridge.MAX_SHEET_TURNS)
