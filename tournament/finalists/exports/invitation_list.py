"""Those who hold a place as a workbook for a mail merge, with the address that answers. For organisers alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from openpyxl import Workbook

from tournament.core.cells import only_sheet, write_xlsx_rows, xlsx_file
from tournament.core.numberformat import entrant_number_text, rank_text
from tournament.finalists.exports.invitation_letters import InvitationLetter

INVITATION_LIST_HEADS = (
    "號碼 number",
    "中文姓名 name_zh",
    "英文姓名 name_en",
    "語言 language",
    "電郵 email",
    "名次 rank",
    "候補 reserve",
    "回覆 answer",
    "連結 link",
)
INVITATION_LIST_TITLE = "決賽邀請"


@dataclass(frozen=True, slots=True)
class InvitationListEntry:
    """A letter with what a mail merge needs beside it; `answer` is "" while none was given."""

    letter: InvitationLetter
    language: str
    email: str
    answer: str


def invitations_xlsx(listed: Sequence[InvitationListEntry], at: datetime) -> bytes:
    """Texts in every cell; the same bytes for the same list and moment."""
    book = Workbook()
    sheet = only_sheet(book, INVITATION_LIST_TITLE)
    write_xlsx_rows(sheet, [INVITATION_LIST_HEADS, *map(invitation_list_row, listed)], heads=1)
    sheet.freeze_panes = "A2"
    return xlsx_file(book, at)


def invitation_list_row(one: InvitationListEntry) -> tuple[str, ...]:
    """The cells of one entrant."""
    letter = one.letter
    return (
        entrant_number_text(letter.number),
        letter.name_zh,
        letter.name_en,
        one.language,
        one.email,
        rank_text(letter.rank[0], shared=letter.rank[1]),
        "是 yes" if letter.called else "",
        one.answer,
        letter.url,
    )
