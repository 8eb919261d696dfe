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
from scoring.attendance import MIN_PLAYERS, is_untouched, judge_attendance
from scoring.entry import (
    ENDING_NOT_PLAYED,
    GAME_ENDINGS,
    GameEntry,
    SeatEntry,
    SheetEntry,
    TotalEntry,
    fold_typed_text,
    is_blank_cell,
    read_whole_number,
)
from scoring.marks import MARKS, Marks, marks_of
from scoring.paper import PaperSeat, lowest_seats, make_problem
from scoring.problems import SEVERITY_ERROR, SEVERITY_WARNING, Refusal, SheetProblem
from scoring.racks import RacksRead, read_racks
from scoring.ruleset import Ruleset
from scoring.rulings import apply_ruling, ask_for_ruling, judge_ruling, rulings_left_open
from scoring.totals import (
    GAME_CELL_OF_TOTAL,
    GameParts,
    TypedTotal,
    judge_totals,
    judge_totals_of_empty_seats,
    matches_typed_total,
    sum_of_parts,
)
from scoring.transcript import RowRead, TypedTotalsOfRow, judge_row, read_row, values_for_blanks
from scoring.values import ALL_SEAT_LETTERS

SHEET_FORMS = ("paper", "rack")


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """One turn as it was read: its words in the letters of the box, what they count; None where a word is at fault."""

    own: tuple[str, ...]
    rearranged: tuple[str, ...]
    emptied: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class ReadSeat(Marks):
    """One seat in one game as it was read; each value None where it could not be. `rack_value` is the
    value of the rack where the sheet tells it (not the differences of a game that nobody finished);
    `because` are the codes of scoring.game in the rack form; `turns` are those of a sheet of turns."""

    win: int | None = None
    points: Fraction | None = None
    tiles: int | None = None
    face_value: int | None = None
    rack: tuple[str, ...] | None = None
    rack_value: int | None = None
    opened: bool = True
    could_open: bool | None = None
    left: bool = False
    absent: bool = False
    because: tuple[str, ...] = ()
    turns: tuple[ReadTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadGame:
    """One game as read; `ended_by` and `starter` are "" where they could not be, `ruling` where there is none;
    `rulings` are those that the ruleset leaves open for a game that ended so."""

    ended_by: str
    starter: str
    seats: Mapping[str, ReadSeat]
    ruling: str = ""
    rulings: tuple[str, ...] = ()


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
    problems: tuple[SheetProblem, ...]

    @property
    def mend(self) -> tuple[SheetProblem, ...]:
        """What is impossible and must be mended."""
        return tuple(problem for problem in self.problems if problem.weight == SEVERITY_ERROR)

    @property
    def look(self) -> tuple[SheetProblem, ...]:
        """What is unusual and has to be confirmed with a reason."""
        return tuple(problem for problem in self.problems if problem.weight == SEVERITY_WARNING)

    @property
    def complete(self) -> bool:
        """Nothing to mend: the sheet may be handed on once what is unusual is confirmed."""
        return not self.mend


def check_sheet(ruleset: Ruleset, entry: SheetEntry) -> SheetCheck:
    """Judge a sheet as typed under a ruleset. Every fault is reported; raises Refusal only for an entry that
    no page can send (an unknown form, letters that are no seats)."""
    _check_entry(entry)
    attendance = judge_attendance(entry)
    found = [*_judge_count(ruleset, entry), *attendance.problems]
    games: list[ReadGame] = []
    rows: list[RowRead | None] = []
    for place, game in enumerate(entry.games):
        ruled = apply_ruling(ruleset, game.ended_by, game.ruling)
        read, row, faults = _read_game(ruled, entry.form, game, attendance.players[place])
        games.append(_with_ruling(ruleset, game, read))
        rows.append(row)
        found += _at_game(place, ask_for_ruling(ruleset, game.ended_by, game.ruling, faults))
    for place, (game, row_read, row) in enumerate(zip(entry.games, games, rows, strict=True)):
        if row is not None:
            ruled = apply_ruling(ruleset, game.ended_by, game.ruling)
            faults = _judge_paper_row(ruled, entry, games, place, row)
            found += _at_game(place, ask_for_ruling(ruleset, game.ended_by, game.ruling, faults))
        found += _at_game(place, judge_ruling(ruleset, row_read.ended_by, game.ruling, _seats_tied(row_read)))
        found += _at_game(place, judge_starter(entry.games[place].starter, games[:place], row_read))
    found += [*_judge_order(ruleset, entry, games), *_judge_sameness(games)]
    part_takers = [
        letter for letter in ALL_SEAT_LETTERS if letter in entry.seats or any(letter in game.seats for game in games)
    ]
    columns = [column for letter in part_takers for column in _typed_total_cells(entry, games, rows, letter)]
    optional = frozenset(part_takers if entry.form == "rack" else entry.leavers - set(entry.seats))
    optional |= entry.leavers
    if all(game.ended_by == ENDING_NOT_PLAYED for game in games):
        optional = frozenset(ALL_SEAT_LETTERS)
    found = judge_totals(columns, found, optional=optional)
    found += judge_totals_of_empty_seats(
        entry.totals, [letter for letter in ALL_SEAT_LETTERS if letter not in part_takers]
    )
    totals = {letter: computed_total(games, letter) for letter in part_takers}
    return SheetCheck(tuple(games), totals, tuple(sorted(found, key=_place_on_sheet)))


def _check_entry(entry: SheetEntry) -> None:
    if entry.form not in SHEET_FORMS:
        raise Refusal("form", f"must be one of {', '.join(SHEET_FORMS)}")
    letters = {"seats": entry.seats, "leavers": entry.leavers, "totals": entry.totals}
    letters |= {f"games[{place}].seats": game.seats for place, game in enumerate(entry.games)}
    for where, given in letters.items():
        for letter in given:
            if letter not in ALL_SEAT_LETTERS:
                raise Refusal(where, f"{letter} is no seat")


# --- One row --------------------------------------------------------------------------------------------


def _read_game(
    ruleset: Ruleset, form: str, game: GameEntry, players: Mapping[str, SeatEntry]
) -> tuple[ReadGame, RowRead | None, Sequence[SheetProblem]]:
    """The row as read; the figures of a paper row still to be judged; the problems of reading it."""
    ended_by = game.ended_by if game.ended_by in (*GAME_ENDINGS, ENDING_NOT_PLAYED) else ""
    starter = read_starter(game.starter)
    absent = {letter: ReadSeat(absent=True) for letter, seat in game.seats.items() if seat.absent}
    if ended_by == ENDING_NOT_PLAYED:
        return ReadGame(ENDING_NOT_PLAYED, "", {}), None, ()
    if game.ended_by != ended_by:
        bad = make_problem(code.CELL_UNREADABLE, "ended_by", typed=game.ended_by)
        return ReadGame("", starter, {letter: ReadSeat() for letter in players} | absent), None, (bad,)
    if is_untouched(game):
        missing = make_problem(code.ENDING_MISSING, "ended_by", fits=())
        return ReadGame("", starter, {letter: ReadSeat() for letter in players} | absent), None, (missing,)
    too_few = sum(not seat.left for seat in players.values()) < MIN_PLAYERS
    if form == "rack" and too_few:
        return ReadGame(ended_by, starter, {letter: ReadSeat() for letter in players} | absent), None, ()
    if form == "rack":
        racks = read_racks(ruleset, ended_by, players)
        return ReadGame(ended_by, starter, _from_racks(racks) | absent), None, racks.problems
    row = read_row(ruleset, ended_by, players)
    seats = {letter: _from_paper(ended_by, players[letter], seat) for letter, seat in row.seats.items()}
    return ReadGame(ended_by, starter, seats | absent), row, () if not too_few else row.problems


def _with_ruling(ruleset: Ruleset, game: GameEntry, read: ReadGame) -> ReadGame:
    possible = rulings_left_open(ruleset, read.ended_by)
    return replace(read, ruling=game.ruling if game.ruling in possible else "", rulings=possible)


def _seats_tied(game: ReadGame) -> list[str] | None:
    """The seats that share the lowest rack of a game that nobody finished, [] where one has it alone; None: unknown."""
    playing = {letter: seat for letter, seat in game.seats.items() if not seat.absent}
    if any(seat.points is None for seat in playing.values()):
        return None
    lowest = lowest_seats(playing)
    return lowest if len(lowest) > 1 else []


def _judge_paper_row(
    ruleset: Ruleset, entry: SheetEntry, games: Sequence[ReadGame], place: int, row: RowRead
) -> Sequence[SheetProblem]:
    if sum(not seat.left for seat in row.seats.values()) < MIN_PLAYERS:
        return ()

    def speak_for(letter: str, points: Fraction) -> bool:
        parts = [*_seat_parts(games, letter, "points")]
        parts[place] = points
        return matches_typed_total(entry.totals.get(letter, TotalEntry()).points, sum_of_parts(tuple(parts)))

    left_for = {letter: _tiles_left_for(entry, games, place, letter) for letter in row.seats}
    totals = TypedTotalsOfRow(speak_for, {letter: tiles for letter, tiles in left_for.items() if tiles is not None})
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
    return ReadSeat(seat.win, seat.points, seat.tiles, rack_value=value, left=entry.left, **marks_of(entry))


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
            left=seat.entry.left,
            because=score.because if score else (),
            **marks_of(seat.entry),
        )
    return seats


