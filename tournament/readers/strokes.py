"""A signature as it was drawn: strokes of points, read strictly and looked at, whether they are one (4.5, V8, V9).

Strokes are [[[x, y, t, p], ...], ...]: whole numbers on a field of 1000 x 600, milliseconds from the first point,
pressure 0 to 255. The page judges by the same rule; tests/data/strokes.json holds both to it.
"""

import json
import math
from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, TooLarge

Point = tuple[int, int, int, int]
Strokes = list[list[Point]]

WIDTH, HEIGHT = 1000, 600
LIMITS = (WIDTH, HEIGHT, 3_600_000, 255)
FEWEST, MOST = 20, 4000
MOST_BYTES = 64 * 1024
NARROWEST, LOWEST = 80, 40
SHORTEST = 200
NEAR = 8

NOT_READABLE = _("What was sent is no drawn signature.")
TOO_SMALL = _("This is no signature yet: a dot, a line or a blank field does not count. Please sign again, larger.")
TOO_LARGE = _("The signature has too many points. Please sign again.")


def read_strokes(data: object) -> Strokes:
    """The strokes, if they are a signature.

    Raises BadInput `strokes_not_readable` or `signature_too_small` (400), TooLarge `signature_too_large` (413).
    """
    if not isinstance(data, list) or not all(isinstance(stroke, list) for stroke in data):
        raise BadInput("strokes_not_readable", NOT_READABLE)
    if sum(len(stroke) for stroke in data) > MOST or len(data) > MOST:
        raise TooLarge("signature_too_large", TOO_LARGE)
    strokes = [[_point(point) for point in stroke] for stroke in data]
    if len(as_text(strokes)) > MOST_BYTES:
        raise TooLarge("signature_too_large", TOO_LARGE)
    if not is_signature(strokes):
        raise BadInput("signature_too_small", TOO_SMALL)
    return strokes


def _point(data: object) -> Point:
    if not isinstance(data, list) or len(data) != len(LIMITS):
        raise BadInput("strokes_not_readable", NOT_READABLE)
    if any(type(part) is not int or not 0 <= part <= most for part, most in zip(data, LIMITS, strict=True)):
        raise BadInput("strokes_not_readable", NOT_READABLE)
    x, y, t, p = data
    return (x, y, t, p)


def as_text(strokes: Sequence[Sequence[Sequence[int]]]) -> str:
    """Canonical JSON: what is enciphered and what the digest is over."""
    return json.dumps(strokes, separators=(",", ":"))


def is_signature(strokes: Strokes) -> bool:
    """Whether readable strokes are more than a dot or a straight line (V8)."""
    places = [(x, y) for stroke in strokes for x, y, _t, _p in stroke]
    if len(places) < FEWEST:
        return False
    wide = max(x for x, _y in places) - min(x for x, _y in places)
    high = max(y for _x, y in places) - min(y for _x, y in places)
    return wide >= NARROWEST and high >= LOWEST and length(strokes) >= SHORTEST and not is_straight(places)


def length(strokes: Strokes) -> float:
    """The way of the finger while it touched."""
    way = 0.0
    for stroke in strokes:
        for one, other in pairwise(stroke):
            way += math.sqrt((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2)
    return way


def is_straight(places: Sequence[tuple[int, int]]) -> bool:
    """Whether one straight line runs within NEAR units of every place: their hull is at most twice as thick."""
    corners = hull(places)
    edges = list(zip(corners, [*corners[1:], *corners[:1]], strict=True))
    return any(max(abs(cross(a, b, place)) for place in corners) ** 2 <= (2 * NEAR) ** 2 * span(a, b) for a, b in edges)


def cross(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    """Twice the area of the triangle: above nought where c is to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def span(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The square of the distance."""
    return (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2


def hull(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The corners of the places' convex hull, in their order around it."""
    ordered = sorted(set(places))
    if len(ordered) < 3:
        return ordered
    return [*_half(ordered)[:-1], *_half(ordered[::-1])[:-1]]


def _half(ordered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    side: list[tuple[int, int]] = []
    for place in ordered:
        while len(side) > 1 and cross(side[-2], side[-1], place) <= 0:
            side.pop()
        side.append(place)
    return side
