"""A correction's page: which cells the new version says differently, what was shown of its effect."""

import re
from collections.abc import Mapping

from tournament.scoresheets.domain import CorrectionEffect
from tournament.sheets.forms.scoresheets import CellDifference, cell_differences
from tournament.sheets.models.scoresheet import Scoresheet

MAX_CROSSING_TEXT = 20_000


def changed_cells(counts: Scoresheet, proposed: Scoresheet) -> list[CellDifference]:
    """Every cell that the two versions have typed differently: `mine` as locked, `theirs` as proposed."""
    return cell_differences(counts.typed, proposed.typed)


def crossing_field(effect: CorrectionEffect | None) -> str:
    """The entrants who cross the line, as a hidden field: `12,118`."""
    return ",".join(map(str, effect.crossing_numbers)) if effect else ""


def read_crossing(sent: Mapping[str, str]) -> list[int]:
    """The entrants that the page showed as crossing the line; what is no such list is nobody."""
    text = sent.get("crossing", "")
    if len(text) > MAX_CROSSING_TEXT or not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text):
        return []
    return [int(part) for part in text.split(",")]