# --- The rows side by side ------------------------------------------------------------------------------


def _judge_count(ruleset: Ruleset, entry: SheetEntry) -> Iterable[SheetProblem]:
    expected = ruleset.games if ruleset.games is not None else max(1, len(entry.games))
    if len(entry.games) != expected:
        yield make_problem(code.GAMES_COUNT, "games", given=len(entry.games), expected=expected)


def _judge_order(ruleset: Ruleset, entry: SheetEntry, games: Sequence[ReadGame]) -> Iterable[SheetProblem]:
    """A game cut off by the clock is the last; what is not played comes after what is (R31)."""
    played = [
        place for place, game in enumerate(entry.games) if game.ended_by != ENDING_NOT_PLAYED and not is_untouched(game)
    ]
    for place, game in enumerate(games):
        later = next((other for other in played if other > place), None)
        if game.ended_by == ENDING_NOT_PLAYED and later is not None:
            yield make_problem(code.PLAYED_AFTER_NOT_PLAYED, f"games[{place}]", later=later + 1)
        if game.ended_by == "time" and later is not None and ruleset.minutes is not None:
            yield make_problem(code.PLAYED_AFTER_TIME, f"games[{later}].ended_by", earlier=place + 1)
    if games and all(game.ended_by == ENDING_NOT_PLAYED for game in games):
        yield make_problem(code.NOTHING_PLAYED, "games", SEVERITY_WARNING)


