"""The empty scoresheet 計分紙: the form of the Hong Kong event, A4 across, in Chinese with small English beside it.

All that is the same on every sheet of a document is drawn here, once, into one object that each page shows again.
"""

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_text
from tournament.core.exports.pdf_fonts import (
    ALIGN_CENTRE,
    ALIGN_LEFT,
    WEIGHT_BOLD,
    WEIGHT_REGULAR,
    draw_text_line,
    text_width_in_points,
)

FORM_PAGE_SIZE = landscape(A4)
FORM_LEFT_EDGE = 10 * mm
FORM_RIGHT_EDGE = FORM_PAGE_SIZE[0] - 10 * mm
FORM_QR_SIDE = 27 * mm
FORM_QR_X = FORM_RIGHT_EDGE - FORM_QR_SIDE + 2.5 * mm
FORM_QR_Y = FORM_PAGE_SIZE[1] - 6 * mm - FORM_QR_SIDE

# The table, from its top: names, what the columns are, the games, the total, the signatures.
TABLE_TOP = 169 * mm
FIRST_COLUMN = 38 * mm
SEAT_WIDTH = (FORM_RIGHT_EDGE - FORM_LEFT_EDGE - FIRST_COLUMN) / 4
WIN_CELL_WIDTH, POINTS_CELL_WIDTH, TILES_CELL_WIDTH = 15 * mm, 25 * mm, SEAT_WIDTH - 40 * mm
NAMES_ROW_HEIGHT, COLUMN_HEADS_HEIGHT, TOTAL_ROW_HEIGHT, SIGNATURE_ROW_HEIGHT = 21 * mm, 9 * mm, 12 * mm, 17 * mm
GAMES_BLOCK_HEIGHT, FULL_GAME_ROW_HEIGHT = 51 * mm, 17 * mm
TABLE_BOTTOM = (
    TABLE_TOP - NAMES_ROW_HEIGHT - COLUMN_HEADS_HEIGHT - GAMES_BLOCK_HEIGHT - TOTAL_ROW_HEIGHT - SIGNATURE_ROW_HEIGHT
)

FIELD_LINE = 174 * mm
FORM_HEAD_FIELDS = (
    ("日期", "Date", FORM_LEFT_EDGE, 66 * mm),
    ("評審員", "Referee", FORM_LEFT_EDGE + 70 * mm, 66 * mm),
    ("場數", "Session", FORM_LEFT_EDGE + 140 * mm, 62 * mm),
    ("枱號", "Table", FORM_LEFT_EDGE + 206 * mm, 30 * mm),
)
FIELD_LABEL = 15 * mm

STAMP_BOX_SIDE = 34 * mm
STAMP_BOX_Y = 10 * mm
NOTES_BOX_X = FORM_LEFT_EDGE + 106 * mm
NOTES_BOX_WIDTH = FORM_RIGHT_EDGE - STAMP_BOX_SIDE - 6 * mm - NOTES_BOX_X

ENDING_BOX_LABELS = (
    ("魔力橋", "Rummikub"),
    ("抽牌區空", "Pool empty"),
    ("時間到", "Time up"),
    ("未比賽", "Not played"),
)
FORM_THICK_LINE, FORM_THIN_LINE, FORM_HAIRLINE = 1.2, 0.8, 0.4
ENGLISH_TEXT_GREY = 0.25

# A table's number is a tile in its own colour, told also by its mark.
TILE_PRINT_COLOURS = (HexColor(0xC3221C), HexColor(0x1A55B0), HexColor(0x1F1C17), HexColor(0xB34E00))
TILE_EDGE_COLOUR, TILE_FACE_COLOUR = HexColor(0xCBBC96), HexColor(0xFBF3DD)

FORM_STAGE_NAMES = {"preliminary": ("初賽", "Preliminary"), "final": ("決賽", "Final")}
FORM_REMARKS = (
    ("各參賽者需在計分紙上簽名確認。", "Every entrant signs this sheet."),
    ("一經簽名確認後，大會將不再接受任何後續申訴。", "Once signed, no later appeal is heard."),
    ("每局完結後，請剔選該局如何完結。", "After each game, tick how it ended."),
)


