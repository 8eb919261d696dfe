"""A sheet of turns: a column a player, a line a turn with its words, the jokers left, the total (R58).

`check_turn_sheet` judges it as `scoring.sheet` judges a sheet of games: every fault at once, nothing changed. Points
follow from the words. Spelling is the referee's.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoring import problems as code
from scoring.attendance import is_untouched, judge_attendance
from scoring.entry import (
    ENDING_NOT_PLAYED,
    GAME_ENDINGS,
    GameEntry,
    SeatEntry,
    SheetEntry,
    TotalEntry,
    TurnEntry,
    is_blank_cell,
    read_whole_number,
)
from scoring.paper import make_problem
from scoring.problems import SEVERITY_WARNING, Refusal, SheetProblem
from scoring.ruleset import Ruleset
from scoring.rulings import judge_ruling
from scoring.sheet import (
    ReadGame,
    ReadSeat,
    ReadTurn,
    SheetCheck,
    computed_total,
    judge_starter,
    read_starter,
)
from scoring.totals import GameParts, TypedTotal, judge_totals, judge_totals_of_empty_seats
from scoring.values import ALL_SEAT_LETTERS
from scoring.words import LEAST_LETTERS, LaidWord, WordTurn, box_letter, score_word_turn

ENDED_BY_EMPTY_RACK = "rummikub"
ENDINGS_WITHOUT_EMPTY_RACK = tuple(ending for ending in GAME_ENDINGS if ending != ENDED_BY_EMPTY_RACK)
OWN_WORDS, REARRANGED_WORDS, EMPTIED = "own", "rearranged", "emptied"
_BETWEEN_WORDS = re.compile(r"[\s,;/+&、，；]+")


def check_turn_sheet(ruleset: Ruleset, entry: SheetEntry) -> SheetCheck:
    """Judge a sheet of turns as typed. Every fault is reported, in the order of the sheet."""
    attendance = judge_attendance(entry)
    found = [*attendance.problems]
    if len(entry.games) != ruleset.games:
        found.append(make_problem(code.GAMES_COUNT, "games", given=len(entry.games), expected=ruleset.games or 1))
    games = []
    for place, game in enumerate(entry.games):
        read, problems = _read_game(ruleset, game, attendance.players[place])
        games.append(read)
        problems = [*problems, *judge_ruling(ruleset, read.ended_by, game.ruling, None)]
        found += [replace(one, where=f"games[{place}].{one.where}".removesuffix(".")) for one in problems]
    if games and all(game.ended_by == ENDING_NOT_PLAYED for game in games):
        found.append(make_problem(code.NOTHING_PLAYED, "games", SEVERITY_WARNING))
    found = _with_totals(ruleset, entry, games, found)
    totals = {letter: computed_total(games, letter) for letter in _part_takers(entry, games)}
    return SheetCheck(tuple(games), totals, tuple(sorted(found, key=_place_on_sheet)))


def _part_takers(entry: SheetEntry, games: Sequence[ReadGame]) -> list[str]:
    return [
        letter for letter in ALL_SEAT_LETTERS if letter in entry.seats or any(letter in game.seats for game in games)
    ]


# --- One game -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _TurnPlace:
    """Whose turn, 0-based, and the cell of its first word."""

    letter: str
    number: int
    cell: str

    @property
    def where(self) -> str:
        return turn_where(self.letter, self.number, self.cell)


@dataclass(frozen=True, slots=True)
class _PlacedTurn:
    """A turn with words or an emptied rack, as read, and the codes of what is wrong with it."""

    place: _TurnPlace
    read: ReadTurn


def turn_where(letter: str, number: int, cell: str) -> str:
    """The place of a turn's cell in its game, the first turn 0: `seats.B.turns[4].own`."""
    return f"seats.{letter}.turns[{number}].{cell}"


