"""Tiles and marks on paper, as the pages draw them: the form of the circle tells the colour in grey as well."""

from collections.abc import Sequence

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from tournament.core.exports import pdf_fonts
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, WEIGHT_BOLD
from tournament.core.tile_faces import DASHED, FACE_WIDTH, JOKER_FACES, KNOCKED, OVER, SOLID, FaceShape, Segment

TILE_WIDTH_RATIO, TILE_GAP_RATIO = 0.74, 0.06
INK, RED, PAPER = HexColor("#1f1c17"), HexColor("#ab1f18"), HexColor("#ffffff")
IVORY, RIM = HexColor("#fdf8ea"), HexColor("#a89a76")
NUMERAL_INK = {
    "R": HexColor("#c3221c"),
    "B": HexColor("#1a55b0"),
    "K": INK,
    "O": HexColor("#b34e00"),
}
MARK_COLOURS: dict[str, tuple[Color, Color]] = {"done": (INK, PAPER), "stop": (RED, PAPER), "wait": (PAPER, INK)}
"""The ground of a mark and its word."""
MARK_PADDING = 0.35


def set_width(tiles: Sequence[str], height: float) -> float:
    """How wide tiles of this height lie side by side, in points."""
    return len(tiles) * height * TILE_WIDTH_RATIO + max(0, len(tiles) - 1) * height * TILE_GAP_RATIO


def draw_set(page: Canvas, x: float, bottom: float, height: float, tiles: Sequence[str]) -> None:
    """Tiles side by side from x on."""
    for name in tiles:
        draw_tile(page, x, bottom, height, name)
        x += height * (TILE_WIDTH_RATIO + TILE_GAP_RATIO)


def draw_tile(page: Canvas, x: float, bottom: float, height: float, name: str) -> None:
    """One tile with its lower left corner at (x, bottom)."""
    width = height * TILE_WIDTH_RATIO
    page.setFillColor(IVORY)
    page.setStrokeColor(RIM)
    page.setLineWidth(height * 0.03)
    page.roundRect(x, bottom, width, height, height * 0.12, stroke=1, fill=1)
    if name in JOKER_FACES:
        _draw_face(page, x, bottom, height, name)
        return
    ink = NUMERAL_INK[name[0]]
    page.setFillColor(ink)
    pdf_fonts.draw_text_line(
        page, x + width / 2, bottom + height * 0.44, name[1:], height * 0.47, WEIGHT_BOLD, ALIGN_CENTRE
    )
    _draw_circle(page, x + width / 2, bottom + height * 0.22, height * 0.1, name[0], ink)


def _draw_circle(page: Canvas, x: float, y: float, radius: float, colour: str, ink: Color) -> None:
    """Red a full disc, blue a ring, black a ring with a dot, orange half a disc."""
    page.setStrokeColor(ink)
    page.setFillColor(ink)
    page.setLineWidth(radius * 0.4)
    page.circle(x, y, radius, stroke=1, fill=1 if colour == "R" else 0)
    if colour == "K":
        page.circle(x, y, radius * 0.35, stroke=0, fill=1)
    if colour == "O":
        page.wedge(x - radius, y - radius, x + radius, y + radius, 90, 180, stroke=0, fill=1)


def _draw_face(page: Canvas, x: float, bottom: float, height: float, name: str) -> None:
    face = JOKER_FACES[name]
    scale = height * TILE_WIDTH_RATIO * 0.78 / FACE_WIDTH
    page.saveState()
    page.translate(x + height * TILE_WIDTH_RATIO * 0.11, bottom + (height + face.height * scale) / 2)
    page.scale(scale, -scale)
    page.setLineWidth(1.9)
    page.setLineCap(1)
    for shape in face.shapes:
        _draw_shape(page, shape)
    page.restoreState()


def _draw_shape(page: Canvas, shape: FaceShape) -> None:
    page.setStrokeColor(IVORY if shape.style == KNOCKED else INK)
    page.setFillColor(IVORY if shape.style == OVER else INK)
    page.setDash(*([2.6, 2.6], 0) if shape.style == DASHED else ([], 0))
    path = page.beginPath()
    for segment in shape.path:
        _add_segment(path, segment)
    page.drawPath(path, stroke=0 if shape.style == SOLID else 1, fill=1 if shape.style in (SOLID, OVER) else 0)


def _add_segment(path: PDFPathObject, segment: Segment) -> None:
    letter, points = segment
    if letter == "M":
        path.moveTo(*points)
    elif letter == "L":
        path.lineTo(*points)
    elif letter == "C":
        path.curveTo(*points)
    else:
        path.close()


def mark_width(word: str, size: float) -> float:
    """How wide a mark with this word is."""
    return pdf_fonts.text_width_in_points(word, size, WEIGHT_BOLD) + 2 * MARK_PADDING * size


def draw_mark(page: Canvas, x: float, baseline: float, size: float, mark: str, word: str) -> None:
    """A verdict: its word on a ground, as the badge of the pages."""
    ground, ink = MARK_COLOURS[mark]
    page.setFillColor(ground)
    page.setStrokeColor(INK if mark == "wait" else ground)
    page.setLineWidth(0.6)
    page.roundRect(x, baseline - size * 0.3, mark_width(word, size), size * 1.3, size * 0.4, stroke=1, fill=1)
    page.setFillColor(ink)
    pdf_fonts.draw_text_line(page, x + MARK_PADDING * size, baseline, word, size, WEIGHT_BOLD)
    page.setFillColor(INK)
