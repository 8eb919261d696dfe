"""What the public reads of notices 通告: their list, a page each, and the banner above every public page.

Both languages stand on one page, the address's own first: who is told to stay at home need not look for a switch.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from tournament.core.enums import BannerTone, NoticeKind
from tournament.publication.exports.public_pages import (
    CHINESE_CODE,
    ENGLISH_CODE,
    PUBLIC_PAGES_PREFIX,
    PublicEvent,
    page_address,
    render_public_page,
)

# A first paragraph that is longer is read on the notice's page: the banner stays a banner.
MAX_LEAD_LENGTH = {CHINESE_CODE: 90, ENGLISH_CODE: 180}
BADGE_OF_KIND = {
    NoticeKind.GOING_AHEAD: "live",
    NoticeKind.PENDING: "wait",
    NoticeKind.STOPPED: "stop",
    NoticeKind.SUSPENDED: "wait",
    NoticeKind.NEW_DATE: "live",
    NoticeKind.GENERAL: "",
}


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in one language."""

    language: str
    title: str
    body: str

    @property
    def lang(self) -> str:
        """The value of the HTML attribute `lang`."""
        return "zh-Hant-HK" if self.language == CHINESE_CODE else "en"

    @property
    def paragraphs(self) -> list[list[str]]:
        """Its paragraphs, each as lines."""
        parts = self.body.replace("\r\n", "\n").split("\n\n")
        return [part.strip().splitlines() for part in parts if part.strip()]

    @property
    def lead(self) -> str:
        """The first paragraph, where it is short enough to stand in a banner."""
        first = " ".join(self.paragraphs[0]) if self.paragraphs else ""
        return first if len(first) <= MAX_LEAD_LENGTH[self.language] else ""


@dataclass(frozen=True, slots=True)
class PublicNotice:
    """A notice as it was published; None for `number` and `published_at` in the preview of a draft. `replaced_by`: the
    numbers of those that count instead, none while it counts itself."""

    number: int | None
    kind: NoticeKind
    day: date | None
    chinese: NoticeText
    english: NoticeText
    tone: BannerTone
    published_at: datetime | None
    corrects: int | None = None
    replaced_by: tuple[int, ...] = ()

    def texts(self, language: str) -> tuple[NoticeText, NoticeText]:
        """Both texts, that of the page first."""
        return (self.chinese, self.english) if language == CHINESE_CODE else (self.english, self.chinese)

    @property
    def badge(self) -> str:
        """The form of its badge."""
        return BADGE_OF_KIND[self.kind]


def notices_folder(slug: str) -> str:
    """Where the list of an event's notices is."""
    return f"{slug}/notices/"


def notice_folder(slug: str, number: int) -> str:
    """Where one of them is."""
    return f"{slug}/notices/{number}/"


def newest_folder(slug: str, number: int) -> str:
    """Leads to what counts now of what this notice was about; the sheet on the door has it."""
    return f"{notice_folder(slug, number)}newest/"


def banner_path(slug: str) -> str:
    """What every public page of the event asks for."""
    return f"{PUBLIC_PAGES_PREFIX}{slug}/banner.json"


def banner_json(slug: str, notice: PublicNotice | None) -> bytes:
    """`{"banner": null}`, or number, tone, titles and leads in both languages, and the page of the notice."""
    said: dict[str, Any] | None = None
    if notice and notice.number:
        said = {
            "number": notice.number,
            "tone": notice.tone.value,
            "title_zh": notice.chinese.title,
            "title_en": notice.english.title,
            "lead_zh": notice.chinese.lead,
            "lead_en": notice.english.lead,
            "url": page_address(notice_folder(slug, notice.number), CHINESE_CODE),
            "url_en": page_address(notice_folder(slug, notice.number), ENGLISH_CODE),
        }
    return json.dumps({"banner": said}, sort_keys=True, ensure_ascii=False).encode()


def notices_page(event: PublicEvent, notices: Sequence[PublicNotice], language: str) -> bytes:
    """Every notice, the newest first."""
    listed = [
        (one, one.texts(language), page_address(notice_folder(event.slug, one.number), language))
        for one in notices
        if one.number
    ]
    facts = {"event": event, "listed": listed, "event_url": page_address(f"{event.slug}/", language)}
    return render_public_page("notices", language, notices_folder(event.slug), facts)


def notice_page(event: PublicEvent, notice: PublicNotice, language: str) -> bytes:
    """One notice; `notice.number` is there."""
    folder = notice_folder(event.slug, notice.number or 0)
    facts = {**notice_facts(event, notice, language), "pdf_url": f"{PUBLIC_PAGES_PREFIX}{folder}notice.pdf"}
    return render_public_page("notice", language, folder, facts)


def notice_facts(event: PublicEvent, notice: PublicNotice, language: str) -> dict[str, Any]:
    """What the page is made from, also where it is looked at before it is published."""
    own, beside = notice.texts(language)
    return {
        "event": event,
        "notice": notice,
        "own": own,
        "beside": beside,
        "corrects_url": page_address(notice_folder(event.slug, notice.corrects), language) if notice.corrects else "",
        "newer": [(number, page_address(notice_folder(event.slug, number), language)) for number in notice.replaced_by],
        "all_url": page_address(notices_folder(event.slug), language),
        "event_url": page_address(f"{event.slug}/", language),
    }
