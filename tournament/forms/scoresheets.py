"""What a sheet's page sends beside its cells, and two people's cells compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.bridge.scoresheets_fields import to_fields
from tournament.forms.sheet_sentences import Place

AS_ON_PAPER = "as on the paper"

Typed = Mapping[str, Any]


# --- From the page --------------------------------------------------------------------------------------
def read_confirmations(sent: Mapping[str, str]) -> dict[str, str]:
    """Reasons by problem key. A group's field is named by its keys; a tick alone says: as on the paper."""
    found: dict[str, str] = {}
    for name, value in sent.items():
        if not name.startswith(("reason-", "tick-")):
            continue
        kind, keys = name.split("-", 1)
        reason = value.strip() if kind == "reason" else AS_ON_PAPER
        for key in keys.split("|"):
            if reason and (kind == "reason" or key not in found):
                found[key] = reason
    return found


def take_offer(sent: Mapping[str, str], offer: str) -> dict[str, str]:
    """The fields with figures changed as a fault's button says: `games-1-C-points=-12`, several apart by `;`."""
    changes = dict(change.partition("=")[::2] for change in offer.split(";"))
    return {**sent, **changes}


# --- Two people at one sheet ----------------------------------------------------------------------------
@dataclass(frozen=True)
class Difference:
    """One cell on which two people do not agree."""

    name: str
    label: str
    mine: str
    theirs: str


def differences(mine: Typed, theirs: Typed) -> list[Difference]:
    """Every field that differs, in the order of the sheet."""
    own, other = to_fields(mine), to_fields(theirs)
    names = [name for name in own if own[name] != other.get(name, "")]
    return [Difference(name, place_named(name).label, own[name], other.get(name, "")) for name in names]


def place_named(name: str) -> Place:
    """The place of a field's name."""
    parts = name.split("-")
    if parts[0] == "heading":
        return Place(cell=parts[1], heading=True)
    if parts[0] == "totals":
        return Place(seat=parts[1], cell=parts[2], totals=True)
    if len(parts) == 3:
        return Place(int(parts[1]), cell=parts[2])
    return Place(int(parts[1]), parts[2], parts[3])
