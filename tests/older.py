"""An event of an early version: the small demo with a released ranking, as the program of 0.1.0 made it."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

# Made with `iterdump`; 96 entrants, 24 stamped sheets, one release.
DUMP = Path(__file__).resolve().parent / "data" / "older_event.sql.gz"


def write(database: Path) -> None:
    """Its SQLite file, which no later migration has seen."""
    with closing(sqlite3.connect(database)) as made:
        made.executescript(gzip.decompress(DUMP.read_bytes()).decode("utf-8"))
