"""Letters to those who hold a place of the final: a page each, Chinese above English, with the link as a QR code."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tournament.core import dateformat
from tournament.core.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.core.exports.pdf_fonts import WEIGHT_BOLD, WEIGHT_REGULAR
from tournament.core.exports.pdf_names import paper_name
from tournament.core.numberformat import entrant_number_text, rank_text
from tournament.messages.exports.mail_parts import CALLED_AS_RESERVE_WORDS

LETTER_WIDTH, LETTER_HEIGHT = A4
LETTER_MARGIN = 22 * mm
LETTER_TEXT_WIDTH = LETTER_WIDTH - 2 * LETTER_MARGIN
LETTER_QR_SIDE = 42 * mm
LETTER_GAP = 8 * mm
LETTER_TITLE_SIZE, LETTER_NAME_SIZE, LETTER_BODY_SIZE, LETTER_SMALL_SIZE = 19.0, 17.0, 10.5, 8.5
LETTER_LEADING = 1.5
LETTER_GREY = 0.35
LETTER_HAIRLINE = 0.75
LETTER_LANGUAGES = ("zh-hant", "en")


@dataclass(frozen=True, slots=True)
class FinalFacts:
    """What every letter of one event says: names and venue in both languages, the last moment for answers, when the
    final's rounds check in (none: to be announced), how the organiser is reached."""

    names: tuple[str, str]
    venues: tuple[str, str]
    until: datetime | None
    check_ins: tuple[datetime, ...]
    contact: str = ""


@dataclass(frozen=True, slots=True)
class InvitationLetter:
    """To whom, and the address that answers. `rank` as released, with whether it is shared."""

    number: int
    name_zh: str
    name_en: str
    rank: tuple[int, bool]
    called: bool
    url: str


def letters_pdf_file(news: FinalFacts, letters: Sequence[InvitationLetter]) -> bytes:
    """The same bytes for the same letters."""
    file = io.BytesIO()
    page = pdf_fonts.make_pdf_canvas(file, A4, title=f"{news.names[1]}: letters to finalists")
    for letter in letters:
        draw_invitation_letter(page, news, letter)
        page.showPage()
    page.save()
    return file.getvalue()


def draw_invitation_letter(page: Canvas, news: FinalFacts, letter: InvitationLetter) -> None:
    y = draw_letter_head(page, news, letter)
    for place, language in enumerate(LETTER_LANGUAGES):
        with translation.override(language):
            y = draw_letter_paragraphs(page, y, list(letter_paragraphs(news, letter, place)))
        y -= 4 * mm
    draw_letter_link(page, y, letter)


def draw_letter_head(page: Canvas, news: FinalFacts, letter: InvitationLetter) -> float:
    """Event, title, name and number; answers where the words begin."""
    y = LETTER_HEIGHT - LETTER_MARGIN
    page.setFillGray(LETTER_GREY)
    for name in dict.fromkeys(news.names):
        fitted = pdf_text.fit_text(name, LETTER_TEXT_WIDTH, 14, LETTER_BODY_SIZE, 7)
        pdf_text.draw_fitted_text(page, LETTER_MARGIN, y + 10, 14, fitted)
        y -= 14
    page.setFillGray(0)
    y -= 8 * mm
    pdf_fonts.draw_text_line(
        page,
        LETTER_MARGIN,
        y,
        " ".join(letter_sentence_in_both(_("Invitation to the final"))),
        LETTER_TITLE_SIZE,
        WEIGHT_BOLD,
    )
    y -= 7 * mm
    page.setLineWidth(LETTER_HAIRLINE)
    page.line(LETTER_MARGIN, y, LETTER_WIDTH - LETTER_MARGIN, y)
    y -= 5 * mm
    pdf_fonts.draw_text_line(
        page, LETTER_MARGIN, y - 4, entrant_number_text(letter.number), LETTER_BODY_SIZE, WEIGHT_BOLD
    )
    y -= 7 * mm
    first, second, note = paper_name(letter.number, letter.name_zh, letter.name_en)
    for name in filter(None, (first, second)):
        fitted = pdf_text.fit_text(name, LETTER_TEXT_WIDTH, 2 * LETTER_NAME_SIZE, LETTER_NAME_SIZE, 11, WEIGHT_BOLD)
        pdf_text.draw_fitted_text(page, LETTER_MARGIN, y + 3 * mm, fitted.height, fitted, WEIGHT_BOLD)
        y -= fitted.height + 1
    if note:
        pdf_fonts.draw_text_line(page, LETTER_MARGIN, y + 1 * mm, note, LETTER_SMALL_SIZE)
        y -= LETTER_SMALL_SIZE
    return y - 3 * mm


def letter_sentence_in_both(sentence: str) -> list[str]:
    """A sentence in Chinese and in English."""
    said = []
    for language in LETTER_LANGUAGES:
        with translation.override(language):
            said.append(gettext(sentence))
    return said


