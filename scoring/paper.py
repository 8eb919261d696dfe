"""One game as a paper sheet has it: win, points and tiles of each seat (R28-R31).

`judge_game` takes figures already read and answers every fault they have together, each at its cell,
with places counted from the game (`seats.C.points`, "" for the whole game). A figure that could not be
read is None and is judged by nobody; what can be said without it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from scoring import problems as code
from scoring.marks import Marks, flat_values, marked, ruled_value
from scoring.problems import SEVERITY_ERROR, SEVERITY_WARNING, ProblemFact, ProblemSeverity, SheetProblem
from scoring.rack_value_kinds import (
    can_lie_together,
    classify_rack_value,
    face_bounds,
    is_flat,
    jokers_needed,
    jokers_needed_together,
)
from scoring.ruleset import Ruleset
from scoring.tiles import face_value_of_box

# Beyond these a figure is possible but seldom: a person looks at the paper again.
USUAL_TILES = 40
USUAL_VALUE = 150
USUAL_WIN = 300


@dataclass(frozen=True, slots=True)
class PaperSeat(Marks):
    """One seat that takes part, read; None where a cell could not be."""

    win: int | None
    points: Fraction | None
    tiles: int | None
    left: bool = False


PaperSeats = Mapping[str, PaperSeat]


class SeatWithPoints(Protocol):
    """A seat read from either form."""

    @property
    def points(self) -> Fraction | None: ...

    @property
    def left(self) -> bool: ...


def unfinished_game_scoring(ruleset: Ruleset, ended_by: str) -> str | None:
    """How the ruleset scores a game that nobody finished: `difference`, `raw`, or None: it does not say."""
    return ruleset.pool_scoring if ended_by == "pool" else ruleset.time_up_scoring


def judge_game(ruleset: Ruleset, ended_by: str, seats: PaperSeats) -> tuple[SheetProblem, ...]:
    """Every fault of one played game's figures; `ended_by` is rummikub, pool or time. In no set order."""
    found = [*_judge_tiles(ruleset, seats), *_judge_sum(seats)]
    if ended_by == "rummikub":
        found += _judge_rummikub(ruleset, seats)
    elif unfinished_game_scoring(ruleset, ended_by) is not None:
        found += _judge_nobody_out(ruleset, ended_by, seats)
    return tuple(found)


def make_problem(what: str, where: str, weight: ProblemSeverity = SEVERITY_ERROR, **facts: ProblemFact) -> SheetProblem:
    """A problem with its figures by name."""
    return SheetProblem(what, where, weight, facts)


# --- What holds however a game ended --------------------------------------------------------------------


def _judge_tiles(ruleset: Ruleset, seats: PaperSeats) -> Iterable[SheetProblem]:
    total = sum(seat.tiles or 0 for seat in seats.values())
    if total > ruleset.tiles.size:
        yield make_problem(code.TOO_MANY_TILES, "", tiles=total, most=ruleset.tiles.size)
    for letter, seat in seats.items():
        if seat.left and seat.tiles == 0:
            yield make_problem(code.LEAVER_OUT, f"seats.{letter}.tiles")
        if seat.tiles is not None and seat.tiles > USUAL_TILES:
            yield make_problem(
                code.MANY_TILES, f"seats.{letter}.tiles", SEVERITY_WARNING, tiles=seat.tiles, usual=USUAL_TILES
            )


def _judge_sum(seats: PaperSeats) -> Iterable[SheetProblem]:
    """The points add up to zero exactly (R28, R29)."""
    points = [seat.points for seat in seats.values() if seat.points is not None]
    if len(points) == len(seats) and sum(points) != 0:
        yield make_problem(code.NOT_ZERO_SUM, "", sum=sum(points, Fraction(0)))


