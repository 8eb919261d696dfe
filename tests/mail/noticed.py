"""Notices as tests need them: a draft, one that was published, its correction, a banner taken down."""

from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User

from tournament.core.enums import BannerTone, NoticeKind
from tournament.core.models.event import Event
from tournament.mail.services import notices
from tournament.mail.services.notices import NoticeWording
from tournament.messages.models import Notice


def wording(**values: Any) -> NoticeWording:
    """The words of a pending morning, or with other values."""
    kept = {
        "kind": NoticeKind.PENDING,
        "title_zh": "3 月 28 日（星期六）比賽待定·黑雨生效中",
        "title_en": "Saturday 28 March: pending, black rain in force",
        "body_zh": "大會於 10:00 決定當日各場是否停賽。請先留在家中，等候下一則通告。\n\n"
        "第一場：12:00 報到\n第二場：13:45 報到",
        "body_en": "We decide at 10:00 whether the sessions of this day are played. Please stay at home.\n\nSession 1: "
        "check-in 12:00\nSession 2: check-in 13:45",
        "day": date(2026, 3, 28),
        "tone": BannerTone.WAIT,
    }
    return NoticeWording(**{**kept, **values})


def drafted(event: Event, by: User, *, corrects: Notice | None = None, **values: Any) -> Notice:
    return notices.draft_notice(event, wording(**values), corrects=corrects, by=by)


def told(
    event: Event, by: User, *, corrects: Notice | None = None, now: datetime | None = None, **values: Any
) -> Notice:
    """A notice that was published without mail."""
    made = drafted(event, by, corrects=corrects, **values)
    return notices.publish_notice(made, revision=1, confirmed=None, mail=False, by=by, now=now)


def three_told(event: Event, by: User) -> list[Notice]:
    """One that was corrected, its correction, whose banner was taken down, and one that stands."""
    first = told(event, by)
    second = told(event, by, corrects=first, title_zh="更正：10:30 公佈", title_en="Correction: decision at 10:30")
    notices.take_down_banner(second, by=by)
    stop = {"kind": NoticeKind.STOPPED, "tone": BannerTone.STOP}
    third = told(event, by, title_zh="3 月 28 日停賽", title_en="28 March: called off", **stop)
    return [first, second, third]
