"""The printed scoresheet, prefilled: values in, bytes out. One sheet a page, the same bytes for the same sheets."""

from collections.abc import Sequence
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, WEIGHT_BOLD, WEIGHT_REGULAR, draw_text_line
from tournament.sheets.exports import form, turn_form
from tournament.sheets.exports.printed import (
    CHINESE_WEEKDAYS,
    PRINTED_SEAT_LETTERS,
    PrintedSeat,
    PrintedSheet,
    chinese_numeral,
    sheet_titles,
    sheet_titles_with_event,
)

EMPTY_SEAT_GREY, SAMPLE_MARK_GREY = 0.92, 0.9


def scoresheets_pdf(sheets: Sequence[PrintedSheet]) -> bytes:
    """All the sheets, a page each, in their order, as one PDF."""
    file = BytesIO()
    first, last = sheets[0], sheets[-1]
    span = first.serial if len(sheets) == 1 else f"{first.serial} – {last.serial}"
    page = pdf_fonts.make_pdf_canvas(file, page_size_of(first), f"{sheet_titles(first)[0]} {span}", first.event_zh)
    forms: dict[tuple[str, str, int, bool], str] = {}
    for sheet in sheets:
        size = page_size_of(sheet)
        page.setPageSize(size)
        key = (*sheet_titles_with_event(sheet), sheet.games, sheet.turns)
        if key not in forms:
            forms[key] = f"scoresheet{len(forms)}"
            page.beginForm(forms[key], 0, 0, *size)
            draw_empty_sheet(page, sheet)
            page.endForm()
        if not sheet.number:
            _draw_sample_mark(page, size)
        page.doForm(forms[key])
        fill_in_sheet(page, sheet)
        page.showPage()
    page.save()
    return file.getvalue()


def page_size_of(sheet: PrintedSheet) -> tuple[float, float]:
    """A sheet of games lies across, one of turns stands upright."""
    return turn_form.TURN_PAGE_SIZE if sheet.turns else form.FORM_PAGE_SIZE


def draw_empty_sheet(page: Canvas, sheet: PrintedSheet, lines: int = turn_form.PRINTED_TURNS) -> None:
    """What is the same on every sheet of its kind; `lines`: of turns."""
    if sheet.turns:
        turn_form.draw_empty_turn_form(page, *sheet_titles_with_event(sheet), lines)
    else:
        form.draw_empty_form(page, *sheet_titles_with_event(sheet), sheet.games)


def fill_in_sheet(page: Canvas, sheet: PrintedSheet) -> None:
    """What is printed into it before play."""
    if sheet.turns:
        turn_form.fill_in_turn_form(page, sheet)
    else:
        fill_in_form(page, sheet)


def fill_in_form(page: Canvas, sheet: PrintedSheet) -> None:
    """What is printed into the form before play: the head, the names, the serial and its code."""
    day = f"{sheet.day.year}年{sheet.day.month}月{sheet.day.day}日（星期{CHINESE_WEEKDAYS[sheet.day.weekday()]}）"
    replay = "（重賽）" if sheet.replay else ""
    session = f"第{chinese_numeral(sheet.session)}場{replay} {sheet.starts:%H:%M}–{sheet.ends:%H:%M}"
    for (_zh, _en, x, room), text in zip(form.FORM_HEAD_FIELDS, (day, sheet.referee, session), strict=False):
        height = 8 * mm
        fitted = pdf_text.fit_text(text, room - form.FIELD_LABEL - 2 * mm, height, 12, 8, WEIGHT_BOLD)
        pdf_text.draw_fitted_text(
            page, x + form.FIELD_LABEL + 1 * mm, form.FIELD_LINE + height, height, fitted, WEIGHT_BOLD
        )
    table_x = form.FORM_HEAD_FIELDS[3][2] + form.FIELD_LABEL + 1.5 * mm
    form.draw_table_tile(page, table_x, form.FIELD_LINE + 0.8 * mm, 15 * mm, sheet.table)
    pdf_qr.draw_qr_code(page, form.FORM_QR_X, form.FORM_QR_Y, form.FORM_QR_SIDE, sheet.url)
    draw_text_line(
        page,
        form.FORM_QR_X + form.FORM_QR_SIDE / 2,
        form.FORM_QR_Y - 1.2 * mm,
        sheet.serial,
        11,
        WEIGHT_BOLD,
        ALIGN_CENTRE,
    )
    if sheet.number > 1:
        said = f"第 {sheet.number} 次列印·前紙作廢 Print {sheet.number}"
        draw_text_line(
            page,
            form.FORM_QR_X + form.FORM_QR_SIDE / 2,
            form.FORM_QR_Y - 4.4 * mm,
            said,
            6.5,
            WEIGHT_REGULAR,
            ALIGN_CENTRE,
        )
    for place, letter in enumerate(PRINTED_SEAT_LETTERS):
        seat = sheet.seats.get(letter)
        if seat is None:
            _draw_empty_seat(page, place, letter)
        else:
            _draw_seat(page, place, letter, seat)


