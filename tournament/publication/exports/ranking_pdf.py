"""The ranking as a list to print and pin up: A4, both languages in the heads, the line drawn, page x of y."""

import io
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tournament.core.exports import pdf_fonts
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, ALIGN_LEFT, ALIGN_RIGHT, WEIGHT_BOLD, WEIGHT_REGULAR
from tournament.core.exports.pdf_names import line_name, listed_name
from tournament.core.numberformat import entrant_number_text, format_quantity
from tournament.publication.exports.podium import ReleasedWinner, podium_label_values, read_podium
from tournament.publication.exports.released import (
    ReleasedEntrant,
    ReleasedRanking,
    call_in_both_languages,
    message_in_both_languages,
)

RANKING_PDF_WIDTH, RANKING_PDF_HEIGHT = A4
RANKING_PDF_MARGIN = 40.0
RANKING_PDF_RIGHT_EDGE = RANKING_PDF_WIDTH - RANKING_PDF_MARGIN
RANKING_PDF_BOTTOM = 50.0
RANKING_PDF_ROW_HEIGHT = 14.0
RANKING_PDF_TEXT_SIZE = 9.0
RANKING_PDF_SMALL_SIZE = 7.5
RANKING_PDF_GREY = 0.35
RANKING_PDF_HAIRLINE = 0.75

TILES_LEFT_HEAD = _("Tiles left")
# Each column: its two heads, the place of its edge and the side it is set from.
RANKING_PDF_HEADS = (
    (_("Rank"), RANKING_PDF_MARGIN + 4, ALIGN_LEFT),
    (_("Number"), RANKING_PDF_MARGIN + 42, ALIGN_LEFT),
    (_("Name"), RANKING_PDF_MARGIN + 84, ALIGN_LEFT),
    (_("Wins"), 338.0, ALIGN_RIGHT),
    (_("Points"), 400.0, ALIGN_RIGHT),
    (_("Average"), 462.0, ALIGN_RIGHT),
    (TILES_LEFT_HEAD, 506.0, ALIGN_RIGHT),
    (_("Table of"), RANKING_PDF_RIGHT_EDGE - 6, ALIGN_RIGHT),
)
RANKING_PDF_NAME_WIDTH = 200.0


@dataclass(frozen=True, slots=True)
class RankingPaperRow:
    """What one line of paper holds: the cells, or a band of one sentence; `ink` for the line itself."""

    cells: tuple[str, ...] = ()
    band: str = ""
    ink: bool = False


def numbers_without_printable_name(released: ReleasedRanking) -> list[int]:
    """The numbers of those whose public name no font has whole: on paper they stand by their number (fault E4)."""
    named = [(entrant.number, entrant.name) for entrant in released.ranking]
    podium = read_podium(released)
    named += [(one.number, name) for one in (podium.winners if podium else []) for name in (one.name_zh, one.name_en)]
    return sorted({number for number, name in named if pdf_fonts.unprintable_characters(name)})


def ranking_pdf(released: ReleasedRanking) -> bytes:
    """The same bytes for the same release."""
    file = io.BytesIO()
    page = pdf_fonts.make_pdf_canvas(file, A4, title=f"{released.content['event']['name_en']} {released.number}")
    pages = paginate_ranking_rows(list(ranking_paper_rows(released)), first=rows_fitting_first_page(released))
    for number, listed in enumerate(pages, start=1):
        top = draw_ranking_title(page, released) if number == 1 else RANKING_PDF_HEIGHT - RANKING_PDF_MARGIN
        draw_ranking_rows(page, draw_ranking_heads(page, top, released), listed)
        draw_ranking_foot(page, released, number, len(pages))
        page.showPage()
    page.save()
    return file.getvalue()


def ranking_paper_rows(released: ReleasedRanking) -> list[RankingPaperRow]:
    """The ranking in its order with the line where it falls, then who has no rank."""
    found = []
    for place, entrant in enumerate(released.ranking):
        if place == released.advancing and released.has_line:
            found.append(RankingPaperRow(band=cutoff_words(released), ink=True))
        found.append(RankingPaperRow(cells=ranking_row_cells(entrant)))
    if released.has_line and released.advancing == len(released.ranking):
        found.append(RankingPaperRow(band=cutoff_words(released), ink=True))
    if released.content["unranked"]:
        found.append(RankingPaperRow(band=message_in_both_languages(_("Without a rank"))))
    for (number, zh), (_number, en) in zip(*unranked_number_words(released), strict=True):
        found.append(RankingPaperRow(cells=("", entrant_number_text(number), f"{zh} {en}", "", "", "", "", "")))
    return found


