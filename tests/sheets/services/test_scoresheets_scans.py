"""Scans: judged by content, stripped, kept for good, in the log and in every backup."""

import hashlib
import io
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from PIL import Image

from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.sheets.models.scan import Scan
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.readers import read_scan
from tournament.sheets.services import scans as services
from tournament.tables.models import Table

PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"


def picture(kind: str = "JPEG", size: tuple[int, int] = (40, 20), **saved: Any) -> bytes:
    """A picture, white but for a black left edge."""
    made = Image.new("RGB", size, "white")
    made.paste("black", (0, 0, 4, size[1]))
    out = io.BytesIO()
    made.save(out, kind, **saved)
    return out.getvalue()


@pytest.fixture
def table(first_session: Session, organiser: User, settings: Any, tmp_path: Path) -> Table:
    """A drawn table; files stay in this test's own folder."""
    settings.VAR_DIR = tmp_path
    return settle(first_session, organiser)[0]


def test_a_photo_is_turned_upright_and_freed_of_what_the_camera_wrote() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees
    exif[0x010E] = "Kwun Tong, 12:31"
    read = read_scan(picture(exif=exif))
    kept = Image.open(io.BytesIO(read.content))
    assert (read.kind, kept.format, kept.size, dict(kept.getexif())) == ("jpg", "JPEG", (20, 40), {})
    assert b"Kwun" not in read.content
    assert (kept.getpixel((10, 0)) < (60, 60, 60), kept.getpixel((10, 39)) > (200, 200, 200)) == (True, True)


@pytest.mark.parametrize(
    ("content", "code", "status"),
    [
        (b"", "scan_wrong_type", 415),
        (b"<svg onload=alert(1)>", "scan_wrong_type", 415),
        (picture("GIF"), "scan_wrong_type", 415),
        (picture("TIFF"), "scan_wrong_type", 415),
        (picture(size=(400, 400))[:-300], "scan_damaged", 400),
        (PDF[:20], "scan_damaged", 400),
        (b"%PDF-" + bytes(3 * 1024 * 1024), "scan_too_large", 413),
        (bytes(16 * 1024 * 1024 + 1), "scan_too_large", 413),
        (picture("PNG", (8000, 8000), compress_level=1), "scan_too_large", 413),
    ],
    ids=[
        "nothing",
        "svg",
        "gif",
        "tiff",
        "cut off",
        "half a pdf",
        "too large a pdf",
        "too many bytes",
        "too many pixels",
    ],
)
def test_what_is_no_scan_is_refused_by_its_content(content: bytes, code: str, status: int) -> None:
    with pytest.raises(Refused) as refused:
        read_scan(content)
    assert (refused.value.code, refused.value.status) == (code, status)


def test_a_phones_photo_of_fifty_million_dots_and_one_of_twelve_megabytes_are_taken_and_made_smaller() -> None:
    wide = read_scan(picture(size=(8160, 6120), quality=30))
    heavy = picture(size=(4000, 3000)) + bytes(12 * 1024 * 1024)
    for read in (wide, read_scan(heavy)):
        kept = Image.open(io.BytesIO(read.content))
        assert (max(kept.size), kept.getpixel((kept.width - 1, 5)) > (200, 200, 200)) == (2600, True)
        assert len(read.content) < 1024 * 1024


def test_a_scan_is_kept_by_its_digest_and_a_later_one_is_shown_first(table: Table, clerk: User, tmp_path: Path) -> None:
    first = services.attach_scan_to_table(table, content=picture(), by=clerk, request_key="one")
    again = services.attach_scan_to_table(table, content=picture(), by=clerk, request_key="one")
    second = services.attach_scan_to_table(table, content=PDF, by=clerk, request_key="two")
    assert first == again
    assert [scan.pk for scan in queries.scans_of(table)] == [second.pk, first.pk]
    assert sorted(path.name for path in (tmp_path / "scans").iterdir()) == sorted([first.file_name, second.file_name])
    assert hashlib.sha256(services.content_of(first)).hexdigest() == first.sha256
    entries = AuditEntry.objects.filter(action="attach_scan").order_by("seq").values_list("subject", "digest_after")
    assert list(entries) == [("table 0328-1-01", first.sha256), ("table 0328-1-01", second.sha256)]


def test_a_scan_is_never_changed_or_removed_and_an_altered_file_is_not_shown(
    table: Table, clerk: User, tmp_path: Path
) -> None:
    scan = services.attach_scan_to_table(table, content=picture(), by=clerk, request_key="one")
    for act in (lambda: Scan.objects.update(size=1), lambda: Scan.objects.all().delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()
    (tmp_path / "scans" / scan.file_name).write_bytes(b"another picture")
    with pytest.raises(Refused) as refused:
        services.content_of(scan)
    assert refused.value.code == "scan_gone"
