"""Rows of text to entrants: each cell read, every fault of a row told, nothing looked up (no database)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from scoring.eligibility import age_on
from tournament.core.entrant_column_kinds import EMPTY, ColumnKind
from tournament.core.entrant_columns import COLUMN_BY_KEY, ENTRANT_COLUMNS
from tournament.core.enums import FamilyRole
from tournament.core.names import fold_name, has_latin_letter, has_letter, is_spreadsheet_error, name_key
from tournament.entrants.readers import choice_words
from tournament.entrants.readers.characters import first_forbidden_character, has_question_mark
from tournament.entrants.readers.columns import HeadRow
from tournament.entrants.readers.csv_text import BIG5
from tournament.entrants.readers.dates import ORDER_DAY_FIRST, NotADate, read_date, read_date_both_ways
from tournament.entrants.readers.faults import FAULT_DECIDE, FAULT_ERROR, FaultSeverity, ImportFault
from tournament.entrants.readers.identity import looks_like_identity_number
from tournament.entrants.readers.phones import NotAPhone, read_phone
from tournament.entrants.readers.sessions import NotASession, SessionPlace, read_session

HIGHEST_NUMBER = 9999

KeptCell = str | None
"""A kept cell; None: it looked like an identity-card number and was not kept."""


def empty_values() -> dict[str, Any]:
    """What a row says that says nothing."""
    return {column.key: EMPTY[column.kind] for column in ENTRANT_COLUMNS}


@dataclass(slots=True)
class ImportedRow:
    """One row read: `values` by column; one that could not be read is `EMPTY` of its kind, and `faults` say why."""

    row: int
    cells: Mapping[str, KeptCell]
    values: dict[str, Any] = field(default_factory=empty_values)
    faults: list[ImportFault] = field(default_factory=list)

    # What rules look at.
    @property
    def number(self) -> int | None:
        """The entrant number; None: to be given at the import."""
        return cast(int | None, self.values["number"])

    @property
    def name_zh(self) -> str:
        """The Chinese name as typed."""
        return str(self.values["name_zh"])

    @property
    def name_en(self) -> str:
        """The English name as typed."""
        return str(self.values["name_en"])

    @property
    def birth_date(self) -> date | None:
        """The day of birth, where it could be read."""
        return cast(date | None, self.values["birth_date"])

    @property
    def session(self) -> SessionPlace | None:
        """The session, where it could be read."""
        return cast(SessionPlace | None, self.values["session"])

    @property
    def phone(self) -> str:
        """The telephone as E.164, or blank."""
        return str(self.values["phone"])

    @property
    def family(self) -> str:
        """The family's code as typed."""
        return str(self.values["family"])

    @property
    def family_role(self) -> FamilyRole | None:
        """Child or parent, where a family is named."""
        return cast(FamilyRole | None, self.values["family_role"])

    @property
    def consent_guardian(self) -> bool:
        """Whether the guardian has consented."""
        return bool(self.values["consent_guardian"])

    @property
    def consent_name(self) -> bool:
        """Whether the full name may be public."""
        return bool(self.values["consent_name"])

    @property
    def name_key(self) -> str:
        """The folded key of both names."""
        return name_key(self.name_zh, self.name_en)

    @property
    def age(self) -> int | None:
        """Whole years on the day of the session, where both are known."""
        return age_on(self.birth_date, self.session.day) if self.birth_date and self.session else None

    @property
    def family_key(self) -> str:
        """The family's code folded: F-0118 and f-0118 are one family."""
        return fold_name(self.family)


