"""Who takes part in each game of a sheet (R6, R62): seats that are empty, absent, or have left.

A leaver's running game counts with the rack frozen; from then on the seat is empty. Nobody else may be
absent, and who is gone does not come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring import problems as code
from scoring.entry import (
    ENDING_NOT_PLAYED,
    GAME_ENDINGS,
    GameEntry,
    SeatEntry,
    SheetEntry,
    fold_typed_text,
    is_blank_cell,
)
from scoring.paper import make_problem
from scoring.problems import SEVERITY_WARNING, SheetProblem
from scoring.values import ALL_SEAT_LETTERS

MIN_PLAYERS = 2
_CELLS = ("win", "points", "rack", "face_value", "tiles")


@dataclass(frozen=True, slots=True)
class Attendance:
    """For each game who takes part, by letter in order (none in a game not played), and the problems."""

    players: tuple[Mapping[str, SeatEntry], ...]
    problems: tuple[SheetProblem, ...]


def judge_attendance(entry: SheetEntry) -> Attendance:
    """Go through the games in order; each seat's absence is judged by the records and by the games before."""
    players: list[dict[str, SeatEntry]] = []
    found: list[SheetProblem] = []
    gone: dict[str, int] = {}
    for place, game in enumerate(entry.games):
        if game.ended_by == ENDING_NOT_PLAYED:
            found += _judge_not_played(place, game)
            players.append({})
            continue
        present: dict[str, SeatEntry] = {}
        for letter in ALL_SEAT_LETTERS:
            seat = game.seats.get(letter, SeatEntry())
            where = f"games[{place}].seats.{letter}"
            found += _judge_presence(entry, letter, seat, where, gone.get(letter))
            if _takes_part(entry, letter, seat, letter in gone):
                present[letter] = replace(seat, absent=False)
            if letter not in gone and (seat.absent or seat.left):
                gone[letter] = place
        staying = sum(not seat.left for seat in present.values())
        if staying < MIN_PLAYERS:
            found.append(make_problem(code.TOO_FEW_PLAYERS, f"games[{place}]", players=staying))
        players.append(present)
    found += _judge_leavers(entry, players, gone)
    return Attendance(tuple(players), tuple(found))


def first_filled(seat: SeatEntry) -> tuple[str, str] | None:
    """The first cell (name, text) with a figure other than 0, or with words; None where the seat has none."""
    words = [
        (f"turns[{place}].{name}", text)
        for place, turn in enumerate(seat.turns)
        for name, text in (("own", turn.own), ("rearranged", turn.rearranged))
    ]
    cells = [*words, *((name, str(getattr(seat, name))) for name in _CELLS)]
    return next(
        ((name, text) for name, text in cells if not is_blank_cell(text) and fold_typed_text(text) != "0"), None
    )


def is_untouched(game: GameEntry) -> bool:
    """Nothing at all was typed in this row."""
    cells = [getattr(seat, name) for seat in game.seats.values() for name in _CELLS]
    cells += [text for seat in game.seats.values() for turn in seat.turns for text in (turn.own, turn.rearranged)]
    return game.ended_by not in GAME_ENDINGS and all(is_blank_cell(text) for text in cells)


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
) -> Iterable[SheetProblem]:
    filled = first_filled(seat)
    may_go = letter in entry.leavers or letter not in entry.seats
    if seat.left and seat.absent:
        yield make_problem(code.LEFT_AND_ABSENT, f"{where}.left")
    elif not may_go and gone_in is None and (seat.left or seat.absent):
        yield make_problem(code.NOT_RECORDED_AS_LEFT, f"{where}.{'left' if seat.left else 'absent'}")
    if seat.absent and filled is not None:
        yield make_problem(code.ABSENT_FILLED, f"{where}.{filled[0]}", typed=filled[1])
    elif not seat.absent and gone_in is not None and (filled is not None or seat.left):
        yield make_problem(code.PLAYS_AFTER_LEAVING, f"{where}.absent", earlier=gone_in + 1)
    elif not seat.absent and may_go and letter not in entry.leavers and not seat.left and filled is not None:
        yield make_problem(code.EMPTY_SEAT_FILLED, f"{where}.{filled[0]}", typed=filled[1])


def _judge_not_played(place: int, game: GameEntry) -> Iterable[SheetProblem]:
    for letter in ALL_SEAT_LETTERS:
        filled = first_filled(game.seats.get(letter, SeatEntry()))
        if filled is not None:
            yield make_problem(code.NOT_PLAYED_FILLED, f"games[{place}].seats.{letter}.{filled[0]}", typed=filled[1])
            return


def _judge_leavers(
    entry: SheetEntry, players: list[dict[str, SeatEntry]], gone: Mapping[str, int]
) -> Iterable[SheetProblem]:
    """Recorded as having left, and yet there in every game: perhaps the game of leaving was not marked."""
    played = [present for game, present in zip(entry.games, players, strict=True) if game.ended_by in GAME_ENDINGS]
    for letter in sorted(entry.leavers & set(entry.seats)):
        if letter not in gone and len(played) == len(entry.games) and played:
            yield make_problem(code.LEAVER_PLAYED_ALL, f"totals.{letter}", SEVERITY_WARNING)
