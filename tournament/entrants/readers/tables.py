"""The one door for a list of entrants: what the file is decides who reads it, never its name (F4)."""

from tournament.core.readers import kind_of_file
from tournament.entrants.readers.csv_text import read_csv
from tournament.entrants.readers.grid import FileGrid
from tournament.entrants.readers.workbook import read_workbook


def read_table(content: bytes) -> FileGrid:
    """The rows of an xlsx or a CSV. Raises `TooLarge` (413), `WrongType` (415) or `BadInput` (400)."""
    return read_workbook(content) if kind_of_file(content) == "xlsx" else read_csv(content)
