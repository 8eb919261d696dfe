"""The ranking as a list to print and pin up: A4, both languages in the heads, the line drawn, page x of y."""

import io
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tournament.exports import pdf_fonts
from tournament.exports.pdf_fonts import BOLD, CENTRE, LEFT, REGULAR, RIGHT
from tournament.exports.pdf_names import line_name, listed_name
from tournament.exports.released import ReleasedEntrant, ReleasedRanking, both, in_both
from tournament.exports.released_podium import Winner, podium_facts, read_podium
from tournament.quantities import entrant_number_text, quantity_text

WIDTH, HEIGHT = A4
MARGIN = 40.0
RIGHT_EDGE = WIDTH - MARGIN
BOTTOM = 50.0
ROW = 14.0
SIZE = 9.0
SMALL = 7.5
GREY = 0.35
HAIR = 0.75

# Each column: its two heads, the place of its edge and the side it is set from.
HEADS = (
    (_("Rank"), MARGIN + 4, LEFT),
    (_("Number"), MARGIN + 42, LEFT),
    (_("Name"), MARGIN + 84, LEFT),
    (_("Wins"), 338.0, RIGHT),
    (_("Points"), 400.0, RIGHT),
    (_("Average"), 462.0, RIGHT),
    (_("Tiles left"), 506.0, RIGHT),
    (_("Table of"), RIGHT_EDGE - 6, RIGHT),
)
NAME_WIDTH = 200.0


@dataclass(frozen=True, slots=True)
class Row:
    """What one line of paper holds: the cells, or a band of one sentence; `ink` for the line itself."""

    cells: tuple[str, ...] = ()
    band: str = ""
    ink: bool = False


def by_number(released: ReleasedRanking) -> list[int]:
    """The numbers of those whose public name no font has whole: on paper they stand by their number (fault E4)."""
    named = [(entrant.number, entrant.name) for entrant in released.ranking]
    podium = read_podium(released)
    named += [(one.number, name) for one in (podium.winners if podium else []) for name in (one.name_zh, one.name_en)]
    return sorted({number for number, name in named if pdf_fonts.lacking(name)})


def ranking_pdf(released: ReleasedRanking) -> bytes:
    """The same bytes for the same release."""
    file = io.BytesIO()
    page = pdf_fonts.canvas(file, A4, title=f"{released.content['event']['name_en']} {released.number}")
    pages = paginate(list(rows(released)), first=first_page_rows(released))
    for number, listed in enumerate(pages, start=1):
        top = draw_title(page, released) if number == 1 else HEIGHT - MARGIN
        draw_rows(page, draw_heads(page, top), listed)
        draw_foot(page, released, number, len(pages))
        page.showPage()
    page.save()
    return file.getvalue()


def rows(released: ReleasedRanking) -> list[Row]:
    """The ranking in its order with the line where it falls, then who has no rank."""
    found = []
    for place, entrant in enumerate(released.ranking):
        if place == released.advancing and released.has_line:
            found.append(Row(band=line_words(released), ink=True))
        found.append(Row(cells=cells(entrant)))
    if released.has_line and released.advancing == len(released.ranking):
        found.append(Row(band=line_words(released), ink=True))
    if released.content["unranked"]:
        found.append(Row(band=both(_("Without a rank"))))
    for (number, zh), (_number, en) in zip(*unranked_words(released), strict=True):
        found.append(Row(cells=("", entrant_number_text(number), f"{zh} {en}", "", "", "", "", "")))
    return found


def unranked_words(released: ReleasedRanking) -> list[list[tuple[int, str]]]:
    """Numbers with their reasons, in Chinese and in English."""
    said = []
    for language in ("zh-hant", "en"):
        with translation.override(language):
            said.append(released.unranked)
    return said


def line_words(released: ReleasedRanking) -> str:
    """What the line says, in both languages."""
    return in_both(lambda: gettext("The line: the %(count)s above advance.") % {"count": released.advancing})


def cells(entrant: ReleasedEntrant) -> tuple[str, ...]:
    """One entrant's line as text."""
    return (
        entrant.rank_text,
        entrant_number_text(entrant.number),
        listed_name(entrant.name),
        str(entrant.wins),
        quantity_text(entrant.points, signed=True),
        "" if entrant.average is None else quantity_text(entrant.average),
        str(entrant.tiles),
        str(entrant.table_size),
    )


def paginate(listed: list[Row], *, first: int) -> list[list[Row]]:
    """Rows by page: `first` on the first, as many as fit on the others; one page even where there is no row."""
    later = rows_under(HEIGHT - MARGIN)
    rest = listed[first:]
    return [listed[:first], *(rest[start : start + later] for start in range(0, len(rest), later))]


