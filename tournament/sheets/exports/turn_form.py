"""The scoresheet of turns: A4 upright, a column a player, a line a turn; empty, filled in before play, and as recorded.

On paper the words that were rearranged are underlined, and the points of the turn that emptied the rack are ringed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_qr, pdf_text
from tournament.core.exports.pdf_fonts import (
    ALIGN_CENTRE,
    ALIGN_LEFT,
    WEIGHT_BOLD,
    WEIGHT_REGULAR,
    draw_text_line,
    text_width_in_points,
)
from tournament.sheets.exports import form
from tournament.sheets.exports.drawn_signature import StrokePoints, draw_signature
from tournament.sheets.exports.printed import (
    CHINESE_WEEKDAYS,
    PRINTED_SEAT_LETTERS,
    PrintedSeat,
    PrintedSheet,
    chinese_numeral,
)

TURN_PAGE_SIZE = A4
PRINTED_TURNS = 20
LEFT, RIGHT = 10 * mm, A4[0] - 10 * mm
QR_SIDE = 26 * mm
QR_X, QR_Y = RIGHT - QR_SIDE + 2 * mm, A4[1] - 7 * mm - QR_SIDE
FIRST_COLUMN, POINTS_WIDTH = 18 * mm, 11 * mm
SEAT_WIDTH = (RIGHT - LEFT - FIRST_COLUMN) / 4
WORDS_WIDTH = SEAT_WIDTH - POINTS_WIDTH
# From the top of the table: names, heads, the turns, how it ended, jokers left, total, signatures.
TOP, TURNS_TOP, TURNS_FOOT = 243 * mm, 220 * mm, 77 * mm
NAMES_HEIGHT, ENDING_HEIGHT, JOKERS_HEIGHT, TOTAL_HEIGHT, SIGNATURE_HEIGHT = 14 * mm, 8 * mm, 8 * mm, 9 * mm, 15 * mm
JOKERS_TOP = TURNS_FOOT - ENDING_HEIGHT
TOTAL_TOP = JOKERS_TOP - JOKERS_HEIGHT
SIGNATURE_TOP = TOTAL_TOP - TOTAL_HEIGHT
FOOT = SIGNATURE_TOP - SIGNATURE_HEIGHT
FIELDS = (
    ("日期", "Date", LEFT, 262 * mm, 78 * mm),
    ("評審員", "Referee", LEFT + 82 * mm, 262 * mm, 72 * mm),
    ("場數", "Session", LEFT, 250 * mm, 78 * mm),
    ("枱號", "Table", LEFT + 82 * mm, 250 * mm, 30 * mm),
)
STAMP_SIDE, STAMP_Y = 26 * mm, 7 * mm
NOTES_X, NOTES_WIDTH, NOTES_LINES = LEFT + 84 * mm, 76 * mm, 4
REMARKS = (
    ("每人每回合一格。留空或寫橫線：抽牌。", "A cell a turn; empty or a dash: a tile was drawn."),
    ("重組枱面所得的字加底線，只計最長一個。", "Underline rearranged words; the longest counts alone."),
    ("出完牌的回合，得分加倍並圈起。", "Ring the doubled points of the turn that empties the rack."),
    ("一經簽名確認，不再接受申訴。", "Once signed, no later appeal is heard."),
)


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn as it was recorded: words by space, and what they count."""

    own: str
    rearranged: str
    points: str
    emptied: bool


@dataclass(frozen=True, slots=True)
class TurnValues:
    """What is recorded on a page of so many lines; `ended_by` the place of its box, `turns` by line and letter."""

    lines: int
    ended_by: int | None
    starter: str
    turns: Mapping[tuple[int, str], RecordedTurn]
    jokers: Mapping[str, str]
    totals: Mapping[str, str]
    signs: Mapping[str, tuple[StrokePoints | None, str]]
    notes: Sequence[str]
    stamp: str


def seat_left(place: int) -> float:
    """The left edge of a seat's column, the first seat 0."""
    return LEFT + FIRST_COLUMN + place * SEAT_WIDTH


def turn_top(number: int, lines: int) -> float:
    """The upper edge of a line of turns, the first 0."""
    return TURNS_TOP - (TURNS_TOP - TURNS_FOOT) * number / lines


# --- Empty ----------------------------------------------------------------------------------------------------


