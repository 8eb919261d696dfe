"""A locked scoresheet as it was recorded: the printed form with its values, and each signature as lines (D5).

In the form's own two languages, the same bytes for the same sheet. No picture is in it: what was drawn is a path.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core.enums import GameEnd
from tournament.core.exports import pdf_fonts, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, WEIGHT_BOLD, WEIGHT_REGULAR, draw_text_line
from tournament.sheets.exports import form
from tournament.sheets.exports.drawn_signature import StrokePoints, draw_signature
from tournament.sheets.exports.pdf import draw_empty_sheet, fill_in_sheet, page_size_of
from tournament.sheets.exports.printed import PRINTED_SEAT_LETTERS, PrintedSheet, sheet_titles_with_event
from tournament.sheets.exports.turn_form import PRINTED_TURNS, RecordedTurn, TurnValues, draw_recorded_turns

# The boxes of the form in their order.
RECORDED_ENDINGS = (GameEnd.RUMMIKUB, GameEnd.POOL, GameEnd.TIME, GameEnd.NOT_PLAYED)
RECORDED_FIGURE_SIZE, RECORDED_TOTAL_SIZE = 15, 16


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
class RecordedSignature:
    """A seat's signature: its strokes, or what stands in their place."""

    strokes: StrokePoints | None
    said: str = ""


@dataclass(frozen=True, slots=True)
class RecordedSheet:
    """A locked version. `paper` is its head; `notes` stand where the referee writes, `stamp` in the stamp's box."""

    paper: PrintedSheet
    games: Sequence[RecordedGame]
    totals: Mapping[str, RecordedLine]
    signs: Mapping[str, RecordedSignature]
    notes: Sequence[str]
    stamp: str = ""
    turns: Mapping[tuple[int, str], RecordedTurn] = field(default_factory=dict)

    @property
    def lines(self) -> int:
        """How many lines of turns its page has."""
        return max([PRINTED_TURNS, *(number for number, _letter in self.turns)])


def recorded_pdf_file(sheet: RecordedSheet) -> bytes:
    """The sheet on one page."""
    file = BytesIO()
    titles = sheet_titles_with_event(sheet.paper)
    page = pdf_fonts.make_pdf_canvas(
        file, page_size_of(sheet.paper), f"{titles[0]} {sheet.paper.serial}", sheet.paper.event_zh
    )
    draw_empty_sheet(page, sheet.paper, sheet.lines)
    fill_in_sheet(page, sheet.paper)
    if sheet.paper.turns:
        draw_recorded_turns(page, _turn_values(sheet))
    else:
        _draw_recorded_values(page, sheet)
    page.showPage()
    page.save()
    return file.getvalue()


def _turn_values(sheet: RecordedSheet) -> TurnValues:
    """What a page of turns has in the places that are its own."""
    [game] = sheet.games
    return TurnValues(
        lines=sheet.lines,
        ended_by=RECORDED_ENDINGS.index(GameEnd(game.ended_by)) if game.ended_by in RECORDED_ENDINGS else None,
        starter=game.starter,
        turns=sheet.turns,
        jokers={letter: line.tiles for letter, line in game.lines.items()},
        totals={letter: line.points for letter, line in sheet.totals.items()},
        signs={letter: (sign.strokes, sign.said) for letter, sign in sheet.signs.items()},
        notes=sheet.notes,
        stamp=sheet.stamp,
    )


def _draw_recorded_values(page: Canvas, sheet: RecordedSheet) -> None:
    """Everything on a page of games."""
    draw_text_line(
        page,
        form.FORM_QR_X + form.FORM_QR_SIDE / 2,
        form.FORM_QR_Y - 4.4 * mm,
        "按記錄 As recorded",
        6.5,
        WEIGHT_REGULAR,
        ALIGN_CENTRE,
    )
    _draw_recorded_games(page, sheet)
    _draw_recorded_signatures(page, sheet)
    _draw_recorded_notes(page, sheet.notes)
    _draw_recorded_stamp(page, sheet.stamp)


def _draw_recorded_games(page: Canvas, sheet: RecordedSheet) -> None:
    """Every figure in the middle of its cell; the row of sums larger."""
    tops = form.row_tops(sheet.paper.games)
    high = form.GAMES_BLOCK_HEIGHT / sheet.paper.games
    for number, game in enumerate(sheet.games[: sheet.paper.games]):
        _draw_recorded_ending(page, sheet.paper.games, number, game)
        for place, letter in enumerate(PRINTED_SEAT_LETTERS):
            if letter in game.lines:
                _draw_recorded_line(
                    page, place, tops[number] - high / 2, game.lines[letter], min(RECORDED_FIGURE_SIZE, high * 0.6)
                )
    for place, letter in enumerate(PRINTED_SEAT_LETTERS):
        if letter in sheet.totals:
            _draw_recorded_line(
                page, place, tops[-1] - form.TOTAL_ROW_HEIGHT / 2, sheet.totals[letter], RECORDED_TOTAL_SIZE
            )


