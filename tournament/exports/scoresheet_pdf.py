"""The printed scoresheet, prefilled: values in, bytes out. One sheet a page, the same bytes for the same sheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from io import BytesIO

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.exports import scoresheet_form as form
from tournament.exports.pdf_fonts import BOLD, CENTRE, REGULAR, draw

LETTERS = "ABCD"
WEEKDAYS = "一二三四五六日"
NUMERALS = "〇一二三四五六七八九"
# A table's number is a tile in its own colour, told also by its mark (look.md 4).
TILE_COLOURS = (HexColor(0xC3221C), HexColor(0x1A55B0), HexColor(0x1F1C17), HexColor(0xB34E00))
TILE_EDGE, TILE_FACE = HexColor(0xCBBC96), HexColor(0xFBF3DD)
EMPTY, SAMPLE = 0.92, 0.9


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


def scoresheets_pdf(sheets: Sequence[PrintedSheet]) -> bytes:
    """All the sheets, a page each, in their order, as one PDF."""
    file = BytesIO()
    first, last = sheets[0], sheets[-1]
    span = first.serial if len(sheets) == 1 else f"{first.serial} – {last.serial}"
    page = pdf_fonts.canvas(file, form.PAGE, f"{title_of(first)[0]} {span}", first.event_zh)
    forms: dict[tuple[str, str, int], str] = {}
    for sheet in sheets:
        key = (*titles_of(sheet), sheet.games)
        if key not in forms:
            forms[key] = f"scoresheet{len(forms)}"
            page.beginForm(forms[key], 0, 0, *form.PAGE)
            form.draw_form(page, *key)
            page.endForm()
        if not sheet.number:
            _sample(page)
        page.doForm(forms[key])
        fill(page, sheet)
        page.showPage()
    page.save()
    return file.getvalue()


def titles_of(sheet: PrintedSheet) -> tuple[str, str]:
    """The sheet's title in Chinese and in English."""
    zh, en = title_of(sheet)
    return f"「{sheet.event_zh}」- {zh}", f"{sheet.event_en} – {en}"


def title_of(sheet: PrintedSheet) -> tuple[str, str]:
    """What the sheet is, without the event: 初賽計分紙, 決賽計分紙, 決賽第二輪計分紙."""
    if sheet.round is None:
        return form.TITLES[sheet.stage]
    number, rounds = sheet.round
    zh, en = form.ROUND_TITLE
    return zh.format(zh=numeral(number)), en.format(number=number, rounds=rounds)


def fill(page: Canvas, sheet: PrintedSheet) -> None:
    """What is printed into the form before play: the head, the names, the serial and its code."""
    day = f"{sheet.day.year}年{sheet.day.month}月{sheet.day.day}日（星期{WEEKDAYS[sheet.day.weekday()]}）"
    replay = "（重賽）" if sheet.replay else ""
    session = f"第{numeral(sheet.session)}場{replay} {sheet.starts:%H:%M}–{sheet.ends:%H:%M}"
    for (_zh, _en, x, room), text in zip(form.FIELDS, (day, sheet.referee, session), strict=False):
        height = 8 * mm
        fitted = pdf_text.fit(text, room - form.FIELD_LABEL - 2 * mm, height, 12, 8, BOLD)
        pdf_text.draw(page, x + form.FIELD_LABEL + 1 * mm, form.FIELD_LINE + height, height, fitted, BOLD)
    table_x = form.FIELDS[3][2] + form.FIELD_LABEL + 1.5 * mm
    _tile(page, table_x, form.FIELD_LINE + 0.8 * mm, 15 * mm, sheet.table)
    pdf_qr.draw(page, form.QR_X, form.QR_Y, form.QR, sheet.url)
    draw(page, form.QR_X + form.QR / 2, form.QR_Y - 1.2 * mm, sheet.serial, 11, BOLD, CENTRE)
    if sheet.number > 1:
        said = f"第 {sheet.number} 次列印·前紙作廢 Print {sheet.number}"
        draw(page, form.QR_X + form.QR / 2, form.QR_Y - 4.4 * mm, said, 6.5, REGULAR, CENTRE)
    for place, letter in enumerate(LETTERS):
        seat = sheet.seats.get(letter)
        if seat is None:
            _empty_seat(page, place, letter)
        else:
            _seat(page, place, letter, seat)


