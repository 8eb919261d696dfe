"""A scan or photo of a paper: judged by its content, turned upright, freed of what the camera wrote into it."""

import io
import threading
import warnings
from typing import NamedTuple

from django.utils.translation import gettext_noop as _
from PIL import Image, ImageOps, UnidentifiedImageError

from tournament.core.enums import ScanKind
from tournament.core.errors import BadInput, TooLarge, WrongType

MAX_SCAN_BYTES = 16 * 1024 * 1024  # what phones take, where the page could not make it smaller
MAX_SCAN_PDF_BYTES = 3 * 1024 * 1024  # kept as it came
MAX_SCAN_PIXELS = 64_000_000  # a JPEG, read at a part of its size: phones take 48 to 50 million
MAX_SCAN_PIXELS_WHOLE = 40_000_000  # what can only be read whole: decoded 120 MB
MAX_SCAN_SIDE = 2600  # an A4 paper at 220 dots an inch
SCAN_JPEG_QUALITY = 82
# However many are sent at once, one picture is unpacked in the memory of a process.
SCAN_DECODING_LOCK = threading.Lock()
SCAN_PICTURE_FORMATS = ("JPEG", "PNG")
PDF_BEGINS, PDF_ENDS = b"%PDF-", b"%%EOF"

SCAN_TOO_LARGE = _("A photo is at most 16 MiB, a PDF at most 3 MiB. Take it again in a smaller size.")
SCAN_TOO_MANY_PIXELS = _("This picture has too many pixels. Take it again in a smaller size.")
SCAN_WRONG_TYPE = _("A scan is a JPEG, a PNG or a PDF. This file is something else, whatever its name says.")
SCAN_DAMAGED = _("This picture is damaged or cut off. Take it again.")


class ReadScan(NamedTuple):
    """A scan's kind and the bytes to keep."""

    kind: ScanKind
    content: bytes


def read_scan(content: bytes) -> ReadScan:
    """The scan as it is kept: a picture as a new JPEG without anything but its pixels, a PDF as it came.

    Raises `TooLarge` (413), `WrongType` (415), `BadInput` (400) for a damaged picture.
    """
    if len(content) > MAX_SCAN_BYTES:
        raise TooLarge("scan_too_large", SCAN_TOO_LARGE)
    if content.startswith(PDF_BEGINS):
        if len(content) > MAX_SCAN_PDF_BYTES:
            raise TooLarge("scan_too_large", SCAN_TOO_LARGE)
        if PDF_ENDS not in content[-1024:]:
            raise BadInput("scan_damaged", SCAN_DAMAGED)
        return ReadScan(ScanKind.PDF, content)
    with SCAN_DECODING_LOCK:
        return ReadScan(ScanKind.JPEG, scan_as_jpeg(content))


def scan_as_jpeg(content: bytes) -> bytes:
    """The picture upright, no larger than a paper needs, with none of the camera's data: place, time, thumbnail."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(content), formats=SCAN_PICTURE_FORMATS)
    except (Image.DecompressionBombError, UnidentifiedImageError, OSError, ValueError) as fault:
        raise (
            scan_too_many_pixels() if isinstance(fault, Image.DecompressionBombError) else scan_wrong_type()
        ) from None
    whole = picture.format != "JPEG"
    if picture.width * picture.height > (MAX_SCAN_PIXELS_WHOLE if whole else MAX_SCAN_PIXELS):
        raise scan_too_many_pixels()
    try:
        # A JPEG is decoded at a half or less of its size where that is still enough.
        picture.draft("RGB", (MAX_SCAN_SIDE, MAX_SCAN_SIDE))
        upright = ImageOps.exif_transpose(picture)
        plain = flatten_on_white(upright)
        plain.thumbnail((MAX_SCAN_SIDE, MAX_SCAN_SIDE))
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        raise BadInput("scan_damaged", SCAN_DAMAGED) from None
    kept = Image.new("RGB", plain.size)
    kept.paste(plain)
    out = io.BytesIO()
    kept.save(out, "JPEG", quality=SCAN_JPEG_QUALITY, optimize=True)
    return out.getvalue()


def flatten_on_white(picture: Image.Image) -> Image.Image:
    """Red, green and blue; what is transparent is paper."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    layered = picture.convert("RGBA")
    white = Image.new("RGBA", layered.size, "white")
    return Image.alpha_composite(white, layered).convert("RGB")


def scan_too_many_pixels() -> TooLarge:
    """A picture that would fill the memory."""
    return TooLarge("scan_too_large", SCAN_TOO_MANY_PIXELS)


def scan_wrong_type() -> WrongType:
    """Not a picture that we take."""
    return WrongType("scan_wrong_type", SCAN_WRONG_TYPE)
