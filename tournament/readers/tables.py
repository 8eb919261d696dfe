"""The one door for a list of entrants: what the file is decides who reads it, never its name (F4)."""

from tournament.readers.csv_text import read_csv
from tournament.readers.grid import Grid
from tournament.readers.limits import kind_of
from tournament.readers.workbook import read_workbook


def read_table(content: bytes) -> Grid:
    """The rows of an xlsx or a CSV. Raises `TooLarge` (413), `WrongType` (415) or `BadInput` (400)."""
    return read_workbook(content) if kind_of(content) == "xlsx" else read_csv(content)
