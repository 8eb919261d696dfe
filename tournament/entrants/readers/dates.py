"""Dates as people in Hong Kong write them: year first, or day before month."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

MONTH_NUMBERS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
MIDNIGHT_PATTERN = r"(?:[ T]0{1,2}:00(?::00(?:\.0+)?)?)?"
YEAR_FIRST_PATTERN = re.compile(
    r"(?P<year>[0-9]{4})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})" + MIDNIGHT_PATTERN
)
DAY_FIRST_PATTERN = re.compile(
    r"(?P<day>[0-9]{1,2})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<year>[0-9]{4})" + MIDNIGHT_PATTERN
)
CHINESE_DATE_PATTERN = re.compile(r"(?P<year>[0-9]{4}) ?年 ?(?P<month>[0-9]{1,2}) ?月 ?(?P<day>[0-9]{1,2}) ?[日號]?")
WORD_DATE_PATTERN = re.compile(r"(?P<day>[0-9]{1,2})[ -](?P<word>[a-z]{3})[a-z]*\.?,?[ -](?P<year>[0-9]{4})")
COMPACT_DATE_PATTERN = re.compile(r"(?P<year>(?:19|20)[0-9]{2})(?P<month>[0-9]{2})(?P<day>[0-9]{2})")
DATE_PATTERNS = (YEAR_FIRST_PATTERN, DAY_FIRST_PATTERN, CHINESE_DATE_PATTERN, WORD_DATE_PATTERN, COMPACT_DATE_PATTERN)
# How 3/4/2015 is read: as in Hong Kong, or as a machine with the settings of the United States writes it.
ORDER_DAY_FIRST, ORDER_MONTH_FIRST = "day_first", "month_first"
DATE_ORDERS = (ORDER_DAY_FIRST, ORDER_MONTH_FIRST)


class NotADate(Exception):
    """Why a text is no date: a code of `faults.SENTENCES` and its facts."""

    def __init__(self, code: str, facts: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def read_date(text: str, order: str = ORDER_DAY_FIRST) -> date:
    """`2016-02-28`, `28/2/2016`, `2016年2月28日`, `28 Feb 2016`, `20160228`; `order` of day and month where only their
    places tell. Raises `NotADate`."""
    plain = fold_date_text(text)
    for form in DATE_PATTERNS:
        found = form.fullmatch(plain)
        if found:
            parts = found.groupdict()
            swapped = form is DAY_FIRST_PATTERN and order == ORDER_MONTH_FIRST
            return month_first_date(parts) if swapped else real_date(parts)
    raise NotADate("date_unreadable")


def fold_date_text(text: str) -> str:
    """The text in one width and case, single spaces."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().lower()


def read_date_both_ways(text: str) -> tuple[date | None, date | None] | None:
    """Day first and month first, None for one that is no date; None where places of day and month do not matter."""
    if not DAY_FIRST_PATTERN.fullmatch(fold_date_text(text)):
        return None
    return read_date_in_order(text, ORDER_DAY_FIRST), read_date_in_order(text, ORDER_MONTH_FIRST)


def year_first_date(text: str) -> date | None:
    """The date of a text with the year first, as a workbook's real dates are handed on; None for all else."""
    return read_date_in_order(text, ORDER_DAY_FIRST) if YEAR_FIRST_PATTERN.fullmatch(fold_date_text(text)) else None


def read_date_in_order(text: str, order: str) -> date | None:
    """The date in this order, None where there is no such day."""
    try:
        return read_date(text, order)
    except NotADate:
        return None


def month_first_date(parts: Mapping[str, str]) -> date:
    """The same with day and month in each other's places, and its own sentence for a month that does not exist."""
    try:
        return real_date({**parts, "day": parts["month"], "month": parts["day"]})
    except NotADate as refused:
        if refused.code == "date_no_such_month":
            raise NotADate("date_no_such_month_first", refused.facts) from None
        raise


def real_date(parts: Mapping[str, str]) -> date:
    """A day of the calendar, or which part of it does not exist."""
    month = MONTH_NUMBERS.get(parts["word"], 0) if "word" in parts else int(parts["month"])
    year, day = int(parts["year"]), int(parts["day"])
    if "word" in parts and not month:
        raise NotADate("date_unreadable")
    if not 1 <= month <= 12:
        raise NotADate("date_no_such_month", {"month": month})
    try:
        return date(year, month, day)
    except ValueError:
        if (month, day) == (2, 29):
            raise NotADate("date_not_a_leap_year", {"year": year}) from None
        if year < 1:
            raise NotADate("date_unreadable") from None
        raise NotADate("date_no_such_day", {"month": month, "day": day}) from None
