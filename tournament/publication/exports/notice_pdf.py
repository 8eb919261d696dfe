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

from tournament.core import dateformat
from tournament.core.enums import BannerTone
from tournament.core.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_RIGHT, WEIGHT_BOLD, WEIGHT_REGULAR
from tournament.publication.exports.public_notices import NoticeText, PublicNotice

NOTICE_WIDTH, NOTICE_HEIGHT = A4
NOTICE_MARGIN = 20 * mm
NOTICE_TEXT_WIDTH = NOTICE_WIDTH - 2 * NOTICE_MARGIN
NOTICE_FOOT_HEIGHT = 44 * mm
NOTICE_QR_SIDE = 34 * mm
NOTICE_TITLE_SIZE, NOTICE_SUBTITLE_SIZE, NOTICE_SMALL_SIZE = 44.0, 22.0, 9.0
NOTICE_TEXT_SIZES = (22.0, 20.0, 18.0, 16.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0)
# What to do is read from two metres: so much larger than the rest.
NOTICE_LEAD_SCALE = 1.5
NOTICE_LEADING, NOTICE_PARAGRAPH_GAP = 1.45, 0.7
# Of the largest size: under it a title goes on two lines, broken at a pause where it has one.
SMALLEST_TITLE = 0.7
TITLE_BREAK_PATTERN = re.compile(r"[）：，·]|[:,] ")
NOTICE_GREY, NOTICE_HAIRLINE, NOTICE_BAND_HEIGHT = 0.35, 0.75, 5 * mm
NOTICE_PDF_LANGUAGES = ("zh-hant", "en")
# How dark the band at the head is: a stop is seen before it is read, in black and white too.
BAND_GREY_OF_TONE = {BannerTone.STOP: 0.0, BannerTone.WAIT: 0.45, BannerTone.INFO: 0.8}

NoticeTextLine = tuple[str, str]


@dataclass(frozen=True, slots=True)
class DoorNotice:
    """The event's names in both languages, the notice, the whole address of its page (empty: no code is drawn), and how
    the organiser is reached."""

    names: tuple[str, str]
    notice: PublicNotice
    url: str = ""
    contact: str = ""


def door_notice_pdf(door: DoorNotice) -> bytes:
    """The same bytes for the same notice."""
    file = io.BytesIO()
    page = pdf_fonts.make_pdf_canvas(file, A4, title=f"{door.names[1]}: {door.notice.english.title}")
    y = draw_notice_head(page, door)
    draw_notice_texts(page, door, y)
    page.showPage()
    page.save()
    return file.getvalue()


def notice_texts_in_order(notice: PublicNotice) -> tuple[NoticeText, NoticeText]:
    """Chinese, then English: a sheet on a door has one order."""
    return notice.chinese, notice.english


def draw_notice_head(page: Canvas, door: DoorNotice) -> float:
    """Band, event, number and hour, both titles; answers where the words begin."""
    notice = door.notice
    page.setFillGray(BAND_GREY_OF_TONE[notice.tone])
    page.rect(0, NOTICE_HEIGHT - NOTICE_BAND_HEIGHT, NOTICE_WIDTH, NOTICE_BAND_HEIGHT, stroke=0, fill=1)
    y = NOTICE_HEIGHT - NOTICE_BAND_HEIGHT - 9 * mm
    page.setFillGray(NOTICE_GREY)
    stamp = notice_stamp_lines(notice)
    room = NOTICE_TEXT_WIDTH - max(pdf_fonts.text_width_in_points(line, NOTICE_SMALL_SIZE) for line in stamp) - 8 * mm
    for name, said in zip(door.names, stamp, strict=True):
        fitted = pdf_text.fit_text(name, room, 14, 11, 7)
        pdf_text.draw_fitted_text(page, NOTICE_MARGIN, y + 10, 14, fitted)
        pdf_fonts.draw_text_line(
            page, NOTICE_WIDTH - NOTICE_MARGIN, y, said, NOTICE_SMALL_SIZE, WEIGHT_REGULAR, ALIGN_RIGHT
        )
        y -= 14
    page.setFillGray(0)
    y -= 2 * mm
    for text, largest in zip(notice_texts_in_order(notice), (NOTICE_TITLE_SIZE, NOTICE_SUBTITLE_SIZE), strict=True):
        for part in title_parts(text.title, largest):
            fitted = pdf_text.fit_text(
                part, NOTICE_TEXT_WIDTH, largest * 2.6, largest, largest * SMALLEST_TITLE, WEIGHT_BOLD
            )
            pdf_text.draw_fitted_text(page, NOTICE_MARGIN, y, fitted.height, fitted, WEIGHT_BOLD)
            y -= fitted.height
        y -= 2 * mm
    if notice.corrects:
        for language in NOTICE_PDF_LANGUAGES:
            with translation.override(language):
                said = gettext("This corrects notice %(n)s.") % {"n": notice.corrects}
            y -= 12
            pdf_fonts.draw_text_line(page, NOTICE_MARGIN, y, said, 11, WEIGHT_BOLD)
        y -= 2 * mm
    page.setLineWidth(NOTICE_HAIRLINE)
    y -= 2 * mm
    page.line(NOTICE_MARGIN, y, NOTICE_WIDTH - NOTICE_MARGIN, y)
    return y - 3 * mm


