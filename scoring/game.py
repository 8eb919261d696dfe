"""One game's wins, points and tiles (R23-R31)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from scoring.marks import marked, ruling_on
from scoring.opening import can_open
from scoring.problems import Refusal
from scoring.ruleset import JOKERS, Ruleset
from scoring.tiles import (
    check_copies,
    check_face_value,
    face_value_of_box,
    has_numbers,
    read_tiles,
    sum_of_faces,
)
from scoring.values import ALL_SEAT_LETTERS, GameScore, Rack, SeatScore

ENDED_BY_RUMMIKUB = "rummikub"
ENDED_BY_POOL = "pool"
ENDED_BY_TIME = "time"
SCORABLE_ENDINGS = (ENDED_BY_RUMMIKUB, ENDED_BY_TIME, ENDED_BY_POOL)

BECAUSE_WENT_OUT = "went_out"
BECAUSE_LOWEST_RACK = "lowest_rack"
BECAUSE_FEWEST_TILES = "fewest_tiles"
BECAUSE_MORE_TILES = "more_tiles"
BECAUSE_SHARED = "shared"
BECAUSE_ICE_UNABLE = "ice_unable"
BECAUSE_ICE_ABLE = "ice_able"
BECAUSE_COULD_OPEN_OVERRULED = "could_open_overruled"
BECAUSE_LEFT = "left"
BECAUSE_JOKER_HELD = "joker_held"

WARN_UNOPENED_UNDER_14 = "unopened_under_14"
WARN_FLAT_VALUE_WINS = "flat_value_wins"
WARN_ALL_EQUAL = "all_equal"


@dataclass(frozen=True, slots=True)
class _ValuedRack:
    """A rack with its value: `flat` where the value stands instead of the faces, `because` of the value."""

    rack: Rack
    value: int
    flat: bool
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _GamePoints:
    """How the points of a game fall, by seat."""

    wins: frozenset[str]
    points: Mapping[str, Fraction]
    because: Mapping[str, tuple[str, ...]]


def score_game(ruleset: Ruleset, ended_by: str, racks: Sequence[Rack]) -> GameScore:
    """Score one game of 2 to 4 seats, ended by "rummikub" (somebody went out), "time" or "pool".

    The points sum to exactly 0. Raises Refusal, at `seats[i]...` in the order of `racks`, for what cannot be.
    """
    if not has_numbers(ruleset):
        raise Refusal("ruleset", "plays with letters, not with numbers")
    if ended_by not in SCORABLE_ENDINGS:
        raise Refusal("ended_by", f"must be one of {', '.join(SCORABLE_ENDINGS)}")
    _check_table(racks)
    for place, rack in enumerate(racks):
        _check_rack(ruleset, rack, f"seats[{place}]")
    _check_tile_supply(ruleset, racks)
    _check_ending(ended_by, racks)
    valued = [_value_rack(ruleset, rack, f"seats[{place}]") for place, rack in enumerate(racks)]
    valued.sort(key=lambda seat: seat.rack.seat)
    outcome = _score_went_out(valued) if ended_by == ENDED_BY_RUMMIKUB else _score_nobody_out(ruleset, ended_by, valued)
    seats = {
        seat.rack.seat: SeatScore(
            win=int(seat.rack.seat in outcome.wins),
            points=outcome.points[seat.rack.seat],
            tiles=seat.rack.tiles,
            rack_value=seat.value,
            because=outcome.because.get(seat.rack.seat, ()) + seat.because,
        )
        for seat in valued
    }
    return GameScore(MappingProxyType(seats), _game_warnings(ruleset, ended_by, valued, outcome))


# --- What must hold -------------------------------------------------------------------------------------------


def _check_table(racks: Sequence[Rack]) -> None:
    if not 2 <= len(racks) <= len(ALL_SEAT_LETTERS):
        raise Refusal("seats", f"must be 2 to {len(ALL_SEAT_LETTERS)} seats")
    seen: set[str] = set()
    for place, rack in enumerate(racks):
        if rack.seat not in ALL_SEAT_LETTERS:
            raise Refusal(f"seats[{place}].seat", f"must be one of {', '.join(ALL_SEAT_LETTERS)}")
        if rack.seat in seen:
            raise Refusal(f"seats[{place}].seat", f"{rack.seat} is there twice")
        seen.add(rack.seat)
    if sum(not rack.left for rack in racks) < 2:
        raise Refusal("seats", "fewer than two have not left")


def _check_rack(ruleset: Ruleset, rack: Rack, where: str) -> None:
    size = ruleset.tiles.size
    if rack.tiles < 0:
        raise Refusal(f"{where}.tiles", "must not be below 0")
    if rack.tiles > size:
        raise Refusal(f"{where}.tiles", f"{rack.tiles} are more than the set holds ({size})")
    if rack.face_value is not None and rack.face_value < 0:
        raise Refusal(f"{where}.face_value", "must not be below 0")
    if rack.rack is not None:
        read_tiles(rack.rack, f"{where}.rack")
        if len(rack.rack) != rack.tiles:
            raise Refusal(f"{where}.tiles", f"{rack.tiles}, but the rack has {len(rack.rack)}")
        faces = sum_of_faces(ruleset, rack.rack)
        if rack.face_value not in (None, faces):
            raise Refusal(f"{where}.face_value", f"{rack.face_value}, but the tiles of the rack make {faces}")
    elif rack.face_value is not None:
        check_face_value(ruleset, rack.face_value, rack.tiles, f"{where}.face_value")


def _check_tile_supply(ruleset: Ruleset, racks: Sequence[Rack]) -> None:
    """No more of a tile, of all tiles and of all their faces than the set holds."""
    given = [(f"seats[{place}].rack", rack.rack) for place, rack in enumerate(racks) if rack.rack is not None]
    check_copies(ruleset, given)
    tiles = sum(rack.tiles for rack in racks)
    if tiles > ruleset.tiles.size:
        raise Refusal("seats", f"{tiles} tiles in all are more than the set holds ({ruleset.tiles.size})")
    faces = sum(rack.face_value or sum_of_faces(ruleset, rack.rack or ()) for rack in racks)
    if faces > face_value_of_box(ruleset):
        raise Refusal("seats", f"{faces} in all is more than the set holds ({face_value_of_box(ruleset)})")


def _check_ending(ended_by: str, racks: Sequence[Rack]) -> None:
    for place, rack in enumerate(racks):
        if rack.tiles == 0:
            where = f"seats[{place}].tiles"
            if ended_by != ENDED_BY_RUMMIKUB:
                raise Refusal(where, f"0 tiles are left only where somebody went out, not by {ended_by}")
            marks = [name.replace("_", " ") for name in marked(rack)]
            for name in [*(["unopened"] if not rack.opened else []), *marks, *(["left"] if rack.left else [])]:
                raise Refusal(where, f"0 tiles cannot be {name}")
    out = sum(rack.tiles == 0 for rack in racks)
    if ended_by == ENDED_BY_RUMMIKUB and out != 1:
        raise Refusal("seats", f"exactly one seat goes out with 0 tiles, here {out or 'none'}")


# --- R23-R27: what a rack is worth ----------------------------------------------------------------------------


def _value_rack(ruleset: Ruleset, rack: Rack, where: str) -> _ValuedRack:
    left = (BECAUSE_LEFT,) if rack.left else ()
    # R27 before R25/R26: 200 once for a rack both unopened and pushed over.
    if ruling := ruling_on(ruleset, rack):
        name, value = ruling
        return _ValuedRack(rack, value, True, (name, *left))
    if not rack.opened and ruleset.has_flat_values:
        able, overruled = _judge_could_open(ruleset, rack, where)
        flat = ruleset.unopened_able if able else ruleset.unopened_unable
        because = (
            BECAUSE_ICE_ABLE if able else BECAUSE_ICE_UNABLE,
            *((BECAUSE_COULD_OPEN_OVERRULED,) if overruled else ()),
            *left,
        )
        if flat is not None:
            _rack_face_sum(ruleset, rack, where)
            return _ValuedRack(rack, flat, True, because)
    if rack.rack is not None and any(name in JOKERS for name in rack.rack):
        left = (*left, BECAUSE_JOKER_HELD)
    return _ValuedRack(rack, _rack_face_sum(ruleset, rack, where), False, left)


def _rack_face_sum(ruleset: Ruleset, rack: Rack, where: str) -> int:
    if rack.rack is not None:
        return sum_of_faces(ruleset, rack.rack)
    if rack.face_value is None and rack.tiles > 0:
        raise Refusal(f"{where}.face_value", "is missing")
    return rack.face_value or 0


def _judge_could_open(ruleset: Ruleset, rack: Rack, where: str) -> tuple[bool, bool]:
    """Whether the rack could open, and whether a referee's verdict changed what its tiles say."""
    if rack.rack is None:
        if rack.could_open is None:
            raise Refusal(f"{where}.could_open", "is missing: an unopened rack needs its tiles or the verdict")
        return rack.could_open, False
    able = can_open(ruleset, rack.rack)
    if rack.could_open is None:
        return able, False
    return rack.could_open, rack.could_open != able


