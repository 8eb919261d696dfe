"""The printed scoresheet: the form of the event, whole names, a serial, a QR that leads to the table's page."""

from dataclasses import replace
from datetime import date, time

import pypdfium2
import pytest
import zxingcpp

from tournament.core.exports.pdf_names import (
    UNPRINTABLE_CHINESE_NAME,
    UNPRINTABLE_ENGLISH_NAME,
    UNPRINTABLE_NAME,
    paper_name,
)
from tournament.sheets.exports.pdf import scoresheets_pdf
from tournament.sheets.exports.printed import PrintedSeat, PrintedSheet, chinese_numeral, sheet_titles

URL = "http://localhost:8000/desk/hk-2026/scoresheets/7/6/"
SHEET = PrintedSheet(
    event_zh="Rummikub 75週年派對暨遊戲王爭霸賽",
    event_en="Rummikub 75th Anniversary Party",
    stage="preliminary",
    day=date(2026, 4, 6),
    session=3,
    starts=time(16, 15),
    ends=time(17, 15),
    table=6,
    referee="馮婉𤧬",
    games=3,
    seats={
        "A": PrintedSeat(302, "陳𠮷", "CHAN Kat"),
        "B": PrintedSeat(1187, "歐陽衞峯", "AU YEUNG Wai Fung"),
        "C": PrintedSeat(17, "NG Siu Fan"),
        "D": PrintedSeat(640, "𨋢𤧬𡃁", "D'SOUZA Łukasz"),
    },
    serial="0406-3-06",
    url=URL,
)


def opened(*sheets: PrintedSheet) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(scoresheets_pdf(sheets))


def words(document: pypdfium2.PdfDocument, page: int = 0) -> str:
    return document[page].get_textpage().get_text_bounded().replace("\r\n", "\n")


def test_the_sheet_is_the_form_of_the_event_prefilled() -> None:
    document = opened(SHEET)
    text = words(document)

    assert document[0].get_size() == pytest.approx((841.89, 595.28), abs=0.01)
    assert text.startswith("「Rummikub 75週年派對暨遊戲王爭霸賽」- 初賽計分紙\n")
    for printed in (
        "2026年4月6日（星期一）",
        "馮婉𤧬",
        "第三場 16:15–17:15",
        "0406-3-06",
        "陳𠮷",
        "CHAN Kat",
        "0302",
        "歐陽衞峯",
        "NG Siu Fan",
        "𨋢𤧬𡃁",
        "D'SOUZA Łukasz",
        "第1局",
        "第2局",
        "第3局",
        "總結",
        "確認成績簽署",
        "備註:",
        "一經簽名確認後，大會將不再接受任何後續申訴。",
        "大會蓋印方可作實",
    ):
        assert printed in text, printed
    assert [text.count(head) for head in ("勝局 (1/0)", "得分 (+/-)", "剩牌數量")] == [4, 4, 4]
    assert "第4局" not in text


def test_the_qr_leads_to_the_tables_page() -> None:
    picture = opened(SHEET)[0].render(scale=150 / 72).to_pil()

    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [URL]


def test_a_table_of_three_shows_an_empty_seat() -> None:
    three = replace(SHEET, seats={letter: SHEET.seats[letter] for letter in "ABC"})

    assert "空位\nEmpty seat" in words(opened(three))
    assert "空位" not in words(opened(SHEET))


def test_the_number_of_games_is_the_rulesets_and_a_final_says_so() -> None:
    text = words(opened(replace(SHEET, games=5, stage="final")))

    assert "決賽計分紙" in text
    assert "初賽" not in text
    assert "第5局" in text


def test_names_of_any_length_are_printed_whole() -> None:
    long = "WOLFESCHLEGELSTEINHAUSENBERGERDORFF Hubert Blaine Senior Maximilian Alexander of Kowloon City"
    seats = {"A": PrintedSeat(1, "陳" * 100), "B": PrintedSeat(2, long), "C": PrintedSeat(3, "司徒諸葛", long)}
    text = words(opened(replace(SHEET, seats=seats, referee=long))).replace("\n", "").replace(" ", "")

    assert "陳" * 100 in text
    assert text.count(long.replace(" ", "")) == 3


