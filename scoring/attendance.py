"""Who takes part in each game of a sheet (R6, leavers): seats that are empty, absent, or have left.

A leaver's running game counts with the rack frozen; from then on the seat is empty. Nobody else may be
absent, and who is gone does not come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring import problems as code
from scoring.entry import GAME_ENDINGS, NOT_PLAYED, GameEntry, SeatEntry, SheetEntry, fold, is_empty
from scoring.paper import problem
from scoring.problems import LOOK, Problem
from scoring.values import SEATS

LEAST_PLAYERS = 2
_CELLS = ("win", "points", "rack", "face_value", "tiles")


@dataclass(frozen=True, slots=True)
class Attendance:
    """For each game who takes part, by letter in order (none in a game not played), and the problems."""

    players: tuple[Mapping[str, SeatEntry], ...]
    problems: tuple[Problem, ...]


def attend(entry: SheetEntry) -> Attendance:
    """Go through the games in order; each seat's absence is judged by the records and by the games before."""
    players: list[dict[str, SeatEntry]] = []
    found: list[Problem] = []
    gone: dict[str, int] = {}
    for place, game in enumerate(entry.games):
        if game.ended_by == NOT_PLAYED:
            found += _judge_not_played(place, game)
            players.append({})
            continue
        present: dict[str, SeatEntry] = {}
        for letter in SEATS:
            seat = game.seats.get(letter, SeatEntry())
            where = f"games[{place}].seats.{letter}"
            found += _judge_presence(entry, letter, seat, where, gone.get(letter))
            if _takes_part(entry, letter, seat, letter in gone):
                present[letter] = replace(seat, absent=False)
            if letter not in gone and (seat.absent or seat.left):
                gone[letter] = place
        staying = sum(not seat.left for seat in present.values())
        if staying < LEAST_PLAYERS:
            found.append(problem(code.TOO_FEW_PLAYERS, f"games[{place}]", players=staying))
        players.append(present)
    found += _judge_leavers(entry, players, gone)
    return Attendance(tuple(players), tuple(found))


def first_filled(seat: SeatEntry) -> tuple[str, str] | None:
    """The first cell (name, text) with a figure other than 0; None where the seat has none."""
    cells = ((name, str(getattr(seat, name))) for name in _CELLS)
    return next(((name, text) for name, text in cells if not is_empty(text) and fold(text) != "0"), None)


def is_untouched(game: GameEntry) -> bool:
    """Nothing at all was typed in this row."""
    cells = (getattr(seat, name) for seat in game.seats.values() for name in _CELLS)
    return game.ended_by not in GAME_ENDINGS and all(is_empty(text) for text in cells)


def _takes_part(entry: SheetEntry, letter: str, seat: SeatEntry, is_gone: bool) -> bool:
    if seat.absent:
        return False
    if letter in entry.seats and not is_gone:
        return True
    known = letter in entry.seats or letter in entry.leavers
    if is_gone:
        return known and first_filled(seat) is not None
    return seat.left or (known and first_filled(seat) is not None)


def _judge_presence(
    entry: SheetEntry, letter: str, seat: SeatEntry, where: str, gone_in: int | None
) -> Iterable[Problem]:
    filled = first_filled(seat)
    may_go = letter in entry.leavers or letter not in entry.seats
    if seat.left and seat.absent:
        yield problem(code.LEFT_AND_ABSENT, f"{where}.left")
    elif not may_go and gone_in is None and (seat.left or seat.absent):
        yield problem(code.NOT_RECORDED_AS_LEFT, f"{where}.{'left' if seat.left else 'absent'}")
    if seat.absent and filled is not None:
        yield problem(code.ABSENT_FILLED, f"{where}.{filled[0]}", typed=filled[1])
    elif not seat.absent and gone_in is not None and (filled is not None or seat.left):
        yield problem(code.PLAYS_AFTER_LEAVING, f"{where}.absent", earlier=gone_in + 1)
    elif not seat.absent and may_go and letter not in entry.leavers and not seat.left and filled is not None:
        yield problem(code.EMPTY_SEAT_FILLED, f"{where}.{filled[0]}", typed=filled[1])


def _judge_not_played(place: int, game: GameEntry) -> Iterable[Problem]:
    for letter in SEATS:
        filled = first_filled(game.seats.get(letter, SeatEntry()))
        if filled is not None:
            yield problem(code.NOT_PLAYED_FILLED, f"games[{place}].seats.{letter}.{filled[0]}", typed=filled[1])
            return


def _judge_leavers(
    entry: SheetEntry, players: list[dict[str, SeatEntry]], gone: Mapping[str, int]
) -> Iterable[Problem]:
    """Recorded as having left, and yet there in every game: perhaps the game of leaving was not marked."""
    played = [present for game, present in zip(entry.games, players, strict=True) if game.ended_by in GAME_ENDINGS]
    for letter in sorted(entry.leavers & set(entry.seats)):
        if letter not in gone and len(played) == len(entry.games) and played:
            yield problem(code.LEAVER_PLAYED_ALL, f"totals.{letter}", LOOK)
