"""Those whom no mail reaches, or one that counts no more, as a workbook for whoever telephones them. For organisers
alone."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from openpyxl import Workbook

from tournament.core.cells import only_sheet, write_xlsx_rows, xlsx_file
from tournament.core.numberformat import entrant_number_text
from tournament.entrants.models.people import Entrant

MISSING_MAIL_HEADS = ("號碼 number", "中文姓名 name_zh", "英文姓名 name_en", "電話 phone", "電郵 email")
MISSING_MAIL_REASON_HEAD = "未收到 lacks"
MISSING_MAIL_TITLE = "沒有電郵"


def missing_mail_xlsx(
    entrants: Iterable[Entrant], at: datetime, title: str = MISSING_MAIL_TITLE, lacks: Mapping[int, str] | None = None
) -> bytes:
    """A row each, texts in every cell; `email` is what cannot be mailed to, where anything was entered. `lacks`, by
    number: which words each has not got, and why."""
    book = Workbook()
    sheet = only_sheet(book, title)
    rows = (
        (entrant_number_text(one.number), one.person.name_zh, one.person.name_en, one.person.phone, one.person.email)
        for one in entrants
    )
    if lacks is None:
        write_xlsx_rows(sheet, [MISSING_MAIL_HEADS, *rows], heads=1)
    else:
        more = ((*row, lacks.get(int(row[0]), "")) for row in rows)
        write_xlsx_rows(sheet, [(*MISSING_MAIL_HEADS, MISSING_MAIL_REASON_HEAD), *more], heads=1)
    sheet.freeze_panes = "A2"
    return xlsx_file(book, at)
