"""A sheet as a page draws it: heads, rows and cells in the order of the paper, each cell with the faults at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring.entry import fold
from scoring.problems import BLANK, ENDING_MISSING, TOTAL_BLANK
from scoring.sheet import SheetCheck
from scoring.values import SEATS
from tournament.bridge.scoresheets_fields import to_fields
from tournament.enums import EntrantStatus, GameEnd
from tournament.forms.sheet_sentences import Place, Sentence
from tournament.models import Game, Line, Seat
from tournament.quantities import MINUS, points_text

MISSING = frozenset({BLANK, ENDING_MISSING})
PAPER_CELLS = ("win", "points", "tiles")
RACK_CELLS = ("face_value", "rack", "tiles", "unopened", "could_open", "pushed_over")
TOTAL_CELLS = ("wins", "points", "tiles")
ENDING_KEYS = (
    (GameEnd.RUMMIKUB, "R"),
    (GameEnd.POOL, "P"),
    (GameEnd.TIME, "T"),
    (GameEnd.NOT_PLAYED, "N"),
)


@dataclass(frozen=True)
class Head:
    """One seat's column. `kind`: playing, leaver, absent (a no-show), empty (nobody was seated)."""

    letter: str
    seat: Seat | None
    kind: str

    @property
    def types(self) -> bool:
        """Whether figures belong here."""
        return self.kind in ("playing", "leaver")


def heads_of(seats: Sequence[Seat]) -> list[Head]:
    """The four columns, whoever sits there."""
    by_letter = {seat.letter: seat for seat in seats}
    return [Head(letter, by_letter.get(letter), kind_of(by_letter.get(letter))) for letter in SEATS]


def kind_of(seat: Seat | None) -> str:
    """What the records say of a seat."""
    if seat is None:
        return "empty"
    if seat.entrant.status == EntrantStatus.FORFEITED:
        return "absent"
    return "playing" if seat.entrant.status == EntrantStatus.OK else "leaver"


@dataclass(frozen=True)
class Cell:
    """One input: its name, its text, how it is read aloud, and the faults that stand at it."""

    name: str
    value: str
    place: Place
    sentences: Sequence[Sentence] = ()

    @property
    def label(self) -> str:
        """Game 2·C points."""
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
        return any(sentence.code in MISSING for sentence in self.sentences)

    @property
    def marks(self) -> Sequence[Sentence]:
        """The numbers at the cell; what is only missing has none."""
        return [sentence for sentence in self.sentences if sentence.code not in MISSING]

    @property
    def described(self) -> str:
        """The ids of its sentences, for those who hear the page."""
        return " ".join(f"fault-{sentence.number}" for sentence in self.marks)


@dataclass(frozen=True)
class SeatRow:
    """One seat of one game: its cells by name, and what the rules make of it (the rack form)."""

    head: Head
    cells: Mapping[str, Cell]
    read: Any = None

    @property
    def paper(self) -> Sequence[Cell]:
        """Win, points, tiles, as the paper has them."""
        return [self.cells[name] for name in PAPER_CELLS]


@dataclass(frozen=True)
class GameRow:
    """One game: how it ended, its seats, and the faults that are said below it."""

    number: int
    ended_by: Cell
    starter: Cell
    seats: Sequence[SeatRow]
    says: Sequence[Sentence]


@dataclass(frozen=True)
class TotalColumn:
    """One seat of the row 總結: what is typed, and what the games come to."""

    head: Head
    cells: Sequence[Cell]
    computed: Sequence[tuple[Any, bool]]


@dataclass(frozen=True)
class Grid:
    """A whole sheet on a page."""

    heads: Sequence[Head]
    games: Sequence[GameRow]
    totals: Sequence[TotalColumn]
    sentences: Sequence[Sentence]
    says: Sequence[Sentence] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)

    @property
    def mend(self) -> Sequence[Sentence]:
        """What is wrong, but for what is only not typed yet."""
        return said_below(self.sentences)

    @property
    def missing(self) -> Sequence[Sentence]:
        """What is not typed yet."""
        return [one for one in self.sentences if one.code in MISSING]

    @property
    def look(self) -> Sequence[Sentence]:
        """What is unusual; an empty row 總結 only once all else is typed."""
        found = [one for one in self.sentences if one.look]
        return [one for one in found if one.code != TOTAL_BLANK] if self.missing else found

    @property
    def waiting(self) -> int:
        """How many still stop the sheet."""
        return len(self.mend) + len(self.missing) + sum(one.waits for one in self.look)

    @property
    def leavers(self) -> Sequence[Head]:
        """Columns of those recorded as having left."""
        return [head for head in self.heads if head.kind == "leaver"]

    @property
    def endings(self) -> Sequence[tuple[str, str]]:
        """The choices of how a game ended, each with its key before it."""
        return [(str(end), f"{key} {end.label}") for end, key in ENDING_KEYS]


def grid_of(
    form: str,
    typed: Mapping[str, Any],
    seats: Sequence[Seat],
    check: SheetCheck | None,
    sentences: Sequence[Sentence] = (),
) -> Grid:
    """The page of a sheet; `check` None for one that nobody has begun."""
    fields = to_fields(typed)
    heads = heads_of(seats)
    at = by_field(sentences)
    games = [game_row(place, fields, heads, at, sentences, check) for place in range(len(typed["games"]))]
    shown = {name for row in games for name in shown_in(row, form)}
    return Grid(
        heads=heads,
        games=games,
        totals=[total_column(head, fields, at, check) for head in heads],
        sentences=sentences,
        says=[one for one in said_below(sentences) if one.place.totals or one.place.game is None],
        hidden={
            name: value for name, value in fields.items() if value and name.startswith("games-") and name not in shown
        },
    )


