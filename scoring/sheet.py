"""Everything wrong with a sheet, all at once (R28-R31, R41, the row 總結).

`check_sheet` judges a sheet as typed. It never stops at the first fault and never changes what was
typed: what is impossible is a problem to mend, what is unusual a problem that a person confirms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoring import problems as code
from scoring.attendance import LEAST_PLAYERS, attend, is_untouched
from scoring.entry import (
    GAME_ENDINGS,
    NOT_PLAYED,
    GameEntry,
    SeatEntry,
    SheetEntry,
    TotalEntry,
    fold,
    is_empty,
    read_whole,
)
from scoring.paper import PaperSeat, problem
from scoring.problems import LOOK, MEND, Problem, Refusal
from scoring.racks import RacksRead, read_racks
from scoring.ruleset import Ruleset
from scoring.totals import COLUMNS, Column, Parts, judge_strangers, judge_totals, speaks_for, total_of
from scoring.transcript import RowRead, Totals, judge_row, read_row, values_for_blanks
from scoring.values import SEATS

FORMS = ("paper", "rack")


@dataclass(frozen=True, slots=True)
class ReadSeat:
    """One seat in one game as it was read; each value None where it could not be. `rack_value` is the
    value of the rack where the sheet tells it (not the differences of a game that nobody finished);
    `because` are the codes of scoring.game in the rack form."""

    win: int | None = None
    points: Fraction | None = None
    tiles: int | None = None
    face_value: int | None = None
    rack: tuple[str, ...] | None = None
    rack_value: int | None = None
    opened: bool = True
    could_open: bool | None = None
    pushed_over: bool = False
    left: bool = False
    absent: bool = False
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadGame:
    """One game as read; `ended_by` and `starter` are "" where they could not be."""

    ended_by: str
    starter: str
    seats: Mapping[str, ReadSeat]


@dataclass(frozen=True, slots=True)
class ReadTotal:
    """What the games of one seat come to, computed; None where a cell of them could not be read."""

    wins: int | None
    points: Fraction | None
    tiles: int | None


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """A sheet as read, its computed totals by letter, and all problems in the order of the sheet."""

    games: tuple[ReadGame, ...]
    totals: Mapping[str, ReadTotal]
    problems: tuple[Problem, ...]

    @property
    def mend(self) -> tuple[Problem, ...]:
        """What is impossible and must be mended."""
        return tuple(problem for problem in self.problems if problem.weight == MEND)

    @property
    def look(self) -> tuple[Problem, ...]:
        """What is unusual and has to be confirmed with a reason."""
        return tuple(problem for problem in self.problems if problem.weight == LOOK)

    @property
    def complete(self) -> bool:
        """Nothing to mend: the sheet may be handed on once what is unusual is confirmed."""
        return not self.mend


def check_sheet(ruleset: Ruleset, entry: SheetEntry) -> SheetCheck:
    """Judge a sheet as typed under a ruleset. Every fault is reported; raises Refusal only for an entry that
    no page can send (an unknown form, letters that are no seats)."""
    _check_entry(entry)
    attendance = attend(entry)
    found = [*_judge_count(ruleset, entry), *attendance.problems]
    games: list[ReadGame] = []
    rows: list[RowRead | None] = []
    for place, game in enumerate(entry.games):
        read, row, faults = _read_game(ruleset, entry.form, game, attendance.players[place])
        games.append(read)
        rows.append(row)
        found += _at_game(place, faults)
    for place, (row_read, row) in enumerate(zip(games, rows, strict=True)):
        if row is not None:
            found += _at_game(place, _judge_paper_row(ruleset, entry, games, place, row))
        found += _at_game(place, _judge_starter(entry.games[place].starter, games[:place], row_read))
    found += [*_judge_order(ruleset, entry, games), *_judge_sameness(games)]
    part_takers = [letter for letter in SEATS if letter in entry.seats or any(letter in game.seats for game in games)]
    columns = [column for letter in part_takers for column in _columns(entry, games, rows, letter)]
    optional = frozenset(part_takers if entry.form == "rack" else entry.leavers - set(entry.seats))
    optional |= entry.leavers
    if all(game.ended_by == NOT_PLAYED for game in games):
        optional = frozenset(SEATS)
    found = judge_totals(columns, found, optional=optional)
    found += judge_strangers(entry.totals, [letter for letter in SEATS if letter not in part_takers])
    totals = {letter: _total(games, letter) for letter in part_takers}
    return SheetCheck(tuple(games), totals, tuple(sorted(found, key=_place_on_sheet)))


def _check_entry(entry: SheetEntry) -> None:
    if entry.form not in FORMS:
        raise Refusal("form", f"must be one of {', '.join(FORMS)}")
    letters = {"seats": entry.seats, "leavers": entry.leavers, "totals": entry.totals}
    letters |= {f"games[{place}].seats": game.seats for place, game in enumerate(entry.games)}
    for where, given in letters.items():
        for letter in given:
            if letter not in SEATS:
                raise Refusal(where, f"{letter} is no seat")


# --- One row --------------------------------------------------------------------------------------------


def _read_game(
    ruleset: Ruleset, form: str, game: GameEntry, players: Mapping[str, SeatEntry]
) -> tuple[ReadGame, RowRead | None, Sequence[Problem]]:
    """The row as read; the figures of a paper row still to be judged; the problems of reading it."""
    ended_by = game.ended_by if game.ended_by in (*GAME_ENDINGS, NOT_PLAYED) else ""
    starter = _read_starter(game.starter)
    absent = {letter: ReadSeat(absent=True) for letter, seat in game.seats.items() if seat.absent}
    if ended_by == NOT_PLAYED:
        return ReadGame(NOT_PLAYED, "", {}), None, ()
    if game.ended_by != ended_by:
        bad = problem(code.UNREADABLE, "ended_by", typed=game.ended_by)
        return ReadGame("", starter, {letter: ReadSeat() for letter in players} | absent), None, (bad,)
    if is_untouched(game):
        missing = problem(code.ENDING_MISSING, "ended_by", fits=())
        return ReadGame("", starter, {letter: ReadSeat() for letter in players} | absent), None, (missing,)
    too_few = sum(not seat.left for seat in players.values()) < LEAST_PLAYERS
    if form == "rack" and too_few:
        return ReadGame(ended_by, starter, {letter: ReadSeat() for letter in players} | absent), None, ()
    if form == "rack":
        racks = read_racks(ruleset, ended_by, players)
        return ReadGame(ended_by, starter, _from_racks(racks) | absent), None, racks.problems
    row = read_row(ruleset, ended_by, players)
    seats = {letter: _from_paper(ended_by, players[letter], seat) for letter, seat in row.seats.items()}
    return ReadGame(ended_by, starter, seats | absent), row, () if not too_few else row.problems


def _judge_paper_row(
    ruleset: Ruleset, entry: SheetEntry, games: Sequence[ReadGame], place: int, row: RowRead
) -> Sequence[Problem]:
    if sum(not seat.left for seat in row.seats.values()) < LEAST_PLAYERS:
        return ()

    def speak_for(letter: str, points: Fraction) -> bool:
        parts = [*_parts(games, letter, "points")]
        parts[place] = points
        return speaks_for(entry.totals.get(letter, TotalEntry()).points, total_of(tuple(parts)))

    left_for = {letter: _tiles_left_for(entry, games, place, letter) for letter in row.seats}
    totals = Totals(speak_for, {letter: tiles for letter, tiles in left_for.items() if tiles is not None})
    due = values_for_blanks(ruleset, games[place].ended_by, row.seats)
    reading = [
        replace(one, facts={**one.facts, "suggest": due[one.where]}) if one.where in due else one
        for one in row.problems
    ]
    return (*reading, *judge_row(ruleset, games[place].ended_by, row.seats, totals))


def _from_paper(ended_by: str, entry: SeatEntry, seat: PaperSeat) -> ReadSeat:
    value = None
    if ended_by == "rummikub" and seat.points is not None and seat.points.denominator == 1:
        value = 0 if seat.tiles == 0 else max(0, -int(seat.points))
    return ReadSeat(seat.win, seat.points, seat.tiles, rack_value=value, pushed_over=entry.pushed_over, left=entry.left)


def _from_racks(racks: RacksRead) -> dict[str, ReadSeat]:
    seats = {}
    for letter, seat in racks.seats.items():
        score = racks.score.seats[letter] if racks.score is not None else None
        seats[letter] = ReadSeat(
            win=score.win if score else None,
            points=score.points if score else None,
            tiles=seat.tiles,
            face_value=seat.face_value,
            rack=seat.rack,
            rack_value=score.rack_value if score else None,
            opened=seat.entry.opened,
            could_open=seat.entry.could_open,
            pushed_over=seat.entry.pushed_over,
            left=seat.entry.left,
            because=score.because if score else (),
        )
    return seats


# --- The rows side by side ------------------------------------------------------------------------------


def _judge_count(ruleset: Ruleset, entry: SheetEntry) -> Iterable[Problem]:
    expected = ruleset.games if ruleset.games is not None else max(1, len(entry.games))
    if len(entry.games) != expected:
        yield problem(code.GAMES_COUNT, "games", given=len(entry.games), expected=expected)


def _judge_order(ruleset: Ruleset, entry: SheetEntry, games: Sequence[ReadGame]) -> Iterable[Problem]:
    """A game cut off by the clock is the last; what is not played comes after what is (R31)."""
    played = [place for place, game in enumerate(entry.games) if game.ended_by != NOT_PLAYED and not is_untouched(game)]
    for place, game in enumerate(games):
        later = next((other for other in played if other > place), None)
        if game.ended_by == NOT_PLAYED and later is not None:
            yield problem(code.PLAYED_AFTER_NOT_PLAYED, f"games[{place}]", later=later + 1)
        if game.ended_by == "time" and later is not None and ruleset.minutes is not None:
            yield problem(code.PLAYED_AFTER_TIME, f"games[{later}].ended_by", earlier=place + 1)
    if games and all(game.ended_by == NOT_PLAYED for game in games):
        yield problem(code.NOTHING_PLAYED, "games", LOOK)


def _judge_sameness(games: Sequence[ReadGame]) -> Iterable[Problem]:
    """The very figures of an earlier game: perhaps one row was typed twice."""
    seen: dict[tuple[object, ...], int] = {}
    for place, game in enumerate(games):
        figures = tuple((letter, seat.win, seat.points, seat.tiles) for letter, seat in game.seats.items())
        if game.ended_by in ("", NOT_PLAYED) or any(None in cells for cells in figures):
            continue
        if figures in seen:
            yield problem(code.SAME_AS_GAME, f"games[{place}]", LOOK, earlier=seen[figures] + 1)
        seen.setdefault(figures, place)


def _read_starter(text: str) -> str:
    letter = fold(text).upper()
    return letter if letter in SEATS else ""


def _judge_starter(text: str, before: Sequence[ReadGame], game: ReadGame) -> Iterable[Problem]:
    """The last game's winner starts; after a joint win one of the winners."""
    if is_empty(text) or game.ended_by == NOT_PLAYED:
        return
    players = [letter for letter, seat in game.seats.items() if not seat.absent]
    played = [earlier for earlier in before if earlier.ended_by != NOT_PLAYED]
    last = played[-1].seats if played else {}
    winners = tuple(letter for letter, seat in last.items() if seat.win == 1 and letter in players)
    if not game.starter:
        yield problem(code.UNREADABLE, "starter", typed=text)
    elif game.starter not in players:
        yield problem(code.STARTER_NOT_PLAYING, "starter", starter=game.starter)
    elif winners and game.starter not in winners:
        yield problem(code.STARTER_NOT_WINNER, "starter", LOOK, starter=game.starter, winners=winners)


