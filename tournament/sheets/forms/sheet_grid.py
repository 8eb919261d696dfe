"""A sheet as a page draws it: heads, rows and cells in the order of the paper, each cell with the faults at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from scoring.entry import is_blank_cell
from scoring.marks import MARKS
from scoring.problems import CELL_BLANK, ENDING_MISSING, TOTAL_BLANK
from scoring.sheet import ReadSeat, ReadTurn, SheetCheck
from scoring.values import ALL_SEAT_LETTERS
from tournament.core.enums import EntrantStatus, GameEnd, GameRuling, SheetForm
from tournament.sheets.domain.fields import TURN_CELL, fields_of_typed_sheet
from tournament.sheets.exports.mark_words import MARK_WORDS
from tournament.sheets.forms.sheet_place import SheetPlace
from tournament.sheets.forms.sheet_sentences import ProblemSentence
from tournament.sheets.forms.turn_reading import (
    TurnsSum,
    WordReading,
    turn_after_end,
    turn_sum_text,
    turns_sum,
    word_readings,
)
from tournament.tables.models import Seat

NOT_TYPED_YET_CODES = frozenset({CELL_BLANK, ENDING_MISSING})
PAPER_CELLS = ("win", "points", "tiles")
RACK_CELLS = ("face_value", "rack", "tiles", "unopened", "could_open", *MARKS)
TOTAL_CELLS = ("wins", "points", "tiles")
TURN_LINES_SHOWN, TURN_LINES_ADDED = 12, 4
ENDING_KEYS = (
    (GameEnd.RUMMIKUB, "R"),
    (GameEnd.POOL, "P"),
    (GameEnd.TIME, "T"),
    (GameEnd.NOT_PLAYED, "N"),
)


@dataclass(frozen=True)
class SeatColumn:
    """One seat's column. `kind`: playing, leaver, absent (a no-show), empty (nobody was seated)."""

    letter: str
    seat: Seat | None
    kind: str

    @property
    def types(self) -> bool:
        """Whether figures are typed in this column."""
        return self.kind in ("playing", "leaver")


def seat_columns(seats: Sequence[Seat]) -> list[SeatColumn]:
    """The four columns, whoever sits there."""
    by_letter = {seat.letter: seat for seat in seats}
    return [
        SeatColumn(letter, by_letter.get(letter), seat_column_kind(by_letter.get(letter)))
        for letter in ALL_SEAT_LETTERS
    ]


def seat_column_kind(seat: Seat | None) -> str:
    """What the records say of a seat."""
    if seat is None:
        return "empty"
    if seat.entrant.status == EntrantStatus.FORFEITED:
        return "absent"
    return "playing" if seat.entrant.status == EntrantStatus.OK else "leaver"


@dataclass(frozen=True)
class SheetCell:
    """One input: its name, its text, how it is read aloud, and the faults that stand at it."""

    name: str
    value: str
    place: SheetPlace
    sentences: Sequence[ProblemSentence] = ()

    @property
    def label(self) -> str:
        """Where it is, such as Game 2·C points."""
        return self.place.label

    @property
    def invalid(self) -> bool:
        """Whether something that was typed here must be mended."""
        return any(not sentence.look for sentence in self.marks)

    @property
    def odd(self) -> bool:
        """Whether something here is unusual and nothing is wrong."""
        return bool(self.marks) and not self.invalid

    @property
    def owed(self) -> bool:
        """Whether it is still to be typed."""
        return any(sentence.code in NOT_TYPED_YET_CODES for sentence in self.sentences)

    @property
    def marks(self) -> Sequence[ProblemSentence]:
        """The numbers at the cell; what is only missing has none."""
        return [sentence for sentence in self.sentences if sentence.code not in NOT_TYPED_YET_CODES]

    @property
    def described(self) -> str:
        """The ids of its sentences, for those who hear the page."""
        return " ".join(f"fault-{sentence.number}" for sentence in self.marks)


@dataclass(frozen=True)
class SeatRow:
    """One seat of one game: its cells by name, and what the rules make of it (the rack form)."""

    head: SeatColumn
    cells: Mapping[str, SheetCell]
    read: ReadSeat | None = None

    @property
    def turns_sum(self) -> TurnsSum | None:
        """What its turns come to, before the jokers left."""
        return turns_sum(self.read.turns) if self.read else None

    @property
    def ruled(self) -> Sequence[SheetCell]:
        """A cell for each mark of the rack."""
        return [self.cells[name] for name in MARKS]

    @property
    def paper(self) -> Sequence[SheetCell]:
        """Win, points, tiles, as the paper has them."""
        return [self.cells[name] for name in PAPER_CELLS]