def _read_game(
    ruleset: Ruleset, game: GameEntry, players: Mapping[str, SeatEntry]
) -> tuple[ReadGame, list[SheetProblem]]:
    starter = read_starter(game.starter)
    absent = {letter: ReadSeat(absent=True) for letter, seat in game.seats.items() if seat.absent}
    if game.ended_by == ENDING_NOT_PLAYED:
        return ReadGame(ENDING_NOT_PLAYED, "", {}), []
    ended_by = game.ended_by if game.ended_by in GAME_ENDINGS else ""
    found = _judge_ending_typed(game, ended_by)
    turns = _turns_in_order(players, starter)
    placed, faults = _read_turns(ruleset, turns)
    found += faults
    if not is_untouched(game):
        found += [*_judge_end(ended_by, placed, players, starter), *_judge_openings(ruleset, placed)]
        found += _judge_jokers(ruleset, players, placed)
    seats = {letter: _read_seat(ruleset, letter, seat, placed) for letter, seat in players.items()}
    read = ReadGame(ended_by, starter, {**_with_wins(seats), **absent})
    return read, [*found, *judge_starter(game.starter, (), read)]


def _judge_ending_typed(game: GameEntry, ended_by: str) -> list[SheetProblem]:
    if ended_by:
        return []
    if game.ended_by:
        return [make_problem(code.CELL_UNREADABLE, "ended_by", typed=game.ended_by)]
    emptied = any(turn.emptied for seat in game.seats.values() for turn in seat.turns)
    fits = () if is_untouched(game) else (ENDED_BY_EMPTY_RACK,) if emptied else ENDINGS_WITHOUT_EMPTY_RACK
    return [make_problem(code.ENDING_MISSING, "ended_by", fits=fits)]


def order_of_play(starter: str) -> tuple[str, ...]:
    """The letters from the starter on; from A where nobody noted who began."""
    first = ALL_SEAT_LETTERS.index(starter) if starter else 0
    return (*ALL_SEAT_LETTERS[first:], *ALL_SEAT_LETTERS[:first])


def _turns_in_order(players: Mapping[str, SeatEntry], starter: str) -> list[tuple[str, int, TurnEntry]]:
    """Every turn by lines, in a line by the order of play."""
    lines = max((len(seat.turns) for seat in players.values()), default=0)
    letters = [letter for letter in order_of_play(starter) if letter in players]
    return [
        (letter, number, players[letter].turns[number])
        for number in range(lines)
        for letter in letters
        if number < len(players[letter].turns)
    ]


def _read_turns(
    ruleset: Ruleset, turns: Sequence[tuple[str, int, TurnEntry]]
) -> tuple[list[_PlacedTurn], list[SheetProblem]]:
    """Every turn that has words or says that it emptied the rack. No word lies twice on the table."""
    placed: list[_PlacedTurn] = []
    found: list[SheetProblem] = []
    laid: dict[str, _TurnPlace] = {}
    for letter, number, turn in turns:
        words: dict[str, tuple[str, ...]] = {}
        faults: list[SheetProblem] = []
        for cell, text in ((OWN_WORDS, turn.own), (REARRANGED_WORDS, turn.rearranged)):
            at = _TurnPlace(letter, number, cell)
            words[cell], wrong = _read_words(ruleset, text, at, laid)
            faults += wrong
        cell = OWN_WORDS if words[OWN_WORDS] or not words[REARRANGED_WORDS] else REARRANGED_WORDS
        place = _TurnPlace(letter, number, cell)
        faults += _judge_letters(ruleset, "".join((*words[OWN_WORDS], *words[REARRANGED_WORDS])), place)
        blank = is_blank_cell(turn.own) and is_blank_cell(turn.rearranged)
        if turn.emptied and blank:
            faults.append(make_problem(code.EMPTIED_WITHOUT_WORDS, turn_where(letter, number, EMPTIED)))
        if not blank or turn.emptied:
            read = ReadTurn(words[OWN_WORDS], words[REARRANGED_WORDS], turn.emptied, None)
            points = None if faults else score_word_turn(laid_words(read))
            placed.append(_PlacedTurn(place, replace(read, points=points)))
        found += faults
    return placed, found


def laid_words(read: ReadTurn) -> WordTurn:
    """The words of a turn as they are counted, own words first."""
    own, rearranged = ([LaidWord(word, of_own) for word in words]
                       for words, of_own in ((read.own, True), (read.rearranged, False)))  # fmt: skip
    return WordTurn((*own, *rearranged), read.emptied)


def split_words(text: str) -> list[str]:
    """The words of a cell as they are written, full-width forms made plain; none in a blank cell or a dash."""
    return [] if is_blank_cell(text) else _BETWEEN_WORDS.split(unicodedata.normalize("NFKC", text).strip(" ,;/+&、"))


