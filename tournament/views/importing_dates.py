"""The dates of a file that is being imported: how each is read, and the one question about day and month."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from scoring.eligibility import age_on
from tournament.models import EntrantFile
from tournament.readers.date_order import COLUMN
from tournament.readers.dates import DAYS, MONTHS_FIRST, both_readings
from tournament.readers.entrants import EntrantRow
from tournament.services.importing_dates import answer_dates
from tournament.services.importing_preview import Preview

ROWS_SHOWN = 6


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
        return DAYS if self.order == MONTHS_FIRST else MONTHS_FIRST


def dates_card(preview: Preview) -> DatesCard | None:
    """The column in words, those that prove an order first; None where no date depends on it."""
    dates = preview.dates
    if preview.imported or not dates.column.matters:
        return None
    first = [*dates.column.months[:2], *dates.column.days[:2], *dates.column.either][:ROWS_SHOWN]
    rows = {row.row: row for row in preview.rows}
    return DatesCard(
        dates.order,
        dates.answered is not None,
        len(dates.column.either),
        dates.column.days,
        dates.column.months,
        list(read_both_ways([rows[number] for number in sorted(first) if number in rows])),
    )


def read_both_ways(rows: list[EntrantRow]) -> Iterator[DateRead]:
    """Each row's date in both orders."""
    for row in rows:
        text = row.cells.get(COLUMN) or ""
        days, months = both_readings(text) or (None, None)
        ages = [age_on(one, row.session.day) if one and row.session else None for one in (days, months)]
        yield DateRead(row.row, text, days, months, *ages)


def answer(request: HttpRequest, kept: EntrantFile) -> HttpResponse:
    """The answer for the whole column."""
    answer_dates(kept, order=request.POST.get("order", ""), by=request.user)
    return redirect("import_preview", request.event.slug, kept.pk)
