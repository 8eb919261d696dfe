"""The public's files of notices 通告: the list, a page and a PDF each, and the banner's own file, which alone moves
when a banner is put up or taken down. services/release_files.py puts them on the shelf beside the releases."""

import json
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from tournament.enums import BannerTone, NoticeKind
from tournament.exports.notice_pdf import DoorNotice, notice_pdf
from tournament.exports.public_notices import (
    NoticeText,
    PublicNotice,
    banner_json,
    banner_path,
    newest_folder,
    notice_folder,
    notice_page,
    notices_folder,
    notices_page,
)
from tournament.exports.public_pages import CHINESE, ENGLISH, PREFIX, PublicEvent, address
from tournament.models import Event, Notice
from tournament.queries import notices as queries
from tournament.queries.notices_replaced import replaced
from tournament.services.release_shelf import MANIFEST, SOON, Shelf

HTML, JSON_TYPE, PDF = "text/html; charset=utf-8", "application/json", "application/pdf"
# The form of the PDF, as a key of what is made from it.
FORM = "notice 1"


def write_notices(shelf: Shelf, event: Event, known: PublicEvent) -> None:
    """Put every published notice on the event's shelf; drafts are nowhere."""
    rows, instead = queries.published_of(event), replaced(event)
    notices = [public_notice(row, instead.get(row.number or 0, ())) for row in rows]
    for language in (CHINESE, ENGLISH):
        folder = address(notices_folder(event.slug), language)
        shelf.redirect(folder)
        shelf.put(folder, notices_page(known, notices, language), HTML)
    for row, notice in zip(rows, notices, strict=True):
        write_notice(shelf, known, row, notice)
    standing = next((one for row, one in zip(rows, notices, strict=True) if stands(row)), None)
    shelf.put(banner_path(event.slug), banner_json(event.slug, standing), JSON_TYPE)


@dataclass(frozen=True, slots=True)
class Unshown:
    """What the public's files do not show: the numbers of published notices; whether the banner that stands."""

    numbers: tuple[int, ...] = ()
    banner: bool = False

    def __bool__(self) -> bool:
        """Whether anything is behind."""
        return bool(self.numbers) or self.banner


def unshown(event: Event) -> Unshown:
    """Held against the files themselves; nothing where no notice was published."""
    numbers = [row.number or 0 for row in queries.published_of(event)]
    if not numbers:
        return Unshown()
    standing = queries.standing_banner(event)
    wanted = banner_json(event.slug, public_notice(standing) if standing else None)
    root = Path(settings.PUBLIC_ROOT) / event.slug
    try:
        paths = json.loads((root / MANIFEST).read_bytes())["paths"]
        banner = (root / "files" / paths[banner_path(event.slug)]["file"]).read_bytes()
    except (OSError, ValueError, KeyError):
        return Unshown(tuple(numbers), True)
    missing = [number for number in numbers if address(notice_folder(event.slug, number), CHINESE) not in paths]
    return Unshown(tuple(missing), banner != wanted)


def public_shows(event: Event) -> bool:
    """Whether the public's files have every published notice and the banner that stands; also true without any."""
    return not unshown(event)


def stands(row: Notice) -> bool:
    """Whether its banner stands above every page."""
    return row.banner and row.banner_down_at is None


def write_notice(shelf: Shelf, known: PublicEvent, row: Notice, notice: PublicNotice) -> None:
    """One notice's pages, the address that leads to what counts now, and its PDF; once it is replaced the PDF's address
    leads to the newest one's."""
    number = notice.number or 0
    folder, counts = notice_folder(known.slug, number), notice_folder(known.slug, (notice.replaced_by or (number,))[-1])
    lasting = newest_folder(known.slug, number)
    shelf.redirect(f"{PREFIX}{lasting}")
    shelf.lead(f"{PREFIX}{lasting}", f"{PREFIX}{counts}")
    for language in (CHINESE, ENGLISH):
        path = address(folder, language)
        shelf.redirect(path)
        shelf.put(path, notice_page(known, notice, language), HTML)
    if notice.replaced_by:
        shelf.lead(f"{PREFIX}{folder}notice.pdf", f"{PREFIX}{counts}notice.pdf")
        return
    url = f"{settings.SITE_URL}{PREFIX}{lasting}" if settings.SITE_URL else ""
    door = DoorNotice((known.name_zh, known.name_en), notice, url, known.contact)
    shelf.put_made(
        f"{FORM} {row.digest} {known.name_zh} {known.name_en} {url} {known.contact}",
        f"{PREFIX}{folder}notice.pdf",
        lambda: notice_pdf(door),
        packed=True,
        type=PDF,
        cache=SOON,
        disposition=f'inline; filename="{known.slug}-notice-{notice.number}.pdf"',
    )


def public_notice(row: Notice, replaced_by: tuple[int, ...] = ()) -> PublicNotice:
    """A row as the public, a mail or a preview has it."""
    return PublicNotice(
        number=row.number,
        kind=NoticeKind(row.kind),
        day=row.day,
        chinese=NoticeText(CHINESE, row.title_zh, row.body_zh),
        english=NoticeText(ENGLISH, row.title_en, row.body_en),
        tone=BannerTone(row.tone),
        published_at=row.published_at,
        corrects=row.corrects.number if row.corrects else None,
        replaced_by=replaced_by,
    )