def _judge_wins(seats: PaperSeats, due: Mapping[str, str], why_not: Mapping[str, str]) -> Iterable[SheetProblem]:
    """Compare the wins with those due: `due` letter -> why it wins, `why_not` letter -> why it does not."""
    for letter, seat in seats.items():
        if seat.win == 0 and letter in due:
            yield make_problem(code.WIN_MISSING, f"seats.{letter}.win", suggest=1, why=due[letter])
        if seat.win == 1 and letter in why_not:
            why = "left" if seat.left else why_not[letter]
            yield make_problem(code.WIN_NOT_DUE, f"seats.{letter}.win", suggest=0, why=why)
    if not due and all(seat.win == 0 for seat in seats.values()):
        yield make_problem(code.NO_WINNER, "")


def _judge_whole(letters: Iterable[str], seats: PaperSeats) -> Iterable[SheetProblem]:
    for letter in letters:
        points = seats[letter].points
        if points is not None and points.denominator != 1:
            yield make_problem(code.POINTS_NOT_WHOLE, f"seats.{letter}.points", typed=points)


def _judge_losers(letters: Iterable[str], seats: PaperSeats) -> Iterable[SheetProblem]:
    """Who is neither out nor lowest has lost points; only a leaver may have lost none (R29)."""
    for letter in letters:
        seat = seats[letter]
        if seat.points is None:
            continue
        where = f"seats.{letter}.points"
        if seat.left and seat.points > 0:
            yield make_problem(code.LEAVER_POSITIVE, where, typed=seat.points)
        elif not seat.left and seat.points >= 0:
            yield make_problem(code.POINTS_NOT_NEGATIVE, where, typed=seat.points)


# --- Somebody went out (R28) ----------------------------------------------------------------------------


def _judge_rummikub(ruleset: Ruleset, seats: PaperSeats) -> Iterable[SheetProblem]:
    out = [letter for letter, seat in seats.items() if seat.tiles == 0 and not seat.left]
    claims = [letter for letter, seat in seats.items() if seat.win == 1 and (seat.points or 0) > 0 and not seat.left]
    claimed = claims[0] if len(claims) == 1 else ""
    if len(out) > 1:
        for letter in out:
            if letter != claimed:
                yield make_problem(code.SEVERAL_OUT, f"seats.{letter}.tiles", out=tuple(out))
    elif not out and claimed and seats[claimed].tiles is not None:
        yield make_problem(code.NOBODY_OUT, f"seats.{claimed}.tiles", suggest=0)
    elif not out and all(seat.tiles is not None for seat in seats.values()):
        yield make_problem(code.NOBODY_OUT, "")
    winner = out[0] if len(out) == 1 else claimed
    if not winner:
        yield from _judge_wins(seats, {}, {})
        yield from _judge_rack_values(ruleset, seats)
        return
    others = [letter for letter in seats if letter != winner]
    yield from _judge_wins(seats, {winner: "went_out"}, dict.fromkeys(others, "not_out"))
    points = seats[winner].points
    if points is not None and points <= 0:
        yield make_problem(code.OUT_NOT_POSITIVE, f"seats.{winner}.points", typed=points)
    if points is not None and points > USUAL_WIN:
        yield make_problem(code.HIGH_WIN, f"seats.{winner}.points", SEVERITY_WARNING, value=points, usual=USUAL_WIN)
    losers = [letter for letter in others if seats[letter].tiles != 0 or seats[letter].left]
    yield from _judge_losers(losers, seats)
    for letter in losers:
        if seats[letter].left and seats[letter].points == 0:
            yield make_problem(code.POINTS_NOT_NEGATIVE, f"seats.{letter}.points", typed=Fraction(0))
    yield from _judge_whole(seats, seats)
    yield from _judge_rack_values(ruleset, {letter: seats[letter] for letter in losers})


def _judge_rack_values(ruleset: Ruleset, losers: PaperSeats) -> Iterable[SheetProblem]:
    """Points lost are a rack value that so many tiles can have (R23-R27)."""
    by_faces: list[tuple[int, int]] = []
    for letter, seat in losers.items():
        points, tiles = seat.points, seat.tiles
        if points is None or tiles is None or points >= 0 or points.denominator != 1 or tiles == 0:
            continue
        value, where = -points.numerator, f"seats.{letter}.points"
        ruled = ruled_value(ruleset, seat)
        holding = classify_rack_value(ruleset, value, tiles, ruled)
        yield from describe_rack_value(ruleset, holding, value, tiles, where=where, ruled=ruled)
        if holding == "face" and not (is_flat(ruleset, value) and tiles >= ruleset.dealt_tiles):
            by_faces.append((value, tiles))
    yield from judge_racks_together(ruleset, by_faces)


