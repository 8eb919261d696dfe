"""The ranking as a workbook: one sheet with the list, one that says what it is."""

from datetime import UTC

from django.utils.translation import gettext_noop as _
from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from tournament.exports.cells import write_rows, xlsx_file
from tournament.exports.ranking_columns import columns, heads, ranked_rows, unranked_rows
from tournament.exports.released import ReleasedRanking, both
from tournament.exports.released_podium import podium_facts


def ranking_xlsx(released: ReleasedRanking) -> bytes:
    """The same bytes for the same release."""
    book = Workbook()
    listed = book.active
    listed.title = both(_("Ranking"))
    write_rows(listed, [heads(released), *ranked_rows(released), *unranked_rows(released)], heads=1)
    listed.freeze_panes = "A2"
    for place, column in enumerate(columns(released), start=1):
        listed.column_dimensions[get_column_letter(place)].width = column.width
    about = book.create_sheet(both(_("Release")))
    write_rows(about, [*released.facts, *podium_facts(released)])
    about.column_dimensions["A"].width = 28
    about.column_dimensions["B"].width = 110
    return xlsx_file(book, released.released_at.astimezone(UTC))
