"""A tablet's outbox as a series of QR codes, as its page makes them (static/js/tablet/export.js).

Each code is one line: RT1.<id>.<k>.<n>.<z or p>.<part>. The parts 1..n of one id, put together, are base64url of the
file's UTF-8; z: compressed before (raw deflate), p: plain. <id> is the first 8 hexadecimal digits of the SHA-256 of the
parts put together.
"""

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, TooLarge

LINE = re.compile(r"RT1\.([0-9a-f]{8})\.([0-9]{1,4})\.([0-9]{1,4})\.([zp])\.([A-Za-z0-9_-]*)")
BEGINS = re.compile(r"(?=RT1\.)")

MISSING = _("Code %(numbers)s of %(count)s is missing. Show it again and scan it; the others are here.")
OTHER_SERIES = _("These codes are of two series, %(first)s and %(second)s. Bring in one after the other.")
NOT_A_CODE = _("This is no code of a tablet: %(line)s. Scan it again.")
DAMAGED = _("The codes do not fit together: one was read wrongly. Scan them again.")
TOO_LARGE = _("What the codes hold is too large to be an outbox.")


class Code(NamedTuple):
    """One code: its series, its place and how many there are, how the whole is packed, its part."""

    series: str
    place: int
    count: int
    packed: str
    part: str


def is_series(text: str) -> bool:
    """Whether it begins as a code does."""
    return text.lstrip().startswith("RT1.")


def read_series(text: str, most: int) -> bytes:
    """The file, of at most so many bytes, from the codes of one series in any order, as often as they were scanned.

    Spaces and line ends go for nothing, wherever a scanner or a mail has put them. Raises BadInput with the numbers
    of those that are missing, with the line that is none; TooLarge.
    """
    codes = [code_of(line) for line in BEGINS.split("".join(text.split())) if line]
    first = codes[0]
    for code in codes:
        if code.series != first.series:
            raise BadInput("outbox_other_series", OTHER_SERIES, first=first.series, second=code.series)
    return unpacked(first, whole_of(codes, first), most)


def code_of(line: str) -> Code:
    """One code."""
    found = LINE.fullmatch(line)
    if not found or not 1 <= int(found[2]) <= int(found[3]):
        raise BadInput("outbox_code_not_readable", NOT_A_CODE, line=line[:40])
    return Code(found[1], int(found[2]), int(found[3]), found[4], found[5])


def whole_of(codes: Sequence[Code], first: Code) -> str:
    """The parts put together: all there, each the same however often it was read, and as the series' id says."""
    parts: dict[int, str] = {}
    for code in codes:
        if (code.count, code.packed) != (first.count, first.packed) or parts.setdefault(
            code.place, code.part
        ) != code.part:
            raise BadInput("outbox_codes_differ", DAMAGED)
    missing = [str(place) for place in range(1, first.count + 1) if place not in parts]
    if missing:
        raise BadInput("outbox_part_missing", MISSING, numbers=", ".join(missing), count=first.count)
    whole = "".join(parts[place] for place in range(1, first.count + 1))
    if hashlib.sha256(whole.encode()).hexdigest()[:8] != first.series:
        raise BadInput("outbox_codes_differ", DAMAGED)
    return whole


def unpacked(first: Code, whole: str, most: int) -> bytes:
    """The file's bytes."""
    try:
        content = base64.urlsafe_b64decode(whole + "=" * (-len(whole) % 4))
        if first.packed == "z":
            unpacker = zlib.decompressobj(-15)
            content = unpacker.decompress(content, most + 1)
            if len(content) <= most and not unpacker.eof:
                raise BadInput("outbox_codes_differ", DAMAGED)
    except (binascii.Error, zlib.error, ValueError):
        raise BadInput("outbox_codes_differ", DAMAGED) from None
    if len(content) > most:
        raise TooLarge("body_too_large", TOO_LARGE)
    return content