def unranked_number_words(released: ReleasedRanking) -> list[list[tuple[int, str]]]:
    """Numbers with their reasons, in Chinese and in English."""
    said = []
    for language in ("zh-hant", "en"):
        with translation.override(language):
            said.append(released.unranked)
    return said


def cutoff_words(released: ReleasedRanking) -> str:
    """What the line says, in both languages."""
    return call_in_both_languages(
        lambda: gettext("The line: the %(count)s above advance.") % {"count": released.advancing}
    )


def ranking_row_cells(entrant: ReleasedEntrant) -> tuple[str, ...]:
    """One entrant's line as text."""
    return (
        entrant.rank_text,
        entrant_number_text(entrant.number),
        listed_name(entrant.name),
        str(entrant.wins),
        format_quantity(entrant.points, signed=True),
        "" if entrant.average is None else format_quantity(entrant.average),
        str(entrant.tiles),
        str(entrant.table_size),
    )


def paginate_ranking_rows(listed: list[RankingPaperRow], *, first: int) -> list[list[RankingPaperRow]]:
    """Rows by page: `first` on the first, as many as fit on the others; one page even where there is no row."""
    later = rows_fitting_under(RANKING_PDF_HEIGHT - RANKING_PDF_MARGIN)
    rest = listed[first:]
    return [listed[:first], *(rest[start : start + later] for start in range(0, len(rest), later))]