def row_tops(games: int) -> list[float]:
    """The top edge of each game's row, then of the total, in points."""
    return [
        TABLE_TOP - NAMES_ROW_HEIGHT - COLUMN_HEADS_HEIGHT - GAMES_BLOCK_HEIGHT * number / games
        for number in range(games + 1)
    ]


def seat_x(seat: int) -> float:
    """The left edge of a seat's columns, the first seat 0."""
    return FORM_LEFT_EDGE + FIRST_COLUMN + seat * SEAT_WIDTH


def draw_empty_form(page: Canvas, title_zh: str, title_en: str, games: int) -> None:
    """Draw the empty form for so many games."""
    _draw_form_heading(page, title_zh, title_en)
    _draw_form_fields(page)
    _draw_form_lines(page, games)
    _draw_form_labels(page, games)
    _draw_form_remarks(page)
    _draw_notes_box(page)
    _draw_stamp_box(page)


def _draw_form_heading(page: Canvas, title_zh: str, title_en: str) -> None:
    room = FORM_QR_X - FORM_LEFT_EDGE - 2 * mm
    zh = pdf_text.fit_text(title_zh, room, 10 * mm, 17, 11, WEIGHT_BOLD)
    pdf_text.draw_fitted_text(page, FORM_LEFT_EDGE, 203 * mm, 10 * mm, zh, WEIGHT_BOLD)
    en = pdf_text.fit_text(title_en, room, 5.5 * mm, 9, 6)
    pdf_text.draw_fitted_text(page, FORM_LEFT_EDGE, 193 * mm, 5.5 * mm, en)


def _draw_form_fields(page: Canvas) -> None:
    page.setLineWidth(FORM_HAIRLINE)
    for zh, en, x, room in FORM_HEAD_FIELDS:
        draw_text_line(page, x, FIELD_LINE + 4.2 * mm, zh, 10, WEIGHT_BOLD)
        draw_english_text(page, x, FIELD_LINE + 1 * mm, en)
        page.line(x + FIELD_LABEL, FIELD_LINE, x + room, FIELD_LINE)


def draw_english_text(page: Canvas, x: float, y: float, text: str, align: str = ALIGN_LEFT, size: float = 6.5) -> None:
    """The smaller English beside the Chinese, in grey."""
    page.setFillGray(ENGLISH_TEXT_GREY)
    draw_text_line(page, x, y, text, size, WEIGHT_REGULAR, align)
    page.setFillGray(0)


def _draw_form_lines(page: Canvas, games: int) -> None:
    """The table's lines: thick around it, thin between seats, hair between a seat's columns."""
    tops = row_tops(games)
    below_names = TABLE_TOP - NAMES_ROW_HEIGHT
    below_total = tops[-1] - TOTAL_ROW_HEIGHT
    page.setLineWidth(FORM_HAIRLINE)
    page.line(FORM_LEFT_EDGE, below_names, seat_x(0), below_names)
    for seat in range(4):
        page.line(seat_x(seat), below_names, seat_x(seat) + SEAT_WIDTH, below_names)
        for x in (seat_x(seat) + WIN_CELL_WIDTH, seat_x(seat) + WIN_CELL_WIDTH + POINTS_CELL_WIDTH):
            page.line(x, below_names, x, below_total)
    page.setLineWidth(FORM_THIN_LINE)
    for y in (*tops, below_total):
        page.line(FORM_LEFT_EDGE, y, FORM_RIGHT_EDGE, y)
    page.setLineWidth(FORM_THICK_LINE)
    page.line(FORM_LEFT_EDGE, tops[-1], FORM_RIGHT_EDGE, tops[-1])
    for seat in range(4):
        page.line(seat_x(seat), TABLE_TOP, seat_x(seat), TABLE_BOTTOM)
    page.rect(FORM_LEFT_EDGE, TABLE_BOTTOM, FORM_RIGHT_EDGE - FORM_LEFT_EDGE, TABLE_TOP - TABLE_BOTTOM)


