"""A column of dates judged as a whole: which rows can be read day first, month first, or both ways."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.readers.columns import HeadRow
from tournament.readers.dates import DAYS, MONTHS_FIRST, both_readings, year_first_date
from tournament.readers.faults import DECIDE, Fault

COLUMN = "birth_date"
ROWS_SAID = 5
# So many dates without a day above 12 are no chance beside others that all have one.
FEWEST_SWAPPED = 3


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
        return DAYS if self.days else MONTHS_FIRST

    @property
    def asks(self) -> bool:
        """Whether a person must say: day first is the custom here, so it needs but one proof; all else is asked."""
        return self.matters and (self.evidence != DAYS or bool(self.swapped))


def judge_dates(cells: Iterable[tuple[int, str]]) -> ColumnDates:
    """The column of (row, text)."""
    either, days, months, written = [], [], [], []
    for row, text in cells:
        readings = both_readings(text)
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
    return ColumnDates(tuple(either), tuple(days), tuple(months), swapped if len(swapped) >= FEWEST_SWAPPED else ())


def question_of(dates: ColumnDates, heads: HeadRow, head_row: int) -> Fault:
    """The one question about the column, at its head."""
    code = "dates_perhaps_swapped" if dates.swapped else "dates_either_way"
    if dates.months:
        code = "dates_contradict" if dates.days else "dates_month_first"
    facts = {
        "count": len(dates.either),
        "days": rows_said(dates.days),
        "months": rows_said(dates.months),
        "swapped": rows_said(dates.swapped),
        "answer_above": True,
    }
    place = heads.place(COLUMN)
    return Fault(code, head_row, place, place.head, DECIDE, facts)


def rows_said(rows: Sequence[int]) -> str:
    """391, 402 ... as far as they are named one by one."""
    return ", ".join(map(str, rows[:ROWS_SAID])) + (" …" if len(rows) > ROWS_SAID else "")