def _sample(page: Canvas) -> None:
    """Across the page under everything: to be looked at, not to be written on."""
    page.saveState()
    page.setFillGray(SAMPLE)
    page.translate(form.PAGE[0] / 2, form.PAGE[1] / 2)
    page.rotate(20)
    draw(page, 0, -40, "樣本 SAMPLE", 110, BOLD, CENTRE)
    page.restoreState()


def numeral(number: int) -> str:
    """A session's number in Chinese, 1 to 99: 一, 十, 十二, 二十."""
    tens, ones = divmod(number, 10)
    if not tens:
        return NUMERALS[ones]
    return ("" if tens == 1 else NUMERALS[tens]) + "十" + (NUMERALS[ones] if ones else "")


def _tile(page: Canvas, x: float, y: float, height: float, number: int) -> None:
    """The table's number as its tile: red full disc, blue ring, black ring with a dot, orange half disc."""
    suit = (number - 1) % 4
    width = height * 0.74
    page.saveState()
    page.setFillColor(TILE_FACE)
    page.setStrokeColor(TILE_EDGE)
    page.setLineWidth(1)
    page.roundRect(x, y, width, height, height * 0.13, stroke=1, fill=1)
    page.setFillColor(TILE_COLOURS[suit])
    page.setStrokeColor(TILE_COLOURS[suit])
    size = height * 0.5
    draw(page, x + width / 2, y + height * 0.47, str(number), size, BOLD, CENTRE)
    middle, centre, radius = x + width / 2, y + height * 0.22, height * 0.095
    page.setLineWidth(height * 0.04)
    page.circle(middle, centre, radius, stroke=1, fill=int(suit == 0))
    if suit == 2:
        page.circle(middle, centre, radius * 0.4, stroke=0, fill=1)
    if suit == 3:
        page.wedge(middle - radius, centre - radius, middle + radius, centre + radius, 90, 180, stroke=0, fill=1)
    page.restoreState()


def _letter(page: Canvas, place: int, letter: str) -> None:
    x, y = form.seat_x(place) + 6 * mm, form.TABLE_TOP - 6.5 * mm
    page.setLineWidth(form.THIN)
    page.circle(x, y, 4 * mm)
    draw(page, x, y - 4.6, letter, 13, BOLD, CENTRE)


def _seat(page: Canvas, place: int, letter: str, seat: PrintedSeat) -> None:
    """Letter, name, the other name, number; beside the place to sign the number again."""
    _letter(page, place, letter)
    left = form.seat_x(place) + 11 * mm
    room = form.SEAT_WIDTH - 12.5 * mm
    middle = left + room / 2
    top = form.TABLE_TOP - 1 * mm
    name_height = 10 * mm if seat.second_name else 15 * mm
    name = pdf_text.fit(seat.name, room, name_height, 16, 10, BOLD)
    pdf_text.draw(page, middle, top, name_height, name, BOLD, CENTRE)
    if seat.second_name:
        second = pdf_text.fit(seat.second_name, room, 5 * mm, 8.5, 6.5)
        pdf_text.draw(page, middle, top - name_height, 5 * mm, second, REGULAR, CENTRE)
    draw(page, middle, form.TABLE_TOP - form.NAMES + 1.5 * mm, f"{seat.number:04d}", 11, BOLD, CENTRE)
    page.setFillGray(form.SECOND_VOICE)
    draw(page, form.seat_x(place) + 1.2 * mm, form.TABLE_BOTTOM + 1.2 * mm, f"{letter} {seat.number:04d}", 6.5)
    page.setFillGray(0)


def _empty_seat(page: Canvas, place: int, letter: str) -> None:
    """Nobody sits there: the columns are shaded, so that nobody writes in them."""
    x = form.seat_x(place)
    page.saveState()
    page.setFillGray(EMPTY)
    inset = form.THICK / 2
    page.rect(
        x + inset,
        form.TABLE_BOTTOM + inset,
        form.SEAT_WIDTH - 2 * inset,
        form.TABLE_TOP - form.TABLE_BOTTOM - 2 * inset,
        stroke=0,
        fill=1,
    )
    page.restoreState()
    _letter(page, place, letter)
    middle = x + form.SEAT_WIDTH / 2 + 4 * mm
    draw(page, middle, form.TABLE_TOP - 9 * mm, "空位", 14, BOLD, CENTRE)
    draw(page, middle, form.TABLE_TOP - 14.5 * mm, "Empty seat", 8, REGULAR, CENTRE)
