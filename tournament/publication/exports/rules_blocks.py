"""The rules as blocks of a narrow column: each knows its height, and is drawn from its top downwards."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_fonts, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_RIGHT, WEIGHT_BOLD, WEIGHT_REGULAR
from tournament.core.numberformat import format_quantity
from tournament.publication.exports import rules_drawing as drawing
from tournament.publication.exports.public_rules import ShownExample, ShownGame, ShownSeat, ShownSection

LEADING = 1.32
TILE_SCALE, HEADING_SCALE, SUBHEADING_SCALE = 2.1, 1.35, 1.1
# Of the width of a worked game: the racks, the right edges of value, points and win.
RACK_EDGE, VALUE_EDGE, POINTS_EDGE, WIN_EDGE = 0.68, 0.79, 0.91, 1.0


@dataclass(frozen=True, slots=True)
class Block:
    """`draw` is told the page, its left edge and its top. `with_next`: never the last of a column."""

    height: float
    draw: Callable[[Canvas, float, float], None]
    with_next: bool = False


@dataclass(frozen=True, slots=True)
class Measure:
    """The size of the text and the width of the column, in points."""

    size: float
    width: float

    @property
    def tile(self) -> float:
        """The height of a tile."""
        return self.size * TILE_SCALE


def section_blocks(section: ShownSection, measure: Measure) -> Iterator[Block]:
    """A section from its heading on."""
    yield heading_block(section.title, measure, HEADING_SCALE)
    for sentence in section.sentences:
        yield text_block(sentence, measure)
    yield from (example_block(one, measure) for one in section.examples)
    for kind in section.kinds:
        yield kind_block(kind.kind, kind.title, measure)
        for sentence in kind.sentences:
            yield text_block(sentence, measure)
        yield from (example_block(one, measure) for one in kind.sets)
        if kind.moves:
            yield heading_block(gettext("Example turns"), measure, 1.0)
        yield from (example_block(one, measure) for one in kind.moves)
    if section.letters:
        yield text_block(f"{gettext('The rack')}: {' '.join(section.letters)}", measure)
        yield from (example_block(one, measure) for one in section.words)
    for game in section.games:
        yield from game_blocks(game, measure)
    for text, points in section.turns:
        yield row_block([(text, 0, False), (format_quantity(points, signed=True), WIN_EDGE, True)], measure)


def heading_block(text: str, measure: Measure, scale: float) -> Block:
    """A heading; what follows stays with it."""
    size = measure.size * scale
    height = size * (LEADING + 0.5)

    def draw(page: Canvas, x: float, top: float) -> None:
        pdf_fonts.draw_text_line(page, x, top - height + size * 0.4, text, size, WEIGHT_BOLD)
        if scale == HEADING_SCALE:
            page.setStrokeColor(drawing.INK)
            page.setLineWidth(0.8)
            page.line(x, top - height + size * 0.1, x + measure.width, top - height + size * 0.1)

    return Block(height, draw, with_next=True)


def kind_block(kind: str, title: str, measure: Measure) -> Block:
    """The face of a joker beside its name."""
    size, tile = measure.size * SUBHEADING_SCALE, measure.tile
    height = tile * 1.2

    def draw(page: Canvas, x: float, top: float) -> None:
        drawing.draw_tile(page, x, top - height + tile * 0.05, tile, kind)
        page.setFillColor(drawing.INK)
        pdf_fonts.draw_text_line(page, x + tile, top - height + tile * 0.4, title, size, WEIGHT_BOLD)

    return Block(height, draw, with_next=True)


def text_block(text: str, measure: Measure, weight: str = WEIGHT_REGULAR) -> Block:
    """A paragraph over the whole column."""
    lines = pdf_text.wrap_text(text, measure.width, measure.size, weight)
    step = measure.size * LEADING

    def draw(page: Canvas, x: float, top: float) -> None:
        for place, line in enumerate(lines):
            pdf_fonts.draw_text_line(page, x, top - step * (place + 0.8), line, measure.size, weight)

    return Block(step * len(lines) + measure.size * 0.25, draw)


def example_block(example: ShownExample, measure: Measure) -> Block:
    """A set with its verdict beside it; a turn with its verdict below."""
    if example.before:
        return _turn_block(example, measure)
    taken = sum(drawing.set_width(tiles, measure.tile) + measure.size for tiles in example.sets)
    verdict = _verdict(example, measure, measure.width - taken)
    height = max(measure.tile if example.sets else 0, verdict.height) + measure.size * 0.35

    def draw(page: Canvas, x: float, top: float) -> None:
        left = x
        for tiles in example.sets:
            drawing.draw_set(page, left, top - (height + measure.tile) / 2, measure.tile, tiles)
            left += drawing.set_width(tiles, measure.tile) + measure.size
        verdict.draw(page, x + taken, top - (height - verdict.height) / 2)

    return Block(height, draw)


def _turn_block(example: ShownExample, measure: Measure) -> Block:
    """What lay there + what is played → what lies there then, on as many lines as it takes."""
    pieces: list[tuple[str, ...]] = [*example.before, *([("+",), example.played] if example.played else []), ("→",)]
    lines = _lines_of_pieces([*pieces, *example.sets], measure)
    verdict = _verdict(example, measure, measure.width)
    step = measure.tile + measure.size * 0.3
    height = step * len(lines) + verdict.height + measure.size * 0.5

    def draw(page: Canvas, x: float, top: float) -> None:
        for place, line in enumerate(lines):
            _draw_pieces(page, x, top - step * (place + 1) + measure.size * 0.15, line, measure)
        verdict.draw(page, x, top - step * len(lines))

    return Block(height, draw)


def _is_sign(piece: Sequence[str]) -> bool:
    return tuple(piece) in (("+",), ("→",))


def _piece_width(piece: Sequence[str], measure: Measure) -> float:
    width = measure.size if _is_sign(piece) else drawing.set_width(piece, measure.tile)
    return width + measure.size * 0.6


def _lines_of_pieces(pieces: Sequence[Sequence[str]], measure: Measure) -> list[list[Sequence[str]]]:
    lines: list[list[Sequence[str]]] = [[]]
    used = 0.0
    for piece in pieces:
        width = _piece_width(piece, measure)
        if lines[-1] and used + width > measure.width:
            lines.append([])
            used = 0.0
        lines[-1].append(piece)
        used += width
    return lines


def _draw_pieces(page: Canvas, x: float, bottom: float, line: Sequence[Sequence[str]], measure: Measure) -> None:
    for piece in line:
        if _is_sign(piece):
            page.setFillColor(drawing.INK)
            pdf_fonts.draw_text_line(page, x, bottom + measure.tile * 0.3, piece[0], measure.size * 1.1, WEIGHT_BOLD)
        else:
            drawing.draw_set(page, x, bottom, measure.tile, piece)
        x += _piece_width(piece, measure)
    page.setFillColor(drawing.INK)


def _verdict(example: ShownExample, measure: Measure, width: float) -> Block:
    """The mark, and the text from beside it on."""
    size, step = measure.size, measure.size * LEADING
    indent = drawing.mark_width(example.word, size * 0.92) + size * 0.5
    lines = pdf_text.wrap_text(example.text, max(width - indent, size * 4), size) if example.text else ("",)

    def draw(page: Canvas, x: float, top: float) -> None:
        drawing.draw_mark(page, x, top - step * 0.8, size * 0.92, example.mark, example.word)
        page.setFillColor(drawing.INK)
        for place, line in enumerate(lines):
            pdf_fonts.draw_text_line(page, x + indent, top - step * (place + 0.8), line, size)

    return Block(step * len(lines), draw)


def game_blocks(game: ShownGame, measure: Measure) -> Iterator[Block]:
    """A worked game: its heading, the heads of its columns, a row a seat."""
    yield heading_block(game.title, measure, SUBHEADING_SCALE)
    heads = [(gettext("Value"), VALUE_EDGE), (gettext("Points"), POINTS_EDGE), (gettext("Win"), WIN_EDGE)]
    yield row_block([(gettext("Rack"), 0, False), *((head, edge, True) for head, edge in heads)], measure, WEIGHT_BOLD)
    for seat in game.seats:
        yield _seat_block(seat, measure)


def _seat_block(seat: ShownSeat, measure: Measure) -> Block:
    small = Measure(measure.size * 0.85, measure.width * RACK_EDGE - measure.size * 1.6)
    counted = ngettext("%(tiles)s tile", "%(tiles)s tiles", seat.tiles) % {"tiles": seat.tiles}
    texts = [part for part in ("" if seat.rack else counted, seat.why) if part]
    said = text_block(gettext(", ").join(texts), small) if texts else Block(0, lambda _page, _x, _top: None)
    each = small.tile * (drawing.TILE_WIDTH_RATIO + drawing.TILE_GAP_RATIO)
    a_line = max(1, int(small.width / each))
    rows = [seat.rack[at : at + a_line] for at in range(0, len(seat.rack), a_line)]
    step = small.tile * 1.12
    figures = row_block(
        [
            (seat.letter, 0, False),
            (str(seat.value), VALUE_EDGE, True),
            (format_quantity(seat.points, signed=True), POINTS_EDGE, True),
            (str(seat.win), WIN_EDGE, True),
        ],
        measure,
    )
    height = max(figures.height, step * len(rows) + said.height) + measure.size * 0.3

    def draw(page: Canvas, x: float, top: float) -> None:
        figures.draw(page, x, top)
        left = x + measure.size * 1.4
        for place, row in enumerate(rows):
            drawing.draw_set(page, left, top - step * (place + 1) + step * 0.06, small.tile, row)
        page.setFillColor(drawing.INK)
        said.draw(page, left, top - step * len(rows))

    return Block(height, draw)


def row_block(cells: Sequence[tuple[str, float, bool]], measure: Measure, weight: str = WEIGHT_REGULAR) -> Block:
    """Texts of one line: each with its edge as a part of the width, and whether that is its right one."""
    height = measure.size * LEADING

    def draw(page: Canvas, x: float, top: float) -> None:
        page.setFillColor(drawing.INK)
        for text, edge, right in cells:
            align = ALIGN_RIGHT if right else pdf_fonts.ALIGN_LEFT
            pdf_fonts.draw_text_line(
                page, x + measure.width * edge, top - height * 0.8, text, measure.size, weight, align
            )

    return Block(height, draw, with_next=weight == WEIGHT_BOLD)
