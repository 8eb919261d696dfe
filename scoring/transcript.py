"""From the cells of one row of a paper sheet to figures, and to what mends it.

Reads every cell, decides which share a rounded decimal stands for (`3.33` of a game where 10 points are
shared by three), has the figures judged, and looks for the one cell whose change mends the row.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from scoring import problems as code
from scoring.entry import (
    ENDING_NOT_PLAYED,
    GAME_ENDINGS,
    PointsReading,
    SeatEntry,
    is_blank_cell,
    read_typed_points,
    read_whole_number,
)
from scoring.marks import marks_of
from scoring.paper import PaperSeat, PaperSeats, judge_game, lowest_seats, make_problem, unfinished_game_scoring
from scoring.problems import SEVERITY_ERROR, SEVERITY_WARNING, SheetProblem
from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class TypedTotalsOfRow:
    """What the typed row 總結 says of this game, the other games as they were read."""

    speak_for: Callable[[str, Fraction], bool]
    """Whether a seat's total speaks for so many points."""
    tiles: Mapping[str, int]
    """The tiles that a seat's total leaves for this game, where it can be said."""


@dataclass(frozen=True, slots=True)
class RowRead:
    """A row as read: figures of who takes part, what the points literally say, and the reading's problems."""

    seats: PaperSeats
    written: Mapping[str, Fraction | None]
    problems: tuple[SheetProblem, ...]


def read_row(ruleset: Ruleset, ended_by: str, players: Mapping[str, SeatEntry]) -> RowRead:
    """Read the cells of who takes part in one played game, seats in letter order."""
    found: list[SheetProblem] = []
    readings = {letter: _read_points_cell(letter, entry.points, found) for letter, entry in players.items()}
    seats = {
        letter: PaperSeat(
            win=_read_win_cell(letter, entry.win, found),
            points=readings[letter].candidates[0] if readings[letter].candidates else None,
            tiles=_read_tiles_cell(letter, entry.tiles, found),
            left=entry.left,
            **marks_of(entry),
        )
        for letter, entry in players.items()
    }
    seats, doubts = _choose_shares(ruleset, ended_by or likely_ending(seats), seats, readings, players)
    found += doubts
    return RowRead(seats, {letter: reading.written for letter, reading in readings.items()}, tuple(found))


def judge_row(ruleset: Ruleset, ended_by: str, seats: PaperSeats, totals: TypedTotalsOfRow) -> tuple[SheetProblem, ...]:
    """Judge the figures of one game and say what mends it. `ended_by` "" where nobody said: then the
    endings that would do are named, and failing those the likeliest is taken for the rest."""
    ending = ended_by or likely_ending(seats)
    found = _suggest_sum_fix(ruleset, ending, seats, list(judge_game(ruleset, ending, seats)), totals)
    found = _suggest_tiles_fix(ruleset, ending, seats, found, totals)
    fits: tuple[str, ...] = ()
    if not ended_by or any(one.code in (code.NOBODY_OUT, code.SOMEBODY_OUT) for one in found):
        fits = tuple(other for other in GAME_ENDINGS if other != ended_by and _is_clean(ruleset, other, seats))
    found = [_with_facts(one, fits=fits) if one.code in (code.NOBODY_OUT, code.SOMEBODY_OUT) else one for one in found]
    if not ended_by and all(_is_zero_seat(seat) for seat in seats.values()):
        return (make_problem(code.ENDING_MISSING, "ended_by", fits=(ENDING_NOT_PLAYED,)),)
    if not ended_by:
        missing = make_problem(code.ENDING_MISSING, "ended_by", fits=fits or _likely_endings(ruleset, seats))
        return (missing,) if fits else (missing, *found)
    if ended_by != "rummikub" and unfinished_game_scoring(ruleset, ended_by) is None:
        found.append(make_problem(code.ENDING_NOT_IN_RULESET, "ended_by", ended_by=ended_by))
    return tuple(found)


