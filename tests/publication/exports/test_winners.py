"""The winners of one content: page, wall, files and certificates say the same names and places."""

import csv
import io
import re
from datetime import date, datetime
from typing import Any

import pypdfium2
import pytest
from openpyxl import load_workbook

from tests.publication.final_content import content, holder, named, released
from tournament.core.adapters.bundles import bundle_url
from tournament.publication.exports.certificates_pdf import (
    AWARD_TITLE,
    WON_WORDS,
    Certificate,
    CertificateOccasion,
    CertifiedPerson,
    certificates_pdf_file,
    rank_words,
)
from tournament.publication.exports.differences import award_words_before_and_now, entrant_differences
from tournament.publication.exports.podium import ReleasedWinner
from tournament.publication.exports.public_pages import PublicEvent, entrant_pages_by_address, ranking_page
from tournament.publication.exports.public_winners import wall_name_size, wall_page, winners_page
from tournament.publication.exports.ranking_pdf import numbers_without_printable_name, ranking_pdf
from tournament.publication.exports.registry import RANKING_FILES

MAKE = {artefact.name: artefact.make for artefact in RANKING_FILES}
EVENT = PublicEvent(
    "hk-2026", "公開賽", "Open", "九龍灣", "Kowloon Bay", datetime.fromisoformat("2026-04-09T00:00:00+08:00")
)
OCCASION = CertificateOccasion(("公開賽", "Open"), ("九龍灣", "Kowloon Bay"), date(2026, 4, 11), 3, "d" * 64)


