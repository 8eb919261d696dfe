"""One content, four files and two pages: the same figures in all of them, and each says what it is."""

import csv
import hashlib
import io
import json
import re
from datetime import datetime
from fractions import Fraction
from typing import Any

import pypdfium2
import pytest
from django.utils import translation
from openpyxl import load_workbook

from scoring.ruleset import PRESETS
from tests.squeezed import squeezed
from tournament.core.numberformat import format_quantity
from tournament.publication.domain.release import canonical_digest, canonical_json_bytes
from tournament.publication.exports.public_pages import ranking_page
from tournament.publication.exports.ranking_columns import columns_of_released_ranking
from tournament.publication.exports.ranking_pdf import numbers_without_printable_name, ranking_pdf
from tournament.publication.exports.registry import RANKING_FILES
from tournament.publication.exports.released import ReleasedRanking, read_release

NAMES = ["陳*文", "D'SOUZA M***", "𨋢*峯", "衞*"]
MAKE = {artefact.name: artefact.make for artefact in RANKING_FILES}


def content(count: int = 60, **changes: Any) -> dict[str, Any]:
    """A release of so many entrants, thirds and 36ths among them, every ninth at a table of three, two without a
    rank."""
    advancing = count // 2
    return {
        "canon": 1,
        "event": {"slug": "hk-2026", "name_zh": "遊戲王爭霸賽", "name_en": "King of Games"},
        "stage": "preliminary",
        "number": 2,
        "released_at": "2026-04-09T18:00:00+08:00",
        "audit": {"seq": 7, "hash": "a" * 64},
        "sheets": {"count": 15, "digest": "b" * 64},
        "order": list(PRESETS["hk-2026"].order),
        "games": 3,
        "rounds": 1,
        "average_over": "games",
        "places": advancing,
        "advancing": advancing,
        "decision": None,
        "reserve_decisions": [],
        "lots": [],
        "earlier_decisions": [],
        "ranking": [line(place, advancing) for place in range(count)],
        "unranked": [{"number": 9001, "because": "not_played"}, {"number": 9002, "because": "no_rank"}],
        **changes,
    }


