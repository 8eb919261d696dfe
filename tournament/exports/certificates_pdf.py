"""Certificates to hand over: A4 landscape, one a page, both languages on it, names whole in embedded fonts."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import translation
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from tournament.exports import pdf_fonts, pdf_text
from tournament.exports.pdf_fonts import BOLD, CENTRE, LEFT, REGULAR, RIGHT
from tournament.exports.pdf_names import paper_name
from tournament.exports.released import LANGUAGES
from tournament.moments import full_date_text
from tournament.quantities import entrant_number_text

WIDTH, HEIGHT = landscape(A4)
MIDDLE = WIDTH / 2
FRAME, INNER = 26.0, 33.0
INK, SECOND, EDGE = (0.12, 0.11, 0.09), (0.36, 0.33, 0.27), (0.52, 0.48, 0.40)

Both = tuple[str, str]

# What is printed stands in both languages side by side, whoever prints it.
AWARDED: Both = ("獎狀", "Certificate of Award")
CERTIFICATE: Both = ("證書", "Certificate")
CERTIFIES: Both = ("茲證明", "This is to certify that")
WON: Both = ("榮獲", "has been awarded")
PLAYED: Both = ("參加決賽，成績為", "played in the final with the result")
ENTRANT: Both = ("參賽者", "Entrant")
RELEASE: Both = ("正式結果", "Release")
# Under whose hand or stamp it is given, from the left.
SIGNED_BY: tuple[Both, ...] = (("總評判", "Chief judge"), ("大會蓋印", "Official stamp"), ("主辦機構", "Organiser"))
SIGNATURE = 170.0


@dataclass(frozen=True, slots=True)
class Certified:
    """Somebody named on a certificate, in full; `role` in both languages where several are named."""

    number: int
    name_zh: str
    name_en: str
    role: Both = ("", "")


@dataclass(frozen=True, slots=True)
class Certificate:
    """One page: whom it names, for what, in both languages."""

    title: Both
    people: tuple[Certified, ...]
    reached: Both
    achievement: Both


@dataclass(frozen=True, slots=True)
class Occasion:
    """What every page of a file says: the event, the day of the final, the release that the figures are from."""

    event: Both
    venue: Both
    day: date
    release: int
    digest: str


def each(words: Callable[[], str]) -> Both:
    """What a function says in Chinese and in English."""
    said = []
    for language in LANGUAGES:
        with translation.override(language):
            said.append(words())
    return said[0], said[1]


def rank_words(rank: int, count: int, *, shared: bool) -> Both:
    """Rank 17 of 120."""
    return (
        f"第 {rank} 名{'（同名次）' if shared else ''}，共 {count} 名決賽選手",
        f"rank {rank}{', shared,' if shared else ''} of {count} finalists",
    )


def certificates_pdf(certificates: Sequence[Certificate], occasion: Occasion) -> bytes:
    """One page a certificate; the same bytes for the same certificates."""
    file = io.BytesIO()
    page = pdf_fonts.canvas(file, (WIDTH, HEIGHT), title=f"{occasion.event[1] or occasion.event[0]} {occasion.release}")
    day = each(lambda: full_date_text(occasion.day))
    for certificate in certificates:
        draw_frame(page)
        draw_heading(page, certificate, occasion)
        draw_people(page, certificate.people)
        draw_achievement(page, certificate, day)
        draw_signatures(page)
        draw_foot(page, certificate, occasion)
        page.showPage()
    page.save()
    return file.getvalue()


def draw_frame(page: Canvas) -> None:
    """A thick line, and a hairline inside it."""
    for inset, width, colour in ((FRAME, 2.2, INK), (INNER, 0.6, EDGE)):
        page.setStrokeColorRGB(*colour)
        page.setLineWidth(width)
        page.rect(inset, inset, WIDTH - 2 * inset, HEIGHT - 2 * inset)


def draw_heading(page: Canvas, certificate: Certificate, occasion: Occasion) -> None:
    """The event, then what this paper is."""
    line(page, occasion.event[0] or occasion.event[1], HEIGHT - 58, 30, 17, BOLD)
    if occasion.event[0]:
        line(page, occasion.event[1], HEIGHT - 86, 18, 11.5, REGULAR, SECOND)
    line(page, certificate.title[0], HEIGHT - 112, 54, 40, BOLD)
    line(page, certificate.title[1], HEIGHT - 166, 22, 15, REGULAR, SECOND)
    line(page, " ".join(CERTIFIES), HEIGHT - 204, 18, 11, REGULAR, SECOND)


def draw_people(page: Canvas, people: Sequence[Certified]) -> None:
    """One name over the whole width, or each of several in a column of its own."""
    column = (WIDTH - 140) / len(people)
    for place, person in enumerate(people):
        x = 70 + column * (place + 0.5)
        first, second, _note = paper_name(person.number, person.name_zh, person.name_en)
        if person.role[0]:
            line(page, " ".join(person.role), HEIGHT - 230, 16, 10, REGULAR, SECOND, x, column - 20)
        height = 56 if second else 92
        line(page, first, HEIGHT - 248, height, 42, BOLD, INK, x, column - 20, least=22)
        line(page, second, HEIGHT - 306, 34, 21, REGULAR, INK, x, column - 20, least=13)
        page.setStrokeColorRGB(*EDGE)
        page.setLineWidth(0.6)
        page.line(x - column * 0.36, HEIGHT - 345, x + column * 0.36, HEIGHT - 345)


def draw_achievement(page: Canvas, certificate: Certificate, day: Both) -> None:
    """For what, where and when."""
    line(page, " ".join(certificate.reached), HEIGHT - 354, 18, 11, REGULAR, SECOND)
    line(page, certificate.achievement[0], HEIGHT - 374, 40, 28, BOLD)
    line(page, certificate.achievement[1], HEIGHT - 415, 24, 15, REGULAR, INK)
    line(page, "  ".join(day), HEIGHT - 446, 18, 11, REGULAR, SECOND)


def draw_signatures(page: Canvas) -> None:
    """A line to sign on for each; the stamp has room without one."""
    for place, words in enumerate(SIGNED_BY):
        x = MIDDLE + (place - 1) * 250
        page.setStrokeColorRGB(*INK)
        page.setLineWidth(0.8)
        if place != 1:
            page.line(x - SIGNATURE / 2, 84, x + SIGNATURE / 2, 84)
        page.setFillColorRGB(*SECOND)
        pdf_fonts.draw(page, x, 70, " ".join(words), 9.5, REGULAR, CENTRE)


def draw_foot(page: Canvas, certificate: Certificate, occasion: Occasion) -> None:
    """The numbers by which anybody can look the result up."""
    numbers = ", ".join(entrant_number_text(person.number) for person in certificate.people)
    notes = [paper_name(person.number, person.name_zh, person.name_en).note for person in certificate.people]
    who = "·".join([f"{' '.join(ENTRANT)} {numbers}", *dict.fromkeys(note for note in notes if note)])
    release = f"{' '.join(RELEASE)} {occasion.release}·SHA-256 {occasion.digest[:16]}"
    page.setFillColorRGB(*SECOND)
    pdf_fonts.draw(page, INNER + 12, INNER + 10, who, 7.5, REGULAR, LEFT)
    pdf_fonts.draw(page, WIDTH - INNER - 12, INNER + 10, release, 7.5, REGULAR, RIGHT)


def line(
    page: Canvas,
    text: str,
    top: float,
    height: float,
    largest: float,
    weight: str = REGULAR,
    colour: tuple[float, float, float] = INK,
    x: float = MIDDLE,
    width: float = WIDTH - 160,
    least: float = 0,
) -> None:
    """The text whole in a box, about x: smaller where it is long, then on more lines."""
    if not text:
        return
    page.setFillColorRGB(*colour)
    fitted = pdf_text.fit(text, width, height, largest, least or largest * 0.6, weight)
    pdf_text.draw(page, x, top, height, fitted, weight, CENTRE)
