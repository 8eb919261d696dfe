"""The games of a play-off: each is judged as a game of a scoresheet, and they alone give the order (R37, R39)."""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.entry import GAME_ENDINGS, GameEntry, SeatEntry, SheetEntry
from scoring.podium import Contest, order_by_play_off
from scoring.problems import MEND, Problem
from scoring.ruleset import Ruleset
from scoring.sheet import SheetCheck, check_sheet
from scoring.values import SEATS, Tally
from tournament.errors import BadInput
from tournament.quantities import TWELFTHS, from_twelfths

FEWEST = 2

GameGiven = Mapping[str, Any]
"""`ended_by`, and `lines`: of each player `entrant` (a number), `win`, `points`, `tiles` as they stand on the paper."""
Games = Sequence[Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class PlayOffCheck:
    """What is wrong and what is unusual in the games, by game and seat; the players sit in the order of their lines."""

    mend: tuple[Problem, ...]
    look: tuple[Problem, ...]


def games_of(ruleset: Ruleset, games: Sequence[GameGiven], among: Collection[int]) -> list[list[dict[str, Any]]]:
    """The games as they are kept, points in whole twelfths.

    BadInput: `play_off_missing`, `wrong_play_off` (not two to four of these), `play_off_impossible` with a
    PlayOffCheck in `about`.
    """
    if not games:
        raise BadInput("play_off_missing", _("Write down the games of the play-off: they give the order."))
    for game in games:
        _check_players([line["entrant"] for line in game["lines"]], among)
    checks = [check_game(ruleset, game) for game in games]
    found = check_of(checks)
    if found.mend:
        raise BadInput(
            "play_off_impossible",
            _("These games cannot be as they are written. Compare with the paper and put right what is marked."),
            about=found,
        )
    return [_kept(game, check) for game, check in zip(games, checks, strict=True)]


def _check_players(players: Sequence[int], among: Collection[int]) -> None:
    fits = FEWEST <= len(players) <= len(SEATS) and len(set(players)) == len(players) and set(players) <= set(among)
    if not fits:
        raise BadInput("wrong_play_off", _("A game of the play-off has two to four of the tied, each once."))


def check_game(ruleset: Ruleset, game: GameGiven) -> SheetCheck:
    """One game judged as a paper scoresheet of one game under the stage's rules."""
    ended_by = game["ended_by"] if game["ended_by"] in GAME_ENDINGS else ""
    seats = dict(zip(SEATS, (_seat(line) for line in game["lines"]), strict=False))
    entry = SheetEntry("paper", tuple(seats), games=(GameEntry(ended_by, seats),))
    return check_sheet(dataclasses.replace(ruleset, games=1), entry)


def _seat(line: Mapping[str, Any]) -> SeatEntry:
    return SeatEntry(win=str(line["win"]), points=str(line["points"]), tiles=str(line["tiles"]))


def check_of(checks: Sequence[SheetCheck]) -> PlayOffCheck:
    """The problems of all games, each at its own; there is no row of totals."""
    mend, look = [], []
    for place, check in enumerate(checks):
        for one in check.problems:
            if one.where.startswith("totals"):
                continue
            here = dataclasses.replace(one, where=one.where.replace("games[0]", f"games[{place}]", 1))
            (mend if one.weight == MEND else look).append(here)
    return PlayOffCheck(tuple(mend), tuple(look))


def _kept(game: GameGiven, check: SheetCheck) -> list[dict[str, Any]]:
    read = check.games[0]
    lines = zip(game["lines"], SEATS, strict=False)
    return [
        {
            "entrant": line["entrant"],
            "win": read.seats[letter].win,
            "points_twelfths": int((read.seats[letter].points or Fraction(0)) * TWELFTHS),
            "tiles": read.seats[letter].tiles,
            "ended_by": read.ended_by,
        }
        for line, letter in lines
    ]


# --- The order that they give ---------------------------------------------------------------------------
def order_played(
    ruleset: Ruleset, contest: Contest, games: Games, given: Sequence[str], owner: Mapping[int, str]
) -> tuple[str, ...]:
    """The order that the games give (scoring.podium); refuses games that leave all of them level.

    `owner`: for whom of the contest each entrant played. `given`: the chief judge's order, needed where not all who
    came played as many games, since nothing in the games tells who left from who had no need to play on.
    """
    rules = dataclasses.replace(ruleset, games=None)
    tallies = [_tally(id, [line for game in games for line in game if owner[line["entrant"]] == id])
               for id in contest.ids]  # fmt: skip
    most = max(tally.games for tally in tallies)
    through = [tally for tally in tallies if tally.games == most]
    if any(0 < tally.games < most for tally in tallies):
        among = dataclasses.replace(contest, ids=tuple(tally.id for tally in through))
        return _given(given, order_by_play_off(rules, among, through), through)
    order = order_by_play_off(rules, contest, tallies)
    if not order:
        raise play_off_level()
    return order


def play_off_level() -> BadInput:
    """The games part too few."""
    return BadInput(
        "play_off_level",
        _("These games leave nobody first. Let them play on, or decide by lots or by choice."),
    )


def other_order() -> BadInput:
    """The order that was written is not the one that follows."""
    return BadInput("not_this_order", _("This seed or these games give another order: leave the order to them."))


def _tally(id: str, lines: Sequence[Mapping[str, Any]]) -> Tally:
    points = sum((from_twelfths(line["points_twelfths"]) for line in lines), Fraction(0))
    wins, tiles = (sum(line[name] for line in lines) for name in ("win", "tiles"))
    return Tally(id, len(lines), wins, points, tiles)


def _given(order: Sequence[str], played: tuple[str, ...], through: Collection[Tally]) -> tuple[str, ...]:
    """The order as the chief judge gives it, those who played it `through` in the order of their games."""
    if not order:
        raise BadInput(
            "play_off_uneven",
            _("Not all have played as many games: give the order too. Who left stands after all who played on."),
        )
    ids = {tally.id for tally in through}
    among = tuple(id for id in order if id in ids)
    if among[: len(played)] != played[: len(among)]:
        raise other_order()
    return tuple(order)
