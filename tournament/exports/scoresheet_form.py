"""The empty scoresheet 計分紙: the form of the Hong Kong event, A4 across, in Chinese with small English beside it.

All that is the same on every sheet of a document is drawn here, once, into one object that each page shows again.
"""

from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.exports import pdf_text
from tournament.exports.pdf_fonts import BOLD, CENTRE, LEFT, REGULAR, draw, width

PAGE = landscape(A4)
LEFT_EDGE = 10 * mm
RIGHT_EDGE = PAGE[0] - 10 * mm
QR = 27 * mm
QR_X = RIGHT_EDGE - QR + 2.5 * mm
QR_Y = PAGE[1] - 6 * mm - QR

# The table, from its top: names, what the columns are, the games, the total, the signatures.
TABLE_TOP = 169 * mm
FIRST_COLUMN = 38 * mm
SEAT_WIDTH = (RIGHT_EDGE - LEFT_EDGE - FIRST_COLUMN) / 4
WIN, POINTS, TILES = 15 * mm, 25 * mm, SEAT_WIDTH - 40 * mm
NAMES, COLUMNS, TOTAL, SIGN = 21 * mm, 9 * mm, 12 * mm, 17 * mm
GAMES, FULL_ROW = 51 * mm, 17 * mm
TABLE_BOTTOM = TABLE_TOP - NAMES - COLUMNS - GAMES - TOTAL - SIGN

FIELD_LINE = 174 * mm
FIELDS = (
    ("日期", "Date", LEFT_EDGE, 66 * mm),
    ("評審員", "Referee", LEFT_EDGE + 70 * mm, 66 * mm),
    ("場數", "Session", LEFT_EDGE + 140 * mm, 62 * mm),
    ("枱號", "Table", LEFT_EDGE + 206 * mm, 30 * mm),
)
FIELD_LABEL = 15 * mm

STAMP = 34 * mm
STAMP_Y = 10 * mm
NOTES_X = LEFT_EDGE + 106 * mm
NOTES_WIDTH = RIGHT_EDGE - STAMP - 6 * mm - NOTES_X

ENDS = (("魔力橋", "Rummikub"), ("抽牌區空", "Pool empty"), ("時間到", "Time up"), ("未比賽", "Not played"))
THICK, THIN, HAIR = 1.2, 0.8, 0.4
SECOND_VOICE = 0.25

TITLES = {"preliminary": ("初賽計分紙", "Preliminary scoresheet"), "final": ("決賽計分紙", "Final scoresheet")}
ROUND_TITLE = ("決賽第{zh}輪計分紙", "Final scoresheet, round {number} of {rounds}")
REMARKS = (
    ("各參賽者需在計分紙上簽名確認。", "Every entrant signs this sheet."),
    ("一經簽名確認後，大會將不再接受任何後續申訴。", "Once signed, no later appeal is heard."),
    ("每局完結後，請剔選該局如何完結。", "After each game, tick how it ended."),
)


def row_tops(games: int) -> list[float]:
    """The top edge of each game's row, then of the total, in points."""
    return [TABLE_TOP - NAMES - COLUMNS - GAMES * number / games for number in range(games + 1)]


def seat_x(seat: int) -> float:
    """The left edge of a seat's columns, the first seat 0."""
    return LEFT_EDGE + FIRST_COLUMN + seat * SEAT_WIDTH


def draw_form(page: Canvas, title_zh: str, title_en: str, games: int) -> None:
    """Draw the empty form for so many games."""
    _heading(page, title_zh, title_en)
    _fields(page)
    _lines(page, games)
    _labels(page, games)
    _remarks(page)
    _notes(page)
    _stamp(page)


