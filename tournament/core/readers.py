"""How large a list of entrants may be, and what a file is by its first bytes: both judged before anything is parsed."""

import io
import zipfile
import zlib

from django.utils.translation import gettext_noop as _

from tournament.core.errors import BadInput, TooLarge, WrongType

MAX_FILE_BYTES = 2 * 1024 * 1024
MAX_UNZIPPED_BYTES = 30 * 1024 * 1024
MAX_ZIP_PARTS = 200
MAX_ZIP_RATIO = 100
SMALL_ZIP_PART = 64 * 1024  # a part this small may be all zeros: it cannot hurt
MAX_FILE_ROWS = 5000
MAX_FILE_COLUMNS = 64
MAX_FILE_CELL = 1000  # what is longer is cut before it is kept; the fault tells its length class all the same

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WORKBOOK_MAIN_TYPE = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
NAMED_BY_FIRST_BYTES = (
    (
        OLE_SIGNATURE,
        "file_is_old_excel",
        _("This is an old or password-protected Excel file. Save it as .xlsx without a password."),
    ),
    (b"%PDF", "file_is_pdf", _("This is a PDF. Send the spreadsheet it was made from, as .xlsx or CSV.")),
    (b"\x89PNG", "file_is_picture", _("This is a picture. Send the list as .xlsx or CSV.")),
    (b"\xff\xd8\xff", "file_is_picture", _("This is a picture. Send the list as .xlsx or CSV.")),
    (b"{\\rtf", "file_not_a_table", _("This is not a spreadsheet. Send the list as .xlsx or CSV.")),
)
NOT_A_TABLE = _("This is not a spreadsheet. Send the list as .xlsx or CSV.")


def file_too_large() -> TooLarge:
    """The one refusal for every limit of size."""
    return TooLarge(
        "file_too_large",
        _("The file is too large for a list of entrants (at most 2 MB). Delete pictures and spare sheets."),
    )


def workbook_unreadable() -> BadInput:
    """A workbook whose inside is broken."""
    return BadInput("file_unreadable", _("The workbook is damaged. Open it, save it again as .xlsx, and send that."))


def cells_outside_table() -> BadInput:
    """Cells beyond the rows and columns that are read (F2)."""
    return BadInput(
        "cells_outside",
        _("There are cells outside the table (beyond row %(rows)s or column %(columns)s). Delete them."),
        rows=MAX_FILE_ROWS,
        columns=MAX_FILE_COLUMNS,
    )


def kind_of_file(content: bytes) -> str:
    """`xlsx` or `csv`, by content and never by name (F4). Raises `WrongType` (415) or `TooLarge` (413)."""
    if len(content) > MAX_FILE_BYTES:
        raise file_too_large()
    if not content.strip(b"\x00\t\r\n \xef\xbb\xbf"):
        raise WrongType("file_empty", _("The file is empty. Choose the list of entrants again."))
    for start, code, sentence in NAMED_BY_FIRST_BYTES:
        if content.startswith(start):
            raise WrongType(code, sentence)
    if content.startswith(b"PK"):
        check_zip(content)
        return "xlsx"
    head = content[:512].lstrip(b"\xef\xbb\xbf\t\r\n ").lower()
    if head.startswith((b"<", b"{", b"[")):
        raise WrongType("file_not_a_table", NOT_A_TABLE)
    return "csv"


def check_zip(content: bytes) -> None:
    """A zip that is a workbook without macros and within the limits, judged by its directory alone (F1, F4)."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            check_zip_sizes(parts)
            check_zip_parts(archive, parts)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, ValueError, EOFError, OSError, RuntimeError) as error:
        raise workbook_unreadable() from error


def check_zip_sizes(parts: list[zipfile.ZipInfo]) -> None:
    """Number of parts, their sum, and how far each would swell."""
    swollen = any(
        part.file_size > SMALL_ZIP_PART and part.file_size > MAX_ZIP_RATIO * max(part.compress_size, 1)
        for part in parts
    )
    if len(parts) > MAX_ZIP_PARTS or sum(part.file_size for part in parts) > MAX_UNZIPPED_BYTES or swollen:
        raise file_too_large()


def check_zip_parts(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> None:
    """A spreadsheet's parts, each once, none encrypted, no macros, no document type (F3)."""
    names = [part.filename for part in parts]
    if any("vbaproject" in name.lower() for name in names):
        raise WrongType(
            "file_has_macros", _("The workbook has macros. Save it as .xlsx (without macros) and send that.")
        )
    if "[Content_Types].xml" not in names or WORKBOOK_MAIN_TYPE not in archive.read("[Content_Types].xml"):
        raise WrongType("file_not_a_table", NOT_A_TABLE)
    if len(set(names)) != len(names) or any(part.flag_bits & 1 for part in parts):
        raise workbook_unreadable()
    if any(has_document_type(archive.read(part)) for part in parts if part.filename.endswith((".xml", ".rels"))):
        raise workbook_unreadable()


def has_document_type(xml: bytes) -> bool:
    """A DTD, in whatever encoding: none belongs in a workbook, and entities hide in it."""
    plain = xml.replace(b"\x00", b"")
    return b"<!DOCTYPE" in plain or b"<!ENTITY" in plain
