"""Writes played games down as a clerk types them from the paper: win, points, tiles, and the row 總結."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from scoring.values import GameScore, SeatScore
from tournament.demo.playing import GAME_NOT_PLAYED, DemoGame
from tournament.demo.words import DemoTurn


def points_as_written(points: Fraction) -> str:
    """As people write them: +30, -5, 11.5, 3 1/3."""
    size = abs(points)
    sign = "-" if points < 0 else "+" if points > 0 else ""
    whole, rest = divmod(size.numerator, size.denominator)
    if not rest:
        return f"{sign}{whole}"
    if size.denominator == 2:
        return f"{sign}{whole}.5"
    return f"{sign}{whole} {rest}/{size.denominator}" if whole else f"{sign}{rest}/{size.denominator}"


def scored_cells(score: SeatScore) -> dict[str, str]:
    """What the paper has of one seat in one game."""
    return {"win": str(score.win), "points": points_as_written(score.points), "tiles": str(score.tiles)}


def seat_cells(game: DemoGame, seat: str) -> dict[str, Any]:
    """One seat in one game; `absent` where the seat is empty in it."""
    rack = next((rack for rack in game.racks if rack.seat == seat), None)
    if game.ended_by == GAME_NOT_PLAYED:
        return {}
    if rack is None or game.score is None:
        return {"absent": True}
    return {**scored_cells(game.score.seats[seat]), **({"left": True} if rack.left else {})}


def total_cells(scores: Sequence[GameScore], seat: str) -> dict[str, str]:
    """The row 總結 of one seat."""
    mine = [score.seats[seat] for score in scores if seat in score.seats]
    return {
        "wins": str(sum(score.win for score in mine)),
        "points": points_as_written(sum((score.points for score in mine), Fraction(0))),
        "tiles": str(sum(score.tiles for score in mine)),
    }


def typed_sheet_of_words(game: DemoGame, seats: Sequence[str]) -> dict[str, Any]:
    """A sheet of turns in the same shape: the words of each turn, the jokers left, the totals."""
    played = {seat: words for seat, words in (game.words or {}).items() if seat in seats}
    cells = {
        seat: {"turns": [turn_cells(turn) for turn in words.turns], "tiles": str(words.jokers)}
        for seat, words in played.items()
    }
    totals = {seat: {"points": str(words.total)} for seat, words in played.items()}
    return {"games": [{"ended_by": game.ended_by, "starter": game.starter, "seats": cells}], "totals": totals}


def turn_cells(turn: DemoTurn) -> dict[str, Any]:
    """One turn as it is written."""
    return {"own": " ".join(turn.own), "rearranged": " ".join(turn.rearranged), "emptied": turn.emptied}


def typed_sheet_of_games(games: Sequence[DemoGame], seats: Sequence[str]) -> dict[str, Any]:
    """The sheet in the shape that `services.scoresheets` takes: games and totals, every figure a text."""
    if games[0].words is not None:
        return typed_sheet_of_words(games[0], seats)
    scores = [game.score for game in games if game.score is not None]
    return {
        "games": [
            {
                "ended_by": game.ended_by,
                "starter": game.starter,
                "seats": {seat: seat_cells(game, seat) for seat in seats},
            }
            for game in games
        ],
        "totals": {seat: total_cells(scores, seat) for seat in seats},
    }