def _draw_form_labels(page: Canvas, games: int) -> None:
    tops = row_tops(games)
    middle = FORM_LEFT_EDGE + FIRST_COLUMN / 2
    draw_both_languages(page, middle, TABLE_TOP - NAMES_ROW_HEIGHT / 2, "姓名", "Name", 12)
    draw_both_languages(
        page, middle, TABLE_TOP - NAMES_ROW_HEIGHT - COLUMN_HEADS_HEIGHT / 2, "本局如何完結", "How the game ended", 8
    )
    for seat in range(4):
        x = seat_x(seat)
        y = TABLE_TOP - NAMES_ROW_HEIGHT - COLUMN_HEADS_HEIGHT / 2
        draw_both_languages(page, x + WIN_CELL_WIDTH / 2, y, "勝局 (1/0)", "Win", 8)
        draw_both_languages(page, x + WIN_CELL_WIDTH + POINTS_CELL_WIDTH / 2, y, "得分 (+/-)", "Points", 8)
        draw_both_languages(
            page, x + WIN_CELL_WIDTH + POINTS_CELL_WIDTH + TILES_CELL_WIDTH / 2, y, "剩牌數量", "Tiles left", 8
        )
    for number in range(games):
        _draw_game_cell(page, number + 1, games)
    draw_both_languages(page, middle, tops[-1] - TOTAL_ROW_HEIGHT / 2, "總結", "Total", 12)
    sign = tops[-1] - TOTAL_ROW_HEIGHT
    draw_text_line(page, middle, sign - 5.6 * mm, "參賽者", 9.5, WEIGHT_BOLD, ALIGN_CENTRE)
    draw_text_line(page, middle, sign - 9.8 * mm, "確認成績簽署", 9.5, WEIGHT_BOLD, ALIGN_CENTRE)
    draw_english_text(page, middle, sign - 13.4 * mm, "Entrant's signature", ALIGN_CENTRE)


def draw_both_languages(page: Canvas, x: float, y: float, zh: str, en: str, size: float) -> None:
    """Chinese over small English, about the point."""
    draw_text_line(page, x, y + 0.6, zh, size, WEIGHT_BOLD, ALIGN_CENTRE)
    draw_english_text(page, x, y - 8, en, ALIGN_CENTRE)


def _draw_game_cell(page: Canvas, number: int, games: int) -> None:
    """第N局, who began, and a box to tick for each way a game ends, in a block about the middle of the row."""
    top, block = game_cell_block(number - 1, games)
    if block < FULL_GAME_ROW_HEIGHT:
        draw_text_line(page, FORM_LEFT_EDGE + 1 * mm, top - 10, f"第{number}局", 9, WEIGHT_BOLD)
    else:
        draw_text_line(page, FORM_LEFT_EDGE + 7 * mm, top - 13.5, f"第{number}局", 10, WEIGHT_BOLD, ALIGN_CENTRE)
        draw_english_text(page, FORM_LEFT_EDGE + 7 * mm, top - 21, f"Game {number}", ALIGN_CENTRE)
    page.setLineWidth(FORM_HAIRLINE)
    x, foot, side = starter_box(top, block)
    page.rect(x, foot, side, side)
    draw_text_line(page, FORM_LEFT_EDGE + 1 * mm, foot + side * 0.55, "開始者", 6)
    draw_english_text(page, FORM_LEFT_EDGE + 1 * mm, foot + side * 0.1, "Starter", size=5)
    size = min(6.5, block / len(ENDING_BOX_LABELS) * 0.72)
    for place, (zh, en) in enumerate(ENDING_BOX_LABELS):
        x, y, box = ending_box(top, block, place)
        page.rect(x, y, box, box)
        x = FORM_LEFT_EDGE + 18 * mm
        draw_text_line(page, x, y + 0.8, zh, size)
        draw_english_text(page, x + text_width_in_points(zh, size) + 2, y + 0.8, en, size=5)


def game_cell_block(number: int, games: int) -> tuple[float, float]:
    """The top and the height of what stands in a game's first cell, the first game 0."""
    height = GAMES_BLOCK_HEIGHT / games
    block = min(height, FULL_GAME_ROW_HEIGHT)
    return row_tops(games)[number] - (height - block) / 2, block


def starter_box(top: float, block: float) -> tuple[float, float, float]:
    """Where the letter of who began goes: left, foot, side."""
    return FORM_LEFT_EDGE + 8.8 * mm, top - block + block * 0.06, min(4.4 * mm, block * 0.36)