def _judge_sameness(games: Sequence[ReadGame]) -> Iterable[SheetProblem]:
    """The very figures of an earlier game: perhaps one row was typed twice."""
    seen: dict[tuple[object, ...], int] = {}
    for place, game in enumerate(games):
        figures = tuple((letter, seat.win, seat.points, seat.tiles) for letter, seat in game.seats.items())
        if game.ended_by in ("", ENDING_NOT_PLAYED) or any(None in cells for cells in figures):
            continue
        if figures in seen:
            yield make_problem(code.SAME_AS_GAME, f"games[{place}]", SEVERITY_WARNING, earlier=seen[figures] + 1)
        seen.setdefault(figures, place)


def read_starter(text: str) -> str:
    """The letter that was noted as the starter; "" where it is no seat."""
    letter = fold_typed_text(text).upper()
    return letter if letter in ALL_SEAT_LETTERS else ""


def judge_starter(text: str, before: Sequence[ReadGame], game: ReadGame) -> Iterable[SheetProblem]:
    """The last game's winner starts; after a joint win one of the winners."""
    if is_blank_cell(text) or game.ended_by == ENDING_NOT_PLAYED:
        return
    players = [letter for letter, seat in game.seats.items() if not seat.absent]
    played = [earlier for earlier in before if earlier.ended_by != ENDING_NOT_PLAYED]
    last = played[-1].seats if played else {}
    winners = tuple(letter for letter, seat in last.items() if seat.win == 1 and letter in players)
    if not game.starter:
        yield make_problem(code.CELL_UNREADABLE, "starter", typed=text)
    elif game.starter not in players:
        yield make_problem(code.STARTER_NOT_PLAYING, "starter", starter=game.starter)
    elif winners and game.starter not in winners:
        yield make_problem(code.STARTER_NOT_WINNER, "starter", SEVERITY_WARNING, starter=game.starter, winners=winners)


