"""Those whom no mail reaches, or one that counts no more, as a workbook for whoever telephones them. For organisers
alone."""

from collections.abc import Iterable
from datetime import datetime

from openpyxl import Workbook

from tournament.exports.cells import write_rows, xlsx_file
from tournament.models import Entrant
from tournament.quantities import entrant_number_text

HEADS = ("號碼 number", "中文姓名 name_zh", "英文姓名 name_en", "電話 phone", "電郵 email")
TITLE = "沒有電郵"


def missing_xlsx(entrants: Iterable[Entrant], at: datetime, title: str = TITLE) -> bytes:
    """A row each, texts in every cell; `email` is what cannot be mailed to, where anything was entered."""
    book = Workbook()
    sheet = book.active
    sheet.title = title
    rows = (
        (entrant_number_text(one.number), one.person.name_zh, one.person.name_en, one.person.phone, one.person.email)
        for one in entrants
    )
    write_rows(sheet, [HEADS, *rows], heads=1)
    sheet.freeze_panes = "A2"
    return xlsx_file(book, at)
