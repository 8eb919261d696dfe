"""Two typings of one paper compared by what they mean: `11.5` and `11 1/2` agree, `-12` and `-21` do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from scoring.entry import fold, is_empty, read_points, read_whole
from scoring.ruleset import Ruleset
from scoring.sheet import SheetCheck
from tournament.bridge.scoresheets import judge
from tournament.bridge.scoresheets_fields import from_fields, to_fields
from tournament.models import Scoresheet, Seat, SecondTyping

Typed = Mapping[str, Any]

POINTS, COUNTS = "points", ("win", "wins", "tiles", "face_value")


class Stand(Enum):
    """How far the second typing of a sheet has come."""

    NOT_ASKED = "not_asked"
    WANTED = "wanted"
    DIFFERS = "differs"
    SETTLED = "settled"


@dataclass(frozen=True)
class SecondStand:
    """The stand, and by field name every cell on which the two differ and nobody has decided yet."""

    stand: Stand
    cells: tuple[str, ...] = ()


def stand_of(
    ruleset: Ruleset, sheet: Scoresheet, second: SecondTyping | None, seats: Sequence[Seat], asked: bool
) -> SecondStand:
    """Where the second typing of a sheet stands. One that was typed in the other form is to be typed anew."""
    if not asked or sheet.version > 1:
        return SecondStand(Stand.NOT_ASKED)
    if second is None or not second.done or second.form != sheet.form:
        return SecondStand(Stand.WANTED)
    if second.settled_digest and second.settled_digest == sheet.digest:
        return SecondStand(Stand.SETTLED)
    cells = differing(ruleset, sheet.form, sheet.typed, second.typed, seats)
    return SecondStand(Stand.DIFFERS if cells else Stand.SETTLED, cells)


def differing(ruleset: Ruleset, form: str, first: Typed, second: Typed, seats: Sequence[Seat]) -> tuple[str, ...]:
    """The names of the cells that mean something else, in the order of the sheet."""
    checks = judge(ruleset, form, first, seats), judge(ruleset, form, second, seats)
    one, other = to_fields(first), to_fields(second)
    names = [*one, *(name for name in other if name not in one)]
    cells = [name for name in names if not name.startswith("heading-")]
    return tuple(name for name in cells if not same(name, one.get(name, ""), other.get(name, ""), checks))


def same(name: str, one: str, other: str, checks: tuple[SheetCheck, SheetCheck]) -> bool:
    """Whether two texts of one cell mean the same."""
    if fold(one) == fold(other) or (is_empty(one) and is_empty(other)):
        return True
    cell = name.rsplit("-", 1)[1]
    if cell in COUNTS:
        first, second = read_whole(one), read_whole(other)
        return first is not None and first == second
    if cell == POINTS and name.startswith("totals-"):
        return bool(set(read_points(one).candidates) & set(read_points(other).candidates))
    if cell == POINTS:
        return same_points(name, checks)
    return (
        cell == "rack" and fold(one).upper().replace(",", " ").split() == fold(other).upper().replace(",", " ").split()
    )


def same_points(name: str, checks: tuple[SheetCheck, SheetCheck]) -> bool:
    """Whether the rules read the same points from both typings of a game's cell."""
    _games, place, letter, _cell = name.split("-")
    seats = [check.games[int(place)].seats.get(letter) for check in checks if int(place) < len(check.games)]
    points = [seat.points for seat in seats if seat is not None and seat.points is not None]
    return len(points) == len(checks) and points[0] == points[1]


def merged(first: Typed, choices: Mapping[str, str]) -> dict[str, Any]:
    """The first typing with the cells as a third look has decided them."""
    return from_fields({**to_fields(first), **choices}, len(first["games"]))