# --- The row 總結 ----------------------------------------------------------------------------------------


def _parts(games: Sequence[ReadGame], letter: str, cell: str) -> Parts:
    """What each game gives one seat: 0 where it takes no part (a game not played counts 0, 0, 0)."""
    taking = (game.seats.get(letter, ReadSeat(absent=True)) for game in games)
    return tuple(0 if seat.absent else getattr(seat, cell) for seat in taking)


def _tiles_left_for(entry: SheetEntry, games: Sequence[ReadGame], place: int, letter: str) -> int | None:
    """What the typed total of tiles leaves for one game; None where it or another game cannot be read."""
    typed = read_whole(entry.totals.get(letter, TotalEntry()).tiles)
    parts = [*_parts(games, letter, "tiles")]
    parts[place] = 0
    others = total_of(tuple(parts))
    return None if typed is None or others is None or typed < others else int(typed - others)


def _columns(
    entry: SheetEntry, games: Sequence[ReadGame], rows: Sequence[RowRead | None], letter: str
) -> Iterable[Column]:
    typed = entry.totals.get(letter, TotalEntry())
    for name, cell in COLUMNS.items():
        parts = _parts(games, letter, cell)
        written = parts
        if cell == "points":
            literal = [row.written.get(letter) if row is not None else None for row in rows]
            written = tuple(part if one is None else one for part, one in zip(parts, literal, strict=True))
        yield Column(letter, name, str(getattr(typed, name)), parts, written)