def draw_empty_turn_form(page: Canvas, title_zh: str, title_en: str, lines: int) -> None:
    """The form with so many lines of turns."""
    room = QR_X - LEFT - 2 * mm
    zh = pdf_text.fit_text(title_zh, room, 9 * mm, 15, 10, WEIGHT_BOLD)
    pdf_text.draw_fitted_text(page, LEFT, 289 * mm, 9 * mm, zh, WEIGHT_BOLD)
    en = pdf_text.fit_text(title_en, room, 5 * mm, 8.5, 6)
    pdf_text.draw_fitted_text(page, LEFT, 280 * mm, 5 * mm, en)
    page.setLineWidth(form.FORM_HAIRLINE)
    for word, english, x, y, wide in FIELDS:
        draw_text_line(page, x, y + 4.2 * mm, word, 10, WEIGHT_BOLD)
        form.draw_english_text(page, x, y + 1 * mm, english)
        page.line(x + form.FIELD_LABEL, y, x + wide, y)
    _draw_lines(page, lines)
    _draw_labels(page, lines)
    _draw_remarks(page)
    _draw_stamp_box(page)


def _draw_lines(page: Canvas, lines: int) -> None:
    page.setLineWidth(form.FORM_HAIRLINE)
    for number in range(1, lines):
        page.line(LEFT, turn_top(number, lines), RIGHT, turn_top(number, lines))
    for place in range(4):
        x = seat_left(place) + WORDS_WIDTH
        page.line(x, TOP - NAMES_HEIGHT, x, TURNS_FOOT)
    page.line(seat_left(0), TOP - NAMES_HEIGHT, RIGHT, TOP - NAMES_HEIGHT)
    page.setLineWidth(form.FORM_THIN_LINE)
    for y in (TURNS_TOP, TURNS_FOOT, JOKERS_TOP, SIGNATURE_TOP):
        page.line(LEFT, y, RIGHT, y)
    page.setLineWidth(form.FORM_THICK_LINE)
    page.line(LEFT, TOTAL_TOP, RIGHT, TOTAL_TOP)
    page.line(seat_left(0), TOP, seat_left(0), FOOT)
    for place in range(1, 4):
        page.line(seat_left(place), TOP, seat_left(place), TURNS_FOOT)
        page.line(seat_left(place), JOKERS_TOP, seat_left(place), FOOT)
    page.rect(LEFT, FOOT, RIGHT - LEFT, TOP - FOOT)


def _draw_labels(page: Canvas, lines: int) -> None:
    middle = LEFT + FIRST_COLUMN / 2
    form.draw_both_languages(page, middle, TOP - NAMES_HEIGHT / 2, "姓名", "Name", 11)
    heads = (TOP - NAMES_HEIGHT + TURNS_TOP) / 2
    form.draw_both_languages(page, middle, heads, "回合", "Turn", 8)
    for place in range(4):
        form.draw_both_languages(page, seat_left(place) + WORDS_WIDTH / 2, heads, "所出的字", "Words", 8)
        x = seat_left(place) + WORDS_WIDTH + POINTS_WIDTH / 2
        form.draw_both_languages(page, x, heads, "得分", "Points", 8)
    high = (TURNS_TOP - TURNS_FOOT) / lines
    for number in range(lines):
        y = turn_top(number, lines) - high / 2 - 3
        draw_text_line(page, middle, y, str(number + 1), min(10, high * 0.6), WEIGHT_BOLD, ALIGN_CENTRE)
    form.draw_both_languages(page, middle, TURNS_FOOT - ENDING_HEIGHT / 2, "如何完局", "How it ended", 8)
    for place, (word, english) in enumerate(form.ENDING_BOX_LABELS):
        x, y, side = ending_box(place)
        page.setLineWidth(form.FORM_HAIRLINE)
        page.rect(x, y, side, side)
        draw_text_line(page, x + side + 1.5 * mm, y + 1, word, 8, WEIGHT_BOLD)
        form.draw_english_text(page, x + side + 2.5 * mm + text_width_in_points(word, 8, WEIGHT_BOLD), y + 1, english)
    x, y, side = starter_box()
    page.rect(x, y, side, side)
    form.draw_both_languages(page, x - 7 * mm, TURNS_FOOT - ENDING_HEIGHT / 2, "開始者", "Starter", 7)
    form.draw_both_languages(page, middle, JOKERS_TOP - JOKERS_HEIGHT / 2, "剩百搭", "Jokers left", 8)
    form.draw_both_languages(page, middle, TOTAL_TOP - TOTAL_HEIGHT / 2, "總結", "Total", 11)
    draw_text_line(page, middle, SIGNATURE_TOP - 5.2 * mm, "參賽者", 9, WEIGHT_BOLD, ALIGN_CENTRE)
    draw_text_line(page, middle, SIGNATURE_TOP - 9.2 * mm, "簽署", 9, WEIGHT_BOLD, ALIGN_CENTRE)
    form.draw_english_text(page, middle, SIGNATURE_TOP - 12.4 * mm, "Signature", ALIGN_CENTRE)


