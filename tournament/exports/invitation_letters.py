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

from tournament import moments
from tournament.exports import pdf_fonts, pdf_qr, pdf_text
from tournament.exports.mail_words import CALLED
from tournament.exports.pdf_fonts import BOLD, REGULAR
from tournament.exports.pdf_names import paper_name
from tournament.quantities import entrant_number_text, rank_text

WIDTH, HEIGHT = A4
MARGIN = 22 * mm
MEASURE = WIDTH - 2 * MARGIN
QR_SIDE = 42 * mm
GAP = 8 * mm
TITLE, NAME, BODY, SMALL = 19.0, 17.0, 10.5, 8.5
LEADING = 1.5
GREY = 0.35
HAIR = 0.75
LANGUAGES = ("zh-hant", "en")


@dataclass(frozen=True, slots=True)
class FinalNews:
    """What every letter of one event says: names and venue in both languages, the last moment for answers, when the
    final's rounds check in (none: to be announced), how the organiser is reached."""

    names: tuple[str, str]
    venues: tuple[str, str]
    until: datetime | None
    check_ins: tuple[datetime, ...]
    contact: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """To whom, and the address that answers. `rank` as released, with whether it is shared."""

    number: int
    name_zh: str
    name_en: str
    rank: tuple[int, bool]
    called: bool
    url: str


def letters_pdf(news: FinalNews, letters: Sequence[Letter]) -> bytes:
    """The same bytes for the same letters."""
    file = io.BytesIO()
    page = pdf_fonts.canvas(file, A4, title=f"{news.names[1]}: letters to finalists")
    for letter in letters:
        draw_letter(page, news, letter)
        page.showPage()
    page.save()
    return file.getvalue()


def draw_letter(page: Canvas, news: FinalNews, letter: Letter) -> None:
    """One page."""
    y = draw_head(page, news, letter)
    for place, language in enumerate(LANGUAGES):
        with translation.override(language):
            y = draw_words(page, y, list(paragraphs(news, letter, place)))
        y -= 4 * mm
    draw_link(page, y, letter)


def draw_head(page: Canvas, news: FinalNews, letter: Letter) -> float:
    """Event, title, name and number; answers where the words begin."""
    y = HEIGHT - MARGIN
    page.setFillGray(GREY)
    for name in dict.fromkeys(news.names):
        fitted = pdf_text.fit(name, MEASURE, 14, BODY, 7)
        pdf_text.draw(page, MARGIN, y + 10, 14, fitted)
        y -= 14
    page.setFillGray(0)
    y -= 8 * mm
    pdf_fonts.draw(page, MARGIN, y, " ".join(both(_("Invitation to the final"))), TITLE, BOLD)
    y -= 7 * mm
    page.setLineWidth(HAIR)
    page.line(MARGIN, y, WIDTH - MARGIN, y)
    y -= 5 * mm
    pdf_fonts.draw(page, MARGIN, y - 4, entrant_number_text(letter.number), BODY, BOLD)
    y -= 7 * mm
    first, second, note = paper_name(letter.number, letter.name_zh, letter.name_en)
    for name in filter(None, (first, second)):
        fitted = pdf_text.fit(name, MEASURE, 2 * NAME, NAME, 11, BOLD)
        pdf_text.draw(page, MARGIN, y + 3 * mm, fitted.height, fitted, BOLD)
        y -= fitted.height + 1
    if note:
        pdf_fonts.draw(page, MARGIN, y + 1 * mm, note, SMALL)
        y -= SMALL
    return y - 3 * mm


def both(sentence: str) -> list[str]:
    """A sentence in Chinese and in English."""
    said = []
    for language in LANGUAGES:
        with translation.override(language):
            said.append(gettext(sentence))
    return said


def paragraphs(news: FinalNews, letter: Letter, place: int) -> Iterator[tuple[str, str]]:
    """What it says in the language of the moment, each with its weight; `place` is that of the event's texts."""
    rank = {"rank": rank_text(letter.rank[0], shared=letter.rank[1])}
    if letter.called:
        yield gettext(CALLED) % rank, BOLD
    else:
        yield gettext("Rank %(rank)s in the preliminary: you have a place in the final.") % rank, BOLD
    yield gettext("When: %(when)s") % {"when": when(news)}, REGULAR
    where = news.venues[place] or news.venues[1 - place] or gettext("to be announced")
    yield gettext("Where: %(where)s") % {"where": where}, REGULAR
    if news.until:
        until = f"{moments.weekday_date_text(news.until)} {moments.time_text(news.until)}"
        yield gettext("Please answer until %(until)s whether you will play.") % {"until": until}, BOLD
    else:
        yield gettext("Please answer soon whether you will play."), BOLD
    yield (
        gettext(
            "Scan the code or open the address below, or tell the organiser's desk. You may change your answer until"
            " the last moment, but a place that you give up is gone once it is offered to a reserve. Without an answer"
            " in time the place may be given to a reserve."
        ),
        REGULAR,
    )
    if news.contact:
        yield gettext("Contact: %(contact)s") % {"contact": news.contact}, REGULAR


def when(news: FinalNews) -> str:
    """Day and check-in; of several rounds the first and how many; or that it is to be announced."""
    if not news.check_ins:
        return gettext("to be announced on the page of the address below")
    first = news.check_ins[0]
    day = f"{moments.full_date_text(first)}{'' if moments.chinese() else ','} "
    said = day + gettext("check-in %(at)s") % {"at": moments.time_text(first)}
    if len(news.check_ins) > 1:
        said += gettext(", %(n)s rounds") % {"n": len(news.check_ins)}
    return said


def draw_words(page: Canvas, y: float, said: Sequence[tuple[str, str]]) -> float:
    """The paragraphs from y down; answers where the next may begin."""
    for text, weight in said:
        for line in pdf_text.wrap(text, MEASURE, BODY, weight):
            y -= BODY * LEADING
            pdf_fonts.draw(page, MARGIN, y, line, BODY, weight)
        y -= 3
    return y


def draw_link(page: Canvas, y: float, letter: Letter) -> None:
    """The QR code with the address beside it, and whose it is."""
    page.setLineWidth(HAIR)
    page.line(MARGIN, y, WIDTH - MARGIN, y)
    top = y - 5 * mm
    pdf_qr.draw(page, MARGIN, top - QR_SIDE, QR_SIDE, letter.url)
    x, room = MARGIN + QR_SIDE + GAP, MEASURE - QR_SIDE - GAP
    y = top - 4 * mm
    for line in broken(letter.url, room):
        pdf_fonts.draw(page, x, y, line, BODY, BOLD)
        y -= BODY * LEADING
    page.setFillGray(GREY)
    for sentence in both(
        _("This address is yours alone: whoever has it can answer for you. A parent answers for a child.")
    ):
        y -= 4
        for line in pdf_text.wrap(sentence, room, SMALL):
            pdf_fonts.draw(page, x, y, line, SMALL)
            y -= SMALL * LEADING
    page.setFillGray(0)


def broken(url: str, width: float) -> list[str]:
    """The address on lines, broken after a / where it can be, so that it is typed as it stands."""
    lines = [""]
    for piece in url.replace("/", "/\n").split("\n"):
        for character in piece if pdf_fonts.width(piece, BODY, BOLD) > width else [piece]:
            if lines[-1] and pdf_fonts.width(lines[-1] + character, BODY, BOLD) > width:
                lines.append("")
            lines[-1] += character
    return lines
