"""What a sheet's page sends beside its cells, and two people's cells compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.sheets.domain.fields import TURN_FIELD, fields_of_typed_sheet
from tournament.sheets.forms.sheet_place import SheetPlace

AS_ON_PAPER_REASON = "as on the paper"

TypedSheetTexts = Mapping[str, Any]


# --- From the page --------------------------------------------------------------------------------------
def read_confirmations(sent: Mapping[str, str]) -> dict[str, str]:
    """Reasons by problem key. A group's field is named by its keys; a tick alone says: as on the paper."""
    found: dict[str, str] = {}
    for name, value in sent.items():
        if not name.startswith(("reason-", "tick-")):
            continue
        kind, keys = name.split("-", 1)
        reason = value.strip() if kind == "reason" else AS_ON_PAPER_REASON
        for key in keys.split("|"):
            if reason and (kind == "reason" or key not in found):
                found[key] = reason
    return found


def apply_fix_offer(sent: Mapping[str, str], offer: str) -> dict[str, str]:
    """The fields with figures changed as a fault's button says: `games-1-C-points=-12`, several apart by `;`."""
    changes = dict(change.partition("=")[::2] for change in offer.split(";"))
    return {**sent, **changes}


# --- Two people at one sheet ----------------------------------------------------------------------------
@dataclass(frozen=True)
class CellDifference:
    """One cell on which two people do not agree."""

    name: str
    label: str
    mine: str
    theirs: str


def cell_differences(mine: TypedSheetTexts, theirs: TypedSheetTexts) -> list[CellDifference]:
    """Every field that differs, in the order of the sheet."""
    own, other = fields_of_typed_sheet(mine), fields_of_typed_sheet(theirs)
    turns = any(map(TURN_FIELD.fullmatch, own))
    names = [*own, *(name for name in other if TURN_FIELD.fullmatch(name) and name not in own)]
    return [
        CellDifference(name, place_of_field_name(name, turns).label, own.get(name, ""), other.get(name, ""))
        for name in names
        if own.get(name, "") != other.get(name, "")
    ]


def place_of_field_name(name: str, turns: bool = False) -> SheetPlace:
    """The place of a field's name; on a sheet of turns the tiles left are its jokers."""
    parts = name.split("-")
    if parts[0] == "heading":
        return SheetPlace(cell=parts[1], heading=True)
    if parts[0] == "totals":
        return SheetPlace(seat=parts[1], cell=parts[2], totals=True)
    if len(parts) == 3:
        return SheetPlace(int(parts[1]), cell=parts[2])
    cell = "jokers" if turns and parts[3] == "tiles" else parts[3]
    return SheetPlace(int(parts[1]), parts[2], cell)