def describe_rack_value(
    ruleset: Ruleset, holding: str, value: int, tiles: int, *, where: str, ruled: int | None
) -> Iterable[SheetProblem]:
    """What is to be said of one rack value; `ruled`: the value that a mark on the sheet itself gives the rack."""
    if holding == "impossible":
        least, greatest = face_bounds(ruleset, tiles)
        if ruled is not None:
            least = greatest = ruled
        yield make_problem(code.VALUE_IMPOSSIBLE, where, value=value, tiles=tiles, least=least, greatest=greatest)
    elif holding == "flat_under_dealt":
        yield make_problem(code.FLAT_UNDER_14, where.replace(".points", ".tiles"), value=value, tiles=tiles)
    elif holding == "ruling" and ruled is None:
        yield make_problem(code.PUSHED_OVER_VALUE, where, SEVERITY_WARNING, value=value, tiles=tiles)
    elif holding == "face":
        yield from describe_face(ruleset, value, tiles, where=where)


def describe_face(ruleset: Ruleset, value: int, tiles: int, *, where: str) -> Iterable[SheetProblem]:
    """What is unusual about a possible sum of faces."""
    needed = jokers_needed(ruleset, value, tiles)
    if needed and needed > 1 and needed == ruleset.tiles.joker_count:
        yield make_problem(code.BOTH_JOKERS, where, SEVERITY_WARNING, value=value, tiles=tiles)
    if value > USUAL_VALUE and not is_flat(ruleset, value):
        yield make_problem(code.HIGH_VALUE, where, SEVERITY_WARNING, value=value, usual=USUAL_VALUE)


def judge_racks_together(ruleset: Ruleset, racks: list[tuple[int, int]]) -> Iterable[SheetProblem]:
    """Whether one set holds these racks (value, tiles), each possible alone, side by side."""
    jokers = jokers_needed_together(ruleset, racks)
    if jokers > ruleset.tiles.joker_count:
        yield make_problem(code.JOKERS_BEYOND_SET, "", jokers=jokers, most=ruleset.tiles.joker_count)
    elif not can_lie_together(ruleset, racks) and sum(tiles for _, tiles in racks) <= ruleset.tiles.size:
        value, tiles = sum(value for value, _ in racks), sum(tiles for _, tiles in racks)
        least, greatest = face_bounds(ruleset, tiles)
        yield make_problem(code.RACKS_BEYOND_SET, "", value=value, tiles=tiles, least=least, greatest=greatest)


# --- Nobody went out (R29-R31) --------------------------------------------------------------------------


def lowest_seats(seats: Mapping[str, SeatWithPoints]) -> list[str]:
    """The seats with the points of the lowest rack: those above 0, or everybody where nobody has any."""
    above = [letter for letter, seat in seats.items() if not seat.left and (seat.points or 0) > 0]
    if above:
        return above
    staying = [letter for letter, seat in seats.items() if not seat.left]
    return staying if all(seat.points == 0 for seat in seats.values()) else []