def rows_under(top: float) -> int:
    """How many rows fit under a table head whose upper edge is at `top`."""
    return int((top - 2 * ROW - BOTTOM) // ROW)


def first_page_rows(released: ReleasedRanking) -> int:
    """How many rows fit under the title."""
    return rows_under(HEIGHT - MARGIN - title_height(released))


def title_lines(released: ReleasedRanking) -> list[str]:
    """What stands under the title: the facts of the release, broken to the width."""
    lines: list[str] = []

    def named(winner: Winner) -> str:
        return line_name(winner.number, winner.name_zh, winner.name_en)

    for label, value in [*released.facts[1:], *podium_facts(released, named)]:
        if value:
            lines.extend(wrapped(f"{label}: {value}", RIGHT_EDGE - MARGIN))
    return lines


def wrapped(text: str, width: float) -> list[str]:
    """Lines no wider than `width`; broken at a space where there is one, else between characters."""
    lines, line = [], ""
    for word in pieces(text):
        if line and pdf_fonts.width(line + word.rstrip(), SMALL, REGULAR) > width:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def pieces(text: str) -> list[str]:
    """Where a line may break: after a space, and around each Chinese character."""
    found = [""]
    for character in text:
        if ord(character) > 0x2E7F or found[-1].endswith(" ") or (found[-1] and ord(found[-1][-1]) > 0x2E7F):
            found.append(character)
        else:
            found[-1] += character
    return [piece for piece in found if piece]


def title_height(released: ReleasedRanking) -> float:
    """Title, event and facts, in points."""
    return 46.0 + 11.0 * len(title_lines(released)) + 10.0


def draw_title(page: Canvas, released: ReleasedRanking) -> float:
    """Title, event and what the release says of itself; answers where the table begins."""
    page.setFillGray(0)
    y = HEIGHT - MARGIN - 14
    pdf_fonts.draw(page, MARGIN, y, in_both(lambda: released.title), 16, BOLD)
    pdf_fonts.draw(page, MARGIN, y - 18, in_both(lambda: released.event_name), SIZE)
    page.setFillGray(GREY)
    for number, line in enumerate(title_lines(released)):
        pdf_fonts.draw(page, MARGIN, y - 34 - 11 * number, line, SMALL)
    return HEIGHT - MARGIN - title_height(released)


def draw_heads(page: Canvas, top: float) -> float:
    """The table's heads, Chinese over English; answers the upper edge of the first row."""
    page.setFillGray(0.93)
    page.rect(MARGIN, top - 2 * ROW, RIGHT_EDGE - MARGIN, 2 * ROW, stroke=0, fill=1)
    page.setFillGray(0)
    for head, x, side in HEADS:
        for line, language in enumerate(("zh-hant", "en")):
            with translation.override(language):
                pdf_fonts.draw(page, x, top - 11 - 11 * line, gettext(head), SMALL, BOLD, side)
    return top - 2 * ROW


def draw_rows(page: Canvas, top: float, listed: list[Row]) -> None:
    """The rows of one page under their heads."""
    for position, row in enumerate(listed):
        edge = top - ROW * (position + 1)
        if row.band:
            draw_band(page, edge, row)
            continue
        page.setFillGray(0)
        for (_head, x, side), text in zip(HEADS, row.cells, strict=True):
            weight = BOLD if x == HEADS[0][1] else REGULAR
            pdf_fonts.draw(page, x, edge + 4, fitted(text) if side == LEFT else text, SIZE, weight, side)
        page.setStrokeGray(HAIR)
        page.setLineWidth(0.4)
        page.line(MARGIN, edge, RIGHT_EDGE, edge)


def draw_band(page: Canvas, edge: float, row: Row) -> None:
    """One sentence over the whole width: the line in ink, a heading on grey."""
    page.setFillGray(0 if row.ink else 0.93)
    page.rect(MARGIN, edge, RIGHT_EDGE - MARGIN, ROW, stroke=0, fill=1)
    page.setFillGray(1 if row.ink else 0)
    pdf_fonts.draw(page, WIDTH / 2, edge + 4, row.band, SMALL, BOLD, CENTRE)


def fitted(text: str) -> str:
    """A name cut to its column, with an ellipsis where it is longer."""
    if pdf_fonts.width(text, SIZE) <= NAME_WIDTH:
        return text
    while text and pdf_fonts.width(f"{text}…", SIZE) > NAME_WIDTH:
        text = text[:-1]
    return f"{text}…"


def draw_foot(page: Canvas, released: ReleasedRanking, number: int, total: int) -> None:
    """Release and digest at the left, the page's number at the right."""
    page.setFillGray(GREY)
    said = f"{both(_('Release'))} {released.number}  SHA-256 {released.digest[:16]}"
    pdf_fonts.draw(page, MARGIN, 30, said, SMALL)
    paged = in_both(lambda: gettext("Page %(number)s of %(total)s") % {"number": number, "total": total})
    pdf_fonts.draw(page, RIGHT_EDGE, 30, paged, SMALL, REGULAR, RIGHT)
