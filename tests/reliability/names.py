"""Composed names through the frozen content of a release and every public file that is made of it.

No file of either language shows more of a name than the rule allows, nor two masks of one person.
"""

import io
import json
import random
import re
from collections.abc import Callable, Iterator
from html import unescape

import pypdfium2
from openpyxl import load_workbook

from tests.names import Composed, compose, shows_too_much
from tests.publication.exports.test_ranking_files import MAKE, content, csv_rows, line
from tests.reliability.figures import Figure
from tests.reliability.naive_names import labelled_name
from tests.squeezed import squeezed
from tournament.core.exports.pdf_names import UNPRINTABLE_LISTED_NAME
from tournament.core.names import public_name
from tournament.publication.domain.release import canonical_digest
from tournament.publication.exports.public_pages import ranking_page
from tournament.publication.exports.released import ReleasedRanking, read_release

Mask = Callable[[str, str], str]
A_RELEASE = 1000
NAME_COLUMN = 3


def figure(count: int, seed: int, *, control: bool = False) -> Figure:
    """So many composed names, a release a thousand."""
    dice = random.Random(seed)
    mask: Mask = labelled_name if control else public_name
    told: list[str] = []
    for start in range(0, count, A_RELEASE):
        told += faults_of([compose(dice) for _ in range(min(A_RELEASE, count - start))], mask)
    title = "composed names of which a public file shows more than the rule allows, or two masks"
    made = Figure("names", title, "none", count, len(told), count, seed)
    made.facts = {"first": told[:5]}
    return made


def faults_of(names: list[Composed], mask: Mask) -> list[str]:
    """What one release of these names shows too much of, each name once."""
    data = content(
        ranking=[
            {**line(place % 40, 1), "number": place + 1, "rank": place + 1, "name": mask(name.name_zh, name.name_en)}
            for place, name in enumerate(names)
        ]
    )
    released = read_release(data, canonical_digest(data))
    found: dict[int, str] = {}
    seen: set[tuple[str, int]] = set()
    for where, number, shown in every_showing(released):
        seen.add((where, number))
        if fault := shows_too_much(names[number - 1], shown):
            found.setdefault(number, f"{names[number - 1]}: {shown!r} in {where}: {fault}")
    unread = len(names) * len({where for where, _number in seen}) - len(seen)
    assert not unread, f"{unread} lines were not read"
    return list(found.values())


def on_paper(released: ReleasedRanking) -> Iterator[tuple[str, int, str]]:
    """Number and name of each line of the printed list; one without a font stands by its number."""
    for page in pypdfium2.PdfDocument(MAKE["ranking.pdf"](released)):
        text = page.get_textpage().get_text_range().replace("\ufffe", "")
        for number, name in re.findall(r"^\d+ (\d{4}) (.*?) ?\d [−+\d/ ]+\s*$", text, re.MULTILINE):
            yield "pdf", int(number), "" if name == UNPRINTABLE_LISTED_NAME else name


def every_showing(released: ReleasedRanking) -> Iterator[tuple[str, int, str]]:
    """File, number and name of each line: content, CSV, workbook, PDF, page in both languages."""
    yield from on_paper(released)
    for one in json.loads(MAKE["ranking.json"](released))["ranking"]:
        yield "json", one["number"], " ".join(str(value) for key, value in one.items() if key.startswith("name"))
    for row in csv_rows(released)[1 : len(released.ranking) + 1]:
        yield "csv", int(row[2]), str(row[NAME_COLUMN])
    book = load_workbook(io.BytesIO(MAKE["ranking.xlsx"](released)), read_only=True)
    for row in book.worksheets[0].iter_rows(min_row=2, max_row=len(released.ranking) + 1, values_only=True):
        yield "xlsx", int(str(row[2])), str(row[NAME_COLUMN] or "")
    for language in ("zh-hant", "en"):
        page = squeezed(ranking_page(released, language, slug="hk-2026", folder="hk-2026/").decode())
        for number, cell in re.findall(r'<tr id="n(\d{4})"><td>[^<]*</td><td>(.*?)<a class="no"', page, re.DOTALL):
            yield language, int(number), unescape(re.sub(r'<span class="three">.*?</span>|<[^>]+>', "", cell)).strip()