# --- The row 總結 ----------------------------------------------------------------------------------------


def _seat_parts(games: Sequence[ReadGame], letter: str, cell: str) -> GameParts:
    """What each game gives one seat: 0 where it takes no part (a game not played counts 0, 0, 0)."""
    taking = (game.seats.get(letter, ReadSeat(absent=True)) for game in games)
    return tuple(0 if seat.absent else getattr(seat, cell) for seat in taking)


def _tiles_left_for(entry: SheetEntry, games: Sequence[ReadGame], place: int, letter: str) -> int | None:
    """What the typed total of tiles leaves for one game; None where it or another game cannot be read."""
    typed = read_whole_number(entry.totals.get(letter, TotalEntry()).tiles)
    parts = [*_seat_parts(games, letter, "tiles")]
    parts[place] = 0
    others = sum_of_parts(tuple(parts))
    return None if typed is None or others is None or typed < others else int(typed - others)


def _typed_total_cells(
    entry: SheetEntry, games: Sequence[ReadGame], rows: Sequence[RowRead | None], letter: str
) -> Iterable[TypedTotal]:
    typed = entry.totals.get(letter, TotalEntry())
    for name, cell in GAME_CELL_OF_TOTAL.items():
        parts = _seat_parts(games, letter, cell)
        written = parts
        if cell == "points":
            literal = [row.written.get(letter) if row is not None else None for row in rows]
            written = tuple(part if one is None else one for part, one in zip(parts, literal, strict=True))
        yield TypedTotal(letter, name, str(getattr(typed, name)), parts, written)


def computed_total(games: Sequence[ReadGame], letter: str) -> ReadTotal:
    """What the games as read come to for one seat."""
    wins, points, tiles = (sum_of_parts(_seat_parts(games, letter, cell)) for cell in GAME_CELL_OF_TOTAL.values())
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
    *MARKS,
)
_PLACE = re.compile(r"(games|totals)(?:\[(\d+)\])?(?:\.(?:seats\.)?([A-D])(?:\.(\w+))?|\.(\w+))?")


def _at_game(place: int, found: Iterable[SheetProblem]) -> list[SheetProblem]:
    return [replace(one, where=f"games[{place}].{one.where}".removesuffix(".")) for one in found]


def _place_on_sheet(one: SheetProblem) -> tuple[int, int, int, str, int]:
    """Rows from the top, in a row its head, its cells from the left, then what concerns all of it; 總結 last."""
    found = _PLACE.fullmatch(one.where)
    if found is None:
        return (2, 0, 0, "", 0)
    part, row, letter, field, head = found.groups()
    in_row = 0 if head or (row is None and letter is None) else 1 if letter else 2
    return (part == "totals", int(row or -1), in_row, letter or head or "", _FIELDS.index(field) if field else -1)