def _draw_sample_mark(page: Canvas, size: tuple[float, float]) -> None:
    """Across the page under everything: to be looked at, not to be written on."""
    page.saveState()
    page.setFillGray(SAMPLE_MARK_GREY)
    page.translate(size[0] / 2, size[1] / 2)
    page.rotate(20)
    draw_text_line(page, 0, -40, "樣本 SAMPLE", 110 * size[0] / form.FORM_PAGE_SIZE[0], WEIGHT_BOLD, ALIGN_CENTRE)
    page.restoreState()


def _draw_seat_letter(page: Canvas, place: int, letter: str) -> None:
    x, y = form.seat_x(place) + 6 * mm, form.TABLE_TOP - 6.5 * mm
    page.setLineWidth(form.FORM_THIN_LINE)
    page.circle(x, y, 4 * mm)
    draw_text_line(page, x, y - 4.6, letter, 13, WEIGHT_BOLD, ALIGN_CENTRE)


def _draw_seat(page: Canvas, place: int, letter: str, seat: PrintedSeat) -> None:
    """Letter, name, the other name, number; beside the place to sign the number again."""
    _draw_seat_letter(page, place, letter)
    left = form.seat_x(place) + 11 * mm
    room = form.SEAT_WIDTH - 12.5 * mm
    middle = left + room / 2
    top = form.TABLE_TOP - 1 * mm
    name_height = 10 * mm if seat.second_name else 15 * mm
    name = pdf_text.fit_text(seat.name, room, name_height, 16, 10, WEIGHT_BOLD)
    pdf_text.draw_fitted_text(page, middle, top, name_height, name, WEIGHT_BOLD, ALIGN_CENTRE)
    if seat.second_name:
        second = pdf_text.fit_text(seat.second_name, room, 5 * mm, 8.5, 6.5)
        pdf_text.draw_fitted_text(page, middle, top - name_height, 5 * mm, second, WEIGHT_REGULAR, ALIGN_CENTRE)
    draw_text_line(
        page,
        middle,
        form.TABLE_TOP - form.NAMES_ROW_HEIGHT + 1.5 * mm,
        f"{seat.number:04d}",
        11,
        WEIGHT_BOLD,
        ALIGN_CENTRE,
    )
    page.setFillGray(form.ENGLISH_TEXT_GREY)
    draw_text_line(
        page, form.seat_x(place) + 1.2 * mm, form.TABLE_BOTTOM + 1.2 * mm, f"{letter} {seat.number:04d}", 6.5
    )
    page.setFillGray(0)


def _draw_empty_seat(page: Canvas, place: int, letter: str) -> None:
    """Nobody sits there: the columns are shaded, so that nobody writes in them."""
    x = form.seat_x(place)
    page.saveState()
    page.setFillGray(EMPTY_SEAT_GREY)
    inset = form.FORM_THICK_LINE / 2
    page.rect(
        x + inset,
        form.TABLE_BOTTOM + inset,
        form.SEAT_WIDTH - 2 * inset,
        form.TABLE_TOP - form.TABLE_BOTTOM - 2 * inset,
        stroke=0,
        fill=1,
    )
    page.restoreState()
    _draw_seat_letter(page, place, letter)
    middle = x + form.SEAT_WIDTH / 2 + 4 * mm
    draw_text_line(page, middle, form.TABLE_TOP - 9 * mm, "空位", 14, WEIGHT_BOLD, ALIGN_CENTRE)
    draw_text_line(page, middle, form.TABLE_TOP - 14.5 * mm, "Empty seat", 8, WEIGHT_REGULAR, ALIGN_CENTRE)
