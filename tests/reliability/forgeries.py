"""The seeds of Q11, as four spreadsheet programs and eight ways of CSV write one list, and how they are damaged."""

import io
import random
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tests.entrant_lists import HEADS, csv_of, sound_row, workbook_of

ROWS = [
    sound_row(number, name_zh=name, phone=f"9123 45{number:02d}", school="白田小學")
    for number, name in enumerate(["陳大文", "李小龍", "衞詠峯", "黃伯群", "何明", "林心怡"], start=1)
]
QUOTED = [{**row, "school": '白田"小學, 新界\n'} for row in ROWS]
SHEET = "xl/worksheets/sheet1.xml"
TYPES = "[Content_Types].xml"
SHARED_TYPE = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument'
    b'.spreadsheetml.sharedStrings+xml"/></Types>'
)
Parts = dict[str, bytes]


@dataclass(frozen=True)
class Seed:
    """A sound list: its bytes and the encoding that it is to be read in ("": a workbook)."""

    name: str
    content: bytes
    encoding: str = ""

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character that any seed has."""
        return frozenset("".join(str(cell) for row in (*ROWS, *QUOTED) for cell in (*row.values(), *HEADS.values())))


def parts_of(content: bytes) -> Parts:
    """The parts of a workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: Parts, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The parts as a workbook."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def shared(parts: Parts, rich: bool) -> Parts:
    """Texts in the shared table, in runs where `rich`: as Excel and LibreOffice write them."""
    texts: list[bytes] = []

    def share(found: re.Match[bytes]) -> bytes:
        texts.append(found[1])
        return b't="s"><v>%d</v></c>' % (len(texts) - 1)

    sheet = re.sub(rb't="inlineStr"><is><t[^>]*>(.*?)</t></is></c>', share, parts[SHEET], flags=re.DOTALL)
    form = b"<si><r><t>%s</t></r><r><t/></r></si>" if rich else b"<si><t>%s</t></si>"
    table = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</sst>'
    strings = table % b"".join(form % text for text in texts)
    types = parts[TYPES].replace(b"</Types>", SHARED_TYPE)
    return {**parts, SHEET: sheet, TYPES: types, "xl/sharedStrings.xml": strings}


def workbooks() -> list[Seed]:
    """Shared texts, shared texts in runs, no dimension and another sheet's title, parts that are not compressed."""
    content = workbook_of([list(HEADS.values()), *(list(row.values()) for row in ROWS)])
    parts = parts_of(content)
    plain = {**parts, SHEET: re.sub(rb"<dimension[^>]*/>", b"", parts[SHEET])}
    return [
        Seed("excel", zipped(shared(parts, rich=True))),
        Seed("libreoffice", zipped(shared(parts, rich=False))),
        Seed("numbers", zipped(plain)),
        Seed("wps", zipped(parts, zipfile.ZIP_STORED)),
    ]


SEEDS = (
    *workbooks(),
    Seed("utf-8", csv_of(ROWS, "utf-8"), "UTF-8"),
    Seed("utf-8 with mark", csv_of(ROWS, "utf-8-sig"), "UTF-8"),
    Seed("utf-16", csv_of(ROWS, "utf-16"), "UTF-16"),
    Seed("big5-hkscs", csv_of(ROWS, "big5hkscs"), "Big5-HKSCS"),
    Seed("semicolons", csv_of(ROWS, "utf-8", ";"), "UTF-8"),
    Seed("tabs", csv_of(ROWS, "utf-16", "\t"), "UTF-16"),
    Seed("quoted lines", csv_of(QUOTED, "utf-8-sig"), "UTF-8"),
    Seed("quoted lines in big5", csv_of(QUOTED, "big5hkscs"), "Big5-HKSCS"),
)