def values_for_blanks(ruleset: Ruleset, ended_by: str, seats: PaperSeats) -> dict[str, int | Fraction]:
    """What cells that could not be read must be, by place, where the rest of the row leaves one value."""
    ending = ended_by or likely_ending(seats)
    due: dict[str, int | Fraction] = {}
    unknown = [letter for letter, seat in seats.items() if seat.points is None]
    if len(unknown) == 1:
        value = -sum((seat.points for seat in seats.values() if seat.points is not None), Fraction(0))
        filled = _with_seat_points(seats, unknown[0], value)
        if _is_clean(ruleset, ended_by or likely_ending(filled), filled):
            due[f"seats.{unknown[0]}.points"] = value
    for letter, seat in seats.items():
        if seat.win is None:
            due |= _win_for_blank(ruleset, ending, seats, letter)
    uncounted = [letter for letter, seat in seats.items() if seat.tiles is None]
    if len(uncounted) == 1 and ending == "rummikub" and all(seat.tiles != 0 for seat in seats.values()):
        empty = {**seats, uncounted[0]: dataclasses.replace(seats[uncounted[0]], tiles=0)}
        if _is_clean(ruleset, ending, empty):
            due[f"seats.{uncounted[0]}.tiles"] = 0
    return due


def _win_for_blank(ruleset: Ruleset, ending: str, seats: PaperSeats, letter: str) -> dict[str, int | Fraction]:
    where, wrong = f"seats.{letter}.win", []
    for win in (0, 1):
        tried = {**seats, letter: dataclasses.replace(seats[letter], win=win)}
        if any(one.where == where for one in judge_game(ruleset, ending, tried)):
            wrong.append(win)
    return {where: 1 - wrong[0]} if len(wrong) == 1 else {}


def likely_ending(seats: PaperSeats) -> str:
    """Somebody with no tiles left went out; else the clock or the pool ended it, which score alike."""
    return "rummikub" if any(seat.tiles == 0 for seat in seats.values()) else "time"


def _is_zero_seat(seat: PaperSeat) -> bool:
    return seat.win == 0 and seat.points == 0 and seat.tiles == 0


def _likely_endings(ruleset: Ruleset, seats: PaperSeats) -> tuple[str, ...]:
    if any(seat.tiles == 0 for seat in seats.values()):
        return ("rummikub",)
    return tuple(ending for ending in ("pool", "time") if unfinished_game_scoring(ruleset, ending) is not None)


# --- Cells ----------------------------------------------------------------------------------------------


def _read_win_cell(letter: str, text: str, found: list[SheetProblem]) -> int | None:
    where = f"seats.{letter}.win"
    if is_blank_cell(text):
        found.append(make_problem(code.CELL_BLANK, where))
        return None
    win = read_whole_number(text)
    if win not in (0, 1):
        found.append(make_problem(code.WIN_NOT_0_OR_1, where, typed=text))
        return None
    return win


def _read_tiles_cell(letter: str, text: str, found: list[SheetProblem]) -> int | None:
    where = f"seats.{letter}.tiles"
    if is_blank_cell(text):
        found.append(make_problem(code.CELL_BLANK, where))
        return None
    tiles = read_whole_number(text)
    if tiles is None:
        found.append(make_problem(code.CELL_UNREADABLE, where, typed=text))
    return tiles


def _read_points_cell(letter: str, text: str, found: list[SheetProblem]) -> PointsReading:
    where = f"seats.{letter}.points"
    if is_blank_cell(text):
        found.append(make_problem(code.CELL_BLANK, where))
        return PointsReading()
    reading = read_typed_points(text)
    if not reading.candidates:
        found.append(make_problem(code.CELL_UNREADABLE, where, typed=text))
    return reading


# --- Rounded decimals (R32) ----------------------------------------------------------------


def _choose_shares(
    ruleset: Ruleset,
    ending: str,
    seats: PaperSeats,
    readings: Mapping[str, PointsReading],
    players: Mapping[str, SeatEntry],
) -> tuple[dict[str, PaperSeat], list[SheetProblem]]:
    """Take for each rounded decimal the share with which the row sums to 0 and has the fewest faults."""
    rounded = [letter for letter, reading in readings.items() if reading.candidates and not reading.exact]
    if not rounded:
        return dict(seats), []
    weighed = []
    for choice in product(*(readings[letter].candidates for letter in rounded)):
        tried = dict(seats)
        for letter, points in zip(rounded, choice, strict=True):
            tried = _with_seat_points(tried, letter, points)
        faults = [one.code for one in judge_game(ruleset, ending, tried) if one.weight == SEVERITY_ERROR]
        weighed.append(((code.NOT_ZERO_SUM in faults, len(faults)), tried))
    best = min(weight for weight, _ in weighed)
    equal = [tried for weight, tried in weighed if weight == best]
    found = []
    for letter in rounded:
        values = {tried[letter].points for tried in equal}
        where, typed = f"seats.{letter}.points", players[letter].points
        if len(values) > 1:
            candidates = readings[letter].candidates
            found.append(make_problem(code.ROUNDED_NOT_UNIQUE, where, typed=typed, candidates=candidates))
        else:
            found.append(_read_as_problem(where, typed, letter, equal[0]))
    return equal[0], found


