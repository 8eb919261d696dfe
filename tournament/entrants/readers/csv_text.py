"""A CSV to rows of text: its encoding found in a fixed order, never guessed (F5)."""

import codecs
import csv
import io
from collections.abc import Sequence

from django.utils.translation import gettext_noop as _

from tournament.core.errors import BadInput, WrongType
from tournament.core.readers import MAX_FILE_COLUMNS, MAX_FILE_ROWS, NOT_A_TABLE, cells_outside_table
from tournament.entrants.readers.grid import FileGrid, make_grid

BIG5 = "Big5-HKSCS"
UTF_8 = "UTF-8"
UTF_16 = "UTF-16"
DELIMITERS = ",;\t"


def read_csv(content: bytes) -> FileGrid:
    """The rows of a CSV. Raises `WrongType` where it is no table, `BadInput` where a byte or a quote cannot be read."""
    text, encoding = decode_csv(content)
    delimiter = find_delimiter(text)
    if (not delimiter and len(text.splitlines()) < 2) or is_mostly_control(text):
        raise WrongType("file_not_a_table", NOT_A_TABLE)
    rows = parse_csv_records(text, delimiter or ",")
    if len(rows) > MAX_FILE_ROWS and any(any(row) for row in rows[MAX_FILE_ROWS:]):
        raise cells_outside_table()
    if any(any(row[MAX_FILE_COLUMNS:]) for row in rows):
        raise cells_outside_table()
    return make_grid("csv", rows[:MAX_FILE_ROWS], encoding=encoding)


def decode_csv(content: bytes) -> tuple[str, str]:
    """The text and its encoding: by byte order mark, else strict UTF-8, else Big5-HKSCS; nothing else is tried."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode_strictly(content, "utf-16", UTF_16), UTF_16
    if content.startswith(codecs.BOM_UTF8):
        return decode_strictly(content, "utf-8-sig", UTF_8), UTF_8
    try:
        return content.decode("utf-8"), UTF_8
    except UnicodeDecodeError:
        pass
    if is_damaged_utf_8(content):
        return decode_strictly(content, "utf-8", UTF_8), UTF_8
    return decode_strictly(content, "big5hkscs", BIG5), BIG5


def is_damaged_utf_8(content: bytes) -> bool:
    """Mostly whole UTF-8 characters: a few broken bytes make it no Big5 file, whose reading would be gibberish."""
    read = content.decode("utf-8", errors="replace")
    whole = sum(1 for character in read if character > "\x7f" and character != "\ufffd")
    return whole > read.count("\ufffd")


def decode_strictly(content: bytes, codec: str, encoding: str) -> str:
    """Decode, or say at which row and column it stops."""
    try:
        return content.decode(codec)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(codec, errors="ignore")
        line = before.rsplit("\n", 1)[-1]
        raise BadInput(
            "file_undecodable",
            _("Row %(row)s, column %(column)s holds bytes that are not %(encoding)s. Save the list again as xlsx."),
            row=before.count("\n") + 1,
            column=sum(line.count(sign) for sign in DELIMITERS) + 1,
            encoding=encoding,
        ) from error


def find_delimiter(text: str) -> str:
    """Comma, semicolon or tab: whichever the first rows outside of quotes have most; "" where there is none."""
    outside = "".join(text[:4000].split('"')[::2])
    best = max(DELIMITERS, key=outside.count)
    return best if best in outside else ""


def is_mostly_control(text: str) -> bool:
    """Bytes that happened to decode, but are no writing."""
    sample = text[:4000]
    control = sum(1 for character in sample if character < " " and character not in "\t\r\n")
    return control * 10 > len(sample)


def parse_csv_records(text: str, delimiter: str) -> Sequence[list[str]]:
    """The records; a line break inside quotes does not end one."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend(reader)
    except csv.Error as error:
        raise BadInput(
            "file_quotes",
            _("Row %(row)s: a quotation mark is not closed. Save the list again as CSV or xlsx."),
            row=len(rows) + 1,
        ) from error
    return rows
