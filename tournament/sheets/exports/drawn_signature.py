"""A drawn signature as lines, never as a picture: an SVG path and the same in a PDF."""

from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from tournament.entrants.readers.strokes import STROKE_FIELD_HEIGHT, STROKE_FIELD_WIDTH

MAX_SIGNATURE_SCALE = 2
StrokePoints = Sequence[Sequence[Sequence[int]]]


def strokes_svg_path(strokes: StrokePoints) -> str:
    """The `d` of a path on a field of 1000 x 600; one point alone is a dot with round ends."""
    parts = []
    for stroke in strokes:
        places = [f"{x} {y}" for x, y, *_more in stroke]
        if places:
            parts.append(f"M{places[0]}L{' '.join(places[1:] or places)}")
    return "".join(parts)


def draw_signature(page: Canvas, strokes: StrokePoints, left: float, bottom: float, wide: float, high: float) -> None:
    """The signature in the middle of this box, lines in points: as large as it fits, at most as if it had been drawn
    on a field of half the size."""
    xs, ys = ([point[axis] for stroke in strokes for point in stroke] for axis in (0, 1))
    low_x, high_x, low_y, high_y = min(xs), max(xs), min(ys), max(ys)
    most = MAX_SIGNATURE_SCALE * min(wide / STROKE_FIELD_WIDTH, high / STROKE_FIELD_HEIGHT)
    scale = min(most, wide / max(high_x - low_x, 1), high / max(high_y - low_y, 1))
    page.saveState()
    page.translate(left + wide / 2, bottom + high / 2)
    page.setLineCap(1)
    page.setLineJoin(1)
    page.setLineWidth(0.8)
    path = page.beginPath()

    def placed(x: int, y: int) -> tuple[float, float]:
        return (x - (low_x + high_x) / 2) * scale, ((low_y + high_y) / 2 - y) * scale

    for stroke in strokes:
        for place, (x, y, *_more) in enumerate(stroke):
            put = path.moveTo if place == 0 else path.lineTo
            put(*placed(x, y))
        if len(stroke) == 1:
            path.lineTo(*placed(stroke[0][0], stroke[0][1]))
    page.drawPath(path)
    page.restoreState()
