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

from tournament.core.errors import BadInput, TooLarge

OUTBOX_CODE_PATTERN = re.compile(r"RT1\.([0-9a-f]{8})\.([0-9]{1,4})\.([0-9]{1,4})\.([zp])\.([A-Za-z0-9_-]*)")
OUTBOX_CODE_START = re.compile(r"(?=RT1\.)")

OUTBOX_CODE_MISSING = _("Code %(numbers)s of %(count)s is missing. Show it again and scan it; the others are here.")
OUTBOX_OTHER_SERIES = _("These codes are of two series, %(first)s and %(second)s. Bring in one after the other.")
NOT_AN_OUTBOX_CODE = _("This is no code of a tablet: %(line)s. Scan it again.")
OUTBOX_CODES_DAMAGED = _("The codes do not fit together: one was read wrongly. Scan them again.")
OUTBOX_TOO_LARGE = _("What the codes hold is too large to be an outbox.")


class OutboxCode(NamedTuple):
    """One code: its series, its place and how many there are, how the whole is packed, its part."""

    series: str
    place: int
    total: int
    packed: str
    part: str


def is_outbox_series(text: str) -> bool:
    """Whether it begins as a code does."""
    return text.lstrip().startswith("RT1.")


def read_outbox_series(text: str, most: int) -> bytes:
    """The file, of at most so many bytes, from the codes of one series in any order, as often as they were scanned.

    Spaces and line ends go for nothing, wherever a scanner or a mail has put them. Raises BadInput with the numbers
    of those that are missing, with the line that is none; TooLarge.
    """
    codes = [read_outbox_code(line) for line in OUTBOX_CODE_START.split("".join(text.split())) if line]
    first = codes[0]
    for code in codes:
        if code.series != first.series:
            raise BadInput("outbox_other_series", OUTBOX_OTHER_SERIES, first=first.series, second=code.series)
    return unpack_outbox(first, join_outbox_codes(codes, first), most)


def read_outbox_code(line: str) -> OutboxCode:
    """Raises BadInput where the line is not an outbox code."""
    found = OUTBOX_CODE_PATTERN.fullmatch(line)
    if not found or not 1 <= int(found[2]) <= int(found[3]):
        raise BadInput("outbox_code_not_readable", NOT_AN_OUTBOX_CODE, line=line[:40])
    return OutboxCode(found[1], int(found[2]), int(found[3]), found[4], found[5])


def join_outbox_codes(codes: Sequence[OutboxCode], first: OutboxCode) -> str:
    """The parts put together: all there, each the same however often it was read, and as the series' id says."""
    parts: dict[int, str] = {}
    for code in codes:
        if (code.total, code.packed) != (first.total, first.packed) or parts.setdefault(
            code.place, code.part
        ) != code.part:
            raise BadInput("outbox_codes_differ", OUTBOX_CODES_DAMAGED)
    missing = [str(place) for place in range(1, first.total + 1) if place not in parts]
    if missing:
        raise BadInput("outbox_part_missing", OUTBOX_CODE_MISSING, numbers=", ".join(missing), count=first.total)
    whole = "".join(parts[place] for place in range(1, first.total + 1))
    if hashlib.sha256(whole.encode()).hexdigest()[:8] != first.series:
        raise BadInput("outbox_codes_differ", OUTBOX_CODES_DAMAGED)
    return whole


def unpack_outbox(first: OutboxCode, whole: str, most: int) -> bytes:
    """The file's bytes; BadInput where damaged, TooLarge for more than `most`."""
    try:
        content = base64.urlsafe_b64decode(whole + "=" * (-len(whole) % 4))
        if first.packed == "z":
            unpacker = zlib.decompressobj(-15)
            content = unpacker.decompress(content, most + 1)
            if len(content) <= most and not unpacker.eof:
                raise BadInput("outbox_codes_differ", OUTBOX_CODES_DAMAGED)
    except (binascii.Error, zlib.error, ValueError):
        raise BadInput("outbox_codes_differ", OUTBOX_CODES_DAMAGED) from None
    if len(content) > most:
        raise TooLarge("body_too_large", OUTBOX_TOO_LARGE)
    return content