def test_a_page_a_sheet_and_the_same_bytes_for_the_same_sheets() -> None:
    sheets = [replace(SHEET, table=number, serial=f"0406-3-{number:02d}") for number in range(1, 26)]
    first = scoresheets_pdf(sheets)

    assert len(pypdfium2.PdfDocument(first)) == 25
    assert scoresheets_pdf(sheets) == first
    assert b"Helvetica" not in first


def test_three_hundred_sheets_share_one_set_of_fonts() -> None:
    sheets = [replace(SHEET, table=number % 25 + 1, serial=f"0406-3-{number:03d}") for number in range(300)]
    many, one = scoresheets_pdf(sheets), scoresheets_pdf(sheets[:1])

    assert len(pypdfium2.PdfDocument(many)) == 300
    assert many.count(b"/FontFile2") == one.count(b"/FontFile2")


@pytest.mark.parametrize(
    ("zh", "en", "printed"),
    [
        ("陳大文", "CHAN Tai Man", ("陳大文", "CHAN Tai Man", "")),
        ("陳\U00020000明", "CHAN D", ("CHAN D", "", UNPRINTABLE_CHINESE_NAME)),
        ("陳明", "CHAN Amy 🐰", ("陳明", "", UNPRINTABLE_ENGLISH_NAME)),
        ("陳한", "CHAN 한", ("0302", "", UNPRINTABLE_NAME)),
        ("", "CHAN Eก", ("0302", "", UNPRINTABLE_NAME)),
        ("葛\U000e0100明", "KOT Ming", ("葛\U000e0100明", "KOT Ming", "")),
    ],
)
def test_a_name_gives_way_to_the_other_or_the_number(zh: str, en: str, printed: tuple[str, str, str]) -> None:
    assert paper_name(302, zh, en) == printed


def test_one_name_without_a_font_stops_no_sheet_and_its_seat_says_so() -> None:
    name = paper_name(302, "陳😀", "CHAN Tai")
    seats = {**SHEET.seats, "A": PrintedSeat(302, name.first, name.note or name.second)}
    pages = pypdfium2.PdfDocument(scoresheets_pdf([replace(SHEET, seats=seats, referee="Amy \U0001f600"), SHEET]))
    first, second = (" ".join(page.get_textpage().get_text_range().split()) for page in pages)
    assert [text for text in ("CHAN Tai", UNPRINTABLE_CHINESE_NAME, "Amy 〓") if text not in first] == []
    assert "not printable" not in second


def test_session_numbers_are_written_in_chinese() -> None:
    assert [chinese_numeral(number) for number in (1, 4, 10, 12, 20, 35)] == [
        "一",
        "四",
        "十",
        "十二",
        "二十",
        "三十五",
    ]


def test_a_sheet_is_called_by_its_stage_and_of_several_rounds_by_its_round() -> None:
    semi = replace(SHEET, stage="semi-final", stage_names=("準決賽", "Semi-final"))
    sheets = (SHEET, replace(SHEET, stage="final"), replace(SHEET, stage="final", round=(2, 3)), semi)
    only = (replace(SHEET, only_stage=True), replace(SHEET, only_stage=True, round=(1, 3)))
    assert [sheet_titles(sheet) for sheet in (*sheets, replace(semi, round=(1, 2)), *only)] == [
        ("初賽計分紙", "Preliminary scoresheet"),
        ("決賽計分紙", "Final scoresheet"),
        ("決賽第二輪計分紙", "Final scoresheet, round 2 of 3"),
        ("準決賽計分紙", "Semi-final scoresheet"),
        ("準決賽第一輪計分紙", "Semi-final scoresheet, round 1 of 2"),
        ("計分紙", "Scoresheet"),
        ("第一輪計分紙", "Scoresheet, round 1 of 3"),
    ]