# --- R28: somebody goes out -----------------------------------------------------------------------------------


def _score_went_out(valued: Sequence[_ValuedRack]) -> _GamePoints:
    winner = next(seat.rack.seat for seat in valued if seat.rack.tiles == 0)
    points = {seat.rack.seat: Fraction(-seat.value) for seat in valued}
    points[winner] = Fraction(sum(seat.value for seat in valued))
    return _GamePoints(frozenset([winner]), points, {winner: (BECAUSE_WENT_OUT,)})


# --- R29-R31: nobody out --------------------------------------------------------------------------------------


def _score_nobody_out(ruleset: Ruleset, ended_by: str, valued: Sequence[_ValuedRack]) -> _GamePoints:
    scoring = ruleset.pool_scoring if ended_by == ENDED_BY_POOL else ruleset.time_up_scoring
    if scoring is None:
        raise Refusal("ended_by", f"the ruleset does not say how a game ended by {ended_by} is scored")
    playing = [seat for seat in valued if not seat.rack.left]
    least = min(seat.value for seat in playing)
    lowest = [seat for seat in playing if seat.value == least]
    if len(lowest) > 1 and ruleset.lowest_tie == "unresolved":
        names = ", ".join(seat.rack.seat for seat in lowest)
        raise Refusal("seats", f"{names} are equal lowest, and the ruleset leaves that unresolved")
    base = least if scoring == "difference" else 0
    # A leaver below the lowest pays nothing, and is paid nothing.
    points = {seat.rack.seat: Fraction(-max(0, seat.value - base)) for seat in valued if seat not in lowest}
    share = Fraction(-sum(points.values()), len(lowest))
    points.update({seat.rack.seat: share for seat in lowest})
    fewest = min(seat.rack.tiles for seat in lowest)
    wins = frozenset(seat.rack.seat for seat in lowest if seat.rack.tiles == fewest)
    because: dict[str, tuple[str, ...]] = {}
    for seat in lowest:
        name = seat.rack.seat
        among = (
            (BECAUSE_FEWEST_TILES if name in wins else BECAUSE_MORE_TILES, BECAUSE_SHARED) if len(lowest) > 1 else ()
        )
        because[name] = (BECAUSE_LOWEST_RACK, *among)
    return _GamePoints(wins, points, because)


def _game_warnings(
    ruleset: Ruleset, ended_by: str, valued: Sequence[_ValuedRack], outcome: _GamePoints
) -> tuple[str, ...]:
    warnings = []
    if any(not seat.rack.opened and seat.rack.tiles < ruleset.dealt_tiles for seat in valued):
        warnings.append(WARN_UNOPENED_UNDER_14)
    if any(seat.flat and seat.rack.seat in outcome.wins for seat in valued):
        warnings.append(WARN_FLAT_VALUE_WINS)
    if ended_by != ENDED_BY_RUMMIKUB and len({seat.value for seat in valued}) == 1:
        warnings.append(WARN_ALL_EQUAL)
    return tuple(warnings)