def _read_words(
    ruleset: Ruleset, text: str, at: _TurnPlace, laid: dict[str, _TurnPlace]
) -> tuple[tuple[str, ...], list[SheetProblem]]:
    """The words of one cell in the letters of the box; what is laid joins `laid`."""
    words, found = [], []
    for written in filter(None, split_words(text)):
        try:
            word = "".join(box_letter(ruleset, character, at.where) for character in written)
        except Refusal:
            found.append(make_problem(code.WORD_UNREADABLE, at.where, typed=written))
            continue
        words.append(word)
        first = laid.setdefault(word, at)
        if len(word) < LEAST_LETTERS:
            found.append(make_problem(code.WORD_TOO_SHORT, at.where, word=word, least=LEAST_LETTERS))
        elif first is not at or words.count(word) > 1:
            found.append(make_problem(code.WORD_TWICE, at.where, word=word, earlier=first.number + 1, by=first.letter))
    return tuple(words), found


def _judge_letters(ruleset: Ruleset, letters: str, place: _TurnPlace) -> Iterable[SheetProblem]:
    """The words of one turn lie on the table together: no more of a letter than the set and its jokers have."""
    lacking = Counter(letters) - Counter(dict(ruleset.tiles.letters))
    if lacking.total() > ruleset.tiles.joker_count:
        yield make_problem(code.WORDS_BEYOND_SET, place.where, letters="".join(sorted(lacking)))


# --- How it ended, the ice, the jokers --------------------------------------------------------------------------


def _judge_end(
    ended_by: str, placed: Sequence[_PlacedTurn], players: Mapping[str, SeatEntry], starter: str
) -> Iterable[SheetProblem]:
    """Whoever empties the rack ends the game: one alone, and nobody plays after that."""
    emptied = [turn for turn in placed if turn.read.emptied]
    if not emptied:
        if ended_by == ENDED_BY_EMPTY_RACK:
            yield make_problem(code.NOBODY_EMPTIED, "ended_by", fits=ENDINGS_WITHOUT_EMPTY_RACK)
        return
    last = emptied[0].place
    said: dict[str, Any] = {"earlier": last.number + 1, "by": last.letter}
    if ended_by in ENDINGS_WITHOUT_EMPTY_RACK:
        yield make_problem(
            code.SOMEBODY_EMPTIED, "ended_by", by=last.letter, ended_by=ended_by, fits=(ENDED_BY_EMPTY_RACK,)
        )
    for turn in emptied[1:]:
        where = turn_where(turn.place.letter, turn.place.number, EMPTIED)
        yield make_problem(code.SEVERAL_EMPTIED, where, **said)
    order = order_of_play(starter)
    for turn in placed:
        place = turn.place
        same_line = bool(starter) and place.number == last.number
        later = place.number > last.number or (same_line and order.index(place.letter) > order.index(last.letter))
        if later and not turn.read.emptied:
            yield make_problem(code.TURN_AFTER_END, place.where, **said)


def _judge_openings(ruleset: Ruleset, placed: Sequence[_PlacedTurn]) -> Iterable[SheetProblem]:
    """The first word that a player lays is of own tiles and has as many letters as break the ice."""
    opened: set[str] = set()
    for turn in placed:
        letter, read = turn.place.letter, turn.read
        short = max(map(len, read.own), default=0) < ruleset.opening_minimum
        if letter not in opened and short and read.points is not None:
            yield make_problem(code.OPENING_SHORT, turn.place.where, SEVERITY_WARNING, least=ruleset.opening_minimum)
        opened.add(letter)


def _judge_jokers(
    ruleset: Ruleset, players: Mapping[str, SeatEntry], placed: Sequence[_PlacedTurn]
) -> Iterable[SheetProblem]:
    most, left = ruleset.tiles.joker_count, 0
    emptied = {turn.place.letter for turn in placed if turn.read.emptied}
    for letter, seat in players.items():
        where, count = f"seats.{letter}.jokers", read_whole_number(seat.tiles)
        if is_blank_cell(seat.tiles):
            yield make_problem(code.CELL_BLANK, where)
        elif count is None:
            yield make_problem(code.CELL_UNREADABLE, where, typed=seat.tiles)
        elif count and letter in emptied:
            yield make_problem(code.JOKERS_AFTER_EMPTYING, where, suggest=0)
        left += count or 0
    if left > most:
        yield make_problem(code.JOKERS_LEFT_BEYOND_SET, "", jokers=left, most=most)


