"""A notice 通告 as one sheet for a door: the title readable from some metres, both languages, number, hour, the way to
the public page.

Whatever its length it stays one A4: the words get smaller first; at the smallest they go on on a second sheet.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament import moments
from tournament.enums import BannerTone
from tournament.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.exports.pdf_fonts import BOLD, REGULAR, RIGHT
from tournament.exports.public_notices import NoticeText, PublicNotice

WIDTH, HEIGHT = A4
MARGIN = 20 * mm
MEASURE = WIDTH - 2 * MARGIN
FOOT = 44 * mm
QR_SIDE = 34 * mm
TITLE, SUBTITLE, SMALL = 44.0, 22.0, 9.0
SIZES = (22.0, 20.0, 18.0, 16.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0)
# What to do is read from two metres: so much larger than the rest.
LEAD = 1.5
LEADING, BETWEEN = 1.45, 0.7
# Of the largest size: under it a title goes on two lines, broken at a pause where it has one.
SMALLEST_TITLE = 0.7
PAUSE = re.compile(r"[）：，·]|[:,] ")
GREY, HAIR, BAND = 0.35, 0.75, 5 * mm
LANGUAGES = ("zh-hant", "en")
# How dark the band at the head is: a stop is seen before it is read, in black and white too.
BANDS = {BannerTone.STOP: 0.0, BannerTone.WAIT: 0.45, BannerTone.INFO: 0.8}

Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class DoorNotice:
    """The event's names in both languages, the notice, the whole address of its page (empty: no code is drawn), and how
    the organiser is reached."""

    names: tuple[str, str]
    notice: PublicNotice
    url: str = ""
    contact: str = ""


def notice_pdf(door: DoorNotice) -> bytes:
    """The same bytes for the same notice."""
    file = io.BytesIO()
    page = pdf_fonts.canvas(file, A4, title=f"{door.names[1]}: {door.notice.english.title}")
    y = draw_head(page, door)
    draw_words(page, door, y)
    page.showPage()
    page.save()
    return file.getvalue()


def texts_of(notice: PublicNotice) -> tuple[NoticeText, NoticeText]:
    """Chinese, then English: a sheet on a door has one order."""
    return notice.chinese, notice.english


def draw_head(page: Canvas, door: DoorNotice) -> float:
    """Band, event, number and hour, both titles; answers where the words begin."""
    notice = door.notice
    page.setFillGray(BANDS[notice.tone])
    page.rect(0, HEIGHT - BAND, WIDTH, BAND, stroke=0, fill=1)
    y = HEIGHT - BAND - 9 * mm
    page.setFillGray(GREY)
    stamp = stamp_of(notice)
    room = MEASURE - max(pdf_fonts.width(line, SMALL) for line in stamp) - 8 * mm
    for name, said in zip(door.names, stamp, strict=True):
        fitted = pdf_text.fit(name, room, 14, 11, 7)
        pdf_text.draw(page, MARGIN, y + 10, 14, fitted)
        pdf_fonts.draw(page, WIDTH - MARGIN, y, said, SMALL, REGULAR, RIGHT)
        y -= 14
    page.setFillGray(0)
    y -= 2 * mm
    for text, largest in zip(texts_of(notice), (TITLE, SUBTITLE), strict=True):
        for part in title_parts(text.title, largest):
            fitted = pdf_text.fit(part, MEASURE, largest * 2.6, largest, largest * SMALLEST_TITLE, BOLD)
            pdf_text.draw(page, MARGIN, y, fitted.height, fitted, BOLD)
            y -= fitted.height
        y -= 2 * mm
    if notice.corrects:
        for language in LANGUAGES:
            with translation.override(language):
                said = gettext("This corrects notice %(n)s.") % {"n": notice.corrects}
            y -= 12
            pdf_fonts.draw(page, MARGIN, y, said, 11, BOLD)
        y -= 2 * mm
    page.setLineWidth(HAIR)
    y -= 2 * mm
    page.line(MARGIN, y, WIDTH - MARGIN, y)
    return y - 3 * mm


def title_parts(title: str, largest: float) -> tuple[str, ...]:
    """A title that is too long for one large line in two: after the day, before the signal, wherever is nearer to its
    middle."""
    if pdf_fonts.width(title, largest * SMALLEST_TITLE, BOLD) <= MEASURE:
        return (title,)
    breaks = [found.end() for found in PAUSE.finditer(title) if 0 < found.end() < len(title)]
    if not breaks:
        return (title,)
    at = min(breaks, key=lambda place: abs(place - len(title) / 2))
    return title[:at].strip(), title[at:].strip()


def stamp_of(notice: PublicNotice) -> list[str]:
    """通告 3·3 月 28 日 09:40, in both languages; a draft says that it is one."""
    said = []
    for language in LANGUAGES:
        with translation.override(language):
            if notice.number and notice.published_at:
                number = gettext("Notice %(n)s") % {"n": notice.number}
                said.append(f"{number}·{moments.datetime_text(notice.published_at)}")
            else:
                said.append(gettext("Notice, not published yet"))
    return said


def draw_words(page: Canvas, door: DoorNotice, top: float) -> None:
    """Both texts at the largest size at which they fit above the foot; if none does, on as many sheets as they take."""
    for size in SIZES:
        lines = lines_of(door.notice, size)
        if height_of(lines, size) <= top - FOOT:
            break
    y = top
    for text, weight in lines:
        step = step_of((text, weight), size)
        if y - step < FOOT:
            draw_foot(page, door)
            page.showPage()
            y = HEIGHT - MARGIN
        y -= step
        if text:
            pdf_fonts.draw(page, MARGIN, y, text, size_of(weight, size), weight)
    draw_foot(page, door)


def lines_of(notice: PublicNotice, size: float) -> list[Line]:
    """Both texts on lines of the measure; an empty line between paragraphs, two between the languages."""
    lines: list[Line] = []
    for text in texts_of(notice):
        for place, paragraph in enumerate(text.paragraphs):
            weight = BOLD if place == 0 else REGULAR
            for line in paragraph:
                lines += [(part, weight) for part in pdf_text.wrap(line, MEASURE, size_of(weight, size), weight)]
            lines.append(("", REGULAR))
        lines.append(("", REGULAR))
    while lines and not lines[-1][0]:
        lines.pop()
    return lines


def contact_lines(contact: str, room: float) -> list[str]:
    """聯絡 Contact: 2345 6789, on two lines at most; nothing where there is none."""
    return list(pdf_text.wrap(f"聯絡 Contact: {contact}", room, SMALL + 1, BOLD))[:2] if contact else []


def height_of(lines: Sequence[Line], size: float) -> float:
    """What the lines take, in points."""
    return sum(step_of(line, size) for line in lines)


def size_of(weight: str, size: float) -> float:
    """The first paragraph, which is bold, is the one that says what to do."""
    return size * LEAD if weight == BOLD else size


def step_of(line: Line, size: float) -> float:
    """How far a line takes the page down; an empty one less."""
    text, weight = line
    return size_of(weight, size) * LEADING if text else size * BETWEEN


def draw_foot(page: Canvas, door: DoorNotice) -> None:
    """The code of the public page and what it is for; where the address is not known, where to look."""
    page.setLineWidth(HAIR)
    page.line(MARGIN, FOOT - 4 * mm, WIDTH - MARGIN, FOOT - 4 * mm)
    x = MARGIN
    if door.url:
        pdf_qr.draw(page, MARGIN - 3 * mm, FOOT - 4 * mm - QR_SIDE, QR_SIDE, door.url)
        x += QR_SIDE
    y = FOOT - 13 * mm
    for language in LANGUAGES:
        with translation.override(language):
            said = gettext(_("The newest word is on the event's page. A later notice replaces this."))
        for line in pdf_text.wrap(said, WIDTH - MARGIN - x, 11, BOLD):
            pdf_fonts.draw(page, x, y, line, 11, BOLD)
            y -= 15
    for line in contact_lines(door.contact, WIDTH - MARGIN - x):
        pdf_fonts.draw(page, x, y, line, SMALL + 1, BOLD)
        y -= (SMALL + 1) * LEADING
    page.setFillGray(GREY)
    if door.url:
        for line in pdf_text.wrap(door.url, WIDTH - MARGIN - x, SMALL):
            pdf_fonts.draw(page, x, y, line, SMALL)
            y -= SMALL * LEADING
    page.setFillGray(0)