def _total(games: Sequence[ReadGame], letter: str) -> ReadTotal:
    wins, points, tiles = (total_of(_parts(games, letter, cell)) for cell in COLUMNS.values())
    return ReadTotal(None if wins is None else int(wins), points, None if tiles is None else int(tiles))


# --- In the order of the sheet --------------------------------------------------------------------------

_FIELDS = (
    "absent",
    "left",
    "wins",
    "win",
    "points",
    "rack",
    "face_value",
    "tiles",
    "opened",
    "could_open",
    "pushed_over",
)
_PLACE = re.compile(r"(games|totals)(?:\[(\d+)\])?(?:\.(?:seats\.)?([A-D])(?:\.(\w+))?|\.(\w+))?")


def _at_game(place: int, found: Iterable[Problem]) -> list[Problem]:
    return [replace(one, where=f"games[{place}].{one.where}".removesuffix(".")) for one in found]


def _place_on_sheet(one: Problem) -> tuple[int, int, int, str, int]:
    """Rows from the top, in a row its head, its cells from the left, then what concerns all of it; 總結 last."""
    found = _PLACE.fullmatch(one.where)
    if found is None:
        return (2, 0, 0, "", 0)
    part, row, letter, field, head = found.groups()
    in_row = 0 if head or (row is None and letter is None) else 1 if letter else 2
    return (part == "totals", int(row or -1), in_row, letter or head or "", _FIELDS.index(field) if field else -1)