# --- What it comes to -------------------------------------------------------------------------------------------


def _read_seat(ruleset: Ruleset, letter: str, seat: SeatEntry, placed: Sequence[_PlacedTurn]) -> ReadSeat:
    """`turns` has one for each line of the seat, empty where a tile was drawn."""
    by_number = {turn.place.number: turn.read for turn in placed if turn.place.letter == letter}
    drawn = ReadTurn((), (), False, 0)
    turns = tuple(by_number.get(number, drawn) for number in range(len(seat.turns)))
    jokers, points = read_whole_number(seat.tiles), [turn.points for turn in turns]
    known = [one for one in points if one is not None]
    total = None
    if jokers is not None and len(known) == len(points):
        total = Fraction(sum(known) - jokers * ruleset.joker_value)
    return ReadSeat(points=total, tiles=jokers, left=seat.left, turns=turns)


def _with_wins(seats: Mapping[str, ReadSeat]) -> dict[str, ReadSeat]:
    """The highest total wins, several alike each a full win; who has left never does."""
    staying = [seat.points for seat in seats.values() if not seat.left]
    known = [points for points in staying if points is not None]
    if len(known) < len(staying):
        return dict(seats)
    best = max(known, default=None)
    return {
        letter: replace(seat, win=int(not seat.left and seat.points == best)) if seat.points is not None else seat
        for letter, seat in seats.items()
    }


def _with_totals(
    ruleset: Ruleset, entry: SheetEntry, games: Sequence[ReadGame], found: list[SheetProblem]
) -> list[SheetProblem]:
    """The typed totals held against the turns; the sheet of turns asks for no other total than the points."""
    takers = _part_takers(entry, games)
    columns = []
    for letter in takers:
        parts = _total_parts(ruleset, games, letter)
        columns.append(TypedTotal(letter, "points", entry.totals.get(letter, TotalEntry()).points, parts, parts))
    optional = frozenset(entry.leavers - set(entry.seats)) | entry.leavers
    if all(game.ended_by == ENDING_NOT_PLAYED for game in games):
        optional = frozenset(ALL_SEAT_LETTERS)
    judged = judge_totals(columns, found, optional=optional)
    judged += judge_totals_of_empty_seats(entry.totals, [one for one in ALL_SEAT_LETTERS if one not in takers])
    return [replace(one, code=code.TURNS_TOTAL_DIFFERS) if one.code == code.TOTAL_DIFFERS else one for one in judged]


def _total_parts(ruleset: Ruleset, games: Sequence[ReadGame], letter: str) -> GameParts:
    """Each turn that counts, then what the jokers left cost; None where it cannot be read."""
    parts: list[Fraction | int | None] = []
    for game in games:
        seat = game.seats.get(letter, ReadSeat(absent=True))
        if seat.absent:
            continue
        parts += [turn.points for turn in seat.turns if turn.points != 0]
        parts += [None] if seat.tiles is None else [-seat.tiles * ruleset.joker_value] if seat.tiles else []
    return tuple(parts)


# --- In the order of the sheet ----------------------------------------------------------------------------------

_PLACE = re.compile(r"(games|totals)(?:\[(\d+)\])?(?:\.(?:seats\.)?([A-D])(?:\.turns\[(\d+)\])?(?:\.(\w+))?|\.(\w+))?")
_IN_GAME_HEAD, _IN_TURNS, _BELOW_TURNS, _OF_GAME = range(4)


def _place_on_sheet(one: SheetProblem) -> tuple[bool, int, int, int, str]:
    """How it ended, line by line, the jokers left, the whole game; the totals last."""
    found = _PLACE.fullmatch(one.where)
    if found is None:
        return (True, 0, 0, 0, "")
    part, game, letter, turn, _cell, head = found.groups()
    in_game = _IN_GAME_HEAD if head else _IN_TURNS if turn else _BELOW_TURNS if letter else _OF_GAME
    return (part == "totals", int(game or 0), in_game, int(turn or 0), letter or "")
