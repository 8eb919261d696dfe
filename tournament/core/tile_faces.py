"""The faces of the jokers as paths, drawn once: for pages as SVG, for paper by whoever draws a PDF.

A face is 24 wide; a plain joker's is 24 high, those of Twist's kinds 34. y goes down.
"""

from collections.abc import Mapping
from typing import NamedTuple

FACE_WIDTH = 24
# How far the handles of a quarter circle's curve reach, of its radius.
_QUARTER = 0.5523

LINE, SOLID, OVER, KNOCKED, DASHED = "line", "solid", "over", "knocked", "dashed"
"""Stroked; filled with ink; filled with the ground of the tile, then stroked; stroked in the ground; in dashes."""

Segment = tuple[str, tuple[float, ...]]
# How a page's style sheet (tile.css) calls them.
SVG_CLASSES: Mapping[str, str] = {LINE: "", SOLID: "solid", OVER: "under", KNOCKED: "knock", DASHED: "dash"}


class FaceShape(NamedTuple):
    """One shape: how it is drawn, and its path by the letters M, L, C and Z of SVG, all of them absolute."""

    style: str
    path: tuple[Segment, ...]


class TileFace(NamedTuple):
    """A face and how high it is."""

    height: int
    shapes: tuple[FaceShape, ...]


def svg_paths(face: TileFace) -> list[tuple[str, str]]:
    """The paths of an SVG with their classes."""
    return [
        (
            SVG_CLASSES[shape.style],
            "".join(letter + " ".join(f"{one:g}" for one in points) for letter, points in shape.path),
        )
        for shape in face.shapes
    ]


def _lines(*points: float, closed: bool = False) -> tuple[Segment, ...]:
    pairs = tuple(zip(points[::2], points[1::2], strict=True))
    end: tuple[Segment, ...] = (("Z", ()),) if closed else ()
    return (("M", pairs[0]), *(("L", pair) for pair in pairs[1:]), *end)


def _curve(*points: float) -> tuple[Segment, ...]:
    """A start, then three points for each curve."""
    return (("M", points[:2]), *(("C", points[at : at + 6]) for at in range(2, len(points), 6)))


def _circle(x: float, y: float, r: float) -> tuple[Segment, ...]:
    k = r * _QUARTER
    return (
        *_curve(
            *(x, y - r),
            *(x + k, y - r, x + r, y - k, x + r, y),
            *(x + r, y + k, x + k, y + r, x, y + r),
            *(x - k, y + r, x - r, y + k, x - r, y),
            *(x - r, y - k, x - k, y - r, x, y - r),
        ),
        ("Z", ()),
    )


def _mirrored(path: tuple[Segment, ...]) -> tuple[Segment, ...]:
    return tuple(
        (letter, tuple(FACE_WIDTH - one if place % 2 == 0 else one for place, one in enumerate(points)))
        for letter, points in path
    )


def _small_face(x: float, y: float, style: str) -> tuple[FaceShape, ...]:
    return (
        FaceShape(style, _circle(x, y, 7.5)),
        FaceShape(LINE, _lines(x - 2.4, y - 2.5, x - 2.4, y - 1.3)),
        FaceShape(LINE, _lines(x + 2.4, y - 2.5, x + 2.4, y - 1.3)),
        FaceShape(LINE, _curve(x - 3.6, y + 1.5, x - 2.4, y + 4.7, x + 2.4, y + 4.7, x + 3.6, y + 1.5)),
    )


_PLAIN = TileFace(
    24,
    (
        FaceShape(LINE, _circle(12, 12, 10)),
        FaceShape(LINE, _lines(8.6, 8.4, 8.6, 10)),
        FaceShape(LINE, _lines(15.4, 8.4, 15.4, 10)),
        FaceShape(LINE, _curve(6.8, 13.6, 8.2, 18.6, 15.8, 18.6, 17.2, 13.6)),
    ),
)
_DOUBLE = TileFace(34, (*_small_face(9, 9.5, LINE), *_small_face(15, 24, OVER)))
_COLOUR_CHANGE = TileFace(
    34,
    (
        FaceShape(LINE, _circle(12, 11, 9)),
        FaceShape(SOLID, (*_curve(12, 2, 7, 2, 3, 6, 3, 11, 3, 16, 7, 20, 12, 20), ("Z", ()))),
        FaceShape(LINE, _lines(15.4, 7.8, 15.4, 9.3)),
        FaceShape(LINE, _curve(12, 16, 14, 16, 15.7, 15.1, 16.6, 13)),
        FaceShape(KNOCKED, _lines(8.6, 7.8, 8.6, 9.3)),
        FaceShape(KNOCKED, _curve(12, 16, 10, 16, 8.3, 15.1, 7.4, 13)),
        FaceShape(SOLID, _circle(4, 28.5, 2.6)),
        FaceShape(LINE, _lines(9, 28.5, 14, 28.5)),
        FaceShape(LINE, _lines(12.3, 26.3, 14.5, 28.5, 12.3, 30.7)),
        FaceShape(LINE, _circle(20, 28.5, 2.6)),
    ),
)
_HALF_FACE = _curve(9, 2.3, 5.05, 3.34, 2.3, 6.92, 2.3, 11, 2.3, 15.08, 5.05, 18.66, 9, 19.7)
_HALF_EYE, _HALF_SMILE = _lines(6, 8, 6, 9.5), _curve(4.9, 13, 5.7, 14.8, 7.2, 15.8, 9, 16)
_OUTWARDS = _lines(8.5, 25, 8.5, 32, 2.5, 28.5, closed=True)
_MIRROR = TileFace(
    34,
    (
        FaceShape(DASHED, _lines(12, 1, 12, 33)),
        *(FaceShape(LINE, path) for path in (_HALF_FACE, _HALF_EYE, _HALF_SMILE)),
        *(FaceShape(LINE, _mirrored(path)) for path in (_HALF_FACE, _HALF_EYE, _HALF_SMILE)),
        FaceShape(SOLID, _OUTWARDS),
        FaceShape(LINE, _mirrored(_OUTWARDS)),
    ),
)
JOKER_FACES: Mapping[str, TileFace] = {"J": _PLAIN, "JD": _DOUBLE, "JC": _COLOUR_CHANGE, "JM": _MIRROR}
"""By the names that the rules give the kinds."""
