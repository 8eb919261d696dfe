"""What is printed on a paper scoresheet, as values, and the sheet's titles."""

from dataclasses import dataclass
from datetime import date, time

from tournament.sheets.exports import form

PRINTED_SEAT_LETTERS = "ABCD"
CHINESE_WEEKDAYS = "一二三四五六日"
CHINESE_NUMERALS = "〇一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """Who sits there: the entrant's number, the name, and the other name, or what the paper says of one left out."""

    number: int
    name: str
    second_name: str = ""


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """One table's sheet. Times are the hall's own; `seats` by letter, a letter left out is an empty seat.

    `number`: which paper of its table this is; 0: a sample, which nobody has recorded as printed. `round`: of a final
    that has several, this one's number and how many. `replay`: `session` is the number of the one that it replays.
    `stage_names`: of a stage between the first and the last its own, Chinese and English. `turns`: it has turns of
    words in place of games. `only_stage`: the event has no other, so that it needs no name.
    """

    event_zh: str
    event_en: str
    stage: str
    day: date
    session: int
    starts: time
    ends: time
    table: int
    referee: str
    games: int
    seats: dict[str, PrintedSeat]
    serial: str
    url: str
    number: int = 1
    round: tuple[int, int] | None = None
    replay: bool = False
    stage_names: tuple[str, str] = ("", "")
    turns: bool = False
    only_stage: bool = False


def sheet_titles_with_event(sheet: PrintedSheet) -> tuple[str, str]:
    """The sheet's title in Chinese and in English."""
    zh, en = sheet_titles(sheet)
    return f"「{sheet.event_zh}」- {zh}", f"{sheet.event_en} – {en}"


def sheet_titles(sheet: PrintedSheet) -> tuple[str, str]:
    """What the sheet is, without the event: 初賽計分紙, 決賽計分紙, 決賽第二輪計分紙."""
    zh, en = sheet.stage_names if all(sheet.stage_names) else form.FORM_STAGE_NAMES[sheet.stage]
    zh, title = ("", "Scoresheet") if sheet.only_stage else (zh, f"{en} scoresheet")
    if sheet.round is None:
        return f"{zh}計分紙", title
    number, rounds = sheet.round
    return f"{zh}第{chinese_numeral(number)}輪計分紙", f"{title}, round {number} of {rounds}"


def chinese_numeral(number: int) -> str:
    """A session's number in Chinese, 1 to 99: 一, 十, 十二, 二十."""
    tens, ones = divmod(number, 10)
    if not tens:
        return CHINESE_NUMERALS[ones]
    return ("" if tens == 1 else CHINESE_NUMERALS[tens]) + "十" + (CHINESE_NUMERALS[ones] if ones else "")
