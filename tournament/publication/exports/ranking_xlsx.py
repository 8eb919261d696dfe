"""The ranking as a workbook: one sheet with the list, one that says what it is."""

from datetime import UTC

from django.utils.translation import gettext_noop as _
from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from tournament.core.cells import only_sheet, write_xlsx_rows, xlsx_file
from tournament.publication.exports.podium import podium_label_values
from tournament.publication.exports.ranking_columns import (
    columns_of_released_ranking,
    ranked_rows,
    ranking_column_heads,
    unranked_rows,
)
from tournament.publication.exports.released import ReleasedRanking, message_in_both_languages


def ranking_xlsx(released: ReleasedRanking) -> bytes:
    """The same bytes for the same release."""
    book = Workbook()
    listed = only_sheet(book, message_in_both_languages(_("Ranking")))
    write_xlsx_rows(listed, [ranking_column_heads(released), *ranked_rows(released), *unranked_rows(released)], heads=1)
    listed.freeze_panes = "A2"
    for place, column in enumerate(columns_of_released_ranking(released), start=1):
        listed.column_dimensions[get_column_letter(place)].width = column.width
    about = book.create_sheet(message_in_both_languages(_("Release")))
    write_xlsx_rows(about, [*released.facts, *podium_label_values(released)])
    about.column_dimensions["A"].width = 28
    about.column_dimensions["B"].width = 110
    return xlsx_file(book, released.released_at.astimezone(UTC))
