"""Text of a PDF: every Hong Kong character is printed and read back, and what no font has is refused."""

from io import BytesIO

import pypdfium2
import pytest

from tournament.core.exports import pdf_fonts, pdf_text

NAMES = ("𨋢𤧬衞峯", "陳𠮷", "歐陽文", "D'SOUZA Łukasz", "嘅啲嚟咗冇", "刘国庆", "Nguyễn", "+30 −5 11½")


def document(*lines: str, weight: str = pdf_fonts.WEIGHT_REGULAR) -> bytes:
    file = BytesIO()
    page = pdf_fonts.make_pdf_canvas(file, (600, 400), title="試")
    for number, line in enumerate(lines):
        pdf_fonts.draw_text_line(page, 20, 370 - 30 * number, line, 14, weight)
    page.showPage()
    page.save()
    return file.getvalue()


def text_of(pdf: bytes) -> list[str]:
    return pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded().splitlines()


@pytest.mark.parametrize("weight", [pdf_fonts.WEIGHT_REGULAR, pdf_fonts.WEIGHT_BOLD])
def test_every_hong_kong_character_is_read_back_also_beyond_the_bmp(weight: str) -> None:
    assert text_of(document(*NAMES, weight=weight)) == list(NAMES)


def test_a_hundred_and_more_characters_of_one_font_are_read_back() -> None:
    line = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 40))
    lines = [line, *(chr(ord(line[-1]) + 40 * n + 1) * 3 for n in range(8))]
    many = ["".join(chr(0x5000 + 40 * row + column) for column in range(40)) for row in range(12)]

    assert text_of(document(*lines)) == lines
    assert text_of(document(*many)) == many


def test_the_map_writes_surrogates_in_blocks_of_a_hundred() -> None:
    written = pdf_fonts.unicode_map("F", [0, 0x41, 0x20BB7, *range(0x4E00, 0x4E00 + 120)])

    assert "<01> <0041>" in written
    assert "<02> <D842DFB7>" in written
    assert [line for line in written.splitlines() if line.endswith("beginbfchar")] == [
        "100 beginbfchar",
        "22 beginbfchar",
    ]


def test_no_font_that_is_not_embedded_stands_in_the_file() -> None:
    pdf = document("陳大文", "CHAN")

    assert b"Helvetica" not in pdf
    assert pdf.count(b"/FontFile2") == pdf.count(b"/Type /FontDescriptor") > 0


def test_the_same_input_gives_the_same_bytes() -> None:
    assert document(*NAMES) == document(*NAMES)


def test_what_no_font_has_is_told_and_drawn_as_the_mark_of_a_missing_letter() -> None:
    assert pdf_fonts.unprintable_characters("陳😀\u200d한文\ufe00葛\U000e0100\u00a0") == ["😀", "한"]
    assert "".join(text for _font, text in pdf_fonts.font_runs("陳😀\u200d文\ufe00")) == "陳〓文"


def test_a_run_falls_back_a_character_at_a_time() -> None:
    assert pdf_fonts.font_runs("陳𠮷Ł文") == (
        ("NotoSansHK_400Regular", "陳"),
        ("NotoSansJP_fallback_400", "𠮷"),
        ("NotoSans_fallback_400", "Ł"),
        ("NotoSansHK_400Regular", "文"),
    )


def test_digits_are_of_one_width() -> None:
    for weight in (pdf_fonts.WEIGHT_REGULAR, pdf_fonts.WEIGHT_BOLD):
        assert len({pdf_fonts.text_width_in_points(digit, 10, weight) for digit in "0123456789"}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "陳",
        "陳" * 100,
        "A" * 100,
        "司徒歐陽上官諸葛東方慕容",
        "WOLFESCHLEGELSTEINHAUSENBERGERDORFF Hubert Blaine Senior of Kowloon City",
        "Maria-José D'SOUZA 陳大文 of 𨋢𠮷",
    ],
)
def test_a_name_of_any_length_fits_its_box_whole(text: str) -> None:
    fitted = pdf_text.fit_text(text, 130, 29, 16, 10)

    assert "".join(fitted.lines).replace(" ", "") == text.replace(" ", "")
    assert fitted.height <= 29.001
    assert max(pdf_fonts.text_width_in_points(line, fitted.size) for line in fitted.lines) <= 130.001


def test_a_short_name_stands_large_on_one_line_and_a_longer_one_on_two() -> None:
    short = pdf_text.fit_text("陳大文", 130, 29, 16, 10)
    two = pdf_text.fit_text("AU YEUNG Wai Fung Bartholomew", 130, 29, 16, 11)

    assert short == pdf_text.FittedText(16, ("陳大文",))
    assert two.lines == ("AU YEUNG Wai Fung", "Bartholomew")