def _heading(page: Canvas, title_zh: str, title_en: str) -> None:
    room = QR_X - LEFT_EDGE - 2 * mm
    zh = pdf_text.fit(title_zh, room, 10 * mm, 17, 11, BOLD)
    pdf_text.draw(page, LEFT_EDGE, 203 * mm, 10 * mm, zh, BOLD)
    en = pdf_text.fit(title_en, room, 5.5 * mm, 9, 6)
    pdf_text.draw(page, LEFT_EDGE, 193 * mm, 5.5 * mm, en)


def _fields(page: Canvas) -> None:
    page.setLineWidth(HAIR)
    for zh, en, x, room in FIELDS:
        draw(page, x, FIELD_LINE + 4.2 * mm, zh, 10, BOLD)
        _english(page, x, FIELD_LINE + 1 * mm, en)
        page.line(x + FIELD_LABEL, FIELD_LINE, x + room, FIELD_LINE)


def _english(page: Canvas, x: float, y: float, text: str, align: str = LEFT, size: float = 6.5) -> None:
    page.setFillGray(SECOND_VOICE)
    draw(page, x, y, text, size, REGULAR, align)
    page.setFillGray(0)


def _lines(page: Canvas, games: int) -> None:
    """The table's lines: thick around it, thin between seats, hair between a seat's columns."""
    tops = row_tops(games)
    below_names = TABLE_TOP - NAMES
    below_total = tops[-1] - TOTAL
    page.setLineWidth(HAIR)
    page.line(LEFT_EDGE, below_names, seat_x(0), below_names)
    for seat in range(4):
        page.line(seat_x(seat), below_names, seat_x(seat) + SEAT_WIDTH, below_names)
        for x in (seat_x(seat) + WIN, seat_x(seat) + WIN + POINTS):
            page.line(x, below_names, x, below_total)
    page.setLineWidth(THIN)
    for y in (*tops, below_total):
        page.line(LEFT_EDGE, y, RIGHT_EDGE, y)
    page.setLineWidth(THICK)
    page.line(LEFT_EDGE, tops[-1], RIGHT_EDGE, tops[-1])
    for seat in range(4):
        page.line(seat_x(seat), TABLE_TOP, seat_x(seat), TABLE_BOTTOM)
    page.rect(LEFT_EDGE, TABLE_BOTTOM, RIGHT_EDGE - LEFT_EDGE, TABLE_TOP - TABLE_BOTTOM)


def _labels(page: Canvas, games: int) -> None:
    tops = row_tops(games)
    middle = LEFT_EDGE + FIRST_COLUMN / 2
    _both(page, middle, TABLE_TOP - NAMES / 2, "姓名", "Name", 12)
    _both(page, middle, TABLE_TOP - NAMES - COLUMNS / 2, "本局如何完結", "How the game ended", 8)
    for seat in range(4):
        x = seat_x(seat)
        y = TABLE_TOP - NAMES - COLUMNS / 2
        _both(page, x + WIN / 2, y, "勝局 (1/0)", "Win", 8)
        _both(page, x + WIN + POINTS / 2, y, "得分 (+/-)", "Points", 8)
        _both(page, x + WIN + POINTS + TILES / 2, y, "剩牌數量", "Tiles left", 8)
    for number in range(games):
        _game(page, number + 1, games)
    _both(page, middle, tops[-1] - TOTAL / 2, "總結", "Total", 12)
    sign = tops[-1] - TOTAL
    draw(page, middle, sign - 5.6 * mm, "參賽者", 9.5, BOLD, CENTRE)
    draw(page, middle, sign - 9.8 * mm, "確認成績簽署", 9.5, BOLD, CENTRE)
    _english(page, middle, sign - 13.4 * mm, "Entrant's signature", CENTRE)


def _both(page: Canvas, x: float, y: float, zh: str, en: str, size: float) -> None:
    """Chinese over small English, about the point."""
    draw(page, x, y + 0.6, zh, size, BOLD, CENTRE)
    _english(page, x, y - 8, en, CENTRE)


