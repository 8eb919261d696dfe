"""Fonts of every PDF: embedded, with a fallback a character, and text that can be searched and copied.

How another export uses it:

    pdf_fonts.lacking(name)                                   the characters that no font has: pdf_names asks it
    page = pdf_fonts.canvas(buffer, size, title="...")        embedded fonts only, the same bytes for the same input
    pdf_fonts.draw(page, x, y, "陳大文", 11, WEIGHT_BOLD)      points; align=ALIGN_LEFT | ALIGN_CENTRE | ALIGN_RIGHT
    about x pdf_fonts.width("陳大文", 11, WEIGHT_BOLD)                 points

Each character comes from the first font of its weight's chain that has it: Hong Kong forms, then what that font
lacks of Chinese, Latin and Japanese (𠮷 is in the last). Digits are of one width in each. A character in none stops
nobody's paper and is never a box (fault E4): a name gives way to the other name or the number (pdf_names), in any other
text it is printed as 〓, the printers' mark for a letter that is not in the case.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import IO, Final, cast

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFDocument, PDFStream
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tournament.core.names import visible_text

FONTS_FOLDER = Path(__file__).resolve().parents[2] / "fonts"

WEIGHT_REGULAR, WEIGHT_BOLD = "regular", "bold"
ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT = "left", "centre", "right"

# Two fallbacks come in one weight: in a bold line their characters are drawn with an outline, as thick as bold.
FALLBACK_FONTS = ("NotoSansSC_fallback_400", "NotoSans_fallback_400")
FONT_CHAINS = {
    WEIGHT_REGULAR: ("NotoSansHK_400Regular", *FALLBACK_FONTS, "NotoSansJP_fallback_400"),
    WEIGHT_BOLD: ("NotoSansHK_700Bold", *FALLBACK_FONTS, "NotoSansJP_fallback_700"),
}
OUTLINED_FONTS = frozenset(FALLBACK_FONTS)
OUTLINE_WIDTH = 0.035  # of the size
FILLED_AND_OUTLINED: Final = 2
# A bfchar block holds at most a hundred lines (PDF 32000-1, 9.10.3).
CMAP_BLOCK = 100
MISSING_GLYPH = "〓"

FontRun = tuple[str, str]

_fonts_lock = Lock()
_embedding_lock = Lock()


class EmbeddedFont(TTFont):
    """A TrueType font whose ToUnicode map is right beyond the BMP, where reportlab's own writes five digits."""

    def addObjects(self, doc: PDFDocument) -> None:
        """Embed the used characters; the face reads its file by a shared position, so one document at a time."""
        with _embedding_lock:
            subsets = [list(subset) for subset in self.state[doc].subsets]
            names = [self.getSubsetInternalName(number, doc)[1:] for number in range(len(subsets))]
            super().addObjects(doc)
        for name, subset in zip(names, subsets, strict=True):
            font = cast(PDFDictionary, doc.idToObject["BasicFonts"]).dict[name]
            cast(PDFStream, doc.idToObject[font.ToUnicode.name]).content = unicode_map(font.BaseFont, subset)


