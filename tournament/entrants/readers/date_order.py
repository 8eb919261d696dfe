"""A column of dates judged as a whole: which rows can be read day first, month first, or both ways."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.entrants.readers.columns import HeadRow
from tournament.entrants.readers.dates import ORDER_DAY_FIRST, ORDER_MONTH_FIRST, read_date_both_ways, year_first_date
from tournament.entrants.readers.faults import FAULT_DECIDE, ImportFault

BIRTH_DATE_COLUMN = "birth_date"
MAX_ROWS_NAMED = 5
# So many dates without a day above 12 are no chance beside others that all have one.
MIN_SWAPPED_ROWS = 3


@dataclass(frozen=True, slots=True)
class ColumnDates:
    """Rows by how their date can be read; those that are the same both ways, or say it otherwise, are in none.

    `swapped`: dates year first that a program may have made of 3/4/2015 by the wrong order. It makes dates of what it
    can read and leaves 13/4/2015 as text: then no date has a day above 12 and every text has one.
    """

    either: tuple[int, ...] = ()
    days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    swapped: tuple[int, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether any date depends on the order."""
        return bool(self.either or self.days or self.months)

    @property
    def evidence(self) -> str | None:
        """The order that some rows prove and none denies."""
        if bool(self.days) == bool(self.months):
            return None
        return ORDER_DAY_FIRST if self.days else ORDER_MONTH_FIRST

    @property
    def asks(self) -> bool:
        """Whether a person must say: day first is the custom here, so it needs but one proof; all else is asked."""
        return self.matters and (self.evidence != ORDER_DAY_FIRST or bool(self.swapped))


def judge_dates(cells: Iterable[tuple[int, str]]) -> ColumnDates:
    """The column of (row, text)."""
    either, days, months, written = [], [], [], []
    for row, text in cells:
        readings = read_date_both_ways(text)
        if day := year_first_date(text):
            written.append((row, day))
        if readings is None or readings[0] == readings[1]:
            continue
        if None not in readings:
            either.append(row)
        elif readings[0]:
            days.append(row)
        else:
            months.append(row)
    could_be = days and not either and not months and all(day.day <= 12 for _row, day in written)
    swapped = tuple(row for row, day in written if could_be and day.day != day.month)
    return ColumnDates(tuple(either), tuple(days), tuple(months), swapped if len(swapped) >= MIN_SWAPPED_ROWS else ())


def date_order_question(dates: ColumnDates, heads: HeadRow, head_row: int) -> ImportFault:
    """The one question about the column, at its head."""
    code = "dates_perhaps_swapped" if dates.swapped else "dates_either_way"
    if dates.months:
        code = "dates_contradict" if dates.days else "dates_month_first"
    facts = {
        "count": len(dates.either),
        "days": name_rows(dates.days),
        "months": name_rows(dates.months),
        "swapped": name_rows(dates.swapped),
        "answer_above": True,
    }
    place = heads.place(BIRTH_DATE_COLUMN)
    return ImportFault(code, head_row, place, place.head, FAULT_DECIDE, facts)


def name_rows(rows: Sequence[int]) -> str:
    """391, 402 ... as far as they are named one by one."""
    return ", ".join(map(str, rows[:MAX_ROWS_NAMED])) + (" …" if len(rows) > MAX_ROWS_NAMED else "")