def rows_fitting_under(top: float) -> int:
    """How many rows fit under a table head whose upper edge is at `top`."""
    return int((top - 2 * RANKING_PDF_ROW_HEIGHT - RANKING_PDF_BOTTOM) // RANKING_PDF_ROW_HEIGHT)


def rows_fitting_first_page(released: ReleasedRanking) -> int:
    """How many rows fit under the title."""
    return rows_fitting_under(RANKING_PDF_HEIGHT - RANKING_PDF_MARGIN - ranking_title_height(released))


def ranking_title_lines(released: ReleasedRanking) -> list[str]:
    """What stands under the title: the facts of the release, broken to the width."""
    lines: list[str] = []

    def named(winner: ReleasedWinner) -> str:
        return line_name(winner.number, winner.name_zh, winner.name_en)

    for label, value in [*released.facts[1:], *podium_label_values(released, named)]:
        if value:
            lines.extend(wrap_to_width(f"{label}: {value}", RANKING_PDF_RIGHT_EDGE - RANKING_PDF_MARGIN))
    return lines


def wrap_to_width(text: str, width: float) -> list[str]:
    """Lines no wider than `width`; broken at a space where there is one, else between characters."""
    lines, line = [], ""
    for word in breakable_pieces(text):
        if (
            line
            and pdf_fonts.text_width_in_points(line + word.rstrip(), RANKING_PDF_SMALL_SIZE, WEIGHT_REGULAR) > width
        ):
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def breakable_pieces(text: str) -> list[str]:
    """Where a line may break: after a space, and around each Chinese character."""
    found = [""]
    for character in text:
        if ord(character) > 0x2E7F or found[-1].endswith(" ") or (found[-1] and ord(found[-1][-1]) > 0x2E7F):
            found.append(character)
        else:
            found[-1] += character
    return [piece for piece in found if piece]


def ranking_title_height(released: ReleasedRanking) -> float:
    """Title, event and facts, in points."""
    return 46.0 + 11.0 * len(ranking_title_lines(released)) + 10.0


def draw_ranking_title(page: Canvas, released: ReleasedRanking) -> float:
    """Title, event and what the release says of itself; answers where the table begins."""
    page.setFillGray(0)
    y = RANKING_PDF_HEIGHT - RANKING_PDF_MARGIN - 14
    pdf_fonts.draw_text_line(
        page, RANKING_PDF_MARGIN, y, call_in_both_languages(lambda: released.title), 16, WEIGHT_BOLD
    )
    pdf_fonts.draw_text_line(
        page, RANKING_PDF_MARGIN, y - 18, call_in_both_languages(lambda: released.event_name), RANKING_PDF_TEXT_SIZE
    )
    page.setFillGray(RANKING_PDF_GREY)
    for number, line in enumerate(ranking_title_lines(released)):
        pdf_fonts.draw_text_line(page, RANKING_PDF_MARGIN, y - 34 - 11 * number, line, RANKING_PDF_SMALL_SIZE)
    return RANKING_PDF_HEIGHT - RANKING_PDF_MARGIN - ranking_title_height(released)


def draw_ranking_heads(page: Canvas, top: float, released: ReleasedRanking) -> float:
    """The table's heads, Chinese over English; answers the upper edge of the first row."""
    page.setFillGray(0.93)
    page.rect(
        RANKING_PDF_MARGIN,
        top - 2 * RANKING_PDF_ROW_HEIGHT,
        RANKING_PDF_RIGHT_EDGE - RANKING_PDF_MARGIN,
        2 * RANKING_PDF_ROW_HEIGHT,
        stroke=0,
        fill=1,
    )
    page.setFillGray(0)
    for head, x, side in RANKING_PDF_HEADS:
        said = released.tiles_left_head if head == TILES_LEFT_HEAD else head
        for line, language in enumerate(("zh-hant", "en")):
            with translation.override(language):
                pdf_fonts.draw_text_line(
                    page, x, top - 11 - 11 * line, gettext(said), RANKING_PDF_SMALL_SIZE, WEIGHT_BOLD, side
                )
    return top - 2 * RANKING_PDF_ROW_HEIGHT


def draw_ranking_rows(page: Canvas, top: float, listed: list[RankingPaperRow]) -> None:
    """The rows of one page under their heads."""
    for position, row in enumerate(listed):
        edge = top - RANKING_PDF_ROW_HEIGHT * (position + 1)
        if row.band:
            draw_ranking_band(page, edge, row)
            continue
        page.setFillGray(0)
        for (_head, x, side), text in zip(RANKING_PDF_HEADS, row.cells, strict=True):
            weight = WEIGHT_BOLD if x == RANKING_PDF_HEADS[0][1] else WEIGHT_REGULAR
            pdf_fonts.draw_text_line(
                page,
                x,
                edge + 4,
                cut_name_to_column(text) if side == ALIGN_LEFT else text,
                RANKING_PDF_TEXT_SIZE,
                weight,
                side,
            )
        page.setStrokeGray(RANKING_PDF_HAIRLINE)
        page.setLineWidth(0.4)
        page.line(RANKING_PDF_MARGIN, edge, RANKING_PDF_RIGHT_EDGE, edge)


def draw_ranking_band(page: Canvas, edge: float, row: RankingPaperRow) -> None:
    """One sentence over the whole width: the line in ink, a heading on grey."""
    page.setFillGray(0 if row.ink else 0.93)
    page.rect(
        RANKING_PDF_MARGIN, edge, RANKING_PDF_RIGHT_EDGE - RANKING_PDF_MARGIN, RANKING_PDF_ROW_HEIGHT, stroke=0, fill=1
    )
    page.setFillGray(1 if row.ink else 0)
    pdf_fonts.draw_text_line(
        page, RANKING_PDF_WIDTH / 2, edge + 4, row.band, RANKING_PDF_SMALL_SIZE, WEIGHT_BOLD, ALIGN_CENTRE
    )


def cut_name_to_column(text: str) -> str:
    """A name cut to its column, with an ellipsis where it is longer."""
    if pdf_fonts.text_width_in_points(text, RANKING_PDF_TEXT_SIZE) <= RANKING_PDF_NAME_WIDTH:
        return text
    while text and pdf_fonts.text_width_in_points(f"{text}…", RANKING_PDF_TEXT_SIZE) > RANKING_PDF_NAME_WIDTH:
        text = text[:-1]
    return f"{text}…"


def draw_ranking_foot(page: Canvas, released: ReleasedRanking, number: int, total: int) -> None:
    """Release and digest at the left, the page's number at the right."""
    page.setFillGray(RANKING_PDF_GREY)
    release = message_in_both_languages(_("Release"))
    said = f"{release} {released.number}  SHA-256 {released.digest[:16]}"
    pdf_fonts.draw_text_line(page, RANKING_PDF_MARGIN, 30, said, RANKING_PDF_SMALL_SIZE)
    paged = call_in_both_languages(lambda: gettext("Page %(number)s of %(total)s") % {"number": number, "total": total})
    pdf_fonts.draw_text_line(
        page, RANKING_PDF_RIGHT_EDGE, 30, paged, RANKING_PDF_SMALL_SIZE, WEIGHT_REGULAR, ALIGN_RIGHT
    )
