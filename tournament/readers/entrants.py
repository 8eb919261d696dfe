"""Rows of text to entrants: each cell read, every fault of a row told, nothing looked up (no database)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from scoring.eligibility import age_on
from tournament.enums import FamilyRole, Language
from tournament.names import (
    fold,
    has_latin_letter,
    has_letter,
    is_spreadsheet_error,
    name_key,
)
from tournament.readers import answers
from tournament.readers.characters import first_forbidden, has_question_mark
from tournament.readers.columns import BY_NAME, COLUMNS, HeadRow
from tournament.readers.csv_text import BIG5
from tournament.readers.dates import DAYS, NotADate, both_readings, read_date
from tournament.readers.faults import DECIDE, MEND, Fault, Weight
from tournament.readers.identity import looks_like_identity_number
from tournament.readers.phones import NotAPhone, read_phone
from tournament.readers.sessions import NotASession, SessionPlace, read_session

HIGHEST_NUMBER = 9999
CONSENTS = ("consent_guardian", "consent_name", "consent_photo", "consent_marketing")
TEXTS = ("name_zh", "name_en", "school", "guardian", "family", "fee")

Cell = str | None
"""A kept cell; None: it looked like an identity-card number and was not kept."""


@dataclass(slots=True)
class EntrantRow:
    """One row read. A value that could not be read is its empty form; `faults` then say why."""

    row: int
    cells: Mapping[str, Cell]
    number: int | None = None
    name_zh: str = ""
    name_en: str = ""
    birth_date: date | None = None
    session: SessionPlace | None = None
    phone: str = ""
    email: str = ""
    language: Language = Language.CHINESE
    school: str = ""
    family: str = ""
    family_role: FamilyRole | None = None
    guardian: str = ""
    consent_guardian: bool = False
    consent_name: bool = False
    consent_photo: bool = False
    consent_marketing: bool = False
    fee: str = ""
    faults: list[Fault] = field(default_factory=list)

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
        return fold(self.family)


class RowReader:
    """Reads the rows of one file: knows its columns, its encoding and the event's sessions."""

    def __init__(
        self, heads: HeadRow, encoding: str, sessions: Sequence[SessionPlace], date_order: str | None = DAYS
    ) -> None:
        """`date_order` None: it is asked about, and what depends on it is not read yet."""
        self.heads = heads
        self.encoding = encoding
        self.sessions = sessions
        self.date_order = date_order

    def fault(
        self,
        entrant: EntrantRow,
        code: str,
        column: str,
        facts: Mapping[str, Any] | None = None,
        weight: Weight = MEND,
    ) -> None:
        """Note a fault at one cell of the row."""
        cell = entrant.cells.get(column, "")
        entrant.faults.append(Fault(code, entrant.row, self.heads.place(column), cell, weight, facts or {}))

    def read(self, row: int, cells: Sequence[Cell], typed: Mapping[str, str] | None = None) -> EntrantRow:
        """One row, in the order of the columns; a cell with a forbidden character is not read further. `typed`: what
        was typed here by column, also into one that the file lacks."""
        named = {column: cells[place.index] for column, place in self.heads.by_column.items()} | (typed or {})
        entrant = EntrantRow(row, named)
        for column in COLUMNS:
            if column.name not in named:
                continue
            text = self.sound_text(entrant, column.name)
            if text is not None:
                READ[column.name](self, entrant, column.name, text)
        return entrant

    def sound_text(self, entrant: EntrantRow, column: str) -> str | None:
        """The cell's text unless it was not kept, cannot be printed or is too long."""
        text = entrant.cells[column]
        if text is None:
            self.fault(entrant, "looks_like_identity_number", column)
            return None
        character = first_forbidden(text)
        if character:
            self.fault(entrant, "forbidden_character", column, {"character": character})
            return None
        longest = BY_NAME[column].longest
        if len(text) > longest:
            self.fault(entrant, "too_long", column, {"length": len(text), "most": longest})
            return None
        return text

    def number(self, entrant: EntrantRow, column: str, text: str) -> None:
        """1 to 9999, with or without leading zeros; blank is given at import. 7.0 and 1.2E+03 are refused (F9)."""
        if not text:
            return
        plain = fold(text)
        if plain.isascii() and plain.isdigit() and len(plain) <= 6 and 1 <= int(plain) <= HIGHEST_NUMBER:
            entrant.number = int(plain)
        else:
            self.fault(entrant, "number_unreadable", column)

    def name(self, entrant: EntrantRow, column: str, text: str) -> None:
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
            setattr(entrant, column, text)

    def text(self, entrant: EntrantRow, column: str, text: str) -> None:
        """Kept as typed; a question mark out of Big5 is asked about, since it mostly was another character."""
        setattr(entrant, column, text)
        if self.encoding == BIG5 and has_question_mark(text):
            self.fault(entrant, "text_lost_in_big5", column, weight=DECIDE)

    def birth_date(self, entrant: EntrantRow, column: str, text: str) -> None:
        """A real date."""
        if not text:
            self.fault(entrant, "birth_date_missing", column)
            return
        if self.date_order is None:
            readings = both_readings(text)
            if readings and readings[0] != readings[1]:
                return
        try:
            entrant.birth_date = read_date(text, self.date_order or DAYS)
        except NotADate as refused:
            self.fault(entrant, refused.code, column, refused.facts)

    def session(self, entrant: EntrantRow, column: str, text: str) -> None:
        """One of the event's sessions."""
        try:
            entrant.session = read_session(text, self.sessions)
        except NotASession as refused:
            self.fault(entrant, refused.code if text else "session_missing", column, refused.facts)

    def phone(self, entrant: EntrantRow, column: str, text: str) -> None:
        """E.164, or blank."""
        try:
            entrant.phone = read_phone(text)
        except NotAPhone as refused:
            self.fault(entrant, refused.code, column)

    def email(self, entrant: EntrantRow, column: str, text: str) -> None:
        """An address, or blank."""
        try:
            if text:
                validate_email(text)
            entrant.email = text
        except ValidationError:
            self.fault(entrant, "email_unreadable", column)

    def word(self, entrant: EntrantRow, column: str, text: str) -> None:
        """A word of a closed list."""
        try:
            setattr(entrant, column, WORDS[column](text))
        except answers.NotAnAnswer as refused:
            self.fault(entrant, refused.code, column)


WORDS: dict[str, Callable[[str], Any]] = {
    "language": answers.read_language,
    "family_role": answers.read_family_role,
    **dict.fromkeys(CONSENTS, answers.read_answer),
}
READ: dict[str, Callable[[RowReader, EntrantRow, str, str], None]] = {
    **dict.fromkeys(TEXTS, RowReader.text),
    **dict.fromkeys(WORDS, RowReader.word),
    "number": RowReader.number,
    "name_zh": RowReader.name,
    "name_en": RowReader.name,
    "birth_date": RowReader.birth_date,
    "session": RowReader.session,
    "phone": RowReader.phone,
    "email": RowReader.email,
}


def kept_cells(heads: HeadRow, cells: Sequence[str]) -> list[Cell]:
    """What of a row may be stored: nothing of columns left out, and no identity-card number anywhere (PDPO)."""
    kept: list[Cell] = []
    for place, cell in zip(heads.places, cells, strict=True):
        if not place.column:
            kept.append("")
        else:
            kept.append(None if looks_like_identity_number(cell) else cell)
    return kept
