"""The games of a play-off: each is judged as a game of a scoresheet, and they alone give the order (R37, R39)."""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.entry import GAME_ENDINGS, GameEntry, SeatEntry, SheetEntry
from scoring.podium import PodiumTie, order_by_play_off
from scoring.problems import SEVERITY_ERROR, SheetProblem
from scoring.ruleset import Ruleset
from scoring.rulings import rulings_left_open
from scoring.sheet import SheetCheck, check_sheet
from scoring.turn_totals import check_turn_totals
from scoring.values import ALL_SEAT_LETTERS, Tally
from tournament.core.errors import BadInput
from tournament.core.numberformat import QUANTITY_TWELFTHS, from_twelfths

PLAY_OFF_MIN_PLAYERS = 2

PlayOffGameInput = Mapping[str, Any]
"""`ended_by`, `ruling` where the chief judge ruled on it, and `lines`: of each player `entrant` (a number), `win`,
`points`, `tiles` as they stand on the paper."""
PlayOffGames = Sequence[Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class PlayOffCheck:
    """What is wrong and what is unusual in the games, by game and seat; the players sit in the order of their lines."""

    mend: tuple[SheetProblem, ...]
    look: tuple[SheetProblem, ...]


def check_play_off_games(
    ruleset: Ruleset, games: Sequence[PlayOffGameInput], among: Collection[int]
) -> list[list[dict[str, Any]]]:
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
    return [stored_play_off_game(game, check) for game, check in zip(games, checks, strict=True)]


def _check_players(players: Sequence[int], among: Collection[int]) -> None:
    fits = (
        PLAY_OFF_MIN_PLAYERS <= len(players) <= len(ALL_SEAT_LETTERS)
        and len(set(players)) == len(players)
        and set(players) <= set(among)
    )
    if not fits:
        raise BadInput("wrong_play_off", _("A game of the play-off has two to four of the tied, each once."))


def play_off_rulings(ruleset: Ruleset) -> list[str]:
    """The rulings that some game of a play-off may need under these rules, whichever way it ends."""
    return list(dict.fromkeys(one for ended_by in GAME_ENDINGS for one in rulings_left_open(ruleset, ended_by)))


def check_game(ruleset: Ruleset, game: PlayOffGameInput) -> SheetCheck:
    """One game judged as a paper scoresheet of one game under the stage's rules; of a game whose sheet counts turns
    the totals are written down."""
    ended_by = game["ended_by"] if game["ended_by"] in GAME_ENDINGS else ""
    seats = dict(zip(ALL_SEAT_LETTERS, (play_off_seat_entry(line) for line in game["lines"]), strict=False))
    entry = SheetEntry("paper", tuple(seats), games=(GameEntry(ended_by, seats, ruling=game.get("ruling", "")),))
    rules = dataclasses.replace(ruleset, games=1)
    return check_turn_totals(rules, entry) if rules.counts_turns else check_sheet(rules, entry)


def play_off_seat_entry(line: Mapping[str, Any]) -> SeatEntry:
    """One line of a play-off as the rules read a seat of a sheet."""
    return SeatEntry(win=str(line["win"]), points=str(line["points"]), tiles=str(line["tiles"]))


def check_of(checks: Sequence[SheetCheck]) -> PlayOffCheck:
    """The problems of all games, each at its own; there is no row of totals."""
    mend: list[SheetProblem] = []
    look: list[SheetProblem] = []
    for place, check in enumerate(checks):
        for one in check.problems:
            if one.where.startswith("totals"):
                continue
            here = dataclasses.replace(one, where=one.where.replace("games[0]", f"games[{place}]", 1))
            (mend if one.weight == SEVERITY_ERROR else look).append(here)
    return PlayOffCheck(tuple(mend), tuple(look))


def stored_play_off_game(game: PlayOffGameInput, check: SheetCheck) -> list[dict[str, Any]]:
    """A play-off game as it is stored: one dict a seat, points in twelfths; a ruling stands with each of them."""
    read = check.games[0]
    ruled = {"ruling": read.ruling} if read.ruling else {}
    lines = zip(game["lines"], ALL_SEAT_LETTERS, strict=False)
    return [
        {
            "entrant": line["entrant"],
            "win": read.seats[letter].win,
            "points_twelfths": int((read.seats[letter].points or Fraction(0)) * QUANTITY_TWELFTHS),
            "tiles": read.seats[letter].tiles,
            "ended_by": read.ended_by,
            **ruled,
        }
        for line, letter in lines
    ]


# --- The order that they give ---------------------------------------------------------------------------
def order_played(
    ruleset: Ruleset, contest: PodiumTie, games: PlayOffGames, given: Sequence[str], owner: Mapping[int, str]
) -> tuple[str, ...]:
    """The order that the games give (scoring.podium); refuses games that leave all of them level.

    `owner`: for whom of the contest each entrant played. `given`: the chief judge's order, needed where not all who
    came played as many games, since nothing in the games tells who left from who had no need to play on.
    """
    rules = dataclasses.replace(ruleset, games=None)
    tallies = [play_off_tally(id, [line for game in games for line in game if owner[line["entrant"]] == id])
               for id in contest.ids]  # fmt: skip
    most = max(tally.games for tally in tallies)
    through = [tally for tally in tallies if tally.games == most]
    if any(0 < tally.games < most for tally in tallies):
        among = dataclasses.replace(contest, ids=tuple(tally.id for tally in through))
        return check_uneven_play_off_order(given, order_by_play_off(rules, among, through), through)
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


def play_off_other_order_error() -> BadInput:
    """The order that was written is not the one that follows."""
    return BadInput("not_this_order", _("This seed or these games give another order: leave the order to them."))


def play_off_tally(id: str, lines: Sequence[Mapping[str, Any]]) -> Tally:
    """An entrant's sum over the games of a play-off."""
    points = sum((from_twelfths(line["points_twelfths"]) for line in lines), Fraction(0))
    wins, tiles = (sum(line[name] for line in lines) for name in ("win", "tiles"))
    return Tally(id, len(lines), wins, points, tiles)


def check_uneven_play_off_order(
    order: Sequence[str], played: tuple[str, ...], through: Collection[Tally]
) -> tuple[str, ...]:
    """The order as the chief judge gives it, those who played it `through` in the order of their games."""
    if not order:
        raise BadInput(
            "play_off_uneven",
            _("Not all have played as many games: give the order too. Who left stands after all who played on."),
        )
    ids = {tally.id for tally in through}
    among = tuple(id for id in order if id in ids)
    if among[: len(played)] != played[: len(among)]:
        raise play_off_other_order_error()
    return tuple(order)
