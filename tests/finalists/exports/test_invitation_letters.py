"""Letters to finalists: a page each, whole in both languages, whatever the name, the date or the address is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pypdfium2
import pytest

from tournament.core.exports import pdf_text
from tournament.finalists.exports.invitation_letters import (
    FinalFacts,
    InvitationLetter,
    break_address_lines,
    letters_pdf_file,
)

URL = "https://finals.example.org/place/117-7k3fm-0q2ab-xyz12-abcde-99zzz/"
LETTER = InvitationLetter(302, "陳𠮷𨋢", "CHAN Tai Man", (12, True), False, URL)
MORNING = datetime(2026, 4, 18, 2, tzinfo=UTC)
NEWS = FinalFacts(
    ("錦標賽", "Championship"),
    ("荃灣", "Tsuen Wan"),
    datetime(2026, 4, 12, 10, tzinfo=UTC),
    tuple(MORNING + timedelta(minutes=105 * number) for number in range(3)),
)
UNKNOWN = replace(NEWS, venues=("", ""), until=None, check_ins=())


def pages(news: FinalFacts, *letters: InvitationLetter) -> list[str]:
    with pypdfium2.PdfDocument(letters_pdf_file(news, letters)) as document:
        return ["".join(sheet.get_textpage().get_text_bounded().split()) for sheet in document]


def missing(text: str, *wanted: str) -> list[str]:
    return [one for one in wanted if "".join(one.split()) not in text]


def test_a_letter_says_whose_when_where_until_when_and_how_in_both_languages() -> None:
    [text] = pages(NEWS, LETTER)
    own = ("陳𠮷𨋢", "CHAN Tai Man", "0302", "12=", URL)
    chinese = ("決賽邀請", "2026 年 4 月 18 日 10:00 報到，共 3 輪", "地點：荃灣", "4 月 12 日（星期日） 18:00 前回覆")
    english = (
        "Invitation to the final",
        "18 April 2026, check-in 10:00, 3 rounds",
        "Where: Tsuen Wan",
        "18:00 whether",
    )
    assert missing(text, *own, *chinese, *english) == []


def test_what_is_to_be_announced_is_said_so_and_a_reserve_is_called_one() -> None:
    [text] = pages(UNKNOWN, replace(LETTER, called=True))
    assert (
        missing(
            text,
            "容後於下列網址公佈",
            "to be announced",
            "請盡快回覆",
            "現有決賽席位輪到你（候補）",
            "offered to you as a reserve",
        )
        == []
    )


@pytest.mark.fault("X19")
def test_a_letter_says_how_the_organiser_is_reached_in_both_languages() -> None:
    [text] = pages(replace(NEWS, contact="2345 6789"), LETTER)
    assert missing(text, "聯絡大會：2345 6789", "Contact: 2345 6789") == []


def test_the_longest_name_stays_on_its_page_and_whole() -> None:
    name = "FERNANDES-MONTGOMERY Bartholomew Christopher Alexander Maximilian the Third of Kowloon"
    found = pages(NEWS, replace(LETTER, name_en=name), replace(LETTER, name_zh="歐陽" * 12, name_en="X"))
    assert (len(found), missing(found[0], name, URL), missing(found[1], "歐陽" * 12, URL)) == (2, [], [])


def test_the_same_letters_are_the_same_file() -> None:
    assert letters_pdf_file(NEWS, [LETTER]) == letters_pdf_file(NEWS, [LETTER])


def test_a_name_that_no_font_has_gives_way_to_the_other_or_the_number_and_the_letter_says_so() -> None:
    found = pages(NEWS, replace(LETTER, name_zh="陳😀"), replace(LETTER, name_zh="", name_en="😀"), LETTER)
    assert missing(found[0], LETTER.name_en, "中文姓名有字無法列印 Chinese name not printable") == []
    assert missing(found[1], "0302", "Name not printable, number instead") == []
    assert missing(found[2], LETTER.name_zh, LETTER.name_en) == []


@pytest.mark.parametrize("width", [120.0, 325.0, 2000.0])
def test_an_address_is_broken_without_losing_or_adding_a_character(width: float) -> None:
    assert "".join(break_address_lines(URL, width)) == URL
    assert break_address_lines(URL, 325.0) == [
        "https://finals.example.org/place/",
        "117-7k3fm-0q2ab-xyz12-abcde-99zzz/",
    ]


def test_no_line_begins_with_a_mark_that_closes_or_ends_with_one_that_opens() -> None:
    text = "放棄的席位一經讓予候補，便不能收回（見「規則」第 3 條）。Come early, or tell the desk (soon)."
    for width in range(40, 400, 3):
        lines = pdf_text.wrap_text(text, width, 10.5)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert [one for one in lines if one[0] in "，。）」,.)" or one[-1] in "（「("] == []