@dataclass(frozen=True)
class TurnCells:
    """One turn of one seat: its cells, and what the rules read of it; `over` is who had emptied the rack, in the first
    turn after that."""

    head: SeatColumn
    own: SheetCell
    rearranged: SheetCell
    emptied: SheetCell
    read: ReadTurn | None = None
    over: str = ""

    @property
    def filled(self) -> bool:
        """Whether something was typed."""
        return not (is_blank_cell(self.own.value) and is_blank_cell(self.rearranged.value)) or bool(self.emptied.value)

    @property
    def words(self) -> Sequence[WordReading]:
        """Its words and which of them count."""
        return word_readings(self.read)

    @property
    def sum_text(self) -> str:
        """What its points are the sum of, such as 4 × 2."""
        return turn_sum_text(self.read)


@dataclass(frozen=True)
class TurnRow:
    """One line of turns, and the faults that are said below it."""

    number: int
    cells: Sequence[TurnCells]
    says: Sequence[ProblemSentence]

    @property
    def place(self) -> str:
        """The line as its ids on the page have it."""
        return f"turn-{self.number}"


@dataclass(frozen=True)
class GameRow:
    """One game: how it ended, its seats, and the faults that are said below it; `possible_rulings` are those that the
    rules leave open for it."""

    number: int
    ended_by: SheetCell
    starter: SheetCell
    ruling: SheetCell
    seats: Sequence[SeatRow]
    says: Sequence[ProblemSentence]
    turns: Sequence[TurnRow] = ()
    possible_rulings: Sequence[str] = ()

    @property
    def rulings(self) -> Sequence[tuple[str, str]]:
        """The choices of a ruling with their words, and one that was typed where none is open; usually none."""
        return [
            (str(one), str(one.label)) for one in GameRuling if one in self.possible_rulings or one == self.ruling.value
        ]


@dataclass(frozen=True)
class TotalColumn:
    """One seat of the row 總結: what is typed, and what the games come to."""

    head: SeatColumn
    cells: Sequence[SheetCell]
    computed: Sequence[tuple[Any, bool]]

    @property
    def points(self) -> SheetCell:
        """The one total that a sheet of turns asks for."""
        return self.cells[TOTAL_CELLS.index("points")]


@dataclass(frozen=True)
class SheetGrid:
    """A whole sheet on a page."""

    heads: Sequence[SeatColumn]
    games: Sequence[GameRow]
    totals: Sequence[TotalColumn]
    sentences: Sequence[ProblemSentence]
    says: Sequence[ProblemSentence] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)

    @property
    def ruled(self) -> Sequence[str]:
        """The head of each column for a mark of the rack."""
        return [gettext(words.cell) for words in MARK_WORDS.values()]

    @property
    def rack_columns(self) -> int:
        """How many columns a game has in the rack form, these among them."""
        return 8 + len(MARK_WORDS)

    @property
    def mend(self) -> Sequence[ProblemSentence]:
        """What is wrong, but for what is only not typed yet."""
        return sentences_below_row(self.sentences)

    @property
    def missing(self) -> Sequence[ProblemSentence]:
        """What is not typed yet."""
        return [one for one in self.sentences if one.code in NOT_TYPED_YET_CODES]

    @property
    def look(self) -> Sequence[ProblemSentence]:
        """What is unusual; an empty row 總結 only once all else is typed."""
        found = [one for one in self.sentences if one.look]
        return [one for one in found if one.code != TOTAL_BLANK] if self.missing else found

    @property
    def waiting(self) -> int:
        """How many still stop the sheet."""
        return len(self.mend) + len(self.missing) + sum(one.waits for one in self.look)

    @property
    def newest_turn(self) -> str:
        """The last turn of the paper in which something was typed, as its place on the page; else the first turn."""
        lines = [line for row in self.games for line in row.turns]
        filled = [f"{line.place}-{turn.head.letter}" for line in lines for turn in line.cells if turn.filled]
        first = [f"{line.place}-{turn.head.letter}" for line in lines for turn in line.cells if turn.head.types]
        return filled[-1] if filled else next(iter(first), "")

    @property
    def leavers(self) -> Sequence[SeatColumn]:
        """Columns of those recorded as having left."""
        return [head for head in self.heads if head.kind == "leaver"]

    @property
    def endings(self) -> Sequence[tuple[str, str]]:
        """The choices of how a game ended, each with its key before it."""
        return [(str(end), f"{key} {end.label}") for end, key in ENDING_KEYS]


def build_sheet_grid(
    form: str,
    typed: Mapping[str, Any],
    seats: Sequence[Seat],
    check: SheetCheck | None,
    sentences: Sequence[ProblemSentence] = (),
    lines: int = TURN_LINES_SHOWN,
) -> SheetGrid:
    """The page of a sheet; `check` None for one that nobody has begun. `lines`: of turns at least so many are shown."""
    fields = fields_of_typed_sheet(typed, lines if form == SheetForm.TURNS else 0)
    heads = seat_columns(seats)
    at = sentences_by_field(sentences)
    games = [build_game_row(place, fields, heads, at, sentences, check) for place in range(len(typed["games"]))]
    shown = {name for row in games for name in visible_field_names(row, form)}
    return SheetGrid(
        heads=heads,
        games=games,
        totals=[build_total_column(head, fields, at, check) for head in heads],
        sentences=sentences,
        says=[one for one in sentences_below_row(sentences) if one.place.totals or one.place.game is None],
        hidden={
            name: value for name, value in fields.items() if value and name.startswith("games-") and name not in shown
        },
    )


