"""A locked scoresheet as it was recorded: the printed form with its values, and each signature as lines (4.5).

In the form's own two languages, the same bytes for the same sheet. No picture is in it: what was drawn is a path.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.enums import GameEnd
from tournament.exports import pdf_fonts, pdf_text
from tournament.exports import scoresheet_form as form
from tournament.exports.drawn_signature import Strokes, draw_signature
from tournament.exports.pdf_fonts import BOLD, CENTRE, REGULAR, draw
from tournament.exports.scoresheet_pdf import LETTERS, PrintedSheet, fill, titles_of

# The boxes of the form in their order.
ENDS = (GameEnd.RUMMIKUB, GameEnd.POOL, GameEnd.TIME, GameEnd.NOT_PLAYED)
FIGURE, TOTAL = 15, 16


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """One seat's part of a game, or its sums: wins, points with their sign, tiles."""

    win: str
    points: str
    tiles: str


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game: how it ended, who began or "", and each seat's line."""

    ended_by: str
    starter: str
    lines: Mapping[str, RecordedLine]


@dataclass(frozen=True, slots=True)
class RecordedSign:
    """A seat's signature: its strokes, or what stands in their place."""

    strokes: Strokes | None
    said: str = ""


@dataclass(frozen=True, slots=True)
class RecordedSheet:
    """A locked version. `paper` is its head; `notes` stand where the referee writes, `stamp` in the stamp's box."""

    paper: PrintedSheet
    games: Sequence[RecordedGame]
    totals: Mapping[str, RecordedLine]
    signs: Mapping[str, RecordedSign]
    notes: Sequence[str]
    stamp: str = ""


def recorded_pdf(sheet: RecordedSheet) -> bytes:
    """The sheet on one page."""
    file = BytesIO()
    titles = titles_of(sheet.paper)
    page = pdf_fonts.canvas(file, form.PAGE, f"{titles[0]} {sheet.paper.serial}", sheet.paper.event_zh)
    form.draw_form(page, *titles, sheet.paper.games)
    fill(page, sheet.paper)
    draw(page, form.QR_X + form.QR / 2, form.QR_Y - 4.4 * mm, "按記錄 As recorded", 6.5, REGULAR, CENTRE)
    _games(page, sheet)
    _signatures(page, sheet)
    _notes(page, sheet.notes)
    _stamp(page, sheet.stamp)
    page.showPage()
    page.save()
    return file.getvalue()


def _games(page: Canvas, sheet: RecordedSheet) -> None:
    """Every figure in the middle of its cell; the row of sums larger."""
    tops = form.row_tops(sheet.paper.games)
    high = form.GAMES / sheet.paper.games
    for number, game in enumerate(sheet.games[: sheet.paper.games]):
        _ending(page, sheet.paper.games, number, game)
        for place, letter in enumerate(LETTERS):
            if letter in game.lines:
                _line(page, place, tops[number] - high / 2, game.lines[letter], min(FIGURE, high * 0.6))
    for place, letter in enumerate(LETTERS):
        if letter in sheet.totals:
            _line(page, place, tops[-1] - form.TOTAL / 2, sheet.totals[letter], TOTAL)


def _ending(page: Canvas, games: int, number: int, game: RecordedGame) -> None:
    """The tick at how it ended, the letter of who began."""
    top, block = form.block_of(number, games)
    if game.ended_by in ENDS:
        x, y, box = form.end_box(top, block, ENDS.index(GameEnd(game.ended_by)))
        page.setLineWidth(form.THICK)
        page.lines([(x, y + box * 0.5, x + box * 0.4, y), (x + box * 0.4, y, x + box * 1.3, y + box * 1.2)])
    if game.starter:
        x, foot, side = form.starter_box(top, block)
        draw(page, x + side / 2, foot + side * 0.16, game.starter, side * 0.85, BOLD, CENTRE)


def _line(page: Canvas, place: int, middle: float, line: RecordedLine, size: float) -> None:
    """Win, points, tiles of a seat."""
    left = form.seat_x(place)
    columns = ((0, form.WIN), (form.WIN, form.POINTS), (form.WIN + form.POINTS, form.TILES))
    for (start, wide), text in zip(columns, (line.win, line.points, line.tiles), strict=True):
        fitted = min(size, (wide - 2 * mm) / max(pdf_fonts.width(text, 1, BOLD), 0.001))
        draw(page, left + start + wide / 2, middle - fitted * 0.36, text, fitted, BOLD, CENTRE)


def _signatures(page: Canvas, sheet: RecordedSheet) -> None:
    """Each in its own field; in place of strokes the words."""
    for place, letter in enumerate(LETTERS):
        sign = sheet.signs.get(letter)
        if sign is None:
            continue
        left, wide, high = form.seat_x(place) + 2 * mm, form.SEAT_WIDTH - 4 * mm, form.SIGN - 5.5 * mm
        if sign.strokes is not None:
            draw_signature(page, sign.strokes, left, form.TABLE_BOTTOM + 4.5 * mm, wide, high)
            continue
        fitted = pdf_text.fit(sign.said, wide, high, 8, 5.5)
        pdf_text.draw(page, left, form.TABLE_BOTTOM + form.SIGN - 1 * mm, high, fitted)


def _notes(page: Canvas, notes: Sequence[str]) -> None:
    """One on each line of the form; what is more goes on the last, smaller."""
    lines = [*notes[:3], "; ".join(notes[3:])] if len(notes) > 4 else notes
    step = 8.2 * mm
    for number, text in enumerate(lines, start=1):
        if text:
            fitted = pdf_text.fit(text, form.NOTES_WIDTH, step * 0.92, 9, 6.5)
            pdf_text.draw(
                page, form.NOTES_X, form.TABLE_BOTTOM - number * step - 6 * mm + step * 0.9, step * 0.92, fitted
            )


def _stamp(page: Canvas, said: str) -> None:
    """Who stamped it, when."""
    if said:
        x, room = form.RIGHT_EDGE - form.STAMP, form.STAMP - 4 * mm
        fitted = pdf_text.fit(said, room, room, 12, 8, BOLD)
        pdf_text.draw(page, x + form.STAMP / 2, form.STAMP_Y + form.STAMP - 2 * mm, room, fitted, BOLD, CENTRE)
