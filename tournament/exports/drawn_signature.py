"""A drawn signature as lines, never as a picture: an SVG path and the same in a PDF."""

from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from tournament.readers.strokes import HEIGHT, WIDTH

Strokes = Sequence[Sequence[Sequence[int]]]


def svg_path(strokes: Strokes) -> str:
    """The `d` of a path on a field of 1000 x 600; one point alone is a dot with round ends."""
    parts = []
    for stroke in strokes:
        places = [f"{x} {y}" for x, y, *_more in stroke]
        if places:
            parts.append(f"M{places[0]}L{' '.join(places[1:] or places)}")
    return "".join(parts)


def draw_signature(page: Canvas, strokes: Strokes, left: float, bottom: float, wide: float, high: float) -> None:
    """The signature in this box, as large as it fits, lines in points."""
    scale = min(wide / WIDTH, high / HEIGHT)
    page.saveState()
    page.translate(left + (wide - scale * WIDTH) / 2, bottom + (high - scale * HEIGHT) / 2)
    page.setLineCap(1)
    page.setLineJoin(1)
    page.setLineWidth(0.8)
    path = page.beginPath()
    for stroke in strokes:
        for place, (x, y, *_more) in enumerate(stroke):
            put = path.moveTo if place == 0 else path.lineTo
            put(x * scale, (HEIGHT - y) * scale)
        if len(stroke) == 1:
            path.lineTo(stroke[0][0] * scale, (HEIGHT - stroke[0][1]) * scale)
    page.drawPath(path)
    page.restoreState()