def ending_box(place: int) -> tuple[float, float, float]:
    """The box to tick for a way that the game ends, in the order of ENDING_BOX_LABELS: left, foot, side."""
    return seat_left(0) + 3 * mm + place * 34 * mm, TURNS_FOOT - ENDING_HEIGHT / 2 - 1.6 * mm, 3.2 * mm


def starter_box() -> tuple[float, float, float]:
    """Where the letter of who began goes: left, foot, side."""
    return RIGHT - 9 * mm, TURNS_FOOT - ENDING_HEIGHT / 2 - 2.5 * mm, 5 * mm


def _draw_remarks(page: Canvas) -> None:
    y = FOOT - 5.5 * mm
    for word, english in REMARKS:
        page.circle(LEFT + 1.2 * mm, y + 3, 0.9, stroke=0, fill=1)
        draw_text_line(page, LEFT + 3.5 * mm, y, word, 8.5)
        form.draw_english_text(page, LEFT + 3.5 * mm, y - 3.2 * mm, english)
        y -= 7.4 * mm
    draw_text_line(page, NOTES_X, FOOT - 5.5 * mm, "評審員記錄:", 9, WEIGHT_BOLD)
    form.draw_english_text(page, NOTES_X + 19 * mm, FOOT - 5.5 * mm, "Referee's notes")
    page.setLineWidth(form.FORM_HAIRLINE)
    page.setDash(0.8, 1.6)
    for number in range(1, NOTES_LINES + 1):
        page.line(NOTES_X, note_foot(number), NOTES_X + NOTES_WIDTH, note_foot(number))
    page.setDash()


def note_foot(number: int) -> float:
    """The dotted line under a note, the first 1."""
    return FOOT - 6 * mm - number * 6 * mm


def _draw_stamp_box(page: Canvas) -> None:
    x = RIGHT - STAMP_SIDE
    page.setLineWidth(form.FORM_THIN_LINE)
    page.rect(x, STAMP_Y, STAMP_SIDE, STAMP_SIDE - 3 * mm)
    middle = x + STAMP_SIDE / 2
    draw_text_line(page, middle, STAMP_Y + STAMP_SIDE - 0.5 * mm, "大會蓋印方可作實", 8.5, WEIGHT_BOLD, ALIGN_CENTRE)
    form.draw_english_text(
        page, middle, STAMP_Y + STAMP_SIDE - 2.7 * mm, "Official only with the stamp", ALIGN_CENTRE, 5
    )


# --- Before play ----------------------------------------------------------------------------------------------


