"""What an import would do: every row read, every fault by row and column, nothing written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils import timezone

from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.readers.columns import HeadRow, read_heads
from tournament.entrants.readers.date_order import BIRTH_DATE_COLUMN, ColumnDates, date_order_question, judge_dates
from tournament.entrants.readers.dates import ORDER_DAY_FIRST
from tournament.entrants.readers.entrants import ImportedRow, RowReader
from tournament.entrants.readers.faults import (
    FAULT_DECIDE,
    FAULT_ERROR,
    FAULT_LEFT_OUT,
    INFORMATIVE_SEVERITIES,
    FileColumn,
    ImportFault,
)
from tournament.entrants.readers.sessions import SessionPlace
from tournament.registration.services import importing_checks as checks
from tournament.registration.services import importing_second as second
from tournament.registration.services.importing_changes import EntrantChange, entrant_changes_digest
from tournament.registration.services.importing_names import check_names

LEFT_OUT_CODE = "left_out_by_decision"
DIFFERING_ROW_CODES = frozenset({"differs_from_entered", "person_entered", "person_alike_entered", "number_of_another"})
PROGRESS_EVERY_ROWS = 100

ImportProgressCallback = Callable[[int], None]
"""How far it is: rows read so far. May raise, to stop the reading."""


@dataclass(frozen=True)
class RowAnswer:
    """An organiser's answer to one question: why, by whose account, when (ISO 8601)."""

    reason: str
    by: int
    at: str


@dataclass(frozen=True)
class FileDates:
    """The column of dates as it was judged; `answered` is what a person said, `by` whose account (None: a command)."""

    column: ColumnDates
    answered: str | None = None
    by: int | None = None

    @property
    def order(self) -> str | None:
        """What stands first; None while a person must say."""
        return self.answered or (None if self.column.asks else ORDER_DAY_FIRST)


@dataclass(frozen=True)
class ImportPreview:
    """A file as it would be imported now.

    `rows` are all rows as read; `faults` all of them, in the order of the file; `left_out` answers by row that is not
    imported; `accepted` answers by row and question (the fault's code); `unchanged` the entrants that rows repeat;
    `changes` what rows would change of entrants, by row; `results` the ids of those with games on a locked sheet: of
    them some changes take two people, and of the families that they are in, `bound` by folded code.
    """

    entrant_file: EntrantFile
    heads: HeadRow
    rows: tuple[ImportedRow, ...]
    faults: tuple[ImportFault, ...]
    left_out: Mapping[int, RowAnswer]
    accepted: Mapping[tuple[int, str], RowAnswer]
    unchanged: Mapping[int, Entrant]
    changes: Mapping[int, EntrantChange]
    dates: FileDates
    results: frozenset[int] = frozenset()
    bound: frozenset[str] = frozenset()

    @cached_property
    def to_mend(self) -> tuple[ImportFault, ...]:
        """Faults that must be changed in the file."""
        return tuple(fault for fault in self.faults if fault.weight == FAULT_ERROR)

    @cached_property
    def to_decide(self) -> tuple[ImportFault, ...]:
        """Questions that wait for an organiser."""
        return tuple(fault for fault in self.faults if fault.weight == FAULT_DECIDE and not self.is_decided(fault))

    @cached_property
    def open_faults(self) -> tuple[ImportFault, ...]:
        """Everything that stops the import."""
        return tuple(
            fault for fault in self.faults if fault.weight not in INFORMATIVE_SEVERITIES and not self.is_decided(fault)
        )

    @cached_property
    def entering(self) -> tuple[ImportedRow, ...]:
        """The rows that would become entrants."""
        known = {*self.left_out, *self.unchanged, *self.changes}
        return tuple(row for row in self.rows if row.row not in known)

    @cached_property
    def faulty_rows(self) -> frozenset[int]:
        """Rows with an open fault."""
        return frozenset(fault.row for fault in self.open_faults)

    @cached_property
    def differing(self) -> frozenset[int]:
        """Rows that say another thing than what is entered."""
        return frozenset(fault.row for fault in self.faults if fault.code in DIFFERING_ROW_CODES) | self.changes.keys()

    @cached_property
    def waiting(self) -> frozenset[int]:
        """The rows of whose change something waits for a second person after the import."""
        groups = second.split_changes(list(self.changes.values()), self.results, self.bound).later
        return frozenset(change.row.row for group in groups for change in group)

    @cached_property
    def digest(self) -> str:
        """What of those entered would change, as shown: whoever imports sends it back."""
        return entrant_changes_digest(self.changes.values())

    @property
    def sound_count(self) -> int:
        """Rows without an open fault."""
        return sum(1 for row in self.rows if row.row not in self.faulty_rows)

    @property
    def importable(self) -> bool:
        """Nothing stands in the way, and there is something to do or to confirm."""
        return not self.open_faults and not self.imported

    @property
    def imported(self) -> bool:
        """Whether this very file was imported."""
        return self.entrant_file.imported_at is not None

    def is_decided(self, fault: ImportFault) -> bool:
        """Whether an organiser has accepted what this question asks."""
        return (fault.row, fault.code) in self.accepted

    def decision_of(self, fault: ImportFault) -> RowAnswer | None:
        """The answer that belongs to this line, where there is one."""
        if fault.code == LEFT_OUT_CODE:
            return self.left_out.get(fault.row)
        return self.accepted.get((fault.row, fault.code))


