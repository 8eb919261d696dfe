"""One game from what was left on the racks (R23-R31): reads the cells, says all that cannot be, and has
the rest scored by scoring.game. Places are counted from the game (`seats.C.tiles`, "" for all of it)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring import problems as code
from scoring.entry import SeatEntry, fold_typed_text, is_blank_cell, read_typed_points, read_whole_number
from scoring.game import (
    BECAUSE_COULD_OPEN_OVERRULED,
    BECAUSE_ICE_ABLE,
    BECAUSE_ICE_UNABLE,
    WARN_FLAT_VALUE_WINS,
    score_game,
)
from scoring.marks import MARKS, marked, marks_of, ruling_on
from scoring.paper import USUAL_TILES, describe_face, judge_racks_together, make_problem, unfinished_game_scoring
from scoring.problems import SEVERITY_ERROR, SEVERITY_WARNING, Refusal, SheetProblem
from scoring.rack_value_kinds import face_bounds, jokers_needed
from scoring.ruleset import Ruleset
from scoring.tiles import TILES_BY_NAME, sum_of_faces
from scoring.values import GameScore, Rack, SeatScore

_TILE_BREAK = re.compile(r"[\s,;、]+")
_YELLOW = re.compile(r"Y(?=\d)")


@dataclass(frozen=True, slots=True)
class RackSeat:
    """One seat that takes part, read; `tiles`, `face_value`, `rack` None where not given or not readable."""

    entry: SeatEntry
    tiles: int | None
    face_value: int | None
    rack: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RacksRead:
    """A row as read, what it scores (None while something must be mended), and its problems."""

    seats: Mapping[str, RackSeat]
    score: GameScore | None
    problems: tuple[SheetProblem, ...]


def read_racks(ruleset: Ruleset, ended_by: str, players: Mapping[str, SeatEntry]) -> RacksRead:
    """Read, judge and score one played game; `ended_by` "" where nobody said: read and judged, not scored."""
    found: list[SheetProblem] = []
    seats = {letter: _read_seat(ruleset, letter, entry, found) for letter, entry in players.items()}
    for letter, seat in seats.items():
        found += _judge_seat(ruleset, letter, seat)
    found += _judge_table(ruleset, seats)
    found += _judge_ending(ruleset, ended_by, seats)
    if not ended_by or any(one.weight == SEVERITY_ERROR for one in found):
        return RacksRead(seats, None, tuple(found))
    try:
        score = score_game(ruleset, ended_by, [_scoring_rack(letter, seat) for letter, seat in seats.items()])
    except Refusal as refusal:
        return RacksRead(seats, None, (*found, _refusal_as_problem(refusal, ruleset, tuple(seats))))
    found += _judge_score(seats, score)
    return RacksRead(seats, score, tuple(found))


# --- Cells ----------------------------------------------------------------------------------------------


def _read_seat(ruleset: Ruleset, letter: str, entry: SeatEntry, found: list[SheetProblem]) -> RackSeat:
    rack = None if is_blank_cell(entry.rack) else _read_rack(ruleset, letter, entry.rack, found)
    tiles = _read_count(f"seats.{letter}.tiles", entry.tiles, found)
    value = _read_count(f"seats.{letter}.face_value", entry.face_value, found)
    if rack is not None:
        if tiles not in (None, len(rack)):
            found.append(
                make_problem(code.TILES_NOT_AS_RACK, f"seats.{letter}.tiles", typed=tiles or 0, rack=len(rack))
            )
        if value not in (None, worth := sum_of_faces(ruleset, rack)):
            found.append(
                make_problem(code.VALUE_NOT_AS_RACK, f"seats.{letter}.face_value", typed=value or 0, rack=worth)
            )
        return RackSeat(entry, len(rack), None, rack)
    if not is_blank_cell(entry.rack):
        return RackSeat(entry, tiles, value, None)
    if is_blank_cell(entry.tiles):
        found.append(make_problem(code.CELL_BLANK, f"seats.{letter}.tiles"))
    if is_blank_cell(entry.face_value) and tiles != 0 and not _is_ruled(ruleset, entry):
        found.append(make_problem(code.CELL_BLANK, f"seats.{letter}.face_value"))
    return RackSeat(entry, tiles, value, None)


def _read_rack(ruleset: Ruleset, letter: str, text: str, found: list[SheetProblem]) -> tuple[str, ...] | None:
    """Tile names apart by spaces or commas; yellow is orange. Every name that is none is said at once."""
    names = [_YELLOW.sub("O", name) for name in _TILE_BREAK.split(fold_typed_text(text).upper()) if name]
    jokers = dict(ruleset.tiles.jokers)
    unknown = tuple(name for name in names if name not in TILES_BY_NAME or not jokers.get(name, ruleset.tiles.numbers))
    if unknown:
        found.append(make_problem(code.NO_SUCH_TILE, f"seats.{letter}.rack", typed=unknown))
        return None
    return tuple(names)


def _read_count(where: str, text: str, found: list[SheetProblem]) -> int | None:
    count = read_whole_number(text)
    if count is None and not is_blank_cell(text):
        found.append(make_problem(code.CELL_UNREADABLE, where, typed=text))
    return count


def _is_ruled(ruleset: Ruleset, entry: SeatEntry) -> bool:
    """Marked under a ruleset that gives such a rack a flat value: its faces are not needed (R27)."""
    return ruling_on(ruleset, entry) is not None


# --- What one seat cannot be ----------------------------------------------------------------------------


def _judge_seat(ruleset: Ruleset, letter: str, seat: RackSeat) -> Iterable[SheetProblem]:
    where, tiles, entry = f"seats.{letter}", seat.tiles, seat.entry
    if tiles == 0:
        yield from _judge_empty_rack(where, seat)
        return
    if tiles is not None and tiles > USUAL_TILES:
        yield make_problem(code.MANY_TILES, f"{where}.tiles", SEVERITY_WARNING, tiles=tiles, usual=USUAL_TILES)
    if tiles is not None and not entry.opened and tiles < ruleset.dealt_tiles:
        weight = SEVERITY_WARNING if _is_ruled(ruleset, entry) else SEVERITY_ERROR
        yield make_problem(code.UNOPENED_UNDER_14, f"{where}.tiles", weight, tiles=tiles)
    asked = ruleset.has_flat_values and not entry.opened and not _is_ruled(ruleset, entry)
    if asked and seat.rack is None and is_blank_cell(entry.rack) and entry.could_open is None:
        yield make_problem(code.COULD_OPEN_MISSING, f"{where}.could_open")
    yield from _judge_value(ruleset, where, seat)


def _judge_empty_rack(where: str, seat: RackSeat) -> Iterable[SheetProblem]:
    if seat.face_value:
        place = f"{where}.face_value"
        yield make_problem(code.VALUE_IMPOSSIBLE, place, value=seat.face_value, tiles=0, least=0, greatest=0)
    if not seat.entry.opened:
        yield make_problem(code.OUT_NOT_OPENED, f"{where}.opened")
    for name in marked(seat.entry):
        yield make_problem(f"out_{name}", f"{where}.{name}")
    if seat.entry.left:
        yield make_problem(code.LEAVER_OUT, f"{where}.tiles")


def _judge_value(ruleset: Ruleset, where: str, seat: RackSeat) -> Iterable[SheetProblem]:
    value, tiles, place = seat.face_value, seat.tiles, f"{where}.face_value"
    if seat.rack is not None:
        value, place = sum_of_faces(ruleset, seat.rack), f"{where}.rack"
    if value is None or tiles is None:
        return
    if jokers_needed(ruleset, value, tiles) is None:
        least, greatest = face_bounds(ruleset, tiles)
        yield make_problem(code.VALUE_IMPOSSIBLE, place, value=value, tiles=tiles, least=least, greatest=greatest)
    elif seat.rack is None and seat.entry.opened and not _is_ruled(ruleset, seat.entry):
        yield from describe_face(ruleset, value, tiles, where=place)


# --- What the table cannot be ---------------------------------------------------------------------------


def _judge_table(ruleset: Ruleset, seats: Mapping[str, RackSeat]) -> Iterable[SheetProblem]:
    copies = Counter(tile for seat in seats.values() for tile in seat.rack or ())
    jokers = dict(ruleset.tiles.jokers)
    for tile, count in copies.items():
        most = jokers.get(tile, ruleset.tiles.numbers)
        if count > most:
            yield make_problem(code.COPIES_BEYOND_SET, "", tile=tile, copies=count, most=most)
    total = sum(seat.tiles or 0 for seat in seats.values())
    if total > ruleset.tiles.size:
        yield make_problem(code.TOO_MANY_TILES, "", tiles=total, most=ruleset.tiles.size)
    valued = [
        (sum_of_faces(ruleset, seat.rack) if seat.rack is not None else seat.face_value, seat.tiles)
        for seat in seats.values()
    ]
    known = [(value, tiles) for value, tiles in valued if value is not None and tiles]
    yield from judge_racks_together(ruleset, [one for one in known if jokers_needed(ruleset, *one) is not None])


def _judge_ending(ruleset: Ruleset, ended_by: str, seats: Mapping[str, RackSeat]) -> Iterable[SheetProblem]:
    out = [letter for letter, seat in seats.items() if seat.tiles == 0 and not seat.entry.left]
    if not ended_by:
        fits = ("rummikub",) if len(out) == 1 else ("pool", "time") if not out else ()
        yield make_problem(code.ENDING_MISSING, "ended_by", fits=fits)
    elif ended_by == "rummikub":
        if len(out) > 1:
            for letter in out:
                yield make_problem(code.SEVERAL_OUT, f"seats.{letter}.tiles", out=tuple(out))
        elif not out and all(seat.tiles is not None for seat in seats.values()):
            yield make_problem(code.NOBODY_OUT, "", fits=("pool", "time"))
    else:
        for letter in out:
            fits = ("rummikub",) if len(out) == 1 else ()
            yield make_problem(code.SOMEBODY_OUT, f"seats.{letter}.tiles", ended_by=ended_by, fits=fits)
        if unfinished_game_scoring(ruleset, ended_by) is None:
            yield make_problem(code.ENDING_NOT_IN_RULESET, "ended_by", ended_by=ended_by)


# --- The score ------------------------------------------------------------------------------------------


def _scoring_rack(letter: str, seat: RackSeat) -> Rack:
    entry = seat.entry
    return Rack(
        seat=letter,
        tiles=seat.tiles or 0,
        face_value=seat.face_value,
        rack=seat.rack,
        opened=entry.opened,
        could_open=entry.could_open,
        left=entry.left,
        **marks_of(entry),
    )


def _refusal_as_problem(refusal: Refusal, ruleset: Ruleset, letters: tuple[str, ...]) -> SheetProblem:
    """A refusal of the scoring, at its own cell: `seats[1].tiles` of the second who takes part."""
    where = re.sub(r"^seats\[(\d+)\]", lambda found: f"seats.{letters[int(found[1])]}", refusal.where)
    where = re.sub(r"\[\d+\]$", "", where)
    if where in ("seats", "ruleset"):
        where = ""
    what = code.LOWEST_TIE_UNRESOLVED if not where and ruleset.lowest_tie == "unresolved" else code.SCORING_REFUSED
    return make_problem(what, where, why=refusal.why)


def _judge_score(seats: Mapping[str, RackSeat], score: GameScore) -> Iterable[SheetProblem]:
    for letter, seat in seats.items():
        result = score.seats[letter]
        place = f"seats.{letter}.{'rack' if seat.rack is not None else 'face_value'}"
        flat = {BECAUSE_ICE_ABLE, BECAUSE_ICE_UNABLE, *MARKS} & set(result.because)
        if result.win and flat and WARN_FLAT_VALUE_WINS in score.warnings:
            yield make_problem(code.FLAT_VALUE_WINS, place, SEVERITY_WARNING, value=result.rack_value)
        if BECAUSE_COULD_OPEN_OVERRULED in result.because:
            worked_out = "no" if BECAUSE_ICE_ABLE in result.because else "yes"
            yield make_problem(
                code.COULD_OPEN_OVERRULED, f"seats.{letter}.could_open", SEVERITY_WARNING, worked_out=worked_out
            )
        yield from _compare_with_typed(letter, seat.entry, result)
    if code.ALL_EQUAL in score.warnings:
        yield make_problem(code.ALL_EQUAL, "", SEVERITY_WARNING)


def _compare_with_typed(letter: str, entry: SeatEntry, result: SeatScore) -> Iterable[SheetProblem]:
    """What was typed beside the racks, held against what they come to."""
    if not is_blank_cell(entry.win) and read_whole_number(entry.win) != result.win:
        yield make_problem(code.NOT_AS_COMPUTED, f"seats.{letter}.win", typed=entry.win, suggest=result.win)
    if not is_blank_cell(entry.points) and result.points not in read_typed_points(entry.points).candidates:
        yield make_problem(code.NOT_AS_COMPUTED, f"seats.{letter}.points", typed=entry.points, suggest=result.points)