def line(place: int, advancing: int) -> dict[str, Any]:
    twelfths = 700 - 31 * place
    return {
        "number": 101 + place,
        "name": NAMES[place % len(NAMES)],
        "rank": place + 1,
        "tied": False,
        "wins": max(0, 3 - place // 15),
        "points_twelfths": twelfths,
        "average": str(Fraction(twelfths, 36)),
        "tiles": place % 20,
        "table_size": 3 if place % 9 == 8 else 4,
        "advancing": place < advancing,
        "reserve": None if place < advancing else [place - advancing + 1, False],
        "games": [],
    }


def released(**changes: Any) -> ReleasedRanking:
    data = content(**changes)
    return read_release(data, canonical_digest(data))


def figures_of_content(ranking: ReleasedRanking) -> list[tuple[str, ...]]:
    """Rank, number, wins, average and tiles of each entrant as text."""
    return [
        (
            entrant.rank_text,
            f"{entrant.number:04d}",
            str(entrant.wins),
            format_quantity(entrant.average),
            str(entrant.tiles),
        )
        for entrant in ranking.ranking
        if entrant.average is not None
    ]


def spreadsheet_rows(ranking: ReleasedRanking) -> list[list[Any]]:
    book = load_workbook(io.BytesIO(MAKE["ranking.xlsx"](ranking)))
    return [[cell.value for cell in row] for row in book.worksheets[0].iter_rows()]


def csv_rows(ranking: ReleasedRanking) -> list[list[str]]:
    text = MAKE["ranking.csv"](ranking).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    return rows[rows.index([]) + 1 :]


def from_exact(text: str) -> Fraction:
    """Reads a printed figure such as `−10 1/3` back."""
    total = sum(Fraction(part) for part in text.removeprefix("−").split())
    return -total if text.startswith("−") else Fraction(total)


def figures_of_row(row: list[Any]) -> tuple[str, ...]:
    return (str(row[0]), row[2], str(row[4]), format_quantity(from_exact(row[7])), str(row[9]))


def test_workbook_csv_pdf_and_both_pages_have_the_figures_of_the_content() -> None:
    ranking = released()
    expected = figures_of_content(ranking)
    assert [figures_of_row(row) for row in spreadsheet_rows(ranking)[1:61]] == expected
    assert [figures_of_row(row) for row in csv_rows(ranking)[1:61]] == expected
    assert figures_of_pdf(ranking) == expected
    for language in ("zh-hant", "en"):
        assert figures_of_page(ranking, language) == expected


def figures_of_page(ranking: ReleasedRanking, language: str) -> list[tuple[str, ...]]:
    """Read back from the markup; the space before a fraction is the reader's."""
    page = squeezed(ranking_page(ranking, language, slug="hk-2026", folder="hk-2026/").decode())
    rows = re.findall(r'<tr id="n(\d+)">(.*?)</tr>', page, re.DOTALL)
    found = []
    for number, row in rows:
        cells = [re.sub("<[^>]+>", "", cell).strip() for cell in re.findall("<td>(.*?)</td>", row, re.DOTALL)]
        found.append((cells[0], number, cells[2], cells[3], cells[4]))
    return found


def figures_of_pdf(ranking: ReleasedRanking) -> list[tuple[str, ...]]:
    """Each line of the list: rank, number, name, wins, points, average, tiles, table."""
    document = pypdfium2.PdfDocument(ranking_pdf(ranking))
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    quantity = r"[−+]?\d+(?: \d+/\d+)?|[−+]?\d+/\d+"
    rows = re.findall(rf"^(\d+=?) (\d{{4}}) .*? (\d) ({quantity}) ({quantity}) (\d+) [34]\s*$", text, re.MULTILINE)
    return [(rank, number, wins, average, tiles) for rank, number, wins, _points, average, tiles in rows]


def test_points_and_averages_stand_as_exact_text_and_as_a_number() -> None:
    second = spreadsheet_rows(released())[2]
    assert second[5:9] == ["55 3/4", 55.75, "18 7/12", 18.583333]


def test_the_workbook_and_the_csv_have_the_same_columns_in_both_languages() -> None:
    heads = spreadsheet_rows(released())[0]
    assert heads[:3] == ["名次 Rank", "同名次 Shared", "編號 Number"]
    assert (heads, len(heads)) == (csv_rows(released())[0], len(columns_of_released_ranking(released())))


def test_every_spreadsheet_says_what_it_is() -> None:
    ranking = released()
    book = load_workbook(io.BytesIO(MAKE["ranking.xlsx"](ranking)))
    facts = {row[0].value: row[1].value for row in book.worksheets[1].iter_rows()}
    text = MAKE["ranking.csv"](ranking).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert {row[0]: row[1] or None for row in rows[: rows.index([])]} == facts
    assert facts == {
        "賽事 Event": "遊戲王爭霸賽 King of Games",
        "正式結果 Release": "2",
        "公佈時間 Released at": "2026-04-09 18:00:00 +0800",
        "摘要（SHA-256） Digest (SHA-256)": ranking.digest,
        "審計紀錄 Audit log": f"7·{'a' * 64}",
        "排序 Order": "先比勝局（多者為先），再比平均分（高者為先），再比剩牌（少者為先）；全部相同則同名次。 "
        "Compared by wins (more first), then by average (higher first), then by tiles left (fewer first). "
        "Equal in all of these: the same rank.",
        "除數 Divisor": "平均分＝總得分除以 3 局，未打之局亦計在內。 "
        "Average: all points divided by 3 games, played or not.",
        "晉級 Advancing": "30",
        "晉級線同分 Tie across the line": None,
    }


def test_the_line_and_the_reserves_are_in_their_columns() -> None:
    rows = spreadsheet_rows(released())
    assert [row[11:13] for row in rows[29:33]] == [
        ["晉級 advancing", None],
        ["晉級 advancing", None],
        [None, "1"],
        [None, "2"],
    ]


def test_who_has_no_rank_is_listed_by_number_and_no_reason_but_that_no_game_was_played() -> None:
    assert [(row[0], row[2], row[3]) for row in spreadsheet_rows(released())[61:]] == [
        ("未有出賽 no game played", "9001", None),
        ("不列名次 listed without a rank", "9002", None),
    ]


def test_the_content_itself_is_a_file_whose_hash_is_the_digest() -> None:
    ranking = released()
    written = MAKE["ranking.json"](ranking)
    assert hashlib.sha256(written).hexdigest() == ranking.digest
    assert json.loads(written) == ranking.content
    assert written == canonical_json_bytes(content())


@pytest.mark.parametrize("name", sorted(MAKE))
def test_every_file_is_the_same_bytes_each_time(name: str) -> None:
    assert MAKE[name](released()) == MAKE[name](released())


def test_the_pdf_draws_the_line_after_the_last_who_advances_and_counts_its_pages() -> None:
    document = pypdfium2.PdfDocument(ranking_pdf(released(count=200)))
    pages = [page.get_textpage().get_text_range() for page in document]
    assert [
        f"第 {number} 頁，共 {len(pages)} 頁 Page {number} of {len(pages)}" in text
        for number, text in enumerate(pages, 1)
    ] == [True] * len(pages)
    whole = "\n".join(pages)
    assert whole.index("\r\n100 0200") < whole.index("The line: the 100 above advance.") < whole.index("\r\n101 0201")


def test_rare_characters_are_read_back_from_the_pdf() -> None:
    text = pypdfium2.PdfDocument(ranking_pdf(released()))[0].get_textpage().get_text_range()
    assert "𨋢*峯" in text


def test_a_name_without_a_font_stands_by_its_number_and_all_others_by_name() -> None:
    data = content()
    data["ranking"][3]["name"] = "\U00020000*"
    ranking = read_release(data, "")
    text = pypdfium2.PdfDocument(ranking_pdf(ranking))[0].get_textpage().get_text_range()
    assert "4 0104 （姓名無法列印 name not printable）" in text
    assert (numbers_without_printable_name(ranking), text.count("not printable"), "𨋢*峯" in text) == ([104], 1, True)


def test_a_text_that_no_font_has_whole_is_printed_with_the_mark_of_a_missing_letter() -> None:
    event = {"slug": "hk-2026", "name_zh": "大賽🐰", "name_en": "Open"}
    text = pypdfium2.PdfDocument(ranking_pdf(released(event=event)))[0].get_textpage().get_text_range()
    assert "大賽〓" in text


def test_a_mask_has_its_own_language_on_a_page_of_the_other() -> None:
    page = squeezed(ranking_page(released(), "en", slug="hk-2026", folder="hk-2026/").decode())
    assert ('<td><span lang="zh-Hant-HK">陳*文</span>' in page, "<td>D&#x27;SOUZA M***" in page) == (True, True)


def test_a_name_that_looks_like_a_formula_stays_a_name_everywhere() -> None:
    data = content()
    data["ranking"][0]["name"] = "=HYPERLINK(1) A***"
    ranking = read_release(data, canonical_digest(data))
    assert spreadsheet_rows(ranking)[1][3] == "=HYPERLINK(1) A***"
    assert csv_rows(ranking)[1][3] == "'=HYPERLINK(1) A***"


def test_a_decided_tie_is_told_in_words() -> None:
    decision = {
        "tied": ["0130", "0131"],
        "places": 1,
        "admitted": ["0131"],
        "order": ["0131"],
        "play_off": [],
        "method": "lots",
        "reason": "Both agreed.",
        "seed": "7 April",
        "by": "chief_judge",
        "at": "2026-04-08T20:00:00+08:00",
    }
    assert released(decision=decision).decision_words == (
        "2 人同列第 30 名，各項成績完全相同，但晉級名額只餘 1 個。決定方法：抽籤（種子：7 April）。晉級者：0131。"
        "總評判的理由：Both agreed."
    )


DRAWN = {
    "tied": ["0130", "0131"],
    "places": 1,
    "admitted": ["0131"],
    "order": ["0131", "0130"],
    "play_off": [],
    "method": "lots",
    "reason": "大會於 4 月 7 日即場抽籤決定",
    "seed": "4 月 7 日",
    "by": "chief_judge",
    "at": "2026-04-08T20:00:00+08:00",
}


def test_a_reason_without_a_stop_does_not_run_into_the_next_sentence() -> None:
    chinese = str(released(decision=DRAWN).decision_words)
    with translation.override("en"):
        english = str(released(decision={**DRAWN, "reason": "Drawn before witnesses"}).decision_words)
    assert [
        "理由：大會於 4 月 7 日即場抽籤決定。先後次序：0131、0130。" in chinese,
        "judge: Drawn before witnesses. Order after the decision: 0131, 0130. Anyone can check" in english,
    ] == [True, True]


def test_what_a_person_typed_keeps_its_language_on_a_page_of_the_other() -> None:
    ranking = released(decision=DRAWN)
    pages = [
        squeezed(ranking_page(ranking, language, slug="hk-2026", folder="hk-2026/").decode())
        for language in ("zh-hant", "en")
    ]
    marked = '<span lang="zh-Hant-HK">大會於 4 月 7 日即場抽籤決定。</span> Order after'
    assert [(marked in page, '(seed: <span lang="zh-Hant-HK">4 月 7 日</span>)' in page) for page in pages] == [
        (False, False),
        (True, True),
    ]


def test_markup_that_a_person_typed_stays_text() -> None:
    ranking = released(decision={**DRAWN, "reason": "<b>7</b>", "seed": "<i>"})
    page = squeezed(ranking_page(ranking, "zh-hant", slug="hk-2026", folder="hk-2026/").decode())
    assert ["<b>7" in page, "<i>" in page, "&lt;b&gt;7&lt;/b&gt;" in page] == [False, False, True]


def test_a_ruleset_without_an_average_shows_points_instead() -> None:
    ranking = released(order=["wins", "total"], games=None)
    page = squeezed(ranking_page(ranking, "en", slug="hk-2026", folder="hk-2026/").decode())
    assert ('<th scope="col">Points</th>' in page, "Tiles</th>" in page, ranking.divisor_words) == (True, False, "")


def test_the_moment_of_release_is_in_the_events_zone() -> None:
    assert released().released_at == datetime.fromisoformat("2026-04-09T10:00:00+00:00")
