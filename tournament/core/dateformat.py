"""Days and hours as people read them in Hong Kong, in the language of the moment. Plain text, no markup."""

from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import get_language

MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CHINESE_DIGITS = "一二三四五六七八九"


def is_chinese() -> bool:
    """Whether the language of the moment is Chinese; it is where nothing is chosen."""
    return not (get_language() or "zh").startswith("en")


def local_day(moment: date | datetime) -> date:
    """The day in the event's zone."""
    return timezone.localtime(moment).date() if isinstance(moment, datetime) else moment


def time_text(moment: datetime) -> str:
    """17:26, in the event's zone."""
    return f"{timezone.localtime(moment):%H:%M}"


def date_text(moment: date | datetime) -> str:
    """4 月 6 日; 6 April."""
    day = local_day(moment)
    return f"{day.month} 月 {day.day} 日" if is_chinese() else f"{day.day} {MONTH_NAMES[day.month - 1]}"


def full_date_text(moment: date | datetime) -> str:
    """2026 年 4 月 6 日; 6 April 2026."""
    day = local_day(moment)
    return f"{day.year} 年 {date_text(day)}" if is_chinese() else f"{date_text(day)} {day.year}"


def days_text(first: date, last: date) -> str:
    """2026 年 3 月 28 日–4 月 7 日; 28 March–7 April 2026; one day alone where both are one."""
    if first == last:
        return full_date_text(first)
    if first.year != last.year:
        return f"{full_date_text(first)}–{full_date_text(last)}"
    return (
        f"{full_date_text(first)}–{date_text(last)}" if is_chinese() else f"{date_text(first)}–{full_date_text(last)}"
    )


def weekday_date_text(moment: date | datetime) -> str:
    """4 月 6 日（星期一）; Monday 6 April."""
    day = local_day(moment)
    if is_chinese():
        return f"{date_text(day)}（星期{'一二三四五六日'[day.weekday()]}）"
    return f"{WEEKDAY_NAMES[day.weekday()]} {date_text(day)}"


def datetime_text(moment: datetime) -> str:
    """4 月 6 日 17:26; 6 April 17:26."""
    return f"{date_text(moment)} {time_text(moment)}"


def session_of_day_text(number: int, replay: bool = False) -> str:
    """第三場; session 3. Numbers over nine stay figures. A replay by the name of what it replays: 第三場（重賽）."""
    if not is_chinese():
        return f"session {number} (replay)" if replay else f"session {number}"
    said = f"第{CHINESE_DIGITS[number - 1]}場" if 1 <= number <= 9 else f"第 {number} 場"
    return f"{said}（重賽）" if replay else said


def round_text(number: int) -> str:
    """A round of a final: 第二輪; round 2. Numbers over nine stay figures."""
    if not is_chinese():
        return f"round {number}"
    return f"第{CHINESE_DIGITS[number - 1]}輪" if 1 <= number <= 9 else f"第 {number} 輪"


def round_heading_text(number: int) -> str:
    """A round by itself: 第二輪; Round 2."""
    text = round_text(number)
    return text[:1].upper() + text[1:]


def final_text(number: int | None, name: str = "") -> str:
    """The final, or a round of it: 決賽, 決賽第二輪; Final, round 2. `name`: of another later stage its own."""
    named = name or ("決賽" if is_chinese() else "Final")
    if number is None:
        return named
    return f"{named}{round_text(number)}" if is_chinese() else f"{named}, {round_text(number)}"


def session_with_day_text(day: date, number_of_day: int, replay: bool = False) -> str:
    """A session by its day and its number on it: 4 月 6 日第三場; 6 April, session 3."""
    between = "" if is_chinese() else ", "
    return f"{date_text(day)}{between}{session_of_day_text(number_of_day, replay)}"
