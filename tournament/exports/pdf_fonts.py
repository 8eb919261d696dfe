"""Fonts of every PDF: embedded, with a fallback a character, and text that can be searched and copied.

How another export uses it:

    pdf_fonts.lacking(name)                                   the characters that no font has: pdf_names asks it
    page = pdf_fonts.canvas(buffer, size, title="...")        embedded fonts only, the same bytes for the same input
    pdf_fonts.draw(page, x, y, "陳大文", 11, BOLD)             points; align=LEFT | CENTRE | RIGHT about x
    pdf_fonts.width("陳大文", 11, BOLD)                        points

Each character comes from the first font of its weight's chain that has it: Hong Kong forms, then what that font
lacks of Chinese, Latin and Japanese (𠮷 is in the last). Digits are of one width in each. A character in none stops
nobody's paper and is never a box (fault E4): a name gives way to the other name or the number (pdf_names), in any other
text it is printed as 〓, the printers' mark for a letter that is not in the case.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import IO

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tournament.names import visible

FONTS = Path(__file__).resolve().parent.parent / "fonts"

REGULAR, BOLD = "regular", "bold"
LEFT, CENTRE, RIGHT = "left", "centre", "right"

# Two fallbacks come in one weight: in a bold line their characters are drawn with an outline, as thick as bold.
FALLBACKS = ("NotoSansSC_fallback_400", "NotoSans_fallback_400")
CHAINS = {
    REGULAR: ("NotoSansHK_400Regular", *FALLBACKS, "NotoSansJP_fallback_400"),
    BOLD: ("NotoSansHK_700Bold", *FALLBACKS, "NotoSansJP_fallback_700"),
}
OUTLINED = frozenset(FALLBACKS)
OUTLINE = 0.035  # of the size
FILLED_AND_OUTLINED = 2
# A bfchar block holds at most a hundred lines (PDF 32000-1, 9.10.3).
CMAP_BLOCK = 100
MISSING = "〓"

Run = tuple[str, str]

_loading = Lock()
_embedding = Lock()


class EmbeddedFont(TTFont):
    """A TrueType font whose ToUnicode map is right beyond the BMP, where reportlab's own writes five digits."""

    def addObjects(self, doc: PDFDocument) -> None:
        """Embed the used characters; the face reads its file by a shared position, so one document at a time."""
        with _embedding:
            subsets = [list(subset) for subset in self.state[doc].subsets]
            names = [self.getSubsetInternalName(number, doc)[1:] for number in range(len(subsets))]
            super().addObjects(doc)
        for name, subset in zip(names, subsets, strict=True):
            font = doc.idToObject["BasicFonts"].dict[name]
            doc.idToObject[font.ToUnicode.name].content = unicode_map(font.BaseFont, subset)


def unicode_map(name: str, subset: Sequence[int]) -> str:
    """A ToUnicode CMap: the code of each glyph to its character as UTF-16BE, surrogates and all."""
    lines = [f"<{code:02X}> <{utf16(character)}>" for code, character in enumerate(subset) if character]
    blocks = [lines[start : start + CMAP_BLOCK] for start in range(0, len(lines), CMAP_BLOCK)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        f"/CMapName /{name} def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<00> <FF>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    )


def utf16(character: int) -> str:
    """A character as hexadecimal UTF-16BE: `<20BB7>` is `D842DFB7`."""
    return chr(character).encode("utf-16-be").hex().upper()


@cache
def _faces() -> dict[str, list[tuple[str, frozenset[int]]]]:
    """By weight: the fonts in their order, each with the characters it has. Registered once a process."""
    has: dict[str, frozenset[int]] = {}
    for name in sorted({name for chain in CHAINS.values() for name in chain}):
        font = EmbeddedFont(name, str(FONTS / f"{name}.ttf"), shapable=False)
        pdfmetrics.registerFont(font)
        has[name] = frozenset(font.face.charToGlyph)
    return {weight: [(name, has[name]) for name in chain] for weight, chain in CHAINS.items()}


def faces() -> dict[str, list[tuple[str, frozenset[int]]]]:
    """The chains; loading takes some tenths of a second, by one thread."""
    with _loading:
        return _faces()


def font_of(character: str, weight: str = REGULAR) -> str | None:
    """The first font of the chain that has this character; None where no font has it."""
    code = ord(character)
    return next((name for name, has in faces()[weight] if code in has), None)


@lru_cache(maxsize=16384)
def runs(text: str, weight: str = REGULAR) -> tuple[Run, ...]:
    """The text as (font, text) runs: without what is not seen anyway, what no font has as 〓."""
    found: list[Run] = []
    for character in visible(text):
        font = font_of(character, weight)
        if font is None:
            character, font = MISSING, CHAINS[weight][0]
        if found and found[-1][0] == font:
            found[-1] = (font, found[-1][1] + character)
        else:
            found.append((font, character))
    return tuple(found)


def width(text: str, size: float, weight: str = REGULAR) -> float:
    """How wide the text is drawn, in points."""
    return _width_of_one(text, weight) * size


@lru_cache(maxsize=16384)
def _width_of_one(text: str, weight: str) -> float:
    return sum(pdfmetrics.stringWidth(part, font, 1) for font, part in runs(text, weight))


def draw(page: Canvas, x: float, y: float, text: str, size: float, weight: str = REGULAR, align: str = LEFT) -> None:
    """Draw one line about x with its baseline at y."""
    if align != LEFT:
        x -= width(text, size, weight) / (2 if align == CENTRE else 1)
    for font, part in runs(text, weight):
        page.setFont(font, size)
        if weight == BOLD and font in OUTLINED:
            _draw_outlined(page, x, y, part, size)
        else:
            page.drawString(x, y, part)
        x += pdfmetrics.stringWidth(part, font, size)


def _draw_outlined(page: Canvas, x: float, y: float, text: str, size: float) -> None:
    page.saveState()
    page.setLineWidth(size * OUTLINE)
    page.setStrokeColor(page._fillColorObj)
    page.drawString(x, y, text, mode=FILLED_AND_OUTLINED)
    page.restoreState()


def lacking(text: str) -> list[str]:
    """The characters of a text that no font has, each once; layout needs none."""
    return [character for character in dict.fromkeys(visible(text)) if font_of(character) is None]


def shown(character: str) -> str:
    """A character beside its code: `😀 U+1F600`; the code alone for what cannot be seen."""
    code = f"U+{ord(character):04X}"
    return f"{character} {code}" if character.isprintable() else code


def canvas(file: IO[bytes], size: tuple[float, float], title: str, author: str = "") -> Canvas:
    """A document to draw on: no font that is not embedded, and the same bytes for the same input."""
    faces()
    page = Canvas(file, pagesize=size, invariant=1, pageCompression=1, initialFontName=CHAINS[REGULAR][0], lang="zh-HK")
    page.setTitle(title)
    page.setAuthor(author)
    page.setSubject("")
    page.setCreator("")
    page.setProducer("")
    return page
