"""The page of one entrant's standing: why here, compared with the neighbours and the line, with exact figures."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import GAMES, Result, add_entrants, draw, lock_sheets, mirrored_tables
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus, TieMethod
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/preliminary/ranking/{}/"


def read(client: Any, number: int, language: str = "zh-hant") -> str:
    """The page's text without markup, spaces as one."""
    client.cookies["django_language"] = language
    page = client.get(PAGE.format(number)).content.decode().replace("</td>", " ")
    return " ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", "", page, flags=re.DOTALL).split())


def one_table(session: Session, by: User, *, advance: int = 1, waiting: int = 0) -> None:
    """Entrants 1 to 4 with 3, 1, 1 and 0 wins; 2 and 3 are told apart by their averages."""
    session.stage.advance = advance
    session.stage.save(update_fields=["advance"])
    entrants = add_entrants(session, range(1, 5 + waiting))
    a_wins = [Result(1, 120, 0), Result(0, -40, 2), Result(0, -40, 3), Result(0, -40, 4)]
    two_share = [Result(1, 10, 0), Result(1, 10, 0), Result(1, 10, 0), Result(0, -30, 4)]
    b_pays = [Result(1, 40, 0), Result(0, -10, 1), Result(0, -20, 1), Result(0, -10, 1)]
    lock_sheets(draw(session, [entrants[:4]], by), [[a_wins, two_share, b_pays]], by)


