"""A sheet's cells by the names of their fields, to and from what a row keeps.

Names: `games-0-ended_by`, `games-0-starter`, `games-0-ruling`, `games-0-A-points`, `totals-A-tiles`; per seat also
`unopened`, `could_open` ("", yes, no), each mark of scoring.marks and `part` ("", left, absent); of a sheet of turns
the cells of each turn, the first 0: `games-0-B-own_4`, `rearranged_4`, `emptied_4`. Every text stays as it was typed.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scoring.entry import is_blank_cell
from scoring.marks import MARKS
from scoring.values import ALL_SEAT_LETTERS
from tournament.sheets.domain.heading import empty_heading
from tournament.sheets.domain.scoresheets import GAME_HEAD_WORDS, MAX_SHEET_TURNS, SEAT_TEXTS, TOTAL_TEXTS, TURN_TEXTS

CHECKED_FIELD_VALUE = "on"
COULD_OPEN_BY_TEXT: Mapping[str, bool | None] = {"": None, "yes": True, "no": False}

TURN_CELL = re.compile(r"(own|rearranged|emptied)_([0-9]{1,3})")
TURN_FIELD = re.compile(rf"games-([0-9]{{1,3}})-[A-D]-{TURN_CELL.pattern}")

TypedSheetForFields = Mapping[str, Any]


# --- To the page ----------------------------------------------------------------------------------------
def fields_of_typed_sheet(typed: TypedSheetForFields, lines: int = 0) -> dict[str, str]:
    """Every field of the page by its name, for all four letters; `lines`: at least so many lines of turns."""
    fields = heading_fields(typed["heading"]) if "heading" in typed else {}
    for place, game in enumerate(typed.get("games", [])):
        shown = max(lines, turn_lines(game))
        for name in GAME_HEAD_WORDS:
            fields[f"games-{place}-{name}"] = game.get(name, "")
        for letter in ALL_SEAT_LETTERS:
            seat = game.get("seats", {}).get(letter, {})
            turns = turn_fields(seat.get("turns", ()), shown)
            for name, value in {**seat_fields(seat), **turns}.items():
                fields[f"games-{place}-{letter}-{name}"] = value
    for letter in ALL_SEAT_LETTERS:
        total = typed.get("totals", {}).get(letter, {})
        for name in TOTAL_TEXTS:
            fields[f"totals-{letter}-{name}"] = total.get(name, "")
    return fields


def heading_fields(heading: Mapping[str, Any]) -> dict[str, str]:
    """The head of the paper as fields."""
    return {
        f"heading-{name}": (CHECKED_FIELD_VALUE if value is True else value or "") for name, value in heading.items()
    }


def seat_fields(seat: Mapping[str, Any]) -> dict[str, str]:
    """One seat of one game as fields; what is the rule is empty, so that a field that is not sent is the rule."""
    part = "absent" if seat.get("absent") else "left" if seat.get("left") else ""
    verdicts: dict[object, str] = {True: "yes", False: "no"}
    verdict = verdicts.get(seat.get("could_open"), "")
    return {
        **{name: seat.get(name, "") for name in SEAT_TEXTS},
        "unopened": "" if seat.get("opened", True) else CHECKED_FIELD_VALUE,
        "could_open": verdict,
        **{name: CHECKED_FIELD_VALUE if seat.get(name) else "" for name in MARKS},
        "part": part,
    }


def turn_fields(turns: Iterable[Mapping[str, Any]], lines: int) -> dict[str, str]:
    """The turns of one seat as fields, for so many lines."""
    known = dict(enumerate(turns))
    found: dict[str, str] = {}
    for number in range(lines):
        turn = known.get(number, {})
        found |= {f"{name}_{number}": turn.get(name, "") for name in TURN_TEXTS}
        found[f"emptied_{number}"] = CHECKED_FIELD_VALUE if turn.get("emptied") else ""
    return found


def turn_lines(game: Mapping[str, Any]) -> int:
    """How many lines of turns a game has as typed; 0 where the sheet counts games."""
    return max((len(seat.get("turns", ())) for seat in game.get("seats", {}).values()), default=0)


# --- From the page --------------------------------------------------------------------------------------
def typed_sheet_from_fields(sent: Mapping[str, str], games: int) -> dict[str, Any]:
    """What a row keeps, from the fields that were sent; a name that no page has is not read."""
    return {
        **({"heading": heading_from_fields(sent)} if "heading-serial" in sent else {}),
        "games": [game_from_fields(sent, place) for place in range(games)],
        "totals": {
            letter: {name: sent.get(f"totals-{letter}-{name}", "") for name in TOTAL_TEXTS}
            for letter in ALL_SEAT_LETTERS
        },
    }


def heading_from_fields(sent: Mapping[str, str]) -> dict[str, Any]:
    """The head of the paper, from a page that has asked for it."""
    texts = {name: sent.get(f"heading-{name}", "") for name in empty_heading() if name != "same"}
    return {**texts, "same": bool(sent.get("heading-same"))}


def game_from_fields(sent: Mapping[str, str], place: int) -> dict[str, Any]:
    """What a row keeps of one game; `place` counts from 0."""
    row: dict[str, Any] = {name: sent.get(f"games-{place}-{name}", "") for name in GAME_HEAD_WORDS}
    if not row["ruling"]:
        del row["ruling"]
    lines = turn_lines_sent(sent, place)
    row["seats"] = {letter: seat_from_fields(sent, f"games-{place}-{letter}-", lines) for letter in ALL_SEAT_LETTERS}
    return row


def turn_lines_sent(sent: Mapping[str, str], place: int) -> int | None:
    """As many lines of turns as one was written in; None where the page has none."""
    found = [(match, text) for name, text in sent.items() if (match := TURN_FIELD.fullmatch(name))]
    here = [(int(match[3]), text) for match, text in found if int(match[1]) == place]
    filled = [number + 1 for number, text in here if not is_blank_cell(text)]
    return min(max(filled, default=1), MAX_SHEET_TURNS) if here else None


def seat_from_fields(sent: Mapping[str, str], before: str, lines: int | None = None) -> dict[str, Any]:
    """One seat of one game; `lines`: of turns, where it has any."""
    turns = {} if lines is None else {"turns": [turn_from_fields(sent, before, number) for number in range(lines)]}
    part = sent.get(f"{before}part", "")
    return {
        **{name: sent.get(f"{before}{name}", "") for name in SEAT_TEXTS},
        "opened": not sent.get(f"{before}unopened"),
        "could_open": COULD_OPEN_BY_TEXT.get(sent.get(f"{before}could_open", "")),
        **{name: bool(sent.get(f"{before}{name}")) for name in MARKS},
        "left": part == "left",
        "absent": part == "absent",
        **turns,
    }


def turn_from_fields(sent: Mapping[str, str], before: str, number: int) -> dict[str, Any]:
    """One turn of one seat."""
    texts = {name: sent.get(f"{before}{name}_{number}", "") for name in TURN_TEXTS}
    return {**texts, "emptied": bool(sent.get(f"{before}emptied_{number}"))}
