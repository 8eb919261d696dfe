"""Dates as people in Hong Kong write them: year first, or day before month."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
MIDNIGHT = r"(?:[ T]0{1,2}:00(?::00(?:\.0+)?)?)?"
YEAR_FIRST = re.compile(
    r"(?P<year>[0-9]{4})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})" + MIDNIGHT
)
DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<year>[0-9]{4})" + MIDNIGHT)
CHINESE = re.compile(r"(?P<year>[0-9]{4}) ?年 ?(?P<month>[0-9]{1,2}) ?月 ?(?P<day>[0-9]{1,2}) ?[日號]?")
IN_WORDS = re.compile(r"(?P<day>[0-9]{1,2})[ -](?P<word>[a-z]{3})[a-z]*\.?,?[ -](?P<year>[0-9]{4})")
CLOSED_UP = re.compile(r"(?P<year>(?:19|20)[0-9]{2})(?P<month>[0-9]{2})(?P<day>[0-9]{2})")
FORMS = (YEAR_FIRST, DAY_FIRST, CHINESE, IN_WORDS, CLOSED_UP)


class NotADate(Exception):
    """Why a text is no date: a code of `faults.SENTENCES` and its facts."""

    def __init__(self, code: str, facts: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def read_date(text: str) -> date:
    """`2016-02-28`, `28/2/2016`, `2016年2月28日`, `28 Feb 2016`, `20160228`. Raises `NotADate`."""
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().lower()
    for form in FORMS:
        found = form.fullmatch(plain)
        if found:
            return real_date(found.groupdict())
    raise NotADate("date_unreadable")


def real_date(parts: Mapping[str, str]) -> date:
    """A day of the calendar, or which part of it does not exist."""
    month = MONTHS.get(parts["word"], 0) if "word" in parts else int(parts["month"])
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