def session_place(session: Session) -> SessionPlace:
    """A session as the reader knows it; ages are judged on its original date (R1)."""
    check_in = timezone.localtime(session.check_in_at)
    return SessionPlace(session.number, session.original_date, session.number_of_day, f"{check_in:%H:%M}", session.code)


def left_out_of(entrant_file: EntrantFile) -> dict[int, RowAnswer]:
    """The answers that leave a row out, by row."""
    decisions = entrant_file.decisions.items()
    return {int(row): RowAnswer(**kept["left_out"]) for row, kept in decisions if "left_out" in kept}


def accepted_of(entrant_file: EntrantFile) -> dict[tuple[int, str], RowAnswer]:
    """The answers that accept, by row and question."""
    return {
        (int(row), question): RowAnswer(**answer)
        for row, kept in entrant_file.decisions.items()
        for question, answer in kept.get("accepted", {}).items()
    }


def cells_of(entrant_file: EntrantFile, heads: HeadRow) -> list[tuple[int, list[str | None]]]:
    """The rows' cells, each name that an organiser typed anew in its place."""
    rows = []
    for number, cells in entrant_file.rows:
        typed: Mapping[str, str] = entrant_file.decisions.get(str(number), {}).get("typed", {})
        for column in typed.keys() & heads.by_column.keys():
            cells = [*cells]
            cells[heads.place(column).index] = typed[column]
        rows.append((number, cells))
    return rows


def cells_typed_into_missing_columns(entrant_file: EntrantFile, heads: HeadRow) -> dict[int, dict[str, str]]:
    """What was typed into columns that the file does not have, by row: a Chinese name split off an English one."""
    found = {}
    for row, decision in entrant_file.decisions.items():
        if missing := {name: text for name, text in decision.get("typed", {}).items() if name not in heads.by_column}:
            found[int(row)] = missing
    return found