def text_of(page: bytes) -> str:
    """A page as it is read: without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.decode()))


def page(language: str = "zh-hant", **changes: Any) -> str:
    return text_of(
        winners_page(
            released(**changes), language, slug="hk-2026", folder="hk-2026/3/winners/", preliminary_url="/p/hk-2026/1/"
        )
    )


def pdf_text(file: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(file)
    try:
        return [one.get_textpage().get_text_bounded() for one in document]
    finally:
        document.close()


def certificate(*people: CertifiedPerson) -> Certificate:
    return Certificate(AWARD_TITLE, people, WON_WORDS, ("冠軍", "Champion"))


def test_the_page_names_each_place_and_both_of_the_family() -> None:
    shown = page()
    order = ["冠軍", "鄭𠮷雄", "CHENG Kat Hung", "亞軍", "D'SOUZA", "季軍", "陳*文", "最強親子獎", "李小明", "李大文"]
    places = [shown.index(word.replace("'", "&#x27;")) for word in order]
    assert places == sorted(places)
    english = page("en")
    assert [
        word for word in ("Champion", "First runner-up", "Second runner-up", "Child", "Parent") if word not in english
    ] == []


def test_a_decided_place_says_so_with_its_games_and_a_place_by_results_does_not() -> None:
    shown = page("en")
    assert shown.count("place decided") == 2
    assert "Play-off game 1: 0101 −20 points, 3 tiles; 0102 +20 points, 0 tiles (won)." in shown


def test_an_award_that_nobody_has_is_said_and_one_that_nobody_could_have_is_not() -> None:
    award = {**content()["award"], "winner": None, "families": []}
    assert "the award is not given" in page("en", award=award)
    assert "Parent-child award" not in page("en", award=None)


def test_a_small_field_has_fewer_places() -> None:
    podium = {"holders": content()["podium"]["holders"][:2], "decisions": []}
    assert "Second runner-up" not in page("en", podium=podium)


def test_the_wall_says_everything_in_both_languages_and_asks_again_by_itself() -> None:
    wall = wall_page(EVENT, released())
    shown = text_of(wall)
    words = [
        "冠軍",
        "Champion",
        "鄭𠮷雄",
        "CHENG Kat Hung",
        "最強親子獎",
        "Parent-child award",
        "子女",
        "Parent",
        "LEE Tai Man",
    ]
    assert [word for word in words if word not in shown] == []
    assert b'http-equiv="refresh"' in wall
    # Nothing but the surface's own, which puts up the banner.
    script = f'<script src="{bundle_url("public.js")}" defer>'.encode()
    assert (re.findall(b"<script[^>]*>", wall), b"style=" in wall) == ([script], False)


@pytest.mark.parametrize("withdrawn", [False, True])
def test_the_wall_without_winners_names_nobody(withdrawn: bool) -> None:
    shown = text_of(wall_page(EVENT, None, withdrawn=withdrawn))
    assert ("尚未公佈" in shown, "正在核對" in shown, "冠軍" in shown) == (not withdrawn, withdrawn, False)


@pytest.mark.parametrize(
    ("zh", "en", "found"),
    [
        ("鄭𠮷雄", "CHENG Kat Hung", ""),
        ("", "LI Na", ""),
        ("歐陽司馬諸葛", "LI Na", "long"),
        ("", "D'SOUZA Maria Luisa", "long"),
        ("", "FERNANDES DE OLIVEIRA E SILVA", "longer"),
        ("歐" * 30, "A", "longest"),
    ],
)
def test_a_long_name_is_set_smaller_on_the_wall(zh: str, en: str, found: str) -> None:
    assert wall_name_size(ReleasedWinner(1, zh, en)) == found


def test_the_ranking_of_a_final_marks_the_podium_and_draws_no_line() -> None:
    shown = text_of(ranking_page(released(), "en", slug="hk-2026", folder="hk-2026/3/", winners_url="/w/"))
    assert [shown.count(word) for word in ("Champion", "runner-up", "The line", "reserve", "above the line")] == [
        1,
        2,
        0,
        0,
        0,
    ]


def test_an_entrant_reads_the_games_by_round_and_how_equals_were_parted() -> None:
    pages = dict(entrant_pages_by_address(released(), "en", slug="hk-2026", replaced_by=None))
    shown = text_of(pages["/p/hk-2026/3/0102/en/"])
    assert [shown.count(f"Round {number}") for number in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert ["Champion" in shown, "How it was decided: by a play-off" in shown, "the line" in shown] == [
        True,
        True,
        False,
    ]
    assert "How it was decided" not in text_of(pages["/p/hk-2026/3/0105/en/"])


def test_files_of_a_final_say_its_rounds_and_winners_in_place_of_a_line() -> None:
    rows = list(csv.reader(io.StringIO(MAKE["ranking.csv"](released()).decode("utf-8-sig"))))
    about = {row[0]: row[1] for row in rows[: rows.index([])]}
    assert about["輪次 Rounds"] == "3"
    assert about["冠軍 Champion"] == "0102 鄭𠮷雄 CHENG Kat Hung"
    assert about["最強親子獎 Parent-child award"] == (
        "子女 Child 0104 李小明 LEE Siu Ming; 家長 Parent 0105 李大文 LEE Tai Man"
    )
    assert [label for label in about if "晉級" in label] == []
    heads = rows[rows.index([]) + 1]
    assert heads[-1] == "三甲 Podium"
    assert [row[-1] for row in rows[rows.index([]) + 2 :]][:4] == [
        "亞軍 First runner-up",
        "冠軍 Champion",
        "季軍 Second runner-up",
        "",
    ]
    book = load_workbook(io.BytesIO(MAKE["ranking.xlsx"](released())))
    assert {row[0].value: row[1].value or "" for row in book.worksheets[1].iter_rows()} == about
    (first, *_more) = pdf_text(ranking_pdf(released()))
    assert [word for word in ("決賽排名 Final ranking", "冠軍 Champion: 0102") if word not in first] == []
    assert "The line" not in first


def test_a_winner_whom_no_font_can_print_stands_by_number_in_the_list() -> None:
    podium = {"holders": [holder(1, 102, "😀大文", ""), holder(2, 101, "한", "HAN Amy")], "decisions": []}
    shown = released(podium=podium)
    (first, *_more) = pdf_text(ranking_pdf(shown))
    for text in ("0102 （姓名無法列印 name not printable）", "0101 HAN Amy （中文姓名有字無法列印"):
        assert re.sub(r"\s", "", text) in re.sub(r"\s", "", first)
    assert numbers_without_printable_name(shown) == [101, 102]


def test_a_release_that_only_decides_otherwise_differs_on_the_podium() -> None:
    holders = content()["podium"]["holders"]
    swapped = [{**holders[1], "place": 1}, {**holders[0], "place": 2}, holders[2]]
    later = released(number=4, podium={"holders": swapped, "decisions": []})
    found = entrant_differences(released(), later)
    assert {kind: [one.number for one in listed] for kind, listed in found.items()} == {
        "crossed": [101, 102],
        "corrected": [],
        "moved": [],
        "named": [],
    }
    assert [(one.old_place, one.new_place) for one in found["crossed"]] == [("亞軍", "冠軍"), ("冠軍", "亞軍")]
    assert award_words_before_and_now(released(), later) is None


def test_another_family_with_the_award_is_a_difference() -> None:
    winner = {"child": named(106, "甲*", "A***"), "parent": named(107, "乙*", "B***"), "decided": True}
    changed = award_words_before_and_now(released(), released(award={**content()["award"], "winner": winner}))
    assert changed is not None and "0104" in changed[0] and "0106" in changed[1]


def test_a_certificate_has_every_name_whole_in_both_languages() -> None:
    people = [
        CertifiedPerson(102, "鄭𠮷雄𨋢", "CHENG Kat Hung"),
        CertifiedPerson(101, "", "MUTHUVELAYUTHAM-SUBRAMANIAM Venkatanarasimharajuvaripeta"),
        CertifiedPerson(103, "歐陽司馬諸葛慕容" * 4, "Abcdefghij " * 8 + "Abcdefghij"),
    ]
    pages = pdf_text(certificates_pdf_file([certificate(one) for one in people], OCCASION))
    read = [re.sub(r"\s+", "", text) for text in pages]
    for person, text in zip(people, read, strict=True):
        names = [re.sub(r"\s+", "", name) for name in (person.name_zh, person.name_en)]
        assert [name for name in names if name not in text] == []
        assert [word for word in ("冠軍Champion", "2026年4月11日11April2026", "公開賽Open") if word not in text] == []


def test_a_family_shares_one_certificate_with_both_roles() -> None:
    child, parent = (
        CertifiedPerson(4, "李小明", "LEE Siu Ming", ("子女", "Child")),
        CertifiedPerson(5, "李大文", "", ("家長", "Parent")),
    )
    (text,) = pdf_text(certificates_pdf_file([certificate(child, parent)], OCCASION))
    assert [
        word
        for word in ("李小明", "LEE Siu Ming", "李大文", "子女 Child", "家長 Parent", "0004, 0005")
        if word not in text
    ] == []


def test_certificates_are_a4_on_their_side_the_same_bytes_each_time_and_fonts_are_inside() -> None:
    file = certificates_pdf_file([certificate(CertifiedPerson(1, "陳大文", "CHAN Tai Man"))], OCCASION)
    assert file == certificates_pdf_file([certificate(CertifiedPerson(1, "陳大文", "CHAN Tai Man"))], OCCASION)
    assert re.search(rb"/MediaBox \[ 0 0 841\.\d+ 595\.\d+ \]", file)
    assert (b"/FontFile2" in file, b"/Helvetica" in file) == (True, False)


def test_a_certificate_prints_the_name_that_the_fonts_have_else_the_number_and_says_so() -> None:
    people = [CertifiedPerson(7, "😀", "CHAN Tai Man"), CertifiedPerson(8, "😀", ""), CertifiedPerson(9, "陳大文", "")]
    pages = pdf_text(certificates_pdf_file([certificate(one) for one in people], OCCASION))
    for text, wanted in zip(pages, ("CHAN Tai Man", "0008", "陳大文"), strict=True):
        assert wanted in text
    assert ["not printable" in text for text in pages] == [True, True, False]


def test_a_shared_rank_says_so_on_the_certificate() -> None:
    shared = rank_words(4, 12, shared=True, in_final=True)
    assert shared == ("第 4 名（同名次），共 12 名決賽選手", "rank 4, shared, of 12 finalists")
    assert rank_words(4, 12, shared=False, in_final=False) == ("第 4 名，共 12 名參賽者", "rank 4 of 12 entrants")
    assert rank_words(4, 12, shared=False, in_final=True) == ("第 4 名，共 12 名決賽選手", "rank 4 of 12 finalists")
