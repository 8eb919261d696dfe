"""The rules as a leaflet: two sides of A4, folded once across the middle. Outside: back | front; inside: left | right.

The text is as large as lets all of it stand on the four pages. Where not even the smallest does, the rest goes on on
further sheets: nothing is left out.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_fonts, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, WEIGHT_BOLD
from tournament.publication.exports import rules_drawing as drawing
from tournament.publication.exports.public_pages import CHINESE_CODE
from tournament.publication.exports.public_rules import ShownSection, StageRules, shown_stages
from tournament.publication.exports.rules_blocks import Block, Measure, heading_block, section_blocks, text_block

SHEET_WIDTH, SHEET_HEIGHT = landscape(A4)
PANEL_WIDTH, PANEL_MARGIN, PANEL_FOOT = SHEET_WIDTH / 2, 9 * mm, 9 * mm
COLUMN_WIDTH, COLUMN_HEIGHT = PANEL_WIDTH - 2 * PANEL_MARGIN, SHEET_HEIGHT - PANEL_MARGIN - PANEL_FOOT - 3 * mm
COVER_HEIGHT, COVER_TILE = 42 * mm, 13 * mm
COVER_TILES = ("R10", "B10", "J", "O10")
TEXT_SIZES = tuple(quarter / 4 for quarter in range(20, 57))
NOTE_SIZE = 7.0
PANELS_OF_LEAFLET = 4
# The panels in the order in which a sheet's sides have them, left then right: the reader's 1 is the front.
FOLDED_PANELS = ((3, 0), (1, 2))


@dataclass(frozen=True, slots=True)
class Leaflet:
    """The event's names in Chinese and English, its stages' rules, and the address of the page (empty: not known)."""

    names: tuple[str, str]
    stages: tuple[StageRules, ...]
    url: str = ""


@dataclass(frozen=True, slots=True)
class LeafletText:
    """What is printed in one language: the same text gives the same bytes."""

    name: str
    sections: tuple[ShownSection, ...]
    later: tuple[tuple[str, tuple[ShownSection, ...]], ...]
    url: str
    language: str


def leaflet_text(leaflet: Leaflet, language: str) -> LeafletText:
    """The leaflet's words in a language."""
    chinese, english = leaflet.names
    own, other = (chinese, english) if language == CHINESE_CODE else (english, chinese)
    with translation.override(language):
        first, later = shown_stages(leaflet.stages, language)
    return LeafletText(
        own or other, first, tuple((title, sections) for _stage, title, sections in later), leaflet.url, language
    )


def rules_leaflet_pdf(text: LeafletText) -> bytes:
    """The sheets, ready to print on both sides about the short edge and to be folded once."""
    file = io.BytesIO()
    with translation.override(text.language):
        page = pdf_fonts.make_pdf_canvas(
            file, (SHEET_WIDTH, SHEET_HEIGHT), title=f"{gettext('Rules of play')}: {text.name}"
        )
        panels = filled_panels(text)
        for left, right in panel_pairs(len(panels)):
            for side, number in enumerate((left, right)):
                if number < len(panels):
                    _draw_panel(page, side * PANEL_WIDTH, panels[number], number, text)
            page.showPage()
    page.save()
    return file.getvalue()


def panel_pairs(panels: int) -> Iterator[tuple[int, int]]:
    """Which panels a side has; beyond the four that are folded, one after the other."""
    yield from FOLDED_PANELS
    yield from ((number, number + 1) for number in range(PANELS_OF_LEAFLET, panels, 2))


def filled_panels(text: LeafletText) -> list[list[Block]]:
    """The blocks by panel, at the largest size at which four are enough; at the smallest where none is."""
    fits, too_large = 0, len(TEXT_SIZES)
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        if len(_fill(leaflet_blocks(text, Measure(TEXT_SIZES[middle], COLUMN_WIDTH)))) <= PANELS_OF_LEAFLET:
            fits = middle
        else:
            too_large = middle
    return _fill(leaflet_blocks(text, Measure(TEXT_SIZES[fits], COLUMN_WIDTH)))


def leaflet_blocks(text: LeafletText, measure: Measure) -> list[Block]:
    """Everything that is said, in the order of reading."""
    blocks = [block for section in text.sections for block in section_blocks(section, measure)]
    for title, sections in text.later:
        said = gettext("In this stage these sections are different; the rest is as above.")
        blocks += [heading_block(title, measure, 1.6), text_block(said, measure)]
        blocks += [block for section in sections for block in section_blocks(section, measure)]
    return blocks


def _fill(blocks: Sequence[Block]) -> list[list[Block]]:
    """From panel to panel; a heading goes on with what follows it."""
    panels: list[list[Block]] = [[]]
    left = COLUMN_HEIGHT - COVER_HEIGHT
    place = 0
    while place < len(blocks):
        end = place + 1
        while end < len(blocks) and blocks[end - 1].with_next:
            end += 1
        height = sum(block.height for block in blocks[place:end])
        if height > left and (panels[-1] or len(panels) == 1):
            panels.append([])
            left = COLUMN_HEIGHT
        panels[-1] += blocks[place:end]
        left -= height
        place = end
    return panels


def _draw_panel(page: Canvas, edge: float, blocks: Sequence[Block], number: int, text: LeafletText) -> None:
    x, top = edge + PANEL_MARGIN, SHEET_HEIGHT - PANEL_MARGIN
    if number == 0:
        _draw_cover(page, x, top, text.name)
        top -= COVER_HEIGHT
    for block in blocks:
        page.setFillColor(drawing.INK)
        block.draw(page, x, top)
        top -= block.height
    page.setFillGray(0.35)
    foot = [str(number + 1), *([text.url] if text.url and number == PANELS_OF_LEAFLET - 1 else [])]
    pdf_fonts.draw_text_line(
        page,
        edge + PANEL_WIDTH / 2,
        PANEL_FOOT * 0.6,
        "  ".join(foot),
        NOTE_SIZE,
        pdf_fonts.WEIGHT_REGULAR,
        ALIGN_CENTRE,
    )


def _draw_cover(page: Canvas, x: float, top: float, name: str) -> None:
    """Tiles, the event's name, and what this is."""
    drawing.draw_set(page, x, top - COVER_TILE, COVER_TILE, COVER_TILES)
    page.setFillColor(drawing.INK)
    fitted = pdf_text.fit_text(name, COLUMN_WIDTH, 12 * mm, 13, 11)
    pdf_text.draw_fitted_text(page, x, top - COVER_TILE - 3 * mm, 12 * mm, fitted)
    pdf_fonts.draw_text_line(page, x, top - COVER_HEIGHT + 5 * mm, gettext("Rules of play"), 22, WEIGHT_BOLD)
