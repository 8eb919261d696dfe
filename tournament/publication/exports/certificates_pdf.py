"""Certificates to hand over: A4 landscape, one a page, both languages on it, names whole in embedded fonts."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import translation
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from tournament.core.dateformat import full_date_text
from tournament.core.exports import pdf_fonts, pdf_text
from tournament.core.exports.pdf_fonts import ALIGN_CENTRE, ALIGN_LEFT, ALIGN_RIGHT, WEIGHT_BOLD, WEIGHT_REGULAR
from tournament.core.exports.pdf_names import paper_name
from tournament.core.numberformat import entrant_number_text
from tournament.publication.exports.released import RELEASE_LANGUAGES

CERTIFICATE_WIDTH, CERTIFICATE_HEIGHT = landscape(A4)
CERTIFICATE_MIDDLE = CERTIFICATE_WIDTH / 2
OUTER_FRAME_INSET, INNER_FRAME_INSET = 26.0, 33.0
MAIN_INK, SECONDARY_INK, FRAME_INK = (0.12, 0.11, 0.09), (0.36, 0.33, 0.27), (0.52, 0.48, 0.40)

BothLanguages = tuple[str, str]

# What is printed stands in both languages side by side, whoever prints it.
AWARD_TITLE: BothLanguages = ("獎狀", "Certificate of Award")
CERTIFICATE_TITLE: BothLanguages = ("證書", "Certificate")
CERTIFIES_WORDS: BothLanguages = ("茲證明", "This is to certify that")
WON_WORDS: BothLanguages = ("榮獲", "has been awarded")
PLAYED_FINAL_WORDS: BothLanguages = ("參加決賽，成績為", "played in the final with the result")
PLAYED_EVENT_WORDS: BothLanguages = ("完成全部比賽，成績為", "played all games with the result")
ENTRANT_LABEL: BothLanguages = ("參賽者", "Entrant")
RELEASE_LABEL: BothLanguages = ("正式結果", "Release")
# Under whose hand or stamp it is given, from the left.
SIGNED_BY: tuple[BothLanguages, ...] = (
    ("總評判", "Chief judge"),
    ("大會蓋印", "Official stamp"),
    ("主辦機構", "Organiser"),
)
SIGNATURE_LINE_WIDTH = 170.0


@dataclass(frozen=True, slots=True)
class CertifiedPerson:
    """Somebody named on a certificate, in full; `role` in both languages where several are named."""

    number: int
    name_zh: str
    name_en: str
    role: BothLanguages = ("", "")


@dataclass(frozen=True, slots=True)
class Certificate:
    """One page: whom it names, for what, in both languages."""

    title: BothLanguages
    people: tuple[CertifiedPerson, ...]
    reached: BothLanguages
    achievement: BothLanguages


@dataclass(frozen=True, slots=True)
class CertificateOccasion:
    """What every page of a file says: the event, the day of the final, the release that the figures are from."""

    event: BothLanguages
    venue: BothLanguages
    day: date
    release: int
    digest: str


def text_in_each_language(words: Callable[[], str]) -> BothLanguages:
    """What a function says in Chinese and in English."""
    said = []
    for language in RELEASE_LANGUAGES:
        with translation.override(language):
            said.append(words())
    return said[0], said[1]


def rank_words(rank: int, count: int, *, shared: bool, in_final: bool) -> BothLanguages:
    """The place among those who are ranked: finalists, or all who played an event of one stage."""
    zh, en = ("決賽選手", "finalists") if in_final else ("參賽者", "entrants")
    return (
        f"第 {rank} 名{'（同名次）' if shared else ''}，共 {count} 名{zh}",
        f"rank {rank}{', shared,' if shared else ''} of {count} {en}",
    )


def certificates_pdf_file(certificates: Sequence[Certificate], occasion: CertificateOccasion) -> bytes:
    """One page a certificate; the same bytes for the same certificates."""
    file = io.BytesIO()
    page = pdf_fonts.make_pdf_canvas(
        file,
        (CERTIFICATE_WIDTH, CERTIFICATE_HEIGHT),
        title=f"{occasion.event[1] or occasion.event[0]} {occasion.release}",
    )
    day = text_in_each_language(lambda: full_date_text(occasion.day))
    for certificate in certificates:
        draw_certificate_frame(page)
        draw_certificate_heading(page, certificate, occasion)
        draw_certified_people(page, certificate.people)
        draw_achievement(page, certificate, day)
        draw_signatures(page)
        draw_certificate_foot(page, certificate, occasion)
        page.showPage()
    page.save()
    return file.getvalue()


def draw_certificate_frame(page: Canvas) -> None:
    """A thick line, and a hairline inside it."""
    for inset, width, colour in ((OUTER_FRAME_INSET, 2.2, MAIN_INK), (INNER_FRAME_INSET, 0.6, FRAME_INK)):
        page.setStrokeColorRGB(*colour)
        page.setLineWidth(width)
        page.rect(inset, inset, CERTIFICATE_WIDTH - 2 * inset, CERTIFICATE_HEIGHT - 2 * inset)


def draw_certificate_heading(page: Canvas, certificate: Certificate, occasion: CertificateOccasion) -> None:
    """The event, then what this paper is."""
    draw_text_in_box(page, occasion.event[0] or occasion.event[1], CERTIFICATE_HEIGHT - 58, 30, 17, WEIGHT_BOLD)
    if occasion.event[0]:
        draw_text_in_box(page, occasion.event[1], CERTIFICATE_HEIGHT - 86, 18, 11.5, WEIGHT_REGULAR, SECONDARY_INK)
    draw_text_in_box(page, certificate.title[0], CERTIFICATE_HEIGHT - 112, 54, 40, WEIGHT_BOLD)
    draw_text_in_box(page, certificate.title[1], CERTIFICATE_HEIGHT - 166, 22, 15, WEIGHT_REGULAR, SECONDARY_INK)
    draw_text_in_box(page, " ".join(CERTIFIES_WORDS), CERTIFICATE_HEIGHT - 204, 18, 11, WEIGHT_REGULAR, SECONDARY_INK)


def draw_certified_people(page: Canvas, people: Sequence[CertifiedPerson]) -> None:
    """One name over the whole width, or each of several in a column of its own."""
    column = (CERTIFICATE_WIDTH - 140) / len(people)
    for place, person in enumerate(people):
        x = 70 + column * (place + 0.5)
        first, second, _note = paper_name(person.number, person.name_zh, person.name_en)
        if person.role[0]:
            draw_text_in_box(
                page,
                " ".join(person.role),
                CERTIFICATE_HEIGHT - 230,
                16,
                10,
                WEIGHT_REGULAR,
                SECONDARY_INK,
                x,
                column - 20,
            )
        height = 56 if second else 92
        draw_text_in_box(
            page, first, CERTIFICATE_HEIGHT - 248, height, 42, WEIGHT_BOLD, MAIN_INK, x, column - 20, least=22
        )
        draw_text_in_box(
            page, second, CERTIFICATE_HEIGHT - 306, 34, 21, WEIGHT_REGULAR, MAIN_INK, x, column - 20, least=13
        )
        page.setStrokeColorRGB(*FRAME_INK)
        page.setLineWidth(0.6)
        page.line(x - column * 0.36, CERTIFICATE_HEIGHT - 345, x + column * 0.36, CERTIFICATE_HEIGHT - 345)


def draw_achievement(page: Canvas, certificate: Certificate, day: BothLanguages) -> None:
    """For what, where and when."""
    draw_text_in_box(
        page, " ".join(certificate.reached), CERTIFICATE_HEIGHT - 354, 18, 11, WEIGHT_REGULAR, SECONDARY_INK
    )
    draw_text_in_box(page, certificate.achievement[0], CERTIFICATE_HEIGHT - 374, 40, 28, WEIGHT_BOLD)
    draw_text_in_box(page, certificate.achievement[1], CERTIFICATE_HEIGHT - 415, 24, 15, WEIGHT_REGULAR, MAIN_INK)
    draw_text_in_box(page, "  ".join(day), CERTIFICATE_HEIGHT - 446, 18, 11, WEIGHT_REGULAR, SECONDARY_INK)


def draw_signatures(page: Canvas) -> None:
    """A line to sign on for each; the stamp has room without one."""
    for place, words in enumerate(SIGNED_BY):
        x = CERTIFICATE_MIDDLE + (place - 1) * 250
        page.setStrokeColorRGB(*MAIN_INK)
        page.setLineWidth(0.8)
        if place != 1:
            page.line(x - SIGNATURE_LINE_WIDTH / 2, 84, x + SIGNATURE_LINE_WIDTH / 2, 84)
        page.setFillColorRGB(*SECONDARY_INK)
        pdf_fonts.draw_text_line(page, x, 70, " ".join(words), 9.5, WEIGHT_REGULAR, ALIGN_CENTRE)


def draw_certificate_foot(page: Canvas, certificate: Certificate, occasion: CertificateOccasion) -> None:
    """The numbers by which anybody can look the result up."""
    numbers = ", ".join(entrant_number_text(person.number) for person in certificate.people)
    notes = [paper_name(person.number, person.name_zh, person.name_en).note for person in certificate.people]
    who = "·".join([f"{' '.join(ENTRANT_LABEL)} {numbers}", *dict.fromkeys(note for note in notes if note)])
    release = f"{' '.join(RELEASE_LABEL)} {occasion.release}·SHA-256 {occasion.digest[:16]}"
    page.setFillColorRGB(*SECONDARY_INK)
    pdf_fonts.draw_text_line(page, INNER_FRAME_INSET + 12, INNER_FRAME_INSET + 10, who, 7.5, WEIGHT_REGULAR, ALIGN_LEFT)
    pdf_fonts.draw_text_line(
        page,
        CERTIFICATE_WIDTH - INNER_FRAME_INSET - 12,
        INNER_FRAME_INSET + 10,
        release,
        7.5,
        WEIGHT_REGULAR,
        ALIGN_RIGHT,
    )


def draw_text_in_box(
    page: Canvas,
    text: str,
    top: float,
    height: float,
    largest: float,
    weight: str = WEIGHT_REGULAR,
    colour: tuple[float, float, float] = MAIN_INK,
    x: float = CERTIFICATE_MIDDLE,
    width: float = CERTIFICATE_WIDTH - 160,
    least: float = 0,
) -> None:
    """The text whole in a box, about x: smaller where it is long, then on more lines."""
    if not text:
        return
    page.setFillColorRGB(*colour)
    fitted = pdf_text.fit_text(text, width, height, largest, least or largest * 0.6, weight)
    pdf_text.draw_fitted_text(page, x, top, height, fitted, weight, ALIGN_CENTRE)