def fill_in_turn_form(page: Canvas, sheet: PrintedSheet) -> None:
    """The head, the names, the serial and its code."""
    day = f"{sheet.day.year}年{sheet.day.month}月{sheet.day.day}日（星期{CHINESE_WEEKDAYS[sheet.day.weekday()]}）"
    replay = "（重賽）" if sheet.replay else ""
    session = f"第{chinese_numeral(sheet.session)}場{replay} {sheet.starts:%H:%M}–{sheet.ends:%H:%M}"
    for (_zh, _en, x, y, wide), text in zip(FIELDS, (day, sheet.referee, session), strict=False):
        fitted = pdf_text.fit_text(text, wide - form.FIELD_LABEL - 2 * mm, 7 * mm, 12, 8, WEIGHT_BOLD)
        pdf_text.draw_fitted_text(page, x + form.FIELD_LABEL + 1 * mm, y + 7 * mm, 7 * mm, fitted, WEIGHT_BOLD)
    table = FIELDS[3]
    form.draw_table_tile(page, table[2] + form.FIELD_LABEL + 1.5 * mm, table[3] - 3 * mm, 13 * mm, sheet.table)
    pdf_qr.draw_qr_code(page, QR_X, QR_Y, QR_SIDE, sheet.url)
    middle = QR_X + QR_SIDE / 2
    draw_text_line(page, middle, QR_Y - 1.5 * mm, sheet.serial, 11, WEIGHT_BOLD, ALIGN_CENTRE)
    if sheet.number > 1:
        said = f"第 {sheet.number} 次列印·前紙作廢 Print {sheet.number}"
        draw_text_line(page, middle, QR_Y - 4.8 * mm, said, 6.5, WEIGHT_REGULAR, ALIGN_CENTRE)
    for place, letter in enumerate(PRINTED_SEAT_LETTERS):
        if seat := sheet.seats.get(letter):
            _draw_seat(page, place, letter, seat)
        else:
            _draw_empty_seat(page, place, letter)


def _draw_letter(page: Canvas, place: int, letter: str) -> None:
    x, y = seat_left(place) + 5 * mm, TOP - 5.5 * mm
    page.setLineWidth(form.FORM_THIN_LINE)
    page.circle(x, y, 3.4 * mm)
    draw_text_line(page, x, y - 4, letter, 11, WEIGHT_BOLD, ALIGN_CENTRE)


def _draw_seat(page: Canvas, place: int, letter: str, seat: PrintedSeat) -> None:
    _draw_letter(page, place, letter)
    left, room = seat_left(place) + 9 * mm, SEAT_WIDTH - 10 * mm
    middle = left + room / 2
    high = 5.6 * mm if seat.second_name else 8.8 * mm
    name = pdf_text.fit_text(seat.name, room, high, 13, 7, WEIGHT_BOLD)
    pdf_text.draw_fitted_text(page, middle, TOP - 0.7 * mm, high, name, WEIGHT_BOLD, ALIGN_CENTRE)
    if seat.second_name:
        second = pdf_text.fit_text(seat.second_name, room, 3.2 * mm, 7, 5)
        pdf_text.draw_fitted_text(page, middle, TOP - 0.7 * mm - high, 3.2 * mm, second, WEIGHT_REGULAR, ALIGN_CENTRE)
    draw_text_line(page, middle, TOP - NAMES_HEIGHT + 1.1 * mm, f"{seat.number:04d}", 9, WEIGHT_BOLD, ALIGN_CENTRE)
    form.draw_english_text(page, seat_left(place) + 1.2 * mm, FOOT + 1.2 * mm, f"{letter} {seat.number:04d}")


def _draw_empty_seat(page: Canvas, place: int, letter: str) -> None:
    """Shaded, so that nobody writes there; how the game ended stays readable."""
    page.saveState()
    page.setFillGray(0.92)
    for top, foot in ((TOP, TURNS_FOOT), (JOKERS_TOP, FOOT)):
        page.rect(seat_left(place) + 0.6, foot + 0.6, SEAT_WIDTH - 1.2, top - foot - 1.2, stroke=0, fill=1)
    page.restoreState()
    _draw_letter(page, place, letter)
    draw_text_line(
        page, seat_left(place) + SEAT_WIDTH / 2 + 3 * mm, TOP - 8 * mm, "空位", 12, WEIGHT_BOLD, ALIGN_CENTRE
    )
    form.draw_english_text(page, seat_left(place) + SEAT_WIDTH / 2 + 3 * mm, TOP - 12 * mm, "Empty seat", ALIGN_CENTRE)


# --- As recorded ----------------------------------------------------------------------------------------------