def sentences_below_row(sentences: Sequence[ProblemSentence]) -> list[ProblemSentence]:
    """What is said in the grid, below its row: what is wrong, not what is unusual or not typed yet."""
    return [one for one in sentences if not one.look and one.code not in NOT_TYPED_YET_CODES]


def sentences_by_field(sentences: Sequence[ProblemSentence]) -> dict[str, list[ProblemSentence]]:
    """Sentences by the input they stand at; a group stands at each of its places."""
    found: dict[str, list[ProblemSentence]] = {}
    for sentence in sentences:
        for place in sentence.places:
            if place.field:
                found.setdefault(place.field, []).append(sentence)
    return found


def visible_field_names(row: GameRow, form: str) -> list[str]:
    """The names of a game's inputs that this form shows; the other form's are sent along unseen."""
    names = [row.ended_by.name, row.starter.name, *([row.ruling.name] if row.rulings else [])]
    for seat in row.seats:
        if seat.head.types:
            names += [seat.cells[name].name for name in visible_cells(seat, form)]
        if seat.head.kind == "leaver":
            names.append(seat.cells["part"].name)
    return names


def visible_cells(seat: SeatRow, form: str) -> Sequence[str]:
    """The cells of a seat that this form shows."""
    if form == SheetForm.TURNS:
        return ["tiles", *filter(TURN_CELL.fullmatch, seat.cells)]
    return PAPER_CELLS if form == SheetForm.PAPER else RACK_CELLS


def build_game_row(
    place: int,
    fields: Mapping[str, str],
    heads: Sequence[SeatColumn],
    at: Mapping[str, list[ProblemSentence]],
    sentences: Sequence[ProblemSentence],
    check: SheetCheck | None,
) -> GameRow:
    def cell(name: str, letter: str = "") -> SheetCell:
        full = f"games-{place}-{letter}-{name}" if letter else f"games-{place}-{name}"
        word = "jokers" if name == "tiles" and turns else name
        return SheetCell(full, fields[full], SheetPlace(place, letter, word), at.get(full, ()))

    game = check.games[place] if check and place < len(check.games) else None
    turns = sum(name.startswith(f"games-{place}-A-own_") for name in fields)
    rows = []
    for head in heads:
        cells = {name: cell(name, head.letter) for name in seat_field_names(fields, place, head)}
        rows.append(SeatRow(head, cells, game.seats.get(head.letter) if game else None))
    says = [one for one in sentences_below_row(sentences) if one.place.game == place and not one.place.totals]
    return GameRow(
        place + 1,
        cell("ended_by"),
        cell("starter"),
        cell("ruling"),
        rows,
        [one for one in says if one.place.turn is None],
        [build_turn_row(number, rows, says, turn_after_end(game) if game else None) for number in range(turns)],
        game.rulings if game else (),
    )


def build_turn_row(
    number: int, seats: Sequence[SeatRow], says: Sequence[ProblemSentence], end: tuple[int, str, str] | None
) -> TurnRow:
    """One line of a sheet of turns; `number` counts from 0, `end` is of turn_after_end."""
    cells = []
    for seat in seats:
        own, rearranged, emptied = (seat.cells[f"{name}_{number}"] for name in ("own", "rearranged", "emptied"))
        read = seat.read.turns[number] if seat.read and number < len(seat.read.turns) else None
        over = end[2] if end and end[:2] == (number, seat.head.letter) else ""
        cells.append(TurnCells(seat.head, own, rearranged, emptied, read, over))
    return TurnRow(number + 1, cells, [one for one in says if one.place.turn == number])


def seat_field_names(fields: Mapping[str, str], place: int, head: SeatColumn) -> list[str]:
    """The names of one seat's fields."""
    before = f"games-{place}-{head.letter}-"
    return [name.removeprefix(before) for name in fields if name.startswith(before)]


def build_total_column(
    head: SeatColumn, fields: Mapping[str, str], at: Mapping[str, list[ProblemSentence]], check: SheetCheck | None
) -> TotalColumn:
    """One seat's cells of the row 總結, and below them what the games come to."""
    cells = []
    for name in TOTAL_CELLS:
        full = f"totals-{head.letter}-{name}"
        cells.append(
            SheetCell(full, fields[full], SheetPlace(seat=head.letter, cell=name, totals=True), at.get(full, ()))
        )
    total = check.totals.get(head.letter) if check else None
    values: list[int | Fraction | None] = [total.wins, total.points, total.tiles] if total else [None, None, None]
    return TotalColumn(head, cells, [(value, cell.invalid) for value, cell in zip(values, cells, strict=True)])