def unicode_map(name: str, subset: Sequence[int]) -> str:
    """A ToUnicode CMap: the code of each glyph to its character as UTF-16BE, surrogates and all."""
    lines = [f"<{code:02X}> <{utf16_hex(character)}>" for code, character in enumerate(subset) if character]
    blocks = [lines[start : start + CMAP_BLOCK] for start in range(0, len(lines), CMAP_BLOCK)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        f"/CMapName /{name} def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<00> <FF>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    )


def utf16_hex(character: int) -> str:
    """A character as hexadecimal UTF-16BE: `<20BB7>` is `D842DFB7`."""
    return chr(character).encode("utf-16-be").hex().upper()


@cache
def _load_font_chains() -> dict[str, list[tuple[str, frozenset[int]]]]:
    """By weight: the fonts in their order, each with the characters it has. Registered once a process."""
    has: dict[str, frozenset[int]] = {}
    for name in sorted({name for chain in FONT_CHAINS.values() for name in chain}):
        font = EmbeddedFont(name, str(FONTS_FOLDER / f"{name}.ttf"), shapable=False)
        pdfmetrics.registerFont(font)
        has[name] = frozenset(font.face.charToGlyph)
    return {weight: [(name, has[name]) for name in chain] for weight, chain in FONT_CHAINS.items()}


def font_chains_loaded() -> dict[str, list[tuple[str, frozenset[int]]]]:
    """The chains; loading takes some tenths of a second, by one thread."""
    with _fonts_lock:
        return _load_font_chains()


def font_of(character: str, weight: str = WEIGHT_REGULAR) -> str | None:
    """The first font of the chain that has this character; None where no font has it."""
    code = ord(character)
    return next((name for name, has in font_chains_loaded()[weight] if code in has), None)


@lru_cache(maxsize=16384)
def font_runs(text: str, weight: str = WEIGHT_REGULAR) -> tuple[FontRun, ...]:
    """The text as (font, text) runs: without what is not seen anyway, what no font has as 〓."""
    found: list[FontRun] = []
    for character in visible_text(text):
        font = font_of(character, weight)
        if font is None:
            character, font = MISSING_GLYPH, FONT_CHAINS[weight][0]
        if found and found[-1][0] == font:
            found[-1] = (font, found[-1][1] + character)
        else:
            found.append((font, character))
    return tuple(found)


def text_width_in_points(text: str, size: float, weight: str = WEIGHT_REGULAR) -> float:
    """How wide the text is drawn, in points."""
    return _width_of_one(text, weight) * size


@lru_cache(maxsize=16384)
def _width_of_one(text: str, weight: str) -> float:
    return sum(pdfmetrics.stringWidth(part, font, 1) for font, part in font_runs(text, weight))


def draw_text_line(
    page: Canvas, x: float, y: float, text: str, size: float, weight: str = WEIGHT_REGULAR, align: str = ALIGN_LEFT
) -> None:
    """Draw one line about x with its baseline at y."""
    if align != ALIGN_LEFT:
        x -= text_width_in_points(text, size, weight) / (2 if align == ALIGN_CENTRE else 1)
    for font, part in font_runs(text, weight):
        page.setFont(font, size)
        if weight == WEIGHT_BOLD and font in OUTLINED_FONTS:
            _draw_outlined(page, x, y, part, size)
        else:
            page.drawString(x, y, part)
        x += pdfmetrics.stringWidth(part, font, size)


def _draw_outlined(page: Canvas, x: float, y: float, text: str, size: float) -> None:
    page.saveState()
    page.setLineWidth(size * OUTLINE_WIDTH)
    page.setStrokeColor(page._fillColorObj)  # type: ignore[attr-defined]  # the library tells its fill in no other way
    page.drawString(x, y, text, mode=FILLED_AND_OUTLINED)
    page.restoreState()


def unprintable_characters(text: str) -> list[str]:
    """The characters of a text that no font has, each once; layout needs none."""
    return [character for character in dict.fromkeys(visible_text(text)) if font_of(character) is None]


def describe_character(character: str) -> str:
    """A character beside its code: `😀 U+1F600`; the code alone for what cannot be seen."""
    code = f"U+{ord(character):04X}"
    return f"{character} {code}" if character.isprintable() else code


def make_pdf_canvas(file: IO[bytes], size: tuple[float, float], title: str, author: str = "") -> Canvas:
    """A document to draw on: no font that is not embedded, and the same bytes for the same input."""
    font_chains_loaded()
    page = Canvas(
        file,
        pagesize=size,
        invariant=1,
        pageCompression=1,
        initialFontName=FONT_CHAINS[WEIGHT_REGULAR][0],  # type: ignore[arg-type]  # the stubs want a number for a name
        lang="zh-HK",
    )
    page.setTitle(title)
    page.setAuthor(author)
    page.setSubject("")
    page.setCreator("")
    page.setProducer("")
    return page
