"""Those whom no mail reaches, or one that counts no more, as a workbook for whoever telephones them. For organisers
alone."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from openpyxl import Workbook

from tournament.exports.cells import write_rows, xlsx_file
from tournament.models import Entrant
from tournament.quantities import entrant_number_text

HEADS = ("號碼 number", "中文姓名 name_zh", "英文姓名 name_en", "電話 phone", "電郵 email")
LACKS = "未收到 lacks"
TITLE = "沒有電郵"


def missing_xlsx(
    entrants: Iterable[Entrant], at: datetime, title: str = TITLE, lacks: Mapping[int, str] | None = None
) -> bytes:
    """A row each, texts in every cell; `email` is what cannot be mailed to, where anything was entered. `lacks`, by
    number: which words each has not got, and why."""
    book = Workbook()
    sheet = book.active
    sheet.title = title
    rows = (
        (entrant_number_text(one.number), one.person.name_zh, one.person.name_en, one.person.phone, one.person.email)
        for one in entrants
    )
    if lacks is None:
        write_rows(sheet, [HEADS, *rows], heads=1)
    else:
        more = ((*row, lacks.get(int(row[0]), "")) for row in rows)
        write_rows(sheet, [(*HEADS, LACKS), *more], heads=1)
    sheet.freeze_panes = "A2"
    return xlsx_file(book, at)
