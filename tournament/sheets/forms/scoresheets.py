"""What a sheet's page sends beside its cells, and two people's cells compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from scoring.marks import MARKS
from tournament.core.enums import GameEnd, GameRuling
from tournament.sheets.domain.fields import CHECKED_FIELD_VALUE, TURN_CELL, TURN_FIELD, fields_of_typed_sheet
from tournament.sheets.forms.sheet_place import CELL_WORDS, SheetPlace

AS_ON_PAPER_REASON = "as on the paper"
TICKED = ((CHECKED_FIELD_VALUE, _("yes")),)
# Cells in which one of a few codes is chosen, each with its word.
CHOICES_OF_CELL: Mapping[str, Sequence[tuple[str, Any]]] = {
    "ended_by": GameEnd.choices,
    "ruling": GameRuling.choices,
    "could_open": (("yes", _("yes")), ("no", _("no"))),
    "part": (("left", CELL_WORDS["left"]), ("absent", CELL_WORDS["absent"])),
    **dict.fromkeys(("unopened", "emptied", "same", *MARKS), TICKED),
}

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

    @property
    def choices(self) -> Sequence[tuple[str, str]]:
        """The codes that may stand in the cell, with their words; none where anything may be typed."""
        cell = self.name.rsplit("-", 1)[1]
        turn = TURN_CELL.fullmatch(cell)
        found = CHOICES_OF_CELL.get(turn[1] if turn else cell, ())
        return [(str(value), gettext(word)) for value, word in found]

    @property
    def mine_in_words(self) -> str:
        """The first text as a person reads it."""
        return dict(self.choices).get(self.mine, self.mine)

    @property
    def theirs_in_words(self) -> str:
        """The other one as a person reads it."""
        return dict(self.choices).get(self.theirs, self.theirs)


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
