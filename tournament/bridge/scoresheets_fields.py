"""A sheet's cells by the names of their fields, to and from what a row keeps.

Names: `games-0-ended_by`, `games-0-starter`, `games-0-A-points`, `totals-A-tiles`; per seat also `unopened`,
`could_open` ("", yes, no), `pushed_over` and `part` ("", left, absent). Every text stays as it was typed.
"""

from collections.abc import Mapping
from typing import Any

from scoring.values import SEATS
from tournament.bridge.scoresheets import SEAT_TEXTS, TOTAL_TEXTS
from tournament.bridge.scoresheets_heading import empty_heading

CELLS_OF_GAME = ("ended_by", "starter")
MARKED = "on"
VERDICTS: Mapping[str, bool | None] = {"": None, "yes": True, "no": False}

Typed = Mapping[str, Any]


# --- To the page ----------------------------------------------------------------------------------------
def to_fields(typed: Typed) -> dict[str, str]:
    """Every field of the page by its name, for all four letters."""
    fields = heading_fields(typed["heading"]) if "heading" in typed else {}
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


def heading_fields(heading: Mapping[str, Any]) -> dict[str, str]:
    """The head of the paper as fields."""
    return {f"heading-{name}": (MARKED if value is True else value or "") for name, value in heading.items()}


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
        **({"heading": heading_from(sent)} if "heading-serial" in sent else {}),
        "games": [game_from(sent, place) for place in range(games)],
        "totals": {letter: {name: sent.get(f"totals-{letter}-{name}", "") for name in TOTAL_TEXTS} for letter in SEATS},
    }


def heading_from(sent: Mapping[str, str]) -> dict[str, Any]:
    """The head of the paper, from a page that has asked for it."""
    texts = {name: sent.get(f"heading-{name}", "") for name in empty_heading() if name != "same"}
    return {**texts, "same": bool(sent.get("heading-same"))}


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
