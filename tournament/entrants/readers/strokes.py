"""A signature as it was drawn: strokes of points, read strictly and looked at, whether they are one (D5, V8, V9).

Strokes are [[[x, y, t, p], ...], ...]: whole numbers on a field of 1000 x 600, milliseconds from the first point,
pressure 0 to 255. The page judges by the same rule; tests/data/strokes.json holds both to it.
"""

import json
import math
from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext_noop as _

from tournament.core.errors import BadInput, TooLarge

StrokePoint = tuple[int, int, int, int]
SignatureStrokes = list[list[StrokePoint]]

STROKE_FIELD_WIDTH, STROKE_FIELD_HEIGHT = 1000, 600
STROKE_POINT_LIMITS = (STROKE_FIELD_WIDTH, STROKE_FIELD_HEIGHT, 3_600_000, 255)
MIN_STROKE_POINTS, MAX_STROKE_POINTS = 20, 4000
MAX_SIGNATURE_BYTES = 64 * 1024
MIN_SIGNATURE_WIDTH, MIN_SIGNATURE_HEIGHT = 80, 40
MIN_SIGNATURE_LENGTH = 200
STRAIGHT_LINE_TOLERANCE = 8

SIGNATURE_NOT_READABLE = _("What was sent is no drawn signature.")
SIGNATURE_TOO_SMALL = _(
    "This is no signature yet: a dot, a line or a blank field does not count. Please sign again, larger."
)
SIGNATURE_TOO_LARGE = _("The signature has too many points. Please sign again.")


def read_strokes(data: object) -> SignatureStrokes:
    """The strokes, if they are a signature.

    Raises BadInput `strokes_not_readable` or `signature_too_small` (400), TooLarge `signature_too_large` (413).
    """
    if not isinstance(data, list) or not all(isinstance(stroke, list) for stroke in data):
        raise BadInput("strokes_not_readable", SIGNATURE_NOT_READABLE)
    if sum(len(stroke) for stroke in data) > MAX_STROKE_POINTS or len(data) > MAX_STROKE_POINTS:
        raise TooLarge("signature_too_large", SIGNATURE_TOO_LARGE)
    strokes = [[_read_stroke_point(point) for point in stroke] for stroke in data]
    if len(strokes_as_json(strokes)) > MAX_SIGNATURE_BYTES:
        raise TooLarge("signature_too_large", SIGNATURE_TOO_LARGE)
    if not is_signature(strokes):
        raise BadInput("signature_too_small", SIGNATURE_TOO_SMALL)
    return strokes


def _read_stroke_point(data: object) -> StrokePoint:
    if not isinstance(data, list) or len(data) != len(STROKE_POINT_LIMITS):
        raise BadInput("strokes_not_readable", SIGNATURE_NOT_READABLE)
    if any(
        type(part) is not int or not 0 <= part <= most for part, most in zip(data, STROKE_POINT_LIMITS, strict=True)
    ):
        raise BadInput("strokes_not_readable", SIGNATURE_NOT_READABLE)
    x, y, t, p = data
    return (x, y, t, p)


def strokes_as_json(strokes: Sequence[Sequence[Sequence[int]]]) -> str:
    """Canonical JSON: what is enciphered and what the digest is over."""
    return json.dumps(strokes, separators=(",", ":"))


def is_signature(strokes: SignatureStrokes) -> bool:
    """Whether readable strokes are more than a dot or a straight line (V8)."""
    places = [(x, y) for stroke in strokes for x, y, _t, _p in stroke]
    if len(places) < MIN_STROKE_POINTS:
        return False
    wide = max(x for x, _y in places) - min(x for x, _y in places)
    high = max(y for _x, y in places) - min(y for _x, y in places)
    return (
        wide >= MIN_SIGNATURE_WIDTH
        and high >= MIN_SIGNATURE_HEIGHT
        and stroke_length(strokes) >= MIN_SIGNATURE_LENGTH
        and not is_straight_line(places)
    )


def stroke_length(strokes: SignatureStrokes) -> float:
    """The way of the finger while it touched."""
    way = 0.0
    for stroke in strokes:
        for one, other in pairwise(stroke):
            way += math.sqrt((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2)
    return way


def is_straight_line(places: Sequence[tuple[int, int]]) -> bool:
    """Whether one straight line runs within STRAIGHT_LINE_TOLERANCE units of every place: their hull is at most twice
    as thick.
    """
    corners = convex_hull(places)
    edges = list(zip(corners, [*corners[1:], *corners[:1]], strict=True))
    return any(
        max(abs(cross_product(a, b, place)) for place in corners) ** 2
        <= (2 * STRAIGHT_LINE_TOLERANCE) ** 2 * squared_distance(a, b)
        for a, b in edges
    )


def cross_product(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    """Twice the area of the triangle: above nought where c is to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def squared_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The square of the distance."""
    return (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2


def convex_hull(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The corners of the places' convex hull, in their order around it."""
    ordered = sorted(set(places))
    if len(ordered) < 3:
        return ordered
    return [*_half_hull(ordered)[:-1], *_half_hull(ordered[::-1])[:-1]]


def _half_hull(ordered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    side: list[tuple[int, int]] = []
    for place in ordered:
        while len(side) > 1 and cross_product(side[-2], side[-1], place) <= 0:
            side.pop()
        side.append(place)
    return side
