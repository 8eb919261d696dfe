"""The made-up lists are what their script makes, and hold what a Hong Kong list holds."""

import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from datetime import date
from pathlib import Path

from tests.entrant_lists import FIXTURES
from tournament.entrants.readers.tables import read_table

LISTS = (
    "entrants.xlsx",
    "entrants.csv",
    "entrants-big5hkscs.csv",
    "entrants-faulty.xlsx",
    *(f"{club}/entrants.xlsx" for club in ("twist", "school", "word", "french")),
)
ROOT = FIXTURES.parent


def parts_of(path: Path) -> dict[str, bytes]:
    """A workbook's parts unpacked, since another zlib packs them otherwise; a CSV as it is."""
    if path.suffix != ".xlsx":
        return {path.name: path.read_bytes()}
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_script_makes_the_same_lists_every_time(tmp_path: Path) -> None:
    made = []
    for run in ("first", "second"):
        folder = tmp_path / run
        (folder / "scripts").mkdir(parents=True)
        (folder / "fixtures").mkdir()
        for name in ("make_entrants.py", "club_entrants.py", "entrant_words.py", "entrant_faults.py"):
            shutil.copy(ROOT / "scripts" / name, folder / "scripts" / name)
        subprocess.run([sys.executable, "-m", "scripts.make_entrants"], cwd=folder, check=True)
        made.append(folder / "fixtures")
    first, second = made
    assert [(first / name).read_bytes() == (second / name).read_bytes() for name in LISTS] == [True] * 8
    assert [parts_of(first / name) == parts_of(FIXTURES / name) for name in LISTS] == [True] * 8


def test_the_list_is_as_an_organiser_of_hong_kong_would_send_it() -> None:
    grid = read_table((FIXTURES / "entrants.csv").read_bytes())
    rows = [dict(zip(grid.heads, cells, strict=True)) for _, cells in grid.rows]
    assert [row["編號"] for row in rows] == [f"{number:04d}" for number in range(1, 1201)]
    names = "".join(row["中文姓名"] for row in rows)
    assert [character in names for character in "𨋢𤧬𠮷衞峯"] == [True] * 5
    english = [row["英文姓名"] for row in rows]
    assert [any(sign in name for name in english) for sign in ("'", "-", ",")] == [True] * 3
    assert [bool(names.count("·")), any(" " not in name for name in english)] == [True, True]
    assert sum(1 for row in rows if not row["中文姓名"]) > 20
    assert Counter(row["家庭身份"] for row in rows if row["家庭"]) == {"子女": 100, "家長": 100}
    births = [date.fromisoformat(row["出生日期"]) for row in rows]
    assert min(births).year < 1945
    assert max(births) < date(2019, 4, 7)