def _judge_nobody_out(ruleset: Ruleset, ended_by: str, seats: PaperSeats) -> Iterable[SheetProblem]:
    for letter, seat in seats.items():
        if seat.tiles == 0 and not seat.left:
            yield make_problem(code.SOMEBODY_OUT, f"seats.{letter}.tiles", ended_by=ended_by)
    lowest = lowest_seats(seats)
    known = all(seat.points is not None for seat in seats.values())
    others = [letter for letter in seats if letter not in lowest]
    if not lowest:
        gone = [letter for letter, seat in seats.items() if seat.left]
        if known:
            yield make_problem(code.NO_LOWEST, "")
        yield from _judge_losers(gone, seats)
        yield from _judge_wins(seats, {}, dict.fromkeys(gone, "left"))
        return
    yield from _judge_losers(others, seats)
    yield from _judge_whole(others, seats)
    yield from _judge_shares(lowest, others, seats)
    if known and all(seat.points == 0 for seat in seats.values()):
        yield make_problem(code.ALL_EQUAL, "", SEVERITY_WARNING)
    if known and len(lowest) > 1 and ruleset.lowest_tie == "unresolved":
        yield make_problem(code.LOWEST_TIE_UNRESOLVED, "", seats=tuple(lowest))
    else:
        yield from _judge_lowest_wins(lowest, others, seats, known)
    if known and not any(seat.tiles in (0, None) for seat in seats.values()):
        yield from _judge_differences(ruleset, unfinished_game_scoring(ruleset, ended_by) == "raw", lowest, seats)


def _judge_shares(lowest: list[str], others: list[str], seats: PaperSeats) -> Iterable[SheetProblem]:
    """The lowest have equal points, each the same share of what the others lost (R29)."""
    points = {letter: seats[letter].points for letter in lowest}
    if None in points.values() or len(set(points.values())) == 1:
        return
    lost = [seats[letter].points for letter in others]
    share = Fraction(-sum(one for one in lost if one is not None)) / len(lowest)
    as_read = tuple((letter, one) for letter, one in points.items() if one is not None)
    for letter, one in as_read:
        if None in lost:
            yield make_problem(code.LOWEST_UNEQUAL, f"seats.{letter}.points", points=as_read)
        elif one != share:
            yield make_problem(code.LOWEST_UNEQUAL, f"seats.{letter}.points", points=as_read, suggest=share)


def _judge_lowest_wins(lowest: list[str], others: list[str], seats: PaperSeats, known: bool) -> Iterable[SheetProblem]:
    """Of the lowest those with the fewest tiles win, exactly those (R30)."""
    tiles = [seats[letter].tiles for letter in lowest]
    not_due = dict.fromkeys(others, "not_lowest") if known else {}
    if not known or (len(lowest) > 1 and None in tiles):
        yield from _judge_wins(seats, {}, not_due)
        return
    fewest = min((count for count in tiles if count is not None), default=None)
    winners = [letter for letter in lowest if len(lowest) == 1 or seats[letter].tiles == fewest]
    due = dict.fromkeys(winners, "lowest_rack" if len(lowest) == 1 else "fewest_tiles")
    not_due |= {letter: "more_tiles" for letter in lowest if letter not in due}
    yield from _judge_wins(seats, due, not_due)


def _judge_differences(ruleset: Ruleset, raw: bool, lowest: list[str], seats: PaperSeats) -> Iterable[SheetProblem]:
    """There is a value of the lowest rack with which every seat's tiles can be worth what its points say."""
    whole = {letter: seat for letter, seat in seats.items() if letter in lowest or _is_loss(seat)}
    levels: dict[int, dict[str, int]] = {}
    for base in _possible_lowest_values(ruleset, raw, lowest, whole):
        levels[base] = _levels_by_seat(ruleset, raw, base, lowest, whole)
        if not any(levels[base].values()) and _is_one_set(ruleset, raw, base, lowest, whole):
            return
    if not all(any(level.values()) for level in levels.values()) or not levels:
        differences = tuple(-int(seat.points or 0) for letter, seat in whole.items() if letter not in lowest)
        counts = tuple(seat.tiles or 0 for seat in whole.values())
        yield make_problem(code.DIFFERENCE_IMPOSSIBLE, "", difference=differences, tiles=counts)
        return
    best = min(levels.values(), key=lambda level: sum(level.values()))
    if _LEVEL_IMPOSSIBLE in best.values():
        # Then no ruling explains the row either: say which seats do not go with the rest.
        best = min(levels.values(), key=lambda level: sum(one != _LEVEL_FINE for one in level.values()))
        best = {letter: _LEVEL_IMPOSSIBLE if level else _LEVEL_FINE for letter, level in best.items()}
    for letter, level in best.items():
        points, tiles = seats[letter].points or Fraction(0), seats[letter].tiles or 0
        where = f"seats.{letter}.points"
        difference = -points.numerator if letter not in lowest else 0
        if level == _LEVEL_IMPOSSIBLE:
            yield make_problem(code.DIFFERENCE_IMPOSSIBLE, where, difference=difference, tiles=tiles)
        elif level == _LEVEL_NEEDS_RULING:
            ruling = min(flat_values(ruleset), default=0)
            yield make_problem(code.PUSHED_OVER_VALUE, where, SEVERITY_WARNING, value=ruling, tiles=tiles)