def build_preview(entrant_file: EntrantFile, tell: ImportProgressCallback | None = None) -> ImportPreview:
    """Read and check the whole file against what is entered now. Constant queries: event, sessions, entrants, places;
    two more where rows change somebody.

    1. each row by itself; 2. rows left out put aside; 3. persons (R1), numbers and persons twice (R2), entrants already
    there and what of them would change; 4. families (R40); 5. places (R2).
    """
    event: Event = entrant_file.event
    sessions = entrants_query.preliminary_sessions(event)
    heads = read_file_heads(entrant_file)
    dates = dates_in(entrant_file, heads)
    places = [session_place(session) for session in sessions]
    reader = RowReader(heads, entrant_file.encoding, places, dates.order)
    rows = read_rows(reader, cells_of(entrant_file, heads), cells_typed_into_missing_columns(entrant_file, heads), tell)
    out = left_out_of(entrant_file)
    by_number = {session.number: session for session in sessions}
    standing = checks.EnteredIndex(event, heads, by_number, entrants_query.entered_entrants(event))
    kept = [row for row in rows if row.row not in out]
    spoken = check_rows(kept, standing)
    changes = {number: change for number, change in spoken.items() if change.cells}
    moving = {number: change for number, change in changes.items() if change.moves}
    placed = [row for row in kept if row.row not in standing.claimed or row.row in moving]
    checks.check_families(kept, spoken, standing)
    checks.check_places(placed, moving, entrants_query.places_taken(event), standing)
    faults = [*heads.faults, *no_rows(entrant_file, heads, rows)]
    if dates.order is None:
        faults.append(date_order_question(dates.column, heads, entrant_file.head_row))
    for row in rows:
        faults += [left_out(row, heads)] if row.row in out else row.faults
    return ImportPreview(
        entrant_file,
        heads,
        rows,
        tuple(sorted(faults, key=lambda fault: fault.order)),
        out,
        accepted_of(entrant_file),
        {number: change.entrant for number, change in spoken.items() if not change.cells},
        changes,
        dates,
        *((standing.held.behind, standing.bound) if changes else ()),
    )


def read_file_heads(entrant_file: EntrantFile) -> HeadRow:
    """The columns of a file."""
    return read_heads(entrant_file.heads, entrant_file.head_row)


def dates_in(entrant_file: EntrantFile, heads: HeadRow) -> FileDates:
    """The order of day and month in a file: what the column tells, and what a person answered."""
    if BIRTH_DATE_COLUMN not in heads.by_column:
        return FileDates(ColumnDates())
    place = heads.place(BIRTH_DATE_COLUMN).index
    column = judge_dates((number, cells[place] or "") for number, cells in cells_of(entrant_file, heads))
    answer = entrant_file.decisions.get(str(entrant_file.head_row), {}).get("date_order", {})
    return FileDates(column, answer.get("order"), answer.get("by"))


def read_rows(
    reader: RowReader,
    cells: list[tuple[int, list[str | None]]],
    typed: Mapping[int, Mapping[str, str]],
    tell: ImportProgressCallback | None,
) -> tuple[ImportedRow, ...]:
    """Each row by itself; told of every hundredth."""
    rows = []
    for count, (number, texts) in enumerate(cells):
        if tell and count % PROGRESS_EVERY_ROWS == 0:
            tell(count)
        rows.append(reader.read(number, texts, typed.get(number)))
    return tuple(rows)


def check_rows(rows: list[ImportedRow], standing: checks.EnteredIndex) -> dict[int, EntrantChange]:
    """The checks of persons and numbers; gives what rows say of entrants. Who is repeated needs no further check."""
    checks.check_duplicate_rows(rows, standing)
    spoken: dict[int, EntrantChange] = {}
    for row in rows:
        change = checks.check_entered(row, standing)
        if change is None:
            check_names(row, standing.note)
            checks.check_person(row, standing)
            checks.check_session(row, standing)
            continue
        spoken[row.row] = change
        if change.cells:
            checks.check_change(change, standing)
    return spoken


def left_out(row: ImportedRow, heads: HeadRow) -> ImportFault:
    """The line that tells of a row left out by decision; its cell is the date that was decided on."""
    return ImportFault(
        LEFT_OUT_CODE, row.row, heads.place("birth_date"), row.cells.get("birth_date", ""), FAULT_LEFT_OUT
    )


def no_rows(entrant_file: EntrantFile, heads: HeadRow, rows: tuple[ImportedRow, ...]) -> list[ImportFault]:
    """A file without a row below its column names."""
    if rows or entrant_file.imported_at is not None:
        return []
    return [ImportFault("no_rows", entrant_file.head_row, FileColumn(-1, "", ""), "")]


def rows_around_index(shown: ImportPreview, row: int, distance: int = 1) -> list[tuple[int, list[Any]]]:
    """The rows about one row as in the file, for looking at a fault in its place."""
    cells = cells_of(shown.entrant_file, shown.heads)
    at = next((index for index, (number, _) in enumerate(cells) if number == row), None)
    return [] if at is None else cells[max(0, at - distance) : at + distance + 1]