def said_below(sentences: Sequence[Sentence]) -> list[Sentence]:
    """What is said in the grid, below its row: what is wrong, not what is unusual or not typed yet."""
    return [one for one in sentences if not one.look and one.code not in MISSING]


def by_field(sentences: Sequence[Sentence]) -> dict[str, list[Sentence]]:
    """Sentences by the input they stand at; a group stands at each of its places."""
    found: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        for place in sentence.places:
            if place.field:
                found.setdefault(place.field, []).append(sentence)
    return found


def shown_in(row: GameRow, form: str) -> list[str]:
    """The names of a game's inputs that this form shows; the other form's are sent along unseen."""
    names = [row.ended_by.name, row.starter.name]
    for seat in row.seats:
        if seat.head.types:
            names += [seat.cells[name].name for name in (PAPER_CELLS if form == "paper" else RACK_CELLS)]
        if seat.head.kind == "leaver":
            names.append(seat.cells["part"].name)
    return names


def game_row(
    place: int,
    fields: Mapping[str, str],
    heads: Sequence[Head],
    at: Mapping[str, list[Sentence]],
    sentences: Sequence[Sentence],
    check: SheetCheck | None,
) -> GameRow:
    """One game's cells."""

    def cell(name: str, letter: str = "") -> Cell:
        full = f"games-{place}-{letter}-{name}" if letter else f"games-{place}-{name}"
        return Cell(full, fields[full], Place(place, letter, name), at.get(full, ()))

    read = check.games[place].seats if check and place < len(check.games) else {}
    rows = []
    for head in heads:
        cells = {name: cell(name, head.letter) for name in cell_names(fields, place, head)}
        rows.append(SeatRow(head, cells, read.get(head.letter)))
    says = [one for one in said_below(sentences) if one.place.game == place and not one.place.totals]
    return GameRow(place + 1, cell("ended_by"), cell("starter"), rows, says)


def cell_names(fields: Mapping[str, str], place: int, head: Head) -> list[str]:
    """The names of one seat's fields."""
    before = f"games-{place}-{head.letter}-"
    return [name.removeprefix(before) for name in fields if name.startswith(before)]


def total_column(
    head: Head, fields: Mapping[str, str], at: Mapping[str, list[Sentence]], check: SheetCheck | None
) -> TotalColumn:
    """One seat's cells of the row 總結, and below them what the games come to."""
    cells = []
    for name in TOTAL_CELLS:
        full = f"totals-{head.letter}-{name}"
        cells.append(Cell(full, fields[full], Place(seat=head.letter, cell=name, totals=True), at.get(full, ())))
    total = check.totals.get(head.letter) if check else None
    values: list[int | Fraction | None] = [total.wins, total.points, total.tiles] if total else [None, None, None]
    return TotalColumn(head, cells, [(value, cell.invalid) for value, cell in zip(values, cells, strict=True)])


# --- The values as rows, for reading ------------------------------------------------------------------------
@dataclass(frozen=True)
class ValueSeat:
    """One seat of one game as stored; `typed` are the texts of the paper where they say it in another way."""

    head: Head
    line: Line | None
    typed: str = ""


@dataclass(frozen=True)
class ValueGame:
    """One game as stored."""

    game: Game
    seats: Sequence[ValueSeat]


@dataclass(frozen=True)
class ValueTotal:
    """One seat's sums, points in twelfths, and the text of the paper's 總結 where it says the points differently."""

    head: Head
    wins: int
    points_twelfths: int
    tiles: int
    typed: str = ""


@dataclass(frozen=True)
class Values:
    """What a second person compares with the paper."""

    heads: Sequence[Head]
    games: Sequence[ValueGame]
    totals: Sequence[ValueTotal]


def values_of(seats: Sequence[Seat], games: Sequence[Game], typed: Mapping[str, Any]) -> Values:
    """The stored values of a sheet in the order of the paper; `games` with their lines at hand."""
    heads = heads_of(seats)
    rows = []
    lines: dict[str, list[Line]] = {head.letter: [] for head in heads}
    for game, texts in zip(games, typed["games"], strict=False):
        here = {line.letter: line for line in game.lines.all()}
        for letter, line in here.items():
            lines[letter].append(line)
        cells = texts["seats"]
        rows.append(ValueGame(game, [value_seat(head, here.get(head.letter), cells) for head in heads]))
    return Values(heads, rows, [value_total(head, lines[head.letter], typed["totals"]) for head in heads])


def value_seat(head: Head, line: Line | None, cells: Mapping[str, Any]) -> ValueSeat:
    """One seat's values; the paper's text beside the points where it is not the same figure at sight."""
    text = cells.get(head.letter, {}).get("points", "") if line else ""
    return ValueSeat(head, line, text if line and differs(text, line.points_twelfths) else "")


def value_total(head: Head, lines: Sequence[Line], totals: Mapping[str, Any]) -> ValueTotal:
    """One seat's sums."""
    points = sum(line.points_twelfths for line in lines)
    text = totals.get(head.letter, {}).get("points", "")
    wins, tiles = sum(line.win for line in lines), sum(line.tiles for line in lines)
    return ValueTotal(head, wins, points, tiles, text if differs(text, points) else "")


def differs(text: str, twelfths: int) -> bool:
    """Whether a text of points looks different from the figure it was read as."""
    plain = fold(text).removeprefix("+")
    return bool(plain) and plain != points_text(twelfths).replace(MINUS, "-").removeprefix("+")