def _draw_recorded_ending(page: Canvas, games: int, number: int, game: RecordedGame) -> None:
    """The tick at how it ended, the letter of who began."""
    top, block = form.game_cell_block(number, games)
    if game.ended_by in RECORDED_ENDINGS:
        x, y, box = form.ending_box(top, block, RECORDED_ENDINGS.index(GameEnd(game.ended_by)))
        page.setLineWidth(form.FORM_THICK_LINE)
        page.lines([(x, y + box * 0.5, x + box * 0.4, y), (x + box * 0.4, y, x + box * 1.3, y + box * 1.2)])
    if game.starter:
        x, foot, side = form.starter_box(top, block)
        draw_text_line(page, x + side / 2, foot + side * 0.16, game.starter, side * 0.85, WEIGHT_BOLD, ALIGN_CENTRE)


def _draw_recorded_line(page: Canvas, place: int, middle: float, line: RecordedLine, size: float) -> None:
    """Win, points, tiles of a seat."""
    left = form.seat_x(place)
    columns = (
        (0, form.WIN_CELL_WIDTH),
        (form.WIN_CELL_WIDTH, form.POINTS_CELL_WIDTH),
        (form.WIN_CELL_WIDTH + form.POINTS_CELL_WIDTH, form.TILES_CELL_WIDTH),
    )
    for (start, wide), text in zip(columns, (line.win, line.points, line.tiles), strict=True):
        fitted = min(size, (wide - 2 * mm) / max(pdf_fonts.text_width_in_points(text, 1, WEIGHT_BOLD), 0.001))
        draw_text_line(page, left + start + wide / 2, middle - fitted * 0.36, text, fitted, WEIGHT_BOLD, ALIGN_CENTRE)


def _draw_recorded_signatures(page: Canvas, sheet: RecordedSheet) -> None:
    """Each in its own field; in place of strokes the words."""
    for place, letter in enumerate(PRINTED_SEAT_LETTERS):
        sign = sheet.signs.get(letter)
        if sign is None:
            continue
        left, wide, high = form.seat_x(place) + 2 * mm, form.SEAT_WIDTH - 4 * mm, form.SIGNATURE_ROW_HEIGHT - 5.5 * mm
        if sign.strokes is not None:
            draw_signature(page, sign.strokes, left, form.TABLE_BOTTOM + 4.5 * mm, wide, high)
            continue
        fitted = pdf_text.fit_text(sign.said, wide, high, 8, 5.5)
        pdf_text.draw_fitted_text(page, left, form.TABLE_BOTTOM + form.SIGNATURE_ROW_HEIGHT - 1 * mm, high, fitted)


def _draw_recorded_notes(page: Canvas, notes: Sequence[str]) -> None:
    """One on each line of the form; what is more goes on the last, smaller."""
    lines = [*notes[:3], "; ".join(notes[3:])] if len(notes) > 4 else notes
    step = 8.2 * mm
    for number, text in enumerate(lines, start=1):
        if text:
            fitted = pdf_text.fit_text(text, form.NOTES_BOX_WIDTH, step * 0.92, 9, 6.5)
            pdf_text.draw_fitted_text(
                page, form.NOTES_BOX_X, form.TABLE_BOTTOM - number * step - 6 * mm + step * 0.9, step * 0.92, fitted
            )


def _draw_recorded_stamp(page: Canvas, said: str) -> None:
    """`said` is who stamped it and when; empty draws nothing."""
    if said:
        x, room = form.FORM_RIGHT_EDGE - form.STAMP_BOX_SIDE, form.STAMP_BOX_SIDE - 4 * mm
        fitted = pdf_text.fit_text(said, room, room, 12, 8, WEIGHT_BOLD)
        pdf_text.draw_fitted_text(
            page,
            x + form.STAMP_BOX_SIDE / 2,
            form.STAMP_BOX_Y + form.STAMP_BOX_SIDE - 2 * mm,
            room,
            fitted,
            WEIGHT_BOLD,
            ALIGN_CENTRE,
        )
