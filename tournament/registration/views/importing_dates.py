"""The dates of a file that is being imported: how each is read, and the one question about day and month."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse
from django.shortcuts import redirect

from scoring.eligibility import age_on
from tournament.core.permissions import EventRequest
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.readers.date_order import BIRTH_DATE_COLUMN
from tournament.entrants.readers.dates import ORDER_DAY_FIRST, ORDER_MONTH_FIRST, read_date_both_ways
from tournament.entrants.readers.entrants import ImportedRow
from tournament.registration.services.importing_dates import answer_dates
from tournament.registration.services.importing_preview import ImportPreview

DATE_ROWS_SHOWN = 6


@dataclass(frozen=True)
class DateRead:
    """One date both ways, each with the age on the day of the session; None where there is no such day."""

    row: int
    text: str
    days: date | None
    months: date | None
    age_days: int | None
    age_months: int | None


@dataclass(frozen=True)
class DatesCard:
    """What the page says of the column."""

    order: str | None
    answered: bool
    count: int
    days: tuple[int, ...]
    months: tuple[int, ...]
    shown: list[DateRead]

    @property
    def other(self) -> str:
        """The order that is not taken."""
        return ORDER_DAY_FIRST if self.order == ORDER_MONTH_FIRST else ORDER_MONTH_FIRST


def dates_card(preview: ImportPreview) -> DatesCard | None:
    """The column in words, those that prove an order first; None where no date depends on it."""
    dates = preview.dates
    if preview.imported or not dates.column.matters:
        return None
    first = [*dates.column.months[:2], *dates.column.days[:2], *dates.column.either][:DATE_ROWS_SHOWN]
    rows = {row.row: row for row in preview.rows}
    return DatesCard(
        dates.order,
        dates.answered is not None,
        len(dates.column.either),
        dates.column.days,
        dates.column.months,
        list(read_both_ways([rows[number] for number in sorted(first) if number in rows])),
    )


def read_both_ways(rows: list[ImportedRow]) -> Iterator[DateRead]:
    """Each row's date in both orders."""
    for row in rows:
        text = row.cells.get(BIRTH_DATE_COLUMN) or ""
        days, months = read_date_both_ways(text) or (None, None)
        ages = [age_on(one, row.session.day) if one and row.session else None for one in (days, months)]
        yield DateRead(row.row, text, days, months, *ages)


def handle_date_order_answer(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """The answer for the whole column."""
    answer_dates(kept, order=request.POST.get("order", ""), by=request.user)
    return redirect("import_preview", request.event.slug, kept.pk)
