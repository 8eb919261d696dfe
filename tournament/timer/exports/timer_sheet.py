"""How to use the turn timer, as one page of A4: what the page does, and what the rules say of a turn's time."""

import io
from dataclasses import dataclass
from functools import lru_cache

from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, WEIGHT_BOLD
from tournament.publication.exports import rules_drawing as drawing

PAGE_WIDTH, PAGE_HEIGHT = A4
EDGE = 18 * mm
TILE_HEIGHT, RING_RADIUS, CODE_SIDE = 30 * mm, 25 * mm, 34 * mm
STEP_INDENT, STEP_GAP = 13 * mm, 6 * mm
STEP_SIZE, HEAD_SIZE, TITLE_SIZE = 14.0, 15.0, 24.0
HEADING_HEIGHT = 2 * RING_RADIUS + 8 * mm

STEPS = (
    (
        _("Your turn"),
        _("Take the timer from the player before you and press the joker straight away: the time begins."),
    ),
    (
        _("Done"),
        _('Say "finish" and press the joker: the time stops. Pass the timer to the next player.'),
    ),
    (
        _("The last ten seconds"),
        _("The page turns orange and sounds. Leave valid sets on the table, or draw a tile."),
    ),
    (_("Out of time"), _("The page turns red and counts on.")),
    (
        _("Pressed by mistake"),
        _("Undo takes a press back. Was in time: the turn ended before the red, though the joker was not pressed."),
    ),
    (
        _("Toilet break"),
        _(
            "Raise your hand. If the referee agrees, press Pause: what is left of the turn stays. Press the joker to "
            "go on."
        ),
    ),
    (
        _("Before play"),
        _(
            "Open the page while there is network, and leave the screen on in the settings of the phone if the page "
            "asks for it. Settings has the seats, the seconds and the sounds."
        ),
    ),
)
OUT_OF_TIME_STEP = 3


@dataclass(frozen=True, slots=True)
class TimerSheet:
    """What is printed in one language: `name` of the event (empty: none), `seconds` of a turn (None: no limit), what
    the rules say of overtime (empty: nothing), and the page's address (empty: not known)."""

    language: str
    name: str
    seconds: int | None
    cost: str
    url: str


@lru_cache(maxsize=64)
def timer_sheet_pdf(sheet: TimerSheet) -> bytes:
    """The page; the same sheet gives the same bytes."""
    file = io.BytesIO()
    with translation.override(sheet.language):
        title = gettext("How to use the turn timer")
        page = pdf_fonts.make_pdf_canvas(file, A4, title=": ".join(filter(None, (title, sheet.name))))
        _draw_heading(page, sheet, title)
        top = PAGE_HEIGHT - EDGE - HEADING_HEIGHT
        for number, (head, text) in enumerate(STEPS):
            said = [str(text), *([sheet.cost] if number == OUT_OF_TIME_STEP else [])]
            top = _draw_step(page, top, number + 1, str(head), said)
        page.showPage()
    page.save()
    return file.getvalue()


def _draw_heading(page: Canvas, sheet: TimerSheet, title: str) -> None:
    """The joker in its ring, the title, and the code of the page's address."""
    x, y = EDGE + RING_RADIUS, PAGE_HEIGHT - EDGE - RING_RADIUS
    page.setStrokeColor(drawing.INK)
    page.setLineWidth(2.2 * mm)
    page.circle(x, y, RING_RADIUS - 1.1 * mm, stroke=1, fill=0)
    drawing.draw_tile(page, x - TILE_HEIGHT * drawing.TILE_WIDTH_RATIO / 2, y - TILE_HEIGHT / 2, TILE_HEIGHT, "J")
    page.setFillColor(drawing.INK)
    left = EDGE + 2 * RING_RADIUS + 7 * mm
    width = PAGE_WIDTH - EDGE - left - (CODE_SIDE if sheet.url else 0)
    fitted = pdf_text.fit_text(title, width, 20 * mm, TITLE_SIZE, 18, WEIGHT_BOLD)
    top = PAGE_HEIGHT - EDGE
    pdf_text.draw_fitted_text(page, left, top, 20 * mm, fitted, WEIGHT_BOLD)
    top -= 21 * mm
    if sheet.name:
        name = pdf_text.fit_text(sheet.name, width, 12 * mm, 13, 10)
        pdf_text.draw_fitted_text(page, left, top, 12 * mm, name)
    pdf_fonts.draw_text_line(
        page, left, PAGE_HEIGHT - EDGE - 44 * mm, limit_said(sheet.seconds), HEAD_SIZE, WEIGHT_BOLD
    )
    if sheet.url:
        pdf_qr.draw_qr_code(page, PAGE_WIDTH - EDGE - CODE_SIDE, PAGE_HEIGHT - EDGE - CODE_SIDE, CODE_SIDE, sheet.url)


def limit_said(seconds: int | None) -> str:
    """How long a turn may take, in the language of the moment."""
    if seconds is None:
        return gettext("No time limit by the rules: choose the seconds")
    return gettext("%(seconds)s seconds a turn") % {"seconds": seconds}


def _draw_step(page: Canvas, top: float, number: int, head: str, said: list[str]) -> float:
    """A numbered step from its top on; where the next one begins."""
    width = PAGE_WIDTH - 2 * EDGE - STEP_INDENT
    page.setFillColor(drawing.INK)
    page.circle(EDGE + 4 * mm, top - 4 * mm, 4 * mm, stroke=0, fill=1)
    page.setFillColor(drawing.PAPER)
    pdf_fonts.draw_text_line(page, EDGE + 4 * mm, top - 5.7 * mm, str(number), HEAD_SIZE, WEIGHT_BOLD, ALIGN_CENTRE)
    page.setFillColor(drawing.INK)
    pdf_fonts.draw_text_line(page, EDGE + STEP_INDENT, top - 5.4 * mm, head, HEAD_SIZE, WEIGHT_BOLD)
    baseline = top - 12 * mm
    for text in said:
        for line in pdf_text.wrap_text(text, width, STEP_SIZE):
            pdf_fonts.draw_text_line(page, EDGE + STEP_INDENT, baseline, line, STEP_SIZE)
            baseline -= STEP_SIZE * pdf_text.FITTED_TEXT_LEADING
    return baseline + STEP_SIZE - STEP_GAP