def _read_as_problem(where: str, typed: str, letter: str, seats: PaperSeats) -> SheetProblem:
    points, lowest = seats[letter].points or Fraction(0), lowest_seats(seats)
    shared = points * len(lowest)
    if letter in lowest and shared.denominator == 1:
        return make_problem(
            code.READ_AS, where, SEVERITY_WARNING, typed=typed, read=points, whole=int(shared), among=len(lowest)
        )
    return make_problem(code.READ_AS, where, SEVERITY_WARNING, typed=typed, read=points)


# --- What mends a row -----------------------------------------------------------------------------------


def _suggest_sum_fix(
    ruleset: Ruleset, ending: str, seats: PaperSeats, found: list[SheetProblem], totals: TypedTotalsOfRow
) -> list[SheetProblem]:
    """Put a sum that is not 0 at the one cell whose change mends it, with the faults it takes along."""
    unbalanced = next((one for one in found if one.code == code.NOT_ZERO_SUM), None)
    if unbalanced is None:
        return found
    due = _due_from_rack_values(ruleset, ending, seats)
    if due:
        swapped = make_problem(code.RACK_VALUES_TYPED, "", sum=unbalanced.facts["sum"], due=due)
        return [swapped, *(one for one in found if one.code not in (code.NOT_ZERO_SUM, code.NO_LOWEST))]
    faults = _error_keys(found) - {(code.NOT_ZERO_SUM, "")}
    total = sum((seat.points or Fraction(0) for seat in seats.values()), Fraction(0))
    trials: dict[str, tuple[Fraction, set[tuple[str, str]]]] = {}
    for letter, seat in seats.items():
        value = (seat.points or Fraction(0)) - total
        after = _error_keys(judge_game(ruleset, ending, _with_seat_points(seats, letter, value)))
        if after <= faults and not any(_is_of_points(one) for one in after):
            trials[letter] = (value, after)
    least = min((len(after) for _, after in trials.values()), default=0)
    fits = {letter: value for letter, (value, after) in trials.items() if len(after) == least}
    if len(fits) > 1:
        spoken_for = {letter: value for letter, value in fits.items() if totals.speak_for(letter, value)}
        fits = spoken_for if len(spoken_for) == 1 else fits
    rounded = _restore_shares(ruleset, ending, seats)
    if len(fits) != 1 or (rounded and not any(totals.speak_for(letter, value) for letter, value in fits.items())):
        told = [_with_facts(one, fits=tuple(fits.items())) if one is unbalanced else one for one in found]
        return [*told, *rounded] if fits or rounded else _restore_signs(ruleset, ending, seats, told)
    ((letter, value),) = fits.items()
    mended = faults - trials[letter][1]
    also = tuple(sorted({what for what, _ in mended}))
    typed = seats[letter].points or Fraction(0)
    here = make_problem(code.NOT_ZERO_SUM, f"seats.{letter}.points", sum=total, typed=typed, suggest=value, also=also)
    return [here, *(one for one in found if one is not unbalanced and (one.code, one.where) not in mended)]


def _suggest_tiles_fix(
    ruleset: Ruleset, ending: str, seats: PaperSeats, found: list[SheetProblem], totals: TypedTotalsOfRow
) -> list[SheetProblem]:
    """A rack value that its tiles cannot have, but could have with the tiles that the total leaves for this
    game, is a fault of the tiles."""
    for letter, seat in seats.items():
        left_for = totals.tiles.get(letter)
        if seat.tiles is None or left_for in (None, seat.tiles):
            continue
        counted = {**seats, letter: dataclasses.replace(seat, tiles=left_for)}
        before, after = (
            _error_keys(judge_game(ruleset, ending, seats)),
            _error_keys(judge_game(ruleset, ending, counted)),
        )
        cells = {f"seats.{letter}.points", f"seats.{letter}.tiles"}
        mended = [one for one in found if one.code in _TILE_PROBLEM_CODES and one.where in cells]
        if mended and after < before:
            here = dataclasses.replace(mended[0], where=f"seats.{letter}.tiles")
            rest = [one for one in found if (one.code, one.where) not in before - after]
            found = [*rest, _with_facts(here, typed=seat.tiles, suggest=left_for or 0)]
    return found