_LEVEL_FINE, _LEVEL_NEEDS_RULING, _LEVEL_IMPOSSIBLE = 0, 1, 100


def _is_loss(seat: PaperSeat) -> bool:
    points = seat.points
    return points is not None and points.denominator == 1 and (points < 0 or (seat.left and points == 0))


def _possible_lowest_values(ruleset: Ruleset, raw: bool, lowest: list[str], seats: PaperSeats) -> list[int]:
    """Values the lowest rack may have: those of its own tiles, and under `raw` below every other's."""
    tops = [face_bounds(ruleset, seats[letter].tiles or 0)[1] for letter in lowest]
    flats = [ruleset.unopened_unable or 0, ruleset.unopened_able or 0, *flat_values(ruleset)]
    most = min(max(*tops, *flats), face_value_of_box(ruleset))
    if raw:
        losses = [
            -seat.points for letter, seat in seats.items() if letter not in lowest and not seat.left and seat.points
        ]
        most = min([most, *(int(loss) - 1 for loss in losses)])
    return list(range(1, most + 1))


def _levels_by_seat(ruleset: Ruleset, raw: bool, base: int, lowest: list[str], seats: PaperSeats) -> dict[str, int]:
    levels = {}
    for letter, seat in seats.items():
        loss, tiles = -int(seat.points or 0), seat.tiles or 0
        if letter in lowest:
            levels[letter] = _rack_value_level(ruleset, base, tiles, seat)
        elif seat.left and loss == 0 and not raw:
            levels[letter] = _LEVEL_FINE if _can_be_at_most(ruleset, base, tiles) else _LEVEL_IMPOSSIBLE
        else:
            levels[letter] = _rack_value_level(ruleset, loss if raw else base + loss, tiles, seat)
    return levels


def _is_one_set(ruleset: Ruleset, raw: bool, base: int, lowest: list[str], seats: PaperSeats) -> bool:
    """Whether one set holds the racks side by side; those that may be flat or are below the lowest hold anything."""
    racks = []
    for letter, seat in seats.items():
        loss, tiles = -int(seat.points or 0), seat.tiles or 0
        value = base if letter in lowest else loss if raw else base + loss
        below = seat.left and loss == 0 and not raw
        flat = bool(marked(seat)) or (is_flat(ruleset, value) and tiles >= ruleset.dealt_tiles)
        if not below and not flat:
            racks.append((value, tiles))
    return not any(judge_racks_together(ruleset, racks))


def _rack_value_level(ruleset: Ruleset, value: int, tiles: int, seat: PaperSeat) -> int:
    ruled = ruled_value(ruleset, seat)
    holding = classify_rack_value(ruleset, value, tiles, ruled)
    if holding in ("face", "flat") or (holding == "ruling" and ruled is not None):
        return _LEVEL_FINE
    return _LEVEL_NEEDS_RULING if holding == "ruling" else _LEVEL_IMPOSSIBLE


def _can_be_at_most(ruleset: Ruleset, value: int, tiles: int) -> bool:
    flats = [flat for flat in (ruleset.unopened_unable, ruleset.unopened_able) if flat is not None]
    unopened = tiles >= ruleset.dealt_tiles and any(flat <= value for flat in flats)
    by_ruling = any(flat <= value for flat in flat_values(ruleset))
    return unopened or by_ruling or face_bounds(ruleset, tiles)[0] <= value
