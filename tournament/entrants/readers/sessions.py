"""Which session a cell means: a number from 1, a code, or a day with the session of that day."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

from tournament.entrants.readers.dates import MONTH_NUMBERS

DIGIT_OF_NUMERAL = {"一": "1", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9"}
SESSION_CODE_PATTERN = re.compile(r"(?P<month>[0-9]{2})(?P<day>[0-9]{2})-(?P<of_day>[0-9]{1,2})")
SESSION_DAY_PATTERNS = (
    re.compile(r"(?:(?P<year>[0-9]{4})年)?(?P<month>[0-9]{1,2})月(?P<day>[0-9]{1,2})[日號]?"),
    re.compile(
        r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])(?: 00:00(?::00)?(?![0-9]))?"
    ),
    re.compile(r"(?P<day>[0-9]{1,2})[-/.](?P<month>[0-9]{1,2})(?:[-/.](?P<year>[0-9]{4}))?(?![0-9])"),
    re.compile(r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)? (?P<word>[a-z]{3})[a-z]*(?: (?P<year>[0-9]{4}))?"),
    re.compile(r"(?P<word>[a-z]{3})[a-z]* (?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>[0-9]{4}))?"),
)
NUMBER_OF_DAY_PATTERN = re.compile(r"第?([0-9]{1,2})[場节節]?|(?:session|no\.?|#) ?([0-9]{1,2})|s([0-9]{1,2})")
CLOCK_TIME_PATTERN = re.compile(r"([0-9]{1,2}):([0-9]{2})")
WEEKDAY_PATTERN = re.compile(r"\(?(?:星期|週|周)[一二三四五六日天]\)?|\([一二三四五六日]\)")


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """A session as the reader needs it: number over the stage, day, number of its day, check-in as 15:30, its code."""

    number: int
    day: date
    of_day: int
    check_in: str
    code: str


class NotASession(Exception):
    """Why a text names no session: a code of `faults.SENTENCES` and its facts."""

    def __init__(self, code: str, facts: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def read_session(text: str, sessions: Sequence[SessionPlace]) -> SessionPlace:
    """`7`, `0406-3`, `4月6日第三場`, `2026-04-06 3`, `6/4 第3場`, `6 April session 3`, `2026-04-06 15:30`.

    Raises `NotASession`.
    """
    example = sessions[min(6, len(sessions) - 1)] if sessions else None
    facts = {"example": session_example_text(example) if example else "", "last": len(sessions)}
    plain = fold_session_text(text)
    if re.fullmatch(r"[0-9]{1,3}", plain):
        return session_by_number(int(plain), sessions, facts)
    code = SESSION_CODE_PATTERN.fullmatch(plain)
    if code:
        return session_of_day_number(sessions_of_written_day(code.groupdict(), sessions), int(code["of_day"]), facts)
    for form in SESSION_DAY_PATTERNS:
        found = form.match(plain)
        if found:
            return session_by_written_day(found.groupdict(), plain[found.end() :], sessions, facts)
    alone = NUMBER_OF_DAY_PATTERN.fullmatch(plain)
    if alone:
        return session_without_day(matched_session_number(alone), sessions, facts)
    raise NotASession("session_unreadable", facts)


def fold_session_text(text: str) -> str:
    """Width, case, weekdays and doubled spaces away; Chinese numerals as digits."""
    plain = WEEKDAY_PATTERN.sub("", unicodedata.normalize("NFKC", text).strip().lower())
    plain = re.sub(r"十(?=[一二三四五六七八九])", "1", plain).replace("十", "10")
    plain = "".join(DIGIT_OF_NUMERAL.get(character, character) for character in plain)
    return re.sub(r"\s*([年月日號場第])\s*", r"\1", re.sub(r"\s+", " ", plain)).strip()


def session_example_text(session: SessionPlace) -> str:
    """Two ways to write it: 4月6日第三場 / 0406-3."""
    return f"{session.day.month}月{session.day.day}日第{session.of_day}場 / {session.code}"


def session_by_number(number: int, sessions: Sequence[SessionPlace], facts: Mapping[str, Any]) -> SessionPlace:
    """The session of this number over the whole stage."""
    for session in sessions:
        if session.number == number:
            return session
    raise NotASession("session_unreadable", facts)


def session_without_day(number: int, sessions: Sequence[SessionPlace], facts: Mapping[str, Any]) -> SessionPlace:
    """第三場 alone: enough only where there is one day."""
    if len({session.day for session in sessions}) == 1:
        return session_of_day_number(list(sessions), number, facts)
    most = max((session.of_day for session in sessions), default=0)
    code = "session_without_day" if 1 <= number <= most else "session_no_such_number"
    raise NotASession(code, {**facts, "count": most})


def sessions_of_written_day(parts: Mapping[str, str | None], sessions: Sequence[SessionPlace]) -> list[SessionPlace]:
    """The sessions of the day that was written; without a year, of that day in the event's year."""
    month = MONTH_NUMBERS.get(parts["word"] or "", 0) if "word" in parts else int(parts["month"] or 0)
    day, year = int(parts["day"] or 0), parts.get("year")
    found = [
        session
        for session in sessions
        if (session.day.month, session.day.day) == (month, day) and (not year or session.day.year == int(year))
    ]
    if not found:
        days = sorted({session.day for session in sessions})
        raise NotASession("session_no_such_day", {"days": ", ".join(f"{each:%Y-%m-%d}" for each in days)})
    return found


def session_by_written_day(
    parts: Mapping[str, str | None], rest: str, sessions: Sequence[SessionPlace], facts: Mapping[str, Any]
) -> SessionPlace:
    """A day and what follows it: the session's number on that day, or the time of its check-in."""
    of_this_day = sessions_of_written_day(parts, sessions)
    rest = rest.strip(" -,、:;·")
    time = CLOCK_TIME_PATTERN.search(rest)
    alone = NUMBER_OF_DAY_PATTERN.fullmatch(CLOCK_TIME_PATTERN.sub("", rest).strip(" -–()") if time else rest)
    if alone:
        return session_of_day_number(of_this_day, matched_session_number(alone), facts)
    if time:
        wanted = f"{int(time[1]):02d}:{time[2]}"
        for session in of_this_day:
            if session.check_in == wanted and rest == time[0]:
                return session
    if not rest and len(of_this_day) == 1:
        return of_this_day[0]
    raise NotASession("session_unreadable", facts)


def matched_session_number(found: re.Match[str]) -> int:
    """The number in whichever way it was written."""
    return int(next(group for group in found.groups() if group))


def session_of_day_number(sessions: Sequence[SessionPlace], number: int, facts: Mapping[str, Any]) -> SessionPlace:
    """The session of this number among those of one day."""
    for session in sessions:
        if session.of_day == number:
            return session
    raise NotASession("session_no_such_number", {**facts, "count": len(sessions)})