class RowReader:
    """Reads the rows of one file: knows its columns, its encoding and the event's sessions."""

    def __init__(
        self, heads: HeadRow, encoding: str, sessions: Sequence[SessionPlace], date_order: str | None = ORDER_DAY_FIRST
    ) -> None:
        """`date_order` None: it is asked about, and what depends on it is not read yet."""
        self.heads = heads
        self.encoding = encoding
        self.sessions = sessions
        self.date_order = date_order

    def fault(
        self,
        entrant: ImportedRow,
        code: str,
        column: str,
        facts: Mapping[str, Any] | None = None,
        weight: FaultSeverity = FAULT_ERROR,
    ) -> None:
        """Note a fault at one cell of the row."""
        cell = entrant.cells.get(column, "")
        entrant.faults.append(ImportFault(code, entrant.row, self.heads.place(column), cell, weight, facts or {}))

    def read(self, row: int, cells: Sequence[KeptCell], typed: Mapping[str, str] | None = None) -> ImportedRow:
        """One row, in the order of the columns; a cell with a forbidden character is not read further. `typed`: what
        was typed here by column, also into one that the file lacks."""
        named = {column: cells[place.index] for column, place in self.heads.by_column.items()} | dict(typed or {})
        entrant = ImportedRow(row, named)
        for column in ENTRANT_COLUMNS:
            if column.key not in named:
                continue
            text = self.sound_text(entrant, column.key)
            if text is not None:
                COLUMN_READERS[column.kind](self, entrant, column.key, text)
        return entrant

    def sound_text(self, entrant: ImportedRow, column: str) -> str | None:
        """The cell's text unless it was not kept, cannot be printed or is too long."""
        text = entrant.cells[column]
        if text is None:
            self.fault(entrant, "looks_like_identity_number", column)
            return None
        character = first_forbidden_character(text)
        if character:
            self.fault(entrant, "forbidden_character", column, {"character": character})
            return None
        longest = COLUMN_BY_KEY[column].longest
        if len(text) > longest:
            self.fault(entrant, "too_long", column, {"length": len(text), "most": longest})
            return None
        return text

    def number(self, entrant: ImportedRow, column: str, text: str) -> None:
        """1 to 9999, with or without leading zeros; blank is given at import. 7.0 and 1.2E+03 are refused (F9)."""
        if not text:
            return
        plain = fold_name(text)
        if plain.isascii() and plain.isdigit() and len(plain) <= 6 and 1 <= int(plain) <= HIGHEST_NUMBER:
            entrant.values[column] = int(plain)
        else:
            self.fault(entrant, "number_unreadable", column)

    def name(self, entrant: ImportedRow, column: str, text: str) -> None:
        """A name as typed; English must be there and have a Latin letter. What is odd about a name that can be one is
        asked by the checks (services.importing_names), where it is known whether the name is new."""
        if has_question_mark(text):
            lost = self.encoding == BIG5
            self.fault(entrant, "name_lost_in_big5" if lost else "name_question_mark", column)
        elif is_spreadsheet_error(text):
            self.fault(entrant, "name_spreadsheet_error", column)
        elif column == "name_en" and not text:
            self.fault(entrant, "name_en_missing", column)
        elif text and not has_letter(text):
            self.fault(entrant, "name_without_letter", column)
        elif column == "name_en" and not has_latin_letter(text):
            self.fault(entrant, "name_en_not_latin", column)
        else:
            entrant.values[column] = text

    def text(self, entrant: ImportedRow, column: str, text: str) -> None:
        """Kept as typed; a question mark out of Big5 is asked about, since it mostly was another character."""
        entrant.values[column] = text
        if self.encoding == BIG5 and has_question_mark(text):
            self.fault(entrant, "text_lost_in_big5", column, weight=FAULT_DECIDE)

    def birth_date(self, entrant: ImportedRow, column: str, text: str) -> None:
        """While the order is unknown, a date with two readings is left unread."""
        if not text:
            self.fault(entrant, "birth_date_missing", column)
            return
        if self.date_order is None:
            readings = read_date_both_ways(text)
            if readings and readings[0] != readings[1]:
                return
        try:
            entrant.values[column] = read_date(text, self.date_order or ORDER_DAY_FIRST)
        except NotADate as refused:
            self.fault(entrant, refused.code, column, refused.facts)

    def session(self, entrant: ImportedRow, column: str, text: str) -> None:
        """One of the event's sessions."""
        try:
            entrant.values[column] = read_session(text, self.sessions)
        except NotASession as refused:
            self.fault(entrant, refused.code if text else "session_missing", column, refused.facts)

    def phone(self, entrant: ImportedRow, column: str, text: str) -> None:
        """Stored in E.164; blank stays blank."""
        try:
            entrant.values[column] = read_phone(text)
        except NotAPhone as refused:
            self.fault(entrant, refused.code, column)

    def email(self, entrant: ImportedRow, column: str, text: str) -> None:
        """Blank is no fault and stays blank."""
        try:
            if text:
                validate_email(text)
            entrant.values[column] = text
        except ValidationError:
            self.fault(entrant, "email_unreadable", column)

    def word(self, entrant: ImportedRow, column: str, text: str) -> None:
        """A word of a closed list."""
        try:
            entrant.values[column] = CHOICE_READERS[COLUMN_BY_KEY[column].kind](text)
        except choice_words.NotAnAnswer as refused:
            self.fault(entrant, refused.code, column)


CHOICE_READERS: dict[ColumnKind, Callable[[str], Any]] = {
    ColumnKind.LANGUAGE: choice_words.read_language,
    ColumnKind.FAMILY_ROLE: choice_words.read_family_role,
    ColumnKind.YES_NO: choice_words.read_answer,
}
COLUMN_READERS: dict[ColumnKind, Callable[[RowReader, ImportedRow, str, str], None]] = {
    ColumnKind.NUMBER: RowReader.number,
    ColumnKind.NAME: RowReader.name,
    ColumnKind.DATE: RowReader.birth_date,
    ColumnKind.SESSION: RowReader.session,
    ColumnKind.PHONE: RowReader.phone,
    ColumnKind.MAIL: RowReader.email,
    ColumnKind.TEXT: RowReader.text,
    ColumnKind.FAMILY: RowReader.text,
    **dict.fromkeys(CHOICE_READERS, RowReader.word),
}


def kept_cells(heads: HeadRow, cells: Sequence[str]) -> list[KeptCell]:
    """What of a row may be stored: nothing of columns left out, and no identity-card number anywhere (PDPO)."""
    kept: list[KeptCell] = []
    for place, cell in zip(heads.places, cells, strict=True):
        if not place.column:
            kept.append("")
        else:
            kept.append(None if looks_like_identity_number(cell) else cell)
    return kept