def test_each_criterion_is_explained_with_exact_figures(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    one_table(first_session, organiser, advance=2)
    page = read(signed_in(organiser), 3)
    assert "為何不是第 2 名？" in page and "線上最後一位" in page
    assert "0003 與 0002 同為 1 局，分不出先後。" in page
    assert "0003 是 −1 7/18 分，0002 是 −1 1/9 分：差 5/18 分，在此決定。" in page
    assert "未用到：0003 是 4 隻，0002 是 3 隻。" in page
    assert "為何在第 4 名之前？" in page
    assert "0003 是 1 局，0004 是 0 局：差 1 局，在此決定。" in page


def test_the_same_in_english(first_session: Session, organiser: User, signed_in: Any) -> None:
    one_table(first_session, organiser, advance=2)
    page = read(signed_in(organiser), 3, "en")
    assert "Why not rank 2?" in page and "last above the line" in page
    assert "0003 and 0002 have 1 win each: level." in page
    assert "0003: −1 7/18 points, 0002: −1 1/9 points. The difference, 5/18 points, decided it." in page
    assert "Not needed: 0003 4 tiles, 0002 3 tiles." in page


def test_the_games_stand_there_with_their_sheet_and_the_sum(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    one_table(first_session, organiser)
    client = signed_in(organiser)
    page = read(client, 1)
    assert "1 1 +10 0 2 1 +5/6 0 3 1 +3 1/3 0 合計 3 +14 1/6 0" in page
    assert "平均分 = 14 1/6 ÷ 3 = 4 13/18" in page
    assert 'href="/desk/hk-2026/scoresheets/1/1/">計分紙 0328-1-01</a>' in squeezed(
        client.get(PAGE.format(1)).content.decode()
    )


def test_a_game_that_was_not_played_is_said_to_be_so(first_session: Session, organiser: User, signed_in: Any) -> None:
    mirrored_tables(first_session, organiser, not_played={(1, 3)})
    assert "3 未比賽" in read(signed_in(organiser), 1)


def test_sharers_of_a_rank_are_named_and_a_tie_across_the_line_is_the_chief_judges(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    mirrored_tables(first_session, organiser, advance=3)
    page = read(signed_in(organiser), 2)
    assert "3= 0002" in page and "各項全同 0006" in page and "同列第 3= 名" in page
    assert "2 人各項全同，跨越晉級線，餘 1 個名額，由總評判決定。" in page


@pytest.mark.parametrize(("number", "badge"), [(2, "按裁決未晉級"), (6, "按裁決晉級")])
def test_those_of_a_tie_that_is_decided_read_how_and_for_whom(
    first_session: Session, organiser: User, chief_judge: User, signed_in: Any, number: int, badge: str
) -> None:
    mirrored_tables(first_session, organiser, advance=3)
    decide_tie(
        first_session.stage,
        of="line",
        tied=["0002", "0006"],
        places=1,
        admitted=["0006"],
        order=["0006", "0002"],
        method=TieMethod.PICK,
        reason="Asked both.",
        by=chief_judge,
    )
    page = read(signed_in(organiser), number)
    assert badge in page and "未定" not in page
    assert "2 人各項全同，跨越晉級線，爭 1 個名額。" in page and "已裁決（總評判選定），晉級： 0006" in page


@pytest.mark.parametrize(
    ("number", "advance", "waiting", "said"),
    [
        (1, 3, 2, "較佳 0 人、同分 1 人、未有結果 2 人，合計不超過 3 個名額"),
        (1, 2, 2, "合計多於 2 個名額；目前較佳的只有 0 人"),
        (3, 2, 9, "已有 2 人成績較佳，名額只有 2 個：餘下的計分紙不會改變此結果。"),
        (5, 3, 1, "未有已核實的計分紙載有此人賽果"),
    ],
)
def test_it_says_how_certain_the_place_is(
    first_session: Session, organiser: User, signed_in: Any, number: int, advance: int, waiting: int, said: str
) -> None:
    one_table(first_session, organiser, advance=advance, waiting=waiting)
    shown = read(signed_in(organiser), number)
    decided = "餘下的計分紙不會改變此結果" in shown
    # C2: whatever no sheet can change, an act of the rules still can.
    assert (said in shown, decided) == (True, "只按現有賽果。更正、取消資格、退出、恢復參賽或重賽仍可改變。" in shown)


def test_who_has_no_rank_is_told_why(first_session: Session, organiser: User, signed_in: Any) -> None:
    one_table(first_session, organiser)
    Entrant.objects.filter(number=2).update(status=EntrantStatus.DISQUALIFIED)
    page = read(signed_in(organiser), 2)
    assert "取消資格" in page and "也不佔名額" in page


def test_nobody_of_that_number_is_not_found(first_session: Session, organiser: User, signed_in: Any) -> None:
    assert signed_in(organiser).get(PAGE.format(99)).status_code == 404


@pytest.mark.parametrize("tables", [1, 3])
def test_it_asks_as_many_queries_for_one_table_as_for_three(
    first_session: Session, organiser: User, signed_in: Any, django_assert_num_queries: Any, tables: int
) -> None:
    entrants = add_entrants(first_session, range(1, 4 * tables + 1))
    drawn = draw(first_session, [entrants[4 * k : 4 * k + 4] for k in range(tables)], organiser)
    lock_sheets(drawn, [GAMES] * tables, organiser)
    client = signed_in(organiser)
    client.get(PAGE.format(1))
    with django_assert_num_queries(7):
        client.get(PAGE.format(1))


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({"session": "1"}, ["0001", "0002", "0003", "0004"]),
        ({"session": "2"}, []),
        ({"school": "聖保羅"}, ["0003"]),
        ({"status": "in"}, ["0001"]),
        ({"status": "out"}, ["0002", "0003", "0004"]),
        ({"status": "out", "school": "聖保羅"}, ["0003"]),
        ({"status": "not_yet_played"}, []),
        ({"status": "nonsense"}, []),
    ],
)
def test_the_ranking_is_narrowed_to_session_school_and_status(
    first_session: Session, organiser: User, signed_in: Any, asked: dict[str, str], numbers: list[str]
) -> None:
    one_table(first_session, organiser)
    Person.objects.filter(entrant__number=3).update(school=" 聖保羅")
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/preliminary/ranking/", asked).content.decode())
    assert [part[:4] for part in page.split('<tr id="n')[1:]] == numbers


def test_only_not_yet_played_are_listed_where_asked_for(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    one_table(first_session, organiser, waiting=2)
    page = squeezed(
        signed_in(organiser).get("/desk/hk-2026/preliminary/ranking/", {"status": "not_yet_played"}).content.decode()
    )
    assert re.findall(r'class="no" href="[^"]+">(\d{4})', page) == ["0005", "0006"]