# In a part of the workbook: a pattern, and what a forger puts in its place.
FORGERIES: tuple[tuple[str, bytes, bytes], ...] = (
    (SHEET, rb"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>'),
    (SHEET, rb"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
    (SHEET, rb"<v>\d+</v>", b"<v>99999999</v>"),
    (SHEET, rb"<v>\d+</v>", b"<v>-7</v>"),
    (SHEET, rb'<c r="([A-Z]+)1"', rb'<c r="1\1"'),
    (SHEET, rb'<row r="\d+"', b'<row r="x"'),
    (SHEET, rb"<sheetData>", b"<sheetData>" + b"<g>" * 20000 + b"</g>" * 20000),
    (SHEET, rb"</sheetData>", b'</sheetData><mergeCells count="1"><mergeCell ref="A1:Q9999"/></mergeCells>'),
    (SHEET, rb'(<c r="B2"[^>]*>).*?</c>', rb'\1<f>HYPERLINK("http://example.com")</f></c>'),
    (SHEET, rb"</sheetData>", b"</sheetData>" + b'<cols><col min="1" max="1000000" width="9"/></cols>' * 500),
    (SHEET, rb"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><worksheet'),
    (SHEET, rb"</worksheet>", b""),
    (SHEET, rb't="(s|inlineStr)"', b't="d"'),
    ("xl/_rels/workbook.xml.rels", rb"worksheets/sheet1\.xml", b"../../../etc/passwd"),
    ("xl/_rels/workbook.xml.rels", rb'Target="', b'TargetMode="External" Target="http://example.com/'),
    ("xl/workbook.xml", rb"<sheets>.*?</sheets>", b"<sheets/>"),
    ("xl/workbook.xml", rb"<sheet ", b'<sheet state="veryHidden" '),
    (TYPES, rb"spreadsheetml\.sheet\.main", b"wordprocessingml.document.main"),
)


def forge(content: bytes, dice: random.Random) -> bytes:
    """One part of a workbook changed by hand."""
    parts = parts_of(content)
    name, pattern, text = dice.choice(FORGERIES)
    return zipped({**parts, name: re.sub(pattern, text, parts[name], flags=re.DOTALL)})


def rename(content: bytes, dice: random.Random) -> bytes:
    """A part twice, one that climbs out, macros, three hundred of them, one that swells."""
    out = io.BytesIO(content)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        kind = dice.randrange(4)
        if kind == 0:
            archive.writestr("../../etc/passwd", b"x")
        elif kind == 1:
            archive.writestr("xl/vbaProject.bin", b"x")
        elif kind == 2:
            for number in range(300):
                archive.writestr(f"xl/media/{number}.png", b"x")
        else:
            archive.writestr("xl/media/big.bin", b"\0" * 40_000_000)
    return out.getvalue()


def lie(content: bytes, dice: random.Random) -> bytes:
    """The zip's directory tells other sizes than are there."""
    places = [found.start() for found in re.finditer(rb"PK\x01\x02", content)]
    changed, at = bytearray(content), dice.choice(places)
    changed[at + 20 : at + 28] = dice.choice([b"\xff\xff\xff\x7f" * 2, b"\0" * 8, b"\x10\0\0\0" * 2])
    return bytes(changed)


def flip(content: bytes, dice: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(dice.randint(1, 6)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def insert(content: bytes, dice: random.Random) -> bytes:
    """Bytes where there were none."""
    at = dice.randrange(len(content))
    return content[:at] + dice.randbytes(dice.randint(1, 8)) + content[at:]


def delete(content: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(content))
    return content[:at] + content[at + dice.randint(1, 40) :]


def truncate(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(len(content))]


def splice(content: bytes, dice: random.Random) -> bytes:
    """The beginning of one and the end of another."""
    other = dice.choice(SEEDS).content
    return content[: dice.randrange(len(content))] + other[dice.randrange(len(other)) :]


BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (flip, insert, delete, truncate, splice)
PARTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (forge, forge, forge, forge, rename, lie)


def mutate(seed: Seed, dice: random.Random) -> bytes:
    """One damage or forgery of the seed."""
    return dice.choice(BYTES if seed.encoding else (*BYTES, *PARTS))(seed.content, dice)