def draw_recorded_turns(page: Canvas, values: TurnValues) -> None:
    """Every value in its place: words, points, jokers left, totals, signatures, notes, the stamp."""
    draw_text_line(page, QR_X + QR_SIDE / 2, QR_Y - 4.8 * mm, "按記錄 As recorded", 6.5, WEIGHT_REGULAR, ALIGN_CENTRE)
    for (number, letter), turn in values.turns.items():
        _draw_turn(page, PRINTED_SEAT_LETTERS.index(letter), number - 1, values.lines, turn)
    for place, letter in enumerate(PRINTED_SEAT_LETTERS):
        middle = seat_left(place) + SEAT_WIDTH / 2
        if letter in values.jokers:
            draw_text_line(page, middle, TOTAL_TOP + 2 * mm, values.jokers[letter], 11, WEIGHT_BOLD, ALIGN_CENTRE)
        if letter in values.totals:
            draw_text_line(page, middle, SIGNATURE_TOP + 2.4 * mm, values.totals[letter], 14, WEIGHT_BOLD, ALIGN_CENTRE)
        if letter in values.signs:
            _draw_signature_of(page, place, *values.signs[letter])
    if values.ended_by is not None:
        x, y, box = ending_box(values.ended_by)
        page.setLineWidth(form.FORM_THICK_LINE)
        page.lines([(x, y + box * 0.5, x + box * 0.4, y), (x + box * 0.4, y, x + box * 1.3, y + box * 1.2)])
    if values.starter:
        x, y, side = starter_box()
        draw_text_line(page, x + side / 2, y + side * 0.2, values.starter, side * 0.85, WEIGHT_BOLD, ALIGN_CENTRE)
    _draw_notes(page, values.notes)
    if values.stamp:
        room = STAMP_SIDE - 4 * mm
        fitted = pdf_text.fit_text(values.stamp, room, room, 10, 6, WEIGHT_BOLD)
        x, top = RIGHT - STAMP_SIDE / 2, STAMP_Y + STAMP_SIDE - 4 * mm
        pdf_text.draw_fitted_text(page, x, top, room, fitted, WEIGHT_BOLD, ALIGN_CENTRE)


def _draw_turn(page: Canvas, place: int, number: int, lines: int, turn: RecordedTurn) -> None:
    """Own words plain, rearranged ones underlined; both on one line, smaller where they are many."""
    high = (TURNS_TOP - TURNS_FOOT) / lines
    room, gap = WORDS_WIDTH - 2 * mm, " " if turn.own and turn.rearranged else ""
    text = f"{turn.own}{gap}{turn.rearranged}"
    size = min(10, high * 0.55, room / max(text_width_in_points(text, 1, WEIGHT_BOLD), 0.001))
    x, y = seat_left(place) + 1 * mm, turn_top(number, lines) - high / 2 - size * 0.36
    draw_text_line(page, x, y, text, size, WEIGHT_BOLD, ALIGN_LEFT)
    page.setLineWidth(form.FORM_HAIRLINE)
    if turn.rearranged:
        start = x + text_width_in_points(f"{turn.own}{gap}", size, WEIGHT_BOLD)
        page.line(start, y - 1.6, x + text_width_in_points(text, size, WEIGHT_BOLD), y - 1.6)
    figure, middle = min(11, high * 0.6), seat_left(place) + WORDS_WIDTH + POINTS_WIDTH / 2
    centre = turn_top(number, lines) - high / 2
    draw_text_line(page, middle, centre - figure * 0.36, turn.points, figure, WEIGHT_BOLD, ALIGN_CENTRE)
    if turn.emptied:
        page.setLineWidth(form.FORM_THIN_LINE)
        page.circle(middle, centre, min(high / 2 - 0.8, 4.2 * mm))


def _draw_signature_of(page: Canvas, place: int, strokes: StrokePoints | None, said: str) -> None:
    left, wide, high = seat_left(place) + 2 * mm, SEAT_WIDTH - 4 * mm, SIGNATURE_HEIGHT - 5 * mm
    if strokes is not None:
        draw_signature(page, strokes, left, FOOT + 4 * mm, wide, high)
        return
    pdf_text.draw_fitted_text(page, left, SIGNATURE_TOP - 1 * mm, high, pdf_text.fit_text(said, wide, high, 8, 5))


def _draw_notes(page: Canvas, notes: Sequence[str]) -> None:
    """One on each line; what is more goes on the last, smaller."""
    kept = [*notes[: NOTES_LINES - 1], "; ".join(notes[NOTES_LINES - 1 :])] if len(notes) > NOTES_LINES else notes
    for number, text in enumerate(kept, start=1):
        if text:
            fitted = pdf_text.fit_text(text, NOTES_WIDTH, 5.6 * mm, 8, 5)
            pdf_text.draw_fitted_text(page, NOTES_X, note_foot(number) + 5.6 * mm, 5.6 * mm, fitted)