def letter_paragraphs(news: FinalFacts, letter: InvitationLetter, place: int) -> Iterator[tuple[str, str]]:
    """What it says in the language of the moment, each with its weight; `place` is that of the event's texts."""
    rank = {"rank": rank_text(letter.rank[0], shared=letter.rank[1])}
    if letter.called:
        yield gettext(CALLED_AS_RESERVE_WORDS) % rank, WEIGHT_BOLD
    else:
        yield gettext("Rank %(rank)s in the preliminary: you have a place in the final.") % rank, WEIGHT_BOLD
    yield gettext("When: %(when)s") % {"when": final_date_text(news)}, WEIGHT_REGULAR
    where = news.venues[place] or news.venues[1 - place] or gettext("to be announced")
    yield gettext("Where: %(where)s") % {"where": where}, WEIGHT_REGULAR
    if news.until:
        until = f"{dateformat.weekday_date_text(news.until)} {dateformat.time_text(news.until)}"
        yield gettext("Please answer until %(until)s whether you will play.") % {"until": until}, WEIGHT_BOLD
    else:
        yield gettext("Please answer soon whether you will play."), WEIGHT_BOLD
    yield (
        gettext(
            "Scan the code or open the address below, or tell the organiser's desk. You may change your answer until"
            " the last moment, but a place that you give up is gone once it is offered to a reserve. Without an answer"
            " in time the place may be given to a reserve."
        ),
        WEIGHT_REGULAR,
    )
    if news.contact:
        yield gettext("Contact: %(contact)s") % {"contact": news.contact}, WEIGHT_REGULAR


def final_date_text(news: FinalFacts) -> str:
    """Day and check-in; of several rounds the first and how many; or that it is to be announced."""
    if not news.check_ins:
        return gettext("to be announced on the page of the address below")
    first = news.check_ins[0]
    day = f"{dateformat.full_date_text(first)}{'' if dateformat.is_chinese() else ','} "
    said = day + gettext("check-in %(at)s") % {"at": dateformat.time_text(first)}
    if len(news.check_ins) > 1:
        said += gettext(", %(n)s rounds") % {"n": len(news.check_ins)}
    return said


def draw_letter_paragraphs(page: Canvas, y: float, said: Sequence[tuple[str, str]]) -> float:
    """The paragraphs from y down; answers where the next may begin."""
    for text, weight in said:
        for line in pdf_text.wrap_text(text, LETTER_TEXT_WIDTH, LETTER_BODY_SIZE, weight):
            y -= LETTER_BODY_SIZE * LETTER_LEADING
            pdf_fonts.draw_text_line(page, LETTER_MARGIN, y, line, LETTER_BODY_SIZE, weight)
        y -= 3
    return y


def draw_letter_link(page: Canvas, y: float, letter: InvitationLetter) -> None:
    """The QR code with the address beside it, and whose it is."""
    page.setLineWidth(LETTER_HAIRLINE)
    page.line(LETTER_MARGIN, y, LETTER_WIDTH - LETTER_MARGIN, y)
    top = y - 5 * mm
    pdf_qr.draw_qr_code(page, LETTER_MARGIN, top - LETTER_QR_SIDE, LETTER_QR_SIDE, letter.url)
    x, room = LETTER_MARGIN + LETTER_QR_SIDE + LETTER_GAP, LETTER_TEXT_WIDTH - LETTER_QR_SIDE - LETTER_GAP
    y = top - 4 * mm
    for line in break_address_lines(letter.url, room):
        pdf_fonts.draw_text_line(page, x, y, line, LETTER_BODY_SIZE, WEIGHT_BOLD)
        y -= LETTER_BODY_SIZE * LETTER_LEADING
    page.setFillGray(LETTER_GREY)
    for sentence in letter_sentence_in_both(
        _("This address is yours alone: whoever has it can answer for you. A parent answers for a child.")
    ):
        y -= 4
        for line in pdf_text.wrap_text(sentence, room, LETTER_SMALL_SIZE):
            pdf_fonts.draw_text_line(page, x, y, line, LETTER_SMALL_SIZE)
            y -= LETTER_SMALL_SIZE * LETTER_LEADING
    page.setFillGray(0)


def break_address_lines(url: str, width: float) -> list[str]:
    """The address on lines, broken after a / where it can be, so that it is typed as it stands."""
    lines = [""]
    for piece in url.replace("/", "/\n").split("\n"):
        for character in (
            piece if pdf_fonts.text_width_in_points(piece, LETTER_BODY_SIZE, WEIGHT_BOLD) > width else [piece]
        ):
            if (
                lines[-1]
                and pdf_fonts.text_width_in_points(lines[-1] + character, LETTER_BODY_SIZE, WEIGHT_BOLD) > width
            ):
                lines.append("")
            lines[-1] += character
    return lines
