"""The sheet for a door: one A4 for any ordinary notice, titles broken where one pauses, all of it printable."""

import io
from dataclasses import replace
from datetime import date, datetime

import pypdfium2

from tournament.core.enums import BannerTone, NoticeKind
from tournament.publication.exports.notice_pdf import NOTICE_TITLE_SIZE, DoorNotice, door_notice_pdf, title_parts
from tournament.publication.exports.public_notices import NoticeText, PublicNotice

NOTICE = PublicNotice(
    number=3,
    kind=NoticeKind.PENDING,
    day=date(2026, 3, 28),
    chinese=NoticeText(
        "zh-hant", "3 月 28 日（星期六）比賽待定·黑雨生效中", "請留在家中。\n\n第一場：12:00\n第二場：13:45"
    ),
    english=NoticeText("en", "Saturday 28 March: pending", "Please stay at home.\n\nSession 1: 12:00"),
    tone=BannerTone.WAIT,
    published_at=datetime.fromisoformat("2026-03-28T09:40:00+08:00"),
    corrects=2,
)
URL = "https://rummikub.example.org/p/hk-2026/notices/3/"
DOOR = DoorNotice(("魔力橋大賽", "Rummikub event"), NOTICE, URL)


def read(content: bytes) -> list[str]:
    """The text of each page."""
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(io.BytesIO(content))]


def test_it_says_all_on_one_sheet_in_both_languages() -> None:
    pages = read(door_notice_pdf(DOOR))
    wanted = [
        "魔力橋大賽",
        "Rummikub event",
        "通告 3·3 月 28 日 09:40",
        "Notice 3·28 March 09:40",
        "比賽待定·黑雨生效中",
        "Saturday 28 March: pending",
        "此通告更正通告 2。",
        "This corrects notice 2.",
        "第二場：13:45",
        "Session 1: 12:00",
        "最新消息以賽事網頁為準",
        URL,
    ]
    assert (len(pages), [text for text in wanted if text not in pages[0]]) == (1, [])


def test_what_to_do_is_readable_from_two_metres() -> None:
    """A letter of 30 points is a centimetre high."""
    page = pypdfium2.PdfDocument(io.BytesIO(door_notice_pdf(DOOR)))[0].get_textpage()
    at = page.get_text_range().index("請留在家中")
    left, bottom, right, top = page.get_charbox(at)
    assert top - bottom > 22 and right - left > 22


def test_the_same_notice_is_the_same_bytes() -> None:
    assert door_notice_pdf(DOOR) == door_notice_pdf(DOOR)


def test_a_draft_says_that_it_is_one() -> None:
    draft = replace(NOTICE, number=None, published_at=None, corrects=None)
    assert "尚未發出的通告" in read(door_notice_pdf(DoorNotice(DOOR.names, draft)))[0]


def test_the_longest_notice_loses_no_word_on_further_sheets() -> None:
    words = [f"word{number:04d}" for number in range(600)]
    long = replace(
        NOTICE,
        english=NoticeText("en", "T" * 200, " ".join(words)),
        chinese=NoticeText("zh-hant", "長" * 120, "雨" * 4000),
    )
    pages = read(door_notice_pdf(DoorNotice(DOOR.names, long, URL)))
    whole = "".join(pages)
    assert (len(pages) > 1, [word for word in words if word not in whole], whole.count("雨")) == (True, [], 4000)


def test_a_long_title_is_broken_where_it_pauses() -> None:
    assert title_parts("3 月 28 日（星期六）比賽待定·黑雨生效中", NOTICE_TITLE_SIZE) == (
        "3 月 28 日（星期六）",
        "比賽待定·黑雨生效中",
    )
    assert title_parts("3 月 28 日停賽", NOTICE_TITLE_SIZE) == ("3 月 28 日停賽",)
    assert title_parts("停" * 40, NOTICE_TITLE_SIZE) == ("停" * 40,)


def test_what_no_font_has_is_marked_and_stops_nothing() -> None:
    names = ("大賽 \U0001f600", "\U0001f600")
    whole = read(
        door_notice_pdf(
            DoorNotice(names, replace(NOTICE, chinese=NoticeText("zh-hant", "停賽 \U0001f600", "甲\x0b乙")))
        )
    )[0]
    assert [text for text in ("大賽 〓", "停賽 〓", "甲", "乙") if text not in whole] == []
