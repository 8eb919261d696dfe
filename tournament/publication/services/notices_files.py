"""The public's files of notices 通告: the list, a page and a PDF each, and the banner's own file, which alone moves
when a banner is put up or taken down. publication/services/files.py puts them on the shelf beside the releases."""

import json
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from tournament.core.enums import BannerTone, NoticeKind
from tournament.core.models.event import Event
from tournament.messages.models import Notice
from tournament.messages.queries import notices as queries
from tournament.messages.queries.notices_replaced import replaced_notice_numbers
from tournament.publication.exports.notice_pdf import DoorNotice, door_notice_pdf
from tournament.publication.exports.public_notices import (
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
from tournament.publication.exports.public_pages import (
    CHINESE_CODE,
    ENGLISH_CODE,
    PUBLIC_PAGES_PREFIX,
    PublicEvent,
    page_address,
)
from tournament.publication.services.shelf import CACHE_CURRENT_PAGE, PUBLIC_MANIFEST_NAME, PublicSiteWriter

NOTICE_HTML_TYPE, NOTICE_JSON_TYPE, PDF_TYPE = "text/html; charset=utf-8", "application/json", "application/pdf"
# The form of the PDF, as a key of what is made from it.
NOTICE_FILES_FORMAT = "notice 1"


def write_notices(shelf: PublicSiteWriter, event: Event, known: PublicEvent) -> None:
    """Put every published notice on the event's shelf; drafts are nowhere."""
    rows, instead = queries.published_notices_of(event), replaced_notice_numbers(event)
    notices = [public_notice(row, replaced_by=instead.get(row.number or 0, ())) for row in rows]
    for language in (CHINESE_CODE, ENGLISH_CODE):
        folder = page_address(notices_folder(event.slug), language)
        shelf.redirect(folder)
        shelf.put(folder, notices_page(known, notices, language), NOTICE_HTML_TYPE)
    for row, notice in zip(rows, notices, strict=True):
        write_notice(shelf, known, row, notice)
    standing = next((one for row, one in zip(rows, notices, strict=True) if has_banner_up(row)), None)
    shelf.put(banner_path(event.slug), banner_json(event.slug, standing), NOTICE_JSON_TYPE)


@dataclass(frozen=True, slots=True)
class UnpublishedNotices:
    """What the public's files do not show: the numbers of published notices; whether the banner that stands."""

    numbers: tuple[int, ...] = ()
    banner: bool = False

    def __bool__(self) -> bool:
        """Whether any notice or the banner is not shown yet."""
        return bool(self.numbers) or self.banner


def find_unpublished_notices(event: Event) -> UnpublishedNotices:
    """Held against the files themselves; nothing where no notice was published."""
    numbers = [row.number or 0 for row in queries.published_notices_of(event)]
    if not numbers:
        return UnpublishedNotices()
    standing = queries.banner_in_force(event)
    wanted = banner_json(event.slug, public_notice(standing) if standing else None)
    root = Path(settings.PUBLIC_ROOT) / event.slug
    try:
        paths = json.loads((root / PUBLIC_MANIFEST_NAME).read_bytes())["paths"]
        banner = (root / "files" / paths[banner_path(event.slug)]["file"]).read_bytes()
    except (OSError, ValueError, KeyError):
        return UnpublishedNotices(tuple(numbers), True)
    missing = [
        number for number in numbers if page_address(notice_folder(event.slug, number), CHINESE_CODE) not in paths
    ]
    return UnpublishedNotices(tuple(missing), banner != wanted)


def are_notices_public(event: Event) -> bool:
    """Whether the public's files have every published notice and the banner that stands; also true without any."""
    return not find_unpublished_notices(event)


def has_banner_up(row: Notice) -> bool:
    """Whether its banner stands above every page."""
    return row.banner and row.banner_down_at is None


def write_notice(shelf: PublicSiteWriter, known: PublicEvent, row: Notice, notice: PublicNotice) -> None:
    """One notice's pages, the address that leads to what counts now, and its PDF; once it is replaced the PDF's address
    leads to the newest one's."""
    number = notice.number or 0
    folder, counts = notice_folder(known.slug, number), notice_folder(known.slug, (notice.replaced_by or (number,))[-1])
    lasting = newest_folder(known.slug, number)
    shelf.redirect(f"{PUBLIC_PAGES_PREFIX}{lasting}")
    shelf.lead(f"{PUBLIC_PAGES_PREFIX}{lasting}", f"{PUBLIC_PAGES_PREFIX}{counts}")
    for language in (CHINESE_CODE, ENGLISH_CODE):
        path = page_address(folder, language)
        shelf.redirect(path)
        shelf.put(path, notice_page(known, notice, language), NOTICE_HTML_TYPE)
    if notice.replaced_by:
        shelf.lead(f"{PUBLIC_PAGES_PREFIX}{folder}notice.pdf", f"{PUBLIC_PAGES_PREFIX}{counts}notice.pdf")
        return
    url = f"{settings.SITE_URL}{PUBLIC_PAGES_PREFIX}{lasting}" if settings.SITE_URL else ""
    door = DoorNotice((known.name_zh, known.name_en), notice, url, known.contact)
    shelf.put_made(
        f"{NOTICE_FILES_FORMAT} {row.digest} {known.name_zh} {known.name_en} {url} {known.contact}",
        f"{PUBLIC_PAGES_PREFIX}{folder}notice.pdf",
        lambda: door_notice_pdf(door),
        packed=True,
        type=PDF_TYPE,
        cache=CACHE_CURRENT_PAGE,
        disposition=f'inline; filename="{known.slug}-notice-{notice.number}.pdf"',
    )


def public_notice(row: Notice, replaced_by: tuple[int, ...] = ()) -> PublicNotice:
    """A row as the public, a mail or a preview has it."""
    return PublicNotice(
        number=row.number,
        kind=NoticeKind(row.kind),
        day=row.day,
        chinese=NoticeText(CHINESE_CODE, row.title_zh, row.body_zh),
        english=NoticeText(ENGLISH_CODE, row.title_en, row.body_en),
        tone=BannerTone(row.tone),
        published_at=row.published_at,
        corrects=row.corrects.number if row.corrects else None,
        replaced_by=replaced_by,
    )
