"""The fields of a sheet's page, to and from what a row keeps; which sheet a person asks for.

Names: `games-0-ended_by`, `games-0-starter`, `games-0-A-points`, `totals-A-tiles`; per seat also `unopened`,
`could_open` ("", yes, no), `pushed_over` and `part` ("", left, absent). Every text stays as it was typed.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.values import SEATS
from tournament.bridge.scoresheets import SEAT_TEXTS, TOTAL_TEXTS
from tournament.forms.sheet_sentences import Place

AS_ON_PAPER = "as on the paper"
CELLS_OF_GAME = ("ended_by", "starter")
MARKED = "on"
PARTS = ("", "left", "absent")
VERDICTS: Mapping[str, bool | None] = {"": None, "yes": True, "no": False}

Typed = Mapping[str, Any]


# --- To the page ----------------------------------------------------------------------------------------
def to_fields(typed: Typed) -> dict[str, str]:
    """Every field of the page by its name, for all four letters."""
    fields: dict[str, str] = {}
    for place, game in enumerate(typed.get("games", [])):
        for name in CELLS_OF_GAME:
            fields[f"games-{place}-{name}"] = game.get(name, "")
        for letter in SEATS:
            for name, value in seat_fields(game.get("seats", {}).get(letter, {})).items():
                fields[f"games-{place}-{letter}-{name}"] = value
    for letter in SEATS:
        total = typed.get("totals", {}).get(letter, {})
        for name in TOTAL_TEXTS:
            fields[f"totals-{letter}-{name}"] = total.get(name, "")
    return fields


def seat_fields(seat: Mapping[str, Any]) -> dict[str, str]:
    """One seat of one game as fields; what is the rule is empty, so that a field that is not sent is the rule."""
    part = "absent" if seat.get("absent") else "left" if seat.get("left") else ""
    verdict = {True: "yes", False: "no"}.get(seat.get("could_open"), "")  # type: ignore[arg-type]
    return {
        **{name: seat.get(name, "") for name in SEAT_TEXTS},
        "unopened": "" if seat.get("opened", True) else MARKED,
        "could_open": verdict,
        "pushed_over": MARKED if seat.get("pushed_over") else "",
        "part": part,
    }


# --- From the page --------------------------------------------------------------------------------------
def from_fields(sent: Mapping[str, str], games: int) -> dict[str, Any]:
    """What a row keeps, from the fields that were sent; a name that no page has is not read."""
    return {
        "games": [game_from(sent, place) for place in range(games)],
        "totals": {letter: {name: sent.get(f"totals-{letter}-{name}", "") for name in TOTAL_TEXTS} for letter in SEATS},
    }


def game_from(sent: Mapping[str, str], place: int) -> dict[str, Any]:
    """One game."""
    row: dict[str, Any] = {name: sent.get(f"games-{place}-{name}", "") for name in CELLS_OF_GAME}
    row["seats"] = {letter: seat_from(sent, f"games-{place}-{letter}-") for letter in SEATS}
    return row


def seat_from(sent: Mapping[str, str], before: str) -> dict[str, Any]:
    """One seat of one game."""
    part = sent.get(f"{before}part", "")
    return {
        **{name: sent.get(f"{before}{name}", "") for name in SEAT_TEXTS},
        "opened": not sent.get(f"{before}unopened"),
        "could_open": VERDICTS.get(sent.get(f"{before}could_open", "")),
        "pushed_over": bool(sent.get(f"{before}pushed_over")),
        "left": part == "left",
        "absent": part == "absent",
    }


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


SERIAL = re.compile(r"(\d{2})(\d{2})[- ]?(\d)[- ]?(\d{1,2})")
ADDRESS = re.compile(r"/scoresheets/(\d{1,3})/(\d{1,3})(?:/|$|\?|#)")


def read_asked(text: str) -> Asked | None:
    """A table number, a serial (0406-3-06), or the address of a scanned QR code; full-width forms folded."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-").replace("\u2013", "-")
    if address := ADDRESS.search(plain):
        return Asked(table=int(address[2]), session=int(address[1]))
    if serial := SERIAL.fullmatch(plain):
        return Asked(table=int(serial[4]), month=int(serial[1]), day=int(serial[2]), number_of_day=int(serial[3]))
    if re.fullmatch(r"\d{1,3}", plain):
        return Asked(table=int(plain))
    return None