_TILE_PROBLEM_CODES = (code.VALUE_IMPOSSIBLE, code.FLAT_UNDER_14, code.DIFFERENCE_IMPOSSIBLE)


def _restore_shares(ruleset: Ruleset, ending: str, seats: PaperSeats) -> list[SheetProblem]:
    """Where equal shares were rounded to whole points (11, 11, 11 of 32) say at each what it is exactly."""
    lowest = lowest_seats(seats)
    points = {letter: seats[letter].points or Fraction(0) for letter in lowest}
    if ending == "rummikub" or len(lowest) < 2 or len(set(points.values())) > 1:
        return []
    lost = -sum(seat.points or 0 for letter, seat in seats.items() if letter not in lowest)
    share = Fraction(lost) / len(lowest)
    exact = dict(seats)
    for letter in lowest:
        exact = _with_seat_points(exact, letter, share)
    near = 0 < abs(share - points[lowest[0]]) < 1
    if not near or any(_is_of_points(one) for one in _error_keys(judge_game(ruleset, ending, exact))):
        return []
    as_read = tuple(points.items())
    cells = (f"seats.{letter}.points" for letter in lowest)
    return [make_problem(code.LOWEST_UNEQUAL, cell, points=as_read, suggest=share) for cell in cells]


def _due_from_rack_values(ruleset: Ruleset, ending: str, seats: PaperSeats) -> tuple[tuple[str, Fraction], ...]:
    """Nobody out and every seat's points are below 0: people wrote their racks. What those come to (R29), or
    nothing where it is not so."""
    scoring = None if ending == "rummikub" else unfinished_game_scoring(ruleset, ending)
    values = {letter: -seat.points for letter, seat in seats.items() if seat.points is not None and seat.points < 0}
    staying = [value for letter, value in values.items() if not seats[letter].left]
    if scoring is None or len(values) < len(seats) or not staying:
        return ()
    least = min(staying)
    lowest = [letter for letter, value in values.items() if value == least and not seats[letter].left]
    base = least if scoring == "difference" else Fraction(0)
    due = {letter: min(base - value, Fraction(0)) for letter, value in values.items() if letter not in lowest}
    share = Fraction(-sum(due.values())) / len(lowest)
    return tuple((letter, share if letter in lowest else due[letter]) for letter in seats)


def _is_of_points(fault: tuple[str, str]) -> bool:
    return fault[1].endswith(".points") or fault[0] in (code.NOT_ZERO_SUM, code.NO_LOWEST)


def _restore_signs(ruleset: Ruleset, ending: str, seats: PaperSeats, found: list[SheetProblem]) -> list[SheetProblem]:
    """Where minus signs were left out and putting them all back makes the row whole, say so at each cell."""
    unsigned = {one.where for one in found if one.code == code.POINTS_NOT_NEGATIVE and one.facts["typed"] != 0}
    signed = dict(seats)
    for letter, seat in seats.items():
        if f"seats.{letter}.points" in unsigned:
            signed = _with_seat_points(signed, letter, -(seat.points or Fraction(0)))
    if not unsigned or any(_is_of_points(one) for one in _error_keys(judge_game(ruleset, ending, signed))):
        return found
    suggest = {f"seats.{letter}.points": seat.points or Fraction(0) for letter, seat in signed.items()}
    return [_with_facts(one, suggest=suggest[one.where]) if one.where in unsigned else one for one in found]


def _error_keys(found: Iterable[SheetProblem]) -> set[tuple[str, str]]:
    return {(one.code, one.where) for one in found if one.weight == SEVERITY_ERROR}


def _is_clean(ruleset: Ruleset, ending: str, seats: PaperSeats) -> bool:
    possible = ending == "rummikub" or unfinished_game_scoring(ruleset, ending) is not None
    return possible and not _error_keys(judge_game(ruleset, ending, seats))


def _with_seat_points(seats: PaperSeats, letter: str, points: Fraction) -> dict[str, PaperSeat]:
    return {**seats, letter: dataclasses.replace(seats[letter], points=points)}


def _with_facts(one: SheetProblem, **facts: code.ProblemFact) -> SheetProblem:
    return dataclasses.replace(one, facts={**one.facts, **facts})