def _game(page: Canvas, number: int, games: int) -> None:
    """第N局, who began, and a box to tick for each way a game ends, in a block about the middle of the row."""
    top, block = block_of(number - 1, games)
    if block < FULL_ROW:
        draw(page, LEFT_EDGE + 1 * mm, top - 10, f"第{number}局", 9, BOLD)
    else:
        draw(page, LEFT_EDGE + 7 * mm, top - 13.5, f"第{number}局", 10, BOLD, CENTRE)
        _english(page, LEFT_EDGE + 7 * mm, top - 21, f"Game {number}", CENTRE)
    page.setLineWidth(HAIR)
    x, foot, side = starter_box(top, block)
    page.rect(x, foot, side, side)
    draw(page, LEFT_EDGE + 1 * mm, foot + side * 0.55, "開始者", 6)
    _english(page, LEFT_EDGE + 1 * mm, foot + side * 0.1, "Starter", size=5)
    size = min(6.5, block / len(ENDS) * 0.72)
    for place, (zh, en) in enumerate(ENDS):
        x, y, box = end_box(top, block, place)
        page.rect(x, y, box, box)
        x = LEFT_EDGE + 18 * mm
        draw(page, x, y + 0.8, zh, size)
        _english(page, x + width(zh, size) + 2, y + 0.8, en, size=5)


def block_of(number: int, games: int) -> tuple[float, float]:
    """The top and the height of what stands in a game's first cell, the first game 0."""
    height = GAMES / games
    block = min(height, FULL_ROW)
    return row_tops(games)[number] - (height - block) / 2, block


def starter_box(top: float, block: float) -> tuple[float, float, float]:
    """Where the letter of who began goes: left, foot, side."""
    return LEFT_EDGE + 8.8 * mm, top - block + block * 0.06, min(4.4 * mm, block * 0.36)


def end_box(top: float, block: float, place: int) -> tuple[float, float, float]:
    """The box to tick for a way that a game ends, in the order of ENDS: left, foot, side."""
    line = block / len(ENDS)
    box = min(2.7 * mm, line * 0.78)
    return LEFT_EDGE + 14.2 * mm, top - line * (place + 1) + (line - box) / 2, box


def _remarks(page: Canvas) -> None:
    y = TABLE_BOTTOM - 7 * mm
    draw(page, LEFT_EDGE, y, "備註:", 10, BOLD)
    _english(page, LEFT_EDGE + 11 * mm, y, "Remarks")
    for zh, en in REMARKS:
        y -= 6 * mm
        page.circle(LEFT_EDGE + 1.2 * mm, y + 3, 0.9, stroke=0, fill=1)
        draw(page, LEFT_EDGE + 3.5 * mm, y, zh, 9)
        y -= 3.6 * mm
        _english(page, LEFT_EDGE + 3.5 * mm, y, en)


def _notes(page: Canvas) -> None:
    """Where the referee writes what the table cannot say: an unopened rack, a ruling, a pause."""
    top = TABLE_BOTTOM - 7 * mm
    draw(page, NOTES_X, top, "評審員記錄:", 10, BOLD)
    _english(page, NOTES_X + 21 * mm, top, "Referee's notes (ice not broken, rack pushed over, left, pause)")
    page.setLineWidth(HAIR)
    page.setDash(0.8, 1.6)
    for number in range(1, 5):
        y = top - number * 8.2 * mm
        page.line(NOTES_X, y, NOTES_X + NOTES_WIDTH, y)
    page.setDash()


def _stamp(page: Canvas) -> None:
    x = RIGHT_EDGE - STAMP
    page.setLineWidth(THIN)
    page.rect(x, STAMP_Y, STAMP, STAMP)
    draw(page, x + STAMP / 2, STAMP_Y + STAMP + 5.2 * mm, "大會蓋印方可作實", 10.5, BOLD, CENTRE)
    _english(page, x + STAMP / 2, STAMP_Y + STAMP + 1.8 * mm, "Official only with the stamp", CENTRE)
