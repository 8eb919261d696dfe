"""What a sheet's page sends beside its cells, two people's cells compared, which sheet a person asks for."""

import re
import unicodedata
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
    if parts[0] == "totals":
        return Place(seat=parts[1], cell=parts[2], totals=True)
    if len(parts) == 3:
        return Place(int(parts[1]), cell=parts[2])
    return Place(int(parts[1]), parts[2], parts[3])


# --- Which sheet ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Asked:
    """The sheet a person asks for: a table here, or by its serial, or by the address on the paper."""

    table: int
    session: int | None = None
    month: int | None = None
    day: int | None = None
    number_of_day: int | None = None
    paper: int | None = None


# The first paper of a table bears the bare serial, a later one its number behind it: 0406-3-06-2.
SERIAL = re.compile(r"(\d{2})(\d{2})[- ]?(\d)[- ]?(\d{1,2})(?:-(\d{1,2}))?")
ADDRESS = re.compile(r"/scoresheets/(\d{1,3})/(\d{1,3})(?:/|$|\?|#)")
PAPER = re.compile(r"[?&]print=(\d{1,2})(?:&|#|$)")


def read_asked(text: str) -> Asked | None:
    """A table number, a serial (0406-3-06), or the address of a scanned QR code; full-width forms folded."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-").replace("\u2013", "-")
    if address := ADDRESS.search(plain):
        paper = PAPER.search(plain)
        return Asked(table=int(address[2]), session=int(address[1]), paper=int(paper[1]) if paper else None)
    if serial := SERIAL.fullmatch(plain):
        month, day, number_of_day, table = (int(part) for part in serial.groups()[:4])
        return Asked(table, month=month, day=day, number_of_day=number_of_day, paper=int(serial[5] or 1))
    if re.fullmatch(r"\d{1,3}", plain):
        return Asked(table=int(plain))
    return None
