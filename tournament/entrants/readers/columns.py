"""The head row of a list of entrants: which column each head names, Chinese or English, in any order."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.core.entrant_columns import COLUMN_BY_KEY, ENTRANT_COLUMNS
from tournament.entrants.readers.faults import FAULT_LEFT_OUT, FileColumn, ImportFault
from tournament.entrants.readers.identity import is_identity_head


def fold_column_head(head: str) -> str:
    """A column name without width, case, brackets, stars, spaces and signs."""
    return re.sub(r"[^\w#]|_", "", unicodedata.normalize("NFKC", head).casefold())


COLUMN_OF_KNOWN_HEAD = {
    fold_column_head(head): column.key for column in ENTRANT_COLUMNS for head in (*column.heads, column.key)
}


def column_head_candidates(head: str) -> list[str]:
    """What a head may be read as: the whole, without what stands in brackets, its Chinese part, its English part."""
    bare = re.sub(r"[(（\[【].*?[)）\]】]", "", head)
    chinese = "".join(re.findall(r"[\u3400-\u9fff]+", bare))
    english = re.sub(r"[\u3400-\u9fff]+", " ", bare)
    return [fold_column_head(head), fold_column_head(bare), fold_column_head(chinese), fold_column_head(english)]


def recognise_column(head: str) -> str:
    """The column that a head names; "" where it names none, or an identity document."""
    if is_identity_head(head):
        return ""
    return next(
        (COLUMN_OF_KNOWN_HEAD[text] for text in column_head_candidates(head) if text in COLUMN_OF_KNOWN_HEAD), ""
    )


def spreadsheet_column_letters(index: int) -> str:
    """A column's letters as a spreadsheet shows them: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@dataclass(frozen=True, slots=True)
class HeadRow:
    """The columns of one file: all places, the place of each column read, and the faults of the row itself."""

    places: tuple[FileColumn, ...]
    by_column: dict[str, FileColumn]
    faults: tuple[ImportFault, ...]

    def place(self, column: str) -> FileColumn:
        """Where a column stands; one that the file lacks has no letter and its Chinese name."""
        return self.by_column.get(column) or FileColumn(len(self.places), "", COLUMN_BY_KEY[column].heads[0], column)


def read_heads(heads: Sequence[str], row: int) -> HeadRow:
    """What each column is. Unknown ones and identity documents are told and left out; twice or missing is a fault."""
    places: list[FileColumn] = []
    by_column: dict[str, FileColumn] = {}
    faults: list[ImportFault] = []
    for index, head in enumerate(heads):
        column = recognise_column(head)
        place = FileColumn(index, spreadsheet_column_letters(index), head, "" if column in by_column else column)
        places.append(place)
        if column and column in by_column:
            faults.append(ImportFault("column_twice", row, place, head, facts={"column": COLUMN_BY_KEY[column].label}))
        elif column:
            by_column[column] = place
        elif is_identity_head(head):
            faults.append(ImportFault("column_identity", row, place, None, FAULT_LEFT_OUT))
        elif head:
            faults.append(ImportFault("column_unknown", row, place, head, FAULT_LEFT_OUT))
    for wanted in ENTRANT_COLUMNS:
        if wanted.needed and wanted.key not in by_column:
            nowhere = FileColumn(len(heads), "", wanted.heads[0], wanted.key)
            faults.append(ImportFault("column_missing", row, nowhere, None, facts={"column": wanted.label}))
    return HeadRow(tuple(places), by_column, tuple(faults))
