"""Text that must fit a box of a printed page whole: smaller first, then on more lines, never cut."""

import re
from dataclasses import dataclass
from functools import lru_cache

from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_fonts

FITTED_TEXT_LEADING = 1.22
FIT_SIZE_STEP = 0.25
# From the top of a line's box to its baseline, in sizes of the font.
FITTED_TEXT_RISE = 0.92

# A word of an alphabet stays whole; Chinese breaks between any two characters; a hyphen ends a piece.
LINE_PIECE_PATTERN = re.compile(r"[\w'’.·]+-?|\s+|.", re.UNICODE)
# No line begins with the one, none ends with the other.
MARKS_NOT_AT_LINE_START, MARKS_NOT_AT_LINE_END = (
    frozenset("，。、；：！？）」』》〉】,.;:!?)"),
    frozenset("（「『《〈【("),
)
CHINESE_CHARACTER_PATTERN = re.compile(r"([⺀-鿿豈-﫿\U00020000-\U0003ffff])")


@dataclass(frozen=True, slots=True)
class FittedText:
    """A size in points and the lines of the text at that size."""

    size: float
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """What the lines take, in points."""
        return len(self.lines) * self.size * FITTED_TEXT_LEADING


@lru_cache(maxsize=4096)
def fit_text(
    text: str,
    width: float,
    height: float,
    largest: float,
    one_line_least: float,
    weight: str = pdf_fonts.WEIGHT_REGULAR,
) -> FittedText:
    """The text in a box of `width` and `height` points.

    On one line while that needs no size under `one_line_least`; else wrapped at the largest size at which the lines
    fit the height and no word is broken, or, under three quarters of that least, at which they fit at all. Every
    character stands in the lines but the spaces at a break.
    """
    one = min(
        largest, height / FITTED_TEXT_LEADING, width / max(pdf_fonts.text_width_in_points(text, 1, weight), 0.001)
    )
    if one >= min(one_line_least, height / FITTED_TEXT_LEADING):
        return FittedText(one, (text,))
    size = min(largest, height / FITTED_TEXT_LEADING / 2)
    longest = max(pdf_fonts.text_width_in_points(piece, 1, weight) for piece in text_line_pieces(text))
    while True:
        lines = wrap_text(text, width, size, weight)
        whole = longest * size <= width or size < one_line_least * 0.75
        if whole and len(lines) * size * FITTED_TEXT_LEADING <= height:
            return FittedText(size, lines)
        size -= min(FIT_SIZE_STEP, size / 8)


def wrap_text(text: str, width: float, size: float, weight: str = pdf_fonts.WEIGHT_REGULAR) -> tuple[str, ...]:
    """The text on lines of at most `width` points; a piece that is wider alone is broken between characters."""
    lines: list[str] = []
    line = ""
    for piece in text_line_pieces(text):
        if pdf_fonts.text_width_in_points((line + piece).rstrip(), size, weight) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.rstrip())
            line = ""
        for character in piece.lstrip() if not line else piece:
            if line and pdf_fonts.text_width_in_points(line + character, size, weight) > width:
                lines.append(line)
                line = ""
            line += character
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return tuple(lines)


def text_line_pieces(text: str) -> list[str]:
    """Where a line may break: around spaces, after a hyphen, between Chinese characters; never before a mark that
    closes, nor after one that opens."""
    found: list[str] = []
    for part in (
        part for piece in LINE_PIECE_PATTERN.findall(text) for part in CHINESE_CHARACTER_PATTERN.split(piece) if part
    ):
        if (
            found
            and not found[-1].isspace()
            and (part in MARKS_NOT_AT_LINE_START or (found[-1][-1] in MARKS_NOT_AT_LINE_END and not part.isspace()))
        ):
            found[-1] += part
        else:
            found.append(part)
    return found


def draw_fitted_text(
    page: Canvas,
    x: float,
    top: float,
    height: float,
    fitted: FittedText,
    weight: str = pdf_fonts.WEIGHT_REGULAR,
    align: str = pdf_fonts.ALIGN_LEFT,
) -> None:
    """Draw the lines about x, in the middle of the box that begins at `top` and is `height` points tall."""
    y = top - (height - fitted.height) / 2 - fitted.size * (FITTED_TEXT_RISE + (FITTED_TEXT_LEADING - 1) / 2)
    for line in fitted.lines:
        pdf_fonts.draw_text_line(page, x, y, line, fitted.size, weight, align)
        y -= fitted.size * FITTED_TEXT_LEADING