def title_parts(title: str, largest: float) -> tuple[str, ...]:
    """A title that is too long for one large line in two: after the day, before the signal, wherever is nearer to its
    middle."""
    if pdf_fonts.text_width_in_points(title, largest * SMALLEST_TITLE, WEIGHT_BOLD) <= NOTICE_TEXT_WIDTH:
        return (title,)
    breaks = [found.end() for found in TITLE_BREAK_PATTERN.finditer(title) if 0 < found.end() < len(title)]
    if not breaks:
        return (title,)
    at = min(breaks, key=lambda place: abs(place - len(title) / 2))
    return title[:at].strip(), title[at:].strip()


def notice_stamp_lines(notice: PublicNotice) -> list[str]:
    """通告 3·3 月 28 日 09:40, in both languages; a draft says that it is one."""
    said = []
    for language in NOTICE_PDF_LANGUAGES:
        with translation.override(language):
            if notice.number and notice.published_at:
                number = gettext("Notice %(n)s") % {"n": notice.number}
                said.append(f"{number}·{dateformat.datetime_text(notice.published_at)}")
            else:
                said.append(gettext("Notice, not published yet"))
    return said


def draw_notice_texts(page: Canvas, door: DoorNotice, top: float) -> None:
    """Both texts at the largest size at which they fit above the foot; if none does, on as many sheets as they take."""
    for size in NOTICE_TEXT_SIZES:
        lines = notice_text_lines(door.notice, size)
        if notice_lines_height(lines, size) <= top - NOTICE_FOOT_HEIGHT:
            break
    y = top
    for text, weight in lines:
        step = notice_line_step((text, weight), size)
        if y - step < NOTICE_FOOT_HEIGHT:
            draw_notice_foot(page, door)
            page.showPage()
            y = NOTICE_HEIGHT - NOTICE_MARGIN
        y -= step
        if text:
            pdf_fonts.draw_text_line(page, NOTICE_MARGIN, y, text, notice_line_size(weight, size), weight)
    draw_notice_foot(page, door)


def notice_text_lines(notice: PublicNotice, size: float) -> list[NoticeTextLine]:
    """Both texts on lines of the measure; an empty line between paragraphs, two between the languages."""
    lines: list[NoticeTextLine] = []
    for text in notice_texts_in_order(notice):
        for place, paragraph in enumerate(text.paragraphs):
            weight = WEIGHT_BOLD if place == 0 else WEIGHT_REGULAR
            for line in paragraph:
                lines += [
                    (part, weight)
                    for part in pdf_text.wrap_text(line, NOTICE_TEXT_WIDTH, notice_line_size(weight, size), weight)
                ]
            lines.append(("", WEIGHT_REGULAR))
        lines.append(("", WEIGHT_REGULAR))
    while lines and not lines[-1][0]:
        lines.pop()
    return lines


def contact_lines(contact: str, room: float) -> list[str]:
    """聯絡 Contact: 2345 6789, on two lines at most; nothing where there is none."""
    return (
        list(pdf_text.wrap_text(f"聯絡 Contact: {contact}", room, NOTICE_SMALL_SIZE + 1, WEIGHT_BOLD))[:2]
        if contact
        else []
    )


def notice_lines_height(lines: Sequence[NoticeTextLine], size: float) -> float:
    """What the lines take, in points."""
    return sum(notice_line_step(line, size) for line in lines)


def notice_line_size(weight: str, size: float) -> float:
    """The first paragraph, which is bold, is the one that says what to do."""
    return size * NOTICE_LEAD_SCALE if weight == WEIGHT_BOLD else size


def notice_line_step(line: NoticeTextLine, size: float) -> float:
    """How far a line takes the page down; an empty one less."""
    text, weight = line
    return notice_line_size(weight, size) * NOTICE_LEADING if text else size * NOTICE_PARAGRAPH_GAP


def draw_notice_foot(page: Canvas, door: DoorNotice) -> None:
    """The code of the public page and what it is for; where the address is not known, where to look."""
    page.setLineWidth(NOTICE_HAIRLINE)
    page.line(NOTICE_MARGIN, NOTICE_FOOT_HEIGHT - 4 * mm, NOTICE_WIDTH - NOTICE_MARGIN, NOTICE_FOOT_HEIGHT - 4 * mm)
    x = NOTICE_MARGIN
    if door.url:
        pdf_qr.draw_qr_code(
            page, NOTICE_MARGIN - 3 * mm, NOTICE_FOOT_HEIGHT - 4 * mm - NOTICE_QR_SIDE, NOTICE_QR_SIDE, door.url
        )
        x += NOTICE_QR_SIDE
    y = NOTICE_FOOT_HEIGHT - 13 * mm
    for language in NOTICE_PDF_LANGUAGES:
        with translation.override(language):
            said = gettext(_("The newest word is on the event's page. A later notice replaces this."))
        for line in pdf_text.wrap_text(said, NOTICE_WIDTH - NOTICE_MARGIN - x, 11, WEIGHT_BOLD):
            pdf_fonts.draw_text_line(page, x, y, line, 11, WEIGHT_BOLD)
            y -= 15
    for line in contact_lines(door.contact, NOTICE_WIDTH - NOTICE_MARGIN - x):
        pdf_fonts.draw_text_line(page, x, y, line, NOTICE_SMALL_SIZE + 1, WEIGHT_BOLD)
        y -= (NOTICE_SMALL_SIZE + 1) * NOTICE_LEADING
    page.setFillGray(NOTICE_GREY)
    if door.url:
        for line in pdf_text.wrap_text(door.url, NOTICE_WIDTH - NOTICE_MARGIN - x, NOTICE_SMALL_SIZE):
            pdf_fonts.draw_text_line(page, x, y, line, NOTICE_SMALL_SIZE)
            y -= NOTICE_SMALL_SIZE * NOTICE_LEADING
    page.setFillGray(0)
