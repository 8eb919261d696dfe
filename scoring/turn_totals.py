"""A game of letters by its totals alone, as a play-off is written down: points, jokers left, who wins (R37, R58)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from scoring import problems as code
from scoring.entry import GAME_ENDINGS, SeatEntry, SheetEntry, is_blank_cell, read_typed_points, read_whole_number
from scoring.paper import make_problem
from scoring.problems import SheetProblem
from scoring.ruleset import Ruleset
from scoring.sheet import ReadGame, ReadSeat, SheetCheck, computed_total

MOST_POINTS, FEWER_POINTS = "most_points", "fewer_points"


def check_turn_totals(ruleset: Ruleset, entry: SheetEntry) -> SheetCheck:
    """Judge a sheet whose seats have win, points and tiles, the jokers left, in place of turns: whole points, no more
    jokers than the set has, and the most points win."""
    games: list[ReadGame] = []
    found: list[SheetProblem] = []
    for place, game in enumerate(entry.games):
        seats = {letter: _read_seat(seat) for letter, seat in game.seats.items()}
        ended_by = game.ended_by if game.ended_by in GAME_ENDINGS else ""
        problems = [] if ended_by else [make_problem(code.ENDING_MISSING, "ended_by", fits=())]
        problems += [*_judge_cells(game.seats, seats), *_judge_jokers(ruleset, seats), *_judge_wins(seats)]
        found += [replace(one, where=f"games[{place}].{one.where}".removesuffix(".")) for one in problems]
        games.append(ReadGame(ended_by, "", seats))
    return SheetCheck(tuple(games), {letter: computed_total(games, letter) for letter in entry.seats}, tuple(found))


def _read_seat(seat: SeatEntry) -> ReadSeat:
    points, win = read_typed_points(seat.points), read_whole_number(seat.win)
    whole = points.candidates[0] if points.exact and points.candidates[0].denominator == 1 else None
    return ReadSeat(win if win in (0, 1) else None, whole, read_whole_number(seat.tiles))


def _judge_cells(typed: Mapping[str, SeatEntry], seats: Mapping[str, ReadSeat]) -> Iterable[SheetProblem]:
    for letter, seat in seats.items():
        for cell in ("win", "points", "tiles"):
            if getattr(seat, cell) is None:
                text = str(getattr(typed[letter], cell))
                where = f"seats.{letter}.{cell}"
                blank = is_blank_cell(text)
                yield (
                    make_problem(code.CELL_BLANK, where)
                    if blank
                    else make_problem(code.CELL_UNREADABLE, where, typed=text)
                )


def _judge_jokers(ruleset: Ruleset, seats: Mapping[str, ReadSeat]) -> Iterable[SheetProblem]:
    jokers, most = sum(seat.tiles or 0 for seat in seats.values()), ruleset.tiles.joker_count
    if jokers > most:
        yield make_problem(code.JOKERS_LEFT_BEYOND_SET, "", jokers=jokers, most=most)


def _judge_wins(seats: Mapping[str, ReadSeat]) -> Iterable[SheetProblem]:
    points = [seat.points for seat in seats.values() if seat.points is not None]
    if len(points) < len(seats):
        return
    best = max(points, default=Fraction(0))
    for letter, seat in seats.items():
        due = int(seat.points == best)
        if seat.win is not None and seat.win != due:
            what, why = (code.WIN_MISSING, MOST_POINTS) if due else (code.WIN_NOT_DUE, FEWER_POINTS)
            yield make_problem(what, f"seats.{letter}.win", suggest=due, why=why)