def ending_box(top: float, block: float, place: int) -> tuple[float, float, float]:
    """The box to tick for a way that a game ends, in the order of ENDING_BOX_LABELS: left, foot, side."""
    line = block / len(ENDING_BOX_LABELS)
    box = min(2.7 * mm, line * 0.78)
    return FORM_LEFT_EDGE + 14.2 * mm, top - line * (place + 1) + (line - box) / 2, box


def _draw_form_remarks(page: Canvas) -> None:
    y = TABLE_BOTTOM - 7 * mm
    draw_text_line(page, FORM_LEFT_EDGE, y, "備註:", 10, WEIGHT_BOLD)
    draw_english_text(page, FORM_LEFT_EDGE + 11 * mm, y, "Remarks")
    for zh, en in FORM_REMARKS:
        y -= 6 * mm
        page.circle(FORM_LEFT_EDGE + 1.2 * mm, y + 3, 0.9, stroke=0, fill=1)
        draw_text_line(page, FORM_LEFT_EDGE + 3.5 * mm, y, zh, 9)
        y -= 3.6 * mm
        draw_english_text(page, FORM_LEFT_EDGE + 3.5 * mm, y, en)


def _draw_notes_box(page: Canvas) -> None:
    """Where the referee writes what the table cannot say: an unopened rack, a ruling, a pause."""
    top = TABLE_BOTTOM - 7 * mm
    draw_text_line(page, NOTES_BOX_X, top, "評審員記錄:", 10, WEIGHT_BOLD)
    draw_english_text(
        page, NOTES_BOX_X + 21 * mm, top, "Referee's notes (ice not broken, rack pushed over, left, pause)"
    )
    page.setLineWidth(FORM_HAIRLINE)
    page.setDash(0.8, 1.6)
    for number in range(1, 5):
        y = top - number * 8.2 * mm
        page.line(NOTES_BOX_X, y, NOTES_BOX_X + NOTES_BOX_WIDTH, y)
    page.setDash()


def _draw_stamp_box(page: Canvas) -> None:
    x = FORM_RIGHT_EDGE - STAMP_BOX_SIDE
    page.setLineWidth(FORM_THIN_LINE)
    page.rect(x, STAMP_BOX_Y, STAMP_BOX_SIDE, STAMP_BOX_SIDE)
    draw_text_line(
        page,
        x + STAMP_BOX_SIDE / 2,
        STAMP_BOX_Y + STAMP_BOX_SIDE + 5.2 * mm,
        "大會蓋印方可作實",
        10.5,
        WEIGHT_BOLD,
        ALIGN_CENTRE,
    )
    draw_english_text(
        page,
        x + STAMP_BOX_SIDE / 2,
        STAMP_BOX_Y + STAMP_BOX_SIDE + 1.8 * mm,
        "Official only with the stamp",
        ALIGN_CENTRE,
    )


def draw_table_tile(page: Canvas, x: float, y: float, height: float, number: int) -> None:
    """The table's number as its tile: red full disc, blue ring, black ring with a dot, orange half disc."""
    suit = (number - 1) % 4
    width = height * 0.74
    page.saveState()
    page.setFillColor(TILE_FACE_COLOUR)
    page.setStrokeColor(TILE_EDGE_COLOUR)
    page.setLineWidth(1)
    page.roundRect(x, y, width, height, height * 0.13, stroke=1, fill=1)
    page.setFillColor(TILE_PRINT_COLOURS[suit])
    page.setStrokeColor(TILE_PRINT_COLOURS[suit])
    size = height * 0.5
    draw_text_line(page, x + width / 2, y + height * 0.47, str(number), size, WEIGHT_BOLD, ALIGN_CENTRE)
    middle, centre, radius = x + width / 2, y + height * 0.22, height * 0.095
    page.setLineWidth(height * 0.04)
    page.circle(middle, centre, radius, stroke=1, fill=int(suit == 0))
    if suit == 2:
        page.circle(middle, centre, radius * 0.4, stroke=0, fill=1)
    if suit == 3:
        page.wedge(middle - radius, centre - radius, middle + radius, centre + radius, 90, 180, stroke=0, fill=1)
    page.restoreState()
